"""murmurate new --rule: what it writes flies as it stands and passes its own test."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import sys
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.cli.new_files import rule_files
from murmurate.model.registry import MOTIONS, RULES
from processes import ran_well


@pytest.fixture(autouse=True)
def _forgotten():
    """What a test's rule files made known is forgotten after it."""
    before = [dict(registry) for registry in (RULES, MOTIONS)]
    yield
    for registry, registered in zip((RULES, MOTIONS), before, strict=True):
        registry.clear()
        registry.update(registered)


def test_texts_name_attributes_that_exist():
    text = "".join(
        [*rule_files("a", "A", "a", False).values(), *rule_files("a", "A", "a", True).values()]
    )
    named = re.findall(r"`(\w+)` of mm\.(\w+)", text)
    assert named and all(hasattr(getattr(mm, owner), name) for name, owner in named)


@pytest.mark.parametrize("kind", ["--rule", "--motion"])
def test_new_files_run(murmurate, tmp_path: Path, kind: str, monkeypatch):
    ran = murmurate("new", kind, "swirl-left")
    assert ran.code == 0, ran.err
    names = {"swirl_left.py", "swirl_left.toml", "test_swirl_left.py"}
    others = {"tiny.toml", "murmurate.schema.json"}
    assert {path.name for path in tmp_path.iterdir()} == names | others
    first = (tmp_path / "swirl_left.toml").read_text().splitlines()[0]
    assert first == "#:schema ./murmurate.schema.json"
    texts = [(tmp_path / name).read_text() for name in names]
    assert max(len(line) for text in texts for line in text.splitlines()) <= 88
    commands = [line.strip() for line in ran.out.splitlines() if line.startswith("  ")]
    assert [command.split()[1] for command in commands] == ["watch", "film"]
    arguments = shlex.split(commands[0].replace("murmurate watch", "run"))
    assert murmurate(*arguments, "--steps", "3", "--engine", "reference").code == 0
    printed = murmurate("show", *arguments[1:]).out
    formulas = {"--motion": "v_i + dt * (steering - 0.05", "--rule": "0.02 * (mean of x_j - x_i)"}
    assert formulas[kind] in printed
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        runpy.run_path("test_swirl_left.py")["test_velocities_computed_by_hand"]()
    finally:
        sys.modules.pop("swirl_left", None)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("--rule", marks=pytest.mark.slow),
        pytest.param("--motion", marks=pytest.mark.long),
    ],
)
def test_new_files_pass_their_test(murmurate, tmp_path: Path, kind: str):
    assert murmurate("new", kind, "swirl-left").code == 0
    ran_well(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)


def test_nothing_is_replaced_unless_forced(murmurate, tmp_path: Path):
    (tmp_path / "test_swirl.py").write_text("precious")
    ran = murmurate("new", "--rule", "swirl")
    assert ran.code == 2 and "test_swirl.py exists and is kept" in ran.err
    assert "--force" in ran.err and not (tmp_path / "swirl.py").exists()
    assert murmurate("new", "--rule", "swirl", "--force").code == 0
    assert "precious" not in (tmp_path / "test_swirl.py").read_text()
    ran = murmurate("new", "--rule", "swirl")
    assert ran.code == 2 and "exist and are kept" in ran.err


def test_elsewhere_under_another_name(murmurate, tmp_path: Path):
    (tmp_path / "my rules").mkdir()
    ran = murmurate("new", "--rule", "swirl", "-o", "my rules/own.py")
    assert ran.code == 0 and "class Swirl(" in (tmp_path / "my rules" / "own.py").read_text()
    assert f"--rules {shlex.quote(os.path.join('my rules', 'own.py'))}" in ran.out
    assert "from own import Swirl" in (tmp_path / "my rules" / "test_own.py").read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Swirl"], "for a rule: use lower-case letters"),
        (["two words"], "for a rule: use lower-case letters"),
        (["../up"], "for a rule: use lower-case letters"),
        (["swirl-"], "for a rule: use lower-case letters"),
        (["cohesion"], "a rule of this name exists"),
        (["x", "--motion", "add"], "got --rule and --motion; expected one"),
        (["class"], "not a word of Python"),
        (["random"], "a module of Python has this name"),
        (["swirl", "-o", "swirl.txt"], "ending in .py"),
        (["swirl", "-o", "my-rules.py"], "letters, digits or '_'"),
        (["swirl", "-o", "nowhere/swirl.py"], "no folder nowhere"),
    ],
)
def test_names_that_cannot_be(murmurate, tmp_path: Path, words: list[str], message: str):
    ran = murmurate("new", "--rule", *words)
    assert ran.code == 2 and message in ran.err, ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_new_needs_one_thing_to_write(murmurate):
    for words in ([], ["p5", "--rule", "x"], ["--motion", "add"], ["p5", "a.toml", "-o", "b.toml"]):
        ran = murmurate("new", *words)
        assert ran.code == 2 and ("expected one" in ran.err or "motion of this name" in ran.err)
