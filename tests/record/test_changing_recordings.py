"""Recordings of flocks whose numbers of boids change: frames, files, layouts and the exact state.

The frames are synthetic, so that every case is there: empty flocks, full ones, and boids that come
and go in one step.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from changing_flocks import (
    SMALL,
    assert_equal_frames,
    changing_model,
    frames_of,
    random_numbers,
    write,
)

import murmurate as mm
from murmurate.errors import RecordError
from murmurate.record import changing_datasets, journal, schema
from murmurate.record.check import find_damage
from murmurate.record.datasets import dataset_of_frames
from murmurate.record.header import make_header
from murmurate.record.row_ranges import FlockRows
from murmurate.runs.playback import Playback
from murmurate.runs.record_run import measures

MODEL = changing_model()
FRAMES = list(frames_of(MODEL, random_numbers(40)))


@pytest.fixture(scope="module")
def exact(tmp_path_factory: pytest.TempPathFactory) -> mm.Recording:
    return write(tmp_path_factory.mktemp("exact") / "a.zarr", MODEL, FRAMES)


@pytest.fixture(scope="module")
def rounded(tmp_path_factory: pytest.TempPathFactory) -> mm.Recording:
    return write(tmp_path_factory.mktemp("rounded") / "a.zarr", MODEL, FRAMES, precision=0.01)


def test_frames_have_who_was_there(exact: mm.Recording) -> None:
    """With ids, steps of birth and numbers, in any order of reading."""
    for k in (3, 39, 8, 0, 17):
        assert_equal_frames(FRAMES[k], exact[k])
    for frame, recorded in zip(FRAMES, exact, strict=True):
        assert_equal_frames(frame, recorded)
    numbers = [[len(flock) for flock in frame.values()] for frame in FRAMES]
    assert exact.column("n_boids").tolist() == numbers
    assert exact.column("n_ever")[-1].tolist() == [flock.n_ever for flock in FRAMES[-1].values()]
    assert exact.changes_numbers and exact.numbers(8).tolist() == numbers[8]
    assert min(n for n, _ in numbers) == 1 and max(n for n, _ in numbers) == 20
    assert find_damage(exact) == []


def test_rounded_frames(rounded: mm.Recording) -> None:
    step = rounded.header["velocity_precision"]
    for frame, recorded in zip(FRAMES, rounded, strict=True):
        for name, flock in frame.items():
            other = recorded[name]
            assert np.array_equal(flock.ids, other.ids)
            assert np.array_equal(flock.births, other.births)
            assert np.array_equal(flock.perch_timers, other.perch_timers)
            assert flock.n_ever == other.n_ever
            assert np.abs(flock.positions - other.positions).max(initial=0) <= 0.01 + 1e-6
            assert np.abs(flock.velocities - other.velocities).max(initial=0) <= step + 1e-6
            assert np.array_equal(flock.memory, other.memory[:, : flock.memory.shape[1]])
    assert_equal_frames(rounded[5], list(rounded)[5])
    assert find_damage(rounded) == []


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_three_dimensions_and_both_precisions(tmp_path: Path, dtype: str) -> None:
    model = changing_model(**{"space.size": (20.0, 16.0, 9.0)})
    frames = list(frames_of(model, random_numbers(12), dtype=dtype))
    rec = write(tmp_path / "a.zarr", model, frames, dtype=dtype)
    for frame, recorded in zip(frames, rec, strict=True):
        assert_equal_frames(frame, recorded)


def test_arrays_of_many_frames(exact: mm.Recording) -> None:
    """Columns of each flock are filled from the first one; the others are nan, their ids -1."""
    part = exact.read(5, 13)
    assert part.ids is not None and part.births is not None and part.flocks is not None
    assert part.positions.shape == (8, len(part.flocks), 2) and part.ids.shape == (8, 20)
    assert part.flocks.tolist() == [0] * 17 + [1] * 3
    for k, frame in enumerate(FRAMES[5:13]):
        for number, flock in enumerate(frame.values()):
            columns = np.flatnonzero(part.flocks == number)
            present = part.ids[k, columns] >= 0
            assert present.tolist() == [True] * len(flock) + [False] * (len(columns) - len(flock))
            assert np.array_equal(part.ids[k, columns][present], flock.ids)
            assert np.array_equal(part.positions[k, columns][present], flock.positions)
            assert np.isnan(part.positions[k, columns][~present]).all()
            assert (part.births[k, columns][~present] == -1).all()
    assert exact.read(7, 7).positions.shape == (0, 0, 2)


def test_rows_of_a_flock(exact: mm.Recording) -> None:
    flock = exact.flock_rows(27, "prey", slice(3, 9))
    assert np.array_equal(flock.ids, FRAMES[27]["prey"].ids[3:9])
    assert np.array_equal(flock.positions, FRAMES[27]["prey"].positions[3:9])
    assert flock.n_ever == FRAMES[27]["prey"].n_ever


def test_rows_and_blocks() -> None:
    """Rows 0 to 7 of one flock and 8 to 11 of another, in blocks of 3."""
    rows = FlockRows({"a": 8, "b": 4}, {"a": 0, "b": 10**9})
    assert rows.total == 12 and rows.starts.tolist() == [0, 8]
    assert rows.occupied([2, 1]).tolist() == [0, 1, 8]
    for numbers, blocks in (
        ((0, 0), []),
        ((3, 0), [0]),
        ((4, 0), [0, 1]),
        ((0, 1), [2]),
        ((0, 2), [2, 3]),
        ((8, 4), [0, 1, 2, 3]),
    ):
        assert rows.blocks(np.array(numbers), 3) == blocks


def test_empty_blocks_are_not_stored(exact: mm.Recording) -> None:
    """A shard has the chunks of blocks with boids, and no others."""
    for array in schema.boid_arrays(exact.header):
        if array.empty is None:
            continue
        for number in range(-(-len(exact) // array.shard_frames)):
            shard = schema_shard(exact, array, number)
            expected = []
            first = number * array.shard_frames
            for chunk in range(array.shard_frames // array.chunk_frames):
                begin = first + chunk * array.chunk_frames
                frames = FRAMES[begin : begin + array.chunk_frames]
                rows = {
                    start + k
                    for frame in frames
                    for start, flock in zip((0, 20), frame.values(), strict=True)
                    for k in range(len(flock))
                }
                blocks = {row // array.block_boids for row in rows}
                expected += sorted(chunk * array.blocks + block for block in blocks)
            assert shard == expected, (array.name, number)


def schema_shard(rec: mm.Recording, array: schema.BoidArray, number: int) -> list[int]:
    """Return the numbers of the chunks that a shard's index lists."""
    from murmurate.record.shards import ABSENT, Shard

    shard = Shard(rec.path / array.file(number), array.capacity)
    assert shard.index is not None
    listed = np.flatnonzero(shard.index[:, 0] != ABSENT).tolist()
    shard.close()
    return listed


