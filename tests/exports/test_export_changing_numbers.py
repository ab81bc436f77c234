"""Scenes of flocks whose boids come and go: each frame shows exactly who is there."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changing import changing
from pxr import Gf, Usd, UsdGeom, UsdValidation

from murmurate.exports import gltf, usd
from murmurate.exports.formats import Options
from murmurate.exports.selection import Lives, Selection
from murmurate.exports.usd import HIDDEN, Slots


class TestSlots:
    def test_a_slot_is_hidden_between_two_boids(self) -> None:
        draw = np.random.default_rng(4)
        first = np.sort(draw.integers(0, 200, 500))
        last = first + draw.integers(0, 20, 500)
        lives = Lives(np.arange(500), np.zeros(500, int), first, last, 0)
        slots = Slots.of(lives, 0)
        for slot in range(slots.count):
            boids = np.flatnonzero(slots.slot == slot)
            assert (first[boids[1:]] - last[boids[:-1]] > HIDDEN).all()
        expected = max(((first <= k) & (k <= last + HIDDEN)).sum() for k in range(220))
        assert slots.count == expected
        for frame in range(220):
            owners = slots.owners(frame)
            assert len(set(owners)) == slots.count
            present = np.flatnonzero((first <= frame) & (frame <= last))
            assert (owners[slots.of_ids(present)] == present).all()

    def test_boids_that_are_always_there(self) -> None:
        slots = Slots.fixed(np.array([3, 4, 7]), 5)
        assert (slots.count, slots.owners(0).tolist()) == (3, [3, 4, 7])
        assert slots.of_ids(np.array([4, 7])).tolist() == [1, 2]


def write_usd(folder: Path, rec: Any, **options: Any) -> Usd.Stage:
    path = folder / "f.usdc"
    usd.write(path, Selection(rec), Options(**options))
    return Usd.Stage.Open(str(path))


def visible(stage: Usd.Stage, flock: str, code: float) -> dict[int, tuple[np.ndarray, int]]:
    """Return id -> position and prototype of the instances that USD shows at a time."""
    instancer = UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/Flight/{flock}"))
    time = Usd.TimeCode(code)
    ids = np.array(instancer.GetIdsAttr().Get(time))
    mask = instancer.ComputeMaskAtTime(time)
    seen = np.array(mask if mask else [True] * len(ids))
    matrices = instancer.ComputeInstanceTransformsAtTime(
        time, time, UsdGeom.PointInstancer.ExcludeProtoXform, UsdGeom.PointInstancer.ApplyMask
    )
    positions = [np.array(Gf.Matrix4d(m).ExtractTranslation()) for m in matrices]
    numbers = np.array(instancer.GetProtoIndicesAttr().Get(time))[seen]
    return dict(zip(ids[seen].tolist(), zip(positions, numbers.tolist(), strict=True), strict=True))


@pytest.mark.parametrize("scene", [False, True])
@pytest.mark.parametrize("dims", [2, 3])
def test_usd_shows_who_is_there(tmp_path, dims, scene) -> None:
    rec, _ = changing(dims)
    stage = write_usd(tmp_path, rec, scene=scene)
    for k in range(len(rec)):
        for name, flock in rec[k].items():
            instances = visible(stage, name, k)
            assert sorted(instances) == flock.ids.tolist()
            for boid, position in zip(flock.ids.tolist(), flock.positions, strict=True):
                np.testing.assert_allclose(instances[boid][0][:dims], position, atol=1e-5)
    registry = UsdValidation.ValidationRegistry()
    context = UsdValidation.ValidationContext(registry.GetOrLoadAllValidators())
    assert not context.Validate(stage)


def test_between_frames_each_boid_is_on_its_own_path(tmp_path) -> None:
    """Instances that are visible between two frames are on their own straight path."""
    rec, when = changing()
    stage = write_usd(tmp_path, rec)
    first, last = when["boids"]
    instancer = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Flight/boids"))
    for code in np.arange(0.25, len(rec) - 1, 0.5):
        ids = np.array(instancer.GetIdsAttr().Get(code))
        hidden = set(instancer.GetInvisibleIdsAttr().Get(code))
        points = np.array(instancer.GetPositionsAttr().Get(code))  # interpolated by USD
        present = np.flatnonzero((first <= np.floor(code)) & (np.floor(code) <= last))
        assert set(ids.tolist()) - hidden == set(present.tolist())
        for boid in present:
            alone = next(
                f["boids"] for f in (rec[k] for k in range(len(rec))) if boid in f["boids"].ids
            )
            row = alone.ids.tolist().index(boid)
            path = alone.positions[row] + (code - first[boid]) * 0.5 * alone.velocities[row]
            np.testing.assert_allclose(points[ids == boid][0], path, atol=1e-4)


def test_a_hidden_boid_is_where_it_will_appear(tmp_path) -> None:
    """So renderers that blur motion before the first frame of a boid draw no streak."""
    rec, when = changing()
    stage = write_usd(tmp_path, rec)
    instancer = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Flight/boids"))
    births = np.flatnonzero(when["boids"][0] > 0)
    assert len(births) > 10
    for boid in births.tolist():
        born = int(when["boids"][0][boid])
        flock = rec[born]["boids"]
        row = flock.ids.tolist().index(boid)
        ids = instancer.GetIdsAttr().Get(born - 1)
        before = np.array(instancer.GetPositionsAttr().Get(born - 1))[list(ids).index(boid)]
        expected = flock.positions[row] - 0.5 * flock.velocities[row]
        np.testing.assert_allclose(before, expected, atol=1e-5)


def test_usd_has_numbers_of_boids_as_primvars(tmp_path) -> None:
    rec, _ = changing()
    stage = write_usd(tmp_path, rec)
    prim = stage.GetPrimAtPath("/Flight/boids")
    weight, energy = (UsdGeom.PrimvarsAPI(prim).GetPrimvar(n) for n in ("weight", "energy"))
    instancer = UsdGeom.PointInstancer(prim)
    for k in range(len(rec)):
        flock = rec[k]["boids"]
        ids = list(instancer.GetIdsAttr().Get(k))
        rows = [ids.index(boid) for boid in flock.ids]
        for primvar, name in ((weight, "weight"), (energy, "energy")):
            assert primvar.GetInterpolation() == "vertex"
            values = np.array(primvar.Get(k))[rows]
            np.testing.assert_allclose(values, flock.per_boid(name), rtol=1e-6)


def test_colours_of_numbers(tmp_path) -> None:
    rec, _ = changing(colour_by="weight", colour_range=(0.0, 1.0))
    stage = write_usd(tmp_path, rec)
    prototypes = len(UsdGeom.PointInstancer(
        stage.GetPrimAtPath("/Flight/boids")).GetPrototypesRel().GetTargets())  # fmt: skip
    each = prototypes // 16
    for k in range(len(rec)):
        weights = dict(zip(rec[k]["boids"].ids.tolist(),
                           rec[k]["boids"].traits["rules.go.weight"], strict=True))  # fmt: skip
        for boid, (_, number) in visible(stage, "boids", k).items():
            assert abs(number // each - 16 * weights[boid]) <= 1


def test_selected_frames(tmp_path) -> None:
    """Boids that are in no exported frame are not in the file."""
    rec, when = changing()
    selection = Selection(rec, first_step=2, last_step=10, every=4)
    first, last = when["boids"]
    present = [((first <= k) & (k <= last)) for k in (2, 6, 10)]
    assert selection.counts["boids"] == np.any(present, axis=0).sum() < len(first)
    usd.write(tmp_path / "f.usdc", selection, Options())
    stage = Usd.Stage.Open(str(tmp_path / "f.usdc"))
    for k in range(3):
        assert sorted(visible(stage, "boids", k)) == np.flatnonzero(present[k]).tolist()


class GltfScene:
    """The nodes of boids in a glTF file, with their animation evaluated as the format says."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        (size,) = struct.unpack("<I", data[12:16])
        self.document, self.buffer = json.loads(data[20 : 20 + size]), data[28 + size :]
        (animation,) = self.document["animations"]
        self.channels: dict[tuple[int, str], tuple[np.ndarray, np.ndarray, str]] = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = channel["target"]["node"], channel["target"]["path"]
            times, values = self.array(sampler["input"]), self.array(sampler["output"])
            self.channels[target] = times[:, 0], values, sampler["interpolation"]

    def array(self, number: int) -> np.ndarray:
        accessor = self.document["accessors"][number]
        view = self.document["bufferViews"][accessor["bufferView"]]
        begin = view["byteOffset"] + accessor.get("byteOffset", 0)
        dtype = {5126: "<f4", 5122: "<i2"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        assert begin % np.dtype(dtype).itemsize == 0
        assert begin + accessor["count"] * width * np.dtype(dtype).itemsize <= (
            view["byteOffset"] + view["byteLength"]
        )
        values = np.frombuffer(self.buffer, dtype, accessor["count"] * width, begin)
        values = values.reshape(-1, width).astype(float)
        if "min" in accessor:
            np.testing.assert_allclose(values.min(axis=0), accessor["min"], rtol=1e-6)
            np.testing.assert_allclose(values.max(axis=0), accessor["max"], rtol=1e-6)
        return values / 32767 if accessor.get("normalized") else values

    def value(self, node: int, path: str, time: float, default: list[float]) -> np.ndarray:
        if (node, path) not in self.channels:
            return np.array(self.document["nodes"][node].get(path, default))
        times, values, interpolation = self.channels[node, path]
        assert (np.diff(times) > 0).all() and len(times) == len(values)
        if interpolation == "STEP":
            return values[max(0, np.searchsorted(times, time, side="right") - 1)]
        return np.array([np.interp(time, times, column) for column in values.T])

    def visible(self, flock: str, time: float) -> dict[int, np.ndarray]:
        """Return id -> position, Z up, of the boids with a size at a time."""
        out = {}
        (group,) = (n for n in self.document["nodes"] if n["name"] == flock)
        for node in group["children"]:
            name = self.document["nodes"][node]["name"]
            if self.value(node, "scale", time, [1.0, 1.0, 1.0])[0] > 0:
                x, y, z = self.value(node, "translation", time, [0.0, 0.0, 0.0])
                out[int(name.split()[-1])] = np.array([x, -z, y])
        return out


@pytest.mark.parametrize("scene", [False, True])
@pytest.mark.parametrize(("dims", "boundary"), [(2, "open"), (3, "open"), (3, "periodic")])
def test_gltf_shows_who_is_there(tmp_path, dims, boundary, scene) -> None:
    rec, _ = changing(dims, boundary=boundary)
    gltf.write(tmp_path / "f.glb", Selection(rec), Options(scene=scene))
    file = GltfScene(tmp_path / "f.glb")
    for k in range(len(rec)):
        for name, flock in rec[k].items():
            for time in (k / 10 + 1e-4, k / 10 + 0.07):
                boids = file.visible(name, time)
                assert sorted(boids) == flock.ids.tolist()
            for boid, position in zip(flock.ids.tolist(), flock.positions, strict=True):
                apart = file.visible(name, k / 10 + 1e-6)[boid][:dims] - position
                if boundary == "periodic":
                    apart = rec.scene.space.minimum_image(apart)
                np.testing.assert_allclose(apart, 0.0, atol=1e-3)


def test_gltf_nodes_have_numbers_of_boids(tmp_path) -> None:
    rec, when = changing()
    gltf.write(tmp_path / "f.glb", Selection(rec), Options())
    document = GltfScene(tmp_path / "f.glb").document
    (group,) = (n for n in document["nodes"] if n["name"] == "boids")
    weights = [document["nodes"][k]["extras"]["rules.go.weight"] for k in group["children"]]
    count = len(when["boids"][0])
    np.testing.assert_allclose(weights, np.arange(count) / count)


@pytest.mark.parametrize("colour_by", ["weight", "energy", "heading"])
def test_gltf_has_the_colours_of_lives(tmp_path, colour_by) -> None:
    rec, when = changing(colour_by=colour_by)
    gltf.write(tmp_path / "f.glb", Selection(rec), Options())
    document = GltfScene(tmp_path / "f.glb").document
    (group,) = (n for n in document["nodes"] if n["name"] == "boids")
    colours = [
        document["materials"][document["meshes"][document["nodes"][k]["mesh"]]["primitives"][0][
            "material"]]["pbrMetallicRoughness"]["baseColorFactor"] for k in group["children"]
    ]  # fmt: skip
    assert len(colours) == len(when["boids"][0])
    assert len({tuple(colour) for colour in colours}) > 4
    if colour_by == "weight":  # in the order of ids, from dark to bright
        bright = np.array(colours)[:, :3].sum(axis=1)
        assert bright[-1] > bright[0] and np.corrcoef(np.arange(len(bright)), bright)[0, 1] > 0.9


def test_a_long_recording_of_short_lives_is_small(tmp_path) -> None:
    """Each boid has keys for its own life only."""
    rec, _ = changing(frames=150, boids=400)
    selection = Selection(rec)
    gltf.write(tmp_path / "f.glb", selection, Options())
    assert (tmp_path / "f.glb").stat().st_size < 20 * 500 * 150 / 2
    assert selection.lives is not None
    assert Slots.of(selection.lives, 0).count < 400 / 8
