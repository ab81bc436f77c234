"""Turn, shift, mirror or relabel a flock, and the answer turns, shifts, mirrors or relabels."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from structures import nearest_open, nearest_torus, torus

STEPS = 4
TOLERANCE = 1e-9


def hunted(dims: int) -> mm.Model:
    """Two flocks in open space: metric and nearest rules, fields of view, two stages."""
    start = mm.InBox(velocity=mm.Directions(speed=0.5, up_to=1.5))
    return mm.Model(
        name=f"hunted-{dims}",
        dt=0.1,
        space=mm.Space(size=(10.0,) * dims),
        flocks={
            "boids": mm.Flock(count=25, start=start, motion=mm.Add(max_speed=1.5, max_force=3.0)),
            "hawks": mm.Flock(
                count=4, start=start, motion=mm.ConstantSpeed(speed=1.2, turn_rate=90.0)
            ),
        },
        rules={
            "spring": mm.Interaction(moves="boids", weight=0.1, distance=1.0, radius=3.0),
            "cohesion": mm.Cohesion(
                moves="boids", weight=0.4, radius=3.5, field_of_view=80.0, form="steering"
            ),
            "flee": mm.Flee(moves="boids", senses="hawks", radius=4.0, weight=0.3, law="inverse"),
            "hunt": mm.Hunt(moves="hawks", senses="boids", lead=0.3),
            "alignment": mm.Alignment(moves="boids", weight=0.5, radius=2.5, stage=2),
            "speed": mm.SpeedRegulation(moves="boids", weight=0.5, speed=1.0, stage=2),
        },
    )


def orthogonal(dims: int, mirrored: bool) -> np.ndarray:
    """A turn about no axis in particular; with the mirror if asked."""
    random = np.random.default_rng(dims)
    matrix, _ = np.linalg.qr(random.normal(size=(dims, dims)))
    if (np.linalg.det(matrix) < 0) != mirrored:
        matrix[:, 0] *= -1
    return matrix


def simulate(model: mm.Model, start: flights.Start, engine: str) -> dict[str, Any]:
    if engine == "reference":
        flight: Any = flights.reference(model, start)
    else:
        with flights.in_cells() if engine == "cells" else nullcontext():
            flight = flights.interpreted(model, start)
        assert bool(flight.layout.gridded) == (engine == "cells")
    flight.step(STEPS)
    return flights.arrays(flight)


def begun(model: mm.Model) -> flights.Start:
    return {
        name: (p, v)
        for name, (p, v, _) in flights.arrays(flights.interpreted(model, seed=4)).items()
    }


def assert_close(first: np.ndarray, other: np.ndarray) -> None:
    np.testing.assert_allclose(first, other, rtol=0, atol=TOLERANCE)


MODELS = {
    "hunted-2": hunted(2),
    "hunted-3": hunted(3),
    "nearest": nearest_open(count=25),
}
CASES = [
    ("hunted-2", "reference"),
    ("hunted-3", "reference"),
    ("hunted-3", "cells"),
    ("nearest", "whole"),
    ("nearest", "cells"),
]


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(("name", "engine"), CASES)
def test_turned_and_shifted(name: str, engine: str, mirrored: bool) -> None:
    model = MODELS[name]
    dims = model.space.dims
    start = begun(model)
    matrix, shift = orthogonal(dims, mirrored), np.array([3.0, -20.0, 7.5])[:dims]
    turned = {key: (p @ matrix.T + shift, v @ matrix.T) for key, (p, v) in start.items()}
    plain, other = simulate(model, start, engine), simulate(model, turned, engine)
    for key, (positions, velocities, _) in plain.items():
        assert np.abs(velocities - start[key][1]).max() > 0.01, "nothing happens here"
        assert_close(other[key][0], positions @ matrix.T + shift)
        assert_close(other[key][1], velocities @ matrix.T)


@pytest.mark.parametrize(("name", "engine"), CASES)
def test_relabelled(name: str, engine: str) -> None:
    """Together, no boid goes first: which is which does not matter."""
    model = MODELS[name]
    start = begun(model)
    random = np.random.default_rng(3)
    orders = {key: random.permutation(len(p)) for key, (p, _) in start.items()}
    mixed = {key: (p[orders[key]], v[orders[key]]) for key, (p, v) in start.items()}
    plain, other = simulate(model, start, engine), simulate(model, mixed, engine)
    for key, (positions, velocities, _) in plain.items():
        assert_close(other[key][0], positions[orders[key]])
        assert_close(other[key][1], velocities[orders[key]])


@pytest.mark.parametrize("engine", ["reference", "whole", "cells"])
@pytest.mark.parametrize("model", [torus(count=30), nearest_torus(count=25)], ids=["torus", "near"])
@pytest.mark.parametrize("part", [0.5, 0.123])
def test_moved_round_a_torus(model: mm.Model, engine: str, part: float) -> None:
    """A torus has no middle: a flock moved by half a box flies the same flight, moved."""
    side, lower = np.array(model.space.size), np.array(model.space.lower)
    start = begun(model)
    moved = {key: ((p + part * side - lower) % side + lower, v) for key, (p, v) in start.items()}
    plain, other = simulate(model, start, engine), simulate(model, moved, engine)
    for key, (positions, velocities, _) in plain.items():
        difference = other[key][0] - positions - part * side
        assert_close(difference - side * np.round(difference / side), np.zeros_like(difference))
        assert_close(other[key][1], velocities)
        assert ((other[key][0] >= lower) & (other[key][0] < lower + side)).all()


def test_one_by_one_labels_matter() -> None:
    """One by one, those of lower ids go first: relabelling gives another flight (or the order of
    update would be for nothing)."""
    model = mm.Model(**{**MODELS["hunted-2"].to_dict(), "order": "one-by-one"})
    start = begun(model)
    backwards = {key: (p[::-1], v[::-1]) for key, (p, v) in start.items()}
    plain, other = simulate(model, start, "reference"), simulate(model, backwards, "reference")
    assert np.abs(other["boids"][0][::-1] - plain["boids"][0]).max() > 1e-4
