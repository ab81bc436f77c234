"""The loop of phases, run by threads: templates/many_steps.py.j2 states how they share a step.

Kernels release Python's lock, so the threads are Python's own. This avoids threading layers that
fail where two simulations run at once. Nothing is global, and processes may fork.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from ctypes import CDLL, c_void_p, cast
from functools import cache
from time import perf_counter

import numpy as np

from murmurate.codegen.phases import CONTROL, Rows
from murmurate.engines.cpu.argument_table import ArgumentTable
from murmurate.errors import KernelError

Clock = Callable[[], float]
"""Returns seconds since an arbitrary time, such as `time.perf_counter`."""
SLICE_SECONDS = 0.02  # after which the main thread handles Python's signals
SOLO_SECONDS = 1e-4  # of a run before other threads are called
FIRST_CHUNK_SECONDS = 1e-3  # estimate for a chunk before the first one is measured
UNLIMITED = 2**62
RUN_OVER, RUN_FAILED = 1, 2  # values of control[STATE], see many_steps.py.j2


def thread_pool(threads: int) -> Executor:
    """Return an executor with some threads."""
    return ThreadPoolExecutor(threads, "murmurate")


class PhaseLoop:
    """Runs lists of phases with several threads.

    A late thread joins the phase that is open, so results never depend on which threads run. A run
    that an exception ended is unfinished: `finish` continues it. The main thread takes slices
    of it, between which it calls helpers and Python handles signals.

    table  table with the arrays that phases work on
    threads  threads that may take part: the caller, and others if a run takes longer
    make_room  make_room(boids, thread) allocates room in which a thread can stage `boids` boids
    clock  measures after how many chunks the main thread returns to Python. No result depends on
        it.
    make_executor  make_executor(threads) returns the executor of the other threads
    solo_seconds  duration of a run, in seconds, before other threads are called. The default is
        1e-4.
    chunk_seconds  estimate of a chunk's duration, in seconds, before one is measured. The default
        is 1e-3.
    """

    def __init__(
        self,
        table: ArgumentTable,
        threads: int,
        make_room: Callable[[int, int], None],
        clock: Clock = perf_counter,
        make_executor: Callable[[int], Executor] = thread_pool,
        solo_seconds: float = SOLO_SECONDS,
        chunk_seconds: float = FIRST_CHUNK_SECONDS,
    ) -> None:
        self.table, self.threads, self.clock = table, threads, clock
        self.make_room, self._make_executor = make_room, make_executor
        self._max_threads = threads  # of the present run
        self._solo_seconds = solo_seconds
        (self.control,) = table.allocate(["control"], {})
        self._kernel: Callable[[int], int] | None = None  # the kernel, during a run
        self._chunk_seconds = chunk_seconds  # an upper estimate
        self.errors: list[BaseException] = []
        self._process = os.getpid()
        self._pool: Executor | None = None
        self.helpers: dict[int, Future[None]] = {}
        self.control[CONTROL["STATE"]] = RUN_OVER
        table.set("max_threads", threads)
        table.set("chunk", -1)
        table.set("budget", UNLIMITED)
        table.set("yield_function", yield_address())

    @property
    def unfinished(self) -> bool:
        """Return whether a run began and is not over."""
        return self._kernel is not None

    @property
    def untouched(self) -> bool:
        """Return whether a run began and none of its phases was opened."""
        return bool(self.table.number("opens_phase")) and self.table.number("phase_row") < 0

    @property
    def threads_used(self) -> int:
        """Return the number of threads that have taken part in a run so far."""
        others = range(1, self.threads)
        return 1 + sum(self.table.number("budget", thread) < UNLIMITED for thread in others)

    def counter(self, name: str) -> int:
        """Return a counter of the kernels, such as SHARED_SLABS: see codegen/phases.py."""
        return int(self.control[CONTROL[name]])

    def begin(self, kernel: Callable[[int], int], threads: int | None = None) -> None:
        """Begin a run of the phases in the table, which `finish` carries out; by default on all
        threads.
        """
        self._kernel, self._max_threads = kernel, threads or self.threads
        self._open(-1)

    def drop(self) -> None:
        """Abandon a run that is untouched."""
        self._kernel, self.control[CONTROL["STATE"]] = None, RUN_OVER
        self.table.set("opens_phase", 0, 0)

    def run(self, kernel: Callable[[int], int], rows: Rows) -> None:
        """Run some phases once."""
        self.table.put("phases", np.array(rows, np.int64).reshape(-1, 2))
        self.begin(kernel)
        self.finish()

    def finish(self, on_ask: Callable[[], None] | None = None) -> None:
        """Continue a run until it is over.

        on_ask  does the work that a phase CALL_PYTHON leaves to Python
        """
        while self._kernel is not None:
            self.share()
            row = self.table.number("phase_row")
            if row < len(self.table.array("phases")) - 1:
                assert on_ask is not None
                on_ask()
                self._open(row)
            else:
                self._kernel = None

    def each(self, work: Callable[[int], None], parts: int) -> None:
        """Call work(part) for each part, a function of Python that threads share."""
        queue = iter(range(parts))

        def work_off() -> None:
            for part in queue:
                work(part)

        others = [self._submit(work_off) for _ in range(1, min(self.threads, parts))]
        try:
            work_off()
        finally:
            wait(others)
        for other in others:
            other.result()

    def _open(self, row: int) -> None:
        """Let the main thread open the phase after a row of the list."""
        self.table.set("phase_row", row)
        self.table.set("opens_phase", 1, 0)
        self.control[CONTROL["STATE"]] = 0

    def share(self) -> None:
        """Run phases until none is left or one asks Python."""
        control, state = self.control, CONTROL["STATE"]
        control[CONTROL["STOP"]] = 0
        if self._process != os.getpid():  # a fork has none of the other threads
            self._process, self._pool, self.helpers = os.getpid(), None, {}
            control[CONTROL["INSIDE"]] = 0
        solo = True
        try:
            while control[state] == 0 and not self.errors:
                alone = solo and self._max_threads > 1
                self.take_slice(self._solo_seconds if alone else SLICE_SECONDS)
                if control[state] == 0 and solo:
                    self.call_helpers()
                solo = False
            if self.errors:
                error, self.errors = self.errors[0], []
                raise error
        except BaseException:
            self.stop()
            raise
        if control[state] == RUN_FAILED:
            self._kernel = None
            raise KernelError("a kernel ended with an error that no kernel should have")

    def take_slice(self, seconds: float) -> None:
        """Take part for about `seconds`."""
        budget = max(1, int(seconds / self._chunk_seconds))
        self.table.set("budget", budget, 0)
        begin = self.clock()
        self.take_part(0)
        used = budget - self.table.number("budget", 0)
        if used > 0:
            measured = (self.clock() - begin) / used
            self._chunk_seconds = max(measured, 0.9 * self._chunk_seconds, 1e-8)

    def take_part(self, thread: int) -> None:
        """Take chunks until none is left for this thread."""
        kernel = self._kernel
        while kernel and (need := kernel(self.table.addresses[thread])) > 0:
            self.make_room(2 * need, thread)

    def call_helpers(self) -> None:
        """Submit the other threads, except those that still take part."""
        for thread in range(1, self._max_threads):
            if thread not in self.helpers or self.helpers[thread].done():
                self.helpers[thread] = self._submit(self._help, thread)

    def _submit(self, work: Callable[..., None], *args: int) -> Future[None]:
        """Submit work to the executor, which a new process creates again."""
        if self._pool is None or self._process != os.getpid():
            self._process = os.getpid()
            self._pool = self._make_executor(self.threads - 1)
        return self._pool.submit(work, *args)

    def _help(self, thread: int) -> None:
        """Take part as a thread other than the main one; keep an error for the main thread."""
        try:
            self.take_part(thread)
        except BaseException as error:
            self.errors.append(error)
            self.control[CONTROL["STOP"]] = 1

    def stop(self) -> None:
        """Let all threads return after their present chunk, and wait for them."""
        self.control[CONTROL["STOP"]] = 1
        others = [helper for helper in self.helpers.values() if not helper.cancel()]
        while not all(other.done() for other in others):
            with suppress(KeyboardInterrupt):
                wait(others)


@cache
def yield_address() -> int:
    """Return the address of a C function that yields the processor to other programs."""
    if sys.platform == "win32":
        function = CDLL("kernel32").SwitchToThread
    else:
        function = CDLL(None).sched_yield
    return int(cast(function, c_void_p).value or 0)
