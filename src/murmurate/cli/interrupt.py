"""Ctrl-C in commands that run step by step: the current step is completed first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ask_to_stop() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that the step being flown is flown to its end; a second Ctrl-C
    is the usual one."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def asked(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, asked)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
