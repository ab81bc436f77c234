"""Obstacles of model files that name a file with a mesh.

    [obstacles.rock]
    kind = "mesh"
    file = "rock.stl"
    centre = [50, 50, 10]
    scale = 2.0

The file is read together with the model, and becomes its surface, as text. So a model has triangles
and no path, and texts from pages and recordings cannot read files.
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown, format_value
from murmurate.model.named_files import file_in, read_file
from murmurate.optional import optional

if TYPE_CHECKING:
    import numpy as np

KIND = "mesh"
FORMATS = ("glb", "obj", "ply", "stl")
MAX_BYTES = 64 << 20
MAX_WORDS = 2_500_000  # of an OBJ file
MAX_SOLIDS = 1000  # of an STL file as text
MAX_PARTS = 10_000  # nodes, meshes and buffers of a GLB file
MAX_NUMBERS = MAX_BYTES // 4  # of a GLB file: copies of a mesh count again
KEYS = ("kind", "file", "centre", "size", "scale", "rotation")


def read_mesh_tables(data: dict[str, Any], folder: Path | None) -> list[str]:
    """Replace `file` and `scale` of obstacles of kind 'mesh' by `surface` and `size`.

    data    the tables of a model, which are changed
    folder  the folder of the model file, in which files must be; None if it may name none

    Returns error messages. Obstacles with errors become spheres, so that all other parts can be
    checked.
    """
    problems: list[str] = []
    obstacles = data.get("obstacles")
    if not isinstance(obstacles, dict):
        return problems
    for name, table in list(obstacles.items()):
        if not isinstance(table, dict) or table.get("kind") != KIND:
            continue
        if "file" not in table and "surface" in table:
            continue
        try:
            obstacles[name] = _with_surface(table, folder)
        except ModelError as error:
            problems.append(f"obstacles.{name}.{error}")
            centre = {"centre": table["centre"]} if "centre" in table else {}
            obstacles[name] = {"kind": "sphere", "radius": 1.0} | centre
    return problems


def _with_surface(table: dict[str, Any], folder: Path | None) -> dict[str, Any]:
    """Return the table of a mesh with its surface. Raises ModelError, from the key on."""
    from murmurate.model.mesh_surface import scaled_size, surface_text

    if "file" not in table:
        raise ModelError(
            "file: got none; expected the name of an STL, OBJ, PLY or GLB file in the folder of "
            'the model file, such as file = "rock.stl"'
        )
    if others := [key for key in table if key not in KEYS]:
        raise ModelError(f"{others[0]}: {format_unknown('key of a mesh', others[0], KEYS)}")
    if folder is None:
        raise ModelError(
            f"file: got {format_value(table['file'])}; expected a surface. Only model files on "
            "disk name files: load the model from its file, or use Mesh.from_file in Python"
        )
    file = file_in(folder, "file", table["file"], "an STL, OBJ, PLY or GLB file")
    result = {key: value for key, value in table.items() if key not in ("file", "scale")}
    try:
        result["surface"] = surface_text(*read_mesh_file(file))
    except ModelError as error:
        raise ModelError(f"file: {file.name}: {str(error).removeprefix(f'{file}: ')}") from None
    if "scale" in table:
        result["size"] = scaled_size(result["surface"], table["scale"], table.get("size"))
    return result


def read_mesh_file(path: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return vertices (V, 3) and faces (F, 3) of a file; the parts of a scene become one mesh.

    Raises ModelError for a file that cannot be read, and without the library trimesh.
    """
    file = Path(path)
    kind = file.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise ModelError(
            f"{file}: got a file that ends in {file.suffix or 'nothing'}; expected .stl, .obj, "
            ".ply or .glb. Export the mesh in one of these formats"
        )
    data = read_file(
        file, MAX_BYTES, "Reduce the mesh, for example with the modifier Decimate of Blender"
    )
    if not data:
        raise ModelError(f"{file}: got an empty file; expected a mesh. Export it again")
    vertices, faces = _parsed(data, kind, file)
    if not len(faces):
        raise ModelError(
            f"{file}: got no triangles; expected a closed surface. Export the mesh again"
        )
    return vertices, faces


