"""One seed, one trajectory, bit for bit: at any number of threads, however the steps are asked for,
and when resumed from any moment's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
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
flown = pytest.mark.parametrize(("name", "cells", "dtype"), FLIGHTS)


def model_of(name: str) -> mm.Model:
    return STRUCTURES[name][0](count=COUNT)


def engine(model: mm.Model, cells: bool, **options: Any) -> cpu.CpuEngine:
    with flights.in_cells() if cells else flights.whole():
        made = flights.cpu(model, seed=11, **options)
    assert bool(made.layout.gridded) == cells
    return made


@flown
def test_steps_may_be_asked_for_in_any_way(name: str, cells: bool, dtype: str) -> None:
    one = engine(model_of(name), cells, dtype=dtype)
    one.step(10)
    other = engine(model_of(name), cells, dtype=dtype)
    for steps in (1, 0, 2, 1, 5, 1):
        other.step(steps)
    flights.assert_same_bits(one, other)


@flown
def test_threads_change_nothing(
    name: str, cells: bool, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two and with three threads, which share even these small flocks."""
    one = engine(model_of(name), cells, dtype=dtype)
    one.step(6)
    all_take_part(monkeypatch)
    for threads in (2, 3):
        other = engine(model_of(name), cells, dtype=dtype, threads=threads)
        other.step(6)
        flights.assert_same_bits(one, other)


@flown
def test_resuming_from_any_moment(name: str, cells: bool, dtype: str) -> None:
    """An engine made from another's arrays flies on as that one does: nothing else is remembered
    that the answer hangs on."""
    model = model_of(name)
    one = engine(model, cells, dtype=dtype)
    for moment in (1, 6, 9):
        one.step(moment - one.step_number)
        with flights.in_cells() if cells else flights.whole():
            other = cpu.CpuEngine(model, one.state(), one.options)
        flights.assert_same_bits(one, other)
        other.step(4)
        ahead = engine(model, cells, dtype=dtype)
        ahead.step(moment + 4)
        flights.assert_same_bits(ahead, other)


@pytest.mark.slow
def test_boids_do_land_here() -> None:
    """The slow tests resume these two. Perch timers are part of what is resumed: some boids are on
    the ground at that moment."""
    for name, cells in (("landing", True), ("in-turn", False)):
        one = engine(model_of(name), cells)
        one.step(6)
        assert (flights.arrays(one)["boids"][2] > 0).any()


def test_another_seed_is_another_flight() -> None:
    one = flights.arrays(flights.cpu(model_of("torus"), seed=1))["boids"][0]
    assert (one != flights.arrays(flights.cpu(model_of("torus"), seed=2))["boids"][0]).all()


@pytest.mark.parametrize("name", as_params(["torus", "stages", "integrated-verlet"]))
def test_room_is_made_in_the_midst_of_a_step(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a stage has too little room for a cell's surroundings, the step goes on with more."""
    enough = engine(model_of(name), True)
    monkeypatch.setattr("murmurate.codegen.candidates.cells.INITIAL_ROOM", 32)
    little = engine(model_of(name), True)
    enough.step(5)
    little.step(5)
    assert little.diagnostics().staging_room > 32
    flights.assert_same_bits(enough, little)


def test_room_is_made_for_one_stage_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boids spread over many cells, a crowd in the last of them, all fly to one place: after room
    was made at the last piece of work, the next step has fewer pieces, and is flown all the same.
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
    places = 40.0 * random.random((COUNT, 3))
    places[200:] = 39.0 + random.random((COUNT - 200, 3))
    start = {"boids": (places, np.zeros((COUNT, 3)))}
    flown = []
    for room in (4096, 32):
        monkeypatch.setattr("murmurate.codegen.candidates.cells.INITIAL_ROOM", room)
        with flights.in_cells():
            flight = flights.cpu(model, start)
        flight.step(6)
        flown.append(flight)
    flights.assert_same_bits(*flown)
