"""Every rule and every motion, on three boids, by hand: the expected velocities stand beside each
case. A model has many rules, and all but the one that is tested have weight 0, so that one kernel
simulates many cases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rule_cases import CASES
from simulated_by_hand import DT, FREE, SEED, SIDE, STEP, WEIGHT, WIND

import flights
import murmurate as mm
from murmurate.model.registry import MOTIONS, RULES

CASE_RULES = {
    name: case.rule for name, case in CASES.items() if case.rule is not WIND or name == "wind"
}


RULES_A_MODEL = 12
"""A kernel of twice as many takes more than twice as long to compile."""
GROUPS = [
    list(CASE_RULES)[first : first + RULES_A_MODEL]
    for first in range(0, len(CASE_RULES), RULES_A_MODEL)
]
"""Rules that move the flock 'boids' of one model. Flocks of the other motions are in a model that
has but one rule."""
SAME_STATE = {"swarmalators-linear": "swarmalators"}
"""Cases whose rule stores a number that the rule of another case stores: a model may have one. On
engine cpu they would need a kernel of their own; test_states.py here simulates them."""


IN_A_PLANE = {"projection", "visual-field"}
"""Cases of rules that need a space in 2-D."""


def flat(value: Any, dims: int) -> Any:
    """A rule whose vectors have as many numbers as the space."""
    vectors = {}
    for name in type(value).model_fields:
        field = getattr(value, name)
        if name == "points":
            vectors[name] = tuple(point[:dims] for point in field)
        elif isinstance(field, tuple) and field and isinstance(field[0], float):
            vectors[name] = field[:dims]
    return value.model_copy(update=vectors)


def simulate(name: str, engine: str, dims: int) -> np.ndarray:
    """The new velocities of a case's boids."""
    case = CASES[name]
    acting = name if name in CASE_RULES else "wind"
    directed = mm.SelfPropelled(noise_law="gaussian")
    motions = {
        "boids": FREE,
        "replacing": mm.Replace(),
        "constant": mm.ConstantSpeed(),
        "directed": directed,
        "drones": mm.Responding(lag=1.0),
        "spinning": mm.InertialSpin(),
        "turning": mm.Turning(),
        "polar": mm.Polar(),
        "brownian": mm.ActiveBrownian(),
        "fish": mm.BurstAndCoast(length=1.0, duration=1.0, decay=1.0),
    }
    motion = case.motion or FREE
    flock = next(name for name, other in motions.items() if other.kind == motion.kind)
    if flock == "boids":
        motions, beside = {flock: motion}, next(group for group in GROUPS if acting in group)
    else:
        motions, beside = {**motions, flock: motion}, ["wind"]
    rules = {
        key: flat(CASE_RULES[key], dims).model_copy(
            update={"weight": WEIGHT if key == acting else 0.0, "moves": tuple(motions)}
        )
        for key in beside
        if key not in SAME_STATE or key == name
        if SAME_STATE.get(name) != key
        if dims == 2 or key not in IN_A_PLANE
    }
    rock = mm.Sphere(centre=(50.0,) * dims, radius=2.0)
    model = mm.Model(
        dt=DT,
        space=mm.Space(size=(SIDE,) * dims),
        flocks={
            key: mm.Flock(
                count=3,
                motion=motion,
                diameter=1.5,
                perching=mm.Perching(ground=-100.0) if key == "boids" else None,
            )
            for key, motion in motions.items()
        },
        rules=rules,
        obstacles={"rock": rock}
        if any("obstacles" in rule.kind for rule in rules.values())
        else {},
    )
    start = {flock: (np.array(case.at)[:, :dims], np.array(case.velocities)[:, :dims])}
    make = flights.cpu if engine == "cpu" else flights.reference
    flight = make(model, start, SEED, step=STEP)
    flight.step(1)
    return flights.arrays(flight)[flock][1]


SIMULATED = [
    *((name, "reference", dims) for name in CASES for dims in (2, 3)),
    *(pytest.param(name, "cpu", 2, marks=pytest.mark.long) for name in CASES),
    *(
        pytest.param(name, "cpu", 3, marks=pytest.mark.long if k % 3 else pytest.mark.slow)
        for k, name in enumerate(CASES)
    ),
]
"""A kernel of each rule is compiled, of each third one in slow tests."""


@pytest.mark.parametrize(("name", "engine", "dims"), SIMULATED)
def test_velocities(name: str, engine: str, dims: int) -> None:
    if engine == "cpu" and name in SAME_STATE:
        pytest.skip("test_states.py simulates it on engine cpu")
    if dims == 3 and name in IN_A_PLANE:
        pytest.skip("a space in 3-D is refused: test_view.py")
    case = CASES[name]
    x = [np.array(a[:dims]) for a in case.at]
    v = [np.array(a[:dims]) for a in case.velocities]
    expected = np.array(case.expected(x, v))
    result = simulate(name, engine, dims)
    assert np.abs(result - v).max() > 1e-3, "this case shows nothing: no velocity changes"
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-11 if name == "morse" else 1e-12)


DO_NOT_STEER = {"contagion", "command", "learned", "learned-walls", "policy"}
"""Rules without steering from a state alone, or with tables: see test_states.py, test_commands.py
and test_policies.py here, and test_learn.py and test_walls.py of interactions."""


def test_every_kind_has_a_case() -> None:
    """A rule or motion that is added to murmurate needs a case here."""
    built_in = {k for k, c in RULES.items() if c.__module__.startswith("murmurate.")}
    remedy = "tests/rules/rule_cases.py: add a case of each"
    assert {case.rule.kind for case in CASES.values()} == built_in - DO_NOT_STEER, remedy
    motions = {k for k, c in MOTIONS.items() if c.__module__.startswith("murmurate.")}
    assert {(case.motion or mm.Add()).kind for case in CASES.values()} == motions, remedy
