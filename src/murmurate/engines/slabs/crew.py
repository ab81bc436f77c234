"""Crew: how an engine calls its workers: here, one after the other, or on a Ray cluster.

A call gives a promise, which may be an argument of another call; what is promised is fetched only
when it is asked for, so arrays go from worker to worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from murmurate.engines.options import RunOptions


class Died(Exception):
    """A worker died, or what it had made is lost with its machine."""


class Crew(Protocol):
    """Makes workers, and calls their methods.

    mortal  whether workers may die alone
    """

    mortal: bool

    def shared(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        """The options of each worker, and how many workers there are.

        workers  how many are asked for; None: one a machine
        """
        ...

    def make(self, cls: type[Any], *args: Any, beside: bool = False) -> Any:
        """A worker: an object of a class, somewhere.

        beside  whether it has little to do, and shares the cores of others
        """
        ...

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        """The promise of what a method returns. Calls of one worker are done in turn."""
        ...

    def call_many(self, worker: Any, method: str, parts: int, *args: Any) -> list[Any]:
        """The promises of the parts of a list that a method returns."""
        ...

    def fetch(self, promises: Sequence[Any]) -> list[Any]:
        """What was promised. Raises Died, and what a method raised."""
        ...

    def machine(self, worker: Any) -> str:
        """The name of the machine that a worker is on."""
        ...

    def end(self, workers: Sequence[Any]) -> None:
        """Workers are no longer needed."""
        ...


class LocalCrew:
    """Workers of this process, one after the other, each with all threads."""

    mortal = False

    def shared(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        return options, workers or 1

    def make(self, cls: type[Any], *args: Any, beside: bool = False) -> Any:
        return cls(*args)

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        return getattr(worker, method)(*args)

    def call_many(self, worker: Any, method: str, parts: int, *args: Any) -> list[Any]:
        made: list[Any] = getattr(worker, method)(*args)
        return made

    def fetch(self, promises: Sequence[Any]) -> list[Any]:
        return list(promises)

    def machine(self, worker: Any) -> str:
        return "here"

    def end(self, workers: Sequence[Any]) -> None:
        pass
