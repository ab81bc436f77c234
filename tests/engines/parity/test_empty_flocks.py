"""Flocks without boids, and of which all rest: every integrator, order and engine."""

from __future__ import annotations

import pytest

import flights
import murmurate as mm
from cases import cases

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


@pytest.mark.slow
@cases("integrator", INTEGRATORS)
@cases("counts", [(0, 0), (0, 3), (3, 0)])
@cases("size", ["20, 20", "9, 9, 9"])
def test_flocks_without_boids(integrator: str, counts: tuple[int, int], size: str) -> None:
    text = TEXT.format(integrator=integrator, size=size, count=counts[0], others=counts[1])
    assert_agree_after(mm.parse(text), 3)


def assert_agree_after(model: mm.Model, steps: int) -> None:
    engines = flights.reference(model), flights.interpreted(model)
    for engine in engines:
        engine.step(steps)
    flights.assert_agree(*engines)


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
    assert_agree_after(mm.parse(text), 4)
