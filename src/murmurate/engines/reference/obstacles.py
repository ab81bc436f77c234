"""Obstacles for the reference engine: distances, normals, and what rules sense of them.

Plain numpy, with vectors of as many components as the space. obstacle_movement.py moves boids past
obstacles. Both share nothing with the kernels, so that tests can compare the two.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.engines.reference.mathematics import nearest_image
from murmurate.engines.reference.meshes import body_of
from murmurate.model.space import Space

TINY = 1e-6  # part of a vector that is negligible
INTO = 1e-11  # part of a vector by which it may point into an obstacle

Solid = Any
"""Shape of an obstacle with its present numbers."""


def relative(shape: Solid, position: np.ndarray, space: Space) -> np.ndarray:
    """Return a position relative to the nearest image of an obstacle's centre or wall's point."""
    origin = shape.point if shape.kind == "wall" else shape.centre
    return nearest_image(position - np.array(origin), space)


def clearance(shape: Solid, x: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the distance of x from an obstacle's surface, and the unit normal to the free side.

    x is relative to the obstacle's centre. The distance is negative where no boid may be.
    """
    if shape.kind == "mesh":
        return body_of(shape).clearance(x)
    if shape.kind == "wall":
        n = np.array(shape.normal)
        if np.abs(n).max() < 1e-100:  # its square would underflow
            n = n / np.abs(n).max()
        n = n / np.linalg.norm(n)
        return float(x @ n), n
    if shape.kind == "box":
        half = np.array(shape.size) / 2
        out = x - np.clip(x, -half, half)
        if out.any():
            return float(np.linalg.norm(out)), out / np.linalg.norm(out)
        axis = int(np.argmin(half - np.abs(x)))
        return float(abs(x[axis]) - half[axis]), np.copysign(np.eye(len(x))[axis], x)
    tank = shape.kind == "tank"
    out = np.append(x[:2], np.zeros(len(x) - 2)) if tank else x  # a tank's axis points along z
    r = float(np.linalg.norm(out))
    n = out / r if r > 0.0 else np.eye(len(x))[0]
    return (shape.radius - r, -n) if tank else (r - shape.radius, n)


def points_into(d: np.ndarray, planes: Sequence[np.ndarray], error: float) -> bool:
    """Return whether a vector points into one of some planes, beyond rounding and an error."""
    return any(d @ n < -(INTO * np.linalg.norm(d) + error) for n in planes)


def entered(
    shape: Solid,
    x: np.ndarray,
    d: np.ndarray,
    skin: float,
    error: float,
    on_way_out: bool = False,
) -> float:
    """Return the part of a movement d after which a position enters the skin of an obstacle.

    The result is infinity for never. The position x is relative to the obstacle's centre. Within
    two skins it counts as inside the skin, and may approach by the error of d. On the way out, it
    may cross an obstacle that contains it.
    """
    if shape.kind == "mesh":
        return body_of(shape).entered(x, d, skin, error, on_way_out)
    distance, n = clearance(shape, x)
    if on_way_out and distance < 0.0:
        return math.inf
    if distance <= 2.0 * skin:
        return 0.0 if points_into(d, [n], error) else math.inf
    if shape.kind == "wall":
        return (distance - skin) / -(d @ n) if d @ n < 0.0 else math.inf
    if shape.kind == "sphere":
        if x @ d >= 0.0:
            return math.inf
        # half a chord before the point of the line that is nearest to the centre
        nearest = -(x @ d) / (d @ d)
        c = x + nearest * d
        left = (shape.radius + skin) ** 2 - c @ c
        return float(nearest - math.sqrt(left / (d @ d))) if left > 0.0 else math.inf
    half = np.array(shape.size) / 2 + skin
    enter, leave = 0.0, math.inf
    for at, way, h in zip(x, d, half, strict=True):
        if abs(way) * 1e15 > h + abs(at):
            first, last = sorted([(-h - at) / way, (h - at) / way])
            enter, leave = max(enter, first), min(leave, last)
        elif abs(at) >= h:
            return math.inf
    return enter if enter < leave else math.inf


def to_surface(shape: Solid, position: np.ndarray, space: Space) -> tuple[np.ndarray, bool]:
    """Return the vector to an obstacle's nearest surface point, and whether it is inside."""
    x = relative(shape, position, space)
    distance, normal = clearance(shape, x)
    if shape.kind == "mesh":  # another image may be nearer than that with the nearest centre
        sides = [
            (-s, 0.0, s) if p else (0.0,) for s, p in zip(space.size, space.periodic, strict=True)
        ]
        images = (clearance(shape, x - np.array(shift)) for shift in itertools.product(*sides))
        distance, normal = min(images, key=lambda image: image[0])
    return -distance * normal, distance < 0.0


def edge_point(
    shape: Solid, position: np.ndarray, velocity: np.ndarray, space: Space
) -> np.ndarray | None:
    """Return the vector to the point beside the impact of the path ahead; None without an impact.

    From that point, the path straight on touches the outline of the obstacle.
    """
    x, speed = relative(shape, position, space), float(np.linalg.norm(velocity))
    if speed < 1e-18:
        return None
    h = velocity / speed
    way = _impact(shape, x, h)
    if not 0.0 < way < math.inf:
        return None
    if shape.kind == "sphere":
        across = x - (x @ h) * h
        choices = [(shape.radius - float(np.linalg.norm(across)), across / shape.radius)]
    elif shape.kind == "box":
        choices = [
            (float(m @ (np.copysign(shape.size, m) / 2) - m @ x), m)
            for axis in np.eye(3)[(0 if len(x) == 3 else 2) :]
            for m in _both_ways(np.cross(np.append(h, np.zeros(3 - len(h))), axis)[: len(x)])
        ]
    else:
        choices = [(way, clearance(shape, x + way * h)[1])]
    gap, direction = min(choices, key=lambda choice: choice[0])
    point: np.ndarray = way * h + max(gap, 1e-4 * way) * _across(direction, h)
    return point


def _impact(shape: Solid, x: np.ndarray, h: np.ndarray) -> float:
    """Return the distance from x along the unit vector h to an obstacle; infinity for never."""
    if shape.kind == "wall":
        distance, n = clearance(shape, x)
        return distance / -float(h @ n) if h @ n < 0.0 else math.inf
    if shape.kind == "box":
        return entered(shape, x, h, 0.0, 0.0)
    # |x + t h| = radius, in the plane of a tank
    if shape.kind == "tank":
        x, h = x[:2], h[:2]
    a, b, c = float(h @ h), float(x @ h), float(x @ x) - shape.radius**2
    if a <= TINY**2 or b * b <= a * c:
        return math.inf
    root = math.sqrt(b * b - a * c)
    return (root - b) / a if shape.kind == "tank" else (-root - b) / a


def _both_ways(m: np.ndarray) -> list[np.ndarray]:
    """Return the unit vectors along m and against it; none if it is zero."""
    length = float(np.linalg.norm(m))
    return [m / length, -m / length] if length > TINY else []


def _across(n: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return the unit vector across h nearest to n; the one to the left if n is along h."""
    left = np.append([-h[1], h[0]], np.zeros(len(h) - 2))
    for m in (n - (n @ h) * h, left, np.eye(len(h))[0]):
        if np.linalg.norm(m) > TINY:
            break
    unit: np.ndarray = m / np.linalg.norm(m)
    return unit
