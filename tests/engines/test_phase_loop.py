"""The loop of phases that threads share: every chunk is done once, whoever comes late, dies, or is
interrupted. Chunks are counted, and nothing is timed."""

from __future__ import annotations

import os
import sys
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ctypes import CFUNCTYPE, c_int64, c_void_p, cast
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flights
import murmurate as mm
from all_threads import Together
from murmurate.bench.flocks import uniform
from murmurate.codegen.candidates.search import Memory
from murmurate.codegen.kernel_cache import FAILED, shared_module
from murmurate.codegen.phases import CONTROL, PHASES
from murmurate.engines.cpu.argument_table import ArgumentTable
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.options import cores
from murmurate.errors import KernelError
from processes import LIMIT, ran_well
from structures import STRUCTURES

STEPS = 3


@cache
def next_chunk() -> Callable[[int], int]:
    """The function of kernels that takes a chunk."""
    from numba import njit

    inner = shared_module("float64").imported().next_chunk  # type: ignore[attr-defined]
    taking: Callable[[int], int] = njit(lambda table: inner(table))
    table = ArgumentTable(np.dtype("float64"), 1)
    PhaseLoop(table, 1, lambda room, thread: None)
    assert taking(table.addresses[0]) == -1  # it is compiled, and there is nothing to do
    return taking


class Toy:
    """A loop whose phases are sweeps of cells, worked on by a function of Python.

    work    (thread, phase, chunk) -> None
    sizes   how many chunks each phase has
    make_loop, options  the loop, and its options, such as its clock
    """

    def __init__(
        self,
        threads: int,
        sizes: list[int],
        work: Callable[[int, int, int], None],
        make_loop: Callable[..., PhaseLoop] = PhaseLoop,
        **options: Any,
    ) -> None:
        self.table = ArgumentTable(np.dtype("float64"), threads)
        self.loop: Any = make_loop(self.table, threads, lambda room, thread: None, **options)
        self.sizes, self.work, self.failed = sizes, work, False
        self.lacks_room = False  # for the chunk in hand
        self.table.set("gridded", 1)
        self.table.put("chunks", np.zeros(1, np.int64))
        self._kernel = CFUNCTYPE(c_int64, c_int64)(self._called)
        address = self._address(self._kernel)
        self.table.put("cell_kernels", np.full(len(sizes), address, np.int64))
        self.run_steps = shared_module("float64").kernels["run_steps"]
        self.run_steps.compile()
        self.rows = [(PHASES["SWEEP_CELLS"], k) for k in range(len(sizes))]

    @staticmethod
    def _address(function: Any) -> int:
        return int(cast(function, c_void_p).value or 0)

    def run(self) -> None:
        self.table.put("chunks", np.zeros(self.sizes[0] + 1, np.int64))
        self.loop.run(self.run_steps, self.rows)

    def _called(self, address: int) -> int:
        thread = self.table.addresses.index(address)
        chunk = self.table.number("chunk", thread)
        while chunk >= 0:
            self.work(thread, self.table.number("phase_index"), chunk)
            if self.failed:
                return FAILED
            if self.lacks_room:
                return 1
            chunk = next_chunk()(address)
        return 0


def counted(
    threads: int, phases: int, chunks: int, **options: Any
) -> tuple[Toy, dict[tuple[int, int], list[int]]]:
    """A toy, and what notes who did which chunk of which phase."""
    done: dict[tuple[int, int], list[int]] = defaultdict(list)

    def work(thread: int, phase: int, chunk: int) -> None:
        done[phase, chunk].append(thread)

    return Toy(threads, [chunks] * phases, work, **options), done


def all_once(done: dict[tuple[int, int], list[int]], phases: int, chunks: int) -> bool:
    expected = {(phase, chunk) for phase in range(phases) for chunk in range(chunks)}
    return done.keys() == expected and all(len(threads) == 1 for threads in done.values())


@pytest.mark.slow
@given(
    threads=st.integers(1, 6),
    phases=st.integers(1, 12),
    chunks=st.integers(1, 20),
    together=st.booleans(),
)
def test_every_chunk_is_done_once(threads: int, phases: int, chunks: int, together: bool) -> None:
    make_loop = Together if together else PhaseLoop
    toy, done = counted(threads, phases, chunks, make_loop=make_loop)
    toy.run()
    assert all_once(done, phases, chunks)
    done.clear()
    toy.run()
    assert all_once(done, phases, chunks)


def test_phases_follow_each_other() -> None:
    """No chunk of a phase is begun before all of the phase before it are done."""
    order: list[int] = []

    def work(thread: int, phase: int, chunk: int) -> None:
        order.append(phase)

    Toy(4, [7] * 30, work, Together).run()
    assert order == sorted(order)


