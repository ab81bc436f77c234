"""Compiling in two thirds of the time: what numba does over and over is done once.

A kernel is thousands of typed operations of some dozens of kinds. numba looks for the
implementation of every `a * b` among all there are, afresh, and Python's collector walks through
all the objects of the compiler every few milliseconds to find nothing. While one of our kernels is
compiled, answers are remembered and the collector rests. Neither changes what is compiled. A
Ctrl-C waits until it is done.
"""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_inside = 0  # how many threads compile
_ends: list[Callable[[], None]] = []  # what the last one to leave does


@contextmanager
def compiling() -> Iterator[None]:
    """Kernels called for the first time in here are compiled faster, and Ctrl-C waits until they
    are done."""
    with _holding_ctrl_c(), _quicker():
        yield


@contextmanager
def _holding_ctrl_c() -> Iterator[None]:
    """A Ctrl-C in here takes effect at the end. The compiler calls back into Python, and an
    exception that is raised in such a call is printed and forgotten: the flight would go on."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is None:
        yield
        return
    pressed = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: pressed.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed.is_set():
            signal.raise_signal(signal.SIGINT)


@contextmanager
def _quicker() -> Iterator[None]:
    global _inside
    with _lock:
        if _inside == 0:
            _ends.extend((_rest_collector(), _remember_types()))
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            while _inside == 0 and _ends:
                _ends.pop()()


def _rest_collector() -> Callable[[], None]:
    if not gc.isenabled():
        return lambda: None
    gc.disable()
    return gc.enable


def _remember_types() -> Callable[[], None]:
    """numba's answer to 'what does this function make of these types' is kept for the next time
    that it is asked."""
    from numba.core import types
    from numba.core.types.functions import BaseFunction

    name = "get_call_type"
    ask = getattr(BaseFunction, name)
    settled = (types.Number, types.Boolean, types.Array, types.BaseTuple, types.Literal)
    known: dict[Any, tuple[Any, Any]] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(a, settled) for a in args):
            return ask(self, context, args, kws)
        key = (id(self), id(context), args)
        if key not in known:
            # the function is held too, so that nobody else gets its id
            known[key] = (self, ask(self, context, args, kws))
        return known[key][1]

    def end() -> None:
        setattr(BaseFunction, name, ask)

    setattr(BaseFunction, name, get_call_type)
    return end
