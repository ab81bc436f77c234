"""Ray crew: workers as actors of a Ray cluster, which starts them, moves arrays, and notices
deaths."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.machinery import PathFinder
from time import monotonic
from typing import Any

from murmurate.cluster.ray_cluster import connected
from murmurate.codegen.layout import Layout
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.crew import Died
from murmurate.errors import ClusterError

STARTS = 120
"""Seconds within which a worker must start."""


class Host:
    """An object on a machine of the cluster, whose methods are called by name."""

    def __init__(self, cls: type[Any], args: Sequence[Any]) -> None:
        self._made = cls(*args)

    def call(self, method: str, *args: Any) -> Any:
        return getattr(self._made, method)(*args)

    def call_many(self, method: str, *args: Any) -> Any:
        """The parts of a list, as as many objects."""
        parts = getattr(self._made, method)(*args)
        return parts[0] if len(parts) == 1 else tuple(parts)

    def machine(self) -> str:
        import ray

        return str(ray.get_runtime_context().get_node_id())


class RayCrew:
    """Workers of a cluster.

    address  of the cluster: see murmurate.cluster.ray_cluster.connected, which says what is raised
    """

    mortal = True

    def __init__(self, address: str | None) -> None:
        self._ray: Any = connected(address)
        self._host = self._ray.remote(max_restarts=0, max_task_retries=0)(Host)
        self._cores = 1.0  # that a worker asks the cluster for
        self._machines: dict[str, float] = {}  # when workers were last shared out

    def shared(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        """Workers are spread evenly over the machines that there are now; unless it is said how
        many threads each has, they share its cores. Raises ClusterError where there is none."""
        self._machines = self._alive()
        cores = list(self._machines.values())
        if not cores:
            raise ClusterError("the Ray cluster has no machine with a core to give")
        workers = workers or len(cores)
        on_each = -(-workers // len(cores))  # of the machines
        share = min(cores) / on_each
        threads = options.threads or max(1, int(share))
        # whole cores, or a part of one, are what Ray gives; more workers than cores take turns
        self._cores = float(min(threads, int(share))) if share >= 1 else int(100 * share) / 100
        return replace(options, threads=threads), workers

    def _alive(self) -> dict[str, float]:
        """Machines that have cores: name -> how many."""
        return {
            node["NodeID"]: node["Resources"]["CPU"]
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }

    def make(self, cls: type[Any], *args: Any, beside: bool = False) -> Any:
        send_classes(args[0])
        cores = 0.0 if beside else self._cores
        return self._host.options(num_cpus=cores, scheduling_strategy="SPREAD").remote(cls, args)

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        return worker.call.remote(method, *args)

    def call_many(self, worker: Any, method: str, parts: int, *args: Any) -> list[Any]:
        promised = worker.call_many.options(num_returns=parts).remote(method, *args)
        return [promised] if parts == 1 else list(promised or ())

    def fetch(self, promises: Sequence[Any]) -> list[Any]:
        errors = self._ray.exceptions
        try:
            found: list[Any] = self._ray.get(list(promises))
            return found
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, errors.RayError):
                raise Died(f"a worker died ({type(cause).__name__})") from None
            raise cause from None
        except errors.RayError as error:
            raise Died(f"a worker died ({type(error).__name__})") from None

    def machine(self, worker: Any) -> str:
        """Raises ClusterError where the cluster starts no such worker; Died where it lost a machine
        meanwhile, and there is no room for all of them."""
        promised, end = worker.machine.remote(), monotonic() + STARTS
        while not self._ray.wait([promised], timeout=1.0)[0]:
            if self._machines.keys() - self._alive().keys():
                raise Died("a machine was lost")
            if monotonic() < end:
                continue
            free = self._ray.available_resources().get("CPU", 0)
            raise ClusterError(
                f"the Ray cluster started no worker within {STARTS} s: it asks for {self._cores:g} "
                f"cores, and {free:g} are free now. Ask for fewer workers or threads, or end what "
                "uses the cluster"
            )
        return str(self.fetch([promised])[0])

    def end(self, workers: Sequence[Any]) -> None:
        for worker in workers:
            with suppress(Exception):  # it may be dead already
                self._ray.kill(worker)


def send_classes(layout: Layout) -> None:
    """Classes of rules and motions that a worker cannot import, such as those of a rule file, are
    sent as they are."""
    from ray import cloudpickle

    model = layout.plan.model
    parts = [*model.rules.values(), *(flock.motion for flock in model.flocks.values())]
    for name in {type(part).__module__ for part in parts}:
        module = sys.modules.get(name)
        if module is not None and name != "__main__" and not _importable(name):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]


def _importable(name: str) -> bool:
    """Whether a fresh process finds a module by its name."""
    return PathFinder.find_spec(name.partition(".")[0]) is not None
