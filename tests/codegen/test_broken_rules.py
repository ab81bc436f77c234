"""What cannot be done in a rule of one's own is said with the file and the line."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from broken_rules import BROKEN, HEAD

import flights
import murmurate as mm
from murmurate.model.registry import RULES


@pytest.fixture
def loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], type]]:
    """Loads a rule's class from a file of its own; it is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    rule_names = set(RULES)

    def load(text: str) -> type:
        (tmp_path / "own_broken_rule.py").write_text(HEAD + text, encoding="utf-8")
        importlib.invalidate_caches()
        module = importlib.import_module("own_broken_rule")
        return next(c for name, c in vars(module).items() if name.startswith("Own"))

    yield load
    sys.modules.pop("own_broken_rule", None)
    for kind in set(RULES) - rule_names:
        del RULES[kind]


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
        assert message.endswith(f"\n    {text.splitlines()[line - 1].strip()}"), message
    assert all(word in message for word in words), message
    for compilers in ("numba", "nopython", "Numbers1", "kernel_", "<built-in", "SimpleNamespace"):
        assert compilers not in message, message


def test_built_in_rules_cannot_be_replaced() -> None:
    with pytest.raises(mm.ModelError, match="built-in rule, 'cohesion'"):

        class Cohesion(mm.Rule):
            """Has the name of another."""

            formula: ClassVar[str] = ""

            def alone(self, me):
                return 0.0, 0.0, 0.0

    assert RULES["cohesion"] is mm.Cohesion
    assert np.isfinite(RULES["cohesion"]().weight)


@pytest.mark.parametrize("name", ["returns-two", "raises", "calls-a-number", "kept-misspelt"])
def test_the_reference_engine_says_it_too(name: str, loaded: Callable[[str], type]) -> None:
    """It runs plain Python, so what it meets is what Python raises; never a bare traceback."""
    text, line, _ = BROKEN[name]
    cls = loaded(text)
    model = mm.Model(
        space=mm.Space(size=(5.0, 5.0)),
        flocks={"boids": mm.Flock(count=2, motion=mm.Add())},
        rules={"mine": cls()},
    )
    assert line is not None
    with pytest.raises(mm.RuleError, match=f"line {line + HEAD.count(chr(10))}: {cls.__name__}"):
        flights.reference(model, start={"boids": (np.full((2, 2), 2.0), np.ones((2, 2)))}).step(1)
