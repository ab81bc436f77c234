"""Live pages refuse models that pages cannot simulate."""

from __future__ import annotations

import pytest

import murmurate as mm

PLAIN = mm.parse("""
    space = { size = [9, 9], boundary = "periodic" }
    flocks.boids = { count = 6 }
    rules.cohesion = { radius = 2, weight = 0.1 }
""")
CHANGES = {
    "expected 'all'": {"rules.cohesion.neighbours": "voronoi"},
    "one number for all boids": {
        "population.age": {"kind": "lifetime", "duration": {"kind": "uniform", "min": 5, "max": 9}},
    },
}


@pytest.mark.parametrize("reason", CHANGES)
def test_models_that_pages_do_not_simulate_are_refused(reason: str) -> None:
    model = PLAIN.set(CHANGES[reason])
    with pytest.raises(mm.ModelError, match=rf"model\..*{reason}.* make a replay"):
        mm.live_page(model)
    with pytest.raises(mm.ModelError, match=rf"beside\..*{reason}"):
        mm.live_page(PLAIN, beside=model)
