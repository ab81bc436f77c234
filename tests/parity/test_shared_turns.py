"""Threads that share the turns of a step leave the bits that one thread leaves."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.phases import CONTROL
from murmurate.engines.cpu import thresholds as cpu_thresholds
from murmurate.engines.cpu.cpu_engine import CpuEngine
from together import all_take_part

STEPS = 5


@pytest.fixture(autouse=True)
def thin_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slabs of a few boids, most of them at edges; all threads take part."""
    monkeypatch.setattr("murmurate.codegen.candidates.cells.MIN_SLAB_RADII", 1)
    all_take_part(monkeypatch, stay=True)


def hunted(order: str, boundary: str, dims: int) -> mm.Model:
    """Two stages, chance, boids that perch where there is a ground, and hawks, which are in no
    cell."""
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
    """Boids that all move when the last has had its turn."""
    return hunted(order, boundary, dims).set({"positions": "at-end"})


def spinning(order: str, boundary: str, dims: int) -> mm.Model:
    """Boids that keep a spin."""
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


def cells_of_boids() -> Any:
    """Boids in cells, and hawks not: they are too few."""
    thresholds = cpu_thresholds.CpuThresholds(flock=20, model=0, covered=1.0, fetched=0)
    return patch.object(cpu_thresholds, "THRESHOLDS", thresholds)


def engine(model: mm.Model, threads: int, start: Any = None) -> CpuEngine:
    with cells_of_boids():
        made = flights.cpu(model, start, threads=threads)
    assert made.layout.gridded == ("boids",)
    return made


def was_shared(engine: CpuEngine) -> bool:
    """Whether the turns of a step, made now, are shared by all threads of the engine."""
    before = engine.diagnostics()
    engine.step(1)
    after = engine.diagnostics()
    return after.shared_slabs - before.shared_slabs == after.threads


def moving(model: mm.Model) -> flights.Start:
    """Boids that fly as fast as they may, above the ground, so that none gets farther than is
    reckoned with."""
    random = np.random.default_rng(3)
    start = {}
    for name, flock in model.flocks.items():
        ways = random.normal(size=(flock.count, model.space.dims))
        speed = getattr(flock.motion, "speed", None) or flock.motion.max_speed
        ways *= speed / np.linalg.norm(ways, axis=1)[:, None]
        start[name] = (1.0 + random.random(ways.shape) * (model.space.size[0] - 1.0), ways)
    return start


MODELS = [
    (hunted, "one-by-one", "periodic", 3),
    pytest.param(at_end, "shuffled", "open", 2, marks=pytest.mark.slow),
    pytest.param(hunted, "shuffled", "open", 2, marks=pytest.mark.long),
    pytest.param(hunted, "shuffled", "reflecting", 3, marks=pytest.mark.slow),
    pytest.param(spinning, "shuffled", "periodic", 2, marks=pytest.mark.long),
    pytest.param(at_end, "one-by-one", "periodic", 2, marks=pytest.mark.long),
    pytest.param(at_end, "shuffled", "periodic", 3, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("make", "order", "boundary", "dims"), MODELS)
def test_threads_leave_the_same_bits(make: Any, order: str, boundary: str, dims: int) -> None:
    model = make(order, boundary, dims)
    start = moving(model)
    one = engine(model, 1, start)
    one.step(STEPS)
    for threads in (2, 3, 4):
        other = engine(model, threads, start)
        for _ in range(STEPS):
            assert was_shared(other)
        flights.assert_same_bits(one, other)
    expected = flights.reference(model, start)
    expected.step(1)
    first = engine(model, 2, start)
    first.step(1)
    flights.assert_agree(first, expected)


def test_one_that_got_too_far_is_flown_with_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """From rest, nobody is reckoned with to move: all is as it was, and one thread takes all turns
    of the step and of those after it, before threads share again."""
    model = hunted("one-by-one", "periodic", 3)
    places, ways = moving(model)["boids"]
    start = {"boids": (places, 0.0 * ways), "hawks": moving(model)["hawks"]}
    monkeypatch.setattr("murmurate.codegen.candidates.cells.RETRY_AFTER_STEPS", 3)
    one = engine(model, 1, start)
    other = engine(model, 2, start)
    shared = []
    for _ in range(4):
        one.step(1)
        shared.append(was_shared(other))
        flights.assert_same_bits(one, other)
    assert shared == [False, False, False, True]
    assert other.diagnostics().steps_redone == 1 and one.diagnostics().steps_redone == 0


def test_one_thread_takes_the_turns_of_all_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the others are there when the step is cut into slabs, and never get one."""
    model = hunted("shuffled", "periodic", 3)
    start = moving(model)
    one = engine(model, 1, start)
    other = engine(model, 3, start)
    monkeypatch.undo()
    monkeypatch.setattr("murmurate.codegen.candidates.cells.MIN_SLAB_RADII", 1)
    loop = other._stepper.loop
    monkeypatch.setattr(loop, "_call_helpers", lambda: None)
    loop._control[CONTROL["INSIDE"]] = 2
    for _ in range(3):
        assert was_shared(other)
    one.step(3)
    flights.assert_same_bits(one, other)


def test_what_cannot_be_shared() -> None:
    """Totals change with every turn; a search for the nearest may go through the whole flock; boids
    that move together take no turns."""
    with cells_of_boids():
        turns = flights.cpu(hunted("one-by-one", "periodic", 3)).layout
        together = flights.cpu(hunted("synchronous", "periodic", 3)).layout
        model = hunted("one-by-one", "periodic", 3)
        changes = {"rules.cohesion.radius": float("inf"), "rules.cohesion.field_of_view": 180}
        totals = flights.cpu(model.set(changes)).layout
        nearest = flights.cpu(model.set({"rules.cohesion.nearest": 5})).layout
    assert turns.shares_updates and not together.shares_updates
    assert totals.gridded and not totals.shares_updates
    assert nearest.gridded and not nearest.shares_updates
