"""FileWatcher: loads a model again when its file, or a file of its rules, is saved."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from murmurate.disk import read_bytes
from murmurate.errors import MurmurateError
from murmurate.model.model import Model

CHECK_SECONDS = 0.3  # between two checks of the files

logger = logging.getLogger(__name__)


class FileWatcher:
    """Checks the files' times and sizes, then their contents, a few times per second.

    load        loads the model again; may raise any error
    on_load     called with the loaded model
    on_failure  called with the problem of a file. A problem is reported if the next check still
                finds it, so that a file is not reported while it is being written.
    """

    def __init__(
        self,
        files: Sequence[Path],
        load: Callable[[], Model],
        *,
        on_load: Callable[[Model], object],
        on_failure: Callable[[str], object],
    ) -> None:
        self._files, self._load = files, load
        self._on_load, self._on_failure = on_load, on_failure
        self._stamps = self._read_stamps()
        self._contents = self._read_contents()  # that were loaded or reported last
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="murmurate-file", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(0.5)

    def _read_stamps(self) -> list[tuple[int, int] | None]:
        return [_stamp(file) for file in self._files]

    def _read_contents(self) -> list[bytes | None]:
        return [_content(file) for file in self._files]

    def _watch(self) -> None:
        pending = False  # whether a problem is not reported yet
        while not self._over.wait(CHECK_SECONDS):
            stamps = self._read_stamps()
            if stamps == self._stamps and not pending:
                continue
            changing = stamps != self._stamps
            self._stamps = stamps
            contents = self._read_contents()
            if contents == self._contents and not pending:
                continue
            try:
                model = self._load()
            except Exception as error:  # a rule file may raise any error
                if changing or not pending:
                    pending = True
                    continue
                if not isinstance(error, MurmurateError):
                    logger.exception("%s cannot be loaded", self._files[0])
                pending, self._contents = False, contents
                self._on_failure(str(error) or type(error).__name__)
                continue
            pending, self._contents = False, contents
            self._on_load(model)


def _stamp(file: Path) -> tuple[int, int] | None:
    """Return the time and size of a file; None if it cannot be read."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def _content(file: Path) -> bytes | None:
    try:
        return read_bytes(file)
    except OSError:
        return None
