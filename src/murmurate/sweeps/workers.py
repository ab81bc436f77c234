"""Workers that run tasks: threads or processes of this machine, or processes of a Ray cluster.

Workers receive a few tasks at a time and return results as they finish, so that memory does not
grow with the number of runs.
"""

from __future__ import annotations

import logging
import multiprocessing.connection
import multiprocessing.util
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Protocol

from murmurate.engines.options import cores, is_whole, max_threads
from murmurate.engines.registry import import_path, register_from
from murmurate.errors import DeviceError, MurmurateError, SweepError
from murmurate.sweeps.task import Task

log = logging.getLogger(__name__)
MAX_ATTEMPTS = 3  # for a run whose worker or device failed; errors of a model are reproducible
SHUTDOWN_SECONDS = 5.0  # until a worker is killed


@dataclass(frozen=True)
class TaskResult:
    """The result of a task: a record, or an error in one line (`error`) and in full (`details`)."""

    task: Task
    record: dict[str, Any] | None = None
    error: str = ""
    details: str = ""


class Workers(Protocol):
    """An executor of tasks."""

    def results(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        """Yield a result per task, in any order."""
        ...


def make_workers(workers: str | int | None, error: type[SweepError] = SweepError) -> Workers:
    """Return the workers of a `RunSpec`: by default threads, and for a number that many processes.

    Raises `error` for an invalid argument, and ClusterError if Ray is not available.
    """
    if workers == "ray":
        return RayWorkers()
    if workers in (None, "threads"):
        return Threads()
    if workers == "processes":
        return Processes()
    if isinstance(workers, str) or not is_whole(workers):
        raise error(
            f"workers: got {workers!r}; expected 'threads', 'processes', 'ray' or a number of "
            "processes"
        )
    if not 1 <= workers <= max_threads():
        raise error(f"processes: got {workers}; expected 1 to {max_threads()}")
    return Processes(workers)


def prepare_task(task: Task, threads: int = 1) -> Task:
    """Return a task for another process. Raises ModelError if its engine cannot be imported."""
    options = replace(task.options, threads=threads)
    return replace(task, options=options, engine_path=import_path(options.engine))


def run_task(task: Task) -> TaskResult:
    """Run a task, and return its record or its error. A run whose device fails is repeated."""
    failure = ""
    for _ in range(MAX_ATTEMPTS):
        try:
            return _run_once(task)
        except DeviceError as error:
            failure = str(error)
            log.warning("run %d: %s", task.index, failure)
    return TaskResult(task, error=failure)


def _run_once(task: Task) -> TaskResult:
    """Run a task, and return its record or its error. Raises DeviceError."""
    try:
        if task.engine_path:
            with suppress(ImportError, AttributeError):  # a rule file may register it later
                register_from(task.options.engine, task.engine_path)
        return TaskResult(task, task.run())
    except DeviceError:
        raise
    except MurmurateError as error:
        return TaskResult(task, error=str(error))
    except Exception as error:
        return TaskResult(task, error=f"{type(error).__name__}: {error}",
                          details=traceback.format_exc())  # fmt: skip


class Threads:
    """Threads of this process. Kernels release Python's lock, and nothing has to start."""

    def results(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        """Yield a result per task."""
        pool, waiting = ThreadPoolExecutor(cores()), iter(tasks)
        running: set[Future[TaskResult]] = set()
        try:
            while True:
                for task in islice(waiting, 2 * cores() - len(running)):
                    # rule files are already loaded
                    running.add(pool.submit(run_task, replace(task, rules=())))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for job in done:
                    yield job.result()
        finally:  # after Ctrl-C, do not wait for runs in progress
            pool.shutdown(wait=False, cancel_futures=True)


class Processes:
    """Processes of this machine, which share its cores.

    processes  number of processes. The default is one per core.
    run  function that each process calls with a task
    """

    def __init__(
        self, processes: int | None = None, run: Callable[[Task], TaskResult] = run_task
    ) -> None:
        self.processes = processes or cores()
        self.threads = max(1, cores() // self.processes)
        self._run = run
        log.info("%d worker processes, threads of each: %d", self.processes, self.threads)

    def results(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        """Yield a result per task. A task whose process died is repeated."""
        _start_tracker()
        waiting = iter(tasks)
        retries: list[tuple[Task, int]] = []  # tasks whose process died, with their attempts
        while True:
            # spawn, because threads of this process may be running kernels during a fork
            context = multiprocessing.get_context("spawn")
            parent_end, child_end = context.Pipe()
            pool = ProcessPoolExecutor(
                self.processes, mp_context=context, initializer=_start_worker, initargs=(child_end,)
            )
            try:
                lost = yield from self._drain(pool, waiting, retries)
            except BaseException:
                _end_pool(pool, parent_end)
                raise
            pool.shutdown(wait=not lost, cancel_futures=True)
            parent_end.close()
            if not lost:
                return
            retries = []
            for task, attempts in lost:
                log.warning("run %d: a process died, attempt %d", task.index, attempts)
                if attempts < MAX_ATTEMPTS:
                    retries.append((task, attempts))
                else:
                    error = f"its process died {attempts} times, perhaps for lack of memory"
                    yield TaskResult(task, error=error)

    def _drain(
        self, pool: ProcessPoolExecutor, waiting: Iterator[Task], retries: list[tuple[Task, int]]
    ) -> Generator[TaskResult, None, list[tuple[Task, int]]]:
        """Yield results.

        Returns the tasks, with attempt counts, that were running when a process died, and the
        task that could not be sent to it any more.
        """
        unsent: list[tuple[Task, int]] = []
        running: dict[Future[TaskResult], tuple[Task, int]] = {}
        new_tasks = ((task, 0) for task in waiting)
        # after a death run tasks singly, to identify the one that causes it
        max_running = 1 if retries else 2 * self.processes
        queue = iter(retries)
        try:
            while True:
                source = queue if retries else new_tasks
                for task, attempts in islice(source, max_running - len(running)):
                    unsent = [(task, attempts)]
                    prepared = prepare_task(task, self.threads)
                    running[pool.submit(self._run, prepared)] = (task, attempts + 1)
                    unsent = []
                if not running:
                    if retries:  # all were repeated: continue with the others
                        retries, max_running = [], 2 * self.processes
                        continue
                    return []
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    running.pop(future)
                    log.debug("run %d: %s", result.task.index, result.error or "done")
                    yield result
        except BrokenProcessPool:
            return [*running.values(), *unsent, *queue]


class RayWorkers:
    """Workers of the Ray cluster at RAY_ADDRESS, or of a local one; one run per core.

    If a node fails, Ray repeats its runs on another node. Each node needs the same version of
    murmurate.

    run  function that each worker calls with a task
    """

    def __init__(self, run: Callable[[Task], TaskResult] = run_task) -> None:
        from murmurate.engines.slabs.executors import connect_to_ray

        self._ray: Any = connect_to_ray()
        self._run = run

    def results(self, tasks: Iterable[Task]) -> Iterator[TaskResult]:
        """Yield a result per task."""
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=MAX_ATTEMPTS)(self._run)
        waiting = iter(tasks)
        running: dict[Any, Task] = {}
        while True:
            max_running = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
            for task in islice(waiting, max(0, max_running - len(running))):
                running[remote.remote(prepare_task(task))] = task
            if not running:
                return
            ready, _ = ray.wait(list(running), num_returns=1, timeout=60)
            for reference in ready:
                task = running.pop(reference)
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayError as error:
                    yield TaskResult(task, error=f"its worker was lost: {type(error).__name__}")


def _start_tracker() -> None:
    """Start Python's resource tracker, which releases semaphores if this process is killed.

    The tracker warns if it runs already; the warning is suppressed.
    """
    if os.name != "posix":
        return
    from multiprocessing import resource_tracker

    sys.warnoptions.append("ignore:resource_tracker")
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove("ignore:resource_tracker")


def _start_worker(child_end: Connection) -> None:
    """Prepare a worker process. It ignores Ctrl-C and SIGTERM, which its parent handles.

    `child_end` is one end of a pipe. When the other end is closed, the worker exits. The parent
    closes it, or the system does when the parent is killed.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    threading.Thread(
        target=_exit_with_parent, args=(child_end,), name="end of parent", daemon=True
    ).start()


def _exit_with_parent(child_end: Connection) -> None:
    """Exit this process when the pipe is closed, and release semaphores.

    That is safe at any time: kernels and the compiler release Python's lock, and files are written
    atomically.
    """
    multiprocessing.connection.wait([child_end])
    try:
        multiprocessing.util._run_finalizers(0)  # type: ignore[attr-defined]
    finally:
        os._exit(1)


def _end_pool(pool: ProcessPoolExecutor, parent_end: Connection) -> None:
    """End the processes of a pool now. Unfinished runs are repeated next time."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    parent_end.close()
    for process in processes:
        multiprocessing.connection.wait([process.sentinel], timeout=SHUTDOWN_SECONDS)
        process.kill()
    pool.shutdown(cancel_futures=True)
