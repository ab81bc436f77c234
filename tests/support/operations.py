"""What a call costs, counted: the same on any machine, however busy it is."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cost:
    """Counted costs of a call.

    calls  of functions, Python's and C's: loops in Python show here
    bytes  of the largest amount of memory held at once: loops in NumPy show here
    """

    calls: int
    bytes: int


def cost_of(call: Callable[[], object]) -> Cost:
    """Run a call three times: to fill caches, to measure memory, to count calls."""
    call()
    gc.disable()  # a collection of other tests' garbage is no cost of this call
    tracemalloc.start()
    try:
        begin, _ = tracemalloc.get_traced_memory()
        call()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    counted = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(before)
    return Cost(counted, most - begin)
