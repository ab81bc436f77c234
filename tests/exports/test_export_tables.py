"""CSV, Parquet, .npy and .npz, opened by pandas, pyarrow, csv and numpy."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pandas
import pytest
from exported import expected, same
from pyarrow import parquet

import murmurate as mm


def read(path: Path, rec: mm.Recording) -> pandas.DataFrame:
    if path.suffix == ".parquet":
        return pandas.read_parquet(path)
    floats = ("x", "y", "z", "vx", "vy", "vz")
    table = pandas.read_csv(path, dtype=dict.fromkeys(floats, str))  # its own floats are not exact
    return table.astype({name: rec.dtype for name in floats if name in table})


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_table_has_a_row_a_boid_and_frame(rec, suffix, tmp_path) -> None:
    made = mm.export(rec, tmp_path / f"t{suffix}")
    wanted = expected(rec)
    frames, boids, dims = wanted.positions.shape
    assert (made.frames, made.boids) == (frames, boids)
    assert made.bytes == (tmp_path / f"t{suffix}").stat().st_size
    table = read(made.path, rec)
    axes = ["x", "y", "z"][:dims]
    names = ["step", "time", "flock", "id", *axes, *(f"v{axis}" for axis in axes)]
    perching = wanted.timers is not None
    assert list(table.columns) == [*names, *(["perch_timer"] if perching else [])]
    assert len(table) == frames * boids
    same(table["step"], np.repeat(wanted.steps, boids))
    same(table["time"], np.repeat(wanted.times, boids))
    same(table["id"], np.tile(np.arange(boids), frames))
    assert table["flock"].tolist() == np.tile(wanted.flock, frames).tolist()
    same(table[axes], wanted.positions.reshape(-1, dims))
    same(table[[f"v{axis}" for axis in axes]], wanted.velocities.reshape(-1, dims))
    if perching:
        assert wanted.timers.any(), "a test of landing without landed boids"
        assert table["perch_timer"].tolist() == wanted.timers.reshape(-1).tolist()


def test_a_csv_needs_no_library_to_be_read(recordings, tmp_path) -> None:
    rec = recordings["hunted"]
    with open(mm.export(rec, tmp_path / "t.csv").path, newline="") as file:
        rows = list(csv.DictReader(file))
    found = np.array([[float(row["x"]), float(row["vy"])] for row in rows])
    wanted = expected(rec)
    same(found[:, 0], wanted.positions[:, :, 0].reshape(-1))
    same(found[:, 1], wanted.velocities[:, :, 1].reshape(-1))


def test_a_parquet_says_what_flew(recordings, tmp_path) -> None:
    file = parquet.ParquetFile(mm.export(recordings["hunted"], tmp_path / "t.parquet").path)
    about = file.schema_arrow.metadata
    assert mm.parse(about[b"murmurate_model"].decode()) == recordings["hunted"].model
    assert about[b"murmurate_seed"] == b"5"
    assert file.num_row_groups > 3  # in pieces
    assert file.read().column("flock").type.value_type == "string"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_trackpys_table_is_read_back_as_tracks(recordings, suffix, tmp_path) -> None:
    rec = recordings["torus"]
    made = mm.export(rec, tmp_path / f"t{suffix}", layout="trackpy", every=3)
    table = read(made.path, rec)
    assert list(table.columns) == ["frame", "particle", "x", "y", "z"]
    assert sorted(set(table["frame"])) == list(range(21))
    tracks = mm.open_tracks(made.path)
    np.testing.assert_array_equal(tracks.positions, expected(rec).positions[::3])


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz"])
def test_what_is_exported_is_read_back_as_tracks(recordings, suffix, tmp_path) -> None:
    """Without a word of what it is; the times are the model's."""
    rec = recordings["torus"]
    tracks = mm.open_tracks(mm.export(rec, tmp_path / f"t{suffix}", every=3).path)
    np.testing.assert_array_equal(tracks.positions, expected(rec).positions[::3])
    seconds = expected(rec).times[3] - expected(rec).times[0]
    assert tracks.timed and tracks.rate == pytest.approx(1 / seconds)


def test_a_numpy_array_is_mapped(rec, tmp_path) -> None:
    found = np.load(mm.export(rec, tmp_path / "p.npy").path, mmap_mode="r")
    same(found, expected(rec).positions)


def test_numpy_arrays(rec, tmp_path) -> None:
    wanted = expected(rec)
    with np.load(mm.export(rec, tmp_path / "p.npz").path) as found:
        same(found["position"], wanted.positions)
        same(found["velocity"], wanted.velocities)
        same(found["step"], wanted.steps)
        same(found["time"], wanted.times)
        same(found["boid"], np.arange(wanted.positions.shape[1]))
        assert found["flock_name"][found["flock"]].tolist() == wanted.flock.tolist()
        assert found["axis"].tolist() == ["x", "y", "z"][: wanted.positions.shape[2]]
        assert ("perch_timer" in found) == (wanted.timers is not None)
        if wanted.timers is not None:
            same(found["perch_timer"], wanted.timers)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
@pytest.mark.parametrize("layout", ["long", "trackpy"])
def test_a_file_beside_a_table_says_what_its_columns_are(rec, name, layout, tmp_path) -> None:
    made = mm.export(rec, tmp_path / name, layout=layout)
    assert made.columns == tmp_path / f"{name}.columns.json"
    said = json.loads(made.columns.read_text(encoding="utf-8"))
    table = read(made.path, rec)
    assert said["file"] == name
    assert [one["name"] for one in said["columns"]] == list(table.columns)
    units = {one["name"]: one["unit"] for one in said["columns"]}
    assert units["x"] == "length" and units.get("vx", "length/time") == "length/time"
    assert all(one["meaning"] for one in said["columns"])
    for one in said["columns"]:
        if one["name"] != "flock" and made.path.suffix == ".parquet":
            assert table[one["name"]].dtype == one["type"]
    assert len(table) == said["frames"] * sum(said["flocks"].values())
    assert said["dt"] * said["every"] == pytest.approx(rec.times[1] - rec.times[0])
    assert said["model"]["name"] == rec.header["name"] and said["versions"]
    assert said["citations"] == rec.citations


def test_the_file_beside_a_table_is_never_replaced_unasked(recordings, tmp_path) -> None:
    mine = tmp_path / "a.csv.columns.json"
    mine.write_text("mine")
    with pytest.raises(mm.ExportRefused, match=r"a\.csv\.columns\.json exists and is kept"):
        mm.export(recordings["hunted"], tmp_path / "a.csv")
    assert [path.name for path in tmp_path.iterdir()] == [mine.name]
    assert mine.read_text() == "mine"
    mm.export(recordings["hunted"], tmp_path / "a.csv", force=True)
    assert json.loads(mine.read_text())["file"] == "a.csv"
    mm.export(recordings["hunted"], tmp_path / "a.npy")
    assert len(list(tmp_path.iterdir())) == 3
