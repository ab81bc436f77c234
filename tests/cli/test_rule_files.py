"""--rules: rules of the user's own, and what is said when they go wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.model.registry import RULES

MODEL = """
[space]
size = [20, 20]
[flocks.boids]
count = 12
motion = { kind = "add", max_speed = 1 }
[rules.swirl]
weight = 0.5
"""
HEAD = "import murmurate as mm\n\n\n"


@pytest.fixture
def swirl(tmp_path: Path):
    """Writes the model and a rule file; returns what to run."""

    def write(body: str) -> tuple[str, ...]:
        (tmp_path / "swirl.toml").write_text(MODEL)
        (tmp_path / "my_rules.py").write_text(HEAD + body)
        return ("run", "swirl.toml", "--steps", "5", "--rules", "my_rules.py")

    return write


ALONE = "class Swirl(mm.Rule):\n    def alone(self, me):\n"
PAIR = "class Swirl(mm.NeighbourRule):\n    def pair(self, me, other):\n"


def test_a_custom_rule_runs(murmurate, swirl):
    words = swirl(ALONE + "        return 10.0 - me.y, me.x - 10.0, 0.0\n")
    ran = murmurate(*words, "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["flocks"]["boids"]["speed"] > 0


def test_a_model_file_alone_runs_no_code(murmurate, swirl):
    words = swirl(ALONE + "        return 0.0, 0.0, 0.0\nraise SystemExit('it ran')\n")
    ran = murmurate(*words[:-2])
    assert ran.code == 2
    assert "no rule named 'swirl'" in ran.err and "it ran" not in ran.err
    assert "--rules FILE.py" in ran.err and "mm.load_rules('FILE.py')" in ran.err


@pytest.mark.parametrize(
    ("body", "line", "message"),
    [
        ("class Swirl(mm.Rule)\n    pass\n", 4, "':'"),
        ("x = 1\ny = x / 0\n", 5, "ZeroDivisionError"),
        ("import no_such_module\n", 4, "no_such_module"),
        ("raise SystemExit(3)\n", 4, "SystemExit"),
        ("class Cohesion(mm.Rule):\n    def alone(self, me):\n        return 0.0, 0.0, 0.0\n",
         4, "built-in"),
    ],
)  # fmt: skip
def test_an_error_in_the_file_is_named_with_its_line(murmurate, swirl, body, line, message):
    ran = murmurate(*swirl(body))
    assert ran.code == 2
    assert f"my_rules.py:{line}" in ran.err
    assert message in ran.err


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (ALONE + "        return me.x, me.y\n", 6),
        (ALONE + "        return me.x + 'far', 0.0, 0.0\n", 6),
        (ALONE + "        return open(me.x), 0.0, 0.0\n", 6),
        (ALONE + "        return me.colour, 0.0, 0.0\n", 6),
        (ALONE + "        return self.strength, 0.0, 0.0\n", 6),
        (ALONE + "        raise ValueError('too far')\n", 6),
        (ALONE + "        if me.x > -1.0:\n            raise ValueError('far')\n"
                 "        return 0.0, 0.0, 0.0\n", 7),
        (PAIR + "        return other.dx\n\n    def finish(self, sums, me):\n"
                "        return sums\n", 6),
        (PAIR + "        return 1.0, other.dx\n\n    def finish(self, sums, me):\n"
                "        return sums\n", 9),
    ],
    ids=["two numbers", "text", "open", "me", "self", "raises", "raises at times", "one sum",
         "wrong shape"],
)  # fmt: skip
def test_an_invalid_rule_is_named_with_its_line(murmurate, swirl, body, line):
    ran = murmurate(*swirl(body))
    assert ran.code == 2
    assert "my_rules.py" in ran.err
    assert f"line {line}" in ran.err or f":{line}" in ran.err
    assert "Swirl" in ran.err or "swirl" in ran.err


def test_in_python_a_file_of_rules_is_loaded_and_loaded_again(swirl, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    swirl(ALONE + "        return 1.0, 0.0, 0.0\n")
    with pytest.raises(mm.ModelError, match=r"rules\.swirl: no rule named 'swirl'.*load_rules"):
        mm.load("swirl.toml")
    file = tmp_path / "my_rules.py"
    try:
        mm.load_rules(file)
        first = mm.load("swirl.toml").rules["swirl"]
        second = "class Swril(mm.Rule):\n    def alone(self, me):\n        return 2.0, 0.0, 0.0\n"
        file.write_text(HEAD + second + "raise ValueError('half way')\n")
        with pytest.raises(mm.RuleError, match="half way"):  # nothing of it is known then
            mm.load_rules("my_rules.py")
        assert type(mm.load("swirl.toml").rules["swirl"]) is type(first)
        assert "swril" not in RULES
        file.write_text(HEAD + second)
        mm.load_rules("my_rules.py")
        with pytest.raises(mm.ModelError, match="did you mean 'swril'"):
            mm.load("swirl.toml")
    finally:
        for kind in ("swirl", "swril"):
            RULES.pop(kind, None)


def test_a_rule_file_that_is_not_there(murmurate):
    ran = murmurate("run", "tiny.toml", "--rules", "nowhere.py")
    assert ran.code == 2
    assert "nowhere.py" in ran.err


def test_a_rule_that_gives_numbers_that_are_not_finite(murmurate, swirl):
    body = "        return math.sqrt(-1.0 - me.x * me.x), 0.0, 0.0\n"
    words = swirl(f"import math\n\n\n{ALONE}{body}")
    ran = murmurate(*words, "--engine", "reference")
    assert ran.code == 1
    assert "boid 0 of flock 'boids'" in ran.err and "in step 1" in ran.err


@pytest.mark.parametrize(
    "words",
    [
        "sweep swirl.toml --vary rules.swirl.weight=0.5,1 --processes 1 --measures speed",
        "fit swirl.toml swirl.toml --measures speed --vary rules.swirl.weight=0:1 --runs 9",
    ],
)
def test_a_folder_runs_no_rule_file_that_the_command_does_not_name(
    words, murmurate, swirl, tmp_path, monkeypatch
):
    """Its plan may be of another person. The runs are left out: only the steps before them are
    tested."""
    swirl(ALONE + "        return 10.0 - me.y, me.x - 10.0, 0.0\n")
    for function in ("murmurate.sweeps.run.run_sweep", "murmurate.fitting.run.run_fit"):
        monkeypatch.setattr(function, _stop_after_beginning)
    own = ("--rules", "my_rules.py")
    command, *more = words.split()
    target = {"speed": (0.5, 0.1)}, {}
    monkeypatch.setattr("murmurate.fitting.run.measure_target", lambda *_, **__: target)
    ran = murmurate(command, *more, "-o", "it", *own, "--engine", "reference")
    file = (tmp_path / "my_rules.py").resolve()
    assert ran.code == 130 and f"murmurate {command} it --rules {file}" in ran.err, ran
    refused = murmurate(command, "it")
    assert refused.code == 2 and f"resume with --rules {file}" in refused.err, refused
    (tmp_path / "other.py").write_text("raise SystemExit('it ran')")
    refused = murmurate(command, "it", *own, "--rules", "other.py")
    assert refused.code == 2 and "it ran" not in refused.err
    assert murmurate(command, "it", *own).code == 130


def _stop_after_beginning(plan, folder, *_):
    from murmurate.fitting.fit_plan import FitFolder
    from murmurate.sweeps.store import SweepFolder

    (folder if isinstance(folder, FitFolder) else SweepFolder(folder)).begin(plan)
    raise KeyboardInterrupt
