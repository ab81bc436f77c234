"""Threads that share a sequential update produce the bits of one thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from all_threads import Staying
from murmurate.codegen.candidates.search import Memory
from murmurate.codegen.layout import Layout, lay_out
from murmurate.codegen.phases import CONTROL
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.cpu.thresholds import CpuThresholds
from structures_states import ReadClock, ReadReader, ReadTicker

STEPS = 5
THIN_SLABS = Memory(min_slab_radii=1, min_thread_work=1.0)
"""Slabs of a few boids, most of them at edges."""


def hunted(order: str, boundary: str, dims: int) -> mm.Model:
    """Return a model with two stages, noise, perching boids, and hawks outside of the grid."""
    side = 12.0 if dims == 3 else 30.0
    ground = None if boundary == "periodic" else mm.Perching(ground=1.0, shortest=1, longest=4)
    return mm.Model(
        name="hunted",
        dt=0.5,
        order=order,
        space=mm.Space(size=(side,) * dims, boundary=(boundary,) * dims),
        flocks={
            "boids": mm.Flock(count=900, motion=mm.Add(max_speed=0.6), perching=ground),
            "hawks": mm.Flock(count=7, motion=mm.Add(max_speed=1.5)),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=0.3, radius=1.8, field_of_view=120),
            "separation": mm.Separation(moves="boids", weight=0.2, radius=1.0),
            "noise": mm.RandomSteering(moves=("boids", "hawks"), weight=0.2),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=0.5, radius=4.0),
            "alignment": mm.Alignment(
                moves="boids", senses=("boids", "hawks"), weight=0.4, radius=1.5, stage=2
            ),
        },
    )


def at_end(order: str, boundary: str, dims: int) -> mm.Model:
    """Return a model whose boids all move at the end of a step."""
    return hunted(order, boundary, dims).set({"positions": "at-end"})


def spinning(order: str, boundary: str, dims: int) -> mm.Model:
    """Return a model with per-boid state: a spin."""
    motion = mm.InertialSpin(speed=0.5, inertia=0.7, friction=0.4, temperature=0.1)
    return mm.Model(
        name="spinning",
        dt=0.5,
        order=order,
        space=mm.Space(size=(25.0,) * dims, boundary=(boundary,) * dims),
        flocks={"boids": mm.Flock(count=900, motion=motion)},
        rules={
            "alignment": mm.HeadingAlignment(radius=2.0, weight=0.5),
            "apart": mm.Separation(radius=1.0, law="unit", weight=0.3),
        },
    )


def clocks(order: str, boundary: str, dims: int) -> mm.Model:
    """Return a model whose boids read the phases of others, in different rows of their memory."""
    both = ("boids", "hawks")
    return mm.Model(
        name="clocks",
        dt=0.5,
        order=order,
        space=mm.Space(size=(30.0,) * dims, boundary=(boundary,) * dims),
        flocks={
            "boids": mm.Flock(count=900, motion=mm.Add(max_speed=0.6)),
            "hawks": mm.Flock(count=7, motion=mm.Add(max_speed=0.6)),
        },
        rules={
            "ticker": ReadTicker(moves="boids"),
            "clock": ReadClock(moves=both, senses=both, radius=1.8, weight=0.1),
            "reader": ReadReader(moves="boids", radius=1.5, weight=0.1, stage=2),
        },
    )


BOIDS_IN_CELLS = CpuThresholds(flock=20, model=0, covered=1.0, fetched=0)
"""Boids are in cells, and the few hawks are not."""


def engine(
    model: mm.Model,
    threads: int,
    start: Any = None,
    memory: Memory = THIN_SLABS,
    make_loop: type[PhaseLoop] = Staying,
    make: Callable[..., CpuEngine] = flights.interpreted,
) -> CpuEngine:
    result = make(
        model, start, threads=threads, memory=memory, make_loop=make_loop,
        thresholds=BOIDS_IN_CELLS,
    )  # fmt: skip
    assert result.layout.gridded == ("boids",)
    return result


def was_shared(engine: CpuEngine) -> bool:
    """Advance by a step, and return whether all threads updated a slab."""
    before = engine.diagnostics()
    engine.step(1)
    after = engine.diagnostics()
    return after.shared_slabs - before.shared_slabs == after.threads


def moving(model: mm.Model) -> flights.Start:
    """Return boids at their maximum speed above the ground, so that none leaves the skin."""
    random = np.random.default_rng(3)
    start = {}
    for name, flock in model.flocks.items():
        ways = random.normal(size=(flock.count, model.space.dims))
        speed = getattr(flock.motion, "speed", None) or flock.motion.max_speed
        ways *= speed / np.linalg.norm(ways, axis=1)[:, None]
        start[name] = (1.0 + random.random(ways.shape) * (model.space.size[0] - 1.0), ways)
    return start


MODELS = [
    pytest.param(hunted, "one-by-one", "periodic", 2, marks=pytest.mark.long),
    pytest.param(hunted, "one-by-one", "periodic", 3, marks=pytest.mark.long),
    pytest.param(clocks, "shuffled", "periodic", 2, marks=pytest.mark.long),
    pytest.param(at_end, "shuffled", "open", 2, marks=pytest.mark.long),
    pytest.param(hunted, "shuffled", "open", 2, marks=pytest.mark.long),
    pytest.param(hunted, "shuffled", "reflecting", 3, marks=pytest.mark.long),
    pytest.param(spinning, "shuffled", "periodic", 2, marks=pytest.mark.long),
    pytest.param(at_end, "one-by-one", "periodic", 2, marks=pytest.mark.long),
    pytest.param(at_end, "shuffled", "periodic", 3, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("make", "order", "boundary", "dims"), MODELS)
def test_threads_produce_equal_bits(make: Any, order: str, boundary: str, dims: int) -> None:
    model = make(order, boundary, dims)
    start = moving(model)
    item = engine(model, 1, start, make=flights.cpu)
    item.step(STEPS)
    for threads in (2, 3, 4):
        other = engine(model, threads, start, make=flights.cpu)
        for _ in range(STEPS):
            assert was_shared(other)
        flights.assert_same_bits(item, other)
    expected = flights.reference(model, start)
    expected.step(1)
    first = engine(model, 2, start, make=flights.cpu)
    first.step(1)
    flights.assert_agree(first, expected)


def few_hunted() -> mm.Model:
    return hunted("one-by-one", "periodic", 2).set(
        {"flocks.boids.count": 250, "space.size": [16.0, 16.0]}
    )


@pytest.mark.slow
def test_a_step_beyond_the_skin_is_redone() -> None:
    """From rest the skin is 0: one thread repeats the step, and threads share again later."""
    model = few_hunted()
    positions, ways = moving(model)["boids"]
    start = {"boids": (positions, 0.0 * ways), "hawks": moving(model)["hawks"]}
    memory = replace(THIN_SLABS, retry_after_steps=3)
    first = engine(model, 1, start, memory)
    other = engine(model, 2, start, memory)
    shared = []
    for _ in range(4):
        first.step(1)
        shared.append(was_shared(other))
        flights.assert_same_bits(first, other)
    assert shared == [False, False, False, True]
    assert other.diagnostics().steps_redone == 1 and first.diagnostics().steps_redone == 0


class Alone(PhaseLoop):
    """A loop whose other threads never come, although it counts two of them."""

    def call_helpers(self) -> None:
        self.control[CONTROL["INSIDE"]] = 2


@pytest.mark.slow
def test_one_thread_updates_all_slabs() -> None:
    """The other threads join before the step is divided, and never take a slab."""
    model = few_hunted()
    start = moving(model)
    first = engine(model, 1, start)
    other = engine(model, 3, start, make_loop=Alone)
    other._stepper.loop.call_helpers()
    for _ in range(3):
        assert was_shared(other)
    first.step(3)
    flights.assert_same_bits(first, other)


def test_models_that_threads_cannot_share() -> None:
    """Totals change with every update, and a search for the nearest may test all boids of a flock.

    A synchronous update has no order.
    """

    def layout(model: mm.Model) -> Layout:
        return lay_out(make_plan(model), BOIDS_IN_CELLS)

    order = layout(hunted("one-by-one", "periodic", 2))
    together = layout(hunted("synchronous", "periodic", 2))
    model = hunted("one-by-one", "periodic", 2)
    changes = {"rules.cohesion.radius": float("inf"), "rules.cohesion.field_of_view": 180}
    totals = layout(model.set(changes))
    nearest = layout(model.set({"rules.cohesion.nearest": 5}))
    assert order.shares_updates and not together.shares_updates
    assert totals.gridded and not totals.shares_updates
    assert nearest.gridded and not nearest.shares_updates
