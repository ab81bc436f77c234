"""Sequential updates in cells agree with the reference engine, however far boids move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise


def metric(order: str, boundary: str, dims: int, speed: float, count: int = 90) -> mm.Model:
    """Neighbours within a radius, a view, two stages, two flocks, one that reaches everyone."""
    return mm.Model(
        name="metric",
        dt=0.5,
        order=order,
        space=mm.Space(size=(12.0,) * dims, boundary=(boundary,) * dims),
        flocks={
            "boids": mm.Flock(count=count, motion=mm.Add(max_speed=speed)),
            "hawks": mm.Flock(count=9, motion=mm.Add(max_speed=3 * speed)),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=0.3, radius=3.0, field_of_view=120),
            "separation": mm.Separation(moves="boids", weight=0.2, radius=1.5),
            "together": mm.Alignment(moves="hawks", senses="boids", weight=0.2),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=0.5, radius=4.0),
            "alignment": mm.Alignment(
                moves="boids", senses=("boids", "hawks"), weight=0.4, radius=2.0, stage=2
            ),
        },
    )


def topological(order: str, boundary: str, dims: int, speed: float, count: int = 150) -> mm.Model:
    """The k nearest, those of two flocks for some."""
    return mm.Model(
        name="topological",
        dt=0.5,
        order=order,
        space=mm.Space(size=(12.0,) * dims, boundary=(boundary,) * dims),
        flocks={
            "boids": mm.Flock(count=count, motion=mm.Add(max_speed=speed)),
            "hawks": mm.Flock(count=12, motion=mm.Add(max_speed=3 * speed)),
        },
        rules={
            "cohesion": mm.Cohesion(moves="boids", weight=0.3, nearest=5, field_of_view=140),
            "alignment": mm.Alignment(
                moves="boids", senses=("boids", "hawks"), weight=0.4, nearest=4
            ),
            "hunt": mm.Hunt(moves="hawks", senses="boids", weight=0.5, nearest=3, radius=6.0),
        },
    )


def assert_cells_agree(model: mm.Model, steps: int = 4, start: Any = None) -> Any:
    expected = flights.reference(model, start)
    cells = flights.interpreted(model, start, thresholds=pairwise.CELLS)
    assert cells.layout.gridded == tuple(model.flocks)
    for _ in range(steps):
        expected.step(1)
        cells.step(1)
        flights.assert_agree(cells, expected)
    return cells


SENSING = [
    (metric, 2),
    pytest.param(metric, 3, marks=pytest.mark.slow),
    pytest.param(topological, 2, marks=pytest.mark.slow),
]
"""test_parallel_sequential_update.py too compares 3-D models with the reference engine."""


@pytest.mark.slow
@pytest.mark.parametrize("speed", [0.1, 1.0, 6.0])
@pytest.mark.parametrize("make, dims", SENSING)
@pytest.mark.parametrize(
    "order, boundary",
    [("one-by-one", "periodic"), pytest.param("shuffled", "open", marks=pytest.mark.slow)],
)
def test_slow_and_fast(make: Any, dims: int, order: str, boundary: str, speed: float) -> None:
    """Boids that move farther in a step than they sense have cells as large as the space."""
    assert_cells_agree(make(order, boundary, dims, speed))


@pytest.mark.slow
@pytest.mark.parametrize("make, dims", SENSING)
def test_from_rest(make: Any, dims: int) -> None:
    """From rest the skin is 0, so updated boids leave their cells. The 64th that moves
    causes a new sort."""
    model = make("one-by-one", "periodic", dims, 2.0)
    random = np.random.default_rng(7)
    start = {
        name: (12.0 * random.random((flock.count, dims)), np.zeros((flock.count, dims)))
        for name, flock in model.flocks.items()
    }
    flight = assert_cells_agree(model, 2, start)
    assert flight.diagnostics().updates_before_resort == 0  # the second step has a skin
    flight = flights.interpreted(model, start, thresholds=pairwise.CELLS)
    flight.step(1)
    updates = (flight.layout.plan.stages - 1) * sum(f.count for f in model.flocks.values())
    moves = [flock.velocities.any(axis=1) for flock in flight.state().flocks.values()]
    causes = np.flatnonzero(np.concatenate(moves))[63]
    assert flight.diagnostics().updates_before_resort == updates + causes + 1
    assert flight.diagnostics().resorts == 1


@pytest.mark.parametrize(
    "order, boundary, dims",
    [
        ("one-by-one", "periodic", 2),
        pytest.param("one-by-one", "periodic", 3, marks=pytest.mark.slow),
        pytest.param("shuffled", "open", 3, marks=pytest.mark.slow),
    ],
)
def test_prefetching_changes_no_bit(order: str, boundary: str, dims: int) -> None:
    """Also when boids are sorted again within a step."""
    model = metric(order, boundary, dims, 6.0, count=60)
    prefetched = flights.interpreted(model, thresholds=pairwise.CELLS)
    plain = flights.interpreted(model, thresholds=replace(pairwise.CELLS, fetched=10**9))
    assert prefetched.layout.prefetch and not plain.layout.prefetch
    for _ in range(3):
        prefetched.step(1)
        plain.step(1)
        flights.assert_agree(prefetched, plain, tolerance=0.0)
