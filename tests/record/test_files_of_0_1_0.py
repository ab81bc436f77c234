"""Files of version 0.1.0 can be opened, and have the same meaning (files_of_0_1_0/README.md)."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

import murmurate as mm
from murmurate.cli import main

FILES = Path(__file__).parent.parent / "files_of_0_1_0"
EXPECTED: dict[str, Any] = json.loads((FILES / "said.json").read_text("utf-8"))
RECORDINGS = ["exact", "rounded"]
ARCHIVE = Path(__file__).parent / "made_by_0_1_0.zip"
"""12 boids of ucl from seed 3, steps 0, 2, ..., 20, exact and with a precision of 0.01."""


def unpacked(name: str, folder: Path) -> Path:
    with zipfile.ZipFile(FILES / f"{name}.zip") as files:
        files.extractall(folder)
    return folder / name


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked("models", tmp_path_factory.mktemp("models"))


@pytest.mark.parametrize("name", EXPECTED["models"])
def test_a_model_runs_as_before(name: str, models: Path) -> None:
    """At most nine boids of each flock, three steps of the reference engine."""
    model = mm.load(models / f"{name}.toml")
    assert mm.parse(mm.to_toml(model)) == model
    few = {f"flocks.{key}.count": min(9, flock.count) for key, flock in model.flocks.items()}
    frame = mm.Simulation(model.set(few), 1, engine="reference").step(3).frame
    for key, (*centre, speed) in EXPECTED["models"][name].items():
        flock = frame[key]
        assert flock.positions.mean(axis=0) == pytest.approx(centre, rel=1e-6, abs=1e-6)
        assert np.abs(flock.velocities).mean() == pytest.approx(speed, rel=1e-6)


def columns_of(table: Path) -> dict[str, np.ndarray]:
    """Name -> values, of a CSV file."""
    rows = np.genfromtxt(table, delimiter=",", names=True)
    return {name: rows[name] for name in rows.dtype.names}


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_read_and_measured(name: str, tmp_path: Path) -> None:
    rec = mm.open(unpacked(f"{name}.zarr", tmp_path))
    expected, arrays = EXPECTED[name], rec.read()
    assert rec.complete and len(rec) == expected["frames"]
    assert arrays.positions[-1].mean() == pytest.approx(expected["mean position"], rel=1e-6)
    speeds = np.linalg.norm(arrays.velocities[-1], axis=-1)
    assert speeds.mean() == pytest.approx(expected["mean speed"], rel=1e-6)
    assert (arrays.perch_timers > 0).sum() == expected["perched"] > 0
    measured = [mm.polarization(rec[-1]["boids"]), rec.column("polarization")[-1, 0]]
    assert measured == pytest.approx(expected["polarization"], rel=1e-6)
    series = (
        mm.measure(rec, "polarization", frames=slice(rec.steps[-1], None))
        .results["polarization"]
        .series
    )
    assert series[-1] == pytest.approx(expected["polarization"][0], rel=1e-6)
    assert rec.to_xarray().sizes["time"] == len(rec)


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_resumed(name: str, tmp_path: Path) -> None:
    path = unpacked(f"{name}.zarr", tmp_path)
    before = mm.open(path).read().positions
    rec = mm.resume(path, 20, threads=1)
    assert rec.complete and rec.steps[-1] == 20
    assert np.array_equal(rec.read().positions[: len(before)], before)


@pytest.mark.parametrize("name", RECORDINGS)
def test_a_recording_is_played_and_filmed(name: str, tmp_path: Path) -> None:
    rec = mm.open(unpacked(f"{name}.zarr", tmp_path))
    assert mm.replay_page(rec, tmp_path / "a.html").frames >= len(rec) - 1
    report = mm.film(rec, tmp_path / "a.mp4", view=mm.View(steps=2, size=(64, 64), every=1))
    with av.open(str(tmp_path / "a.mp4")) as film:
        assert sum(1 for _ in film.decode(video=0)) == report.frames == 2


def test_a_fit_is_kept_and_not_continued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It has no posterior. Its model is read, and no file of it changes."""
    unpacked("fit", tmp_path)
    shutil.copy(FILES / "tracks.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    files = {path: path.read_bytes() for path in Path("fit").rglob("*") if path.is_file()}
    assert main(["fit", "fit", "--json"]) == 2
    assert "Begin it again in another folder" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in Path("fit").rglob("*") if path.is_file()} == files
    assert mm.load("fit/fitted.toml").flocks["boids"].count == 20


def test_tracks() -> None:
    tracks = mm.open_tracks(FILES / "tracks.csv")
    assert tracks.positions.shape == (13, 6, 2) and np.isnan(tracks.positions[4, 2]).all()
    measured = [mm.polarization(tracks[6]["boids"]), np.nanmean(tracks.positions)]
    assert measured == pytest.approx(EXPECTED["tracks"])


@pytest.mark.parametrize("name", ["exact", "rounded"])
def test_a_run_is_opened_and_resumed(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(ARCHIVE) as archive:
        archive.extractall(tmp_path)
    rec = mm.open(tmp_path / f"{name}.zarr")
    assert list(rec.steps) == list(range(0, 21, 2)) and rec.seed == 3 and rec.notes == ()
    assert rec.model.name == "ucl" and rec.info()["boids"] == 12
    assert "murmurate 0.1.0" in rec.header["versions"] and not rec.info()["same_versions"]
    before = rec.read()
    # flocks are chaotic and machines round differently: compare one step from the start
    expected = mm.Simulation(rec.model, rec.seed, dtype=rec.dtype).step(2).frame["boids"]
    allowed = 1e-3 + (rec.precision or 0.0)
    assert np.abs(expected.positions - before.positions[1]).max() < allowed
    rec = mm.resume(rec.path, 30)
    assert list(rec.steps) == list(range(0, 31, 2))
    after = rec.read(0, 11)
    assert after.positions.tobytes() == before.positions.tobytes()
    parts = rec.info()["parts"]
    assert [part["first_step"] for part in parts] == [0, 22]
    assert f"murmurate {mm.__version__}" in parts[1]["versions"]
    assert np.isfinite(rec[-1]["boids"].positions).all()
