"""Memory does not grow with the length of a recording."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from exported import MODELS
from test_export_options import SUFFIXES

import murmurate as mm
from murmurate.frame import FlockFrame, Frame
from murmurate.record.header import make_header
from murmurate.record.writer import Writer
from processes import ran_well

BOIDS, FRAMES = 400, 1200  # 12 MB of positions and velocities


@pytest.fixture(scope="module")
def long(tmp_path_factory) -> Path:
    """Return a recording of random numbers, which do not compress."""
    path = tmp_path_factory.mktemp("long") / "long.zarr"
    model = MODELS["torus"][0]().set({"flocks.boids.count": BOIDS})
    random = np.random.default_rng(3)

    def frame(step: int) -> Frame:
        positions, velocities = random.random((2, BOIDS, 3), np.float32) * 10
        timers = np.zeros(BOIDS, np.int64)
        flock = FlockFrame("boids", np.arange(BOIDS), positions, velocities, timers, model.space)
        return Frame(step, step * model.dt, model.space, {"boids": flock})

    first = frame(0)
    header = make_header(model, first, seed=1, every=1, dtype="float32")
    with Writer.create(path, header, first, FRAMES - 1) as writer:
        for step in range(1, FRAMES):
            writer.add(frame(step))
    return path


MEASURE = """
import gc, re, sys, threading, time
import murmurate as mm
from murmurate.exports import selection
selection.PIECE = 1 << 18
recording, output, *suffixes = sys.argv[1:]

def held():
    with open("/proc/self/status") as file:
        return int(re.search(r"RssAnon:\\s+(\\d+)", file.read())[1]) / 1024

most = 0.0
def watch():
    global most
    while True:
        most = max(most, held())
        time.sleep(0.004)

threading.Thread(target=watch, daemon=True).start()
for suffix in suffixes:
    mm.export(recording, output + "/warm" + suffix, last_step=100)
    gc.collect()
    before = most = held()
    mm.export(recording, output + "/whole" + suffix)
    print(suffix, round(most - before, 1))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux how much is held")
@pytest.mark.parametrize(
    "suffixes",
    [
        pytest.param((".csv", ".npy"), marks=pytest.mark.slow),
        pytest.param((".nc", ".parquet", ".vtkhdf", ".usdc"), marks=pytest.mark.slow),
        pytest.param(SUFFIXES, marks=pytest.mark.long),
    ],
    ids=["text and arrays", "some", "all"],
)
def test_memory_is_bounded(long, suffixes, tmp_path) -> None:
    """12 times as many frames need less than 3/4 of their bytes in additional memory."""
    output = ran_well(sys.executable, "-c", MEASURE, long, tmp_path, *suffixes)
    grown = dict(line.split() for line in output.splitlines())
    assert tuple(grown) == suffixes
    bound = BOIDS * FRAMES * 24 * 0.75 / 2**20
    assert {name: mb for name, mb in grown.items() if float(mb) > bound} == {}


def test_pieces_are_not_larger_than_their_limit(long, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("murmurate.exports.selection.PIECE", 1 << 18)
    calls = []
    read = mm.Recording.read

    def watched(self, first=0, last=None):
        calls.append((last - first) * BOIDS * 24)
        return read(self, first, last)

    monkeypatch.setattr(mm.Recording, "read", watched)
    mm.export(mm.open(long), tmp_path / "a.npy")
    assert max(calls) <= 1 << 18 and sum(calls) >= BOIDS * FRAMES * 24
