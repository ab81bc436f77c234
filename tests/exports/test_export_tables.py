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
def test_a_table_has_a_row_per_boid_and_frame(rec, suffix, tmp_path) -> None:
    report = mm.export(rec, tmp_path / f"t{suffix}")
    reference = expected(rec)
    frames, boids, dims = reference.positions.shape
    assert (report.frames, report.boids) == (frames, boids)
    assert report.bytes == (tmp_path / f"t{suffix}").stat().st_size
    table = read(report.path, rec)
    axes = ["x", "y", "z"][:dims]
    names = ["step", "time", "flock", "id", *axes, *(f"v{axis}" for axis in axes)]
    perching = reference.timers is not None
    assert list(table.columns) == [*names, *(["perch_timer"] if perching else [])]
    assert len(table) == frames * boids
    same(table["step"], np.repeat(reference.steps, boids))
    same(table["time"], np.repeat(reference.times, boids))
    same(table["id"], np.tile(np.arange(boids), frames))
    assert table["flock"].tolist() == np.tile(reference.flock, frames).tolist()
    same(table[axes], reference.positions.reshape(-1, dims))
    same(table[[f"v{axis}" for axis in axes]], reference.velocities.reshape(-1, dims))
    if perching:
        assert reference.timers.any(), "a test of landing without landed boids"
        assert table["perch_timer"].tolist() == reference.timers.reshape(-1).tolist()


def test_a_csv_is_readable_without_libraries(recordings, tmp_path) -> None:
    rec = recordings["hunted"]
    with open(mm.export(rec, tmp_path / "t.csv").path, newline="") as file:
        rows = list(csv.DictReader(file))
    values = np.array([[float(row["x"]), float(row["vy"])] for row in rows])
    reference = expected(rec)
    same(values[:, 0], reference.positions[:, :, 0].reshape(-1))
    same(values[:, 1], reference.velocities[:, :, 1].reshape(-1))


def test_the_metadata_of_a_parquet(recordings, tmp_path) -> None:
    file = parquet.ParquetFile(mm.export(recordings["hunted"], tmp_path / "t.parquet").path)
    about = file.schema_arrow.metadata
    assert mm.parse(about[b"murmurate_model"].decode()) == recordings["hunted"].model
    assert about[b"murmurate_seed"] == b"5"
    assert file.num_row_groups > 3  # in pieces
    assert file.read().column("flock").type.value_type == "string"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_trackpys_table_is_read_back_as_tracks(recordings, suffix, tmp_path) -> None:
    rec = recordings["torus"]
    report = mm.export(rec, tmp_path / f"t{suffix}", mm.ExportOptions(layout="trackpy"), every=3)
    table = read(report.path, rec)
    assert list(table.columns) == ["frame", "particle", "x", "y", "z"]
    assert sorted(set(table["frame"])) == list(range(21))
    tracks = mm.open_tracks(report.path)
    np.testing.assert_array_equal(tracks.positions, expected(rec).positions[::3])


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz"])
def test_tables_are_read_back_as_tracks(recordings, suffix, tmp_path) -> None:
    """No options are needed, and the times are those of the model."""
    rec = recordings["torus"]
    tracks = mm.open_tracks(mm.export(rec, tmp_path / f"t{suffix}", every=3).path)
    np.testing.assert_array_equal(tracks.positions, expected(rec).positions[::3])
    seconds = expected(rec).times[3] - expected(rec).times[0]
    assert tracks.timed and tracks.rate == pytest.approx(1 / seconds)


def test_a_numpy_array_is_memory_mapped(rec, tmp_path) -> None:
    values = np.load(mm.export(rec, tmp_path / "p.npy").path, mmap_mode="r")
    same(values, expected(rec).positions)


def test_numpy_arrays(rec, tmp_path) -> None:
    reference = expected(rec)
    with np.load(mm.export(rec, tmp_path / "p.npz").path) as values:
        same(values["position"], reference.positions)
        same(values["velocity"], reference.velocities)
        same(values["step"], reference.steps)
        same(values["time"], reference.times)
        same(values["boid"], np.arange(reference.positions.shape[1]))
        assert values["flock_name"][values["flock"]].tolist() == reference.flock.tolist()
        assert values["axis"].tolist() == ["x", "y", "z"][: reference.positions.shape[2]]
        assert ("perch_timer" in values) == (reference.timers is not None)
        if reference.timers is not None:
            same(values["perch_timer"], reference.timers)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
@pytest.mark.parametrize("layout", ["long", "trackpy"])
def test_a_file_describes_the_columns_of_a_table(rec, name, layout, tmp_path) -> None:
    report = mm.export(rec, tmp_path / name, mm.ExportOptions(layout=layout))
    assert report.columns == tmp_path / f"{name}.columns.json"
    description = json.loads(report.columns.read_text(encoding="utf-8"))
    table = read(report.path, rec)
    assert description["file"] == name
    assert [column["name"] for column in description["columns"]] == list(table.columns)
    units = {column["name"]: column["unit"] for column in description["columns"]}
    assert units["x"] == "length" and units.get("vx", "length/time") == "length/time"
    assert all(column["meaning"] for column in description["columns"])
    for column in description["columns"]:
        if column["name"] != "flock" and report.path.suffix == ".parquet":
            assert table[column["name"]].dtype == column["type"]
    assert len(table) == description["frames"] * sum(description["flocks"].values())
    assert description["dt"] * description["every"] == pytest.approx(rec.times[1] - rec.times[0])
    assert description["model"]["name"] == rec.header["name"] and description["versions"]
    assert description["citations"] == rec.citations


def test_the_description_of_a_table_is_never_replaced_without_force(recordings, tmp_path) -> None:
    mine = tmp_path / "a.csv.columns.json"
    mine.write_text("mine")
    with pytest.raises(mm.ExportOptionsError, match=r"a\.csv\.columns\.json exists and is kept"):
        mm.export(recordings["hunted"], tmp_path / "a.csv")
    assert [path.name for path in tmp_path.iterdir()] == [mine.name]
    assert mine.read_text() == "mine"
    mm.export(recordings["hunted"], tmp_path / "a.csv", force=True)
    assert json.loads(mine.read_text())["file"] == "a.csv"
    mm.export(recordings["hunted"], tmp_path / "a.npy")
    assert len(list(tmp_path.iterdir())) == 3
