"""Files of meshes: what is read, what a model holds, and what is refused."""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import murmurate as mm
from murmurate.model.mesh_intersections import find_intersection
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


def write_large_files(folder: Path) -> Iterator[tuple[str, str]]:
    """Write files of a few kB that describe large meshes; yield their names and a message."""
    box = trimesh.creation.box().export(file_type="glb")
    length = struct.unpack("<I", box[12:16])[0]
    document, binary = json.loads(box[20 : 20 + length]), box[20 + length :]
    position = document["meshes"][0]["primitives"][0]["attributes"]["POSITION"]

    def write(name: str, **changes: object) -> str:
        text = json.dumps(document | changes).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(binary))
        chunk = struct.pack("<II", len(text), 0x4E4F534A) + text
        (folder / name).write_bytes(head + chunk + binary)
        return name

    accessors = copy.deepcopy(document["accessors"])
    accessors[position] |= {"count": 10**9}
    accessors[position].pop("bufferView")
    yield write("zeros.glb", accessors=accessors), "numbers; expected at most 16,777,216"
    primitives = document["meshes"][0]["primitives"] * 20_000
    yield write("parts.glb", meshes=[{"primitives": primitives}]), "primitives; expected at most"
    yield write("nodes.glb", nodes=[{"mesh": 0}] * 20_000), "expected at most 10,000"
    yield write("copies.glb", nodes=[{"mesh": 0}] * 9_000), "108,000 triangles"
    twice = [{"children": [k + 1, k + 1]} for k in range(40)] + [{"mesh": 0}]
    yield write("twice.glb", nodes=twice), "a node has two parents"
    yield write("elsewhere.glb", buffers=[{"uri": "a.bin", "byteLength": 9}]), "in another file"
    below_zero = [accessors[0] | {"count": 10**9}, accessors[0] | {"count": -(10**9)}]
    yield write("below.glb", accessors=[*accessors, *below_zero]), "a negative count"
    yield write("deep.glb", extras=json.loads("[" * 99 + "]" * 99)), "nested tables and lists"
    count = b"element vertex 1000000000\nproperty float x\nend_header\n"
    (folder / "count.ply").write_bytes(b"ply\nformat binary_little_endian 1.0\n" + count)
    yield "count.ply", "1,000,000,000 elements vertex"
    (folder / "words.obj").write_bytes(b"v 0 0 0\n" * 700_000)
    yield "words.obj", "2,800,000 words"
    (folder / "solids.stl").write_bytes(b"solid a\nendsolid a\n" * 1001)
    yield "solids.stl", "1,001 solids"


def test_large_files_are_refused_before_work(tmp_path: Path) -> None:
    for name, expected in write_large_files(tmp_path):
        with pytest.raises(mm.ModelError) as error:
            load(tmp_path, name)
        assert expected in str(error.value), str(error.value)


@pytest.mark.slow
def test_intersections_of_thin_triangles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cylinder whose triangles all are as long as it; triangles that no plane separates."""
    thin = trimesh.creation.cylinder(radius=1.0, height=3.0, sections=1500)
    assert find_intersection(thin.vertices, thin.faces) is None
    stick = trimesh.creation.box((0.01, 5.0, 0.01))
    both = trimesh.util.concatenate([thin, stick])
    assert find_intersection(both.vertices, both.faces) is not None
    sides = [trimesh.creation.box([1 + k / 9000] * 3) for k in range(3000)]
    crowd = trimesh.util.concatenate(sides)
    with pytest.raises(mm.ModelError, match="too crowded"):
        find_intersection(crowd.vertices, crowd.faces, max_work=1_000_000)


@pytest.mark.slow
def test_intersections_are_those_of_all_pairs() -> None:
    dice = np.random.default_rng(1)
    results = []
    for _ in range(20):
        boxes = []
        for _ in range(60):
            box = trimesh.creation.box(dice.uniform(0.02, 0.6, 3))
            box.apply_transform(trimesh.transformations.random_rotation_matrix(dice.random(3)))
            boxes.append(box.apply_translation(dice.uniform(-3.0, 3.0, 3)))
        both = trimesh.util.concatenate(boxes)
        results.append(find_intersection(both.vertices, both.faces) is not None)
        pairs = trimesh.util.concatenate(boxes[:1])
        expected = False
        for k in range(60):
            for other in boxes[:k]:
                if (abs(boxes[k].centroid - other.centroid) < 1.1).all():
                    pairs = trimesh.util.concatenate([boxes[k], other])
                    expected |= find_intersection(pairs.vertices, pairs.faces) is not None
        assert results[-1] == expected
    assert 0 < sum(results) < 20


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


def test_spaces_that_are_refused() -> None:
    solid = trimesh.creation.box((60.0, 1.0, 1.0))
    mesh = mm.Mesh.from_arrays(solid.vertices, solid.faces, (25, 25, 25))

    def model(mesh: mm.Mesh, *size: float) -> mm.Model:
        space = mm.Space(size=size, boundary="periodic")
        return mm.Model(space=space, flocks={"b": mm.Flock(count=2)}, obstacles={"rock": mesh})

    with pytest.raises(mm.ModelError, match="long along x, which is periodic with 50"):
        model(mesh, 50.0, 50.0, 50.0)
    with pytest.raises(mm.ModelError, match=r"got 'mesh' in a space of 2 axes"):
        model(mesh.model_copy(update={"centre": (25.0, 25.0)}), 50.0, 50.0)


def test_a_mesh_has_a_file_or_a_surface() -> None:
    """A model on disk names a file; text alone, and a file beside a surface, are refused."""
    solid = trimesh.creation.box((1.0, 1.0, 1.0))
    surface = surface_text(solid.vertices, solid.faces)
    for more, message in (
        ("", "obstacles.rock.file: got none; expected the name of an STL"),
        (f'surface = "{surface}"\nfile = "a.stl"', "obstacles.rock.surface: "),
    ):
        text = MODEL.replace('file = "{file}"', "").replace("{more}", more)
        with pytest.raises(mm.ModelError) as error:
            mm.parse(text)
        assert message in str(error.value)
