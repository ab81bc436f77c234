"""murmurate film, still: the file, what is printed, and outputs that cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image


def pictures(path: Path) -> int:
    with av.open(str(path)) as film:
        return sum(1 for _ in film.decode(video=0))


def test_film_goes_beside_you_under_the_models_name(murmurate):
    ran = murmurate("film", "tiny.toml")
    assert ran.code == 0
    assert pictures(Path("tiny.mp4")) == 6
    assert "tiny.mp4: 6 pictures" in ran.out
    assert "after step 6" in ran.out
    for figure in ("speed", "polarization", "milling", "nearest neighbour"):
        assert figure in ran.out


def test_a_name_that_ends_in_a_slash_is_a_folder_of_numbered_pictures(murmurate):
    ran = murmurate(
        "film", "tiny.toml", "-o", "shots/", "--steps", "2", "--motion-blur", "180",
        "--passes", "motion",
    )  # fmt: skip
    assert ran.code == 0
    assert sorted(os.listdir("shots")) == ["00001.png", "00002.png", "motion"]
    assert sorted(os.listdir("shots/motion")) == ["00001.png", "00002.png"]
    assert "motion" in ran.out


def test_film_settings(murmurate):
    ran = murmurate(
        "film", "tiny.toml", "-o", "other.webm", "--steps", "12", "--every", "4", "--fps", "12",
        "--size", "96x80", "--style", "light", "--colour-by", "heading", "--trails", "3",
        "--seed", "4", "--threads", "1", "--boids", "20",
    )  # fmt: skip
    assert ran.code == 0
    with av.open("other.webm") as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height) == (96, 80)
        assert stream.average_rate == 12
    assert pictures(Path("other.webm")) == 3


def test_quiet_says_nothing(murmurate):
    ran = murmurate("film", "tiny.toml", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


@pytest.mark.parametrize(("command", "file"), [("film", "tiny.mp4"), ("still", "tiny.png")])
def test_what_exists_is_kept_unless_forced(murmurate, command, file):
    Path(file).write_text("precious")
    ran = murmurate(command, "tiny.toml")
    assert ran.code == 2
    assert file in ran.err and "exists" in ran.err and "--force" in ran.err
    assert Path(file).read_text() == "precious"
    assert murmurate(command, "tiny.toml", "--force").code == 0
    assert Path(file).read_bytes()[:8] != b"precious"


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("nowhere/film.mp4", "no folder nowhere"),
        ("tiny.toml/film.mp4", "tiny.toml is a file"),
        ("film.mp5", "did you mean film.mp4?"),
        ("film", "no suffix"),
    ],
)
def test_outputs_that_cannot_be_written(murmurate, output, message):
    ran = murmurate("film", "tiny.toml", "-o", output)
    assert ran.code == 2
    assert message in ran.err
    assert os.listdir() == ["tiny.toml"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_without_permission(murmurate):
    Path("locked").mkdir(mode=0o500)
    ran = murmurate("film", "tiny.toml", "-o", "locked/film.mp4")
    assert ran.code == 2
    assert "no permission" in ran.err


def test_still(murmurate):
    ran = murmurate("still", "tiny.toml", "--at", "4", "-o", "four.png", "--size", "80x64")
    assert ran.code == 0
    assert "four.png: tiny after step 4, 12 boids" in ran.out
    from PIL import Image

    with Image.open("four.png") as picture:
        assert picture.size == (80, 64)
        assert "tiny, seed 0" in picture.info["Comment"]


def test_still_of_the_start_and_of_later_differ(murmurate):
    murmurate("still", "tiny.toml", "-o", "a.png")
    murmurate("still", "tiny.toml", "-o", "b.png", "--at", "5")
    murmurate("still", "tiny.toml", "-o", "c.png", "--at", "5")
    assert Path("a.png").read_bytes() != Path("b.png").read_bytes()
    assert Path("b.png").read_bytes() == Path("c.png").read_bytes()


def test_a_still_begins_where_films_do(murmurate):
    ran = murmurate("still", "tiny.toml", "--warm-up", "5", "-o", "a.png", "--size", "80x64")
    assert "a.png: tiny after step 5, 12 boids" in ran.out
    ran = murmurate("still", "tiny.toml", "--warm-up", "5", "--at", "5", "-o", "b.png")
    assert ran.code == 2 and "--at, --warm-up: got both; expected one" in ran.err


def test_a_still_says_when_the_flock_is_elsewhere(murmurate):
    ran = murmurate("still", "tiny.toml", "-o", "near.png")
    assert ran.code == 0 and ran.err == ""
    away = (
        "--set", "space.boundary=open", "--set", "flocks.boids.start.velocity.speed=9",
        "--set", "flocks.boids.motion.max_speed=9", "--set", "rules.cohesion.weight=0",
    )  # fmt: skip
    away = (*away, "--engine", "reference")
    far = ("still", "tiny.toml", "-o", "far.png", "--at", "50", "--force", *away)
    ran = murmurate(*far, "--follow", "space")
    assert ran.code == 0 and Path("far.png").exists()
    assert ran.err.endswith("no boid is in the picture\n")
    assert murmurate(*far).err == ""  # it is followed where the space is open


@pytest.mark.slow
def test_from_where_it_is_seen(murmurate):
    def drawn(*options):
        assert murmurate("still", "tiny.toml", "-o", "seen.png", "--force", *options).code == 0
        return np.asarray(Image.open("seen.png")).astype(int)

    deep = ("--set", "space.size=[9, 9, 9]", "--size", "160x120")
    plain = drawn(*deep)
    for options in (
        ["--camera", "80,10"],
        ["--zoom", "1.5"],
        ["--follow", "flock"],
        ["--set", "view.scenery=land"],
        ["--caption", "Birds"],
        ["--watermark", "me"],
        ["--preset", "talk"],
    ):
        assert np.abs(drawn(*deep, *options) - plain).sum() > 0, options
    assert (drawn(*deep, "--camera", "35, 20", "--zoom", "1", "--follow", "auto") == plain).all()
    assert (
        np.abs(drawn("--size", "160x120", "--no-text") - drawn("--size", "160x120")).sum() > 0
    )  # a plot has a line of text


@pytest.mark.parametrize(
    "options",
    [
        ("--camera", "10"),
        ("--camera", "a,b"),
        ("--camera", "0,99"),
        ("--zoom", "0"),
        ("--follow", "bird"),
        ("--preset", "real"),
        ("--caption", "鳥"),
        ("--size", "big"),
    ],
)
def test_where_nothing_is_seen_from(murmurate, options):
    ran = murmurate("still", "tiny.toml", *options)
    assert ran.code == 2 and options[0].strip("-") in ran.err
    assert not Path("tiny.png").exists()


def test_a_film_reports_its_warm_up(murmurate):
    ran = murmurate("film", "tiny.toml", "--warm-up", "3", "--steps", "2", "-o", "late.gif")
    assert ran.code == 0 and "Simulating 3 steps before the first picture" in ran.err
    assert "after step 5" in ran.out
    ran = murmurate("film", "tiny.toml", "--steps", "2", "-o", "soon.gif")
    assert "before the first picture" not in ran.err


def test_transparent_films(murmurate):
    refused = murmurate("film", "tiny.toml", "--transparent", "-o", "film.mp4")
    assert refused.code == 2 and "has no transparency" in refused.err
    assert murmurate("film", "tiny.toml", "--transparent", "--steps", "1").code == 0
    assert Path("tiny.mov").exists()
    murmurate("still", "tiny.toml", "--transparent", "-o", "still.png")
    with Image.open("still.png") as picture:
        assert picture.mode == "RGBA"
