"""Meshes in plain numpy, over all triangles at once, to judge the functions of kernels.

They share nothing with codegen/mesh_shapes.py: distances come from projections, the side from the
winding number, and contacts from comparisons of neighbours. Positions are relative to the centre of
the mesh.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from murmurate.model.obstacles import Mesh

INTO = 1e-11  # part of a vector by which it may point into an obstacle
ON_SURFACE = 1e-13  # distance without a direction, as a part of the mesh's size
MAX_EXIT_PIECES = 256
MAX_ENTRY_PIECES = 5000
PRECISION = 1e-13  # of the end of a movement, as a part of it


def dots(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the scalar products of vectors (..., 3)."""
    products: np.ndarray = np.einsum("...i,...i->...", a, b)
    return products


def nearest_points(corners: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the points (F, 3) of triangles (F, 3, 3) that are nearest to positions (F, 3).

    They are the projections on the planes where those are inside of the triangles, else the nearest
    of the points on the three sides.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    best = x - (dots(x - a, normal) / dots(normal, normal))[:, None] * normal
    inside = np.ones(len(corners), bool)
    for begin, end in ((a, b), (b, c), (c, a)):
        inside &= dots(np.cross(end - begin, best - begin), normal) >= 0.0
    distance = np.where(inside, 0.0, math.inf)
    for begin, end in ((a, b), (b, c), (c, a)):
        part = np.clip(dots(x - begin, end - begin) / dots(end - begin, end - begin), 0.0, 1.0)
        point = begin + part[:, None] * (end - begin)
        away = dots(x - point, x - point)
        nearer = away < distance
        nearer &= ~inside
        best[nearer], distance[nearer] = point[nearer], away[nearer]
    points: np.ndarray = best
    return points


@dataclass(frozen=True)
class Body:
    """The triangles of a mesh.

    Parameters
    ----------
    corners : ndarray of shape (F, 3, 3)
    """

    corners: np.ndarray

    @cached_property
    def normals(self) -> np.ndarray:
        """The unit normals (F, 3) of the triangles."""
        a, b, c = self.corners[:, 0], self.corners[:, 1], self.corners[:, 2]
        normals: np.ndarray = np.cross(b - a, c - a)
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return normals

    @cached_property
    def half(self) -> np.ndarray:
        """Half the sides (3,) of a box around the centre that holds the mesh."""
        return np.asarray(np.abs(self.corners).max(axis=(0, 1)))

    def offsets(self, x: np.ndarray) -> np.ndarray:
        """Return the vectors (F, 3) from the nearest point of each triangle to x."""
        at = np.broadcast_to(x, (len(self.corners), 3))
        offsets: np.ndarray = at - nearest_points(self.corners, at)
        return offsets

    def contains(self, x: np.ndarray) -> bool:
        """Return whether x is in the solid: the triangles fill its whole view.

        Van Oosterom and Strackee 1983, doi:10.1109/TBME.1983.325207.
        """
        rays = self.corners - x
        lengths = np.linalg.norm(rays, axis=2)
        a, b, c = rays[:, 0], rays[:, 1], rays[:, 2]
        p, q, r = lengths[:, 0], lengths[:, 1], lengths[:, 2]
        volume = dots(a, np.cross(b, c))
        scale = p * q * r + dots(a, b) * r + dots(b, c) * p + dots(c, a) * q
        return bool(np.arctan2(volume, scale).sum() > math.pi)  # half of the solid angle 4 pi

    def clearance(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the distance of x from the surface, negative inside, and the normal there."""
        offsets = self.offsets(x)
        distances = np.linalg.norm(offsets, axis=1)
        k = int(np.argmin(distances))
        if distances[k] <= ON_SURFACE * self.half.min():
            near = self.normals[distances <= ON_SURFACE * self.half.min()].sum(axis=0)
            return 0.0, near / np.linalg.norm(near)
        sign = -1.0 if self.contains(x) else 1.0
        return sign * float(distances[k]), sign * offsets[k] / distances[k]

    def touched(self, x: np.ndarray, skin: float) -> list[tuple[int, np.ndarray]]:
        """Return the triangles within two skins of x that it touches, and their normals.

        They are nearer to x than the triangles beside their nearest point, and nothing solid lies
        between.
        """
        offsets = self.offsets(x)
        distances = np.linalg.norm(offsets, axis=1)
        result = []
        for k in np.flatnonzero(distances <= 2.0 * skin).tolist():
            point = x - offsets[k]
            neighbours = np.linalg.norm(self.offsets(point), axis=1) <= 1e-9 * self.half.min()
            if (distances[neighbours] < distances[k] - 1e-9 * skin).any():
                continue
            height = float(offsets[k] @ self.normals[k])
            on_face = abs(abs(height) - distances[k]) <= 1e-9 * skin
            if on_face and height >= -0.5 * skin:
                result.append((k, self.normals[k]))
            elif not on_face and not self.contains(x - 0.5 * offsets[k]):
                result.append((k, offsets[k] / distances[k]))
        return result

    def entered(
        self, x: np.ndarray, d: np.ndarray, skin: float, error: float, on_way_out: bool
    ) -> float:
        """Return the part of a movement d after which x enters the skin of a triangle.

        The result is infinity for never. A triangle that x touches, or that is beside one that x
        touches, has a thinner skin.
        """
        if on_way_out and self.contains(x):
            return math.inf
        low, high = np.minimum(x, x + d) - 2.0 * skin, np.maximum(x, x + d) + 2.0 * skin
        near = (self.corners.min(axis=1) <= high).all(axis=1)
        near &= (self.corners.max(axis=1) >= low).all(axis=1)
        touched = dict(self.touched(x, skin))
        distances = np.linalg.norm(self.offsets(x), axis=1)
        reaches = np.where(distances <= 2.0 * skin, np.minimum(0.25 * skin, 0.5 * distances), skin)
        for k, normal in touched.items():
            if d @ normal >= -(INTO * np.linalg.norm(d) + error):
                near[k] = False
        return self._first_within(near, x, d, reaches)

    def _first_within(
        self, near: np.ndarray, x: np.ndarray, d: np.ndarray, reaches: np.ndarray
    ) -> float:
        """Return the first part of d after which x is within reach of a triangle, or infinity.

        The position can move by its distance from the reach of a triangle without entering it.
        """
        corners, reach, way = self.corners[near], reaches[near], float(np.linalg.norm(d))
        if not len(corners) or way == 0.0:
            return math.inf
        times, first = np.zeros(len(corners)), math.inf
        for _ in range(MAX_ENTRY_PIECES):
            at = x + times[:, None] * d
            room = np.linalg.norm(at - nearest_points(corners, at), axis=1) - reach
            inside = room <= PRECISION * way
            if inside.any():
                first = min(first, float(times[inside].min()))
            times = times + room / way
            keep = ~inside & (times <= 1.0) & (times < first)
            if not keep.any():
                break
            corners, reach, times = corners[keep], reach[keep], times[keep]
        return first

    def left_at(self, x: np.ndarray, e: np.ndarray, skin: float) -> float:
        """Return the distance along a unit vector e after which x is one skin outside."""
        t, limit = 0.0, 2.0 * float(self.half.sum()) + float(np.abs(x).sum()) + skin
        for _ in range(MAX_EXIT_PIECES):
            distance = self.clearance(x + t * e)[0]
            if distance >= 0.999 * skin:
                return t
            t += max(skin - distance, 0.01 * skin)
            if t > limit:
                break
        return math.inf


def body_of(mesh: Mesh) -> Body:
    """Return the triangles of a mesh."""
    return _body(mesh.at_origin())


@lru_cache(maxsize=32)
def _body(mesh: Mesh) -> Body:
    return Body(mesh.triangles().corners)
