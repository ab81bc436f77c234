"""Parts that visitors of a page may draw have places and sizes of the space."""

from __future__ import annotations

import pytest

import murmurate as mm
from murmurate.runs.drawable_parts import spare_parts


@pytest.mark.parametrize("dims", [2, 3])
def test_the_path_that_waits_is_in_the_middle(dims: int) -> None:
    space = mm.Space(size=(10, 40, 20)[:dims], origin=(0, 5, 7)[:dims])
    flocks = {"boids": mm.Flock(count=3)}
    wind = mm.Wind(vector=(1.0, 0.0, 0.0)[:dims])
    model = mm.Model(space=space, flocks=flocks, rules={"wind": wind})
    parts = spare_parts(model, mm.Simulation(model, engine="reference").frame, draw=True)
    assert parts is not None and {"path", "goal", "predator"} < set(parts.kinds)
    rule = parts.model.rules[parts.rules["path"]]
    first, *_, last = rule.points
    middle = (5.0, 25.0, 17.0)[:dims]
    assert first == pytest.approx(middle) and rule.weight == 0.0
    assert last == pytest.approx((9.0, *middle[1:]))  # a tenth of the longest side