class Late(PhaseLoop):
    """A loop whose helpers wait for an event before they take part."""

    begins: threading.Event

    def take_part(self, thread: int) -> None:
        if thread > 0:
            assert self.begins.wait(LIMIT)
        super().take_part(thread)


def test_a_run_does_not_wait_for_a_thread_that_does_not_run() -> None:
    """Threads that are held back before they are in the loop miss all of it."""
    toy, done = counted(3, 10, 5, make_loop=Late, solo_seconds=0.0)
    toy.loop.begins = free = threading.Event()
    toy.run()
    assert all_once(done, 10, 5)
    assert {threads[0] for threads in done.values()} == {0}
    free.set()
    toy.run()  # and when they come, after the end of a run or in another, nothing is done twice
    assert all(len(threads) == 2 for threads in done.values())


def test_a_late_thread_joins_the_phase_that_is_open() -> None:
    middle, joined = threading.Event(), threading.Event()
    done: dict[tuple[int, int], list[int]] = defaultdict(list)

    def work(thread: int, phase: int, chunk: int) -> None:
        done[phase, chunk].append(thread)
        if thread == 1:
            joined.set()
        elif (phase, chunk) == (4, 2):
            middle.set()
            assert joined.wait(LIMIT)  # the rest of the phase waits for the one that is late

    toy = Toy(2, [6] * 8, work, Late, solo_seconds=0.0)
    toy.loop.begins = middle
    toy.run()
    assert all_once(done, 8, 6)
    first = min(key for key, threads in done.items() if threads == [1])
    assert first == (4, 5)  # the last of the six


@pytest.mark.parametrize("thread", [0, 1])
def test_a_thread_that_dies_ends_the_run_with_its_error(thread: int) -> None:
    """It has a chunk in hand then, which is done when the run goes on."""

    def dies(room: int, number: int) -> None:
        assert number == thread
        toy.lacks_room = False
        died.set()
        raise MemoryError("no room")

    toy, done = counted(3, 6, 9, make_loop=lambda table, threads, _: Together(table, threads, dies))
    note, died = toy.work, threading.Event()

    def work(number: int, phase: int, chunk: int) -> None:
        if phase < 2 or died.is_set():
            note(number, phase, chunk)
        elif number != thread:
            assert died.wait(LIMIT)
            note(number, phase, chunk)
        else:
            toy.lacks_room = True

    toy.work = work
    with pytest.raises(MemoryError, match="no room"):
        toy.run()
    assert toy.loop.unfinished and not all_once(done, 6, 9)
    toy.loop.finish()
    assert all_once(done, 6, 9)


def test_a_kernel_that_fails_ends_the_run() -> None:
    def work(thread: int, phase: int, chunk: int) -> None:
        toy.failed = (phase, chunk) == (2, 1)

    toy = Toy(1, [4] * 5, work)
    with pytest.raises(KernelError):
        toy.run()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_main_thread_handles_signals(threads: int) -> None:
    """It returns to Python after as many chunks as take 0.02 s: here each takes a second."""

    class Counting(Together):
        def take_part(self, thread: int) -> None:
            before = sum(who[0] == 0 for who in list(done.values()))
            super().take_part(thread)
            if thread == 0:
                slices[0] += 1
                assert sum(who[0] == 0 for who in list(done.values())) <= before + 1

    readings, slices = iter(range(10**9)), [0]
    toy, done = counted(
        threads, 20, 10, make_loop=Counting, clock=lambda: float(next(readings)), chunk_seconds=1.0
    )
    toy.run()
    assert all_once(done, 20, 10)
    assert slices[0] >= sum(who == [0] for who in list(done.values()))


def test_a_thread_stops_after_the_chunk_in_hand() -> None:
    """What an exception in the main thread does to the others."""
    done: list[int] = []
    begun, stopped = threading.Event(), threading.Event()

    class Interrupted(Together):
        def take_slice(self, seconds: float) -> None:
            self.table.set("budget", 0, 0)
            self.take_part(0)  # which opens the first phase and takes no chunk
            self.call_helpers()
            assert begun.wait(LIMIT)  # the other thread has a chunk in hand
            raise KeyboardInterrupt

        def stop(self) -> None:
            self.control[CONTROL["STOP"]] = 1
            stopped.set()
            super().stop()

    def work(thread: int, phase: int, chunk: int) -> None:
        if thread == 1:
            begun.set()
            assert stopped.wait(LIMIT)
        done.append(thread)

    toy = Toy(2, [50] * 100, work, Interrupted)
    with pytest.raises(KeyboardInterrupt):
        toy.run()
    assert done.count(1) == 1


