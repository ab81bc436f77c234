"""Exports are read exactly: space, velocities, times and flocks.

Every measure of the tracks equals that of the recording.
"""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recorded_flocks import MODELS

import murmurate as mm
from murmurate.exports import tables
from murmurate.measures import Curve, Estimate
from murmurate.measures.measure_frames import ALL, measure_frames
from murmurate.measures.per_animal import PerAnimal
from murmurate.record import schema
from murmurate.tracks import murmurate_files

OPTIONS: dict[str, dict[str, Any]] = {
    "collisions": {"radius": 0.5},
    "number_fluctuations": {"min_count": 0.01},
    "number_fluctuation_exponent": {"min_count": 0.01},
    "opacity": {"size": 0.2, "observers": 20, "directions": 40},
    "outer_opacity": {"size": 0.2, "views": 1},
    "relaxation_time": {"k": 3.0},
}
HUNT: dict[str, dict[str, Any]] = {"captures": {"radius": 0.5}}
EXACT = {  # file, options of the export
    "f.csv": None, "f.parquet": None, "f.npz": None, "movement.nc": None,
    "legacy.nc": mm.ExportOptions(legacy_names=True),
    "native.nc": mm.ExportOptions("native"), "cf.nc": mm.ExportOptions("cf"),
}  # fmt: skip


def all_measures(frames: Any, hunted: bool) -> dict[str, Any]:
    options = OPTIONS | (HUNT if hunted else {})
    result = measure_frames(frames, ALL, flock="boids", predators="hawks" if hunted else None,
                           options=options)  # fmt: skip
    return {name: item.skipped or item.value for name, item in result.items()}


def numbers(value: Any, ranks: bool = False) -> np.ndarray:
    if isinstance(value, Curve):
        if ranks:  # those of equal boids are in any order
            return np.concatenate([value.x, value.y, np.sort(value.count)])
        return np.concatenate([value.x, value.y, value.count])
    if isinstance(value, Estimate):
        return np.array([value.value, value.error, value.independent])
    if isinstance(value, PerAnimal):
        return np.concatenate([value.ids, value.values, value.counts])
    return np.concatenate([numbers(item) for item in value.values()])


def assert_same(result: dict[str, Any], expected: dict[str, Any], rtol: float = 1e-9) -> None:
    assert list(result) == list(expected) and len(result) > 40
    for name, want in expected.items():
        if isinstance(want, str):
            assert result[name] == want, name
        else:
            if isinstance(want, dict):
                assert list(result[name]) == list(want)
            item, other = (numbers(value, name == "leadership") for value in (result[name], want))
            np.testing.assert_allclose(item, other, rtol=rtol, atol=rtol, err_msg=name)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("file", EXACT)
def test_frames_of_an_export_are_those_of_the_recording(
    file: str,
    model: str,
    recordings: dict[str, mm.Recording],
    tmp_path: Path,
) -> None:
    rec = recordings[model]
    tracks = mm.open_tracks(mm.export(rec, tmp_path / file, EXACT[file]).path)
    assert tracks.space.periodic == rec.scene.space.periodic
    assert tracks.space.size == rec.scene.space.size
    assert tracks.space.lower == rec.scene.space.lower
    assert not tracks.warnings
    for frame, expected in zip(tracks, rec, strict=True):
        for flock, want in zip(frame.values(), expected.values(), strict=True):
            assert flock.name == want.name
            np.testing.assert_array_equal(flock.ids, want.ids)
            np.testing.assert_array_equal(flock.positions, want.positions)
            np.testing.assert_array_equal(flock.velocities, want.velocities)
    assert np.diff([frame.time for frame in tracks]) == pytest.approx(rec.every * rec.header["dt"])


