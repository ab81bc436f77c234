"""Exports of tracks: tables and NetCDF that read back as the same tracks; scenes in which animals
are hidden where they are not seen."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import murmurate as mm
from murmurate.exports import ExportRefused, export
from murmurate.exports.appearance import LastSeen

NAMES = ["anna", "ben, the second", "ü"]


def places() -> np.ndarray:
    random = np.random.default_rng(5)
    found = np.cumsum(random.normal(size=(12, 3, 2)), axis=0) + 50.0
    found[0, 1] = found[4:7, 1] = found[9:, 2] = np.nan
    return found


@pytest.fixture
def tracks() -> mm.Tracks:
    return mm.Tracks(places(), 25.0, NAMES, unit="cm")


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".nc"])
def test_there_and_back(tracks: mm.Tracks, tmp_path: Path, ending: str) -> None:
    made = export(tracks, tmp_path / f"t{ending}")
    assert (made.frames, made.boids) == (12, 3)
    found = mm.open_tracks(made.path)
    np.testing.assert_array_equal(found.positions, tracks.positions)
    assert list(found.names) == NAMES and found.rate == pytest.approx(25.0)


def test_what_is_said_of_a_table(tracks: mm.Tracks, tmp_path: Path) -> None:
    made = export(tracks, tmp_path / "t.csv")
    assert made.columns is not None
    said = json.loads(made.columns.read_text(encoding="utf-8"))
    assert said["units"] == "lengths are in cm, times in s" and said["frames"] == 12
    types = {column["name"]: column["type"] for column in said["columns"]}
    assert types["id"] == "string" and types["x"] == "float64"


def test_names_of_dimensions_and_a_part(tracks: mm.Tracks, tmp_path: Path) -> None:
    export(tracks, tmp_path / "a.nc", first_step=2, last_step=10, every=4)
    with xr.open_dataset(tmp_path / "a.nc") as data:
        assert data.position.dims == ("time", "space", "keypoint", "individual")
        assert data.attrs["fps"] == 25 / 4 and data.attrs["ds_type"] == "poses"
        np.testing.assert_array_equal(data.position[:, :, 0].values.swapaxes(1, 2),
                                      tracks.positions[[2, 6, 10]])  # fmt: skip
    found = mm.open_tracks(tmp_path / "a.nc")
    assert (found.start, found.every, found.rate) == (2, 4, 25 / 4)
    export(tracks, tmp_path / "b.nc", legacy_names=True)
    with xr.open_dataset(tmp_path / "b.nc") as data:
        assert data.position.dims == ("time", "space", "keypoints", "individuals")


def test_a_file_and_the_coordinates_of_the_file(tracks: mm.Tracks, tmp_path: Path) -> None:
    """y that grows downwards is turned round in pictures, and not in exports."""
    lines = [f"{k},{3 * k},{k},7.0,0" for k in range(5)]
    (tmp_path / "t.csv").write_text("\n".join(["frame,x,y,mass,particle", *lines]))
    assert mm.open_tracks(tmp_path / "t.csv").y_down
    made = export(tmp_path / "t.csv", tmp_path / "o.npz")
    with np.load(made.path) as file:
        assert file["position"][:, 0].tolist() == [[3.0 * k, float(k)] for k in range(5)]


@pytest.mark.parametrize("ending", [".xyz", ".gsd", ".vtkhdf", ".npy", ".npz"])
def test_other_formats_hold_nan_for_what_is_not_seen(
    tracks: mm.Tracks, tmp_path: Path, ending: str
) -> None:
    made = export(tracks, tmp_path / f"t{ending}")
    assert made.frames == 12 and made.bytes > 500
    if ending == ".npy":
        np.testing.assert_array_equal(np.load(made.path), tracks.positions)


@pytest.mark.parametrize("scene", [False, True])
def test_usd_hides_what_is_not_seen(tracks: mm.Tracks, tmp_path: Path, scene: bool) -> None:
    usd = pytest.importorskip("pxr.Usd")
    geometry = pytest.importorskip("pxr.UsdGeom")
    export(tracks, tmp_path / "t.usdc", scene=scene)
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


def test_gltf_hides_what_is_not_seen(tracks: mm.Tracks, tmp_path: Path) -> None:
    export(tracks, tmp_path / "t.glb", scene=True)
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
        found = values[animal, "translation"][when]  # y up
        np.testing.assert_allclose(found[:, 0], tracks.positions[when, animal, 0], rtol=1e-5)
        np.testing.assert_allclose(-found[:, 2], tracks.positions[when, animal, 1], rtol=1e-5)


def test_scenes_of_tracks_without_a_gap_are_as_those_of_recordings(tmp_path: Path) -> None:
    whole = mm.Tracks(np.nan_to_num(places(), nan=50.0), 25.0)
    export(whole, tmp_path / "t.glb")
    document, _ = gltf(tmp_path / "t.glb")
    paths = {channel["target"]["path"] for channel in document["animations"][0]["channels"]}
    assert paths == {"translation", "rotation"}


def test_where_animals_were_seen_last() -> None:
    last = LastSeen(2, mm.Space(size=(10.0, 20.0)))
    nan = np.nan
    found, seen = last.next(np.array([[1.0, 2, 0], [nan, nan, 0]]))
    assert found.tolist() == [[1, 2, 0], [5, 10, 0]] and seen.tolist() == [True, False]
    found, seen = last.next(np.array([[nan, nan, 0], [3.0, 4, 0]]))
    assert found.tolist() == [[1, 2, 0], [3, 4, 0]] and seen.tolist() == [False, True]


def test_what_is_refused(tracks: mm.Tracks, tmp_path: Path) -> None:
    for settings in ({"flocks": "fish"}, {"first_step": 12}, {"every": 0}):
        with pytest.raises(ExportRefused):
            export(tracks, tmp_path / "t.csv", **settings)  # type: ignore[arg-type]
