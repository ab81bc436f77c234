"""Colours of headings and speeds in scenes, opened by pxr and pygltflib."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pxr import Usd, UsdGeom, UsdShade
from pygltflib import GLTF2

import murmurate as mm
from murmurate.exports.appearance import SHADES, light
from murmurate.runs import record_run
from murmurate.show.styles import STYLES

FRAMES, BOIDS = 8, 40
START = mm.InBox(velocity=mm.Directions(speed=0.5, up_to=2))


def recorded(folder: Path, colour_by: str, dims: int, **flock: object) -> mm.Recording:
    """Return boids with all headings and speeds from 0.5 to 2 that align."""
    model = mm.Model(
        dt=0.2,
        space=mm.Space(size=(20,) * dims, boundary="open"),
        flocks={
            "boids": mm.Flock(
                count=BOIDS, start=START, motion=mm.Add(max_speed=2, min_speed=0.5), **flock
            ),
            "hawks": mm.Flock(count=2, look=mm.Look(scale=3)),
        },
        rules={"alignment": mm.Alignment(moves="boids", weight=0.4, radius=8)},
        view=mm.View(colour_by=colour_by, style="dark"),
    )
    simulation = mm.Simulation(model, 2, engine="reference")
    return record_run.record(simulation, folder / "a.zarr", FRAMES)


def headings(rec: mm.Recording, frame: int) -> np.ndarray:
    """Return headings (N,) as parts of a full circle."""
    x, y = rec[frame]["boids"].velocities[:, :2].T
    return np.arctan2(y, x) / (2 * np.pi) % 1.0


def wheel(hue_angles: np.ndarray) -> np.ndarray:
    """Return the colours (N, 3) of headings in films, as light."""
    table = STYLES["dark"].headings(1000)
    return np.array([light(table[int(1000 * turn) % 1000]) for turn in hue_angles])


def usd_colours(stage: Usd.Stage, frame: int, flock: str = "boids") -> np.ndarray:
    """Return the colours (N, 3) of the materials of boids, which equal those of their meshes."""
    flight = UsdGeom.PointInstancer(stage.GetPrimAtPath(f"/Flight/{flock}"))
    colours = []
    for path in flight.GetPrototypesRel().GetTargets():
        mesh = UsdGeom.Mesh(stage.GetPrimAtPath(path))
        material = UsdShade.MaterialBindingAPI(mesh).ComputeBoundMaterial()[0]
        surface = material.ComputeSurfaceSource()[0].GetInput("diffuseColor").Get()
        assert surface == mesh.GetDisplayColorAttr().Get()[0]
        colours.append(surface)
    return np.array(colours)[np.array(flight.GetProtoIndicesAttr().Get(frame))]


@pytest.mark.parametrize("dims", [2, 3])
def test_usd_has_the_colours_of_headings_in_each_frame(dims, tmp_path) -> None:
    rec = recorded(tmp_path, "heading", dims)
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc").path))
    seen = [usd_colours(stage, frame) for frame in range(FRAMES + 1)]
    for frame, colours in enumerate(seen):
        np.testing.assert_allclose(colours, wheel(headings(rec, frame)), atol=0.15)
    assert (seen[0] != seen[-1]).any()  # boids turn
    (hawks,) = {tuple(colour) for colour in usd_colours(stage, 0, "hawks")}
    assert hawks == pytest.approx(light(STYLES["dark"].hunter))


def test_birds_of_every_colour_flap_equally(tmp_path) -> None:
    rec = recorded(tmp_path, "heading", 3, perching=mm.Perching(ground=-9, shortest=1, longest=2))
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc").path))
    flight = UsdGeom.PointInstancer(stage.GetPrimAtPath("/Flight/boids"))
    paths = flight.GetPrototypesRel().GetTargets()
    names = [path.name for path in paths]
    assert len(names) == 9 * SHADES and names == sorted(names)  # as Blender has them
    assert [name.endswith("_folded") for name in names] == [k % 9 == 8 for k in range(len(names))]
    meshes = [UsdGeom.Mesh(stage.GetPrimAtPath(path)) for path in paths]
    for frame in (0, 3):
        points = [np.array(mesh.GetPointsAttr().Get(frame)) for mesh in meshes]
        for k in range(9, len(points)):
            np.testing.assert_array_equal(points[k], points[k % 9])
    assert meshes[-2].GetExtentAttr().Get() == meshes[7].GetExtentAttr().Get()


def test_usd_has_the_colours_of_speeds(tmp_path) -> None:
    rec = recorded(tmp_path, "speed", 2)
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc").path))
    speeds = np.linalg.norm(rec[0]["boids"].velocities, axis=1)
    colours = usd_colours(stage, 0)
    table = STYLES["dark"].colours("sequential", 1000)
    np.testing.assert_allclose(colours[speeds.argmin()], light(table[0]), atol=0.05)
    np.testing.assert_allclose(colours[speeds.argmax()], light(table[-1]), atol=0.1)


def test_gltf_has_the_colours_of_the_middle_frame(tmp_path) -> None:
    rec = recorded(tmp_path, "heading", 3)
    file = GLTF2().load(str(mm.export(rec, tmp_path / "f.glb").path))
    materials = [
        file.materials[file.meshes[file.nodes[k].mesh].primitives[0].material]
        for k in range(BOIDS + 2)
    ]
    colours = np.array([entry.pbrMetallicRoughness.baseColorFactor[:3] for entry in materials])
    np.testing.assert_allclose(colours[:BOIDS], wheel(headings(rec, FRAMES // 2)), atol=0.15)
    np.testing.assert_allclose(colours[BOIDS:], [light(STYLES["dark"].hunter)] * 2, rtol=1e-6)
    shapes = {
        (mesh.primitives[0].attributes.POSITION, len(mesh.primitives[0].targets))
        for mesh in file.meshes
        if mesh.name.startswith("boids")
    }
    assert len(shapes) == 1  # a shape is held once, whatever its colours


def test_scenes_have_the_colours_of_numbers_of_boids(tmp_path) -> None:
    """The flock that has the number shows it, the other one keeps its colour."""
    changes = {"view.colour_by": "spin_z", "flocks.boids.count": 30, "flocks.boids.start": START}
    model = mm.load("inertial-spin").set(changes)
    simulation = mm.Simulation(model, 2, engine="reference")
    rec = record_run.record(simulation, tmp_path / "a.zarr", FRAMES)
    assert (rec.scene.view.colour_by, rec.view.colour_by) == ("flock", "spin_z")
    assert mm.Recording(rec.path).model.view.colour_by == "spin_z"
    stage = Usd.Stage.Open(str(mm.export(rec, tmp_path / "f.usdc").path))
    table = STYLES[model.view.style].colours("sequential", 1000)
    spins = np.array([frame["boids"].per_boid("spin_z") for frame in rec])
    part = (spins[FRAMES] - spins.min()) / np.ptp(spins)
    expected = [light(table[int(999 * each)]) for each in part]
    np.testing.assert_allclose(usd_colours(stage, FRAMES), expected, atol=0.1)
