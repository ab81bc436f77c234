"""Flocks without boids, and of which all rest: every integrator, order and engine."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import murmurate as mm

TEXT = """
integrator = "{integrator}"
[space]
size = [{size}]
boundary = "periodic"
[flocks.boids]
count = {count}
motion = {{ kind = "add", max_speed = 0.5 }}
[flocks.others]
count = {others}
motion = {{ kind = "add", max_speed = 0.5 }}
[rules.cohesion]
moves = "boids"
radius = 3
weight = 0.01
[rules.flee]
moves = "others"
senses = "boids"
radius = 3
weight = 0.01
"""
INTEGRATORS = ("euler", "verlet", "rk4")
CASES = [
    pytest.param(
        integrator, counts, size, engine,
        marks=() if engine == "reference" or (integrator, size) == ("euler", "20, 20")
        else pytest.mark.slow if (integrator, size) == ("verlet", "9, 9, 9")
        else pytest.mark.long,
    )
    for engine, integrator, counts, size in itertools.product(
        ("reference", "cpu"), INTEGRATORS, ((0, 0), (0, 3), (3, 0)), ("20, 20", "9, 9, 9")
    )
]  # fmt: skip


@pytest.mark.parametrize(("integrator", "counts", "size", "engine"), CASES)
def test_flocks_without_boids(
    integrator: str, counts: tuple[int, int], size: str, engine: str
) -> None:
    text = TEXT.format(integrator=integrator, size=size, count=counts[0], others=counts[1])
    model = mm.parse(text)
    ends = []
    for name in {"reference", engine}:
        frame = mm.Simulation(model, seed=1, engine=name, dtype="float64").step(3).frame
        assert frame["boids"].positions.shape == (counts[0], len(size.split(",")))
        ends.append(np.concatenate([flock.positions for flock in frame.values()]))
    np.testing.assert_allclose(ends[0], ends[-1], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_flock_of_which_all_rest(integrator: str) -> None:
    """On the ground no boid flies, so there are no forces to evaluate."""
    text = f"""
    integrator = "{integrator}"
    [space]
    size = [20, 20]
    boundary = "open"
    [flocks.boids]
    count = 3
    start = {{ kind = "given", positions = [[1, -1], [2, -1], [3, -1]] }}
    motion = {{ kind = "add", max_speed = 0.5 }}
    perching = {{ ground = 0.0, shortest = 5, longest = 9 }}
    [rules.cohesion]
    radius = 3
    weight = 0.01
    """
    model = mm.parse(text)
    ends = [
        mm.Simulation(model, seed=1, engine=engine, dtype="float64")
        .step(4)
        .frame["boids"]
        .positions
        for engine in ("reference", "cpu")
    ]
    np.testing.assert_allclose(*ends, atol=1e-9)
