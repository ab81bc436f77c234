"""One seed gives one trajectory, bit for bit.

It depends neither on threads, nor on the number of steps of each call, nor on resuming."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.candidates.search import Memory
from murmurate.engines.cpu import cpu_engine as cpu
from structures import IN_CELLS, STRUCTURES, as_params
from together import all_take_part

COUNT = 300

# name, in cells or not, precision
FLIGHTS = [
    *as_params(STRUCTURES, False, "float64"),
    *as_params(IN_CELLS, True, "float64"),
    ("torus", True, "float32"),
    pytest.param("nearest-open", True, "float32", marks=pytest.mark.slow),
    pytest.param("in-turn", False, "float32", marks=pytest.mark.slow),
]
each_model = pytest.mark.parametrize(("name", "cells", "dtype"), FLIGHTS)


def model_of(name: str) -> mm.Model:
    return STRUCTURES[name][0](count=COUNT)


def engine(model: mm.Model, cells: bool, **options: Any) -> cpu.CpuEngine:
    with flights.in_cells() if cells else flights.whole():
        result = flights.cpu(model, seed=11, **options)
    assert bool(result.layout.gridded) == cells
    return result


@each_model
def test_steps_of_each_call_change_nothing(name: str, cells: bool, dtype: str) -> None:
    first = engine(model_of(name), cells, dtype=dtype)
    first.step(10)
    other = engine(model_of(name), cells, dtype=dtype)
    for steps in (1, 0, 2, 1, 5, 1):
        other.step(steps)
    flights.assert_same_bits(first, other)


@each_model
def test_threads_change_nothing(
    name: str, cells: bool, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two and three threads share even these small flocks."""
    first = engine(model_of(name), cells, dtype=dtype)
    first.step(6)
    all_take_part(monkeypatch)
    for threads in (2, 3):
        other = engine(model_of(name), cells, dtype=dtype, threads=threads)
        other.step(6)
        flights.assert_same_bits(first, other)


@each_model
def test_resuming_from_any_step(name: str, cells: bool, dtype: str) -> None:
    """An engine created from the state of another continues bit for bit."""
    model = model_of(name)
    first = engine(model, cells, dtype=dtype)
    for moment in (1, 6, 9):
        first.step(moment - first.step_number)
        with flights.in_cells() if cells else flights.whole():
            other = cpu.CpuEngine(model, first.state(), first.options)
        flights.assert_same_bits(first, other)
        other.step(4)
        prefetched = engine(model, cells, dtype=dtype)
        prefetched.step(moment + 4)
        flights.assert_same_bits(prefetched, other)


@pytest.mark.slow
def test_models_with_perching_boids() -> None:
    """Slow tests resume these models; some boids are on the ground at that step."""
    for name, cells in (("landing", True), ("in-turn", False)):
        first = engine(model_of(name), cells)
        first.step(6)
        assert (flights.arrays(first)["boids"][2] > 0).any()


def test_another_seed_gives_another_trajectory() -> None:
    first = flights.arrays(flights.cpu(model_of("torus"), seed=1))["boids"][0]
    assert (first != flights.arrays(flights.cpu(model_of("torus"), seed=2))["boids"][0]).all()


@pytest.mark.parametrize("name", as_params(["torus", "stages", "integrated-verlet"]))
def test_room_is_made_within_a_step(name: str) -> None:
    """A step that has too little room to stage boids continues with more."""
    enough = engine(model_of(name), True)
    little = engine(model_of(name), True, memory=Memory(initial_room=32))
    enough.step(5)
    little.step(5)
    assert little.diagnostics().staging_room > 32
    flights.assert_same_bits(enough, little)


def test_room_is_made_for_one_stage_alone() -> None:
    """Room is made at the last chunk of a step, and the next step has fewer chunks.

    Boids spread over many cells, with a crowd in the last one, move to one point.
    """
    model = mm.Model(
        space=mm.Space(size=(40.0, 40.0, 40.0), boundary="open"),
        flocks={"boids": mm.Flock(count=COUNT, motion=mm.Replace())},
        rules={
            "gather": mm.TendToPlace(place=(30.0, 30.0, 30.0), weight=0.9),
            "apart": mm.Separation(radius=1.5, weight=0.01),
        },
    )
    random = np.random.default_rng(3)
    positions = 40.0 * random.random((COUNT, 3))
    positions[200:] = 39.0 + random.random((COUNT - 200, 3))
    start = {"boids": (positions, np.zeros((COUNT, 3)))}
    runs = []
    for room in (4096, 32):
        with flights.in_cells():
            flight = flights.cpu(model, start, memory=Memory(initial_room=room))
        flight.step(6)
        runs.append(flight)
    flights.assert_same_bits(*runs)
