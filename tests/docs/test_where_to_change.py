"""The table "Where to change what" of ARCHITECTURE.md: its files exist, and the files of some rows
suffice. A test adds what a row names to a copy of the package, and runs it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import Checkout
from page_blocks import ROOT

PACKAGE = ROOT / "src" / "murmurate"
FOLDERS = (
    ".", "language", "codegen", "codegen/candidates", "codegen/templates", "engines",
    "engines/gpu", "engines/reference", "model", "measures", "tracks", "sweeps", "show",
    "live_view",
)  # fmt: skip
"""Folders of files that a row names without a folder, after another file of that folder."""
PLACEHOLDER = re.compile(r"[A-Z]{4,}|\*")


def rows() -> dict[str, str]:
    """Return the rows of the table: what is to change -> the text that names the files."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    table = text.split("## Where to change what")[1].split("\n## ")[0]
    lines = re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE)
    return dict(lines[1:])


def test_files_of_the_table_exist() -> None:
    files = {
        word
        for text in rows().values()
        for word in re.findall(r"`([\w./*-]+\.(?:py|pyi|j2|ts|toml|wgsl))`", text)
        if not PLACEHOLDER.search(word)
    }
    places = [ROOT, *(PACKAGE / folder for folder in FOLDERS)]
    missing = [file for file in files if not any((place / file).exists() for place in places)]
    assert len(files) > 50 and missing == []


def test_files_of_a_setting_of_sensing_are_those_of_most_influential() -> None:
    """It is sensed by all engines; rules that set a value of their own are not counted."""
    (row,) = (text for change, text in rows().items() if "most_influential" in change)
    named = set(re.findall(r"`(?:[\w/]+/)?(\w[\w.]+)`", row))
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.j2"), *PACKAGE.rglob("*.wgsl")]
    having = {f.name for f in files if "most_influential" in f.read_text("utf-8")}
    assert having - {f.name for f in (PACKAGE / "rules").glob("*.py")} == named
    assert len(named) <= 9


ENGINE = '''\
"""An engine whose boids move straight on."""

from dataclasses import replace

from murmurate.engines.base import EngineBase
from murmurate.engines.state import FlightState


class StraightEngine(EngineBase):
    def __init__(self, model, state, options):
        self.model, self.options, self.step_number, self._start = model, options, state.step, state

    def step(self, steps):
        self.step_number += steps

    def state(self):
        time = (self.step_number - self._start.step) * self.model.dt
        flocks = {
            name: replace(flock, positions=flock.positions + time * flock.velocities)
            for name, flock in self._start.flocks.items()
        }
        return FlightState(self.step_number, flocks)

    def set_state(self, flock, positions, velocities):
        raise NotImplementedError

    def replace_model(self, model):
        self.model = model
'''
REGISTRY = """\
     "reference": BuiltIn("murmurate.engines.reference.reference_engine:ReferenceEngine"),
+    "straight": BuiltIn("murmurate.engines.straight:StraightEngine"),
"""
VIEW = """\
     watermark: Words = ""
+    mirrored: bool = False
"""
PAINTER = """\
             picture = self._paint(*stage)
+        picture = picture[:, ::-1] if self.view.mirrored else picture
"""
FORMATS = """\
     Format("GPX", (".gpx",), "<gpx>", lambda preview: preview.root == "gpx", "gps:read_file",
            _TIMES),
+    Format("lines of words", (".words",), "its ending", lambda preview: True, "words:read"),
"""
READER = '''\
"""Lines of words: frame, animal, x and y, all frames of an animal in order."""

import numpy as np

from murmurate.tracks.raw_tracks import RawTracks


def read(preview, options):
    numbers = np.loadtxt(preview.path, ndmin=2)
    animals = np.unique(numbers[:, 1])
    places = [numbers[numbers[:, 1] == animal, 2:] for animal in animals]
    return RawTracks(np.stack(places, axis=1), names=[f"{animal:g}" for animal in animals])
'''
TEST = """\
import numpy as np

import murmurate as mm
from murmurate.cli.app import run

MODEL = mm.load("vicsek-1995")


def test_the_engine_runs_by_its_name():
    simulation = mm.Simulation(MODEL, engine="straight", seed=1)
    start = simulation.frame["boids"]
    moved = simulation.step(3).frame["boids"].positions - start.positions
    assert np.allclose(moved, 3 * MODEL.dt * start.velocities)


def test_the_setting_of_films_is_an_argument_and_an_option(tmp_path):
    words = ["still", "vicsek-1995", "--size", "64x64", "--boids", "40", "--set"]
    pictures = []
    for value in ("false", "true"):
        path = tmp_path / f"{value}.png"
        assert run([*words, f"view.mirrored={value}", "-o", str(path)]) == 0
        pictures.append(path.read_bytes())
    assert pictures[0] != pictures[1]
    assert mm.View(mirrored=True).mirrored


def test_tracks_are_read(tmp_path):
    path = tmp_path / "fish.words"
    path.write_text("0 1 0 0\\n1 1 1 0\\n2 1 2 0\\n0 2 0 5\\n1 2 1 5\\n2 2 2 5\\n")
    tracks = mm.open_tracks(path, frames_per_second=1)
    assert len(tracks) == 3 and sum(len(flock) for flock in tracks[2].values()) == 2
"""


@pytest.mark.slow
def test_rows_of_two_files(tmp_path: Path) -> None:
    """An engine, a setting of films and a format of tracks are two files each."""
    copy = Checkout(tmp_path / "copy")
    copy.add("src/murmurate/engines/straight.py", ENGINE)
    copy.change("src/murmurate/engines/registry.py", REGISTRY)
    copy.change("src/murmurate/model/view.py", VIEW)
    copy.change("src/murmurate/show/painter.py", PAINTER)
    copy.add("src/murmurate/tracks/words.py", READER)
    copy.change("src/murmurate/tracks/formats.py", FORMATS)
    copy.add("tests/docs/test_added.py", TEST)
    assert " passed" in copy.run("pytest tests/docs/test_added.py")