INTERRUPT = """
import _thread, threading
import murmurate as mm
from murmurate.engines.cpu.phase_loop import PhaseLoop
running, begin = threading.Event(), PhaseLoop.begin
def begun(self, *run):
    begin(self, *run)
    running.set()
PhaseLoop.begin = begun
def interrupt():
    running.wait()
    _thread.interrupt_main()
threading.Thread(target=interrupt, daemon=True).start()
simulation = mm.Simulation("starlings", threads=THREADS)
try:
    simulation.step(10**12)
except KeyboardInterrupt:
    print("interrupted", simulation.frame.step == simulation.step_number)
"""


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_a_run(threads: int) -> None:
    program = INTERRUPT.replace("THREADS", str(threads))
    assert "interrupted True" in ran_well(sys.executable, "-c", program)


# --- engines


class Watched:
    """An engine whose kernels do one chunk a call, each of which is noted: number of the phase as
    it was opened -> [phase, how many chunks it has, chunks done]."""

    def __init__(self, engine: CpuEngine) -> None:
        self.engine, self.table = engine, engine._stepper.table
        self.done: dict[int, list[Any]] = {}
        self.threads: set[int] = set()
        self._kept: list[Any] = []
        engine.step(1)  # the table now has the addresses of kernels
        for name in ("cell_kernels", "stage_kernels", "step_kernels"):
            addresses = self.table.array(name)
            addresses[:] = [self._watched(int(address)) for address in addresses]
        if engine.layout.plan.integrates:
            address = self._watched(self.table.number("settle_kernel"))
            self.table.set("settle_kernel", address)

    def _watched(self, address: int) -> int:
        if address == 0:
            return 0
        kernel = CFUNCTYPE(c_int64, c_int64)(address)
        lock = threading.Lock()

        def called(table: int) -> int:
            thread = self.table.addresses.index(table)
            if self.table.number("chunk", thread) < 0:
                return int(kernel(table))  # what is serial before a phase
            control = self.engine._stepper.loop.control
            while (chunk := self.table.number("chunk", thread)) >= 0:
                opened = int(control[CONTROL["TICKET"]]) >> CONTROL["BITS"]
                row = (self.table.number("phase"), int(control[CONTROL["COUNT"]]))
                with lock:
                    self.done.setdefault(opened, [*row, []])[2].append(chunk)
                    self.threads.add(thread)
                budget = self.table.number("budget", thread)
                self.table.set("budget", 0, thread)
                need = int(kernel(table))
                self.table.set("budget", budget, thread)
                if need:
                    return need
                next_chunk()(table)
            return 0

        self._kept.append(CFUNCTYPE(c_int64, c_int64)(called))
        return Toy._address(self._kept[-1])


def in_cells(model: mm.Model, **options: Any) -> CpuEngine:
    with flights.in_cells():
        return flights.cpu(model, **options)


SLOW = [
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("landing", "nearest-open")),
    *(
        pytest.param(name, marks=pytest.mark.long)
        for name in ("two-flocks", "stages", "integrated-verlet")
    ),
]


@pytest.mark.parametrize("name", ["torus", *SLOW])
def test_every_chunk_of_a_step_is_done_once(name: str) -> None:
    """Of all phases, by the kernels that steps are made of."""
    model = STRUCTURES[name][0](count=900)
    first = in_cells(model)
    first.step(1 + STEPS)
    for threads in (1, 2, 5):
        watched = Watched(in_cells(model, threads=threads, make_loop=Together))
        watched.engine.step(STEPS)
        phases = {row[0] for row in watched.done.values()}
        assert phases >= {PHASES["COUNT_CELLS"], PHASES["GATHER"], PHASES["SWEEP_CELLS"]}
        for _, count, chunks in watched.done.values():
            assert sorted(chunks) == list(range(count))
        flights.assert_same_bits(first, watched.engine)


@pytest.mark.parametrize("threads", [2, 3])
def test_a_boid_that_is_lost_is_named_whoever_finds_it(threads: int) -> None:
    fast = {"rules.cohesion.weight": -1e6, "flocks.boids.motion.max_speed": 1e9}
    model = uniform(60, 5).set(fast | {"space.boundary": "open"})
    message = []
    for team in (1, threads):
        with pytest.raises(mm.RunError) as lost:
            flights.interpreted(model, threads=team, make_loop=Together).step(50)
        message.append(str(lost.value))
    assert message[0] == message[1]


