"""glTF: boids, read by pygltflib, have the recorded positions; the official validator."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exported import expected
from pygltflib import GLTF2
from scipy.spatial.transform import Rotation

import murmurate as mm
from murmurate.exports import gltf
from murmurate.exports.boid_shapes import PHASES, SHAPES
from murmurate.exports.film_camera import FilmCamera
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.frame import FlockFrame, Frame
from murmurate.record.header import make_header
from murmurate.record.writer import Writer
from murmurate.runs import record_run
from node_packages import node_package
from processes import ran_well

TYPES = {5126: np.float32, 5122: np.int16}
WIDE = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
PATHS = ("translation", "rotation")


def values(file: GLTF2, number: int) -> np.ndarray:
    """Return the values (count, ...) of an accessor, normalised integers as floats."""
    accessor = file.accessors[number]
    begin = file.bufferViews[accessor.bufferView].byteOffset + (accessor.byteOffset or 0)
    kind = np.dtype(TYPES[accessor.componentType])
    count = accessor.count * WIDE[accessor.type]
    numbers = np.frombuffer(file.binary_blob(), kind, count, begin).reshape(accessor.count, -1)
    return np.maximum(numbers / 32767, -1) if accessor.normalized else numbers


def landed_3d(folder: Path) -> mm.Recording:
    """Return birds that land in 3-D."""
    model = mm.Model(
        dt=0.1,
        space=mm.Space(size=(9, 9, 9), boundary="open"),
        flocks={
            "boids": mm.Flock(
                count=6,
                motion=mm.Add(max_speed=5),
                perching=mm.Perching(ground=2.0, shortest=3, longest=9),
            )
        },
        rules={"wind": mm.Wind(vector=(0.0, 0.0, -1.0), weight=1.0)},
    )
    simulation = mm.Simulation(model, 1, engine="reference")
    return record_run.record(simulation, folder / "landed.zarr", 40)


def z_up(vectors: np.ndarray) -> np.ndarray:
    """Convert the axes of glTF to those of the model."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, -z, y], axis=-1)


def nose(rotations: np.ndarray) -> np.ndarray:
    """Return the direction of +X after rotations x, y, z, w."""
    x, y, z, w = (rotations / np.linalg.norm(rotations, axis=1, keepdims=True)).T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)


def at_times(file: GLTF2, sampler: Any, times: np.ndarray) -> np.ndarray:
    """Return the values of a sampler at times, of which each has a key."""
    keys, output = values(file, sampler.input)[:, 0], values(file, sampler.output)
    assert (np.diff(keys) > 0).all()
    rows = np.searchsorted(keys, np.float32(times))
    np.testing.assert_array_equal(keys[rows], np.float32(times))
    return output[rows]


def check_crossings(file: GLTF2, sampler: Any, positions: np.ndarray, space: mm.Space) -> int:
    """Check the path (T, 3) of a boid between its keys; return how often it crosses a seam.

    It moves on the straight line to the nearest image of its next position, and is at that position
    when it arrives.
    """
    keys, output = values(file, sampler.input)[:, 0], z_up(values(file, sampler.output))
    times = np.float32(np.arange(len(positions)) / 24)
    assert len(keys) - len(times) == len(set(keys) - set(times))
    moves = space.minimum_image(np.diff(positions[:, : space.dims], axis=0))
    for part in (0.25, 0.999):
        at = times[:-1] + part * np.diff(times)
        path = np.stack([np.interp(at, keys, column) for column in output.T], axis=1)
        np.testing.assert_allclose(
            path[:, : space.dims] - positions[:-1, : space.dims], part * moves, atol=2e-3
        )
    return len(keys) - len(times)


