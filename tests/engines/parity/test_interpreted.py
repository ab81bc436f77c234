"""The text of kernels, with every pair of features, computes what the reference engine does:
Python executes it, so these tests need no compiler."""

from __future__ import annotations

from random import Random

import pytest

import flights
import murmurate as mm
import pairwise
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.model.distribution import is_individual

ALWAYS_CELLS = CpuThresholds(flock=0, model=0, covered=1.0)


@pytest.mark.parametrize("name", pairwise.ROWS)
def test_all_pairs_of_features(name: str) -> None:
    """New weights take effect at the next step, without a new kernel."""
    row = pairwise.ROWS[name]
    dice = Random(name)
    numbers = {
        key: dice.randint(low, high) if isinstance(low, int) else dice.uniform(low, high)
        for key, (low, high) in pairwise.NUMBERS.items()
    } | {"count": 14}
    seed = dice.randrange(2**64)
    model = pairwise.model_of(row, **numbers)
    expected = flights.reference(model, seed=seed)
    engine = flights.interpreted(model, seed=seed, thresholds=pairwise.thresholds(row))
    module = engine.diagnostics().kernel_module
    weights = {f"rules.{name}.weight": 0.07 for name, rule in model.rules.items()
               if not is_individual(rule.weight)}  # fmt: skip
    for steps, other in ((1, model), (2, model), (1, model.set(weights))):
        for each in (expected, engine):
            each.replace_model(other)
            each.step(steps)
        flights.assert_agree(engine, expected)
    assert engine.diagnostics().kernel_module == module
    if row["population"] == "changing":
        flights.assert_same_numbers(engine, expected)


@pytest.mark.parametrize(
    ("name", "layout"),
    [
        pytest.param(name, layout, marks=() if (k + m) % 2 == 0 else pytest.mark.slow)
        for k, name in enumerate(mm.zoo())
        for m, layout in enumerate(("all pairs", "cells"))
    ],
)
def test_published_models(name: str, layout: str) -> None:
    model = mm.load(name)
    few = {
        f"flocks.{flock}.count": min(other.count, 12)
        for flock, other in model.flocks.items()
        if other.start.kind != "given"
    }
    model = model.set(few)
    thresholds = ALWAYS_CELLS if layout == "cells" else None
    expected, engine = flights.reference(model), flights.interpreted(model, thresholds=thresholds)
    expected.step(3)
    engine.step(3)
    flights.assert_agree(engine, expected, scale=max(model.space.size))


TOGETHER = """
[space]
size = [20, 20]
boundary = "periodic"
[flocks.boids]
count = 4
motion = { kind = "constant-speed", speed = 0.4 }
[flocks.boids.start]
kind = "given"
positions = [[5, 5], [5, 5], [5, 6], [15, 5]]
velocities = [[0.4, 0], [0, 0.4], [-0.4, 0], [0, -0.4]]
[rules.alignment]
radius = 3
weight = 0.3
"""


@pytest.mark.parametrize("nearest", [0, 2])
@pytest.mark.parametrize("layout", ["all pairs", "cells"])
@pytest.mark.parametrize("inner", ["ramp", "traits"])
def test_boids_at_one_position_sense_each_other(inner: str, layout: str, nearest: int) -> None:
    """While their inner radius is 0, which is no limit, whether time or the boid decides that."""
    radius = {
        "ramp": mm.Ramp(start=0.0, stop=2.0, begin=1.0, end=3.0),
        "traits": mm.Each(values=(0.0, 1.5, 0.0, 0.5)),
    }[inner]
    changes = {"rules.alignment.inner_radius": radius, "rules.alignment.nearest": nearest}
    model = mm.parse(TOGETHER).set(changes)
    thresholds = ALWAYS_CELLS if layout == "cells" else None
    expected, engine = flights.reference(model), flights.interpreted(model, thresholds=thresholds)
    for _ in range(4):
        expected.step(1)
        engine.step(1)
        flights.assert_agree(engine, expected)
