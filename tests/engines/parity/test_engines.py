"""The cpu engine agrees with the reference engine to 1e-9, with all pairs and in cells."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import flights
import murmurate as mm
import pairwise

STEPS = 8

few = settings(
    max_examples=3,
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


SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("name", pairwise.as_params())
@few
@given(numbers=numbers(pairwise.NUMBERS), seed=SEEDS)
def test_all_pairs_of_features(name: str, numbers: dict[str, Any], seed: int) -> None:
    """In all layouts, with boids that join and leave, and with kernels of few boids."""
    row = pairwise.row_of(name)
    model = pairwise.model_of(row, **numbers)
    expected = flights.reference(model, seed=seed)
    compiled = flights.cpu(model, seed=seed, thresholds=pairwise.thresholds(row))
    for steps in (1, STEPS - 1):
        expected.step(steps)
        compiled.step(steps)
        flights.assert_agree(compiled, expected)
    if row["population"] == "changing":
        flights.assert_same_numbers(compiled, expected)


@pytest.mark.parametrize("name", pairwise.ROWS)
def test_rows_have_their_layout_and_search(name: str) -> None:
    assert pairwise.has_layout_and_search(pairwise.ROWS[name])


def test_rows_have_all_pairs_of_values() -> None:
    """A pair that no row has is refused, or gives another layout or search."""
    having = set().union(*map(pairwise.pairs_of, pairwise.ROWS.values()))
    assert having >= pairwise.all_pairs()
    plain = {
        feature: values[-1] if feature in ("search", "layout") else values[0]
        for feature, values in pairwise.FEATURES.items()
    }
    for refused in pairwise.REFUSED:
        try:
            possible = pairwise.has_layout_and_search(plain | dict(refused))
        except mm.ModelError:
            continue
        assert not possible, refused
