"""Engine slabs with workers in this process, whose kernels Python interprets: the bits of engine
cpu, whatever joins, leaves, is lost or moves between slabs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from interpreted import InterpretedKernels
from murmurate.codegen.candidates.search import PAD
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.refusals import check_engine
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.executors import WorkerLost
from murmurate.engines.slabs.kernel_table import KernelTable
from murmurate.engines.slabs.slab_engine import SlabEngine
from murmurate.engines.slabs.slab_worker import SlabWorker
from populations import peopled

MODEL = pairwise.model_of(pairwise.ROWS["metric"])


class InterpretedTable(KernelTable):
    kernels_class = InterpretedKernels  # type: ignore[assignment]


class InterpretedWorker(SlabWorker):
    table_class = InterpretedTable


class InterpretedCoordinator(Coordinator):
    worker_class = InterpretedWorker


def engines(
    model: mm.Model,
    workers: int = 2,
    coordinator: type[Coordinator] = InterpretedCoordinator,
    seconds: float = 1e9,
) -> tuple[CpuEngine, SlabEngine]:
    """Return both engines at the same start.

    seconds  between checkpoints
    """

    class InterpretedSlabs(SlabEngine):
        coordinator_class = coordinator
        checkpoint_seconds = seconds

    common: dict[str, Any] = {"dtype": "float64", "threads": 1, "seed": 11}
    own = mm.Slabs(workers, "here")
    with flights.in_cells():
        state = initial_state(model, 11)
        options = RunOptions("cpu", **common)
        cpu = CpuEngine(model, state, options, make_kernels=InterpretedKernels)
        return cpu, InterpretedSlabs(
            model, state, RunOptions("slabs", engine_options=own, **common)
        )


with flights.in_cells():
    ROWS = {
        name: model
        for name, model in ((k, pairwise.model_of(row)) for k, row in pairwise.ROWS.items())
        if not SlabEngine.problems(model, RunOptions("slabs"))
    }


@pytest.mark.parametrize("name", ROWS)
def test_all_pairs_of_features(name: str) -> None:
    cpu, slabs = engines(ROWS[name], 2)
    for steps in (1, 2):
        cpu.step(steps)
        slabs.step(steps)
        flights.assert_same_bits(cpu, slabs)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_a_wide_space_in_which_boids_pass_from_slab_to_slab(workers: int) -> None:
    """More cells than a worker has room for at first."""
    rules = {"alignment": mm.Alignment(radius=1.0), "wind": mm.Wind(vector=(0.5, 0.1))}
    start = mm.InBox(velocity=mm.Directions(speed=3.0))
    model = mm.Model(
        space=mm.Space(size=(400, 6), boundary="periodic"),
        dt=0.5,
        flocks={"boids": mm.Flock(count=60, start=start)},
        rules=rules,
    )
    cpu, slabs = engines(model, workers)
    for steps in (1, 3, 6):
        cpu.step(steps)
        slabs.step(steps)
        flights.assert_same_bits(cpu, slabs)


def test_boids_join_and_leave() -> None:
    cpu, slabs = engines(peopled(MODEL))
    for steps in (1, 5):
        cpu.step(steps)
        slabs.step(steps)
        flights.assert_same_bits(cpu, slabs)
    assert slabs.sizes() == cpu.sizes() != {"boids": MODEL.flocks["boids"].count}
    assert slabs.population_counts() == cpu.population_counts()


@pytest.mark.parametrize("seconds", [0.0, 1e9])
@pytest.mark.parametrize("changes", [False, True])
def test_a_lost_worker(seconds: float, changes: bool, caplog: pytest.LogCaptureFixture) -> None:
    """The steps since the last checkpoint, of the start or of the last step, are made again."""
    lost = [3]

    class Losing(InterpretedCoordinator):
        def step(self, step: int) -> None:
            super().step(step)
            if step in lost:
                lost.remove(step)
                raise WorkerLost("worker 1 is lost")

    cpu, slabs = engines(peopled(MODEL) if changes else MODEL, coordinator=Losing, seconds=seconds)
    for steps in (2, 3):
        cpu.step(steps)
        slabs.step(steps)
    assert not lost
    saved = 3 if changes or not seconds else 0
    assert f"worker 1 is lost at step 3: continuing from the checkpoint at step {saved}" in (
        caplog.text
    )
    flights.assert_same_bits(cpu, slabs)


def test_workers_that_are_always_lost_end_the_run() -> None:
    class Losing(InterpretedCoordinator):
        def step(self, step: int) -> None:
            raise WorkerLost("worker 0 is lost")

        def restore(self, checkpoint: Any) -> None:
            raise WorkerLost("worker 0 is lost again")

    _, slabs = engines(MODEL, coordinator=Losing)
    with pytest.raises(mm.RunError, match=r"worker 0 is lost again, .* the simulation stops after"):
        slabs.step(1)


def test_a_lost_boid_has_the_error_of_engine_cpu() -> None:
    rules = {"alignment": mm.Alignment(radius=1.0), "wind": mm.Wind(vector=(1e7, 0.0))}
    flocks = {"boids": mm.Flock(count=40)}
    model = mm.Model(space=mm.Space(size=(9, 9)), dt=1.0, flocks=flocks, rules=rules)
    errors = []
    for engine in engines(model):
        with pytest.raises(mm.RunError, match="left the space") as error:
            engine.step(9)
        errors.append((error.value.step, error.value.boid))
        last = engine.step_number
    assert errors[0] == errors[1] and last == errors[0][0] - 1  # before the step


def test_columns_of_a_worker_have_room_before_and_after() -> None:
    counts = {name: flock.count for name, flock in MODEL.flocks.items()}
    with flights.in_cells():
        layout, text = layout_and_source(MODEL, counts, "float64")
    columns = InterpretedWorker(layout, text, RunOptions("slabs", "float64", threads=1)).columns
    columns.count = 5
    columns.array("ids")[columns.own] = range(5)
    for own, before, after in ((5, 10, 10), (5, 400, 0), (2000, 0, 0), (5, 100, 3000)):
        columns.make_room(own, before, after)
        assert columns.front >= before
        assert columns.front + own + after + PAD <= columns.columns
        assert columns.array("ids")[columns.own].tolist() == [*range(5)]
        assert columns.array("state").shape[1] == columns.columns


def test_what_slabs_refuse() -> None:
    for name, reason in (("voronoi", "voronoi"), ("in-turn", "one-by-one"), ("totals", "radius")):
        with pytest.raises(mm.ModelError, match=f"{reason}.* for engine 'slabs'. Use engine 'cpu'"):
            check_engine(pairwise.model_of(pairwise.ROWS[name]), RunOptions("slabs"))


@pytest.mark.parametrize("changes", [False, True])
def test_states_and_commands_of_each_flock_may_be_set(changes: bool) -> None:
    """Also if a worker is lost with the step after: commands of earlier steps are not lost."""
    losses = [1, 4, 5]

    class Losing(InterpretedCoordinator):
        def step(self, step: int) -> None:
            super().step(step)
            if step in losses:
                losses.remove(step)
                raise WorkerLost("worker 1 is lost")

    flocks = {name: mm.Flock(count=size) for name, size in (("a", 9), ("b", 12), ("c", 5))}
    rules: dict[str, mm.Rule] = {
        "alignment": mm.Alignment(radius=2.0, moves=tuple(flocks), senses="a"),
        **{f"lead-{name}": mm.Command(moves=name) for name in flocks},
    }
    model = mm.Model(space=mm.Space(size=(20, 20)), flocks=flocks, rules=rules)
    if changes:
        model = model.set({"population.out": {"kind": "deaths", "flocks": "b", "rate": 0.1}})
    cpu, slabs = engines(model, coordinator=Losing)
    random = np.random.default_rng(1)
    for name in (*flocks, *flocks):
        size = cpu.sizes()[name]
        positions, velocities = random.uniform(1, 19, (2, size, 2))
        commands = random.normal(size=(4, size))
        for engine in (cpu, slabs):
            engine.set_state(name, positions, None)
            engine.set_memory(name, 0, commands)
            engine.step(1)
            engine.set_state(name, None, velocities[: engine.sizes()[name]])
        flights.assert_same_bits(cpu, slabs)
    assert not losses
