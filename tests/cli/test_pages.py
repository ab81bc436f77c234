"""murmurate page: the file, what is printed, and what is refused."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from murmurate.show import html_file


@pytest.fixture(autouse=True)
def _small_viewer(monkeypatch):
    monkeypatch.setattr(
        html_file, "viewer_text", lambda *_: "function a(){}export{a as mountReplay,a as speak}"
    )


def head(path: str) -> dict:
    text = Path(path).read_text()
    return json.loads(re.search(r'id="murmurate-head">(.*?)</script>', text, re.S)[1])


def test_a_page_goes_beside_you_under_the_models_name(murmurate):
    ran = murmurate("page", "tiny.toml", "--steps", "9")
    assert ran.code == 0
    assert head("tiny.html")["frames"] == 9
    assert re.search(r"tiny.html: 9 frames, 0\.4 s, \d+ kB", ran.out)
    assert "after step 9" in ran.out
    for figure in ("speed", "polarization", "milling", "nearest neighbour"):
        assert figure in ran.out


def test_page_settings(murmurate):
    ran = murmurate(
        "page", "tiny.toml", "-o", "other.html", "--steps", "12", "--every", "4", "--fps", "12",
        "--style", "light", "--colour-by", "heading", "--trails", "3", "--seed", "4", "--boids",
        "20", "--dtype", "float32", "--threads", "1", "--set", "rules.cohesion.weight=0.5",
        "--warm-up", "2",
    )  # fmt: skip
    assert ran.code == 0 and "after step 14" in ran.out
    assert "a warm-up of 0, the page begins at the start" in ran.err
    page_head = head("other.html")
    view = page_head["scene"]["view"]
    assert (page_head["frames"], page_head["count"]) == (3, 20)
    assert (view["style"], view["colour_by"], view["trails"]) == ("light", "heading", 3)
    assert "seed 4" in page_head["comment"] and "weight = 0.5" in page_head["toml"]


def test_quiet_says_nothing(murmurate):
    ran = murmurate("page", "tiny.toml", "--steps", "3", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_what_exists_is_kept_unless_forced(murmurate):
    Path("tiny.html").write_text("precious")
    ran = murmurate("page", "tiny.toml")
    assert ran.code == 2
    assert "tiny.html exists" in ran.err and "--force" in ran.err
    assert Path("tiny.html").read_text() == "precious"
    assert murmurate("page", "tiny.toml", "--steps", "2", "--force").code == 0
    assert head("tiny.html")["frames"] == 2


@pytest.mark.parametrize(
    ("words", "messages"),
    [
        (["-o", "tiny.mp4"], ["expected .html"]),
        (["-o", "nowhere/a.html"], ["no folder nowhere"]),
        (["--every", "301"], ["every 301 steps", "at least 301"]),
        (["--steps", "0"], ["--steps 0"]),
        (["--style", "blue"], ["--style blue", "dark", "light", "dusk"]),
        (["--boids", "1000000"], ["1,000,000 boids", "50 frames", "fewer"]),
    ],
)
def test_refused(murmurate, words, messages):
    ran = murmurate("page", "tiny.toml", *words)
    assert ran.code == 2
    for word in messages:
        assert word in ran.err
    assert ran.out == "" and os.listdir() == ["tiny.toml"]


@pytest.mark.parametrize(
    ("options", "messages"),
    [
        (["--live", "--steps", "4"], "--steps: got it with --live; expected none"),
        (
            ["--live", "--engine", "reference", "--threads", "1"],
            "--threads, --engine: got it with --live",
        ),
        (["--beside", "p5"], "--beside p5: got it without --live"),
        (["--live", "--beside", "nobody"], "no model named 'nobody'"),
        (["--max-boids", "90"], "--max-boids 90: got it without --live"),
        (["--live", "--max-boids", "9"], "--max-boids: got 9; expected 150"),
        (
            ["--live", "--set", "rules.cohesion.neighbours=voronoi"],
            "rules.cohesion.neighbours: got 'voronoi'; expected 'all' in a live page",
        ),
    ],
)
def test_options_that_a_live_page_refuses(murmurate, options, messages):
    ran = murmurate("page", "parker", *options)
    assert ran.code == 2 and messages in ran.err
    assert not Path("parker.html").exists()


def test_a_recording_has_no_live_page(murmurate):
    murmurate("run", "tiny.toml", "--steps", "2", "-o", "kept.zarr")
    ran = murmurate("page", "kept.zarr", "--live")
    assert ran.code == 2 and "which a live page simulates from its start" in ran.err