@pytest.mark.parametrize(
    "model",
    [
        "two_flocks",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("torus_3d", "mixed_3d", "fast_2d")
        ),
    ],
)
def test_measures_of_an_export_are_those_of_the_recording(
    model: str, recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    tracks = mm.open_tracks(mm.export(recordings[model], tmp_path / "f.csv").path)
    hunted = model == "two_flocks"
    assert_same(all_measures(tracks, hunted), all_measures(recordings[model], hunted))


@pytest.mark.slow
def test_the_speed_of_a_fast_flock_is_read_back(
    recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    """A step across the edge does not count as one across the box."""
    for file, options in EXACT.items():
        tracks = mm.open_tracks(mm.export(recordings["fast_2d"], tmp_path / file, options).path)
        speed = mm.measure(tracks, "speed", frames=slice(1, None))["speed"].value
        assert speed == pytest.approx(1.5, rel=1e-6)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("model", MODELS)
def test_the_layout_of_trackpy_has_no_velocities(
    model: str, suffix: str, recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    """Positions, space, times and flocks are exact; velocities are differences on the torus."""
    rec = recordings[model]
    tracks = mm.open_tracks(
        mm.export(rec, tmp_path / f"f{suffix}", mm.ExportOptions(layout="trackpy")).path
    )
    assert tracks.space.periodic == rec.scene.space.periodic
    assert "nearest image" in tracks.attrs["velocities"]
    for frame, expected in zip(tracks, rec, strict=True):
        for flock, want in zip(frame.values(), expected.values(), strict=True):
            assert flock.name == want.name
            np.testing.assert_array_equal(flock.positions, want.positions)
    fastest = max(
        float(np.linalg.norm(flock.velocities, axis=1).max())
        for frame in rec
        for flock in frame.values()
    )
    assert np.linalg.norm(tracks.velocities, axis=2).max() < 1.01 * fastest


@pytest.mark.parametrize("file", EXACT)
def test_some_frames_of_some_flocks(
    file: str, recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    rec = recordings["two_flocks"]
    exported = mm.export(rec, tmp_path / file, EXACT[file], first_step=6, every=4, flocks="hawks")
    tracks = mm.open_tracks(exported.path)
    steps = range(6, 25, 4)
    assert [tracks.start + k * tracks.every for k in range(len(tracks))] == list(steps)
    assert tracks.rate == pytest.approx(1 / (4 * 0.1)) and list(tracks.flocks) == ["hawks"]
    for frame, step in zip(tracks, steps, strict=True):
        want = rec[step // 2]["hawks"]
        np.testing.assert_array_equal(frame["hawks"].positions, want.positions)
        np.testing.assert_array_equal(frame["hawks"].velocities, want.velocities)


@pytest.mark.slow
def test_another_rate_changes_recorded_velocities_too(
    recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    path = mm.export(recordings["fast_2d"], tmp_path / "fast.npz").path
    for tracks in (mm.open_tracks(path, frames_per_second=10), mm.open_tracks(path).at_rate(10)):
        assert mm.measure(tracks, "speed", frames=slice(1, None))["speed"].value == pytest.approx(
            15, rel=1e-6
        )
    rec = recordings["two_flocks"]
    for file, options in EXACT.items():  # frames are two steps apart
        tracks = mm.open_tracks(mm.export(rec, tmp_path / file, options).path, frames_per_second=10)
        assert tracks.rate == 10
        expected = np.linalg.norm(rec[-1]["hawks"].velocities, axis=1) * 10 / (1 / 0.2)
        assert np.linalg.norm(tracks[-1]["hawks"].velocities, axis=1) == pytest.approx(expected)
    path = mm.export(recordings["fast_2d"], tmp_path / "g.npz").path
    result = mm.measure(mm.open_tracks(path, 10), "speed", frames=slice(1, None))["speed"]
    assert result.value == pytest.approx(15, rel=1e-6)


def test_y_is_flipped(recordings: dict[str, mm.Recording], tmp_path: Path) -> None:
    path = mm.export(recordings["fast_2d"], tmp_path / "f.csv").path
    plain, turned = mm.open_tracks(path), mm.open_tracks(path, y_down=True)
    assert turned.space.lower == (3.0, -3.0) and turned.space.upper == (9.0, 2.0)
    mirror = np.array([1, -1])
    np.testing.assert_array_equal(turned.velocities, plain.velocities * mirror)
    np.testing.assert_array_equal(turned.positions, plain.positions * mirror)


def test_constants_equal_those_of_the_exports() -> None:
    assert murmurate_files.COLUMNS_ENDING == tables.ENDING
    assert murmurate_files.SCHEMA == schema.SCHEMA


# --- what does not fit


@pytest.fixture
def table(recordings: dict[str, mm.Recording], tmp_path: Path) -> Path:
    return mm.export(recordings["two_flocks"], tmp_path / "flock.csv").path


def test_a_table_without_its_columns_file_is_refused(table: Path) -> None:
    columns_file = table.with_name("flock.csv.columns.json")
    columns_file.unlink()
    with pytest.raises(mm.TracksError, match=r"got no flock.csv.columns.json.*--periodic"):
        mm.open_tracks(table)
    with pytest.raises(mm.TracksError, match="Leave --columns out"):
        mm.open_tracks(table, table=mm.TableFormat(columns="id=id,frame=step,x=x,y=y"))
    user_tracks = mm.open_tracks(table, space="10x7", periodic="x")
    assert (
        user_tracks.space.periodic == (True, False)
        and "got no flock.csv.columns.json" in user_tracks.notes[0]
    )
    assert mm.measure(user_tracks, "speed", flock="boids")["speed"].value == pytest.approx(
        np.linalg.norm(user_tracks.recorded_velocities[:, :20], axis=2).mean()  # type: ignore[index]
    )
    assert not any(mm.open_tracks(table, periodic="none").space.periodic)


def cut(rows: list[str], message: dict[str, Any]) -> None:
    del rows[-25:]


def one_row_less(rows: list[str], message: dict[str, Any]) -> None:
    del rows[40]


def other_columns(rows: list[str], message: dict[str, Any]) -> None:
    rows[0] = rows[0].replace("vx,vy", "vy,vx")


def other_flock(rows: list[str], message: dict[str, Any]) -> None:
    message["flocks"] = {"boids": 21, "hawks": 4}


def other_step(rows: list[str], message: dict[str, Any]) -> None:
    message["dt"] = 0.2


def other_space(rows: list[str], message: dict[str, Any]) -> None:
    message["space"]["size"][0] = 2.0


def flat_space(rows: list[str], message: dict[str, Any]) -> None:
    message["space"].update(lower=[0, 0, 0], size=[1, 1, 1], boundary=["open"] * 3)


def no_number(rows: list[str], message: dict[str, Any]) -> None:
    message["dt"] = "soon"


def no_space(rows: list[str], message: dict[str, Any]) -> None:
    del message["space"]


def wrong_word(rows: list[str], message: dict[str, Any]) -> None:
    message["space"]["boundary"] = ["round", "open"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (cut, "does not match the table: it says 13 for frames, and got 12"),
        (one_row_less, "it says 325 for rows, and got 324"),
        (other_columns, "it says the columns step, time, flock, id, x, y, vx, vy"),
        (other_flock, "it says boids 21, hawks 4 for boids of each flock, and got boids 20"),
        (other_step, "it says 0.4 for time of step 2, and got 0.2"),
        (other_space, r"the space of flock.csv.columns.json: got x = .* in frame 0"),
        (flat_space, "it says 3 for axes, and got 2"),
        (no_number, "flock.csv.columns.json: cannot be read"),
        (no_space, "flock.csv.columns.json: cannot be read"),
        (wrong_word, "flock.csv.columns.json: cannot be read"),
    ],
)
def test_a_columns_file_that_does_not_match(damage: Any, message: str, table: Path) -> None:
    columns_file = table.with_name("flock.csv.columns.json")
    rows, about = table.read_text().splitlines(), json.loads(columns_file.read_text())
    damage(rows, about)
    table.write_text("\n".join(rows) + "\n")
    columns_file.write_text(json.dumps(about))
    with pytest.raises(mm.TracksError, match=message) as caught:
        mm.open_tracks(table)
    assert "expected" in str(caught.value) and "--space" in str(caught.value)
    user_tracks = mm.open_tracks(table, space="10x7", periodic="x")
    assert user_tracks.space.periodic == (True, False)


def test_the_columns_file_of_another_table(
    recordings: dict[str, mm.Recording], table: Path
) -> None:
    other = mm.export(recordings["torus_3d"], table.with_name("other.csv"))
    shutil.copy(other.columns, table.with_name("flock.csv.columns.json"))  # type: ignore[arg-type]
    with pytest.raises(mm.TracksError, match="does not match the table"):
        mm.open_tracks(table)


def test_parquet_contains_its_description(
    recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    """It needs no separate file, unlike one of an older murmurate."""
    import pandas as pd

    exported = mm.export(recordings["two_flocks"], tmp_path / "f.parquet")
    exported.columns.unlink()  # type: ignore[union-attr]
    assert mm.open_tracks(exported.path).space.periodic == (True, False)
    pd.read_parquet(exported.path).to_parquet(tmp_path / "g.parquet")  # drops what is said
    with pytest.raises(mm.TracksError, match=r"got no g.parquet.columns.json"):
        mm.open_tracks(tmp_path / "g.parquet")


def test_arrays_of_an_older_export_need_a_space(
    recordings: dict[str, mm.Recording], tmp_path: Path
) -> None:
    path = mm.export(recordings["fast_2d"], tmp_path / "f.npz").path
    with np.load(path) as result:
        arrays = {name: result[name] for name in result if not name.startswith("space_")}
    np.savez(tmp_path / "old.npz", **arrays)  # type: ignore[arg-type]
    with pytest.raises(mm.TracksError, match="got no space"):
        mm.open_tracks(tmp_path / "old.npz")
    result = mm.open_tracks(
        tmp_path / "old.npz", space=mm.Space(size=(6, 5), origin=(3, -2), boundary="periodic")
    )
    speed = mm.measure(result, "speed", frames=slice(1, None))["speed"].value
    assert speed == pytest.approx(1.5, rel=1e-6)


@pytest.mark.parametrize("flocks", [None, 1, 2, 5])
def test_arrays_by_id_have_flocks_only_for_each_of_their_rows(
    flocks: int | None, tmp_path: Path
) -> None:
    arrays: dict[str, Any] = {"time": np.arange(2.0), "boid": np.arange(2)}
    arrays |= {"position": np.arange(8.0).reshape(2, 2, 2), "id": np.array([[4, 7], [7, -1]])}
    if flocks is not None:
        arrays["flock"] = np.zeros(flocks, np.int64)
    np.savez(tmp_path / "a.npz", **arrays)
    tracks = mm.open_tracks(tmp_path / "a.npz", space=mm.Space(size=(9, 9), boundary="open"))
    assert list(tracks.flocks) == ["0" if flocks == 2 else "boids"]
    expected = [[[0, 1], [2, 3]], [[np.nan, np.nan], [4, 5]]]
    np.testing.assert_array_equal(tracks.positions, expected)


def test_attributes_that_do_not_match(recordings: dict[str, mm.Recording], tmp_path: Path) -> None:
    import xarray

    path = mm.export(recordings["two_flocks"], tmp_path / "f.nc").path
    with xarray.open_dataset(path) as data:
        data.isel(individual=slice(0, 7)).to_netcdf(tmp_path / "g.nc")
        data.assign_attrs(model="nothing").to_netcdf(tmp_path / "h.nc")
        data.isel(time=slice(0, None, 3)).to_netcdf(tmp_path / "i.nc")
    with pytest.raises(mm.TracksError, match="they say 25 boids in 2-D, and got 7"):
        mm.open_tracks(tmp_path / "g.nc")
    with pytest.raises(mm.TracksError, match="its attributes cannot be read"):
        mm.open_tracks(tmp_path / "h.nc")
    thin = mm.open_tracks(tmp_path / "i.nc")
    assert thin.rate == pytest.approx(1 / 0.6) and thin.every == 6
    assert math.isfinite(mm.measure(thin, "speed")["speed"].value)
