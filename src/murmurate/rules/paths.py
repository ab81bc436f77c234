"""Rules for set paths: the trefoil knot, circles, polylines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.rule import Rule
from murmurate.model.rule_arguments import Me, Parameters, Vector3
from murmurate.model.space import Space


def trefoil(t: float) -> Vector3:
    """The trefoil knot at parameter t (radians); once round is 2 pi.

    https://en.wikipedia.org/wiki/Trefoil_knot
    """
    r = 2.0 + math.cos(3.0 * t)
    return r * math.cos(2.0 * t), r * math.sin(2.0 * t), math.sin(3.0 * t)


class Trefoil(Rule):
    """A velocity that runs round the trefoil knot as time goes by, wherever the boid is."""

    period: Scalar = quantity(gt=0, unit="time")
    """Time for once round."""
    offset: Scalar = quantity(0.0, unit="turns")
    """How much further round each boid is than the one before it."""

    formula: ClassVar = "{weight} * knot(2 pi (t / {period} + {offset} * index))"
    source: ClassVar = "trefoil knot: ((2 + cos 3t) cos 2t, (2 + cos 3t) sin 2t, sin 3t)"

    def alone(self: Parameters, me: Me) -> Vector3:
        return trefoil(2.0 * math.pi * (me.time / self.period + self.offset * me.index))


class FollowPath(Rule):
    """Towards a point that travels along a path."""

    path: Literal["circle", "trefoil", "polyline"]
    """The path's shape."""
    period: Scalar = quantity(gt=0, unit="time")
    """Time for the whole path, once."""
    offset: Scalar = quantity(0.0, unit="turns")
    """How much further along each boid's point is than that of the boid before it."""
    centre: Vector | None = quantity(None, unit="length")
    """circle, trefoil: the middle; the middle of the space unless given."""
    radius: Scalar = quantity(1.0, gt=0, unit="length")
    """circle: its radius; trefoil: a third of its largest extent from the middle."""
    points: tuple[tuple[float, ...], ...] = ()
    """polyline: its corners."""
    closed: bool = True
    """polyline: whether it returns to its first corner; an open one is run again from there."""

    formula: ClassVar = "{weight} * (point of the {path} at t / {period} - x_i)"
    source: ClassVar = (
        "Reynolds 1999, Steering behaviors for autonomous characters (path following)"
    )

    def within(self, space: Space) -> FollowPath:
        middle = tuple(a + s / 2 for a, s in zip(space.lower, space.size, strict=True))
        return self.model_copy(update={"centre": self.centre or middle})

    def alone(self: Parameters, me: Me) -> Vector3:
        turns = me.time / self.period + self.offset * me.index
        cx, cy, cz = self.centre
        if self.path == "polyline":
            x, y, z = along(turns - math.floor(turns), self.points, self.closed)
        else:
            t = 2.0 * math.pi * turns
            if self.path == "circle":
                x, y, z = math.cos(t), math.sin(t), 0.0
            else:
                x, y, z = trefoil(t)
            x, y, z = cx + self.radius * x, cy + self.radius * y, cz + self.radius * z
        return x - me.x, y - me.y, z - me.z


def along(part: float, points: Sequence[Vector3], closed: bool) -> Vector3:
    """The point at `part` (0 to 1) of a polyline's length."""
    last = len(points) - 1
    if closed:
        last = len(points)
    length = 0.0
    for k in range(last):
        ax, ay, az = points[k]
        bx, by, bz = points[(k + 1) % len(points)]
        length = length + math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
    left = part * length
    x, y, z = points[0]
    for k in range(last):
        ax, ay, az = points[k]
        bx, by, bz = points[(k + 1) % len(points)]
        side = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2 + (bz - az) ** 2)
        if left >= 0.0 and side > 0.0:
            q = min(1.0, left / side)
            x, y, z = ax + (bx - ax) * q, ay + (by - ay) * q, az + (bz - az) * q
        left = left - side
    return x, y, z