def _parsed(data: bytes, kind: str, file: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of a file's bytes: trimesh gets no path, so it opens no other file."""
    import numpy as np

    _check_sizes(data, kind, file)
    if kind == "obj":  # its groups would become meshes of their own
        data = re.sub(rb"(?m)^[ \t]*(?:[ogs]|usemtl|mtllib)\b.*$", b"", data)
    with optional(str(file), ModelError):
        import trimesh
    try:
        options: Any = _OPTIONS.get(kind, {})
        mesh: Any = trimesh.load(io.BytesIO(data), file_type=kind, process=False, **options)
        if isinstance(mesh, trimesh.Scene):
            mesh = mesh.to_geometry()
        faces = getattr(mesh, "faces", np.zeros((0, 3)))  # points and lines have none
        return np.array(mesh.vertices, float), np.array(faces, np.int64)
    except Exception as error:  # trimesh raises many kinds of errors for damaged files
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise ModelError(
            f"{file}: cannot be read as {kind.upper()}: {reason}. Export the mesh again"
        ) from None


_OPTIONS = {
    "glb": {"skip_materials": True},
    "obj": {"skip_materials": True, "split_objects": False},
}
_COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


def _check_sizes(data: bytes, kind: str, file: Path) -> None:
    """Raise ModelError for a file that needs much more memory or time than its size."""
    from murmurate.model.mesh_surface import MAX_TRIANGLES, SIMPLIFY

    if kind == "glb":
        try:
            sizes = _glb_sizes(data)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise ModelError(
                f"{file}: cannot be read as GLB: {error or type(error).__name__}. Export the mesh "
                "again"
            ) from None
    elif kind == "stl" and len(data) == 84 + 50 * int.from_bytes(data[80:84], "little"):
        sizes = [("triangles", (len(data) - 84) // 50, MAX_TRIANGLES)]
    elif kind == "stl":
        lower = data.lower()
        sizes = [
            ("triangles", lower.count(b"endfacet"), MAX_TRIANGLES),
            ("solids", lower.count(b"endsolid"), MAX_SOLIDS),
        ]
    elif kind == "obj":
        sizes = [("words", sum(map(data.count, (b" ", b"\t", b"\n"))), MAX_WORDS)]
    else:
        head = data[: data.find(b"end_header")][: 1 << 16].split(b"\n")
        words = [line.split() for line in head if line.startswith(b"element ")]
        sizes = [
            (f"elements {word[1].decode(errors='replace')}", int(word[2]), 3 * MAX_TRIANGLES)
            for word in words
            if len(word) == 3 and word[2].isdigit()
        ]
        sizes.append(("lines in its header", len(head), 1000))
    for what, count, max_count in sizes:
        if count > max_count:
            raise ModelError(
                f"{file}: got {count:,} {what}; expected at most {max_count:,}. {SIMPLIFY}"
            )


def _glb_sizes(data: bytes) -> list[tuple[str, int, int]]:
    """Return (part, its number, its largest number) of a GLB file, from its header alone."""
    from murmurate.model.mesh_surface import MAX_TRIANGLES
    from murmurate.model.text_reader import read_json

    n_bytes = int.from_bytes(data[12:16], "little")
    max_bytes = 4 << 20
    if n_bytes > max_bytes:
        return [("bytes of JSON", n_bytes, max_bytes)]
    document = read_json(data[20 : 20 + n_bytes], 32)
    nodes, meshes = document.get("nodes", []), document.get("meshes", [])
    accessors = document.get("accessors", [])
    n_parts = sum(len(value) for value in document.values() if isinstance(value, list))
    children = [child for node in nodes for child in node.get("children", ())]
    if len(children) > len(set(children)):
        raise ValueError("a node has two parents")
    counts = [int(accessor["count"]) for accessor in accessors]
    if min(counts, default=0) < 0:
        raise ValueError("an accessor has a negative count")
    if any("uri" in buffer for buffer in document.get("buffers", [])):
        raise ValueError("its data are in another file. Embed them")
    numbers = [n * _COMPONENTS[a["type"]] for n, a in zip(counts, accessors, strict=True)]
    n_primitives = n_corners = n_vertices = 0
    for k in [node["mesh"] for node in nodes if "mesh" in node]:
        for primitive in meshes[k]["primitives"]:
            vertices = counts[primitive["attributes"]["POSITION"]]
            n_vertices += vertices
            n_corners += counts[primitive["indices"]] if "indices" in primitive else vertices
            n_primitives += 1
            if n_primitives > MAX_PARTS:
                break
    return [
        ("parts", n_parts, MAX_PARTS),
        ("primitives", n_primitives + sum(len(m["primitives"]) for m in meshes), MAX_PARTS),
        ("numbers", sum(numbers) + 3 * n_vertices, MAX_NUMBERS),
        ("triangles", n_corners // 3, MAX_TRIANGLES),
    ]
