"""What the zoo's files promise: every [[expect]] holds, every setting worth trying is one, and the
bounds are tight enough to notice a rule with a wrong sign or a factor of 2."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import murmurate as mm
from murmurate.verify.statistics import find, picked

ZOO = sorted(mm.zoo())


def brief(model: mm.Model) -> list[mm.Expectation]:
    """What is measured at one moment of the model as it stands: the rest is for verify."""
    return [e for e in model.expect if e.since is None and not e.set and not e.relative]


def results(model: mm.Model) -> list[tuple[mm.Expectation, int, float]]:
    """(expectation, seed, measured value) for each seed of each brief expectation of a model."""
    out = []
    for seed in sorted({seed for expected in brief(model) for seed in expected.seeds}):
        simulation = mm.Simulation(model, seed, dtype="float64", threads=1)
        at = 0
        for expected in sorted(brief(model), key=lambda e: e.step):
            if seed in expected.seeds:
                frame = simulation.step(expected.step - at).frame
                at = expected.step
                measure = find(expected.measure)
                out.append((expected, seed, measure(picked(frame, expected.flock))))
    return out


def failures(model: mm.Model) -> list[str]:
    """Expectations whose mean over seeds is out of bounds: one flight alone hangs on the machine,
    since the least rounding in a flock grows until no boid is where it would have been."""
    seen: dict[int, list[float]] = {}
    for expected, _, value in results(model):
        seen.setdefault(id(expected), []).append(value)
    means = [(e, sum(seen[id(e)]) / len(seen[id(e)])) for e in brief(model)]
    return [
        f"{e.measure} of {e.flock} at step {e.step}: {mean:.5g} is not in {e.bounds()} ({e.why})"
        for e, mean in means
        if not e.bounds()[0] <= mean <= e.bounds()[1]
    ]


@pytest.mark.parametrize("name", ZOO)
def test_every_brief_expectation_holds(name: str) -> None:
    assert failures(mm.load(name)) == []


@pytest.mark.parametrize("name", ZOO)
def test_every_file_says_what_it_is(name: str) -> None:
    model = mm.load(name)
    assert model.name == name
    assert model.title and model.about and model.source.reference and model.source.reading
    assert model.tries and model.expect
    assert all(expected.why for expected in model.expect)


UNIT = {"polarization", "milling", "absolute_milling", "largest_cluster", "arrived", "outside"}
"""Measures from 0 to 1."""


@pytest.mark.parametrize("name", ZOO)
def test_a_claim_in_words_has_no_number_of_its_own(name: str) -> None:
    """A paper that says 'a torus' says that milling is high, not that it is 0.9: a value, or a
    window around one, is ours, and its origin says so."""
    for one in mm.load(name).expect:
        if one.origin == "claimed":
            low, high = one.bounds()
            assert one.value is None, one.why
            assert one.measure not in UNIT or low <= 0.0 or high >= 1.0, one.why


def a_try(line: str) -> tuple[str, Any, str]:
    """'path=value: what it does' -> path, value, what it does."""
    setting, colon, effect = line.partition(": ")
    path, equals, value = setting.partition("=")
    assert colon and equals and effect.strip(), line
    return path, tomllib.loads(f"value = {value}")["value"], effect


@pytest.mark.parametrize("name", ZOO)
def test_every_setting_worth_trying_is_one(name: str) -> None:
    model = mm.load(name)
    for line in model.tries:
        path, value, _ = a_try(line)
        changed = model.set({path: value})
        assert changed != model, f"{line}: nothing changes"


@pytest.mark.parametrize("name", ZOO)
def test_every_file_is_its_model(name: str) -> None:
    model = mm.load(name)
    assert mm.parse(mm.to_toml(model), f"{name}.toml") == model


# What changes nothing: a weight of 0 stays 0; a predator on the knot flies at its limit of speed,
# half or double; random kicks are as likely the other way round.
SAME = {
    ("sort-sol-near", "knot", 0.5),
    ("sort-sol-near", "knot", 2.0),
    ("heppner-grenander", "gusts", -1.0),
}
MUTATED = [
    "agentpy-2d",
    "heppner-grenander",
    "p5",
    "parker",
    "parker-perch",
    "parker-wind",
    "sort-sol-near",
    "ucl",
]


def mutants() -> list[tuple[str, str, float]]:
    return [
        (name, rule, factor)
        for name in MUTATED
        for rule, its in mm.load(name).rules.items()
        for factor in (-1.0, 0.5, 2.0)
        if its.weight != 0 and (name, rule, factor) not in SAME
    ]


@pytest.mark.parametrize(("name", "rule", "factor"), mutants())
def test_a_wrong_sign_or_a_factor_of_2_is_noticed(name: str, rule: str, factor: float) -> None:
    model = mm.load(name)
    weight = model.rules[rule].weight
    wrong = model.set({f"rules.{rule}.weight": factor * weight})
    try:
        noticed = bool(failures(wrong))
    except mm.RunError:  # the flock flew apart
        noticed = True
    assert noticed, f"{name} with rules.{rule}.weight = {factor * weight:g} went unnoticed"
