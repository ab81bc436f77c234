"""murmurate measure."""

from __future__ import annotations

import json

import numpy as np
import pytest

FEW = ("--steps", "12", "--every", "2", "--quiet")


def test_a_model(murmurate, tmp_path):
    ran = murmurate("measure", "tiny.toml", "polarization,milling", "speed", *FEW,
                    "--plot", "p.png", "-o", "m.json")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "tiny: 12 boids, 6 frames, steps 2 to 12" in ran.out and "±" in ran.out
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"
    said = json.loads((tmp_path / "m.json").read_text())
    assert list(said["measures"]) == ["polarization", "milling", "speed"]


def test_json_and_csv(murmurate):
    ran = murmurate("measure", "tiny.toml", "speed", *FEW, "--set",
                    "flocks.boids.motion.max_speed=0.25", "--json")  # fmt: skip
    assert json.loads(ran.out)["measures"]["speed"]["value"] <= 0.25
    ran = murmurate("measure", "tiny.toml", "speed", *FEW, "--boids", "5", "--csv")
    assert ran.out.startswith("measure,kind,part") and ran.code == 0


def test_all_measures_with_options(murmurate):
    ran = murmurate("measure", "tiny.toml", *FEW, "--option", "collisions.radius=0.5", "--json")
    measures = json.loads(ran.out)["measures"]
    assert "collisions" in measures and len(measures) > 40


def test_tracks(murmurate, tmp_path):
    np.save(tmp_path / "t.npy", np.cumsum(np.ones((9, 4, 2)), axis=0))
    ran = murmurate("measure", "t.npy", "speed", "--fps", "10", "--from", "2", "--to", "7")
    assert ran.code == 0, ran.err
    assert "6 frames, frames 2 to 7, 10 a second" in ran.out and "14.1421" in ran.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("tiny.toml", "polarisation"), "did you mean 'polarization'"),
        (("tiny.toml", "collisions"), "needs a value for 'radius'"),
        (("tiny.toml", "speed", "--steps", "0"), "steps is 0"),
        (("tiny.toml", "speed", "--flock", "birds"), "no flock named 'birds'"),
        (("tiny.toml", "--option", "radius=1"), "MEASURE.OPTION=VALUE"),
        (("tiny.toml", "--json", "--csv"), "give one of them"),
        (("tiny.toml", "--plot", "p.bmp"), "must end in"),
        (("tiny.toml", "-o", "nowhere/m.json"), "no folder"),
        (("there-is-none.npy",), "no such file"),
        (("ucll",), "did you mean 'ucl'"),
    ],
)
def test_bad_input(murmurate, tmp_path, arguments, says):
    ran = murmurate("measure", *arguments)
    assert ran.code == 2 and says in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_nothing_is_overwritten(murmurate, tmp_path):
    for name in ("m.csv", "p.svg"):
        (tmp_path / name).write_text("mine")
    assert murmurate("measure", "tiny.toml", "speed", *FEW, "-o", "m.csv").code == 2
    assert murmurate("measure", "tiny.toml", "speed", *FEW, "--plot", "p.svg").code == 2
    assert (tmp_path / "m.csv").read_text() == (tmp_path / "p.svg").read_text() == "mine"
    assert murmurate("measure", "tiny.toml", "speed", *FEW, "-o", "m.csv", "--force").code == 0
    assert (tmp_path / "m.csv").read_text() != "mine"
