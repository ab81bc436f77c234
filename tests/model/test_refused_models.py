"""Error messages of models, from files and as values."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from full_model import BOIDS, SPACE, full

import murmurate as mm


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("rules.cohesoin.weight", 1.0, ["rules.cohesoin.weight", "did you mean 'cohesion'?"]),
        ("rules.cohesion.wieght", 1.0, ["rules.cohesion.wieght", "did you mean 'weight'?"]),
        (
            "rules.cohesion.radius",
            -3,
            ["rules.cohesion.radius: got -3; expected a number > 0 or inf"],
        ),
        ("rules.cohesion.weight", math.nan, ["rules.cohesion.weight: got nan"]),
        ("rules.cohesion.weight", math.inf, ["rules.cohesion.weight: got inf", "finite"]),
        ("rules.cohesion.weight", "big", ["rules.cohesion.weight", "'big'"]),
        ("rules.cohesion.weight", True, ["rules.cohesion.weight", "True"]),
        ("rules.cohesion.form", "steer", ["rules.cohesion.form", "'steering'", "'steer'"]),
        ("rules.cohesion.moves", "bods", ["rules.cohesion.moves", "did you mean 'boids'?"]),
        ("rules.flee.senses", "hawks", ["rules.flee.senses", "did you mean 'hawks-2'?"]),
        ("rules.flee.senses", ["hawks-2", ""], ["rules.flee.senses: got [", "Leave out the empty"]),
        ("rules.cohesion.moves", [""], ["rules.cohesion.moves: got [", "Leave out the empty"]),
        ("rules", 3.0, ["rules: got 3.0 for a whole table"]),
        ("flocks.boids.count", -1, ["flocks.boids.count", "-1"]),
        ("flocks.boids.count", 1.5, ["flocks.boids.count", "1.5"]),
        ("flocks.boids.start.radius", 0.0, ["flocks.boids.start.radius", "greater than 0"]),
        ("flocks.boids.start.kind", "bal", ["flocks.boids.start", "did you mean 'ball'?"]),
        ("flocks.boids.motion.min_speed", 5.0, ["flocks.boids.motion.min_speed", "max_speed"]),
        ("flocks.boids.motion.kind", "ad", ["flocks.boids.motion", "did you mean 'add'?"]),
        ("flocks.boids.motion.max_force", math.inf, ["flocks.boids.motion.max_force", "priority"]),
        ("flocks.boids.perching.shortest", 100, ["flocks.boids.perching", "longest: got 99"]),
        ("flocks.boids.look.colour", "steelblu", ["look.colour", "did you mean steelblue"]),
        ("space.size.1", 0, ["space.size.1", "greater than 0"]),
        ("space.size.3", 1.0, ["space.size.3", "0 to 2"]),
        ("space.boundary", "torus", ["space.boundary", "periodic", "'torus'"]),
        (
            "obstacles.wall.normal",
            [0.0, 0.0, 0.0],
            ["obstacles.wall.normal: got a vector of zeros"],
        ),
        (
            "obstacles.box.centre",
            [0.0, 0.0],
            ["obstacles.box.centre", "got 2 numbers", "expected 3"],
        ),
        ("dt", math.inf, ["dt", "finite"]),
        ("dt", 0, ["dt", "greater than 0"]),
        ("dt", True, ["dt: got True", "number"]),
        ("dt", "0.1", ["dt: got '0.1'", "number"]),
        ("dt", 1e12, ["dt: got 1e+12", "1,000,000,000", "float32"]),
        ("space.size", [True, 9.0, 9.0], ["space.size.0: got True", "number"]),
        ("space.size.0", 1e12, ["space.size.0: got 1e+12", "float32"]),
        ("space.size.²", 1.0, ["space.size.²", "0 to 2"]),
        ("rules.cohesion.weight", 1e12, ["rules.cohesion.weight: got 1e+12", "float32"]),
        ("rules.cohesion.radius", 1e12, ["rules.cohesion.radius: got 1e+12", "float32"]),
        ("flocks.boids.start.radius", 1e12, ["flocks.boids.start.radius: got 1e+12", "float32"]),
        ("obstacles.box.centre.0", -1e12, ["obstacles.box.centre: got -1e+12", "float32"]),
        ("flocks.boids.count", True, ["flocks.boids.count: got True", "whole number"]),
        ("flocks.boids.count", "12", ["flocks.boids.count: got '12'", "whole number"]),
        ("rules.cohesion.nearest", True, ["rules.cohesion.nearest: got True", "whole number"]),
        ("oder", "synchronous", ["oder", "did you mean 'order'?"]),
    ],
)
def test_wrong_values_are_refused(path: str, value: Any, words: list[str]) -> None:
    """The message names the path, the value that it got, and what is expected."""
    with pytest.raises(mm.ModelError) as caught:
        full().set({path: value})
    message = str(caught.value)
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("dt", 10**400, ["dt: got 1000", "(401 characters)", "valid number"]),
        ("space.size." + "1" * 5000, 1.0, ["space.size.111", "0 to 2"]),
        (".".join("a" * 20_000), 1.0, ["a.a.a", "20,000 parts", "at most 12"]),
        ("view.steps", 10**400, ["view.steps", "at most 9,007,199,254,740,992"]),
        ("space.size", "9" * 5000, ["space.size", "(5,002 characters)"]),
    ],
    ids=["digits", "place", "path", "steps", "word"],
)
def test_long_values_are_refused_in_a_short_message(
    path: str, value: Any, words: list[str]
) -> None:
    with pytest.raises(mm.ModelError) as caught:
        full().set({path: value})
    message = str(caught.value)
    assert all(word in message for word in words), message[:1000]
    assert len(message) < 500


def test_what_is_missing_is_described() -> None:
    with pytest.raises(mm.ModelError, match=r"place: is missing \(The centre of .* Unit: length\)"):
        mm.Home()


def test_all_errors_are_in_one_message() -> None:
    text = """
        dt = -1
        order = "togther"
        [space]
        size = [10, nan]
        [flocks.boids]
        count = 3
        motion = { kind = "add", max_sped = 3 }
        [rules.cohesion]
        radius = -3
        weigth = 2
        [rules.windy]
        kind = "wnd"
    """
    with pytest.raises(mm.ModelError) as caught:
        mm.parse(text, "my.toml")
    lines = str(caught.value).splitlines()
    assert all(line.startswith("my.toml: ") for line in lines)
    for key in (
        "dt",
        "order",
        "space.size.1",
        "flocks.boids.motion.max_sped",
        "rules.cohesion.radius",
        "rules.cohesion.weigth",
        "rules.windy",
    ):
        assert sum(f"my.toml: {key}: " in line for line in lines) == 1, (key, lines)
    assert len(lines) == 7


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size = ", ["my.toml", "not a TOML file"]),
        ("[space]\nsize=[9.0,9.0]", ["flocks"]),
        ("[space]\nsize=[9.0]\n[flocks.a]\ncount=1", ["space.size"]),
        ("[space]\nsize=[9.0,9.0]\n[flocks.obstacles]\ncount=1", ["flocks.obstacles", "reserved"]),
        ("[space]\nsize=[9.0,9.0]\n[flocks.'1']\ncount=1", ["flocks.1", "letter"]),
    ],
)
def test_bad_files(text: str, words: list[str]) -> None:
    with pytest.raises(mm.ModelError) as caught:
        mm.parse(text, "my.toml")
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a = " + "[" * 95_000 + "]" * 95_000, "nested tables and lists; expected at most 12"),
        ("a = " + "{b=" * 500 + "1" + "}" * 500, "nested tables and lists; expected at most 12"),
        (".".join("a" * 20_000) + " = 1", "a dotted key with too many parts; expected at most 12"),
        ("[a" + ".'a'" * 50 + "]", "a dotted key with too many parts; expected at most 12"),
        ("dt = " + "1" * 5000, "a number or key of 5,000 characters; expected at most 256"),
        ("a" * 300 + " = 1", "a number or key of 300 characters; expected at most 256"),
    ],
    ids=["lists", "tables", "key", "header", "digits", "word"],
)
def test_toml_beyond_limits_is_refused(line: str, words: str) -> None:
    with pytest.raises(mm.ModelError) as caught:
        mm.parse(f'title = "a"\n{line}\n', "my.toml")
    assert str(caught.value) == f"my.toml: not a TOML file: got {words} (at line 2)"


def test_brackets_and_dots_in_strings_and_comments_have_no_limit() -> None:
    brackets = "[{" * 50 + "a.b." * 50
    text = f"""
        # {brackets}
        title = "{brackets}\\"{brackets}"  # {brackets}
        about = \"\"\"{brackets} "" \\" ' {brackets}\"\"\"
        tries = ['''{brackets} '' " {brackets}''']
        space.size = [9.0, 9.0]
        flocks.boids.count = 1
        source."{"a.b." * 50}" = 1
    """
    with pytest.raises(mm.ModelError, match=r"source.*no such key") as caught:
        mm.parse(text)
    assert len(str(caught.value).splitlines()) == 1


def test_a_model_file_is_read_up_to_a_length(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"#" * ((16 << 20) + 1))
    with pytest.raises(mm.ModelError, match=r"a\.toml: got a file of more than 16 MiB"):
        mm.load(tmp_path / "a.toml")


@pytest.mark.parametrize(
    ("dt", "count", "steps", "max_steps"),
    [
        (1e-7, 3, "1e+07", "100,000"),
        (1e-3, 1_000_000, "1,000", "200"),
        (1e-310, 3, "inf", "100,000"),
    ],
)
def test_past_states_are_bounded(dt: float, count: int, steps: str, max_steps: str) -> None:
    """The limits are for steps, and for steps times boids."""
    flock = {"count": count, "sensing": {"delay": 0.75, "refresh": 0.25}}
    with pytest.raises(mm.ModelError) as caught:
        mm.Model(space=SPACE, dt=dt, flocks={"boids": flock})
    message = str(caught.value)
    assert f"flocks.boids.sensing: got delay and refresh of {steps} steps of dt" in message
    assert f"at most {max_steps} steps" in message
    mm.Model(space=SPACE, dt=1 / 64, flocks={"boids": flock})


def test_periodic_sides_are_at_least_two_radii_long() -> None:
    space = mm.Space(size=(10.0, 3.9), boundary="periodic")
    with pytest.raises(mm.ModelError, match=r"space\.size\.1: got 3\.9.*rules\.cohesion\.radius"):
        mm.Model(space=space, flocks=BOIDS, rules={"cohesion": mm.Cohesion(radius=2.0)})


def test_wires_that_no_boid_can_use_are_refused() -> None:
    """A flock that does not perch, a wire that moves, ends outside of the space or at one point."""
    wire = {"kind": "perch", "start": [0.0, 5.0], "end": [9.0, 5.0], "reach": 1.0}
    space, perching = {"size": [10, 10], "boundary": "held"}, {"perching": {"ground": -1.0}}

    def refused(words: str, flock: dict[str, Any] = perching, **changed: Any) -> None:
        model = {"space": space, "flocks": {"boids": {"count": 3, **flock}}}
        with pytest.raises(ValueError, match=words):
            mm.Model.model_validate({**model, "rules": {"wire": {**wire, **changed}}})

    refused(r"without perching.*Add \[flocks.boids.perching\]", {})
    refused(r"rules.wire.end: got the point of start", end=wire["start"])
    refused(r"rules.wire.end.1: got 11; expected 0 to 10", end=[9.0, 11.0])
    refused(
        r"rules.wire.sag: got a schedule",
        sag={"kind": "cycle", "amplitude": 0.1, "mean": 1.0, "period": 3.0},
    )
    refused(r"rules.wire.reach", reach={"kind": "uniform", "min": 1.0, "max": 2.0})
