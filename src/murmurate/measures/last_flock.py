"""What was worked out of the last flock, for the measures of one frame, which come one after the
other and share some of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from murmurate.frame import FlockFrame

Found = TypeVar("Found")
LAST: WeakKeyDictionary[FlockFrame, dict[Any, Any]] = WeakKeyDictionary()  # one flock at most


def once(flock: FlockFrame, what: Any, work: Callable[[], Found]) -> Found:
    """What the work gives, done once a flock as long as no other flock is asked about. It is shared
    and must not be changed, nor hold the flock, with which it is forgotten.

    what  names it: with the flock, all that the work depends on
    """
    kept = LAST.get(flock)
    if kept is None:
        LAST.clear()
        kept = LAST[flock] = {}
    if what not in kept:
        kept[what] = work()
    found: Found = kept[what]
    return found
