"""Work that may take seconds, such as compiling. Listeners learn of it while it happens.

The command line prints what a user waits for (cli/waiting.py). Without a listener nothing happens.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

Listener = Callable[[str], AbstractContextManager[object]]
"""Called with a text such as 'Compiling ...'; its context lasts as long as the work."""

KERNELS = "Compiling the flock's kernels (stored for next time)"
_listeners: list[Listener] = []
_inside = threading.local()  # .work: whether the thread is inside a `doing` block


@contextmanager
def doing(text: str) -> Iterator[None]:
    """Report the work within the block to all listeners. A block within another reports nothing.

    text  a sentence without full stop, such as "Simulating 300 steps"
    """
    if not _listeners or getattr(_inside, "work", False):
        yield
        return
    _inside.work = True
    try:
        with ExitStack() as contexts:
            for listener in tuple(_listeners):
                contexts.enter_context(listener(text))
            yield
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
