"""The student's and the animator's walk through the program, as far as they need no eyes.

CONTRIBUTING.md lists the walks of a release. Each starts in an empty folder, and whatever would
make a new user stop fails here. Other tests run the commands of all pages (test_docs_pages.py), and
find pages that write the same file (test_page_outputs.py).
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
from page_blocks import ROOT
from PIL import Image

from murmurate.cli import main

pytestmark = pytest.mark.slow
SMALL = ("--size", "160x90")
Run = Callable[..., str]


@pytest.fixture
def walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> Run:
    """Return a function that runs a command in an empty folder, and returns what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, code: int = 0) -> str:
        capsys.readouterr()
        assert main(list(words)) == code, capsys.readouterr().err
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return printed.out + printed.err

    return run


def test_the_student_films_what_a_word_means(walk: Run) -> None:
    assert "parker" in walk("film", "boids", code=2)
    assert "vicsek-1995.mp4" in walk("film", "vicsek", "--seconds", "0.2", *SMALL)
    assert "river" in walk("models", "fish")
    assert "did you mean 'starlings'" in walk("film", "starlngs", code=2)


def test_the_student_records_resumes_and_films_a_run(walk: Run) -> None:
    """The steps of the README make a film that a person would watch."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    steps = int(re.search(r"murmurate resume flock\.zarr --steps (\d+)  ", text)[1])
    walk("run", "ucl", "--boids", "10", "--every", "10", "-o", "flock.zarr", "--quiet")
    walk("resume", "flock.zarr", "--steps", str(steps), "--quiet")
    printed = walk("film", "flock.zarr", *SMALL)
    assert "warning" not in printed and float(re.search(r": ([\d.]+) s, ", printed)[1]) < 60
    assert "flock.mp4" in walk("film", "flock.zarr", *SMALL, code=2)  # it exists


def test_the_animator_makes_transparent_films_of_boids_alone(walk: Run, tmp_path: Path) -> None:
    """Without box and text, which models show in other films."""
    walk("new", "sort-sol-hunt", "hunt.toml")
    for name in ("hunt.toml", "vicsek-1995"):
        films = []
        for more in ((), ("--no-text", "--set", "view.box=false")):
            words = ("--boids", "50", "--transparent", "--seconds", "0.1", *SMALL, *more)
            walk("film", name, *words, "-o", "shots/%03d.png", "--force")
            films.append(np.asarray(Image.open(tmp_path / "shots" / "001.png")))
        assert (films[0] == films[1]).all() and 0 < (films[0][..., 3] > 0).mean() < 0.5, name


def test_the_animator_makes_a_portrait_film_and_passes(walk: Run, tmp_path: Path) -> None:
    few = ("--boids", "50", "--warm-up", "0", "--seconds", "0.2")
    walk("film", "starlings", "--preset", "reel", "--size", "90x160", *few, "-o", "reel.mp4")
    with av.open(str(tmp_path / "reel.mp4")) as film:
        stream = film.streams.video[0]
        assert (stream.width, stream.height) == (90, 160) and stream.frames > 0
    walk("film", "parker", *few, *SMALL, "--passes", "depth,motion", "-o", "shots/%03d.png")
    assert (tmp_path / "shots" / "depth").is_dir() and (tmp_path / "shots" / "motion").is_dir()


def test_the_animator_exports_a_scene(walk: Run, tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    walk("run", "starlings", "--boids", "20", "--steps", "6", "-o", "take.zarr", "--quiet")
    walk("export", "take.zarr", "take.usdc", "--scene")
    assert os.path.getsize(tmp_path / "take.usdc")