def test_boids_have_the_recorded_positions(rec, tmp_path) -> None:
    file = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb").path))
    reference = expected(rec)
    positions, velocities = reference.solid
    (flight,) = file.animations
    crossings = 0
    n_boids = positions.shape[1]
    flocks = [file.nodes[k] for k in file.scenes[0].nodes][: len(rec.header["counts"])]
    assert [node.name for node in flocks] == list(rec.header["counts"])
    flock_of = {child: node.name for node in flocks for child in node.children}
    seen = set()
    for channel in flight.channels:
        if channel.target.node >= n_boids or channel.target.path not in PATHS:
            continue
        sampler = flight.samplers[channel.sampler]
        assert sampler.interpolation == "LINEAR"
        boid = channel.target.node
        if channel.target.path == "translation":
            crossings += check_crossings(file, sampler, positions[:, boid], rec.scene.space)
        keys = at_times(file, sampler, np.arange(len(positions)) / 24)
        node = file.nodes[boid]
        assert (
            node.name == f"{reference.flock[boid]} {boid}"
            and flock_of[boid] == reference.flock[boid]
        )
        if channel.target.path == "translation":
            np.testing.assert_allclose(z_up(keys), positions[:, boid], rtol=0, atol=1e-5)
            np.testing.assert_array_equal(node.translation, keys[0])
        else:
            speed = np.linalg.norm(velocities[:, boid], axis=1, keepdims=True)
            noses = z_up(nose(keys))
            np.testing.assert_allclose(noses * speed, velocities[:, boid], atol=2e-4 * speed.max())
            assert ((keys[1:] * keys[:-1]).sum(axis=1) >= 0).all()  # the short way round
            np.testing.assert_allclose(np.abs(node.rotation @ keys[0]), 1, atol=1e-4)
        seen.add((boid, channel.target.path))
    assert len(seen) == 2 * n_boids
    moved = np.abs(np.diff(positions, axis=0)).max(axis=(0, 1))
    assert (crossings > 0) == (moved > 5).any()  # half of a side
    assert mm.parse(file.asset.extras["murmurate"]["model"]) == rec.model


def test_sizes_colours_and_speed_of_playing(recordings, tmp_path) -> None:
    path = tmp_path / "f.glb"
    mm.export(
        recordings["hunted"],
        path,
        mm.ExportOptions(boid_size=0.5, frames_per_second=10),
        first_step=20,
    )
    file = GLTF2().load(str(path))
    lengths = {}
    for mesh in file.meshes:
        corners = values(file, mesh.primitives[0].attributes.POSITION)
        lengths[mesh.name] = np.ptp(corners[:, 0])
    assert lengths == pytest.approx({"boids": 0.5, "hawks": 1.5})
    red, green, blue, opaque = file.materials[1].pbrMetallicRoughness.baseColorFactor
    assert red > 3 * max(green, blue) and opaque == 1
    times = values(file, file.animations[0].samplers[1].input)[:, 0]
    np.testing.assert_allclose(times, np.arange(21) / 10, rtol=1e-6)


def test_a_part_of_the_flocks(recordings, tmp_path) -> None:
    path = mm.export(recordings["hunted"], tmp_path / "f.glb", flocks="hawks", every=4).path
    file = GLTF2().load(str(path))
    reference = expected(recordings["hunted"]).solid[0][::2, 14:]
    for k in range(reference.shape[1]):
        assert file.nodes[k].name == f"hawks {14 + k}"
        sampler = file.animations[0].samplers[2 * k]
        keys = at_times(file, sampler, np.arange(len(reference)) / 24)
        np.testing.assert_allclose(z_up(keys), reference[:, k], atol=1e-5)


def lifted(file: GLTF2, boid: int, frame: int) -> np.ndarray:
    """Return the corners (n, 3) of the mesh of a boid, moved by its morph targets, with Z up."""
    node = file.nodes[boid]
    (primitive,) = file.meshes[node.mesh].primitives
    (sampler,) = [
        file.animations[0].samplers[channel.sampler]
        for channel in file.animations[0].channels
        if channel.target.node == boid and channel.target.path == "weights"
    ]
    weights = values(file, sampler.output).reshape(-1, len(primitive.targets))
    moves = [values(file, target["POSITION"]) for target in primitive.targets]
    return z_up(
        values(file, primitive.attributes.POSITION) + np.tensordot(weights[frame], moves, 1)
    )


