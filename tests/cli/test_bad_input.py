"""What is wrong with a command or a model file is said, all at once, with what was meant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from cases import cases
from murmurate.show.presets import parse_size


@cases(
    "words, messages",
    [
        (["flim", "ucl"], ["no command named 'flim'", "did you mean 'film'?"]),
        (["run", "ucl", "--stepz", "3"], ["--stepz", "did you mean --steps?", "run --help"]),
        (["run", "ucl", "--seed", "x"], ["--seed", "x", "whole number"]),
        (["run", "--stepz"], ["run has no option --stepz", "did you mean --steps?"]),
        (["run"], ["MODEL"]),
        (["run", "ucl", "more"], ["more"]),
        (["run", "uc1"], ["no model named 'uc1'", "did you mean 'ucl'?", ".toml"]),
        (["run", "nowhere.toml"], ["nowhere.toml", "cannot be read"]),
        (["run", "tiny.toml", "--seed", "-1"], ["--seed: got -1", "from 0 to 2^64 - 1"]),
        (["run", "tiny.toml", "--threads", "0"], ["--threads: got 0", "from 1 to"]),
        (["run", "tiny.toml", "--threads", "1000000"], ["--threads: got 1000000", "from 1 to"]),
        (["run", "tiny.toml", "--steps", "-1"], ["--steps -1", "expected 0"]),
        (["run", "tiny.toml", "--dtype", "float16"], ["float16", "float32", "float64"]),
        (["run", "tiny.toml", "--boids", "-3"], ["--boids -3", "got -3"]),
        (["run", "tiny.toml", "--set", "weight"], ["--set: got weight", "PATH=VALUE"]),
        (["run", "tiny.toml", "--set", "rules.cohesion.weight=[1"], ["[1 is not a value"]),
        (["still", "tiny.toml", "--at", "-2"], ["--at -2"]),
        (["film", "tiny.toml", "--size", "wide"], ["--size: got wide", "1280x720"]),
        (["film", "tiny.toml", "--size", "10x10"], ["--size 10x10", "64"]),
        (["film", "tiny.toml", "--style", "blue"], ["--style blue", "dark", "light", "dusk"]),
        (["page", "tiny.toml", "--language", "de"], ["--language: got 'de'", "en, es, fr, pt"]),
        (["film", "tiny.toml", "--fps", "0"], ["--fps 0", "0.01"]),
        (["film", "tiny.toml", "--steps", "0"], ["--steps 0", "1"]),
        (["film", "tiny.toml", "--every", "9"], ["every 9 steps", "at least 9"]),
        (["run", "tiny.toml", "--seed", "99999999999999999999999"], ["--seed: got", "2^64 - 1"]),
        (["run", "tiny.toml", "--steps", "1e30"], ["--steps 1", "9,007,199,254,740,992"]),
        (["run", "tiny.toml", "--set", "space.size.²=1"], ["space.size.²", "0 to 1"]),
        (
            ["run", "tiny.toml", "--set", "flocks.boids.count=true"],
            ["got True; expected a whole number"],
        ),
        (["run", "tiny.toml", "--set", "dt=true"], ["got True; expected a valid number"]),
        (["run", "tiny.toml", "-o", "."], ["Call it NAME.zarr"]),
        (["run", "tiny.toml", "-o", ""], ["-o", "it is empty"]),
        (["run", ""], ["it is empty"]),
        (["new", "ucl", ""], ["it is empty"]),
        (["new", "ucl", "."], ["Use NAME.toml"]),
        (["film", "tiny.toml", "-o", ""], ["-o", "it is empty"]),
        (["film", "tiny.toml", "--fps", "1e-300"], ["--fps 1e-300", "0.01"]),
        (["film", "tiny.toml", "--fps", "０1"], ["--fps", "０1", "a number"]),
        (["film", "tiny.toml", "--size", "9k"], ["--size: got 9k", "720p, 1080p", "4k"]),
        (["film", "tiny.toml", "--size", "９00x900"], ["--size: got ９00x900", "1280x720"]),
        (["still", "tiny.toml", "--at", "1e30"], ["--at: got 1", "expected 0"]),
        (["measure", "tiny.toml", "--steps", "1e30"], ["steps: got 1", "from 1 to"]),
        (["sweep", "tiny.toml", "--vary", "dt=0:1e400:1"], ["dt=0:1e400:1", "at most 100,000"]),
        (["sweep", "tiny.toml", "--vary", "dt=" + "[" * 300], ["--vary dt", "at most 12"]),
        (["sweep", "tiny.toml", "--seeds", "1e30"], ["--seeds: got 1", "at most"]),
        (["sweep", "tiny.toml", "--seeds", "1e8"], ["runs: got 100,000,000", "10,000,000"]),
        (["sweep", "tiny.toml", "--processes", "1e9"], ["--processes: got 1", "expected 1 to"]),
        (["watch", "tiny.toml", "--host", ""], ["--host", "it is empty"]),
        (["doctor", "--bench", "--only", "standart"], ["standart", "did you mean 'standard'?"]),
    ],
)
def test_a_bad_command_is_refused(murmurate, words, messages):
    ran = murmurate(*words)
    assert ran.code == 2
    for word in messages:
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
    errors = {
        "colour": "no such key",
        "space.size.1": "-20",
        "flocks.boids.count": "12.5",
        "flocks.boids.motion": "did you mean 'add'?",
        "rules.cohesoin": "did you mean 'cohesion'?",
        "rules.separation.radius": "got -3; expected a number > 0",
        "rules.separation.wieght": "did you mean 'weight'?",
        "rules.alignment.weight": "nan",
    }
    for path, words in errors.items():
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
    assert "finite" in ran.err or "got nan; expected a number > 0 or inf" in ran.err


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


@pytest.mark.parametrize("option", ["--boids", "--steps", "--seed", "--threads"])
@pytest.mark.parametrize("word", ["1.5", "1e-3", "0x10", "２", "", "nan", "1" * 50])
def test_a_whole_number_is_whole(murmurate, option: str, word: str):
    ran = murmurate("run", "tiny.toml", option, word)
    assert ran.code == 2
    assert option in ran.err and ("a whole number" in ran.err or "it is empty" in ran.err)
    assert len(ran.err) < 200


@pytest.mark.parametrize("word", ["20", "2e1", "2E+1", "2_0", "20.", "+20"])
def test_how_whole_numbers_may_be_written(murmurate, word: str):
    ran = murmurate("run", "tiny.toml", "--steps", "0", "--json", "--boids", word)
    assert ran.code == 0 and '"boids": 20' in ran.out


@pytest.mark.parametrize(
    "words",
    [
        ["run", "LONG.toml"],
        ["run", "LONG"],
        ["run", "tiny.toml", "-o", "LONG.zarr"],
        ["film", "tiny.toml", "-o", "LONG.mp4"],
        ["new", "ucl", "LONG.toml"],
        ["measure", "LONG.npy"],
        ["run", "tiny.toml", "--rules", "LONG.py"],
    ],
    ids=" ".join,
)
def test_a_name_that_is_too_long_is_bad_input(murmurate, words: list[str]):
    ran = murmurate(*(word.replace("LONG", "a" * 300) for word in words))
    assert ran.code == 2 and "aaa" in ran.err


@pytest.mark.parametrize("command", ["run", "show", "measure", "film"])
def test_an_archive_of_arrays_is_named(murmurate, tmp_path: Path, command: str):
    np.savez(tmp_path / "fish.npz", np.zeros(3), np.zeros(3))
    ran = murmurate(command, "fish.npz")
    assert ran.code == 2
    says = "got a file for tracks of animals; expected a model file, which ends in .toml"
    if command in ("measure", "film"):
        says = "got arr_0, arr_1; expected one of the known formats"
    assert says in ran.err


def test_named_sizes_of_pictures(murmurate):
    assert parse_size("720P") == (1280, 720)
    ran = murmurate("still", "tiny.toml", "--size", "480p", "-o", "a.png")
    assert ran.code == 0, ran.err
    with Image.open("a.png") as picture:
        assert picture.size == (854, 480)
