"""The cpu engine agrees with the reference engine to 1e-9, with all pairs and in cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import flights
from structures import IN_CELLS, STRUCTURES, as_params

STEPS = 10

few = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def numbers(ranges: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A value for each of a structure's numbers, whole where the range is whole."""

    def first(low: Any, high: Any) -> st.SearchStrategy[Any]:
        if isinstance(low, int) and isinstance(high, int):
            return st.integers(low, high)
        return st.floats(low, high).map(lambda x: round(x, 3))

    return st.fixed_dictionaries({name: first(*ends) for name, ends in ranges.items()})


@pytest.mark.parametrize("name", as_params(STRUCTURES))
@few
@given(data=st.data())
def test_random_models(name: str, data: Any) -> None:
    make, ranges = STRUCTURES[name]
    model = make(**data.draw(numbers(ranges)))
    seed = data.draw(st.integers(0, 2**64 - 1))
    expected = flights.reference(model, seed=seed)
    expected.step(STEPS)
    all_pairs = flights.cpu(model, seed=seed)
    all_pairs.step(STEPS)
    assert not all_pairs.layout.gridded
    flights.assert_agree(all_pairs, expected)
    if name in IN_CELLS:
        with flights.in_cells():
            cells = flights.cpu(model, seed=seed)
        cells.step(STEPS)
        assert cells.layout.gridded or model.flocks["boids"].count == 0 or _too_small(model)
        flights.assert_agree(cells, expected)


def _too_small(model: Any) -> bool:
    """On a torus of less than three radii there are no cells."""
    radii = [getattr(rule, "radius", 0.0) for rule in model.rules.values()]
    reaches = [r if isinstance(r, float) else r.extent()[1] for r in radii]
    longest = max(r for r in reaches if np.isfinite(r))
    sides = [
        side
        for side, periodic in zip(model.space.size, model.space.periodic, strict=True)
        if periodic
    ]
    return bool(sides) and min(sides) < 3.0 * longest


@pytest.mark.parametrize("name", as_params(IN_CELLS))
def test_models_use_cells(name: str) -> None:
    """With their default numbers, all these models use cells."""
    with flights.in_cells():
        assert flights.cpu(STRUCTURES[name][0]()).layout.gridded
