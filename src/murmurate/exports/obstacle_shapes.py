"""Obstacles in scenes: how a ball, a cube, a tube or a square of size 1 is put where an obstacle
is."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from murmurate.exports.coordinates import to_3d
from murmurate.model.obstacles import Box, ObstacleShape, Sphere, Tank, Wall, unit_normal
from murmurate.model.space import Space

Array = np.ndarray


class Transform(NamedTuple):
    """Where a unit shape stands: scaled, then turned, then moved.

    place  (3,) length units
    turn   (4,) unit quaternion x, y, z, w
    scale  (3,) along its own axes
    """

    place: Array
    turn: Array
    scale: Array


def transform(shape: ObstacleShape, space: Space) -> Transform:
    """Of a ball of radius 1, a cube of side 1, a tube of radius 1 and height 1 along Z, or a square
    of side 1 in the plane x = 0, which faces +X. A 2-D obstacle is as high as it is wide; a wall or
    a tank then as a tenth of the space."""
    still = np.array([0.0, 0.0, 0.0, 1.0])
    if isinstance(shape, Sphere):
        return Transform(to_3d(shape.centre, float), still, np.full(3, shape.radius, float))
    if isinstance(shape, Box):
        size = np.array(shape.size, float)
        sides = size if len(size) == 3 else np.append(size, size.min())
        return Transform(to_3d(shape.centre, float), still, sides)
    middle = to_3d([(a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True)], float)
    low = max(space.size) / 10
    if isinstance(shape, Tank):
        place = np.append(np.array(shape.centre, float)[:2], middle[2])
        high = space.size[2] if space.dims == 3 else low
        return Transform(place, still, np.array([shape.radius, shape.radius, high], float))
    assert isinstance(shape, Wall)
    normal = to_3d(unit_normal(shape.normal), float)  # type: ignore[arg-type]
    point = to_3d(shape.point, float)
    nearest = middle - normal * np.dot(middle - point, normal)
    reach = float(np.linalg.norm(space.size)) * 1.5
    high = reach if space.dims == 3 else low
    return Transform(nearest, _from_x(normal), np.array([1.0, reach, high]))


def _from_x(normal: Array) -> Array:
    """The shortest turn from +X to a unit vector; from +X to -X it is about Z."""
    x, y, z = normal.tolist()
    if x < -1 + 1e-12:
        return np.array([0.0, 0.0, 1.0, 0.0])
    turn = np.array([0.0, -z, y, 1 + x])
    return turn / math.hypot(*turn)


SQUARE = np.array([(0, -0.5, -0.5), (0, 0.5, -0.5), (0, 0.5, 0.5), (0, -0.5, 0.5)])
