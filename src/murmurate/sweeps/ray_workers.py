"""Workers of a Ray cluster: the one that RAY_ADDRESS names, or one of this machine alone."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from murmurate.sweeps.design import SweepError
from murmurate.sweeps.single_run import Task
from murmurate.sweeps.workers import ATTEMPTS, Outcome, attempt, for_another_process


class RayWorkers:
    """One run a core of the cluster. Ray sends a run whose node died to another node; murmurate
    must be installed, in the same version, on each."""

    def __init__(self) -> None:
        terminated = signal.getsignal(signal.SIGTERM)
        try:
            import ray
        except ImportError:
            raise SweepError('Ray is not installed: pip install "murmurate[ray]"') from None
        self._ray: Any = ray
        if not ray.is_initialized():
            address = os.environ.get("RAY_ADDRESS")
            try:
                ray.init(address=address, log_to_driver=False, include_dashboard=False
                         if address is None else None)  # fmt: skip
            except ConnectionError as error:
                raise SweepError(f"no Ray cluster at RAY_ADDRESS={address}: {error}") from None
        if callable(terminated) and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, terminated)  # Ray puts its own, which exits

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
