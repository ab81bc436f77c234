"""A page that is to simulate a model which pages cannot simulate replays it, and states it."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.model.warnings import ModelWarning

REFERENCE = mm.RunOptions(engine="reference")
PLAIN = mm.parse("""
    space = { size = [9, 9], boundary = "periodic" }
    flocks.boids = { count = 6 }
    rules.cohesion = { radius = 2, weight = 0.1 }
""")
CHANGES = {
    "population": {"population.births": {"kind": "births", "rate": 1e-4, "distance": 0.1}},
    "differs between boids": {
        "rules.cohesion.weight": {"kind": "normal", "mean": 0.1, "sd": 0.01},
    },
}


@pytest.mark.parametrize("reason", CHANGES)
def test_a_page_replays_what_it_cannot_simulate(reason: str) -> None:
    with pytest.warns(ModelWarning, match=f"replays 300 steps, since .*{reason}"):
        page = mm.to_html(PLAIN.set(CHANGES[reason]), live=True, options=REFERENCE)
    assert not page.live
    assert page.frames == 300


@pytest.mark.parametrize("reason", CHANGES)
def test_a_page_of_two_models_is_refused(reason: str) -> None:
    with pytest.raises(mm.ModelError, match=f"beside: got .*{reason}"):
        mm.to_html(PLAIN, live=True, beside=PLAIN.set(CHANGES[reason]))
