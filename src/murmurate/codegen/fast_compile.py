"""Faster compilation: numba's type lookups are cached and garbage collection is paused meanwhile.

A kernel is thousands of typed operations of some dozens of kinds. numba searches all
implementations for every `a * b` again, and Python's collector walks through all the objects of
the compiler every few milliseconds and finds nothing. While a kernel is compiled, the answers are
cached and the collector is paused. Neither changes what is compiled. `python
benchmarks/compile.py` measures the gain.
"""

from __future__ import annotations

import gc
import inspect
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

NAME = "get_call_type"
PARAMETERS = ("self", "context", "args", "kws")  # of numba's BaseFunction.get_call_type

_log = logging.getLogger("murmurate")
_lock = threading.Lock()
_active = 0  # threads that compile now
_undo: list[Callable[[], None]] = []  # called by the last one that leaves


@contextmanager
def compiling() -> Iterator[None]:
    """Kernels called for the first time in here are compiled faster."""
    global _active
    with _lock:
        if _active == 0:
            _undo.extend((_pause_collector(), _cache_types()))
        _active += 1
    try:
        yield
    finally:
        with _lock:
            _active -= 1
            while _active == 0 and _undo:
                _undo.pop()()


def _pause_collector() -> Callable[[], None]:
    if not gc.isenabled():
        return lambda: None
    gc.disable()
    return gc.enable


def _cache_types() -> Callable[[], None]:
    """numba's answer to 'what does this function make of these types' is kept for the next time
    that it is asked. BaseFunction.get_call_type is no public part of numba: where it is not as it
    was when this was written, nothing is changed, and compiling takes its usual time."""
    try:
        from numba.core import types
        from numba.core.types.functions import BaseFunction

        ask = vars(BaseFunction)[NAME]  # its own, not an abstract one that it inherits
        cacheable = (types.Number, types.Boolean, types.Array, types.BaseTuple, types.Literal)
        found = tuple(inspect.signature(ask).parameters)
    except (ImportError, AttributeError, KeyError, TypeError, ValueError) as error:
        _log.debug("types are not cached while compiling: numba has changed: %r", error)
        return lambda: None
    if found != PARAMETERS:
        _log.debug(
            "types are not cached while compiling: numba has changed: get_call_type%s, not %s",
            found, PARAMETERS,
        )  # fmt: skip
        return lambda: None
    known: dict[Any, tuple[Any, Any]] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(a, cacheable) for a in args):
            return ask(self, context, args, kws)
        key = (id(self), id(context), args)
        if key not in known:
            # the function is held too, so that nobody else gets its id
            known[key] = (self, ask(self, context, args, kws))
        return known[key][1]

    def end() -> None:
        setattr(BaseFunction, NAME, ask)

    setattr(BaseFunction, NAME, get_call_type)
    return end
