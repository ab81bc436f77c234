"""What of a step is compiled: what the model has, and no more."""

from __future__ import annotations

from typing import Any

import pytest

import flights
import murmurate as mm


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ucl", set()),
        ("p5", set()),
        ("vicsek-1995", {"sort_cells"}),
        ("cucker-smale", {"integrate"}),
        ("vasarhelyi-2018", {"perceive", "arrange_perceived"}),
    ],
)
def test_no_more_is_compiled_than_a_model_needs(name: str, parts: set[str]) -> None:
    """A first flight waits for the compiler: parts that its steps have not are left out."""
    engine = flights.cpu(mm.load(name))
    asked, kernel = set(), engine._stepper.kernel

    def noted(wanted: str) -> Any:
        asked.add(wanted)
        return kernel(wanted)

    engine._stepper.kernel = noted
    engine.step(1)
    assert {one.removesuffix("_alone") for one in asked if one.endswith("_alone")} == parts
