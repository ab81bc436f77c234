"""Every state of a model whose boids join and leave continues bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import flights
import pairwise
from interpreted import InterpretedKernels
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.state import make_frame, state_from_frame

STEPS = 12
ROWS = [name for name, row in pairwise.ROWS.items() if row["population"] == "changing"]


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in ROWS[::6] else pytest.mark.long) for n in ROWS],
)
def test_every_state_continues_bit_for_bit(name: str) -> None:
    row = pairwise.ROWS[name]
    model, thresholds = pairwise.model_of(row), pairwise.thresholds(row)
    straight, resumed = (flights.interpreted(model, thresholds=thresholds) for _ in range(2))
    for _ in range(STEPS):
        straight.step(1)
        resumed.step(1)
        state = state_from_frame(model, make_frame(model, resumed.state(), 5))
        resumed = CpuEngine(
            model, state, resumed.options, thresholds=thresholds, make_kernels=InterpretedKernels
        )
        flights.assert_same_bits(straight, resumed)
    first, second = straight.state().flocks, resumed.state().flocks
    for flock in first:
        assert np.array_equal(first[flock].indices, second[flock].indices)
    assert {entry for entry, _ in straight.population_counts()} >= {"gate", "deaths", "young"}