def test_more_threads_than_cores() -> None:
    model = STRUCTURES["torus"][0](count=900)
    first = in_cells(model)
    several = in_cells(model, threads=4 * cores(), make_loop=Together)
    first.step(20)
    several.step(20)
    flights.assert_same_bits(first, several)


@pytest.mark.parametrize("thread", [0, 1])
def test_no_room_in_a_thread(thread: int) -> None:
    """The step ends with the error, and goes on when there is room."""
    memory = Memory(initial_room=32)
    model = STRUCTURES["torus"][0](count=900)
    full = threading.Event()

    def full_once(
        table: ArgumentTable, threads: int, make_room: Callable[[int, int], None]
    ) -> PhaseLoop:
        def no_room(room: int, number: int) -> None:
            if number == thread and not full.is_set():
                full.set()
                raise MemoryError
            if not full.is_set():
                assert full.wait(LIMIT)  # the other one has a chunk too, and no room for it
            make_room(room, number)

        return Together(table, threads, no_room)

    first = in_cells(model, memory=memory)
    other = in_cells(model, threads=2, memory=memory, make_loop=full_once)
    with pytest.raises(MemoryError):
        other.step(4)
    assert other.step_number <= 4
    other.step(4 - other.step_number)
    first.step(4)
    flights.assert_same_bits(first, other)


@pytest.mark.parametrize("name", ["torus", pytest.param("shuffled", marks=pytest.mark.slow)])
def test_an_interrupted_step_is_ended_by_the_next_call(name: str) -> None:
    """Ctrl-C leaves the engine in the midst of a step; whatever is asked of it then, ends that."""
    interrupts: list[type[BaseException]] = []

    class Interrupted(Together):
        def take_slice(self, seconds: float) -> None:
            super().take_slice(seconds)
            if interrupts:
                raise interrupts.pop()

    memory = Memory(min_slab_radii=1, min_thread_work=1.0)
    model = STRUCTURES[name][0](count=900)
    readings = iter(range(0, 10**12, 1000))
    first = in_cells(model, memory=memory)
    make_loop = partial(Interrupted, clock=lambda: float(next(readings)))
    other = in_cells(model, threads=2, memory=memory, make_loop=make_loop)
    other.step(2)  # measures chunks of many seconds, so that a slice is one chunk
    for ask in ("state", "step_number", "step", "copy"):
        before = other.step_number
        interrupts.append(KeyboardInterrupt)
        with pytest.raises(KeyboardInterrupt):
            other.step(5)
        assert ask != "step_number" or before <= other.step_number <= before + 5
        if ask == "step":
            other.step(0)
        elif ask == "copy":
            other.copy()
        else:
            other.state()
        first.step(other.step_number - first.step_number)
        flights.assert_same_bits(first, other)


def test_a_second_call_waits_for_the_first() -> None:
    model = STRUCTURES["torus"][0](count=900)
    first, other = in_cells(model), in_cells(model, threads=2, make_loop=Together)
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(other.step, 5) for _ in range(4)]
        states = [pool.submit(other.state) for _ in range(4)]
        for future in futures:
            future.result(LIMIT)
        assert all(state.result(LIMIT).step % 5 == 0 for state in states)
    first.step(20)
    assert other.step_number == 20
    flights.assert_same_bits(first, other)


def test_a_hundred_simulations_at_once() -> None:
    model = STRUCTURES["torus"][0](count=300)
    with flights.in_cells():
        options: dict[str, Any] = {"seed": 3, "dtype": "float64"}
        first = mm.Simulation(model, threads=1, **options).step(10).frame["boids"].positions
        several = [mm.Simulation(model, threads=2, **options) for _ in range(100)]
    with ThreadPoolExecutor(100) as pool:
        for simulation in pool.map(lambda simulation: simulation.step(10), several):
            assert np.array_equal(simulation.frame["boids"].positions, first)


FORK = """
import os, sys
import numpy as np
import murmurate as mm
from functools import partial
from murmurate.engines.cpu import cpu_engine
# other threads are called at once
cpu_engine.PhaseLoop = partial(cpu_engine.PhaseLoop, solo_seconds=0.0)
model = mm.load("starlings").set({"flocks.boids.count": 1000})
one = mm.Simulation(model, seed=1, threads=1).step(12)
other = mm.Simulation(model, seed=1, threads=3).step(6)
child = os.fork()
other.step(6)
same = np.array_equal(one.frame["boids"].positions, other.frame["boids"].positions)
if child == 0:
    os._exit(0 if same else 3)
assert same
assert os.waitpid(child, 0)[1] == 0
print("same")
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_fork_has_threads_of_its_own() -> None:
    assert "same" in ran_well(sys.executable, "-W", "ignore", "-c", FORK)
