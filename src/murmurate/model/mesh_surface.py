"""Closed surfaces of triangles as text, for obstacles of kind 'mesh'.

A model holds text and numbers only, so it holds a surface as text: arrays, compressed, in base64.
The text needs no file, and its content is checked wherever it comes from.
"""

from __future__ import annotations

import base64
import binascii
import struct
import zlib
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.messages import format_value

MAX_TRIANGLES = 100_000
MAX_TEXT = 12 << 20  # of a surface; a model file may have 16 MiB
_HEAD = struct.Struct("<4sII")
_MARK = b"mm1 "
THIN = 1e-12
"""Smallest area of a triangle, as a part of the square of the surface's largest side."""
SIMPLIFY = "Reduce it, for example with the modifier Decimate of Blender"
CLOSE = (
    "Close it, for example in Blender: Mesh > Clean Up > Fill Holes and Merge by Distance, then "
    "Mesh > Normals > Recalculate Outside"
)
CLEAN = "Remove it, for example in Blender: Mesh > Clean Up > Degenerate Dissolve"
UNITE = "Unite its parts, for example with the modifier Remesh or Boolean of Blender"


class Surface(NamedTuple):
    """A closed surface: triangles, counterclockwise seen from outside.

    vertices  (V, 3) float64, the centre of their bounding box at 0
    faces     (F, 3) int64, indices of vertices
    """

    vertices: np.ndarray
    faces: np.ndarray

    @property
    def corners(self) -> np.ndarray:
        """The corners (F, 3, 3) of the triangles."""
        corners: np.ndarray = self.vertices[self.faces]
        return corners

    @property
    def size(self) -> np.ndarray:
        """The sides (3,) of the bounding box."""
        size: np.ndarray = np.ptp(self.vertices, axis=0)
        return size


def surface_text(vertices: Any, faces: Any) -> str:
    """Return the text of a closed surface, whose bounding box is moved to the origin.

    Equal vertices become one, as STL files repeat them, and a surface whose triangles are clockwise
    seen from outside is reversed.

    vertices  (V, 3)
    faces  (F, 3) indices of the corners of triangles
    raises ModelError  for a surface that is not closed, intersects itself, or is too large
    """
    points, triangles = _arrays(vertices, faces)
    _check_numbers(points, triangles)
    points, triangles = _merge(points, triangles)
    points = points - (points.min(axis=0) + points.max(axis=0)) / 2
    if _volume(points[triangles]) < 0.0:
        triangles = triangles[:, ::-1]
    check_surface(points, triangles)
    _check_intersections(points, triangles)
    head = _HEAD.pack(_MARK, len(points), len(triangles))
    data = _planes(points.astype("<f8")) + _planes(triangles.astype("<u4"))
    return base64.b64encode(head + zlib.compress(data, 9)).decode()


@lru_cache(maxsize=32)
def read_surface(text: str) -> Surface:
    """Return the surface of a text. Raises ModelError for a text that has none."""
    try:
        data = base64.b64decode(text[: MAX_TEXT + 1], validate=True)
        mark, n_points, n_faces = _HEAD.unpack_from(data)
        if mark != _MARK or len(text) > MAX_TEXT:
            raise ValueError
        if n_faces > MAX_TRIANGLES or n_points > 3 * MAX_TRIANGLES:
            raise ValueError
        size = 24 * n_points + 12 * n_faces
        inflate = zlib.decompressobj()
        content = inflate.decompress(data[_HEAD.size :], size + 1)
        if len(content) != size or not inflate.eof:
            raise ValueError
    except (ValueError, binascii.Error, struct.error, zlib.error):
        raise ModelError(
            f"got {len(text):,} characters that are not a surface; expected the text of one. "
            "Give `file` in a model file, or use Mesh.from_file or Mesh.from_arrays in Python"
        ) from None
    points = _unplanes(content[: 24 * n_points], "<f8").reshape(-1, 3).astype(float)
    triangles = _unplanes(content[24 * n_points :], "<u4").reshape(-1, 3).astype(np.int64)
    check_surface(points, triangles)
    for array in (points, triangles):
        array.setflags(write=False)
    return Surface(points, triangles)


def _planes(array: np.ndarray) -> bytes:
    """Return the first byte of each number, then the second ones: they compress well."""
    return array.reshape(-1, 1).view(np.uint8).T.tobytes()


def _unplanes(data: bytes, dtype: str) -> np.ndarray:
    width = np.dtype(dtype).itemsize
    planes = np.frombuffer(data, np.uint8).reshape(width, -1)
    return np.ascontiguousarray(planes.T).reshape(-1).view(dtype)