def test_wings_flap_at_different_phases(recordings, tmp_path) -> None:
    path = mm.export(recordings["torus"], tmp_path / "f.glb", mm.ExportOptions(boid_size=2)).path
    file = GLTF2().load(str(path))
    samplers = file.animations[0].samplers
    used = {c.sampler for c in file.animations[0].channels if c.target.path == "weights"}
    assert 1 < len(used) <= PHASES and {samplers[k].interpolation for k in used} == {"LINEAR"}
    heights = set()
    for boid in range(4):
        for frame in (0, 3):
            points = lifted(file, boid, frame)
            tip = points[np.argmax(np.abs(points[:, 1]))]
            phases = [2 * np.pi * k / 8 for k in range(8)]
            widths = [2 * SHAPES["bird"].at(phase)[:, 1].max() for phase in phases]
            assert min(abs(abs(tip[1]) - wide) for wide in widths) < 1e-4
            heights.add(round(float(tip[2]), 3))
        np.testing.assert_allclose(lifted(file, boid, 0), lifted(file, boid, 8), atol=1e-5)
    assert len(heights) > 4  # of wing tips


def test_a_perching_bird_has_folded_wings(tmp_path) -> None:
    rec = landed_3d(tmp_path)
    file = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb", mm.ExportOptions(boid_size=1)).path))
    timers = expected(rec).timers
    assert 0 < (timers > 0).mean() < 1
    for frame, boid in (np.argwhere(timers > 0)[0], np.argwhere(timers == 0)[0]):
        wide = np.ptp(lifted(file, boid, frame)[:, 1])
        assert wide < 0.4 if timers[frame, boid] else wide > 0.6


def test_obstacles_at_rest_and_in_motion(recordings, tmp_path) -> None:
    rec = recordings["landing"]
    file = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb", every=2).path))
    nodes = {node.name: (k, node) for k, node in enumerate(file.nodes)}
    child_nodes = nodes["obstacles"][1].children
    assert [file.nodes[k].name for k in child_nodes] == ["rock", "box", "hill"]
    moved = {c.target.node: c for c in file.animations[0].channels if c.target.node in child_nodes}
    assert set(moved) == {nodes["rock"][0]}
    channel = moved[nodes["rock"][0]]
    assert channel.target.path == "translation"
    keys = z_up(values(file, file.animations[0].samplers[channel.sampler].output))
    x = np.interp(rec.times[::2], [0, 1], [3.0, 4.0])
    np.testing.assert_allclose(keys, np.c_[x, 0 * x + 5, 0 * x], atol=1e-6)

    def bounds(name: str) -> tuple[np.ndarray, np.ndarray]:
        node = nodes[name][1]
        corners = values(file, file.meshes[node.mesh].primitives[0].attributes.POSITION)
        turn = Rotation.from_quat(node.rotation)
        points = z_up(turn.apply(corners * node.scale) + node.translation)
        return points.min(axis=0), points.max(axis=0)

    low, high = bounds("rock")
    np.testing.assert_allclose([low, high], [[1.5, 3.5, -1.5], [4.5, 6.5, 1.5]], atol=1e-6)
    low, high = bounds("box")
    np.testing.assert_allclose([low, high], [[8.5, 6.25, -0.75], [10.5, 7.75, 0.75]], atol=1e-6)
    low, high = bounds("hill")
    assert high[0] - low[0] > 10 and abs(low[1]) < 1e-6 and abs(high[1]) < 1e-6 and high[2] > 0


@pytest.mark.parametrize("name", ["torus", "landing"])
def test_the_scene_has_the_camera_of_the_film(recordings, name, tmp_path) -> None:
    rec = recordings[name]
    file = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb", mm.ExportOptions(scene=True)).path))
    nodes = {node.name: k for k, node in enumerate(file.nodes)}
    assert {"ground", "sun", "camera"} <= set(nodes)
    keys = {
        (channel.target.node, channel.target.path): at_times(
            file, file.animations[0].samplers[channel.sampler], np.arange(len(rec)) / 24
        )
        for channel in file.animations[0].channels
        if channel.target.path in PATHS
    }
    film = FilmCamera(Selection(rec), 24)
    eyes = keys[nodes["camera"], "translation"], keys[nodes["camera"], "rotation"]
    for k, frame in enumerate(rec):
        shot = film.next(frame)
        np.testing.assert_allclose(z_up(eyes[0][k]), shot.position, rtol=1e-5, atol=1e-5)
        boid = z_up(keys[0, "translation"][k])
        np.testing.assert_allclose(
            boid, film.images(expected(rec).solid[0][k][:1])[0], rtol=1e-5, atol=1e-5
        )
        forward = z_up(Rotation.from_quat(eyes[1][k]).apply([0, 0, -1]))
        assert forward @ shot.axes[2] > 0.9 and abs(forward @ shot.axes[0]) < 1e-5
    shines = z_up(Rotation.from_quat(file.nodes[nodes["sun"]].rotation).apply([0, 0, -1]))
    assert shines[2] < 0


