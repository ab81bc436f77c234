"""Ctrl-C in commands that run step by step, which complete the current step first; and an end that
waits for nothing."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


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


def leave(code: int) -> NoReturn:
    """Ends the process now, whatever its threads do; temporary files are removed."""
    from murmurate.codegen.cache_folder import remove_private_folders

    sys.stdout.flush()
    sys.stderr.flush()
    remove_private_folders()
    os._exit(code)
