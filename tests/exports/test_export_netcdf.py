"""NetCDF, opened by xarray and, where it is installed, by movement."""

from __future__ import annotations

import numpy as np
import pytest
import xarray
from exported import expected, same

import murmurate as mm
from murmurate.record.datasets import to_layout

SLOW = [pytest.param(layout, marks=pytest.mark.slow) for layout in ("movement", "cf")]


@pytest.mark.parametrize("layout", ["native", *SLOW])
def test_xarray_reads_the_same_as_from_the_recording(rec, layout, tmp_path) -> None:
    path = mm.export(rec, tmp_path / "f.nc", mm.ExportOptions(layout=layout)).path
    with xarray.open_dataset(path) as dataset:
        dataset.load()
    reference = rec.to_xarray(layout).load()
    assert set(dataset.variables) == set(reference.variables)
    assert dataset.sizes == reference.sizes
    for name in reference.variables:
        left, right = dataset[name], reference[name]
        assert left.dims == right.dims, name
        if right.dtype.kind in "iuf":  # words have one type in a file, others in a Zarr store
            assert left.dtype == right.dtype, name
        np.testing.assert_array_equal(left.values, right.values, err_msg=str(name))
        kept = {key: left.attrs.get(key) for key in ("units", "long_name")}
        assert kept == {key: right.attrs.get(key) for key in kept}, name
    for name in ("title", "model", "seed", "dt", "every", "steps", "frames", "versions"):
        assert dataset.attrs[name] == reference.attrs[name], name


def test_a_part_is_the_selection_of_xarray(recordings, tmp_path) -> None:
    rec = recordings["hunted"]
    path = tmp_path / "f.nc"
    mm.export(
        rec,
        path,
        mm.ExportOptions(layout="native"),
        flocks="hawks",
        first_step=10,
        last_step=50,
        every=4,
    )
    reference = rec.to_xarray()
    reference = reference.isel(time=slice(5, 26, 2), boid=reference["flock"].values == 1)
    with xarray.open_dataset(path) as dataset:
        same(dataset["position"], reference["position"].values)
        assert dataset["boid"].values.tolist() == [14, 15, 16]
        assert dataset["flock_name"].values.tolist() == ["hawks"]
        assert dataset["flock"].values.tolist() == [0, 0, 0]
        same(dataset["polarization"], reference["polarization"].values[:, 1:])
        same(dataset["schedule"], reference["schedule"].values)
        assert (dataset.attrs["every"], dataset.attrs["frames"], dataset.attrs["steps"]) == (
            4,
            11,
            50,
        )


@pytest.mark.parametrize("legacy", [False, True])
def test_movements_layout(recordings, legacy, tmp_path) -> None:
    rec = recordings["hunted"]
    path = mm.export(rec, tmp_path / "f.nc", mm.ExportOptions(legacy_names=legacy), every=4).path
    names = ("keypoints", "individuals") if legacy else ("keypoint", "individual")
    with xarray.open_dataset(path) as dataset:
        assert dataset["position"].dims == ("time", "space", *names)
        assert dataset["confidence"].dims == ("time", *names)
        assert dataset.attrs["ds_type"] == "poses" and dataset.attrs["time_unit"] == "seconds"
        assert dataset.attrs["fps"] == pytest.approx(1 / 0.4)
        assert dataset["space"].values.tolist() == ["x", "y"]
        assert (
            dataset[names[1]].values[0] == "boids_0" and dataset[names[1]].values[-1] == "hawks_2"
        )
        centroids = dataset["position"].isel({names[0]: 0}).transpose("time", names[1], "space")
        same(centroids, expected(rec).positions[::2])
    tracks = mm.open_tracks(path)
    np.testing.assert_array_equal(tracks.positions, expected(rec).positions[::2])
    assert tracks.frames_per_second == pytest.approx(2.5)


def test_movement_opens_it(recordings, tmp_path) -> None:
    movement = pytest.importorskip("movement", exc_type=ImportError)
    from movement.kinematics import compute_speed
    from movement.validators.datasets import ValidPosesInputs

    plural = tuple(map(int, movement.__version__.split(".")[:2])) < (0, 17)
    path = mm.export(
        recordings["torus"], tmp_path / "f.nc", mm.ExportOptions(legacy_names=plural)
    ).path
    data = xarray.load_dataset(path)
    ValidPosesInputs.validate(data)
    assert compute_speed(data["position"]).shape == (61, 1, 12)


def test_a_layout_is_that_of_the_recording(recordings) -> None:
    """The reference of the tests above is right."""
    native = recordings["torus"].to_xarray()
    assert to_layout(native, "movement")["position"].dims[0] == "time"
