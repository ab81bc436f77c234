"""Workers of this very process, in place of those that a sweep starts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from murmurate.sweeps.task import Task
from murmurate.sweeps.workers import TaskResult, run_task


class Here:
    """Flies in this process, and counts."""

    def __init__(self) -> None:
        self.n_runs = 0

    def results(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        for task in tasks:
            self.n_runs += 1
            yield run_task(task)
