"""What is wrong with a command or a model file is said, all at once, with what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["flim", "ucl"], ["no command named 'flim'", "did you mean 'film'?"]),
        (["run", "ucl", "--stepz", "3"], ["--stepz", "Did you mean --steps?", "run --help"]),
        (["run", "ucl", "--seed", "x"], ["--seed", "x", "int"]),
        (["run"], ["MODEL"]),
        (["run", "ucl", "more"], ["more"]),
        (["run", "uc1"], ["no model named 'uc1'", "did you mean 'ucl'?", ".toml"]),
        (["run", "nowhere.toml"], ["nowhere.toml", "cannot be read"]),
        (["run", "tiny.toml", "--seed", "-1"], ["seed is -1", ">= 0"]),
        (["run", "tiny.toml", "--threads", "0"], ["threads is 0", "at least 1"]),
        (["run", "tiny.toml", "--threads", "1000000"], ["threads is 1000000", "at most"]),
        (["run", "tiny.toml", "--steps", "-1"], ["--steps -1", "0 or more"]),
        (["run", "tiny.toml", "--dtype", "float16"], ["float16", "float32", "float64"]),
        (["run", "tiny.toml", "--boids", "-3"], ["--boids -3", "flocks.boids.count"]),
        (["run", "tiny.toml", "--set", "weight"], ["--set weight", "PATH=VALUE"]),
        (["run", "tiny.toml", "--set", "rules.cohesion.weight=[1"], ["[1 is not a value"]),
        (["still", "tiny.toml", "--at", "-2"], ["--at -2"]),
        (["film", "tiny.toml", "--size", "wide"], ["--size wide", "1280x720"]),
        (["film", "tiny.toml", "--size", "10x10"], ["--size 10x10", "64"]),
        (["film", "tiny.toml", "--style", "blue"], ["--style blue", "dark", "light", "dusk"]),
        (["film", "tiny.toml", "--fps", "0"], ["--fps 0", "greater than 0"]),
        (["film", "tiny.toml", "--steps", "0"], ["--steps 0", "1"]),
        (["film", "tiny.toml", "--every", "9"], ["every 9 steps", "no picture"]),
        (["bench", "--only", "standart"], ["standart", "did you mean 'standard'?"]),
    ],
)
def test_a_bad_command_is_refused(murmurate, words, said):
    ran = murmurate(*words)
    assert ran.code == 2
    for word in said:
        assert word in ran.err
    assert all(line.startswith("murmurate: error: ") for line in ran.err.splitlines())
    assert ran.out == ""
    assert not list(Path().glob("*.mp4"))


def test_every_wrong_setting_at_once(murmurate):
    ran = murmurate(
        "run", "tiny.toml", "--set", "rules.cohesoin.weight=1", "--set",
        "rules.cohesion.weight=heavy", "--set", "space.boundary=periodik", "--boids", "-4",
    )  # fmt: skip
    assert ran.code == 2
    assert "did you mean 'cohesion'?" in ran.err
    for option in ("--set rules.cohesion.weight=heavy", "space.boundary=periodik", "--boids -4"):
        assert any(option in line for line in ran.errors)


def test_every_wrong_value_of_a_file_at_once(murmurate, tmp_path: Path):
    (tmp_path / "bad.toml").write_text(
        """
        colour = "red"
        [space]
        size = [20, -20]
        [flocks.boids]
        count = 12.5
        motion = { kind = "ad", max_speed = 1 }
        [rules.cohesoin]
        radius = 3
        [rules.separation]
        radius = -3
        wieght = 1
        [rules.alignment]
        weight = nan
        [rules.wind]
        velocity = [inf, 0]
        """
    )
    ran = murmurate("run", "bad.toml")
    assert ran.code == 2
    wanted = {
        "colour": "no such key",
        "space.size.1": "-20",
        "flocks.boids.count": "12.5",
        "flocks.boids.motion": "did you mean 'add'?",
        "rules.cohesoin": "did you mean 'cohesion'?",
        "rules.separation.radius": "-3 is out of bounds: it must be > 0",
        "rules.separation.wieght": "did you mean 'weight'?",
        "rules.alignment.weight": "nan",
    }
    for path, words in wanted.items():
        lines = [line for line in ran.errors if line.startswith(f"bad.toml: {path}: ")]
        assert len(lines) == 1, path
        assert words in lines[0]
    assert any(line.startswith("bad.toml: rules.wind") for line in ran.errors)


@pytest.mark.parametrize(
    "setting",
    ["rules.cohesion.radius=nan", "rules.cohesion.weight=inf", "space.size=[inf, 1]", "dt=nan"],
)
def test_numbers_must_be_finite(murmurate, setting):
    ran = murmurate("run", "tiny.toml", "--set", setting)
    assert ran.code == 2
    assert setting.split("=")[0] in ran.err
    assert "finite" in ran.err or "out of bounds" in ran.err


def test_a_file_that_is_not_toml_is_named_with_the_line(murmurate, tmp_path: Path):
    (tmp_path / "bad.toml").write_text("[space]\nsize = 20, 20\n")
    ran = murmurate("run", "bad.toml")
    assert ran.code == 2
    assert "bad.toml" in ran.err and "line 2" in ran.err


def test_a_torus_smaller_than_two_radii(murmurate):
    ran = murmurate("run", "tiny.toml", "--set", "rules.cohesion.radius=10.5")
    assert ran.code == 2
    for words in ("space.size.0", "rules.cohesion.radius", "10.5", "21"):
        assert words in ran.err