def test_gltf_has_the_numbers_of_glb_in_a_file_beside_it(recordings, tmp_path) -> None:
    rec = recordings["hunted"]
    glb = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb").path))
    report = mm.export(rec, tmp_path / "a flock.gltf")
    assert report.buffer == tmp_path / "a flock.bin"
    document = json.loads(report.path.read_text("utf-8"))
    (buffer,) = document.pop("buffers")
    assert buffer["uri"] == "a%20flock.bin"
    data = report.buffer.read_bytes()
    assert data == glb.binary_blob()[: len(data)] and len(data) == buffer["byteLength"]
    assert report.bytes == len(data) + report.path.stat().st_size
    together = json.loads(glb.to_json())
    assert document["animations"] == together["animations"]
    assert document["nodes"][0]["translation"] == together["nodes"][0]["translation"]
    with pytest.raises(mm.ExportOptionsError, match="exists and is kept"):
        mm.export(rec, tmp_path / "a flock.gltf")
    report.path.unlink()
    with pytest.raises(mm.ExportOptionsError, match=r"a flock\.bin exists and is kept"):
        mm.export(rec, tmp_path / "a flock.gltf")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a flock.bin", "f.glb"]


def test_a_file_that_would_be_too_large_is_refused(recordings, tmp_path) -> None:
    with pytest.raises(mm.ExportOptionsError, match=r"at most 4 GB.*--every"):
        gltf.write(tmp_path / "f.glb", Selection(recordings["torus"]), Options(), max_bytes=1000)
    assert not list(tmp_path.iterdir())


def test_a_thousand_boids_for_ten_seconds_take_less_than_20_mb(
    recordings, tmp_path, monkeypatch
) -> None:
    """The recording has 300 frames of random numbers."""
    monkeypatch.setattr("murmurate.exports.selection.PIECE", 16 << 20)
    model = recordings["torus"].model.set({"flocks.boids.count": 1000})
    random = np.random.default_rng(3)

    def frame(step: int) -> Frame:
        positions, velocities = random.random((2, 1000, 3), np.float32) * 10
        timers = np.zeros(1000, np.int64)
        flock = FlockFrame("boids", np.arange(1000), positions, velocities, timers, model.space)
        return Frame(step, step * model.dt, model.space, {"boids": flock})

    first = frame(0)
    header = make_header(model, first, seed=1, every=1, dtype="float32")
    with Writer.create(tmp_path / "a.zarr", header, first, 299) as writer:
        for step in range(1, 300):
            writer.add(frame(step))
    exported_file = mm.export(
        tmp_path / "a.zarr", tmp_path / "f.glb", mm.ExportOptions(frames_per_second=30)
    )
    assert (exported_file.boids, exported_file.frames) == (1000, 300) and exported_file.bytes < 20e6


@pytest.mark.parametrize("scene", [False, True])
@pytest.mark.parametrize("name", ["torus", "hunted", "landing", "landed"])
def test_the_official_validator_reports_no_problem(recordings, name, scene, tmp_path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    validator = node_package("gltf-validator")
    rec = landed_3d(tmp_path) if name == "landed" else recordings[name]
    path = mm.export(
        rec, tmp_path / f"f.{'gltf' if name == 'hunted' else 'glb'}", mm.ExportOptions(scene=scene)
    ).path
    code = (
        f"const v = require({json.dumps(str(validator))}), fs = require('fs');"
        f"const read = name => new Uint8Array(fs.readFileSync(name));"
        f"const beside = name => read({json.dumps(str(tmp_path) + os.sep)} + name);"
        f"v.validateBytes(read({json.dumps(str(path))}), "
        "{externalResourceFunction: async name => beside(decodeURIComponent(name))})"
        ".then(r => console.log(JSON.stringify(r)));"
    )
    report = json.loads(ran_well(node, "-e", code))
    issues = report["issues"]
    assert issues["numErrors"] == issues["numWarnings"] == 0, issues["messages"]
    assert report["info"]["animationCount"] == 1
