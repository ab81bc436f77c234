"""Scenes have the orientations of films, or upright ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from changing import FrameRecording
from pxr import Usd, UsdGeom
from pygltflib import GLTF2
from scipy.spatial.transform import Rotation
from test_export_gltf import values

import murmurate as mm
from murmurate.exports.formats import FORMATS, Options
from murmurate.exports.selection import Selection
from murmurate.frame import FlockFrame, Frame
from murmurate.show.orientation import MAX_ROLL, Orientation

FRAMES, JOINS = 30, 9


def looping(shape: str) -> FrameRecording:
    """Return a boid in a vertical loop of 15 degrees a frame, and one that joins it on its back."""
    model = mm.Model(
        space=mm.Space(size=(20.0,) * 3, boundary="open"),
        flocks={"boids": mm.Flock(count=1, look=mm.Look(shape=shape))},
    )
    frames = []
    for k in range(FRAMES):
        angle = np.radians(15 * k)
        rows = np.arange(2 if k >= JOINS else 1)
        heading = np.float32([np.cos(angle), 0, np.sin(angle)])[None].repeat(len(rows), axis=0)
        flock = FlockFrame(
            "boids", rows, np.float32(10 + 3 * heading), heading, 0 * rows, model.space,
            births=JOINS * rows, n_ever=len(rows),
        )  # fmt: skip
        frames.append(Frame(k, k * model.dt, model.space, {"boids": flock}))
    return FrameRecording(model, frames)


def glb_rotations(path: Path) -> dict[int, Rotation]:
    """Return the rotations of each boid while it is there, with Z up."""
    file, out = GLTF2().load(str(path)), {}
    samplers = file.animations[0].samplers
    for channel in file.animations[0].channels:
        if channel.target.path == "rotation":
            x, y, z, w = values(file, samplers[channel.sampler].output).T
            boid = int(file.nodes[channel.target.node].name.split()[1])
            out[boid] = Rotation.from_quat(np.stack([x, -z, y, w], axis=1))
    return out


def usdc_rotations(path: Path) -> dict[int, Rotation]:
    stage = Usd.Stage.Open(str(path))
    flight = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Flight/boids"))
    rotations: dict[int, list[list[float]]] = {0: [], 1: []}
    for k in range(FRAMES):
        hidden = set(flight.GetInvisibleIdsAttr().Get(k) or ())
        for boid, turn in zip(
            flight.GetIdsAttr().Get(k), flight.GetOrientationsAttr().Get(k), strict=True
        ):
            if boid not in hidden:
                rotations[boid].append([*turn.GetImaginary(), turn.GetReal()])
    return {boid: Rotation.from_quat(rows) for boid, rows in rotations.items()}


def steps(rotation: Rotation) -> np.ndarray:
    return np.degrees((rotation[1:] * rotation[:-1].inv()).magnitude())


@pytest.mark.parametrize(("suffix", "read"), [(".glb", glb_rotations), (".usdc", usdc_rotations)])
@pytest.mark.parametrize("shape", ["bird", "fish"])
def test_boids_loop_as_in_films(shape, suffix, read, tmp_path) -> None:
    rec = looping(shape)
    orientation = Orientation(rec.view.frames_per_second, shape == "bird")
    film: dict[int, list[np.ndarray]] = {0: [], 1: []}
    for frame in map(rec.__getitem__, range(FRAMES)):
        flock = frame["boids"]
        orientation.update(flock.ids, flock.velocities)
        for boid, turn in zip(flock.ids.tolist(), orientation.quaternions(), strict=True):
            film[boid].append(turn)
    FORMATS[suffix].write(tmp_path / f"a{suffix}", Selection(rec), Options())
    exported = read(tmp_path / f"a{suffix}")
    for boid, rotations in film.items():
        assert len(exported[boid]) == len(rotations) == FRAMES - JOINS * boid
        difference = (exported[boid] * Rotation.from_quat(rotations).inv()).magnitude()
        assert np.degrees(difference).max() < 0.15  # half-precision quaternions of USD
        assert steps(exported[boid]).max() < 15 + np.degrees(MAX_ROLL) + 0.15
    assert exported[1][0].apply([0, 0, 1])[2] > 0  # it joins with level wings
    FORMATS[suffix].write(tmp_path / f"b{suffix}", Selection(rec), Options(upright=True))
    upright = read(tmp_path / f"b{suffix}")
    assert steps(upright[0]).max() > 179
    assert upright[0].apply([0, 0, 1])[:, 2].min() > -2e-3


def test_upright_is_for_scenes(recordings, tmp_path) -> None:
    with pytest.raises(mm.ExportOptionsError, match=r"--upright is for \.usdc, .* not for \.csv"):
        mm.export(recordings["torus"], tmp_path / "a.csv", mm.ExportOptions(upright=True))
