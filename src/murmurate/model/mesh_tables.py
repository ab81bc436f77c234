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

    with optional(str(file), ModelError):
        import trimesh
    try:
        mesh: Any = trimesh.load(io.BytesIO(data), file_type=kind, process=False)
        if isinstance(mesh, trimesh.Scene):
            mesh = mesh.to_geometry()
        faces = getattr(mesh, "faces", np.zeros((0, 3)))  # points and lines have none
        return np.array(mesh.vertices, float), np.array(faces, np.int64)
    except Exception as error:  # trimesh raises many kinds of errors for damaged files
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise ModelError(
            f"{file}: cannot be read as {kind.upper()}: {reason}. Export the mesh again"
        ) from None
