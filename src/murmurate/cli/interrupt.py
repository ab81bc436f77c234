"""Ctrl-C and SIGTERM: both end a command in the same way, and messages say which came; and an end
that waits for nothing."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from murmurate.codegen.compile_jobs import is_compiling

_cause = "Ctrl-C"


def cause() -> str:
    """What ended the command, for messages: 'Ctrl-C' or 'SIGTERM', and whether that was while
    kernels were compiled."""
    return f"{_cause} while compiling" if is_compiling() else _cause


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """SIGTERM in here does what Ctrl-C does. Where it is ignored, or somebody else handles it, it
    stays so."""
    global _cause
    _cause = "Ctrl-C"
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def terminated(_: int, frame: Any) -> None:
        global _cause
        _cause = "SIGTERM"
        asked = signal.getsignal(signal.SIGINT)
        if callable(asked):
            asked(signal.SIGINT, frame)
        else:  # a job in the background ignores Ctrl-C, but not this
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def ask_to_stop() -> Iterator[threading.Event]:
    """An event that Ctrl-C sets, so that the step being flown is flown to its end; a second Ctrl-C
    is the usual one, and so is the first while kernels are compiled: that may take long."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def asked(*_: object) -> None:
        usual = stop.is_set() or is_compiling()
        stop.set()
        if usual:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, asked)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def leave(code: int) -> NoReturn:
    """Ends the process now. Python would wait for threads that fly or compile, and take seconds to
    take the compiler apart."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # one Ctrl-C more is not to be waited for
    atexit._run_exitfuncs()  # temporary folders are removed
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
