"""One seed gives one trajectory, bit for bit.

It depends neither on threads, nor on the number of steps of each call, nor on resuming."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from all_threads import Together
from murmurate.codegen.candidates.search import Memory
from murmurate.engines.cpu import cpu_engine as cpu

COUNT = 300


def engine(model: mm.Model, cells: bool, **options: Any) -> cpu.CpuEngine:
    thresholds = pairwise.CELLS if cells else pairwise.ALL_PAIRS
    result = flights.cpu(model, seed=11, thresholds=thresholds, **options)
    assert bool(result.layout.gridded) == cells
    return result


@pytest.mark.parametrize("name", pairwise.as_params())
def test_calls_threads_and_resuming_change_no_bit(name: str) -> None:
    """Runs in calls of any length, by several threads, and resumed at any step.

    Two and three threads share even these small flocks.
    """
    row = pairwise.row_of(name)
    model = pairwise.model_of(row, count=COUNT)
    options = {"thresholds": pairwise.thresholds(row), "seed": 11, "dtype": "float64"}
    first, calls = flights.cpu(model, **options), flights.cpu(model, **options)
    threads = [
        flights.cpu(model, threads=number, make_loop=Together, **options) for number in (2, 3)
    ]
    again = flights.cpu(model, **options | {"seed": 12})
    again.step(2)
    again.restart(first.state(), first.options)
    calls.replace_model(model.set({f"rules.{next(iter(model.rules))}.weight": 0.5}))
    calls.replace_model(model)
    for steps, parts in ((1, (1,)), (5, (0, 2, 3)), (3, (1, 2))):
        resumed = cpu.CpuEngine(
            model, first.state(), first.options, thresholds=options["thresholds"]
        )
        flights.assert_same_bits(first, resumed)
        for run in (first, resumed, again, *threads):
            run.step(steps)
        for part in parts:
            calls.step(part)
        for other in (resumed, again, calls, *threads):
            flights.assert_same_bits(first, other)


def test_another_seed_gives_another_trajectory() -> None:
    model = pairwise.model_of(pairwise.ROWS["metric"])
    first, other = (flights.arrays(flights.reference(model, seed=seed)) for seed in (1, 2))
    assert (first["boids"][0] != other["boids"][0]).all()


IN_CELLS = [
    name for name, row in pairwise.ROWS.items()
    if row["layout"] == "cells" and row["population"] == "constant"
]  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in IN_CELLS[::6] else pytest.mark.slow) for n in IN_CELLS],
)
def test_room_is_made_within_a_step(name: str) -> None:
    """A step that has too little room to stage boids continues with more."""
    model = pairwise.model_of(pairwise.ROWS[name], count=80)
    enough, little = (
        flights.interpreted(model, thresholds=pairwise.CELLS, memory=memory)
        for memory in (Memory(), Memory(initial_room=32))
    )
    enough.step(3)
    little.step(3)
    assert little.diagnostics().staging_room > 32
    flights.assert_same_bits(enough, little)


@pytest.mark.slow
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
            flight = flights.interpreted(model, start, memory=Memory(initial_room=room))
        flight.step(6)
        runs.append(flight)
    flights.assert_same_bits(*runs)
