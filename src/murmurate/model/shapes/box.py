"""Boxes, rectangles in 2-D. A row has half the lengths of the sides."""

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Vector, quantity
from murmurate.model.shapes.geometry import (
    NEVER,
    NO_FACE,
    TINY,
    clamp,
    direction_beside,
    dot,
    max2,
    min2,
    scale,
)
from murmurate.model.shapes.shape import Shape
from murmurate.model.shapes.turned import Turned

DIAGONAL = math.sqrt(2.0)


class Box(Shape):
    """A box with sides along the axes (a rectangle in 2-D)."""

    number: ClassVar[int] = 1
    lengths: ClassVar[dict[str, float]] = {"size": 0.5}
    fill: ClassVar[float] = 2 * NO_FACE
    turned: ClassVar[Turned] = Turned(
        ((0.0, -1.0), (DIAGONAL, -1.0), (DIAGONAL, 1.0), (0.0, 1.0)), sides=4, lines=4
    )
    axes: ClassVar[tuple[int | None, ...]] = (0, 1, 2)

    kind: Literal["box"] = "box"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    size: Vector = quantity(gt=0, unit="length")
    """The lengths of its sides."""


def clearance(obstacle, x, y, z):
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    # outside, the nearest point of a box is the point clamped to it
    dx, dy, dz = x - clamp(x, -a, a), y - clamp(y, -b, b), z - clamp(z, -c, c)
    d = math.sqrt(dx * dx + dy * dy + dz * dz)
    if d > 0.0:
        return d, dx / d, dy / d, dz / d
    # inside, it lies on the nearest face
    fx, fy, fz = a - abs(x), b - abs(y), c - abs(z)
    if fx <= fy and fx <= fz:
        return -fx, math.copysign(1.0, x), 0.0, 0.0
    if fy <= fz:
        return -fy, 0.0, math.copysign(1.0, y), 0.0
    return -fz, 0.0, 0.0, math.copysign(1.0, z)


def is_beyond(obstacle, x, y, z, way):
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    return abs(x) > a + way or abs(y) > b + way or abs(z) > c + way


def half_sides(obstacle):
    return obstacle[4], obstacle[5], obstacle[6]


def entry_time(obstacle, x, d, skin, distance, closing):
    # it is entered when the last of its pairs of faces is crossed
    enter, leave = -1e30, 1e30
    for axis in range(3):
        half = obstacle[4 + axis] + skin
        if abs(d[axis]) * 1e15 > half + abs(x[axis]):
            first = (-math.copysign(half, d[axis]) - x[axis]) / d[axis]
            last = (math.copysign(half, d[axis]) - x[axis]) / d[axis]
            enter, leave = max2(enter, first), min2(leave, last)
        elif abs(x[axis]) >= half:
            return NEVER
    return max2(enter, 0.0) if enter < leave and leave > 0.0 else NEVER


def exit_distance(obstacle, x, e, skin):
    leave = 1e15
    for axis in range(3):
        if abs(e[axis]) > TINY:
            half = obstacle[4 + axis] + skin
            leave = min2(leave, (math.copysign(half, e[axis]) - x[axis]) / e[axis])
    return leave


def impact_distance(obstacle, x, h):
    enter, leave = -1e30, 1e30
    for axis in range(3):
        half = obstacle[4 + axis]
        if abs(h[axis]) * 1e15 > half + abs(x[axis]):
            enter = max2(enter, (-math.copysign(half, h[axis]) - x[axis]) / h[axis])
            leave = min2(leave, (math.copysign(half, h[axis]) - x[axis]) / h[axis])
        elif abs(x[axis]) >= half:
            return -1.0
    return enter if enter < leave else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    # the outline is a polygon whose sides are along the edges
    best, gap = direction_beside((0.0, 0.0, 0.0), h), 1e30
    for axis in range(2 if flat else 0, 3):
        e = 1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0
        m = h[1] * e[2] - h[2] * e[1], h[2] * e[0] - h[0] * e[2], h[0] * e[1] - h[1] * e[0]
        length = math.sqrt(dot(m, m))
        if length > TINY:
            m = scale(m, 1.0 / length)
            half = obstacle[4] * abs(m[0]) + obstacle[5] * abs(m[1]) + obstacle[6] * abs(m[2])
            off = dot(m, x)
            if half - abs(off) < gap:
                best, gap = scale(m, math.copysign(1.0, off)), half - abs(off)
    return best, gap
