"""Shapes of obstacles in scenes: unit meshes, and the transforms that place them.

The unit meshes are a ball, a cube, a tube and a square, as triangles with normals.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from murmurate.exports.boid_shapes import normals
from murmurate.exports.selection import to_3d
from murmurate.model.obstacles import Box, Cylinder, Mesh, ObstacleShape, Sphere, Tank, Wall
from murmurate.model.shapes.cylinder import unit_prism
from murmurate.model.shapes.wall import unit_normal
from murmurate.model.space import Space

Array = np.ndarray

ROWS, COLUMNS = 16, 32  # quadrangles of the ball
CIRCLE_CORNERS = 72  # of the tube
SQUARE = np.array([(0, -0.5, -0.5), (0, 0.5, -0.5), (0, 0.5, 0.5), (0, -0.5, 0.5)])


# --- transforms


class Transform(NamedTuple):
    """Placement of a unit shape: scale, then rotation, then translation.

    Attributes
    ----------
    position : (3,)
        Length units.
    rotation : (4,)
        Unit quaternion x, y, z, w.
    scale : (3,)
        Along its own axes.
    """

    position: Array
    rotation: Array
    scale: Array


def transform(shape: ObstacleShape, space: Space) -> Transform:
    """Return the transform of the unit mesh of an obstacle.

    The meshes are a ball of radius 1, a cube of side 1, a tube and a pillar of radius 1 and height
    1 along Z, a square of side 1 in the plane x = 0 that faces +X, and the triangles of a mesh. A
    2-D obstacle is as high as wide; a 2-D wall or tank has a tenth of the space's largest side.
    """
    identity = np.array([0.0, 0.0, 0.0, 1.0])
    if isinstance(shape, Mesh):
        return Transform(to_3d(shape.centre, float), identity, np.ones(3))
    if isinstance(shape, Cylinder):
        scale = np.array([shape.radius, shape.radius, shape.height], float)
        return Transform(to_3d(shape.centre, float), identity, scale)
    if isinstance(shape, Sphere):
        return Transform(to_3d(shape.centre, float), identity, np.full(3, shape.radius, float))
    if isinstance(shape, Box):
        size = np.array(shape.size, float)
        sides = size if len(size) == 3 else np.append(size, size.min())
        return Transform(to_3d(shape.centre, float), identity, sides)
    middle = to_3d([(a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True)], float)
    low = max(space.size) / 10
    if isinstance(shape, Tank):
        position = np.append(np.array(shape.centre, float)[:2], middle[2])
        high = space.size[2] if space.dims == 3 else low
        return Transform(position, identity, np.array([shape.radius, shape.radius, high], float))
    assert isinstance(shape, Wall)
    normal = to_3d(unit_normal(shape.normal), float)  # type: ignore[arg-type]
    point = to_3d(shape.point, float)
    nearest = middle - normal * np.dot(middle - point, normal)
    reach = float(np.linalg.norm(space.size)) * 1.5
    high = reach if space.dims == 3 else low
    return Transform(nearest, _from_x(normal), np.array([1.0, reach, high]))


def _from_x(normal: Array) -> Array:
    """Return the shortest rotation from +X to a unit vector, about Z for -X."""
    x, y, z = normal.tolist()
    if x < -1 + 1e-12:
        return np.array([0.0, 0.0, 1.0, 0.0])
    rotation = np.array([0.0, -z, y, 1 + x])
    return rotation / math.hypot(*rotation)


# --- meshes


class Solid(NamedTuple):
    """Triangles (F, 3, 3), counterclockwise seen from outside, and their normals (F, 3, 3)."""

    corners: Array
    normals: Array


def ball() -> Solid:
    """Return a ball of radius 1 with smooth normals."""
    down, along = np.meshgrid(
        np.pi * np.arange(ROWS + 1) / ROWS, 2 * np.pi * np.arange(COLUMNS + 1) / COLUMNS,
        indexing="ij",
    )  # fmt: skip
    points = np.stack(
        [np.sin(down) * np.cos(along), np.sin(down) * np.sin(along), np.cos(down)], axis=-1
    )
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    below = np.stack([a, b, c], axis=2)[:-1]  # at the poles two corners coincide
    above = np.stack([a, c, d], axis=2)[1:]
    corners = np.concatenate([below.reshape(-1, 3, 3), above.reshape(-1, 3, 3)]).astype(np.float32)
    return Solid(corners, corners)


def cube() -> Solid:
    """Return a cube of side 1."""
    faces = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            face = SQUARE if side > 0 else SQUARE[::-1]
            faces.append(np.roll(face + np.array([side, 0, 0]), axis, axis=1))
    return quadrangles(np.array(faces))


def tube() -> Solid:
    """Return the wall of a tank of radius 1 and height 1, open at both ends, facing inwards."""
    angles = 2 * np.pi * np.arange(CIRCLE_CORNERS + 1) / CIRCLE_CORNERS
    low = np.stack([np.cos(angles), np.sin(angles), np.full(CIRCLE_CORNERS + 1, -0.5)], axis=-1)
    high = low + np.array([0.0, 0.0, 1.0])
    return quadrangles(np.stack([low[1:], low[:-1], high[:-1], high[1:]], axis=1))


def square() -> Solid:
    """Return a square of side 1 in the plane x = 0."""
    return quadrangles(SQUARE[None])


def solid_of(shape: ObstacleShape) -> Solid:
    """Return the mesh of an obstacle, which `transform` places: a unit mesh, or its triangles."""
    if isinstance(shape, Mesh | Cylinder):
        surface = shape.triangles() if isinstance(shape, Mesh) else unit_prism()
        corners = surface.corners.astype(np.float32)
        return Solid(corners, normals(corners))
    for kind, make in ((Sphere, ball), (Box, cube), (Tank, tube)):
        if isinstance(shape, kind):
            return make()
    return square()


def quadrangles(faces: Array) -> Solid:
    """Return flat faces (F, 4, 3) as two triangles each."""
    corners = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]]).astype(np.float32)
    return Solid(corners, normals(corners))
