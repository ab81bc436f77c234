"""Ctrl-C and SIGTERM end a command in the same way. Messages state which of them was received."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

_cause = "Ctrl-C"


def _is_compiling() -> bool:
    """Return True during compilation. Imports nothing: before that, nothing can be compiling."""
    module = sys.modules.get("murmurate.codegen.compile_jobs")
    return module is not None and bool(module.is_compiling())


def cause() -> str:
    """Return 'Ctrl-C' or 'SIGTERM', which ended the command, and whether kernels were compiled."""
    return f"{_cause} while compiling" if _is_compiling() else _cause


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C, unless it is ignored or has another handler."""
    global _cause
    _cause = "Ctrl-C"
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def terminated(_: int, frame: Any) -> None:
        global _cause
        _cause = "SIGTERM"
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            handler(signal.SIGINT, frame)
        else:  # a background job ignores Ctrl-C, but not SIGTERM
            raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def ask_to_stop() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets, so that the current step is completed.

    A second Ctrl-C raises KeyboardInterrupt. So does the first during compilation, which may take
    long.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def request_stop(*_: object) -> None:
        at_once = stop.is_set() or _is_compiling()
        stop.set()
        if at_once:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, request_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def exit_now(code: int) -> NoReturn:
    """Exit now. Python would wait for threads that simulate or compile, and for the compiler."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # another Ctrl-C ends the process
    atexit._run_exitfuncs()  # temporary folders are removed
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
