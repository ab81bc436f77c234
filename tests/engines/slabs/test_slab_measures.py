"""Measures that workers compute for their parts equal those of the complete flock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.frame import FlockFrame
from murmurate.measures.by_parts import BY_PARTS, axis_of, measure_by_parts
from murmurate.measures.defaults import default_values
from murmurate.model.space import Space


def make_flock(space: Space, count: int, seed: int) -> FlockFrame:
    """Return a flock that crosses the faces of the space, with a boid at rest."""
    random = np.random.default_rng(seed)
    lower, size = np.array(space.lower), np.array(space.size)
    positions = lower + (0.9 * size + 0.3 * size * random.random((count, space.dims))) % size
    velocities = random.standard_normal((count, space.dims)) + 0.5
    velocities[: min(count, 1)] = 0.0
    return FlockFrame("boids", np.arange(count), positions, velocities, np.zeros(count, int), space)


def select(flock: FlockFrame, rows: Any) -> FlockFrame:
    return FlockFrame(
        flock.name, flock.ids[rows], flock.positions[rows], flock.velocities[rows],
        flock.perch_timers[rows], flock.space,
    )  # fmt: skip


def measure_parts(flock: FlockFrame, parts: Sequence[Any]) -> dict[str, float]:
    """Compute all measures of BY_PARTS of a flock from some parts."""
    frames = [select(flock, rows) for rows in parts]
    values = measure_by_parts(
        list(BY_PARTS), ["boids"], lambda function: [function([frame]) for frame in frames]
    )
    return values["boids"]


def assert_same_values(values: dict[str, float], flock: FlockFrame) -> None:
    assert set(values) == set(BY_PARTS) == {
        "polarization", "milling", "nearest_neighbour_distance", "speed", "extent", "density",
    }  # fmt: skip
    for name, value in values.items():
        expected = getattr(mm.measures, name)(flock)
        assert value == pytest.approx(expected, rel=1e-12, nan_ok=True), name


@pytest.mark.parametrize("boundary", ["periodic", "open"])
@pytest.mark.parametrize("dims", [2, 3])
def test_measures_of_parts(dims: int, boundary: Any) -> None:
    """Parts are random, with a part of one boid and an empty one; slabs; and slabs after some boids
    have left them, over the faces of the space too."""
    space = Space(size=(10.0, 8.0, 6.0)[:dims], origin=(-3.0, 0.0, 2.0)[:dims], boundary=boundary)
    flock = make_flock(space, 200, 1)
    random_parts = np.split(np.random.default_rng(2).permutation(200), [30, 31, 31])
    assert_same_values(measure_parts(flock, random_parts), flock)
    x = flock.positions[:, axis_of(space)]
    slabs = np.split(np.argsort(x), [40, 90, 160])
    assert_same_values(measure_parts(flock, slabs), flock)
    shifted = np.split(np.roll(np.argsort(x), 3), [40, 90, 160])
    assert_same_values(measure_parts(flock, shifted), flock)


def test_only_boids_near_a_boundary_are_sent() -> None:
    rows: list[int] = []

    def count_rows(function: Any, part: FlockFrame) -> Any:
        results = function([part])
        array = results.get(("boids", "nearest_neighbour_distance"))
        if array is not None and array.ndim == 2:  # a row of sums, then a row per boid
            rows.append(len(array) - 1)
        return results

    space = Space(size=(10.0, 10.0, 10.0), boundary="periodic")
    flock = make_flock(space, 60_000, 4)  # large enough for a search by cells
    order = np.argsort(flock.positions[:, 2])
    parts = [select(flock, half) for half in np.split(order, [30_000])]
    values = measure_by_parts(
        list(BY_PARTS), ["boids"], lambda function: [count_rows(function, part) for part in parts]
    )
    assert_same_values(values["boids"], flock)
    assert len(rows) == 2 and 0 < sum(rows) < 6_000


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_tiny_flocks(count: int) -> None:
    flock = make_flock(Space(size=(10.0, 8.0), boundary="open"), count, 1)
    values = measure_parts(flock, [slice(0, 1), slice(1, 2), slice(2, None)])
    assert_same_values(values, flock)
    coincident = replace(flock, positions=np.ones((count, 2)))
    assert_same_values(measure_parts(coincident, [slice(0, 1), slice(1, None)]), coincident)


def test_measures_of_a_large_flock_in_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only measures that workers cannot compute need a frame in this process."""
    model = mm.load("ucl").set({"flocks.boids.count": 12_000, "view.steps": 2})
    simulation = mm.Simulation(model, engine=mm.Slabs(workers=3, address="here")).step(2)
    frame, frames = simulation.frame, []

    def gather(_: Any) -> Any:
        frames.append(frame)
        return frame

    monkeypatch.setattr(mm.Simulation, "frame", property(gather))
    defaults = simulation.measure()
    assert list(defaults["boids"]) == list(default_values(frame)["boids"])
    for values in (defaults, simulation.measure(*BY_PARTS)):
        for name, value in values["boids"].items():
            expected = getattr(mm.measures, name)(frame["boids"])
            assert value == pytest.approx(expected, rel=1e-9), name
    assert not frames
    others = simulation.measure("radius_of_gyration", "extent")["boids"]
    assert others["radius_of_gyration"] == mm.measures.radius_of_gyration(frame["boids"])
    assert len(frames) == 1


def test_measures_on_any_engine() -> None:
    model = mm.load("ucl").set({"flocks.boids.count": 20})
    simulation = mm.Simulation(model, engine="reference")
    assert simulation.measure() == default_values(simulation.frame)
    assert list(simulation.measure("extent")["boids"]) == ["extent"]
    for name, message in (
        ("spead", "did you mean"),
        ("turn_speed", "got turn_speed; expected a measure of one frame"),
    ):
        with pytest.raises(mm.MeasureError, match=message):
            simulation.measure(name)
