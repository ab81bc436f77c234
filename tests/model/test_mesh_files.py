"""Files of meshes: what is read, what a model holds, and what is refused."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import murmurate as mm
from murmurate.model.mesh_surface import MAX_TRIANGLES, surface_text

trimesh = pytest.importorskip("trimesh")

MODEL = """
[space]
size = [50, 50, 50]

[flocks.boids]
count = 5

[obstacles.rock]
kind = "mesh"
file = "{file}"
centre = [25, 25, 25]
{more}
"""


def load(folder: Path, file: str, more: str = "") -> mm.Model:
    path = folder / "rocks.toml"
    path.write_text(MODEL.format(file=file, more=more), encoding="utf-8")
    return mm.load(path)


@pytest.mark.parametrize("kind", ["stl", "obj", "ply", "glb"])
def test_a_model_holds_the_mesh_of_its_file(kind: str, tmp_path: Path) -> None:
    trimesh.creation.box((2.0, 3.0, 4.0)).export(tmp_path / f"rock.{kind}")
    model = load(tmp_path, f"rock.{kind}", "scale = 2.0\nrotation = [0, 0, 90]")
    (tmp_path / f"rock.{kind}").unlink()
    assert mm.parse(mm.to_toml(model)) == model
    rock = model.obstacles["rock"]
    assert isinstance(rock, mm.Mesh)
    assert rock.size == pytest.approx((4.0, 6.0, 8.0))
    vertices, faces = rock.triangles()
    assert (len(vertices), len(faces)) == (8, 12)
    assert vertices.max(axis=0) == pytest.approx((3.0, 2.0, 4.0))


def test_clockwise_surfaces_are_reversed() -> None:
    solid = trimesh.creation.icosphere(1)
    mesh = mm.Mesh.from_arrays(solid.vertices, solid.faces[:, ::-1], (0, 0, 0))
    corners = mesh.triangles().corners
    assert np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) > 0.0


def write_bad_files(folder: Path) -> Iterator[tuple[str, str]]:
    """Write files; yield the name of each, and what the message about it says."""
    box = trimesh.creation.box()
    (folder / "empty.stl").write_bytes(b"")
    yield "empty.stl", "got an empty file"
    (folder / "words.stl").write_text("a rock", encoding="utf-8")
    yield "words.stl", "words.stl: got no triangles"
    yield "none.stl", "cannot be read: No such file"
    yield "rock.fbx", "expected .stl, .obj, .ply or .glb"
    yield "../rock.stl", "expected a file in the folder of the model file"
    trimesh.Trimesh(box.vertices, box.faces[1:], process=False).export(folder / "open.ply")
    yield "open.ply", "got an open surface: 3 edges of one triangle; expected a closed one"
    both = trimesh.util.concatenate([box, box.copy().apply_translation((0.3, 0.2, 0.1))])
    both.export(folder / "two.ply")
    yield "two.ply", "got a surface that intersects itself"
    faces = box.faces.copy()
    faces[0] = faces[0][::-1]
    trimesh.Trimesh(box.vertices, faces, process=False).export(folder / "turned.ply")
    yield "turned.ply", "normals point to different sides"
    data = bytes(80) + struct.pack("<I", 1) + struct.pack("<12fH", *[np.nan] * 12, 0)
    (folder / "nan.stl").write_bytes(data)
    yield "nan.stl", "vertices that are not finite"
    (folder / "points.obj").write_text("v 1 2 3\nv 2 3 4\n", encoding="utf-8")
    yield "points.obj", "points.obj: got no triangles"


def test_files_that_are_refused(tmp_path: Path) -> None:
    for name, expected in write_bad_files(tmp_path):
        with pytest.raises(mm.ModelError) as error:
            load(tmp_path, name)
        message = str(error.value)
        assert "obstacles.rock.file: " in message and expected in message, message
        assert "Traceback" not in message and len(message.splitlines()) == 1


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("scale = 2\nsize = [1, 1, 1]", "scale: got a scale and a size"),
        ("scale = -1", "scale: got -1; expected a number > 0"),
        ("size = [1, 1]", "size: got 2 numbers; expected 3"),
        ("radius = 2", "radius: got 'radius'"),
    ],
)
def test_keys_that_are_refused(more: str, expected: str, tmp_path: Path) -> None:
    trimesh.creation.box().export(tmp_path / "rock.stl")
    with pytest.raises(mm.ModelError) as error:
        load(tmp_path, "rock.stl", more)
    assert "obstacles.rock" in str(error.value)
    assert expected.partition(":")[0] in str(error.value)


def test_texts_from_elsewhere_open_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    trimesh.creation.box().export(tmp_path / "rock.stl")
    with pytest.raises(mm.ModelError, match="Only model files on disk name files"):
        mm.parse(MODEL.format(file="rock.stl", more=""))


def bad_surfaces() -> Iterator[tuple[Callable[[], object], str]]:
    box = trimesh.creation.box()
    text = surface_text(box.vertices, box.faces)
    yield lambda: mm.Mesh(centre=(0, 0, 0), surface="rock.stl"), "not a surface"
    yield lambda: mm.Mesh(centre=(0, 0, 0), surface=text[:-8]), "not a surface"
    triangles = np.tile((0, 1, 2), (MAX_TRIANGLES + 1, 1))
    yield lambda: surface_text(np.eye(3), triangles), "expected at most 100,000"
    yield lambda: surface_text(np.eye(3), [(0, 1, 7)]), "got faces with vertices 0 to 7"
    yield lambda: surface_text(np.eye(2), [(0, 1, 2)]), "expected (V, 3)"
    flat = [(0, 1, 2), (0, 2, 1)]
    yield lambda: surface_text(np.eye(3), flat), "encloses no volume"


@pytest.mark.parametrize("number", range(6))
def test_surfaces_that_are_refused(number: int) -> None:
    make, expected = list(bad_surfaces())[number]
    with pytest.raises(mm.ModelError) as error:
        make()
    assert expected in str(error.value)


def test_spaces_and_engines_that_are_refused() -> None:
    solid = trimesh.creation.box((60.0, 1.0, 1.0))
    mesh = mm.Mesh.from_arrays(solid.vertices, solid.faces, (25, 25, 25))

    def model(mesh: mm.Mesh, *size: float) -> mm.Model:
        space = mm.Space(size=size, boundary="periodic")
        return mm.Model(space=space, flocks={"b": mm.Flock(count=2)}, obstacles={"rock": mesh})

    with pytest.raises(mm.ModelError, match="long along x, which is periodic with 50"):
        model(mesh, 50.0, 50.0, 50.0)
    with pytest.raises(mm.ModelError, match="got 'mesh' in a space of 2 axes"):
        model(mesh.model_copy(update={"centre": (25.0, 25.0)}), 50.0, 50.0)
    small = mesh.model_copy(update={"size": (4.0, 1.0, 1.0)})
    with pytest.raises(mm.ModelError, match="For meshes use engine 'cpu'"):
        mm.Simulation(model(small, 50.0, 50.0, 50.0), engine="wasm")
