"""One seed, one flight, bit for bit: however it is cut up, shared, or taken up again."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.build import plan
from murmurate.engine import cpu

SPACE = '[space]\nsize = [20, 20, 20]\nboundary = "{boundary}"\n'
FLOCK = """
[flocks.boids]
count = 300
start = { kind = "box", velocity = { kind = "directions", speed = 0.3 } }
motion = { max_speed = 0.5 }
"""
METRIC = """
[rules.cohesion]
radius = 3
weight = 0.02
field_of_view = 120
[rules.alignment]
radius = 3
weight = 0.05
[rules.separation]
radius = 1.5
weight = 0.02
[rules.jitter]
kind = "random-steering"
weight = 0.02
"""
NEAREST = """
[rules.cohesion]
nearest = 6
weight = 0.02
[rules.alignment]
nearest = 6
field_of_view = 130
weight = 0.05
[rules.kicks]
kind = "poisson-kicks"
rate = 0.2
size = 0.1
"""
TWO = """
[flocks.hawks]
count = 40
start = { kind = "box", velocity = { kind = "directions", speed = 0.3 } }
motion = { max_speed = 0.6 }
[rules.cohesion]
moves = "boids"
weight = 0.01
[rules.separation]
moves = "boids"
radius = 2
weight = 0.02
[rules.flee]
moves = "boids"
senses = "hawks"
radius = 4
weight = 0.1
[rules.hunt]
moves = "hawks"
senses = "boids"
radius = 5
weight = 0.1
"""
PERCH = "perching = { ground = 2, shortest = 2, longest = 5 }\n"
FALL = "[rules.fall]\nkind = 'wind'\nvector = [0, 0, -0.05]\n"

# name -> text, and whether it is flown in cells
MODELS = {
    "metric cells": (SPACE.format(boundary="periodic") + FLOCK + METRIC, True),
    "metric whole": (SPACE.format(boundary="reflecting") + FLOCK + METRIC, False),
    "nearest cells": (SPACE.format(boundary="open") + FLOCK + NEAREST, True),
    "nearest whole": (SPACE.format(boundary="periodic") + FLOCK + NEAREST, False),
    "two flocks": (SPACE.format(boundary="open") + FLOCK + TWO, True),
    "perching": (SPACE.format(boundary="held") + FLOCK + PERCH + METRIC + FALL, True),
    "one by one": (
        'order = "one-by-one"\n' + SPACE.format(boundary="open") + FLOCK + METRIC,
        False,
    ),
    "shuffled": (
        'order = "shuffled"\n' + SPACE.format(boundary="periodic") + FLOCK + METRIC,
        False,
    ),
}


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> mm.Model:
    """Each model, with small flocks sent through cells and shared by threads."""
    text, cells = MODELS[request.param]
    monkeypatch.setattr(plan, "WHOLE_MODEL", 0 if cells else 10**6)
    monkeypatch.setattr(plan, "WHOLE_FLOCK", 10)
    monkeypatch.setattr(cpu, "SHARED", 8)
    return mm.parse(text)


def state(simulation: mm.Simulation) -> list[np.ndarray]:
    arrays: list[np.ndarray] = []
    for flock in simulation.frame:
        arrays += [flock.positions, flock.velocities, flock.perch_timers]
    return arrays


def same(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_same_again_with_any_threads_and_steps(model: mm.Model, dtype: str) -> None:
    once = state(mm.Simulation(model, seed=3, dtype=dtype, threads=1).step(12))
    assert same(once, state(mm.Simulation(model, seed=3, dtype=dtype, threads=2).step(12)))
    assert same(once, state(mm.Simulation(model, seed=3, dtype=dtype, threads=5).step(12)))
    stepwise = mm.Simulation(model, seed=3, dtype=dtype, threads=2)
    for _ in range(12):
        stepwise.step(1)
    assert same(once, state(stepwise))
    assert not same(once, state(mm.Simulation(model, seed=4, dtype=dtype).step(12)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_taken_up_again_from_any_frame(model: mm.Model, dtype: str) -> None:
    whole = mm.Simulation(model, seed=5, dtype=dtype, threads=2)
    for _ in range(4):
        whole.step(5)
        resumed = cpu.CpuEngine(
            whole.model,
            {flock.name: (flock.positions, flock.velocities) for flock in whole.frame},
            5,
            dtype=dtype,
            threads=1,
            timers={flock.name: flock.perch_timers for flock in whole.frame},
            step=whole.frame.step,
        )
        resumed.step(7)
        ahead = mm.Simulation(model, seed=5, dtype=dtype).step(whole.frame.step + 7)
        found = [array for arrays in resumed.arrays().values() for array in arrays]
        assert same(state(ahead), found)


def test_noise_of_one_flock_does_not_hang_on_another() -> None:
    one = mm.parse(SPACE.format(boundary="open") + FLOCK + "[rules.random-steering]\nweight=0.1\n")
    two = mm.parse(
        SPACE.format(boundary="open")
        + "[flocks.others]\ncount = 7\n"
        + FLOCK
        + "[rules.random-steering]\nmoves = 'boids'\nweight=0.1\n"
    )
    assert np.array_equal(
        mm.Simulation(one, seed=2).step(5).frame["boids"].positions,
        mm.Simulation(two, seed=2).step(5).frame["boids"].positions,
    )
