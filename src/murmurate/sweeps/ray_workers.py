"""Workers of a Ray cluster: the one that RAY_ADDRESS names, or one of this machine alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from murmurate.engines.slabs.executors import connect_to_ray
from murmurate.sweeps.single_run import Task
from murmurate.sweeps.workers import ATTEMPTS, Outcome, attempt, for_another_process


class RayWorkers:
    """One run a core of the cluster. Ray sends a run whose node died to another node; murmurate
    must be installed, in the same version, on each."""

    def __init__(self) -> None:
        self._ray: Any = connect_to_ray()

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=ATTEMPTS)(attempt)
        waiting = iter(tasks)
        flying: dict[Any, Task] = {}
        while True:
            room = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            for task in islice(waiting, max(0, room - len(flying))):
                flying[remote.remote(for_another_process(task))] = task
            if not flying:
                return
            ready, _ = ray.wait(list(flying), num_returns=1, timeout=60)
            for reference in ready:
                task = flying.pop(reference)
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayError as error:
                    yield Outcome(task, error=f"its worker was lost: {type(error).__name__}")
