"""Balls, discs in 2-D. A row has the radius, and zeros."""

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.shapes.geometry import NEVER, add_scaled, direction_beside, dot, max2, scale
from murmurate.model.shapes.shape import Shape
from murmurate.model.shapes.turned import Turned

PIECES = 32


class Sphere(Shape):
    """A ball (a disc in 2-D)."""

    number: ClassVar[int] = 0
    turned: ClassVar[Turned] = Turned(
        tuple(
            (math.sin(math.pi * k / PIECES) * (0 < k < PIECES), -math.cos(math.pi * k / PIECES))
            for k in range(PIECES + 1)
        ),
        sides=2 * PIECES,
    )

    kind: Literal["sphere"] = "sphere"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


def clearance(obstacle, x, y, z):
    a = obstacle[4]
    r = math.sqrt(x * x + y * y + z * z)
    if r == 0.0:
        return -a, 1.0, 0.0, 0.0
    return r - a, x / r, y / r, z / r


def is_beyond(obstacle, x, y, z, way):
    far = obstacle[4] + way
    return x * x + y * y + z * z > far * far


def half_sides(obstacle):
    return obstacle[4], obstacle[4], obstacle[4]


def entry_time(obstacle, x, d, skin, distance, closing):
    d2 = dot(d, d)
    nearest = -dot(x, d)  # nearest approach to the centre, times d2
    if nearest <= 0.0:
        return NEVER
    c = add_scaled(x, d, nearest / d2)
    radius = obstacle[4] + skin
    left = radius * radius - dot(c, c)
    return (nearest - math.sqrt(left * d2)) / d2 if left > 0.0 else NEVER


def exit_distance(obstacle, x, e, skin):
    inward, radius = -dot(x, e), obstacle[4] + skin
    c = add_scaled(x, e, inward)
    return inward + math.sqrt(max2(0.0, radius * radius - dot(c, c)))


def impact_distance(obstacle, x, h):
    nearest = -dot(x, h)  # nearest approach to the centre
    c = add_scaled(x, h, nearest)
    left = obstacle[4] * obstacle[4] - dot(c, c)
    return nearest - math.sqrt(left) if left > 0.0 and nearest > 0.0 else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    c = add_scaled(x, h, -dot(x, h))
    return direction_beside(scale(c, 1.0 / obstacle[4]), h), obstacle[4] - math.sqrt(dot(c, c))
