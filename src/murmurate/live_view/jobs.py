"""Jobs: make films and pages of the flock, from its current state, in threads."""

from __future__ import annotations

import logging
import secrets
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

from murmurate.errors import EndOfRecordingError, ModelError, MurmurateError
from murmurate.frame import Frame
from murmurate.live_view.controller import Controller
from murmurate.live_view.playback_controller import PlaybackController
from murmurate.live_view.server_messages import JobState, MadeMessage
from murmurate.model.names import file_name
from murmurate.show.page import page_of

if TYPE_CHECKING:
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation

MAX_JOBS = 2  # at the same time
MAX_FILES = 8  # after that, the oldest is deleted
MAX_PAGE_BOIDS = 20_000_000  # boids times frames
MIN_PROGRESS = 0.02  # between two reports

Make = Callable[[Path, Callable[[float], None]], None]

logger = logging.getLogger(__name__)


class _Cancelled(Exception):
    """The session is over, and nobody waits for the file."""


@dataclass(frozen=True)
class _Job:
    number: int
    kind: Literal["film", "page"]
    key: str
    path: Path
    make: Make


class Jobs:
    """Makes films and pages in threads, and stores their files for pages to fetch.

    The files are in a private folder, which `close` deletes. Each has an unguessable address.

    send   sends a message to all pages
    token  the server's token, which is part of an address; empty without a server
    """

    def __init__(
        self,
        controller: Controller | PlaybackController,
        send: Callable[[MadeMessage], object],
    ) -> None:
        self._controller, self._send = controller, send
        self._folder: Path | None = None
        self._files: dict[tuple[str, str], Path] = {}
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._job_count = 0
        self._over = False
        self.token = ""

    def close(self) -> None:
        """Cancel the jobs, and delete the files."""
        self._over = True
        end = time.monotonic() + 0.3
        for thread in list(self._threads):
            thread.join(max(0.0, end - time.monotonic()))
        with self._lock:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            self._files.clear()

    def find(self, key: str, name: str) -> Path | None:
        """Return the file of a key and name, or None. The name is looked up, and never a path."""
        with self._lock:
            return self._files.get((key, name))

    # --- in the runner's thread

    def start_film(self, steps: int, size: tuple[int, int]) -> int:
        """Start a film of the next `steps` steps. Return the job's number. Raises ModelError if too
        many jobs are running."""
        from murmurate.runs.film import Film

        every = self._controller.running.view.every
        simulation = self._copy({"view.steps": max(steps, every), "view.size": list(size)})

        def make(path: Path, progress: Callable[[float], None]) -> None:
            def report(done: int, total: int) -> None:
                if self._over:
                    raise _Cancelled
                progress(done / (total or 1))

            Film(simulation, path).run(report)

        return self._start("film", file_name(simulation.model.name, ".mp4"), make)

    def start_page(self, frames: int) -> int:
        """Start a page of the next `frames` frames. Return the job's number. Raises ModelError if
        too many jobs are running, or the page is too large."""
        simulation = self._copy({})
        boids = sum(flock.count for flock in simulation.model.flocks.values())
        if boids * frames > MAX_PAGE_BOIDS:
            max_frames = max(1, MAX_PAGE_BOIDS // max(1, boids))
            raise ModelError(
                f"frames: got {frames} frames of {boids} boids; expected at most {max_frames} for "
                "a page. Save a film instead"
            )

        def make(path: Path, progress: Callable[[float], None]) -> None:
            def report(part: float) -> None:
                if self._over:
                    raise _Cancelled
                progress(part)

            write_page(simulation, frames, path, report)

        return self._start("page", file_name(simulation.model.name, ".html"), make)

    def _copy(self, changes: dict[str, Any]) -> Simulation | Playback:
        if self._controller.busy:
            raise ModelError("the rules are being compiled: try again when the flock moves")
        copy: Simulation | Playback = self._controller.runner.simulation.copy(threads=1)
        if changes:
            copy.set(changes)
        return copy

    def _start(self, kind: Literal["film", "page"], name: str, make: Make) -> int:
        with self._lock:
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            if len(self._threads) >= MAX_JOBS:
                raise ModelError(f"{MAX_JOBS} films or pages are being made: wait for one of them")
            if self._folder is None:
                self._folder = Path(tempfile.mkdtemp(prefix="murmurate-"))
            key = secrets.token_urlsafe(18)
            folder = self._folder / key
            folder.mkdir()
            self._job_count += 1
            job = _Job(self._job_count, kind, key, folder / name, make)
            thread = threading.Thread(
                target=self._run, args=(job,), daemon=True, name=f"murmurate-{kind}"
            )
            self._threads.append(thread)
        thread.start()
        return job.number

    # --- in the job's thread

    def _run(self, job: _Job) -> None:
        reported = -1.0

        def progress(part: float) -> None:
            nonlocal reported
            if part >= reported + MIN_PROGRESS or part >= 1.0:
                reported = part
                self._report(job, "working", part)

        name = job.path.name
        try:
            progress(0.0)
            job.make(job.path, progress)
        except _Cancelled:
            return
        except Exception as error:  # the pages are notified of any error
            if not isinstance(error, MurmurateError):
                logger.exception("the %s %s could not be made", job.kind, name)
            self._report(job, "failed", 0.0, error=str(error) or type(error).__name__)
            return
        with self._lock:
            if self._over:
                return
            self._files[job.key, name] = job.path
            while len(self._files) > MAX_FILES:
                oldest = next(iter(self._files))
                self._files.pop(oldest).unlink(missing_ok=True)
        url = f"/made/{job.key}/{quote(name)}" + (f"?token={self.token}" if self.token else "")
        self._report(job, "done", 1.0, url=url)

    def _report(
        self, job: _Job, state: JobState, progress: float, url: str = "", error: str = ""
    ) -> None:
        self._send(
            {
                "type": "made",
                "job": job.number,
                "what": job.kind,
                "state": state,
                "progress": progress,
                "url": url,
                "name": job.path.name,
                "error": error,
            }
        )


def write_page(
    simulation: Simulation | Playback, frames: int, path: Path, progress: Callable[[float], object]
) -> None:
    """Run the simulation, and write its frames as one HTML file; a recording may end earlier.
    Raises ShowError, RunError."""
    model = simulation.model

    def next_frames() -> Iterator[Frame]:
        for index in range(frames):
            yield simulation.frame
            progress((index + 1) / (frames + 1))
            if index < frames - 1:
                try:
                    simulation.step(model.view.every)
                except EndOfRecordingError:
                    return

    page_of(next_frames(), model, toml=simulation.toml, comment=simulation.comment).save(path)
