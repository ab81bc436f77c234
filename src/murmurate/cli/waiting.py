"""Lines on stderr for work that takes more than a moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import Any

from murmurate.activity import Work, listening
from murmurate.cli.terminal import describe_progress, is_terminal, print_line

DELAY_SECONDS, PIPE_DELAY_SECONDS = 0.8, 3.0  # before the first line, on a terminal and in a pipe
PAUSE_SECONDS = 10.0  # before the next lines, and at least as long as the work has taken


@contextmanager
def show_waiting(quiet: bool, terminal: bool | None = None, **options: Any) -> Iterator[None]:
    """Print, within the block, work that lasts: once for each text, then how far it is.

    Every command runs within this block.

    quiet  print nothing
    terminal  whether stderr is a terminal
    **options  `timer` and `clock` of Lines
    """
    terminal = is_terminal() if terminal is None else terminal
    lines = Lines(DELAY_SECONDS if terminal else PIPE_DELAY_SECONDS, **options)
    with nullcontext() if quiet else listening(lines.listen):
        yield


class Lines:
    """Prints the work that began last, once it has been the last for a while, and again later.

    delay  seconds before the first line of a text
    timer  makes a timer of seconds, a function and its arguments, as threading.Timer
    clock  returns seconds
    """

    def __init__(
        self,
        delay: float,
        timer: Callable[..., Any] = threading.Timer,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._delay, self._make_timer, self._clock = delay, timer, clock
        self._active: list[tuple[Work, float]] = []
        self._printed = set[str]()
        self._lock = threading.RLock()
        self._timer: Any = None

    @contextmanager
    def listen(self, work: Work) -> Iterator[None]:
        """Print lines of some work within the block."""
        entry = work, self._clock()
        with self._lock:
            self._active.append(entry)
            self._restart(self._delay)
        try:
            yield
        finally:
            with self._lock:
                self._active.remove(entry)
                self._restart(self._delay)

    def _restart(self, delay: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._active:
            work, begin = self._active[-1]
            wait = PAUSE_SECONDS if work.text in self._printed else delay
            self._timer = self._make_timer(max(wait, delay), self._print, [work, begin])
            self._timer.daemon = True
            self._timer.start()

    def _print(self, work: Work, begin: float) -> None:
        with self._lock:
            if not self._active or self._active[-1][0] is not work:
                return
            spent = self._clock() - begin
            text = " ..."
            if work.done or work.text in self._printed:
                text = f": {describe_progress(work.done, work.total, spent)}"
            self._printed.add(work.text)
            self._restart(max(PAUSE_SECONDS, spent))
        with suppress(OSError):
            print_line(f"{work.text}{text}", errors=True)
