"""What the zoo's files promise: every brief [[expect]] holds, every setting worth trying is one,
and the first steps notice a rule with a wrong sign or a factor of 2."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

import murmurate as mm
from murmurate.verify import Result, verify

ZOO = sorted(mm.zoo())
QUICK = {"p5": (), "vicsek-1995": pytest.mark.slow}


def some(each: int) -> list[Any]:
    """Return published flocks: slow tests simulate each nth one, of which a kernel is compiled, and
    long tests the others."""
    marks = [pytest.mark.long if k % each else pytest.mark.slow for k in range(len(ZOO))]
    return [
        pytest.param(name, marks=QUICK.get(name, mark))
        for name, mark in zip(ZOO, marks, strict=True)
    ]


def brief(model: mm.Model) -> mm.Model:
    """With what is measured at one moment of the model as it stands: the rest is for verify."""
    kept = (e for e in model.expect if e.since is None and not e.set and not e.relative)
    return model.model_copy(update={"expect": tuple(kept)})


def first_steps(model: mm.Model) -> mm.Model:
    """With its trajectories alone."""
    kept = (e for e in model.expect if e.kind == "trajectory")
    return model.model_copy(update={"expect": tuple(kept)})


def differing(model: mm.Model) -> list[Result]:
    return [result for result in verify(model) if result.differs]


@pytest.mark.parametrize("name", some(3))
def test_every_brief_expectation_holds(name: str) -> None:
    model = brief(mm.load(name))
    assert any(e.kind == "trajectory" for e in model.expect)
    assert differing(model) == []


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


# What changes nothing, by half and double: a rule that alone says where to go says a direction,
# whatever its weight, and a predator on its way flies at its limit of speed.
DIRECTIONS = {
    ("couzin-2002", "repulsion"),
    ("gregoire-chate-angular", "heading-alignment"),
    ("sort-sol", "knot"),
    ("sort-sol-near", "knot"),
    ("strombom-2014", "herd"),
    ("topological", "heading-alignment"),
    ("vicsek-1995", "heading-alignment"),
}
# What moves nobody in the first steps, beyond the gate and where no falcon strikes yet: statistics
# notice these.
LATER = {("parker-gate", "beyond"), ("starlings", "flee")}


def mutants(name: str) -> list[tuple[str, float]]:
    """Return paths of weights, and wrong values; each is to be set alone."""
    return [
        (f"rules.{rule}.weight", factor * its.weight)
        for rule, its in mm.load(name).rules.items()
        if isinstance(its.weight, float) and its.weight != 0 and (name, rule) not in LATER
        for factor in ((-1.0,) if (name, rule) in DIRECTIONS else (-1.0, 0.5, 2.0))
    ]


@pytest.mark.parametrize("name", some(3))
def test_a_wrong_sign_or_a_factor_of_2_is_noticed(name: str) -> None:
    """In the first steps, to rounding: on any machine."""
    model = first_steps(mm.load(name))
    unnoticed = [wrong for wrong in mutants(name) if not differing(model.set(dict([wrong])))]
    assert not unnoticed
