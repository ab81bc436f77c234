"""Measures taken where boids are, in parts, are those of the whole flock."""

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


def in_parts(whole: FlockFrame, pieces: Sequence[Any]) -> dict[str, float]:
    """All measures by parts of a flock in such pieces."""
    parts = [part(whole, rows) for rows in pieces]
    return measure_by_parts(list(BY_PARTS), ["boids"], lambda ask: [ask([one]) for one in parts])[
        "boids"
    ]


def assert_as_whole(found: dict[str, float], whole: FlockFrame) -> None:
    assert set(found) == set(BY_PARTS) == {
        "polarization", "milling", "nearest_neighbour_distance", "speed", "extent", "density",
    }  # fmt: skip
    for name, value in found.items():
        expected = getattr(mm.measures, name)(whole)
        assert value == pytest.approx(expected, rel=1e-12, nan_ok=True), name


@pytest.mark.parametrize("boundary", ["periodic", "open"])
@pytest.mark.parametrize("dims", [2, 3])
def test_measures_of_parts_are_those_of_the_whole(dims: int, boundary: Any) -> None:
    """Of parts anywhere, one of a single boid and one of none; of slabs; of slabs whose boids have
    flown on, over the edge of the space too."""
    space = Space(size=(10.0, 8.0, 6.0)[:dims], origin=(-3.0, 0.0, 2.0)[:dims], boundary=boundary)
    whole = flock(space, 200, 1)
    anywhere = np.split(np.random.default_rng(2).permutation(200), [30, 31, 31])
    assert_as_whole(in_parts(whole, anywhere), whole)
    x = whole.positions[:, axis_of(space)]
    slabs = np.split(np.argsort(x), [40, 90, 160])
    assert_as_whole(in_parts(whole, slabs), whole)
    flown = np.split(np.roll(np.argsort(x), 3), [40, 90, 160])
    assert_as_whole(in_parts(whole, flown), whole)


def test_few_boids_are_sent_to_other_parts() -> None:
    """Those next to a cut, of a flock in slabs."""
    rows: list[int] = []

    def record(function: Any, one_flock: FlockFrame) -> Any:
        results = function([one_flock])
        array = results.get(("boids", "nearest_neighbour_distance"))
        if array is not None and array.ndim == 2:  # a row of sums, then one for each boid sent
            rows.append(len(array) - 1)
        return results

    space = Space(size=(10.0, 10.0, 10.0), boundary="periodic")
    whole = flock(space, 60_000, 4)  # enough that cells are searched
    order = np.argsort(whole.positions[:, 2])
    parts = [part(whole, half) for half in np.split(order, [30_000])]
    values = measure_by_parts(
        list(BY_PARTS), ["boids"], lambda function: [record(function, each) for each in parts]
    )
    assert_as_whole(values["boids"], whole)
    assert len(rows) == 2 and 0 < sum(rows) < 6_000


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_flocks_of_hardly_any_boids(count: int) -> None:
    whole = flock(Space(size=(10.0, 8.0), boundary="open"), count, 1)
    found = in_parts(whole, [slice(0, 1), slice(1, 2), slice(2, None)])
    assert_as_whole(found, whole)
    same = replace(whole, positions=np.ones((count, 2)))
    assert_as_whole(in_parts(same, [slice(0, 1), slice(1, None)]), same)


def test_measures_of_a_large_flock_in_slabs(monkeypatch: pytest.MonkeyPatch) -> None:
    """No frame is made of it, but for what is not taken by parts."""
    model = mm.load("ucl").set({"flocks.boids.count": 12_000, "view.steps": 2})
    flown = mm.Simulation(model, engine=mm.Slabs(workers=3, address="here")).step(2)
    frame, frames = flown.frame, []

    def gathered(_: Any) -> Any:
        frames.append(frame)
        return frame

    monkeypatch.setattr(mm.Simulation, "frame", property(gathered))
    shown = flown.measure()
    assert list(shown["boids"]) == list(default_values(frame)["boids"])
    for found in (shown, flown.measure(*BY_PARTS)):
        for name, value in found["boids"].items():
            expected = getattr(mm.measures, name)(frame["boids"])
            assert value == pytest.approx(expected, rel=1e-9), name
    assert not frames
    other = flown.measure("radius_of_gyration", "extent")["boids"]
    assert other["radius_of_gyration"] == mm.measures.radius_of_gyration(frame["boids"])
    assert len(frames) == 1


def test_measures_of_any_flight() -> None:
    flown = mm.Simulation(mm.load("ucl").set({"flocks.boids.count": 20}), engine="reference")
    assert flown.measure() == default_values(flown.frame)
    assert list(flown.measure("extent")["boids"]) == ["extent"]
    for name, what in (
        ("spead", "did you mean"),
        ("turn_speed", "turn_speed is no measure of one"),
    ):
        with pytest.raises(mm.measures.MeasureError, match=what):
            flown.measure(name)
