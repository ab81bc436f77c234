"""What cannot be done in a rule of one's own is said with the file and the line."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.model.rule import KINDS

HEAD = """import math

import numpy as np

import murmurate as mm

TABLE = {"a": 1.0}


def countdown(n):
    if n <= 0:
        return 0.0
    return 1.0 + countdown(n - 1)


"""
BROKEN = {
    # the class's text, the line in it (counted from 1) that must be named, and words of the message
    "raises": (
        """class OwnRaises(mm.Rule):
    def alone(self, me):
        x = me.nothing
        return x, 0.0, 0.0
""",
        3,
        ["OwnRaises.alone", "nothing"],
    ),
    "returns-two": (
        """class OwnTwo(mm.Rule):
    def alone(self, me):
        if me.x > 1e9:
            return 0.0, 0.0, 0.0
        return 1.0, 2.0
""",
        5,
        ["OwnTwo.alone", "2 numbers", "three"],
    ),
    "returns-nothing": (
        """class OwnNothing(mm.Rule):
    def alone(self, me):
        me.x + 1.0
""",
        2,
        ["OwnNothing.alone", "None"],
    ),
    "uneven": (
        """class OwnUneven(mm.NeighbourRule):
    def pair(self, me, other):
        if other.dx > 0.0:
            return other.dx, other.dy
        return (other.dx,)

    def finish(self, sums, me):
        return 0.0, 0.0, 0.0
""",
        2,
        ["OwnUneven.pair", "1 and 2"],
    ),
    "not-written-out": (
        """class OwnVariable(mm.NeighbourRule):
    def pair(self, me, other):
        answer = (1.0, other.dx)
        return answer

    def finish(self, sums, me):
        return 0.0, 0.0, 0.0
""",
        4,
        ["OwnVariable.pair", "written out"],
    ),
    "unknown-name": (
        """class OwnUnknown(mm.Rule):
    def alone(self, me):
        a = 1.0
        return a * STRENGTH, 0.0, 0.0
""",
        4,
        ["OwnUnknown.alone", "STRENGTH"],
    ),
    "a-table": (
        """class OwnTable(mm.Rule):
    def alone(self, me):
        return TABLE["a"], 0.0, 0.0
""",
        3,
        ["OwnTable.alone", "TABLE"],
    ),
    "calls-itself": (
        """class OwnRecursive(mm.Rule):
    def alone(self, me):
        return countdown(3), 0.0, 0.0
""",
        None,
        ["own_broken_rule.py, line 10", "countdown calls itself"],
    ),
    "prints": (
        """class OwnPrints(mm.Rule):
    def alone(self, me):
        print(me.x)
        return 0.0, 0.0, 0.0
""",
        3,
        ["OwnPrints.alone", "print"],
    ),
    "arrays": (
        """class OwnArrays(mm.Rule):
    def alone(self, me):
        return np.array([me.x, me.y, me.z])
""",
        3,
        ["OwnArrays.alone", "np"],
    ),
    "arguments": (
        """class OwnArguments(mm.Rule):
    def alone(self, you):
        return 0.0, 0.0, 0.0
""",
        2,
        ["OwnArguments.alone", "alone(self, me)"],
    ),
    "no-finish": (
        """class OwnUnfinished(mm.NeighbourRule):
    def pair(self, me, other):
        return (other.dx,)
""",
        None,
        ["OwnUnfinished", "finish"],
    ),
}


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], type]]:
    """Loads a rule's class from a file of its own; it is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(KINDS)

    def load(text: str) -> type:
        (tmp_path / "own_broken_rule.py").write_text(HEAD + text, encoding="utf-8")
        importlib.invalidate_caches()
        module = importlib.import_module("own_broken_rule")
        return next(c for name, c in vars(module).items() if name.startswith("Own"))

    yield load
    sys.modules.pop("own_broken_rule", None)
    for kind in set(KINDS) - known:
        del KINDS[kind]


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_done(name: str, loaded: Callable[[str], type]) -> None:
    text, line, words = BROKEN[name]
    cls = loaded(text)
    model = mm.Model(
        space=mm.Space(size=(5.0, 5.0)),
        flocks={"boids": mm.Flock(count=2, motion=mm.Add())},
        rules={"mine": cls()},
    )
    with pytest.raises(mm.RuleError) as caught:
        flights.cpu(model).step(1)
    message = str(caught.value)
    if line is not None:
        where = f"own_broken_rule.py, line {line + HEAD.count(chr(10))}"
        assert where in message, message
    assert all(word in message for word in words), message


def test_built_in_rules_cannot_be_replaced() -> None:
    with pytest.raises(mm.ModelError, match="built-in 'cohesion'"):

        class Cohesion(mm.Rule):
            """Has the name of another."""

            formula: ClassVar[str] = ""

            def alone(self, me):
                return 0.0, 0.0, 0.0

    assert KINDS["cohesion"] is mm.Cohesion
    assert np.isfinite(KINDS["cohesion"]().weight)
