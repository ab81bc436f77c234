"""The loop of phases, run by threads: templates/many_steps.py.j2 says how they share a step.

Kernels release Python's lock, so threads are Python's own: there is no threading layer that fails
where two simulations run at once, nothing is global, and processes may fork.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from ctypes import CDLL, c_void_p, cast
from functools import cache
from time import perf_counter

import numpy as np

from murmurate.codegen.phases import CONTROL, Rows
from murmurate.engines.cpu.argument_table import ArgumentTable
from murmurate.errors import KernelError

Clock = Callable[[], float]
"""Seconds from some moment on, as `time.perf_counter` gives them."""
SLICE = 0.02  # seconds after which the main thread looks after Python's signals, about
ALONE = 1e-4  # seconds of a run after which other threads are called, about
PACE = 1e-3  # seconds that a chunk takes, before that is known
UNLIMITED = 2**62
OVER, FAILED = 1, 2  # values of control[STATE]: see many_steps.py.j2


class PhaseLoop:
    """Runs lists of phases with several threads. Whoever is late joins the phase that is open, so
    the results never depend on which threads run.

    A run that an exception ended is unfinished: `finish` goes on with it.

    table      with the arrays that the phases work on
    threads    how many may take part: the one that calls, and others when a run takes longer
    make_room  (boids, thread): allocates room for a thread to stage so many boids
    clock      says how long slices of a run take, after which the main thread returns to Python
               for a moment. No result depends on it
    """

    def __init__(
        self,
        table: ArgumentTable,
        threads: int,
        make_room: Callable[[int, int], None],
        clock: Clock = perf_counter,
    ) -> None:
        self.table, self.threads, self.clock = table, threads, clock
        self._make_room = make_room
        (self._control,) = table.allocate(["control"], {})
        self._fly: Callable[[int], int] | None = None  # the kernel, during a run
        self._pace = PACE  # seconds that a chunk takes, rather too many
        self._errors: list[BaseException] = []
        self._process = os.getpid()
        self._pool: ThreadPoolExecutor | None = None
        self._helpers: dict[int, Future[None]] = {}
        self._control[CONTROL["STATE"]] = OVER
        table.set("max_threads", threads)
        table.set("chunk", -1)
        table.set("budget", UNLIMITED)
        table.set("yield_function", give_way())

    @property
    def unfinished(self) -> bool:
        """Whether a run was begun, and is not over."""
        return self._fly is not None

    def begin(self, fly: Callable[[int], int]) -> None:
        """Begin a run of the phases in the table. `finish` runs them.

        fly  the kernel of that name
        """
        self._fly = fly
        self._open(-1)

    @property
    def untouched(self) -> bool:
        """Whether nothing was done yet of a run that was begun."""
        return bool(self.table.number("opens_phase")) and self.table.number("phase_row") < 0

    def drop(self) -> None:
        """Give up a run that is untouched."""
        self._fly, self._control[CONTROL["STATE"]] = None, OVER
        self.table.set("opens_phase", 0, 0)

    def run(self, fly: Callable[[int], int], rows: Rows) -> None:
        """Run some phases, once."""
        self.table.put("phases", np.array(rows, np.int64).reshape(-1, 2))
        self.begin(fly)
        self.finish()

    def finish(self, asked: Callable[[], None] | None = None) -> None:
        """Go on with a run until it is over. Raises what a thread raises, when all have left.

        asked  does what a phase ASK wants of Python
        """
        while self._fly is not None:
            self._share()
            row = self.table.number("phase_row")
            if row < len(self.table.array("phases")) - 1:
                assert asked is not None
                asked()
                self._open(row)
            else:
                self._fly = None

    def each(self, work: Callable[[int], None], parts: int) -> None:
        """work(part) for each part, of Python's. Threads take them one after the other."""
        queue = iter(range(parts))

        def take() -> None:
            for part in queue:
                work(part)

        others = [self._submit(take) for _ in range(1, min(self.threads, parts))]
        try:
            take()
        finally:
            wait(others)
        for other in others:
            other.result()

    def _open(self, row: int) -> None:
        self.table.set("phase_row", row)
        self.table.set("opens_phase", 1, 0)
        self._control[CONTROL["STATE"]] = 0

    def _share(self) -> None:
        """Run phases until none is left, or Python is asked."""
        control, state = self._control, CONTROL["STATE"]
        control[CONTROL["STOP"]] = 0
        if self._process != os.getpid():  # this is a fork, without the other threads
            self._process, self._pool, self._helpers = os.getpid(), None, {}
            control[CONTROL["INSIDE"]] = 0
        seconds = ALONE
        try:
            while control[state] == 0 and not self._errors:
                self._take_slice(seconds if self.threads > 1 else SLICE)
                if control[state] == 0 and seconds == ALONE:
                    self._call_helpers()
                seconds = SLICE
            if self._errors:
                error, self._errors = self._errors[0], []
                raise error
        except BaseException:
            self._stop()
            raise
        if control[state] == FAILED:
            self._fly = None
            raise KernelError("a kernel ended with an error that no kernel should have")

    def _take_slice(self, seconds: float) -> None:
        """Take part for about so many seconds."""
        budget = max(1, int(seconds / self._pace))
        self.table.set("budget", budget, 0)
        begun = self.clock()
        self._take_part(0)
        used = budget - self.table.number("budget", 0)
        if used > 0:
            self._pace = max((self.clock() - begun) / used, 0.9 * self._pace, 1e-8)

    def _take_part(self, thread: int) -> None:
        """Take chunks until none is left for this thread."""
        fly = self._fly
        while fly and (need := fly(self.table.addresses[thread])) > 0:
            self._make_room(2 * need, thread)

    def _call_helpers(self) -> None:
        """Have the other threads take part, but those that still do."""
        for thread in range(1, self.threads):
            if thread not in self._helpers or self._helpers[thread].done():
                self._helpers[thread] = self._submit(self._help, thread)

    def _submit(self, work: Callable[..., None], *words: int) -> Future[None]:
        if self._pool is None or self._process != os.getpid():
            self._process = os.getpid()
            self._pool = ThreadPoolExecutor(self.threads - 1, "murmurate")
        return self._pool.submit(work, *words)

    def _help(self, thread: int) -> None:
        try:
            self._take_part(thread)
        except BaseException as error:
            self._errors.append(error)
            self._control[CONTROL["STOP"]] = 1

    def _stop(self) -> None:
        """Have all threads return when the chunk in hand is done, and wait for them."""
        self._control[CONTROL["STOP"]] = 1
        others = [helper for helper in self._helpers.values() if not helper.cancel()]
        while not all(other.done() for other in others):
            with suppress(KeyboardInterrupt):
                wait(others)


@cache
def give_way() -> int:
    """The address of a C function that lets other programs run."""
    if sys.platform == "win32":
        function = CDLL("kernel32").SwitchToThread
    else:
        function = CDLL(None).sched_yield
    return int(cast(function, c_void_p).value or 0)
