"""Workers of this very process, in place of those that a sweep starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from murmurate.sweeps.single_run import Task
from murmurate.sweeps.workers import Outcome, attempt


class Here:
    """Flies in this process, and counts."""

    def __init__(self) -> None:
        self.flown = 0

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        for task in tasks:
            self.flown += 1
            yield attempt(task)
