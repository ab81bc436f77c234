"""Meshes of a ball, a cube, a tube and a square of size 1, as triangles with normals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from murmurate.exports.boid_shapes import normals
from murmurate.exports.obstacle_shapes import SQUARE
from murmurate.model.obstacles import Box, ObstacleShape, Sphere, Tank

Array = np.ndarray
ROWS, COLUMNS = 16, 32  # of the ball's quadrangles
AROUND = 72  # of the tube's


class Solid(NamedTuple):
    """corners (F, 3, 3) of triangles, which turn left seen from outside; normals (F, 3, 3)."""

    corners: Array
    normals: Array


def ball() -> Solid:
    """Of radius 1, round to the eye."""
    down, along = np.meshgrid(
        np.pi * np.arange(ROWS + 1) / ROWS, 2 * np.pi * np.arange(COLUMNS + 1) / COLUMNS,
        indexing="ij",
    )  # fmt: skip
    points = np.stack(
        [np.sin(down) * np.cos(along), np.sin(down) * np.sin(along), np.cos(down)], axis=-1
    )
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    below = np.stack([a, b, c], axis=2)[:-1]  # at a pole two corners meet: one triangle there
    above = np.stack([a, c, d], axis=2)[1:]
    corners = np.concatenate([below.reshape(-1, 3, 3), above.reshape(-1, 3, 3)]).astype(np.float32)
    return Solid(corners, corners)


def cube() -> Solid:
    """Of side 1."""
    faces = []
    for axis in range(3):
        for side in (-0.5, 0.5):
            turned = SQUARE if side > 0 else SQUARE[::-1]
            faces.append(np.roll(turned + np.array([side, 0, 0]), axis, axis=1))
    return quadrangles(np.array(faces))


def tube() -> Solid:
    """The wall of a tank of radius 1 and height 1, open above and below; it faces inwards."""
    angles = 2 * np.pi * np.arange(AROUND + 1) / AROUND
    low = np.stack([np.cos(angles), np.sin(angles), np.full(AROUND + 1, -0.5)], axis=-1)
    high = low + np.array([0.0, 0.0, 1.0])
    return quadrangles(np.stack([low[1:], low[:-1], high[:-1], high[1:]], axis=1))


def square() -> Solid:
    """Of side 1, in the plane x = 0."""
    return quadrangles(SQUARE[None])


def solid_of(shape: ObstacleShape) -> Solid:
    """What `transform` puts where an obstacle is."""
    for kind, made in ((Sphere, ball), (Box, cube), (Tank, tube)):
        if isinstance(shape, kind):
            return made()
    return square()


def quadrangles(faces: Array) -> Solid:
    """Of flat faces (F, 4, 3), each as two triangles."""
    corners = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]]).astype(np.float32)
    return Solid(corners, normals(corners))
