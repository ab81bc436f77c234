"""Exports of tracks: tables and NetCDF are read back as the same tracks; scenes hide unobserved
animals."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import murmurate as mm
from murmurate.errors import ExportOptionsError
from murmurate.exports import export
from murmurate.exports.appearance import LastPositions

NAMES = ["anna", "ben, the second", "ü"]


def walk() -> np.ndarray:
    random = np.random.default_rng(5)
    result = np.cumsum(random.normal(size=(12, 3, 2)), axis=0) + 50.0
    result[0, 1] = result[4:7, 1] = result[9:, 2] = np.nan
    return result


@pytest.fixture
def tracks() -> mm.Tracks:
    return mm.Tracks(walk(), 25.0, NAMES, unit="cm")


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".nc"])
def test_round_trip(tracks: mm.Tracks, tmp_path: Path, ending: str) -> None:
    report = export(tracks, tmp_path / f"t{ending}")
    assert (report.frames, report.boids) == (12, 3)
    result = mm.open_tracks(report.path)
    np.testing.assert_array_equal(result.positions, tracks.positions)
    assert list(result.names) == NAMES and result.rate == pytest.approx(25.0)


def test_the_description_of_a_table(tracks: mm.Tracks, tmp_path: Path) -> None:
    report = export(tracks, tmp_path / "t.csv")
    assert report.columns is not None
    description = json.loads(report.columns.read_text(encoding="utf-8"))
    assert description["units"] == "lengths are in cm, times in s" and description["frames"] == 12
    types = {column["name"]: column["type"] for column in description["columns"]}
    assert types["id"] == "string" and types["x"] == "float64"


def test_names_of_dimensions_and_a_part(tracks: mm.Tracks, tmp_path: Path) -> None:
    export(tracks, tmp_path / "a.nc", first_step=2, last_step=10, every=4)
    with xr.open_dataset(tmp_path / "a.nc") as data:
        assert data.position.dims == ("time", "space", "keypoint", "individual")
        assert data.attrs["fps"] == 25 / 4 and data.attrs["ds_type"] == "poses"
        np.testing.assert_array_equal(data.position[:, :, 0].values.swapaxes(1, 2),
                                      tracks.positions[[2, 6, 10]])  # fmt: skip
    result = mm.open_tracks(tmp_path / "a.nc")
    assert (result.start, result.every, result.rate) == (2, 4, 25 / 4)
    export(tracks, tmp_path / "b.nc", mm.ExportOptions(legacy_names=True))
    with xr.open_dataset(tmp_path / "b.nc") as data:
        assert data.position.dims == ("time", "space", "keypoints", "individuals")


def test_a_file_and_the_coordinates_of_the_file(tracks: mm.Tracks, tmp_path: Path) -> None:
    """y down is flipped in pictures, but not in exports."""
    lines = [f"{k},{3 * k},{k},7.0,0" for k in range(5)]
    (tmp_path / "t.csv").write_text("\n".join(["frame,x,y,mass,particle", *lines]))
    assert mm.open_tracks(tmp_path / "t.csv").y_down
    report = export(tmp_path / "t.csv", tmp_path / "o.npz")
    with np.load(report.path) as file:
        assert file["position"][:, 0].tolist() == [[3.0 * k, float(k)] for k in range(5)]


@pytest.mark.parametrize("ending", [".xyz", ".gsd", ".vtkhdf", ".npy", ".npz"])
def test_other_formats_have_nan_for_unobserved_animals(
    tracks: mm.Tracks, tmp_path: Path, ending: str
) -> None:
    report = export(tracks, tmp_path / f"t{ending}")
    assert report.frames == 12 and report.bytes > 500
    if ending == ".npy":
        np.testing.assert_array_equal(np.load(report.path), tracks.positions)


@pytest.mark.parametrize("scene", [False, True])
def test_usd_hides_unobserved_animals(tracks: mm.Tracks, tmp_path: Path, scene: bool) -> None:
    usd = pytest.importorskip("pxr.Usd")
    geometry = pytest.importorskip("pxr.UsdGeom")
    export(tracks, tmp_path / "t.usdc", mm.ExportOptions(scene=scene))
    stage = usd.Stage.Open(str(tmp_path / "t.usdc"))
    (instancer,) = (geometry.PointInstancer(p) for p in stage.Traverse()
                    if p.IsA(geometry.PointInstancer))  # fmt: skip
    seen = np.isfinite(tracks.positions).all(axis=2)
    for code in range(12):
        at = np.array(instancer.GetPositionsAttr().Get(code))
        hidden = set(instancer.GetInvisibleIdsAttr().Get(code))
        assert np.isfinite(at).all() and hidden == set(np.flatnonzero(~seen[code]))
        np.testing.assert_allclose(
            at[seen[code], :2], tracks.positions[code, seen[code]], rtol=1e-5
        )
        assert np.isfinite(np.array(instancer.GetVelocitiesAttr().Get(code))).all()
    assert np.isfinite(np.array(instancer.GetExtentAttr().Get())).all()


def gltf(path: Path) -> tuple[dict[str, Any], bytes]:
    data = path.read_bytes()
    size = struct.unpack("<I", data[12:16])[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def test_gltf_hides_unobserved_animals(tracks: mm.Tracks, tmp_path: Path) -> None:
    export(tracks, tmp_path / "t.glb", mm.ExportOptions(scene=True))
    document, buffer = gltf(tmp_path / "t.glb")
    seen = np.isfinite(tracks.positions).all(axis=2)
    (animation,) = document["animations"]
    values = {}
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        accessor = document["accessors"][sampler["output"]]
        view = document["bufferViews"][accessor["bufferView"]]
        first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        if accessor["componentType"] == 5126 and accessor["type"] == "VEC3":
            numbers = np.frombuffer(buffer, "<f4", 3 * accessor["count"], first).reshape(-1, 3)
            assert np.isfinite(numbers).all()
            values[channel["target"]["node"], channel["target"]["path"]] = numbers
            if channel["target"]["path"] == "scale":
                assert sampler["interpolation"] == "STEP"
    for animal in range(3):
        np.testing.assert_array_equal(
            values[animal, "scale"], np.repeat(seen[:, animal, None], 3, 1)
        )
        when = seen[:, animal]
        result = values[animal, "translation"][when]  # y up
        np.testing.assert_allclose(result[:, 0], tracks.positions[when, animal, 0], rtol=1e-5)
        np.testing.assert_allclose(-result[:, 2], tracks.positions[when, animal, 1], rtol=1e-5)


def test_scenes_of_tracks_without_a_gap_are_as_those_of_recordings(tmp_path: Path) -> None:
    without_gaps = mm.Tracks(np.nan_to_num(walk(), nan=50.0), 25.0)
    export(without_gaps, tmp_path / "t.glb")
    document, _ = gltf(tmp_path / "t.glb")
    paths = {channel["target"]["path"] for channel in document["animations"][0]["channels"]}
    assert paths == {"translation", "rotation"}


def test_last_observed_positions() -> None:
    last = LastPositions(2, mm.Space(size=(10.0, 20.0)))
    nan = np.nan
    result, seen = last.next(np.array([[1.0, 2, 0], [nan, nan, 0]]))
    assert result.tolist() == [[1, 2, 0], [5, 10, 0]] and seen.tolist() == [True, False]
    result, seen = last.next(np.array([[nan, nan, 0], [3.0, 4, 0]]))
    assert result.tolist() == [[1, 2, 0], [3, 4, 0]] and seen.tolist() == [False, True]


def test_refusals(tracks: mm.Tracks, tmp_path: Path) -> None:
    for settings in ({"flocks": "fish"}, {"first_step": 12}, {"every": 0}):
        with pytest.raises(ExportOptionsError):
            export(tracks, tmp_path / "t.csv", **settings)  # type: ignore[arg-type]
