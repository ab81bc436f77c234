"""Executors start workers and call their methods, in this process or on a Ray cluster.

A call returns a future, which may be an argument of another call. Results are fetched only on
request, so arrays go directly from worker to worker.
"""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.machinery import PathFinder
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.slab_options import LOCAL_ADDRESS, Slabs
from murmurate.errors import ClusterError
from murmurate.optional import optional

if TYPE_CHECKING:
    from murmurate.codegen.layout import Layout

START_TIMEOUT = 120.0  # seconds
CONNECT_TIMEOUT = 10.0  # seconds
START_HINT = "Start one with 'ray start --head', which prints its address"


class WorkerLost(Exception):
    """A worker died, or its results were lost with its machine."""


class Executor(Protocol):
    """Starts workers and calls their methods."""

    def share_cores(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        """Return the options of each worker, and the number of workers: by default one per
        machine."""
        ...

    def start(self, cls: type[Any], *args: Any, reserve_cores: bool = True) -> Any:
        """Start an object of class `cls`. With little to do, it shares the cores of other
        workers."""
        ...

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        """Return the future of a method's result. A worker runs its calls in sequence."""
        ...

    def call_for_list(self, worker: Any, method: str, length: int, *args: Any) -> list[Any]:
        """Return a future for each item of the list that a method returns."""
        ...

    def fetch(self, futures: Sequence[Any]) -> list[Any]:
        """Return results. Raises WorkerLost, and any exception of the method."""
        ...

    def machine_of(self, worker: Any) -> str:
        """Return the name of the machine that runs a worker."""
        ...

    def stop(self, workers: Sequence[Any]) -> None:
        """Stop workers."""
        ...


def make_executor(options: Slabs) -> Executor:
    """Return the executor for an address. Raises ClusterError as `connect_to_ray` does."""
    if options.address == LOCAL_ADDRESS:
        return LocalExecutor()
    return RayExecutor(options.address)


class LocalExecutor:
    """Runs workers in this process in sequence, each with all threads."""

    def share_cores(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        return options, workers or 1

    def start(self, cls: type[Any], *args: Any, reserve_cores: bool = True) -> Any:
        return cls(*args)

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        return getattr(worker, method)(*args)

    def call_for_list(self, worker: Any, method: str, length: int, *args: Any) -> list[Any]:
        items: list[Any] = getattr(worker, method)(*args)
        return items

    def fetch(self, futures: Sequence[Any]) -> list[Any]:
        return list(futures)

    def machine_of(self, worker: Any) -> str:
        return LOCAL_ADDRESS

    def stop(self, workers: Sequence[Any]) -> None:
        pass


# --- Ray


def connect_to_ray(address: str | None = None) -> Any:
    """Connect this process to a Ray cluster, and return the module `ray`.

    An existing connection stays as it is.

    address  default: the environment variable RAY_ADDRESS; without it, Ray starts on this machine
    raises ClusterError  ray is not installed, or no cluster answers at the address
    """
    handler = signal.getsignal(signal.SIGTERM)
    with optional("a Ray cluster", ClusterError, "ray"):
        import ray
    if not ray.is_initialized():
        target = address or os.environ.get("RAY_ADDRESS")
        _check_port(target)
        try:
            ray.init(
                address=target, log_to_driver=False, logging_level=logging.ERROR,
                include_dashboard=False if target is None else None,
            )  # fmt: skip
        except (ConnectionError, ValueError) as error:
            raise ClusterError(f"no Ray cluster at {target}: {error}. {START_HINT}") from None
    if callable(handler) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, handler)  # Ray replaces it by a handler that exits
    return ray


def _check_port(address: str | None) -> None:
    """Raise ClusterError if 'host:port' refuses connections: Ray itself waits for minutes."""
    match = re.fullmatch(r"\[?([^/]+?)\]?:(\d+)", address or "")
    if match is None:
        return
    try:
        socket.create_connection((match[1], int(match[2])), timeout=CONNECT_TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(f"no Ray cluster at {address}: {error}. {START_HINT}") from None


class RayExecutor:
    """Runs workers as actors of a Ray cluster, which starts them, moves arrays, and detects deaths.

    address  of the cluster; see `connect_to_ray`, which may raise ClusterError
    """

    def __init__(self, address: str | None) -> None:
        self._ray: Any = connect_to_ray(address)
        self._actor = self._ray.remote(max_restarts=0, max_task_retries=0)(_Actor)
        self._cores = 1.0  # that a worker requests
        self._machines: dict[str, float] = {}  # when cores were last shared

    def share_cores(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        """Spread workers evenly over the machines that are alive.

        Without a number of threads in `options`, the workers of a machine share its cores. Raises
        ClusterError if no machine has a core.
        """
        self._machines = self._find_machines()
        cores = list(self._machines.values())
        if not cores:
            raise ClusterError(
                "the Ray cluster has no machine with a CPU core. Add one with 'ray start --address'"
            )
        workers = workers or len(cores)
        per_machine = -(-workers // len(cores))
        share = min(cores) / per_machine
        threads = options.threads or max(1, int(share))
        # Ray reserves whole cores, or hundredths of one; workers beyond the cores share them
        self._cores = float(min(threads, int(share))) if share >= 1 else int(100 * share) / 100
        return replace(options, threads=threads), workers

    def _find_machines(self) -> dict[str, float]:
        """Return the machines that have cores: name -> number of cores."""
        return {
            node["NodeID"]: node["Resources"]["CPU"]
            for node in self._ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }

    def start(self, cls: type[Any], *args: Any, reserve_cores: bool = True) -> Any:
        _pickle_user_classes(args[0])
        cores = self._cores if reserve_cores else 0.0
        return self._actor.options(num_cpus=cores, scheduling_strategy="SPREAD").remote(cls, args)

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        return worker.call.remote(method, *args)

    def call_for_list(self, worker: Any, method: str, length: int, *args: Any) -> list[Any]:
        futures = worker.call_for_list.options(num_returns=length).remote(method, *args)
        return [futures] if length == 1 else list(futures or ())

    def fetch(self, futures: Sequence[Any]) -> list[Any]:
        errors = self._ray.exceptions
        try:
            results: list[Any] = self._ray.get(list(futures))
            return results
        except errors.RayTaskError as error:
            cause = error.cause
            if isinstance(cause, errors.RayError):
                raise WorkerLost(f"a worker died ({type(cause).__name__})") from None
            raise cause from None
        except errors.RayError as error:
            raise WorkerLost(f"a worker died ({type(error).__name__})") from None

    def machine_of(self, worker: Any) -> str:
        """Return the name of the machine that runs a worker.

        Raises ClusterError if the cluster does not start the worker in time, and WorkerLost if a
        machine is lost meanwhile, so that the cluster has no room for all workers.
        """
        future, end = worker.machine.remote(), monotonic() + START_TIMEOUT
        while not self._ray.wait([future], timeout=1.0)[0]:
            if self._machines.keys() - self._find_machines().keys():
                raise WorkerLost("a machine was lost")
            if monotonic() < end:
                continue
            free = self._ray.available_resources().get("CPU", 0)
            raise ClusterError(
                f"the Ray cluster did not start a worker within {START_TIMEOUT:g} s: it needs "
                f"{self._cores:g} cores, and {free:g} are free. Request fewer workers or threads, "
                "or stop other jobs of the cluster"
            )
        return str(self.fetch([future])[0])

    def stop(self, workers: Sequence[Any]) -> None:
        for worker in workers:
            with suppress(Exception):  # it may be dead already
                self._ray.kill(worker)


class _Actor:
    """An object on a machine of the cluster; callers name its methods."""

    def __init__(self, cls: type[Any], args: Sequence[Any]) -> None:
        self._object = cls(*args)

    def call(self, method: str, *args: Any) -> Any:
        return getattr(self._object, method)(*args)

    def call_for_list(self, method: str, *args: Any) -> Any:
        """Return the list items as separate Ray objects."""
        items = getattr(self._object, method)(*args)
        return items[0] if len(items) == 1 else tuple(items)

    def machine(self) -> str:
        import ray

        return str(ray.get_runtime_context().get_node_id())


def _pickle_user_classes(layout: Layout) -> None:
    """Send classes of rules by value if a worker cannot import them, as those of rule files."""
    from ray import cloudpickle

    model = layout.plan.model
    parts = [*model.rules.values(), *(flock.motion for flock in model.flocks.values())]
    for name in {type(part).__module__ for part in parts}:
        module = sys.modules.get(name)
        if module is not None and name != "__main__" and not _is_importable(name):
            cloudpickle.register_pickle_by_value(module)  # type: ignore[no-untyped-call]


def _is_importable(name: str) -> bool:
    """Return whether a new process finds a module by its name."""
    return PathFinder.find_spec(name.partition(".")[0]) is not None
