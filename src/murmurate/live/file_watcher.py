"""Following: a model's file is read again whenever it is saved."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from murmurate.model.model import Model

if TYPE_CHECKING:
    from murmurate.live.session import Session

PAUSE = 0.3  # seconds between looks at the file


class Following:
    """Looks at a file's time and size, then at its content, a few times a second.

    A mistake in it is told when it is still there at the next look, so that a file that is being
    written, or replaced, is not called wrong.
    """

    def __init__(self, session: Session, file: Path, reread: Callable[[], Model]) -> None:
        self._session, self._file, self._reread = session, file, reread
        self._stamp = self._stamped()
        self._content = self._read()
        self._told = self._content
        self._active = True
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="murmurate-file", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(0.5)

    def only_if(self, at_home: bool) -> None:
        """Whether the file's model is the one that is shown."""
        self._active = at_home
        if not at_home:
            self._session.clear("file")

    def _stamped(self) -> tuple[int, int] | None:
        try:
            found = self._file.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _read(self) -> bytes | None:
        try:
            return self._file.read_bytes()
        except OSError:
            return None

    def _watch(self) -> None:
        waiting = False  # a mistake that is not told yet
        while not self._over.wait(PAUSE):
            stamp = self._stamped()
            if stamp == self._stamp and not waiting:
                continue
            changing = stamp != self._stamp
            self._stamp = stamp
            content = self._read()
            if content == self._told and not waiting:
                continue
            try:
                model = self._reread()
            except Exception as error:  # whatever is wrong with the file is said on the page
                if waiting and not changing:
                    waiting, self._told = False, content
                    if self._active:
                        self._session.notice(str(error), "file")
                else:
                    waiting = True
                continue
            waiting, self._told = False, content
            self._session.home = model
            if self._active:
                self._session.clear("file")
                self._session.reloaded(model)
