"""The text of kernels, with every pair of features, computes what the reference engine does:
Python executes it, so these tests need no compiler."""

from __future__ import annotations

from random import Random

import pytest

import flights
import murmurate as mm
import pairwise
from interpreted import InterpretedEngine
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions

DRAWS = 2  # of the numbers of each model
ALWAYS_CELLS = CpuThresholds(flock=0, model=0, covered=1.0)


def interpreted(
    model: mm.Model, seed: int, thresholds: CpuThresholds | None = None
) -> InterpretedEngine:
    options = RunOptions(seed=seed, dtype="float64", threads=1)
    return InterpretedEngine(
        model, initial_state(model, seed, None), options, thresholds=thresholds
    )


@pytest.mark.parametrize("name", pairwise.ROWS)
def test_all_pairs_of_features(name: str) -> None:
    row = pairwise.ROWS[name]
    dice = Random(name)
    for _ in range(DRAWS):
        numbers = {
            key: dice.randint(low, high) if isinstance(low, int) else dice.uniform(low, high)
            for key, (low, high) in pairwise.NUMBERS.items()
        }
        seed = dice.randrange(2**64)
        model = pairwise.model_of(row, **numbers)
        expected = flights.reference(model, seed=seed)
        engine = interpreted(model, seed, thresholds=pairwise.thresholds(row))
        for steps in (1, 4):
            expected.step(steps)
            engine.step(steps)
            flights.assert_agree(engine, expected)
        if row["population"] == "changing":
            flights.assert_same_numbers(engine, expected)


@pytest.mark.parametrize("layout", ["all pairs", "cells"])
@pytest.mark.parametrize("name", mm.zoo())
def test_published_models(name: str, layout: str) -> None:
    model = mm.load(name)
    few = {
        f"flocks.{flock}.count": min(other.count, 12)
        for flock, other in model.flocks.items()
        if other.start.kind != "given"
    }
    model = model.set(few)
    thresholds = ALWAYS_CELLS if layout == "cells" else None
    expected, engine = flights.reference(model), interpreted(model, 1, thresholds=thresholds)
    expected.step(3)
    engine.step(3)
    flights.assert_agree(engine, expected, scale=max(model.space.size))
