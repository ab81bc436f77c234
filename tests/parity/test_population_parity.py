"""Boids that join and leave: engines agree, and every state continues bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.state import make_frame, state_from_frame
from peopled import peopled
from structures import IN_CELLS, STRUCTURES, as_params

STEPS = 14
ALWAYS = ("torus", "two-flocks", "stages", "nearest-open", "differing")
"""Structures of the fast tests: each is compiled once more, with boids that join and leave."""
OFTEN = ("in-turn", "shuffled", "clocks", "differing-nearest", "herded", "tessellated", "drones")
"""Structures that the slow tests have too; the long ones have all: each compiles kernels."""


def _mark(name: str) -> pytest.MarkDecorator:
    return pytest.mark.slow if name in OFTEN else pytest.mark.long


PARAMS = [
    *as_params([name for name in STRUCTURES if name in ALWAYS]),
    *(pytest.param(name, marks=_mark(name)) for name in STRUCTURES if name not in ALWAYS),
]


def engine_of(model: mm.Model, cells: bool, **options: Any) -> CpuEngine:
    with flights.in_cells() if cells else flights.whole():
        return flights.cpu(model, seed=5, **options)


def assert_same_boids(one: Any, other: Any) -> None:
    first, second = one.state(), other.state()
    for name, flock in first.flocks.items():
        mate = second.flocks[name]
        assert flock.indices.tolist() == mate.indices.tolist(), name
        assert flock.births.tolist() == mate.births.tolist(), name
        assert flock.n_ever == mate.n_ever
    assert one.population_counts() == other.population_counts()


@pytest.mark.parametrize("cells", [False, True])
@pytest.mark.parametrize("name", PARAMS)
def test_engines_agree(name: str, cells: bool) -> None:
    if cells and name not in IN_CELLS:
        pytest.skip("has no cells")
    model = peopled(STRUCTURES[name][0]())
    one, other = engine_of(model, cells), flights.reference(model, seed=5)
    for _ in range(STEPS):
        one.step(1)
        other.step(1)
        assert_same_boids(one, other)
        flights.assert_agree(one, other, tolerance=1e-7)
    counts = one.population_counts()
    assert {entry for entry, _ in counts} >= {"gate", "deaths", "young"}


@pytest.mark.parametrize("cells", [False, True])
@pytest.mark.parametrize("name", PARAMS)
def test_every_state_continues_bit_for_bit(name: str, cells: bool) -> None:
    if cells and name not in IN_CELLS:
        pytest.skip("has no cells")
    model = peopled(STRUCTURES[name][0]())
    straight, threads = engine_of(model, cells), engine_of(model, cells, threads=2)
    resumed = engine_of(model, cells)
    for _ in range(STEPS):
        straight.step(1)
        resumed.step(1)
        state = state_from_frame(model, make_frame(model, resumed.state(), 5))
        with flights.in_cells() if cells else flights.whole():
            resumed = CpuEngine(model, state, resumed.options)
        flights.assert_same_bits(straight, resumed)
    threads.step(STEPS)
    flights.assert_same_bits(straight, threads)
    first, second = straight.state().flocks, resumed.state().flocks
    for flock in first:
        assert np.array_equal(first[flock].indices, second[flock].indices)
