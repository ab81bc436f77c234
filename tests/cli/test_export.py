"""murmurate export."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import murmurate as mm


@pytest.fixture
def run_with_recording(murmurate):
    """The command, and a.zarr to export."""
    assert murmurate("run", "tiny.toml", "--steps", 20, "--every", 2, "-o", "a.zarr").code == 0
    return murmurate


@pytest.mark.slow
def test_export(run_with_recording) -> None:
    for suffix in (".nc", ".csv", ".xyz", ".gsd", ".vtkhdf", ".usdc", ".npy"):
        ran = run_with_recording("export", "a.zarr", f"a{suffix}")
        assert ran.code == 0 and ran.out.startswith(f"a{suffix}: 11 frames of 12 boids, "), ran
    np.testing.assert_array_equal(np.load("a.npy"), mm.open("a.zarr").read().positions)
    assert run_with_recording("export", "a.zarr", "b.npy", "--quiet").out == ""
    ran = run_with_recording(
        "export", "a.zarr", "c.csv", "--from", 4, "--to", 12, "--every", 4, "--flock", "boids",
        "--layout", "trackpy",
    )  # fmt: skip
    assert "c.csv: 3 frames of 12 boids" in ran.out
    assert Path("c.csv").read_text().startswith("frame,particle,x,y\n0,0,")
    ran = run_with_recording("export", "a.zarr", "d.nc", "--legacy-names")
    assert ran.code == 0 and mm.open_tracks("d.nc").names[0] == "boids_0"
    assert (
        run_with_recording("export", "a.zarr", "e.usda", "--fps", 12.5, "--boid-size", 2).code == 0
    )
    assert "timeCodesPerSecond = 12.5" in Path("e.usda").read_text()


def test_the_picture_of_a_sky_is_named(run_with_recording) -> None:
    words = "run", "tiny.toml", "--steps", 2, "--set", "view.style=dusk", "-o", "dusk.zarr"
    assert run_with_recording(*words).code == 0
    ran = run_with_recording("export", "dusk.zarr", "film.usdc", "--scene")
    assert ran.code == 0 and "film.usdc.sky.png: the picture of its sky" in ran.out
    assert Path("film.usdc.sky.png").is_file()


def test_an_export_that_cannot_be(run_with_recording) -> None:
    for words, message in {
        ("a.zarr", "a.xlsx"): "a.xlsx: got .xlsx; expected .nc,",
        ("b.zarr", "a.csv"): "b.zarr: there is no such recording",
        ("ucl8", "a.csv"): "ucl8",
        ("a.zarr", "tiny.csv", "--every", "3"): "every: got 3 steps; expected 2",
        ("a.zarr", "a.csv", "--flock", "birds"): "flock: got 'birds'",
        ("a.zarr", "a.csv", "--layout", "lang"): "did you mean long?",
        ("a.zarr", "no/a.csv"): "no folder no. Create it",
        ("a.zarr",): "OUTPUT",
    }.items():
        ran = run_with_recording("export", *words)
        assert ran.code == 2 and message in ran.err, ran
    assert run_with_recording("export", "a.zarr", "a.csv").code == 0
    ran = run_with_recording("export", "a.zarr", "a.csv")
    assert ran.code == 2 and "a.csv exists and is kept" in ran.err
    assert run_with_recording("export", "a.zarr", "a.csv", "--force").code == 0


def test_a_write_that_fails(run_with_recording, monkeypatch) -> None:
    from murmurate.exports.selection import Selection

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Selection, "frames", full)
    ran = run_with_recording("export", "a.zarr", "a.csv")
    assert ran.code == 1 and not list(Path().glob("*.csv")) and not list(Path().glob(".a*"))
    assert ran.errors == [
        "a.csv: writing failed: the disk is full; free some space. No partial file was left"
    ]


def test_a_damaged_recording(run_with_recording) -> None:
    file = Path("a.zarr/position/c/0/0/0")
    data = bytearray(file.read_bytes())
    data[40] ^= 1
    file.write_bytes(data)
    ran = run_with_recording("export", "a.zarr", "a.csv")
    assert ran.code == 1 and "a checksum is wrong" in ran.err
    assert not Path("a.csv").exists()


def test_a_model_is_simulated_with_the_options_of_a_film(murmurate) -> None:
    plain = ("--seed", 3, "--engine", "reference")
    words = ("--steps", 6, "--every", 2, *plain)
    assert murmurate("run", "tiny.toml", *words, "-o", "a.zarr").code == 0
    ran = murmurate("export", "tiny.toml", "a.npy", *words, "--warm-up", 0)
    assert ran.code == 0 and ran.out.startswith("a.npy: 4 frames of 12 boids")
    np.testing.assert_array_equal(np.load("a.npy"), mm.open("a.zarr").read().positions)
    ran = murmurate(
        "export", "tiny.toml", "a.csv", "--from", 2, "--to", 6, "--boids", 5, *plain,
        "--set", "view.every=2",
    )  # fmt: skip
    assert ran.code == 0 and ran.out.startswith("a.csv: 3 frames of 5 boids")
    ran = murmurate(
        "export", "tiny.toml", "a.glb", "--seconds", 0.5, "--fps", 8, "--every", 3, *plain
    )
    assert ran.code == 0 and ran.out.startswith("a.glb: 5 frames of 12 boids")


def test_lengths_that_cannot_be(run_with_recording) -> None:
    Path("fish.csv").write_text("frame,particle,x,y\n0,0,1,2\n1,0,2,3\n")
    for words, message in {
        ("a.zarr", "--seed", 3): "--seed: for simulating a model; a.zarr has frames. Give --from",
        ("a.zarr", "--seed", 0): "--seed: for simulating a model",
        ("a.zarr", "--steps", 3, "--boids", 4): "--steps, --boids: for simulating a model",
        ("fish.csv", "--seconds", 3): "--seconds: for simulating a model; fish.csv has tracks",
        ("tiny.toml", "--seconds", 3, "--steps", 3): "--steps, --seconds: got several lengths",
        ("tiny.toml", "--to", 3, "--steps", 3): "--to, --steps: got several lengths",
        ("tiny.toml", "--seconds", 0): "--seconds: got 0; expected a number above 0",
        ("tiny.toml", "--every", 0): "--every 0: ",
    }.items():
        ran = run_with_recording("export", words[0], "b.npy", *words[1:])
        assert ran.code == 2 and message in ran.err, ran
        assert not Path("b.npy").exists()
