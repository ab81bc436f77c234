"""What a user waits for: a line on a terminal for work that takes more than a moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress

from murmurate.activity import listening
from murmurate.cli.terminal import is_terminal, print_line

DELAY_SECONDS = 0.8


@contextmanager
def show_waiting(quiet: bool, delay: float = DELAY_SECONDS) -> Iterator[None]:
    """Print, within the block, work that takes longer than `delay` seconds: once for each text.

    The line goes to stderr, and only if that is a terminal. Every command runs within this block.
    """
    lines = _Lines(delay)
    with nullcontext() if quiet or not is_terminal() else listening(lines.listen):
        yield


class _Lines:
    """Prints the work that began last, once it has been the last for a while."""

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._active: list[str] = []
        self._printed = set[str]()
        self._lock = threading.RLock()
        self._timer: threading.Timer | None = None

    @contextmanager
    def listen(self, text: str) -> Iterator[None]:
        with self._lock:
            self._active.append(text)
            self._restart()
        try:
            yield
        finally:
            with self._lock:
                self._active.remove(text)
                self._restart()

    def _restart(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._active and self._active[-1] not in self._printed:
            self._timer = threading.Timer(self._delay, self._print, [self._active[-1]])
            self._timer.daemon = True
            self._timer.start()

    def _print(self, text: str) -> None:
        with self._lock:
            if text in self._printed or not self._active or self._active[-1] != text:
                return
            self._printed.add(text)
        with suppress(OSError):
            print_line(f"{text} ...", errors=True)