def _arrays(vertices: Any, faces: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays of a surface as float64 and int64. Raises ModelError."""
    points, triangles = np.asarray(vertices, float), np.asarray(faces)
    if points.ndim != 2 or points.shape[1:] != (3,):
        raise ModelError(f"vertices: got an array of shape {points.shape}; expected (V, 3)")
    if triangles.size and (triangles.ndim != 2 or triangles.shape[1:] != (3,)):
        raise ModelError(f"faces: got an array of shape {triangles.shape}; expected (F, 3)")
    return points, triangles.astype(np.int64).reshape(-1, 3)


def _merge(points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a surface in which equal vertices are one, and all vertices are in use."""
    used, indices = np.unique(triangles, return_inverse=True)
    distinct, same = np.unique(points[used], axis=0, return_inverse=True)
    return distinct, same.reshape(-1)[indices.reshape(-1)].reshape(-1, 3)


def _volume(corners: np.ndarray) -> float:
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def _check_numbers(points: np.ndarray, triangles: np.ndarray) -> None:
    """Raise ModelError unless triangles have vertices, which are finite."""
    if not len(triangles):
        raise ModelError("got no triangles; expected a closed surface. Export the mesh again")
    if len(triangles) > MAX_TRIANGLES:
        raise ModelError(
            f"got {len(triangles):,} triangles; expected at most {MAX_TRIANGLES:,}. {SIMPLIFY}"
        )
    if not np.isfinite(points).all():
        raise ModelError("got vertices that are not finite; expected numbers. Export it again")
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise ModelError(
            f"got faces with vertices {triangles.min()} to {triangles.max()}; expected 0 to "
            f"{len(points) - 1}. Export the mesh again"
        )


def check_surface(points: np.ndarray, triangles: np.ndarray) -> None:
    """Raise ModelError unless triangles form closed surfaces with normals outwards."""
    _check_numbers(points, triangles)
    _check_areas(points[triangles])
    _check_closed(points, triangles)
    if _volume(points[triangles]) <= 0.0:
        raise ModelError(
            "got a surface that encloses no volume; expected a solid whose normals point outwards. "
            + CLOSE
        )


def _check_intersections(points: np.ndarray, triangles: np.ndarray) -> None:
    from murmurate.model.mesh_intersections import find_intersection

    point = find_intersection(points, triangles)
    if point is not None:
        at = ", ".join(f"{x:.4g}" for x in point)
        raise ModelError(
            f"got a surface that intersects itself at ({at}) from its centre; expected none. "
            + UNITE
        )


def _check_areas(corners: np.ndarray) -> None:
    doubled = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    largest = np.ptp(corners.reshape(-1, 3), axis=0).max()
    thin = np.flatnonzero(doubled <= THIN * largest**2)
    if len(thin):
        raise ModelError(
            f"got {len(thin):,} triangles without area, the first of which is {thin[0]}; expected "
            f"none. {CLEAN}"
        )


def _check_closed(points: np.ndarray, triangles: np.ndarray) -> None:
    """Raise ModelError unless each edge has two triangles, in opposite directions."""
    begin, end = triangles.reshape(-1), np.roll(triangles, -1, axis=1).reshape(-1)
    count = len(points)
    ways, reverse = begin * count + end, end * count + begin
    _, numbers = np.unique(np.minimum(ways, reverse), return_counts=True)
    if (numbers != 2).any():
        open_edges, shared = int((numbers == 1).sum()), int((numbers > 2).sum())
        parts = [f"{open_edges:,} edges of one triangle"] * bool(open_edges)
        parts += [f"{shared:,} edges of more than two triangles"] * bool(shared)
        raise ModelError(
            f"got an open surface: {' and '.join(parts)}; expected a closed one, in which each "
            f"edge has two triangles. {CLOSE}"
        )
    if len(np.unique(ways)) != len(ways):
        raise ModelError(
            "got triangles whose normals point to different sides; expected all outwards. "
            "Recalculate them, in Blender: Mesh > Normals > Recalculate Outside"
        )


def scaled_size(text: str, scale: object, size: object) -> tuple[float, ...]:
    """Return the sides of a surface's bounding box, times a scale. Raises ModelError."""
    if size is not None:
        raise ModelError("scale: got a scale and a size; expected one of them. Remove scale")
    is_number = isinstance(scale, int | float) and not isinstance(scale, bool)
    if not is_number or not 0.0 < scale < np.inf:  # type: ignore[operator]
        raise ModelError(f"scale: got {format_value(scale)}; expected a number > 0")
    return tuple((read_surface(text).size * scale).tolist())


def oriented(
    surface: Surface, size: tuple[float, ...] | None, rotation: tuple[float, ...]
) -> Surface:
    """Return a surface of another size, rotated around its centre.

    size      sides of its bounding box before the rotation
    rotation  angles around the axes x, then y, then z, in degrees
    """
    vertices = surface.vertices
    if size is not None:
        vertices = vertices * (np.array(size) / surface.size)
    for axis, angle in enumerate(rotation):
        if angle % 360.0:
            vertices = vertices @ _rotation(axis, angle).T
    vertices = vertices.copy()
    vertices.setflags(write=False)
    return Surface(vertices, surface.faces)


def _rotation(axis: int, angle: float) -> np.ndarray:
    """Return the matrix (3, 3) of a rotation around an axis, by degrees; quarters are exact."""
    quarters, part = divmod(angle / 90.0, 1.0)
    c, s = np.cos(part * np.pi / 2), np.sin(part * np.pi / 2)
    for _ in range(int(quarters) % 4):
        c, s = -s, c
    matrix = np.eye(3)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    matrix[j, j] = matrix[k, k] = c
    matrix[k, j], matrix[j, k] = s, -s
    return matrix
