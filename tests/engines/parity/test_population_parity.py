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
from structures import IN_CELLS, STRUCTURES

STEPS = 14
SLOW = {("stages", True), ("two-flocks", False), ("drones", False), ("in-turn", True)}
"""Structures of the slow tests, in cells or not. Long tests have the others. Rows of pairwise.py
have populations, too."""


each_model = pytest.mark.parametrize(
    ("name", "cells"),
    [
        pytest.param(
            name, cells, marks=pytest.mark.slow if (name, cells) in SLOW else pytest.mark.long
        )
        for cells in (False, True)
        for name in (IN_CELLS if cells else STRUCTURES)
    ],
)


def engine_of(model: mm.Model, cells: bool, **options: Any) -> CpuEngine:
    with flights.in_cells() if cells else flights.whole():
        return flights.cpu(model, seed=5, **options)


@each_model
def test_engines_agree(name: str, cells: bool) -> None:
    model = peopled(STRUCTURES[name][0]())
    cpu, other = engine_of(model, cells), flights.reference(model, seed=5)
    for _ in range(STEPS):
        cpu.step(1)
        other.step(1)
        flights.assert_same_numbers(cpu, other)
        flights.assert_agree(cpu, other, tolerance=1e-7)
    counts = cpu.population_counts()
    assert {entry for entry, _ in counts} >= {"gate", "deaths", "young"}


@each_model
def test_every_state_continues_bit_for_bit(name: str, cells: bool) -> None:
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
