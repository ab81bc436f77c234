"""Measures taken where boids are, in parts, are those of the whole flock."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.frame import FlockFrame
from murmurate.measures.by_sums import BY_SUMS, measured_by_sums
from murmurate.measures.defaults import default_values
from murmurate.model.space import Space
from murmurate.runs.figures import figures_of


def flock(space: Space, count: int, seed: int) -> FlockFrame:
    """A flock that lies across the edge of the space, with a boid that stands still."""
    random = np.random.default_rng(seed)
    lower, size = np.array(space.lower), np.array(space.size)
    positions = lower + (0.9 * size + 0.3 * size * random.random((count, space.dims))) % size
    velocities = random.standard_normal((count, space.dims)) + 0.5
    velocities[: min(count, 1)] = 0.0
    return FlockFrame("boids", np.arange(count), positions, velocities, np.zeros(count, int), space)


def part(whole: FlockFrame, rows: Any) -> FlockFrame:
    return FlockFrame(
        whole.name, whole.ids[rows], whole.positions[rows], whole.velocities[rows],
        whole.perch_timers[rows], whole.space,
    )  # fmt: skip


@pytest.mark.parametrize("boundary", ["periodic", "open"])
@pytest.mark.parametrize("dims", [2, 3])
def test_sums_of_parts_are_the_measures_of_the_whole(dims: int, boundary: Any) -> None:
    space = Space(size=(10.0, 8.0, 6.0)[:dims], origin=(-3.0, 0.0, 2.0)[:dims], boundary=boundary)
    whole = flock(space, 200, 1)
    parts = [
        part(whole, rows) for rows in np.split(np.random.default_rng(2).permutation(200), [30, 31])
    ]
    found = measured_by_sums(["boids"], lambda ask: [ask([one]) for one in parts])["boids"]
    assert set(found) == {"polarization", "milling", "speed"}
    for name, value in found.items():
        assert value == pytest.approx(getattr(mm.measures, name)(whole), rel=1e-12), name


def test_a_flock_of_no_boids_has_no_measures() -> None:
    found = measured_by_sums(["boids"], lambda ask: [ask([])])["boids"]
    assert all(math.isnan(found[name]) for name in BY_SUMS)


def test_figures_of_a_large_flock_in_slabs() -> None:
    """No frame is made of it; nearest neighbours are left out."""
    model = mm.load("ucl").set({"flocks.boids.count": 12_000, "view.steps": 2})
    flown = mm.Simulation(model, engine="slabs", workers=3, address="here").step(2)
    expected = default_values(flown.frame)["boids"]
    found = figures_of(flown)["boids"]
    assert math.isnan(found.pop("nearest_neighbour_distance"))
    for name, value in found.items():
        assert value == pytest.approx(expected[name], rel=1e-9), name
    small = mm.Simulation(
        model.set({"flocks.boids.count": 2000}), engine="slabs", workers=2, address="here"
    )
    assert figures_of(small) == default_values(small.frame)
