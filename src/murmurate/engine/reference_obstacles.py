"""Obstacles for the reference engine, in plain numpy: vectors have as many numbers as the space.

Kept apart from codegen/kernel_functions.py on purpose, so that one can be checked against
the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.engine.reference_math import nearest_image
from murmurate.model.space import Space

# What stands between a boid that touched an obstacle and its surface: this part of the sum of its
# coordinates' sizes (more than float32 can lose), and of the way out of an obstacle.
SKIN = 1e-5

Solid = Any
"""An obstacle's shape with the numbers that hold now."""
Touch = tuple[float, np.ndarray]
"""The part of the way at which something is entered, and the outward normal there."""


def relative(shape: Solid, place: np.ndarray, space: Space) -> np.ndarray:
    """A place as seen from an obstacle's centre, or from a wall's point."""
    origin = shape.point if shape.kind == "wall" else shape.centre
    return nearest_image(place - np.array(origin), space)


def from_axis(p: np.ndarray) -> np.ndarray:
    """The part of a vector across the axis of a tank, which points along z."""
    return np.append(p[:2], np.zeros(len(p) - 2))


def to_surface(shape: Solid, place: np.ndarray, space: Space) -> tuple[np.ndarray, bool]:
    """The vector from a place to an obstacle's nearest surface point; whether it begins where no
    boid may be."""
    p = relative(shape, place, space)
    if shape.kind == "tank":
        p = from_axis(p)
        r = np.linalg.norm(p)
        if r == 0.0:
            return shape.radius * np.eye(len(p))[0], False
        return p * (shape.radius / r - 1.0), bool(r > shape.radius)
    if shape.kind == "sphere":
        r = np.linalg.norm(p)
        if r == 0.0:
            return shape.radius * np.eye(len(p))[0], True
        return p * (shape.radius / r - 1.0), bool(r < shape.radius)
    if shape.kind == "wall":
        n = np.array(shape.normal) / np.linalg.norm(shape.normal)
        return -(p @ n) * n, bool(p @ n < 0.0)
    half = np.array(shape.size) / 2
    if (np.abs(p) > half).any():
        return np.clip(p, -half, half) - p, False
    depths = half - np.abs(p)
    axis = int(np.argmin(depths))
    out = np.zeros(len(p))
    out[axis] = np.copysign(depths[axis], p[axis])
    return out, bool(depths[axis] > 0.0)


def entered(shape: Solid, place: np.ndarray, way: np.ndarray, space: Space) -> Touch | None:
    """Where a way from a place goes into an obstacle. What is inside already does not go in; and
    what leaves a tank is brought back in the end."""
    p = relative(shape, place, space)
    if shape.kind == "tank":
        return None
    if shape.kind == "sphere":
        if p @ way >= 0.0 or p @ p < shape.radius**2:
            return None
        # |p + t way| = radius, the earlier of two solutions
        a, b, c = way @ way, p @ way, p @ p - shape.radius**2
        if b * b < a * c:
            return None
        t = max(0.0, (-b - np.sqrt(b * b - a * c)) / a)
        touched = p + t * way
        return t, touched / max(np.linalg.norm(touched), 1e-15)
    if shape.kind == "wall":
        n = np.array(shape.normal) / np.linalg.norm(shape.normal)
        if way @ n >= 0.0 or (p + way) @ n >= 0.0 or p @ n < 0.0:
            return None
        return -(p @ n) / (way @ n), n
    half = np.array(shape.size) / 2
    enter, leave, normal = -np.inf, np.inf, np.zeros(len(p))
    for axis, (x, d, h) in enumerate(zip(p, way, half, strict=True)):
        if d == 0.0:
            if abs(x) >= h:
                return None
            continue
        first, last = sorted([(-h - x) / d, (h - x) / d])
        if first > enter:
            enter, normal = first, -np.sign(d) * np.eye(len(p))[axis]
        leave = min(leave, last)
    return (enter, normal) if 0.0 <= enter < leave else None


def slid(
    shapes: Sequence[Solid],
    place: np.ndarray,
    velocity: np.ndarray,
    dt: float,
    space: Space,
) -> tuple[np.ndarray, np.ndarray]:
    """A boid moves for a time dt and slides along what it touches: its place and velocity then. The
    velocity loses what pointed into the obstacles. After four touches it stays where it was."""
    way = velocity * dt
    for _ in range(4):
        touches = [entered(shape, place, way, space) for shape in shapes]
        reached = [t for t in touches if t is not None and t[0] <= 1.0]
        if not reached:
            place = place + way
            break
        part, normal = min(reached, key=lambda touch: touch[0])
        place = place + part * way + SKIN * np.abs(place).sum() * normal
        way = (1.0 - part) * (way - min(0.0, way @ normal) * normal)
        velocity = velocity - min(0.0, velocity @ normal) * normal
    # obstacles may have moved over the boid, or the flock may have started inside
    for shape in shapes:
        out, inside = to_surface(shape, place, space)
        if shape.kind == "tank":
            from_middle = from_axis(relative(shape, place, space))
            r = np.linalg.norm(from_middle)
            most = shape.radius - SKIN * np.abs(place).sum()
            if r > most:
                normal = -from_middle / max(r, 1e-30)
                place = place + (r - most) * normal
                velocity = velocity - min(0.0, velocity @ normal) * normal
        elif inside:
            place = place + (1.0 + SKIN) * out
    return place, velocity
