"""Planes, lines in 2-D. A row has the unit normal."""

import math
from collections.abc import Sequence
from typing import ClassVar, Literal

from murmurate.model.quantity import Vector, quantity
from murmurate.model.shapes.geometry import NEVER, TINY, direction_beside, dot
from murmurate.model.shapes.shape import Shape, three_at

MIN_SQUARABLE = 1e-140
"""The squares of smaller numbers are 0."""


class Wall(Shape):
    """A plane (a line in 2-D): boids stay on the side to which its normal points."""

    number: ClassVar[int] = 2
    position_field: ClassVar[str] = "point"

    kind: Literal["wall"] = "wall"
    point: Vector = quantity(unit="length")
    """Any point of the plane."""
    normal: Vector = quantity(unit="")
    """A vector of any length above 0 that points to the side where boids may be."""

    def numbers(self, time: float) -> list[float]:
        """Return the last three numbers of its row."""
        return unit_normal(three_at(self.normal, time))

    def largest(self) -> None:
        """Return None: it has no length."""


def unit_normal(normal: Sequence[float]) -> list[float]:
    """Return a vector of length 1 in the direction of `normal`; zeros where it is zero."""
    largest = max(abs(x) for x in normal)
    if largest == 0.0:
        return [0.0] * len(normal)
    if largest < MIN_SQUARABLE:
        normal = [x / largest for x in normal]
    length = math.sqrt(sum(x * x for x in normal))
    return [x / length for x in normal]


def clearance(obstacle, x, y, z):
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    return x * a + y * b + z * c, a, b, c


def is_beyond(obstacle, x, y, z, way):
    return x * obstacle[4] + y * obstacle[5] + z * obstacle[6] > way


def entry_time(obstacle, x, d, skin, distance, closing):
    return (distance - skin) / -closing if distance - skin < -closing else NEVER


def exit_distance(obstacle, x, e, skin):
    n = obstacle[4], obstacle[5], obstacle[6]
    rise = dot(e, n)
    return (skin - dot(x, n)) / rise if rise > TINY else -1.0


def impact_distance(obstacle, x, h):
    n = obstacle[4], obstacle[5], obstacle[6]
    closing = -dot(n, h)
    return dot(n, x) / closing if closing > 0.0 else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    # it has no edge: the path turns by 45 degrees along the surface
    return direction_beside((obstacle[4], obstacle[5], obstacle[6]), h), way
