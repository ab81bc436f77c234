"""Compiling in a thread of its own, so that the main thread answers Ctrl-C meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable

POLL = 0.1  # seconds; on Windows Ctrl-C does not wake a thread that waits without a limit
_counting = threading.Lock()
_running = 0  # calls of compile_apart


def is_compiling() -> bool:
    """Whether kernels are being compiled or loaded now."""
    return _running > 0


def _count(change: int) -> None:
    global _running
    with _counting:
        _running += change


def compile_apart(work: Callable[[], None]) -> None:
    """work() in another thread, while the main thread waits. Raises what it raises.

    Python answers signals in the main thread, between two of its instructions, and the compiler is
    away from Python for seconds; what a signal raises in a call from the compiler is lost. Here a
    Ctrl-C ends the wait at once. The thread goes on to its end, and what it compiles is cached: a
    step that needs it meanwhile waits for it, and so does Python before it exits.
    """
    _count(1)
    if threading.current_thread() is not threading.main_thread():
        try:
            work()
        finally:
            _count(-1)
        return
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            _count(-1)
            done.set()

    threading.Thread(target=run, name="compiler").start()
    while not done.wait(POLL):
        pass
    if errors:
        raise errors[0]