def test_nobody_at_all(tmp_path: Path) -> None:
    """Frames without any boid, at the start and in the middle."""
    numbers = [{"prey": [], "hawks": []}] * 4 + [{"prey": [6], "hawks": []}] * 3
    numbers += [{"prey": [], "hawks": []}] * 5
    frames = list(frames_of(MODEL, numbers))
    rec = write(tmp_path / "a.zarr", MODEL, frames)
    for k, (frame, recorded) in enumerate(zip(frames, rec, strict=True)):
        assert_equal_frames(frame, recorded)
        assert_equal_frames(frame, rec[k])
    assert rec.to_xarray().sizes["boid"] == 1
    assert rec.to_xarray("movement").sizes["individual"] == 1
    assert find_damage(rec) == []


def test_more_boids_than_there_is_room_for(tmp_path: Path) -> None:
    numbers = [{"prey": list(range(21)), "hawks": [0]}]
    small, large = list(frames_of(MODEL, [{"prey": [0], "hawks": [0]}])), frames_of(MODEL, numbers)
    with pytest.raises(RecordError, match=r"got 21 boids in flock 'prey'; expected at most 20"):
        write(tmp_path / "a.zarr", MODEL, [*small, *large])


# --- other tools


def test_xarray_opens_it(exact: mm.Recording) -> None:
    """Without settings or warnings: ids, and nan in rows without a boid."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = xr.open_zarr(exact.path).load()
    assert data.attrs["schema_version"] == 4
    assert data["position"].dims == ("time", "boid", "axis") and data.sizes["boid"] == 23
    assert data["flock"].values.tolist() == [0] * 20 + [1] * 3
    present = data["id"].values >= 0
    assert np.array_equal(present, np.isfinite(data["position"].values).all(axis=2))
    assert np.array_equal(present, data["birth"].values >= 0)
    assert np.array_equal(present, data["perch_timer"].values >= 0)
    for k, frame in enumerate(FRAMES):
        ids = np.concatenate([flock.ids for flock in frame.values()])
        assert np.array_equal(data["id"].values[k][present[k]], ids)
        positions = np.concatenate([flock.positions for flock in frame.values()])
        assert np.array_equal(data["position"].values[k][present[k]], positions)
    assert {"id", "birth", "flock", "step"} <= set(data.coords)
    assert "id_in_flock" not in data and "boid" not in data.coords


def test_rounded_recordings_have_nan_too(rounded: mm.Recording) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Numcodecs codecs")
        data = xr.open_zarr(rounded.path).load()
    present = data["id"].values >= 0
    for name in ("position", "velocity"):
        assert np.array_equal(present, np.isfinite(data[name].values).all(axis=2))
    read = rounded.read()
    assert np.allclose(data["position"].values[present], read.positions[read.ids >= 0], atol=1e-5)


def test_rows_that_no_frame_occupies_are_left_out(exact: mm.Recording) -> None:
    full = xr.open_zarr(exact.path)
    assert changing_datasets.trim(full.isel(time=slice(0, 6))).sizes["boid"] == 16 + 3
    data = changing_datasets.trim(full.isel(time=slice(9, 11)))
    fullest = [max(len(FRAMES[k][name]) for k in (9, 10)) for name in ("prey", "hawks")]
    assert data["flock"].values.tolist() == np.repeat([0, 1], fullest).tolist()
    assert np.array_equal(data["position"].values[0, :4], FRAMES[9]["prey"].positions)


@pytest.mark.parametrize("layout", ["movement", "cf"])
def test_a_column_for_each_individual(exact: mm.Recording, layout: Any, tmp_path: Path) -> None:
    """All who are in any frame, with nan where they are absent."""
    data = exact.to_xarray(layout)
    everyone = sorted({int(i) for frame in FRAMES for flock in frame.values() for i in flock.ids})
    if layout == "movement":
        positions = data["position"].values[:, :, 0].transpose(0, 2, 1)
        expected = [f"prey_{i}" if i < 10**9 else f"hawks_{i - 10**9}" for i in everyone]
        assert data["individual"].values.tolist() == expected
        confident = data["confidence"].values[:, 0] == 1.0
    else:
        positions = np.stack([data["x"].values.T, data["y"].values.T], axis=2)
        assert data["trajectory"].values.tolist() == everyone
        assert data["flock"].values.tolist() == [int(i >= 10**9) for i in everyone]
        confident = np.isfinite(positions).all(axis=2)
    for k, frame in enumerate(FRAMES):
        ids = np.concatenate([flock.ids for flock in frame.values()])
        columns = np.searchsorted(everyone, ids)
        assert np.array_equal(np.flatnonzero(confident[k]), columns)
        expected_positions = np.concatenate([flock.positions for flock in frame.values()])
        assert np.array_equal(positions[k, columns], expected_positions)
        assert np.isnan(np.delete(positions[k], columns, axis=0)).all()
    data.to_netcdf(tmp_path / "a.nc", engine="h5netcdf")
    tracks = mm.open_tracks(tmp_path / "a.nc")
    assert np.array_equal(tracks.positions.astype(np.float32), positions, equal_nan=True)
    assert {name: len(rows) for name, rows in tracks.flocks.items()} == {
        "prey": sum(i < 10**9 for i in everyone),
        "hawks": 3,
    }


def test_the_native_layout_is_saved_as_netcdf(exact: mm.Recording, tmp_path: Path) -> None:
    data = exact.to_xarray()
    data.to_netcdf(tmp_path / "a.nc", engine="h5netcdf")
    names = json.loads(data["memory"].attrs["kept_names"])
    assert names == {"hawks": ["population.hunt.handling"]}
    tracks = mm.open_tracks(tmp_path / "a.nc")
    assert tracks.positions.shape == (40, 111, 2)


def test_too_many_individuals(exact: mm.Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changing_datasets, "MAX_TABLE_BYTES", 1000)
    with pytest.raises(mm.OpenError, match=r"got 111 boids .* Use the layout 'native'"):
        exact.to_xarray("movement")
    assert exact.to_xarray().sizes["time"] == 40


def test_frames_in_memory_give_the_same_dataset(exact: mm.Recording) -> None:
    header = make_header(MODEL, FRAMES[0], seed=5, every=1, dtype="float32", **SMALL)
    data = dataset_of_frames(header, iter(FRAMES), len(FRAMES), measures(MODEL), lambda _: ())
    recorded = exact.to_xarray().load()
    xr.testing.assert_equal(data, recorded)
    assert {n: v.attrs for n, v in data.items()} == {n: v.attrs for n, v in recorded.items()}


# --- headers, info, playing


def test_the_version_rises_only_for_changing_numbers(exact: mm.Recording, tmp_path: Path) -> None:
    header, _ = journal.read(exact.path)
    assert header is not None and header["schema_version"] == 4
    assert header["rows"] == {"prey": 20, "hawks": 3}
    assert header["first_ids"] == {"prey": 0, "hawks": 10**9}
    data = MODEL.to_dict()
    del data["population"], data["flocks"]["prey"]["max_boids"]
    model = mm.Model(**data)
    frames = list(frames_of(model, [{"prey": list(range(6)), "hawks": [0, 1, 2]}] * 3))
    rec = write(tmp_path / "a.zarr", model, frames)
    assert rec.header["schema_version"] == 3  # since it has blocks
    assert not {"rows", "first_ids", "traits"} & set(rec.header) and not rec.changes_numbers
    assert rec.numbers(1).tolist() == [6, 3]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("rows", {"prey": 20}, "rows: other flocks than in counts"),
        ("first_ids", {}, "first_ids: other flocks than in rows"),
        ("rows", {"prey": -1, "hawks": 3}, "rows"),
        ("rows", 7, "rows"),
    ],
)
def test_changed_headers(
    exact: mm.Recording, key: str, value: Any, words: str, tmp_path: Path
) -> None:
    header, _ = journal.read(exact.path)
    assert header is not None
    (tmp_path / "a.zarr/journal").mkdir(parents=True)
    (tmp_path / "a.zarr/journal/log").write_bytes(journal.line({**header, key: value}))
    with pytest.raises(mm.OpenError, match=f"its header is damaged: .*{words}"):
        mm.open(tmp_path / "a.zarr")


def test_info(exact: mm.Recording) -> None:
    info = exact.info()
    assert (info["first_boids"], info["boids"]) == (9, 18)
    assert info["flocks"] == {"prey": 16, "hawks": 2}
    assert info["numbers"]["prey"] == {
        "first": 6, "last": 16, "smallest": 1, "largest": 20, "ever": 108, "room": 20,
    }  # fmt: skip
    json.dumps(info)
    assert "from 9 to 18 boids" in repr(exact)


def test_boids_between_frames(tmp_path: Path) -> None:
    """They are matched by id: who leaves moves straight on, who joins appears at its birth."""
    numbers = [{"prey": [0, 2, 5], "hawks": [0]}, {"prey": [2, 5, 6, 7], "hawks": []}]
    frames = [
        mm.Frame(10 * k, float(k), frame.space, frame.flocks)
        for k, frame in enumerate(frames_of(MODEL, numbers))
    ]
    rec = write(tmp_path / "a.zarr", MODEL, frames, every=10)
    playback = Playback(rec)
    for step in (2, 5, 9):
        between = playback.seek(step).frame
        assert between["prey"].ids.tolist() == [0, 2, 5, 6, 7]  # 6 and 7 join at step 1
        assert len(between["hawks"]) == 1
        prey = frames[0]["prey"]
        moved = prey.positions[0] + 0.1 * step * prey.velocities[0]
        inside = MODEL.space.wrap(moved[None].astype(float))[0]
        assert between["prey"].positions[0] == pytest.approx(inside, abs=1e-4)
        assert between["prey"].n_ever == 8
    near = playback.seek(9).frame["prey"]
    gap = MODEL.space.minimum_image(near.positions[1:3] - frames[1]["prey"].positions[:2])
    assert np.abs(gap).max() < 1.0
    assert playback.seek(10).frame["prey"].ids.tolist() == [2, 5, 6, 7]
