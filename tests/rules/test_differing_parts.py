"""Every number of every rule and motion may differ between boids: the engines agree on it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from rule_cases import CASES
from test_rules import IN_A_PLANE

import flights
import murmurate as mm
from murmurate.model.quantity import individual_fields, may_differ, quantities
from murmurate.rules import Add

STEPS = 4
PER_MODEL = 12
"""Rules of one model, so that few models compile."""


def around(x: Any, bounds: dict[str, Any]) -> Any:
    """Return a distribution around a number, within the bounds of its field."""
    if not isinstance(x, float):
        return x
    if math.isinf(x):
        return mm.Uniform(min=3.0, max=6.0)
    if x == 0.0:
        return mm.Uniform(min=0.0, max=0.1)
    ends = sorted((0.8 * x, 1.2 * x))
    return mm.Uniform(min=ends[0], max=min(ends[1], bounds.get("maximum", math.inf)))


def differing(part: Any) -> Any:
    """Return a rule or motion all of whose numbers differ between boids."""
    values = {name: getattr(part, name) for name in type(part).model_fields}
    for name, bounds in quantities(type(part)).items():
        value = values[name]
        if isinstance(value, mm.Each):  # of the three boids of a case
            value = value.values[0]
        if isinstance(value, tuple):
            values[name] = tuple(around(x, bounds) for x in value)
        else:
            values[name] = around(value, bounds)
    return type(part)(**values)


def model_of(
    rules: dict[str, Any], motions: dict[str, Any] | None = None, dims: int = 3
) -> mm.Model:
    """Return a model with a flock of each motion, and an obstacle if a rule senses one."""
    rock = mm.Sphere(centre=(4.0,) * dims, radius=1.0)
    return mm.Model(
        dt=0.05,
        space=mm.Space(size=(8.0,) * dims),
        flocks={
            name: mm.Flock(
                count=14,
                start=mm.InBox(velocity=mm.Directions(speed=0.5, up_to=1.5)),
                motion=motion,
                diameter=0.5,
            )
            for name, motion in (motions or {"boids": mm.Add(max_speed=4.0, max_force=9.0)}).items()
        },
        rules=rules,
        obstacles={"rock": rock}
        if any("obstacles" in rule.kind for rule in rules.values())
        else {},
    )


def assert_engines_agree(model: mm.Model) -> None:
    slow, fast = flights.reference(model, seed=5), flights.interpreted(model, seed=5)
    slow.step(STEPS)
    fast.step(STEPS)
    flights.assert_agree(fast, slow)
    with flights.in_cells():
        cells = flights.interpreted(model, seed=5)
    cells.step(STEPS)
    flights.assert_agree(cells, slow)


RULES = {
    name: case.rule
    for name, case in CASES.items()
    if case.motion is None and may_differ(type(case.rule)) and name not in IN_A_PLANE
}
MOTIONS = {name: case.motion for name, case in CASES.items() if case.motion is not None}
N_GROUPS = -(-len(RULES) // PER_MODEL)
GROUPS = [dict(list(RULES.items())[k::N_GROUPS]) for k in range(N_GROUPS)]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=[next(iter(group)) for group in GROUPS])
def test_rules(group: dict[str, Any]) -> None:
    """Every number of each rule has a distribution."""
    rules = {name: differing(rule) for name, rule in group.items()}
    for name, rule in rules.items():
        numbers = [getattr(rule, key) for key in quantities(type(rule))]
        plain = [x for x in numbers if isinstance(x, float)]
        assert individual_fields(rule) and not plain, name
    assert_engines_agree(model_of(rules))


@pytest.mark.slow
def test_rules_that_sense_the_view() -> None:
    """These sense all around."""
    whole = {"inner_radius": 0.0, "field_of_view": 180.0}
    rules = {name: differing(CASES[name].rule).model_copy(update=whole) for name in IN_A_PLANE}
    assert_engines_agree(model_of(rules, dims=2))


@pytest.mark.slow
def test_motions() -> None:
    """Every number of each motion has a distribution; min_speed stays below max_speed."""
    motions = {name: differing(motion) for name, motion in MOTIONS.items()}
    for name, motion in MOTIONS.items():
        if isinstance(motion, Add) and motion.min_speed:
            low = {"min_speed": mm.Uniform(min=0.1, max=0.2)}
            motions[name] = motions[name].model_copy(update=low)
    wind = mm.Wind(vector=(4.0, -3.0, 2.0), moves=tuple(motions))
    assert_engines_agree(model_of({"wind": wind}, motions))
