"""Watches a model's files, its own and those of its rules, and loads it again when one is saved."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from murmurate.disk import read_bytes
from murmurate.errors import MurmurateError
from murmurate.model.model import Model

PAUSE = 0.3  # seconds between two checks of the file

logger = logging.getLogger(__name__)


class FileWatcher:
    """Checks files' times and sizes, then their contents, a few times a second.

    load     loads the model again; may raise anything
    loaded   called with the model that was loaded
    failed   called with what is wrong with a file. A mistake is reported when it is still there
             at the next check, so that a file that is just being written is not called wrong.
    """

    def __init__(
        self,
        files: Sequence[Path],
        load: Callable[[], Model],
        *,
        loaded: Callable[[Model], object],
        failed: Callable[[str], object],
    ) -> None:
        self._files, self._load = files, load
        self._loaded, self._failed = loaded, failed
        self._stamp = self._stamped()
        self._content = self._read()  # as it was last reported on
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="murmurate-file", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(0.5)

    def _stamped(self) -> list[tuple[int, int] | None]:
        return [_stamp(file) for file in self._files]

    def _read(self) -> list[bytes | None]:
        return [_content(file) for file in self._files]

    def _watch(self) -> None:
        pending = False  # a mistake that is not reported yet
        while not self._over.wait(PAUSE):
            stamp = self._stamped()
            if stamp == self._stamp and not pending:
                continue
            changing = stamp != self._stamp
            self._stamp = stamp
            content = self._read()
            if content == self._content and not pending:
                continue
            try:
                model = self._load()
            except Exception as error:  # a rule file may raise anything; the pages are notified
                if changing or not pending:
                    pending = True
                    continue
                if not isinstance(error, MurmurateError):
                    logger.exception("%s cannot be loaded", self._files[0])
                pending, self._content = False, content
                self._failed(str(error) or type(error).__name__)
                continue
            pending, self._content = False, content
            self._loaded(model)


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _content(file: Path) -> bytes | None:
    try:
        return read_bytes(file)
    except OSError:
        return None
