"""One seed gives one trajectory, bit for bit.

It depends neither on threads, nor on the number of steps of each call, nor on resuming."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from murmurate.codegen.candidates.search import Memory
from murmurate.engines.cpu import cpu_engine as cpu
from structures import IN_CELLS, STRUCTURES, as_params
from together import Together

COUNT = 300


def model_of(name: str) -> mm.Model:
    if name in pairwise.ROWS:
        return pairwise.model_of(pairwise.ROWS[name], count=COUNT)
    return STRUCTURES[name][0](count=COUNT)


def engine(model: mm.Model, cells: bool, **options: Any) -> cpu.CpuEngine:
    thresholds = pairwise.CELLS if cells else pairwise.ALL_PAIRS
    result = flights.cpu(model, seed=11, thresholds=thresholds, **options)
    assert bool(result.layout.gridded) == cells
    return result


@pytest.mark.parametrize("name", pairwise.as_params(pairwise.PLAIN))
def test_calls_threads_and_resuming_change_no_bit_of_a_row(name: str) -> None:
    row = pairwise.ROWS[name]
    assert_same_bits_however(name, row["layout"] == "cells", row["precision"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "cells"),
    [(name, cells) for cells in (False, True) for name in (IN_CELLS if cells else STRUCTURES)],
)
def test_calls_threads_and_resuming_change_no_bit(name: str, cells: bool) -> None:
    assert_same_bits_however(name, cells, "float64")


def assert_same_bits_however(name: str, cells: bool, dtype: str) -> None:
    """Compare runs in calls of any length, by several threads, and resumed at any step.

    Two and three threads share even these small flocks.
    """
    model = model_of(name)
    first, calls = engine(model, cells, dtype=dtype), engine(model, cells, dtype=dtype)
    threads = [
        engine(model, cells, dtype=dtype, threads=number, make_loop=Together) for number in (2, 3)
    ]
    for steps, parts in ((1, (1,)), (5, (0, 2, 3)), (3, (1, 2))):
        resumed = cpu.CpuEngine(
            model, first.state(), first.options,
            thresholds=pairwise.CELLS if cells else pairwise.ALL_PAIRS,
        )  # fmt: skip
        flights.assert_same_bits(first, resumed)
        for run in (first, resumed, *threads):
            run.step(steps)
        for part in parts:
            calls.step(part)
        for other in (resumed, calls, *threads):
            flights.assert_same_bits(first, other)


@pytest.mark.long
def test_models_with_perching_boids() -> None:
    """Long tests resume these models; some boids are on the ground at that step."""
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
