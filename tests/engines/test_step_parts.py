"""Only the parts of a step that a model has are compiled."""

from __future__ import annotations

import pytest

import flights
import murmurate as mm


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ucl", set()),
        ("p5", set()),
        ("vicsek-1995", {"sort_cells"}),
        pytest.param("cucker-smale", {"integrate"}, marks=pytest.mark.slow),
        pytest.param("vasarhelyi-2018", {"perceive", "arrange_perceived"}, marks=pytest.mark.slow),
    ],
)
def test_only_the_parts_of_a_model_are_compiled(name: str, parts: set[str]) -> None:
    engine = flights.interpreted(mm.load(name))
    engine.step(1)
    diagnostics = engine.diagnostics()
    kernels = diagnostics.kernels_compiled + diagnostics.kernels_loaded
    assert {name.removesuffix("_alone") for name in kernels if name.endswith("_alone")} == parts
