"""glTF: boids where the recording has them, read by pygltflib; the official validator's word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from exported import expected
from pygltflib import GLTF2

import murmurate as mm
from murmurate.show.bird import BIRD, normals, triangles
from processes import ran_well

VALIDATOR = Path(__file__).parents[2] / "viewer" / "node_modules" / "gltf-validator"
TYPES = {5126: np.float32, 5122: np.int16}
WIDE = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def values(file: GLTF2, number: int) -> np.ndarray:
    """What an accessor holds, (count, ...), normalized integers as floats."""
    one = file.accessors[number]
    begin = file.bufferViews[one.bufferView].byteOffset + (one.byteOffset or 0)
    kind = np.dtype(TYPES[one.componentType])
    count = one.count * WIDE[one.type]
    found = np.frombuffer(file.binary_blob(), kind, count, begin).reshape(one.count, -1)
    return np.maximum(found / 32767, -1) if one.normalized else found


def z_up(vectors: np.ndarray) -> np.ndarray:
    """glTF's axes -> the model's."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, -z, y], axis=-1)


def nose(rotations: np.ndarray) -> np.ndarray:
    """Where +X points after rotations x, y, z, w."""
    x, y, z, w = (rotations / np.linalg.norm(rotations, axis=1, keepdims=True)).T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)


def test_boids_are_where_the_recording_has_them(rec, tmp_path) -> None:
    file = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb").path))
    wanted = expected(rec)
    places, moves = wanted.solid
    (flight,) = file.animations
    wraps = any(rec.scene.space.periodic)
    assert {one.interpolation for one in flight.samplers} == {"STEP" if wraps else "LINEAR"}
    flocks = [file.nodes[k] for k in file.scenes[0].nodes]
    assert [node.name for node in flocks] == list(rec.header["counts"])
    flock_of = {child: node.name for node in flocks for child in node.children}
    seen = set()
    for channel in flight.channels:
        sampler = flight.samplers[channel.sampler]
        times = values(file, sampler.input)[:, 0]
        np.testing.assert_allclose(times, np.arange(len(places)) / 24, rtol=1e-6)
        keys = values(file, sampler.output)
        boid = channel.target.node
        node = file.nodes[boid]
        assert node.name == f"{wanted.flock[boid]} {boid}" and flock_of[boid] == wanted.flock[boid]
        if channel.target.path == "translation":
            np.testing.assert_allclose(z_up(keys), places[:, boid], rtol=0, atol=1e-5)
            np.testing.assert_array_equal(node.translation, keys[0])
        else:
            speed = np.linalg.norm(moves[:, boid], axis=1, keepdims=True)
            noses = z_up(nose(keys))
            np.testing.assert_allclose(noses * speed, moves[:, boid], atol=2e-4 * speed.max())
            assert ((keys[1:] * keys[:-1]).sum(axis=1) >= 0).all()  # the short way round
            np.testing.assert_allclose(np.abs(node.rotation @ keys[0]), 1, atol=1e-4)
        seen.add((boid, channel.target.path))
    assert len(seen) == 2 * places.shape[1]
    assert mm.parse(file.asset.extras["murmurate"]["model"]) == rec.model


def test_sizes_colours_and_speed_of_playing(recordings, tmp_path) -> None:
    path = tmp_path / "f.glb"
    mm.export(recordings["hunted"], path, boid_size=0.5, frames_per_second=10, first_step=20)
    file = GLTF2().load(str(path))
    lengths = {}
    for mesh in file.meshes:
        corners = values(file, mesh.primitives[0].attributes.POSITION)
        lengths[mesh.name] = np.ptp(corners[:, 0])
    assert lengths == pytest.approx({"boids": 0.5, "hawks": 1.5})
    red, green, blue, opaque = file.materials[1].pbrMetallicRoughness.baseColorFactor
    assert red > 3 * max(green, blue) and opaque == 1
    times = values(file, file.animations[0].samplers[0].input)[:, 0]
    np.testing.assert_allclose(times, np.arange(21) / 10, rtol=1e-6)


def test_a_part_of_the_flocks(recordings, tmp_path) -> None:
    path = mm.export(recordings["hunted"], tmp_path / "f.glb", flocks="hawks", every=4).path
    file = GLTF2().load(str(path))
    wanted = expected(recordings["hunted"]).solid[0][::2, 14:]
    for k in range(wanted.shape[1]):
        assert file.nodes[k].name == f"hawks {14 + k}"
        keys = values(file, file.animations[0].samplers[2 * k].output)
        np.testing.assert_allclose(z_up(keys), wanted[:, k], atol=1e-5)


def test_the_bird_flies_along_x_with_its_back_up_and_is_the_same_on_both_sides() -> None:
    corners = triangles()
    assert np.ptp(corners[..., 0]) == pytest.approx(1)
    assert np.argmax(corners.reshape(-1, 3)[:, 0]) == 0
    points = {tuple(point) for point in corners.reshape(-1, 3).tolist()}
    assert points == {(x, -y + 0.0, z) for x, y, z in points}
    flat = normals(corners)
    np.testing.assert_allclose(np.linalg.norm(flat, axis=2), 1, rtol=1e-6)
    body = ~BIRD.thin
    away = corners[body].mean(axis=1) - [0.0, 0, 0]
    assert (np.einsum("ij,ij->i", flat[body, 0], away * [0, 1, 1]) > 0).all()
    assert (flat[~body][:, 0, 2] > 0).all()


def test_what_is_too_large_for_a_file_is_refused(recordings, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("murmurate.exports.gltf.LARGEST", 1000)
    with pytest.raises(mm.ExportRefused, match=r"4 GB at most.*--every"):
        mm.export(recordings["torus"], tmp_path / "f.glb")
    assert not list(tmp_path.iterdir())


def test_a_thousand_boids_for_ten_seconds_take_less_than_20_mb(recordings, tmp_path) -> None:
    """A boid and frame takes 20 bytes; the rest is a boid's own, or the file's."""
    made = mm.export(recordings["torus"], tmp_path / "f.glb")
    keys = 20 * made.frames * made.boids
    model = len(json.dumps(recordings["torus"].header["model"]))
    own = (made.bytes - keys - model) / made.boids
    assert made.bytes > keys and 1000 * (own + 20 * 10 * 30) < 20e6


@pytest.mark.parametrize("name", ["torus", "hunted", "landing"])
def test_the_official_validator_finds_nothing_wrong(recordings, name, tmp_path) -> None:
    node = shutil.which("node")
    if node is None or not VALIDATOR.is_dir():
        pytest.skip("needs node, and gltf-validator: npm ci in viewer/")
    path = mm.export(recordings[name], tmp_path / "f.glb").path
    code = (
        f"const v = require({json.dumps(str(VALIDATOR))});"
        f"const data = new Uint8Array(require('fs').readFileSync({json.dumps(str(path))}));"
        "v.validateBytes(data).then(r => console.log(JSON.stringify(r)));"
    )
    report = json.loads(ran_well(node, "-e", code))
    issues = report["issues"]
    assert issues["numErrors"] == issues["numWarnings"] == 0, issues["messages"]
    assert report["info"]["animationCount"] == 1
