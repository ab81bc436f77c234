"""Cylinders: distances, entries, exits and edges against samples of the surface, and movements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen import obstacle_movement, obstacle_path, obstacle_shapes
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.wasm.wasm_engine import WasmEngine
from murmurate.model.shapes import tank
from murmurate.runs.live_page import flight_head
from page_worker import STATE, engine, fly, places

SHAPE = mm.Cylinder(centre=(0.0, 0.0, 0.0), radius=1.3, height=1.6)
ROW = tuple(SHAPE.row(0.0))
SKIN = 0.01


def surface() -> np.ndarray:
    """Return points of the surface, at most 0.02 from each other."""
    angles = np.linspace(0.0, 2.0 * np.pi, 420, endpoint=False)
    side = [(1.3, z) for z in np.linspace(-0.8, 0.8, 81)]
    ends = [(r, z) for z in (-0.8, 0.8) for r in np.linspace(0.0, 1.3, 66)]
    r, z = np.array(side + ends).T[:, :, None]
    return np.stack([r * np.cos(angles), r * np.sin(angles), z + 0.0 * angles], -1).reshape(-1, 3)


def beyond(x: np.ndarray, way: float = 0.0) -> np.ndarray:
    """Return by how much positions are outside of a cylinder that is larger by `way`."""
    return np.maximum(np.hypot(x[..., 0], x[..., 1]) - 1.3, np.abs(x[..., 2]) - 0.8) - way


def test_the_functions_of_a_cylinder_agree_with_samples() -> None:
    samples, random = surface(), np.random.default_rng(0)
    times, met = np.linspace(0.0, 1.0, 4001), 0
    for x, d in random.normal(size=(80, 2, 3)) * (1.2, 1.2, 1.2):
        d, way = 3.0 * d, float(random.uniform(0.0, 1.0))
        distance, *n = obstacle_shapes.clearance(ROW, *x)
        assert abs(distance) == pytest.approx(np.linalg.norm(samples - x, axis=1).min(), abs=0.02)
        assert (distance < 0.0) == (beyond(x) < 0.0) and np.linalg.norm(n) == pytest.approx(1.0)
        assert beyond(x - distance * np.array(n)) == pytest.approx(0.0, abs=1e-9)
        assert distance > way or not obstacle_shapes.is_beyond(ROW, *x, way)
        h = d / np.linalg.norm(d)
        if distance < 0.0:
            end = x + obstacle_movement.exit_distance(ROW, x, h, SKIN) * h
            assert beyond(end, SKIN) == pytest.approx(0.0, abs=1e-9)
        elif distance > 2.0 * SKIN:
            inside = beyond(x + times[:, None] * d, SKIN) < 0.0
            t = obstacle_shapes.entry_time(ROW, tuple(x), tuple(d), SKIN, 0.0, False)
            assert min(t, 1.0) == pytest.approx(times[inside.argmax()] if inside.any() else 1.0,
                                                abs=1e-3)  # fmt: skip
            impact = obstacle_path.impact_distance(ROW, x, h)
            if impact > 0.0:
                met += 1
                m, gap = obstacle_path.nearest_edge(ROW, x, h, impact, False)
                assert beyond(x + impact * h) == pytest.approx(0.0, abs=1e-9)
                assert gap == pytest.approx((samples @ m).max() - x @ m, abs=0.02)
                assert m @ h == pytest.approx(0.0, abs=1e-9)
    assert met > 10


def model(**motion: Any) -> mm.Model:
    random = np.random.default_rng(3)
    start = mm.Given(
        positions=tuple(map(tuple, random.uniform(-4.0, 4.0, (20, 3)).tolist())),
        velocities=tuple(map(tuple, random.normal(size=(20, 3)).tolist())),
    )
    return mm.Model(
        space=mm.Space(size=(9.0,) * 3, origin=(-4.5,) * 3, boundary="reflecting"),
        dt=0.5,
        flocks={"boids": mm.Flock(count=20, start=start, motion=mm.Add(max_speed=2.0))},
        rules={
            "avoid": mm.AvoidObstacles(radius=2.0, look_ahead=1.0, weight=0.1),
            "gather": mm.Cohesion(radius=6.0, weight=0.3),
        },
        obstacles={
            "pillar": SHAPE.model_copy(
                update={"centre": (mm.Ramp(start=-1.0, stop=1.0, end=10.0), 0.0, 0.0)}
            ),
            "tank": mm.Tank(centre=(0.0, 0.0, 0.0), radius=4.0),
        },
    )


@pytest.mark.parametrize(
    "make", [flights.reference, pytest.param(flights.cpu, marks=pytest.mark.long)]
)
def test_no_boid_is_ever_in_a_cylinder(make: Any) -> None:
    flight = make(model())
    for step in range(1, 21):
        flight.step(1)
        positions, _, _ = flights.arrays(flight)["boids"]
        centre = np.interp(0.5 * step, (0.0, 10.0), (-1.0, 1.0))
        moved = positions - (centre, 0.0, 0.0)
        assert (beyond(moved) >= 0.0).all()
        assert (np.hypot(positions[:, 0], positions[:, 1]) <= 4.0).all()


def wasm(model: mm.Model) -> WasmEngine:
    options = RunOptions("wasm", dtype="float64", seed=1)
    return WasmEngine(model, initial_state(model, 1), options)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(flights.interpreted, marks=pytest.mark.slow),
        pytest.param(flights.cpu, marks=pytest.mark.long),
        pytest.param(wasm, marks=pytest.mark.long),
    ],
)
def test_engines_agree_on_a_cylinder(make: Any) -> None:
    for each in (plain := flights.reference(model()), other := make(model())):
        each.step(12)
    flights.assert_agree(other, plain, tolerance=1e-6)


@pytest.mark.long
def test_a_page_moves_a_cylinder_as_python_does() -> None:
    (*_, end) = fly(flight_head(model(), 1, 20), [{"type": "step", "steps": 12}, STATE])
    (reference := engine(model(), 1)).step(12)
    assert (end["state"]["places"] == places(reference)).all()


def test_a_cylinder_needs_three_axes() -> None:
    with pytest.raises(mm.ModelError, match=r"'cylinder' in a space of 2 axes.*a disc in 2-D"):
        mm.Model(
            space=mm.Space(size=(9.0, 9.0)),
            flocks={"boids": mm.Flock(count=1)},
            obstacles={"pillar": SHAPE.model_copy(update={"centre": (1.0, 1.0)})},
        )


def test_paths_to_the_side_of_a_tank() -> None:
    row = np.array([0.0, 0.0, 0.0, 0.0, 2.0])  # its radius
    for x, h, distance in (
        ((0.5, 0.0, 7.0), (1.0, 0.0, 0.0), 1.5),
        ((0.5, 0.0, 7.0), (-0.6, 0.0, 0.8), 2.5 / 0.6),
        ((0.0, 1.2, 7.0), (1.0, 0.0, 0.0), 1.6),
        ((0.0, 2.0, 7.0), (0.0, 1.0, 0.0), 0.0),
        ((0.5, 0.0, 7.0), (0.0, 0.0, 1.0), -1.0),  # along its axis
    ):
        assert tank.impact_distance(row, x, h) == pytest.approx(distance, abs=1e-12)
