"""Report work that may take seconds, such as compiling, to listeners.

The command line prints what a user waits for (cli/waiting.py). Without a listener nothing happens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass


@dataclass
class Work:
    """Some work, and how far it is.

    text         a sentence without full stop, such as "Simulating 300 steps"
    done, total  what is done, of how much; 0 if it is not counted
    """

    text: str
    done: int = 0
    total: int = 0


Listener = Callable[[Work], AbstractContextManager[object]]
"""Called with work that begins; its context lasts as long as the work."""

KERNELS = "Compiling the flock's kernels (stored for next time)"
_listeners: list[Listener] = []
_inside = threading.local()  # .work: whether the thread is inside a `doing` block


@contextmanager
def doing(text: str, total: int = 0) -> Iterator[Work]:
    """Report the work within the block to all listeners. A block within another reports nothing.

    The block counts what is done in the `done` of the work that it gets.
    """
    work = Work(text, total=total)
    if not _listeners or getattr(_inside, "work", False):
        yield work
        return
    _inside.work = True
    try:
        with ExitStack() as contexts:
            for listener in tuple(_listeners):
                contexts.enter_context(listener(work))
            yield work
    finally:
        _inside.work = False


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a listener at the beginning of all work within the block, in every thread."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
