"""Round tanks that contain boids. A row has the radius, and zeros."""

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.shapes.geometry import TINY, add_scaled, direction_beside, max2
from murmurate.model.shapes.shape import Shape
from murmurate.model.shapes.turned import Turned


class Tank(Shape):
    """A round tank with upright sides (a circle in 2-D): boids stay inside.

    In 3-D it has neither bottom nor lid. Walls, or the faces of the space, can close it.
    """

    number: ClassVar[int] = 3
    encloses: ClassVar[bool] = True
    turned: ClassVar[Turned] = Turned(((1.0, 1.0), (1.0, -1.0)), sides=72, lines=8)
    axes: ClassVar[tuple[int | None, ...]] = (0, 0, None)

    kind: Literal["tank"] = "tank"
    centre: Vector = quantity(unit="length")
    """Its centre. In 3-D any point of its axis, which is parallel to z."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


def clearance(obstacle, x, y, z):
    a = obstacle[4]
    r = math.sqrt(x * x + y * y)
    if r == 0.0:
        return a, -1.0, 0.0, 0.0
    return a - r, -x / r, -y / r, 0.0


def is_beyond(obstacle, x, y, z, way):
    room = obstacle[4] - way
    return room > 0.0 and x * x + y * y < room * room


def half_sides(obstacle):
    return obstacle[4], obstacle[4], obstacle[4]


def exit_distance(obstacle, x, e, skin):
    return -1.0


def impact_distance(obstacle, x, h):
    a = h[0] * h[0] + h[1] * h[1]
    b = x[0] * h[0] + x[1] * h[1]
    c = x[0] * x[0] + x[1] * x[1] - obstacle[4] * obstacle[4]
    return (math.sqrt(max2(0.0, b * b - a * c)) - b) / a if a > TINY * TINY else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    # it has no edge: the path turns by 45 degrees along the surface
    q = add_scaled(x, h, way)
    return direction_beside((-q[0] / obstacle[4], -q[1] / obstacle[4], 0.0), h), way
