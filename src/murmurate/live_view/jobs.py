"""Jobs: films and pages of the flock as it is now, made in threads beside it."""

from __future__ import annotations

import logging
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from murmurate.errors import ModelError, MurmurateError
from murmurate.frame import Frame
from murmurate.live_view.controller import Controller
from murmurate.live_view.page_job import write_page
from murmurate.live_view.playback_controller import PlaybackController
from murmurate.model.names import file_name

if TYPE_CHECKING:
    from murmurate.runs.sources import FrameSource

AT_ONCE = 2  # made at the same time
KEPT = 8  # files that are kept; the oldest goes
LARGEST_PAGE = 20_000_000  # boids times frames

logger = logging.getLogger(__name__)


class _Cancelled(Exception):
    """The session is over: nobody waits for the file any more."""


class Jobs:
    """Makes films and pages, in threads of their own, and keeps their files for pages to fetch.

    The files are in a private folder that is removed at the end; each goes by a name that cannot be
    guessed.

    tell   sends a message to all pages
    token  the server's, which an address needs; empty without a server
    """

    def __init__(
        self,
        controller: Controller | PlaybackController,
        tell: Callable[[dict[str, Any]], object],
    ) -> None:
        self._controller, self._send = controller, tell
        self._folder: Path | None = None
        self._files: dict[tuple[str, str], Path] = {}
        self._lock = threading.Lock()
        self._working: list[threading.Thread] = []
        self._begun = 0
        self._over = False
        self.token = ""

    def close(self) -> None:
        self._over = True
        end = time.monotonic() + 0.3
        for thread in list(self._working):
            thread.join(max(0.0, end - time.monotonic()))
        with self._lock:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            self._files.clear()

    def find(self, key: str, name: str) -> Path | None:
        """The file that goes by that name. The name is looked up; it is never a path."""
        with self._lock:
            return self._files.get((key, name))

    # --- in the simulation's thread

    def film(self, steps: int, size: tuple[int, int]) -> int:
        """Begins a film of so many steps from now; its number. Raises ModelError if too much is
        under way."""
        from murmurate.runs.films import shoot

        every = self._controller.running.view.every
        twin = self._twin({"view.steps": max(steps, every), "view.size": list(size)})

        def make(path: Path, progress: Callable[[float], None]) -> None:
            def stop(_: Frame) -> None:
                if self._over:
                    raise _Cancelled

            shoot(
                twin,
                path,
                progress=lambda done, total: progress(done / (total or 1)),
                watch=stop,
            )

        return self._begin("film", file_name(twin.model.name, ".mp4"), make)

    def page(self, frames: int) -> int:
        """Begins a page of so many frames from now; its number. Raises ModelError like `film`."""
        twin = self._twin({})
        boids = sum(flock.count for flock in twin.model.flocks.values())
        if boids * frames > LARGEST_PAGE:
            most = max(1, LARGEST_PAGE // max(1, boids))
            raise ModelError(
                f"frames: {frames} frames of {boids} boids are too much for a page: "
                f"ask for {most} at most, or save a film"
            )

        def make(path: Path, progress: Callable[[float], None]) -> None:
            def report(part: float) -> None:
                if self._over:
                    raise _Cancelled
                progress(part)

            write_page(twin, frames, path, report)

        return self._begin("page", file_name(twin.model.name, ".html"), make)

    def _twin(self, changes: dict[str, Any]) -> FrameSource:
        if self._controller.busy:
            raise ModelError("the rules are being compiled: ask again when the flock moves")
        twin: FrameSource = self._controller.flight.simulation.copy(threads=1)
        if changes:
            twin.set(changes)
        return twin

    def _begin(
        self, what: str, name: str, make: Callable[[Path, Callable[[float], None]], None]
    ) -> int:
        with self._lock:
            self._working = [thread for thread in self._working if thread.is_alive()]
            if len(self._working) >= AT_ONCE:
                raise ModelError(f"{AT_ONCE} films or pages are being made: wait for one of them")
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="murmurate-"))
            key = secrets.token_urlsafe(18)
            folder = self._folder / key
            folder.mkdir()
            self._begun += 1
            job = self._begun
            tell = partial(self._tell, job, what, name)
            thread = threading.Thread(
                target=self._make, args=(what, key, name, folder / name, make, tell), daemon=True,
                name=f"murmurate-{what}",
            )  # fmt: skip
            self._working.append(thread)
        thread.start()
        return job

    # --- in a thread of its own

    def _make(
        self,
        what: str,
        key: str,
        name: str,
        path: Path,
        make: Callable[[Path, Callable[[float], None]], None],
        tell: Callable[..., None],
    ) -> None:
        reported = -1.0

        def progress(part: float) -> None:
            nonlocal reported
            if part >= reported + 0.02 or part >= 1.0:
                reported = part
                tell("working", part)

        try:
            progress(0.0)
            make(path, progress)
        except _Cancelled:
            return
        except Exception as error:  # the page is notified, whatever it is
            if not isinstance(error, MurmurateError):
                logger.exception("the %s %s could not be made", what, name)
            tell("failed", 0.0, error=str(error) or type(error).__name__)
            return
        with self._lock:
            if self._over:
                return
            self._files[key, name] = path
            while len(self._files) > KEPT:
                oldest = next(iter(self._files))
                self._files.pop(oldest).unlink(missing_ok=True)
        url = f"/made/{key}/{quote(name)}" + (f"?token={self.token}" if self.token else "")
        tell("done", 1.0, url=url)

    def _tell(
        self, job: int, what: str, name: str, state: str, progress: float,
        url: str = "", error: str = "",
    ) -> None:  # fmt: skip
        self._send(
            {
                "type": "made",
                "job": job,
                "what": what,
                "state": state,
                "progress": progress,
                "url": url,
                "name": name,
                "error": error,
            }
        )
