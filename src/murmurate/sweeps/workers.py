"""Workers: processes of this machine that make runs; ray_workers.py has those of a cluster.

Both are given tasks a few at a time and hand back outcomes as they come, so that memory does not
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
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Protocol

from murmurate.engines.registry import import_path, register_from
from murmurate.errors import MurmurateError
from murmurate.sweeps.single_run import Task

log = logging.getLogger(__name__)
ATTEMPTS = 3  # of a run whose worker died; an error of the model's is the same every time
GRACE = 5.0  # seconds within which a worker ends by itself, or it is killed


@dataclass(frozen=True)
class Outcome:
    """What came of a task: a record, or an error in one line and in full."""

    task: Task
    record: dict[str, Any] | None = None
    error: str = ""
    details: str = ""


class Workers(Protocol):
    """Flies runs."""

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """One outcome a task, in any order."""
        ...


def for_another_process(task: Task, threads: int = 1) -> Task:
    """The task as a worker needs it. Raises ModelError where a worker would not find its engine."""
    options = replace(task.options, threads=threads)
    return replace(task, options=options, engine_path=import_path(options.engine))


def attempt(task: Task) -> Outcome:
    """Flies a task; its error is its outcome."""
    try:
        if task.engine_path:
            with suppress(ImportError, AttributeError):  # a rule file may yet register it
                register_from(task.options.engine, task.engine_path)
        return Outcome(task, task.fly())
    except MurmurateError as error:
        return Outcome(task, error=str(error))
    except Exception as error:
        return Outcome(task, error=f"{type(error).__name__}: {error}",
                       details=traceback.format_exc())  # fmt: skip


class Processes:
    """Processes of this machine, one a core unless given, and the cores' threads divided
    among them."""

    def __init__(self, processes: int | None = None) -> None:
        from murmurate.engines.options import cores

        self.processes = processes or cores()
        self.threads = max(1, cores() // self.processes)
        log.info("%d worker processes, threads of each: %d", self.processes, self.threads)

    def outcomes(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        _begin_tracker()
        waiting = iter(tasks)
        again: list[tuple[Task, int]] = []  # tasks whose worker died, and how often
        while True:
            # spawned, not forked: kernels may have been running in threads of this process
            context = multiprocessing.get_context("spawn")
            ours, theirs = context.Pipe()
            pool = ProcessPoolExecutor(
                self.processes, mp_context=context, initializer=_begin_worker, initargs=(theirs,)
            )
            try:
                lost = yield from self._drain(pool, waiting, again)
            except BaseException:
                _end(pool, ours)
                raise
            pool.shutdown(wait=not lost, cancel_futures=True)
            ours.close()
            if not lost:
                return
            again = []
            for task, tries in lost:
                log.warning("run %d: its process died, attempt %d", task.index, tries)
                if tries < ATTEMPTS:
                    again.append((task, tries))
                else:
                    yield Outcome(task, error=f"its process died {tries} times: out of memory?")

    def _drain(
        self, pool: ProcessPoolExecutor, waiting: Iterator[Task], again: list[tuple[Task, int]]
    ) -> Generator[Outcome, None, list[tuple[Task, int]]]:
        """Yields outcomes; returns the tasks (and their tries) that a dead worker took with it."""
        flying: dict[Future[Outcome], tuple[Task, int]] = {}
        fresh = ((task, 0) for task in waiting)
        # after a death one at a time, so that only the culprit is blamed
        room = 1 if again else 2 * self.processes
        queue = iter(again)
        try:
            while True:
                source = queue if again else fresh
                for task, tries in islice(source, room - len(flying)):
                    sent = for_another_process(task, self.threads)
                    flying[pool.submit(attempt, sent)] = (task, tries + 1)
                if not flying:
                    if again:  # the suspects are done: on with the others
                        again, room = [], 2 * self.processes
                        continue
                    return []
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    outcome = future.result()
                    flying.pop(future)
                    log.debug("run %d: %s", outcome.task.index, outcome.error or "done")
                    yield outcome
        except BrokenProcessPool:
            return [*flying.values(), *queue]


def _begin_tracker() -> None:
    """Begins the process of Python's that gives back semaphores when this one is killed, if it does
    not run yet. It would warn that it does."""
    if os.name != "posix":
        return
    from multiprocessing import resource_tracker

    sys.warnoptions.append("ignore:resource_tracker")
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove("ignore:resource_tracker")


def _begin_worker(theirs: Connection) -> None:
    """Prepares a worker. Ctrl-C and SIGTERM are for the process that gives out the work.

    theirs  one end of a pipe; when the other is closed, the worker ends. Its parent does that, and
            so does the system when the parent is killed
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    watcher = threading.Thread(target=_end_with, args=(theirs,), name="end of parent", daemon=True)
    watcher.start()


def _end_with(theirs: Connection) -> None:
    """Ends this process when the pipe is closed, whatever it is at: kernels and the compiler let go
    of Python's lock, and files are stored as a whole or not at all. Semaphores are given back."""
    multiprocessing.connection.wait([theirs])
    try:
        multiprocessing.util._run_finalizers(0)  # type: ignore[attr-defined]
    finally:
        os._exit(1)


def _end(pool: ProcessPoolExecutor, ours: Connection) -> None:
    """Ends the pool's processes now: what they were flying is flown again next time."""
    processes = list((getattr(pool, "_processes", None) or {}).values())
    ours.close()
    for process in processes:
        multiprocessing.connection.wait([process.sentinel], timeout=GRACE)
        process.kill()
    pool.shutdown(cancel_futures=True)
