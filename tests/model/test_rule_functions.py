"""Functions of rules as text: what is read, what is refused, and that unedited text simulates the
same."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import murmurate as mm
from murmurate.codegen.planner import make_plan
from murmurate.errors import ModelError, RuleError
from murmurate.language.function_text import NoText, function_text, function_texts
from murmurate.model.files import to_toml

PUSH = """\
def pair(self, me, other):
    q = strength(other.distance)
    return -q * other.dx, -q * other.dy, -q * other.dz

def strength(r):
    return 2 / r if r > 1 else 2
"""
PATH = "rules.separation.functions"


@pytest.fixture
def model() -> mm.Model:
    return mm.load("p5").set({"flocks.boids.count": 12})


def simulated(model: mm.Model, **options: object) -> np.ndarray:
    return np.array(mm.Simulation(model, seed=1, **options).step(6).frame["boids"].positions)


def test_an_edited_rule_is_a_value(model: mm.Model) -> None:
    edited = model.set({PATH: PUSH})
    assert edited != model and edited.rules["separation"].kind == "separation"
    assert mm.parse(to_toml(edited)) == edited
    assert pickle.loads(pickle.dumps(edited)) == copy.deepcopy(edited) == edited
    assert edited.set({PATH: ""}) == model
    assert type(mm.Separation(functions=PUSH)) is type(edited.rules["separation"])
    assert mm.parse(to_toml(model)).rules["separation"] == model.rules["separation"]


@pytest.mark.slow
def test_engines_agree_on_an_edited_rule(model: mm.Model) -> None:
    edited = model.set({PATH: PUSH})
    slow, fast = (
        simulated(edited, engine=engine, dtype="float64") for engine in ("reference", "cpu")
    )
    np.testing.assert_allclose(fast, slow, rtol=1e-9)
    assert np.abs(slow - simulated(model, engine="reference", dtype="float64")).max() > 1e-3


def test_the_text_of_a_rule_simulates_as_the_rule(model: mm.Model) -> None:
    texts = function_texts(model.rules, model.space)
    assert set(texts) == {f"rules.{name}" for name in model.rules}
    edited = model.set({f"{path}.functions": text for path, text in texts.items()})
    options = {"engine": "reference", "dtype": "float64"}
    np.testing.assert_allclose(
        simulated(edited, **options), simulated(model, **options), rtol=1e-12
    )


@pytest.mark.slow
def test_every_published_rule_without_loops_has_a_text_that_is_read() -> None:
    without = set()
    for name in mm.zoo():
        model = mm.load(name)
        for rule_name, rule in model.rules.items():
            try:
                text = function_text(rule, model.space)
            except NoText:
                without.add(rule.kind)
                continue
            make_plan(model.set({f"rules.{rule_name}.functions": text}))
    assert without == {"poisson-kicks"}


REFUSED = {
    "import os": "line 1, column 1: got 'import os'",
    "def pair(self, me, other):\n    return other.dx.real, 0, 0": "line 2, column 12",
    "def pair(self, me, other):\n    return open('x'), 0, 0": "Functions are abs, min",
    "def pair(self, me, other):\n    return (1).__class__, 0, 0": "line 2, column 12",
    "def pair(self, me, other):\n    return self.__class__, 0, 0": "A dot follows self",
    "def pair(self, me, other):\n    while True:\n        q = 1": "'while True:'. Loops",
    "def pair(self, me, other):\n    return [1][0], 0, 0": "line 2, column 12",
    "def pair(self, me, other=1):\n    return 0, 0, 0": "plain arguments",
    "def pair(self, me, other):\n    math = 1\n    return 0, 0, 0": "the name 'math'",
    "def pair(self, me, other):\n    return 9 ** 999999, 0, 0": "at most 64",
    "def pair(self, me, other):\n    return (1 + 2, 0, 0": "line 2, column",
    "def another(self):\n    return 0": "no function of a rule",
    "x" * 7000: "7,000 letters",
    "def pair(self, me, other):\n    return " + "-" * 5000 + "1, 0, 0": "got",
    "def pair(self, me, other):\n    return " + "not " * 1400 + "1, 0, 0": "more than 120 nested",
    "def pair(self, me, other):\n    return " + "1+" * 700 + "1, 0, 0": "more than 120 nested",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_other_text_is_refused_with_its_place(model: mm.Model, text: str) -> None:
    with pytest.raises(ModelError) as error:
        model.set({PATH: text})
    assert str(error.value).startswith(f"{PATH}: line ") and REFUSED[text] in str(error.value)


def test_a_number_that_does_not_exist_is_reported_before_anything_is_compiled(
    model: mm.Model,
) -> None:
    edited = model.set({PATH: PUSH.replace("other.distance", "other.far")})
    with pytest.raises(RuleError, match=r"asks for other\.far.*distance"):
        make_plan(edited)
    sometimes = PUSH.replace("q = str", "if me.x > 0:\n        q = str")
    with pytest.raises(RuleError, match=r"line 4: pair reads 'q', which has no value in some"):
        make_plan(model.set({PATH: sometimes}))
    twice = "\ndef f{}(x):\n    return f{}(x) + f{}(x)"
    doubled = "".join(twice.format(k, k - 1, k - 1) for k in range(1, 40))
    deep = PUSH.replace("strength(other", "f39(other") + "\ndef f0(x):\n    return x" + doubled
    with pytest.raises(RuleError, match="operations, with those of the functions that it calls"):
        make_plan(model.set({PATH: deep}))
    for grown in ("t, t", "t + t"):
        lines = ["t = (1, 2)", *[f"t = ({grown})"] * 40, "q = str"]
        tuples = PUSH.replace("q = str", "\n    ".join(lines))
        with pytest.raises(RuleError, match=r"a tuple of|numbers: use fewer"):
            make_plan(model.set({PATH: tuples}))
    recursive = PUSH.replace("return 2 / r if r > 1 else 2", "return strength(r)")
    with pytest.raises(RuleError, match="calls itself"):
        make_plan(model.set({PATH: recursive}))
