"""Upright round pillars. A row has the radius, half the height, and zero."""

import math
from collections.abc import Iterator
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.shapes.geometry import (
    NEVER,
    TINY,
    direction_beside,
    dot,
    max2,
    min2,
    scale,
)
from murmurate.model.shapes.shape import Shape
from murmurate.model.shapes.turned import Turned
from murmurate.model.space import Space


class Cylinder(Shape):
    """A solid round pillar whose axis is parallel to z, with flat ends; 3-D only."""

    number: ClassVar[int] = 5
    flag: ClassVar[str] = "CYLINDERS"
    lengths: ClassVar[dict[str, float]] = {"radius": 1.0, "height": 0.5}
    turned: ClassVar[Turned] = Turned(((0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, 1.0)), sides=72)
    axes: ClassVar[tuple[int | None, ...]] = (0, 0, 1)

    kind: Literal["cylinder"] = "cylinder"
    centre: Vector = quantity(unit="length")
    """Its centre, half way up its axis."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""
    height: Scalar = quantity(gt=0, unit="length")
    """Its height, along z."""

    def problems(self, space: Space) -> Iterator[tuple[str, str]]:
        """Yield an error if the space has two axes."""
        if space.dims != 3:
            yield (
                "kind",
                f"got 'cylinder' in a space of {space.dims} axes; expected one of 3. Use a "
                "sphere, which is a disc in 2-D, or a tank for boids inside",
            )


def clearance(obstacle, x, y, z):
    r = math.sqrt(x * x + y * y)
    side, end = r - obstacle[4], abs(z) - obstacle[5]
    nx, ny = x / (r if r > 0.0 else 1.0), y / (r if r > 0.0 else 1.0)
    if r == 0.0:
        nx = 1.0
    up = math.copysign(1.0, z)
    if side > 0.0 and end > 0.0:  # the nearest point is on the rim
        d = math.sqrt(side * side + end * end)
        return d, nx * side / d, ny * side / d, up * end / d
    if side >= end:
        return side, nx, ny, 0.0
    return end, 0.0, 0.0, up


def is_beyond(obstacle, x, y, z, way):
    far = obstacle[4] + way
    return x * x + y * y > far * far or abs(z) > obstacle[5] + way


def half_sides(obstacle):
    return obstacle[4], obstacle[4], obstacle[5]


def times_inside(radius, half, x, d):
    """Return when a path from x along d enters and leaves an upright cylinder around the origin.

    Times are in parts of d. The first is not smaller than the second if the path misses it.
    """
    enter, leave = -1e30, 1e30
    if abs(d[2]) * 1e15 > half + abs(x[2]):
        enter = (-math.copysign(half, d[2]) - x[2]) / d[2]
        leave = (math.copysign(half, d[2]) - x[2]) / d[2]
    elif abs(x[2]) >= half:
        return 1.0, 0.0
    a, b = d[0] * d[0] + d[1] * d[1], x[0] * d[0] + x[1] * d[1]
    # half a chord around the point of the path that is nearest to the axis
    across = x[0] * d[1] - x[1] * d[0]
    chord2 = radius * radius * a - across * across
    if chord2 > 0.0:
        chord = math.sqrt(chord2)
        return max2(enter, (-b - chord) / a), min2(leave, (chord - b) / a)
    if a > 0.0 or x[0] * x[0] + x[1] * x[1] >= radius * radius:
        return 1.0, 0.0
    return enter, leave


def entry_time(obstacle, x, d, skin, distance, closing):
    # its skin has a sharp rim
    enter, leave = times_inside(obstacle[4] + skin, obstacle[5] + skin, x, d)
    return max2(enter, 0.0) if enter < leave and leave > 0.0 else NEVER


def exit_distance(obstacle, x, e, skin):
    _, leave = times_inside(obstacle[4] + skin, obstacle[5] + skin, x, e)
    return leave


def impact_distance(obstacle, x, h):
    enter, leave = times_inside(obstacle[4], obstacle[5], x, h)
    return enter if enter < leave else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    # its outline has two sides along the axis, and the rims of its ends
    best, gap = direction_beside((0.0, 0.0, 0.0), h), 1e30
    for k in range(2):
        m = (h[1], -h[0], 0.0) if k == 0 else direction_beside((0.0, 0.0, 1.0), h)
        length = math.sqrt(dot(m, m))
        if length > TINY:
            m = scale(m, 1.0 / length)
            half = obstacle[4] * math.sqrt(m[0] * m[0] + m[1] * m[1]) + obstacle[5] * abs(m[2])
            off = dot(m, x)
            if half - abs(off) < gap:
                best, gap = scale(m, math.copysign(1.0, off)), half - abs(off)
    return best, gap
