"""Frames are read as they were simulated: one by one, in ranges, by xarray, during the run."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from recorded import SIZES, assert_same, model_of, record

import murmurate as mm
from murmurate.record import Writer, frames_of, header
from murmurate.runs import record_run
from processes import ran_well, until

SINGLE = {"engine": "cpu", "dtype": "float32"}
DOUBLE = {"engine": "reference", "dtype": "float64"}
CASES = [("torus", SINGLE), ("two-flocks", DOUBLE), ("landing", DOUBLE)]


@pytest.mark.parametrize(("name", "options"), CASES, ids=[name for name, _ in CASES])
def test_frames_equal_those_of_the_simulation(
    name: str, options: dict[str, str], tmp_path: Path
) -> None:
    model = model_of(name)
    rec = record(tmp_path / "a.zarr", model, steps=20, every=2, **options)
    simulation = mm.Simulation(model, 5, threads=1, **options)
    assert len(rec) == 11 and rec.steps == range(0, 21, 2) and rec.complete
    for k, frame in enumerate(rec):
        ours = simulation.frame
        assert (frame.step, frame.time) == (ours.step, ours.time)
        assert frame.obstacles == ours.obstacles
        for flock, own in zip(frame.values(), ours.values(), strict=True):
            assert flock.name == own.name and flock.space == own.space
            for what in ("ids", "positions", "velocities", "perch_timers"):
                a, b = getattr(flock, what), getattr(own, what)
                assert a.dtype == b.dtype and np.array_equal(a, b), what
        same = rec[k]
        assert all(np.array_equal(same[f.name].positions, f.positions) for f in frame.values())
        simulation.step(2)
    assert rec.model == model and rec.seed == 5 and rec.dtype == options["dtype"]
    assert mm.polarization(rec[-1]["boids"]) == rec.column("polarization")[-1][0]


def test_frames_by_number_and_step(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", steps=20, every=4)
    assert [frame.step for frame in rec[1:4]] == [4, 8, 12]
    assert rec[-1].step == 20 and rec.frame_at(8).step == 8
    assert [f.step for f in frames_of(rec.path, 1, None, 2)] == [4, 12, 20]
    with pytest.raises(IndexError, match="one of the 6 frames"):
        rec[6]
    with pytest.raises(mm.OpenError, match="step 9 is not recorded: frames are every 4"):
        rec.frame_at(9)
    with mm.open(rec.path) as other:
        assert np.array_equal(other.read(2, 5).positions, rec.read().positions[2:5])


@pytest.mark.parametrize(("name", "options"), CASES, ids=[name for name, _ in CASES])
def test_xarray_opens_it(name: str, options: dict[str, str], tmp_path: Path) -> None:
    """Without settings or warnings; a run in memory gives the same Dataset."""
    model = model_of(name)
    rec = record(tmp_path / "a.zarr", model, steps=12, every=3, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = xr.open_zarr(rec.path)
    read = rec.read()
    assert data["position"].dims == ("time", "boid", "axis")
    assert data["position"].dtype == options["dtype"]
    assert np.array_equal(data["position"], read.positions)
    assert np.array_equal(data["velocity"], read.velocities)
    assert data["axis"].values.tolist() == list("xyz")[: model.space.dims]
    assert data["step"].values.tolist() == list(rec.steps)
    assert data["flock_name"].values.tolist() == list(model.flocks)
    assert ("perch_timer" in data) == (name == "landing")
    assert data.attrs["seed"] == 5 and mm.parse(data.attrs["model"]) == model
    assert data["position"].attrs["units"] == "length"
    memory = mm.run(model, 12, every=3, seed=5, options=mm.RunOptions(**options))
    xr.testing.assert_equal(memory, data.load())
    assert {n: v.attrs for n, v in memory.items()} == {n: v.attrs for n, v in data.items()}


def test_schedules_are_recorded(tmp_path: Path) -> None:
    model = model_of("two-flocks")
    rec = record(tmp_path / "a.zarr", model, steps=6, engine="reference")
    data = rec.to_xarray()
    assert data["scheduled"].values.tolist() == ["rules.spring.radius"]
    expected = [model.rules["spring"].radius.at(t) for t in rec.times]
    assert data["schedule"].values[:, 0].tolist() == expected


def test_layouts(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of("two-flocks"), steps=5, engine="reference")
    read = rec.read()
    for legacy in (False, True):
        names = ("keypoints", "individuals") if legacy else ("keypoint", "individual")
        data = rec.to_xarray("movement", legacy_names=legacy)
        assert data["position"].dims == ("time", "space", *names)
        assert np.array_equal(data["position"].values[:, :, 0], read.positions.transpose(0, 2, 1))
        assert data["confidence"].dims == ("time", *names)
        assert data.attrs["ds_type"] == "poses" and data.attrs["time_unit"] == "seconds"
        assert data.attrs["fps"] == pytest.approx(10.0)
        assert data[names[1]].values[0] == "boids_0"
        data.to_netcdf(tmp_path / f"{legacy}.nc", engine="h5netcdf")
        tracks = mm.open_tracks(tmp_path / f"{legacy}.nc")
        assert tracks.positions == pytest.approx(read.positions, rel=1e-7)
        assert tracks.frames_per_second == pytest.approx(10.0)
    data = rec.to_xarray("cf")
    assert data["x"].dims == ("trajectory", "time")
    assert np.array_equal(data["velocity_y"], read.velocities[:, :, 1].T)
    assert data["trajectory"].attrs["cf_role"] == "trajectory_id"
    data.to_netcdf(tmp_path / "cf.nc", engine="h5netcdf")
    with pytest.raises(mm.OpenError, match="one of native, movement, cf"):
        rec.to_xarray("csv")  # type: ignore[arg-type]


TWO_FLOCKS = {"block_boids": 5, "engine": "reference"}


@pytest.mark.parametrize(("name", "options"), [("torus", {}), ("two-flocks", TWO_FLOCKS)])
def test_precision_bounds_the_error(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    """Also if a chunk holds some of the boids, and positions are negative and positive."""
    model = model_of(name)
    exact = record(tmp_path / "a.zarr", model, steps=12, **options)
    rounded = record(tmp_path / "b.zarr", model, steps=12, precision=0.01, **options)
    a, b = exact.read(), rounded.read()
    bound = rounded.header["velocity_precision"]
    ulp = np.spacing(np.float32(np.abs(a.positions).max()))
    assert 0 < np.abs(a.positions - b.positions).max() <= 0.01 + ulp
    assert 0 < np.abs(a.velocities - b.velocities).max() <= bound + ulp
    assert bound <= 0.01 / model.dt
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Numcodecs codecs")
        data = xr.open_zarr(rounded.path)
    assert data["position"].encoding["scale_factor"] == 0.02
    assert np.allclose(data["position"], b.positions, rtol=0, atol=float(ulp))
    assert np.allclose(data["velocity"], b.velocities, rtol=0, atol=float(ulp))
    assert rounded.to_xarray()["position"].dtype == exact.dtype
    assert np.array_equal(rounded[5]["boids"].positions, b.positions[5, :12])


def test_precision_reduces_the_size_by_ten(tmp_path: Path) -> None:
    """For a flock that moves smoothly from frame to frame."""
    model = model_of("torus", 120).set({"dt": 0.02})
    big = {"shard_bytes": 1 << 22, "chunk_frames": None}
    exact = record(tmp_path / "a.zarr", model, steps=255, **big)
    rounded = record(tmp_path / "b.zarr", model, steps=255, precision=0.01, **big)

    def size(rec: mm.Recording) -> int:
        names = ("position", "velocity")
        return sum(
            f.stat().st_size for n in names for f in (rec.path / n).rglob("*") if f.is_file()
        )

    assert size(rounded) < size(exact) / 10


def loaded(path: Path, tries: int = 5) -> xr.Dataset:
    """Read it as other tools do.

    They open a file again for each part of it, so it may be replaced in between. Then a checksum is
    wrong, and they read again.
    """
    try:
        return xr.open_zarr(path).load()
    except ValueError as error:
        if tries == 0 or "checksum" not in str(error):
            raise
        return loaded(path, tries - 1)


@pytest.mark.slow
def test_a_recording_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    model = model_of()
    simulation = mm.Simulation(model, 1, threads=1)
    first = simulation.frame
    settings = header.make_header(model, first, seed=1, every=1, dtype="float32", **SIZES)
    recorder = Writer.create(
        tmp_path / "a.zarr", settings, first, 60, commit_seconds=0.01,
        measure=record_run.measures(model),
    )  # fmt: skip
    rec, seen = mm.open(tmp_path / "a.zarr"), []
    with recorder:
        for step in range(1, 61):
            recorder.add(simulation.step(1).frame)
            if step % 10 == 0:
                until(lambda added=step + 1: recorder.frames == added)
            seen.append(len(rec.refresh()))
            assert rec[-1].step == len(rec) - 1
            if step % 5 == 0:
                assert 1 <= loaded(rec.path).sizes["time"] <= len(rec.refresh())
    assert seen == sorted(seen) and len(set(seen)) > 5
    assert_same(rec.refresh(), record(tmp_path / "b.zarr", model, steps=60, seed=1))


def test_empty_flocks_and_no_steps(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of("torus", 0), steps=3)
    assert len(rec) == 4 and rec[2].n_boids == 0
    rec = record(tmp_path / "b.zarr", steps=0)
    assert len(rec) == 1 and rec.complete and rec.to_xarray().sizes["time"] == 1


def test_large_flocks_are_measured_in_every_nth_frame(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(header, "SMALL_FLOCK", 4)
    rec = record(tmp_path / "a.zarr", steps=7)
    assert "nearest_neighbour_distance" not in rec.to_xarray()
    speed = rec.column("speed")[:, 0]
    assert np.isfinite(speed).tolist() == [k % 3 == 0 for k in range(8)]


@pytest.mark.slow
def test_a_recorder_needs_little_memory(tmp_path: Path) -> None:
    """For any length: the queue is limited, and a shard is kept only until it is full."""
    program = Path(__file__).parent / "recorder_memory.py"
    output = ran_well(sys.executable, program, tmp_path, 20, 1100, 4400)
    _, short, long = map(int, output.split())
    assert long < 1.2 * short


def test_a_lost_boid_keeps_the_frames_before(tmp_path: Path) -> None:
    model = model_of("nearest-open").set(
        {"flocks.boids.motion.max_speed": float("inf"), "flocks.boids.motion.max_force": 1e9,
         "rules.cohesion.weight": 1e9}
    )  # fmt: skip
    with pytest.raises(mm.RunError):
        record(tmp_path / "a.zarr", model, steps=500, engine="reference")
    rec = mm.open(tmp_path / "a.zarr")
    assert 1 <= len(rec) < 500 and not rec.complete


def test_branch(tmp_path: Path) -> None:
    """A branch without changes has the same frames; with one it differs, and names its parent."""
    model = model_of("two-flocks")
    rec = record(tmp_path / "a.zarr", model, steps=30, every=3, engine="reference")
    same = mm.branch(rec.path, tmp_path / "b.zarr", at=12)
    assert same.steps == range(12, 31, 3)
    assert np.array_equal(same.read().positions, rec.read().positions[4:])
    other = mm.branch(rec.path, tmp_path / "c.zarr", at=12, changes={"rules.hunt.weight": 0.0})
    assert np.array_equal(other[0]["hawks"].positions, rec[4]["hawks"].positions)
    assert not np.array_equal(other[-1]["hawks"].positions, rec[-1]["hawks"].positions)
    parent = other.header["parent"]
    assert parent["step"] == 12 and parent["changes"] == {"rules.hunt.weight": 0.0}
    assert parent["path"] == str(rec.path)
    assert other.model == model.set({"rules.hunt.weight": 0.0})
    with pytest.raises(mm.ModelError, match="other flocks or counts"):
        mm.branch(rec.path, tmp_path / "d.zarr", changes={"flocks.boids.count": 3})


def test_info_and_citations(tmp_path: Path) -> None:
    rec = record(tmp_path / "a.zarr", model_of("two-flocks"), steps=8, every=4, engine="reference")
    info = rec.info()
    assert info["frames"] == 3 and info["last_step"] == 8 and info["complete"]
    assert info["flocks"] == {"boids": 12, "hawks": 6} and info["seed"] == 5
    assert info["bytes"] > 1000 and "numpy" in info["versions"] and info["same_versions"]
    assert info["measures"]["boids"]["polarization"] == pytest.approx(
        mm.polarization(rec[-1]["boids"])
    )
    assert any("murmurate" in text for text in rec.citations)


def test_memory_of_flocks_with_different_state_has_the_shape_of_the_simulation(
    tmp_path: Path,
) -> None:
    model = mm.load("inertial-spin").set({"flocks.boids.count": 4})
    recording = mm.run(
        model, 1, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="reference")
    )
    frame = mm.Simulation(model, engine="reference").step(1).frame
    shapes = {name: flock.memory.shape for name, flock in recording[-1].items()}
    assert shapes == {name: flock.memory.shape for name, flock in frame.items()}
    assert len({width for _, width in shapes.values()}) == 2
