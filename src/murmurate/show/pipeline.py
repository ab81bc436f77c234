"""PipelineStage: a worker thread with a bounded queue."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Item = TypeVar("Item")


class Aborted(Exception):
    """The stage was asked to drop its queue."""


class PipelineStage(Generic[Item]):
    """Calls work(item) for each item put in, in order, in one thread.

    The first error ends the stage; whoever puts or finishes next gets it. At most `ahead` items
    wait, so a slow stage slows down its source instead of filling the memory.
    """

    def __init__(self, work: Callable[[Item], object], ahead: int = 3) -> None:
        self._work = work
        self._waiting: queue.Queue[tuple[Item] | None] = queue.Queue(ahead)
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def put(self, item: Item) -> None:
        """Hand over an item; waits while the stage is behind."""
        self._put((item,))

    def finish(self) -> None:
        """Wait until everything is done."""
        self._put(None)
        self._thread.join()
        self._check()

    def abort(self) -> None:
        """Drop what waits; does not wait for the item in work."""
        self._error = self._error or Aborted()

    def join(self) -> None:
        """Wait for the end of the item in work, after `abandon`."""
        self._thread.join()

    def _put(self, item: tuple[Item] | None) -> None:
        while True:
            self._check()
            try:
                self._waiting.put(item, timeout=0.1)
                return
            except queue.Full:
                continue

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while self._error is None:
            try:
                item = self._waiting.get(timeout=0.1)
            except queue.Empty:
                continue
            if item is None:
                return
            try:
                self._work(item[0])
            except BaseException as error:
                self._error = self._error or error
