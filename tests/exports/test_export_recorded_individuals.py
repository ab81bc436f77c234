"""Exports of a recording whose boids come and go, with numbers that differ, made by an engine."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.runs import record_run


def living_model() -> mm.Model:
    """Return prey that enter and die, with weights that differ, and one hawk."""
    return mm.Model(
        name="prey",
        space=mm.Space(size=(20.0, 16.0)),
        dt=0.1,
        flocks={
            "prey": mm.Flock(count=8, max_boids=40, motion=mm.ConstantSpeed(speed=2.0)),
            "hawks": mm.Flock(count=2, motion=mm.ConstantSpeed(speed=3.0)),
        },
        rules={
            "cohesion": mm.Cohesion(
                moves="prey", radius=4.0, weight=mm.Normal(mean=0.2, sd=0.1, min=0.0)
            )
        },
        population={
            "enter": mm.BoidSource(flock="prey", rate=4.0),
            "die": mm.Deaths(flocks=("prey",), rate=0.5),
        },
    )


@pytest.fixture(scope="module")
def living(tmp_path_factory):
    simulation = mm.Simulation(living_model(), 3, engine="reference")
    path = tmp_path_factory.mktemp("living") / "prey.zarr"
    return record_run.record(simulation, path, 60, 2, shard_bytes=2000, chunk_frames=3)


def frames_by_id(rec: mm.Recording) -> list[dict[int, np.ndarray]]:
    """Return id -> position of each frame."""
    return [
        {
            int(boid): x
            for flock in rec[k].values()
            for boid, x in zip(flock.ids, flock.positions, strict=True)
        }
        for k in range(len(rec))
    ]


def test_the_recording_changes(living) -> None:
    sizes = [len(frame) for frame in frames_by_id(living)]
    assert min(sizes) < max(sizes)
    assert "rules.cohesion.weight" in living[0]["prey"].traits


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".npz", ".xyz", ".gsd", ".nc"])
def test_read_back(living, tmp_path, suffix) -> None:
    """Each format gives every boid of every frame, and the same frames for measures."""
    report = mm.export(living, tmp_path / f"prey{suffix}")
    frames = frames_by_id(living)
    assert report.boids == len({boid for frame in frames for boid in frame})
    tracks = mm.open_tracks(report.path)
    for k, frame in enumerate(frames):
        seen = np.flatnonzero(np.isfinite(tracks.positions[k, :, 0]))
        assert len(seen) == len(frame)
        x = tracks.positions[k, seen]
        tolerance = 1e-5 if suffix == ".gsd" else 0.0
        np.testing.assert_allclose(x, np.array(list(frame.values())), atol=tolerance)
    assert set(tracks.flocks) == {"prey", "hawks"}


@pytest.mark.parametrize(
    "layout", ["movement", "cf", pytest.param("native", marks=pytest.mark.slow)]
)
def test_netcdf(living, tmp_path, layout) -> None:
    xarray = pytest.importorskip("xarray")
    path = mm.export(living, tmp_path / "prey.nc", mm.ExportOptions(layout=layout)).path
    frames = frames_by_id(living)
    ids = sorted({boid for frame in frames for boid in frame})
    first = [0, living.header["first_ids"]["hawks"]]
    with xarray.open_dataset(path, decode_times=False) as data:
        if layout == "movement":
            x = data["position"].isel(keypoint=0).transpose("time", "individual", "space")
            names = [f"hawks_{i - first[1]}" if i >= first[1] else f"prey_{i}" for i in ids]
            assert data["individual"].values.tolist() == names
            traits = data["trait"].values[:, 0]
        elif layout == "cf":
            x = xarray.concat([data["x"], data["y"]], "axis").transpose(
                "time", "trajectory", "axis"
            )
            traits = None
        else:
            x = data["position"]
            assert data["boid"].values.tolist() == ids
            births = data["birth"].values
            for k in range(len(frames)):
                for flock in living[k].values():
                    assert births[np.searchsorted(ids, flock.ids)].tolist() == (
                        flock.births.tolist()
                    )
            traits = data["trait"].values[:, 0]
        for k, frame in enumerate(frames):
            seen = np.isfinite(x.values[k, :, 0])
            assert [ids[i] for i in np.flatnonzero(seen)] == sorted(frame)
            expected = [frame[boid] for boid in sorted(frame)]
            np.testing.assert_array_equal(x.values[k][seen], np.array(expected))
        if traits is not None:
            weights = dict(zip(ids, traits, strict=True))
            for k in range(len(frames)):
                flock = living[k]["prey"]
                assert [weights[i] for i in flock.ids.tolist()] == (
                    flock.traits["rules.cohesion.weight"].tolist()
                )
            assert np.isnan(weights[first[1]])


def test_part_of_it(living, tmp_path) -> None:
    """Frames, flocks and ids are chosen together; a boid that is not there then is no column."""
    numpy_file = mm.export(
        living, tmp_path / "few.npz", first_step=20, last_step=40, every=4, flocks="prey",
        ids="0-12",
    ).path  # fmt: skip
    data = np.load(numpy_file)
    assert data["step"].tolist() == [20, 24, 28, 32, 36, 40]
    for k, step in enumerate(data["step"].tolist()):
        ids = living.frame_at(step)["prey"].ids
        assert data["id"][k][data["id"][k] >= 0].tolist() == ids[ids <= 12].tolist()


def test_measures_of_the_export_are_those_of_the_recording(living, tmp_path) -> None:
    names = ["polarization", "mean_squared_displacement", "path_length", "neighbour_overlap"]
    recorded = mm.measure(living, names, flock="prey")
    path = mm.export(living, tmp_path / "prey.parquet", flocks="prey").path
    tracks = mm.measure(path, names)
    assert tracks["polarization"].value == pytest.approx(recorded["polarization"].value)
    for name in ("mean_squared_displacement", "neighbour_overlap"):
        np.testing.assert_allclose(tracks[name].y, recorded[name].y, rtol=1e-6)
    np.testing.assert_allclose(tracks["path_length"].values, recorded["path_length"].values)
