"""A model with a mesh, from its file to a recording, a still, a page and scenes for other tools."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import murmurate as mm
from meshes import corner
from murmurate.show import scene

PLAIN = mm.RunOptions(engine="reference")
SEEDED = mm.RunOptions(engine="reference", seed=2)
MODEL = """
[space]
size = [20, 20, 20]
boundary = "reflecting"

[flocks.boids]
count = 6

[rules.avoid-obstacles]
radius = 4
look_ahead = 1

[obstacles.rock]
kind = "mesh"
file = "rock.obj"
centre = [10, { kind = "ramp", start = 10, stop = 12, end = 10 }, 10]
scale = 2
"""


def write_model(folder: Path) -> Path:
    """Write a model and its mesh, an L, as an OBJ file."""
    pytest.importorskip("trimesh")
    vertices, faces = corner().triangles()
    lines = [f"v {x} {y} {z}" for x, y, z in vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in faces + 1]
    (folder / "rock.obj").write_text("\n".join(lines), encoding="utf-8")
    path = folder / "rocks.toml"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_a_recording_needs_no_file(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    path = write_model(tmp_path)
    expected = mm.Simulation(mm.load(path), engine="reference", seed=2).step(8).frame
    mm.run(mm.load(path), 4, output=tmp_path / "a.zarr", options=SEEDED)
    (tmp_path / "rock.obj").unlink()
    mm.resume(tmp_path / "a.zarr", 8)
    last = mm.open(tmp_path / "a.zarr")[-1]
    np.testing.assert_array_equal(last["boids"].positions, expected["boids"].positions)
    mesh = last.obstacles["rock"]
    assert isinstance(mesh, mm.Mesh)
    assert mesh.centre[1] == pytest.approx(10 + 0.2 * last.time)


def test_a_still_shows_the_mesh_and_hides_what_is_behind(tmp_path: Path) -> None:
    model = mm.load(write_model(tmp_path))
    pictures = []
    for changes in ({}, {"obstacles.rock": None}):
        path = tmp_path / f"{len(changes)}.png"
        mm.still(model.set(changes), path, at=0, view=mm.View(size=(160, 90)), options=PLAIN)
        pictures.append(np.array(Image.open(path).convert("RGB"), int))
    changed = np.abs(pictures[0] - pictures[1]).sum(axis=2) > 30
    assert 300 < changed.sum() < 6000
    rows, columns = np.nonzero(changed)
    assert rows.max() - rows.min() > 20 and columns.max() - columns.min() > 20


def test_pages_and_scenes_have_the_triangles(tmp_path: Path) -> None:
    model = mm.load(write_model(tmp_path))
    table = scene.obstacles(model, 5.0)[0]
    assert table["kind"] == "mesh" and table["position"] == [10.0, 11.0, 10.0]
    vertices = np.frombuffer(base64.b64decode(table["vertices"]), "<f4").reshape(-1, 3)
    faces = np.frombuffer(base64.b64decode(table["faces"]), "<u4").reshape(-1, 3)
    assert vertices.max(axis=0) == pytest.approx((4, 4, 4)) and faces.max() == len(vertices) - 1
    assert "obstacles.rock.surface" not in scene.values(model)
    solid = model.obstacles["rock"].outline()
    assert len(solid.corners) == len(faces)


@pytest.mark.parametrize("ending", ["glb", "usdc"])
def test_exports_have_the_mesh(ending: str, tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    pytest.importorskip("pxr" if ending == "usdc" else "pygltflib")
    model = mm.load(write_model(tmp_path))
    mm.run(model, 2, output=tmp_path / "a.zarr", options=PLAIN)
    out = tmp_path / f"a.{ending}"
    mm.export(tmp_path / "a.zarr", out)
    count = len(corner().triangles().faces)
    if ending == "usdc":
        from pxr import Usd

        stage = Usd.Stage.Open(str(out))
        prim = stage.GetPrimAtPath("/Flight/Obstacles/rock")
        assert len(prim.GetAttribute("faceVertexCounts").Get()) == count
    else:
        import pygltflib

        document = pygltflib.GLTF2().load(str(out))
        mesh = next(mesh for mesh in document.meshes if mesh.name == "rock")
        accessor = document.accessors[mesh.primitives[0].attributes.POSITION]
        assert accessor.count >= count
