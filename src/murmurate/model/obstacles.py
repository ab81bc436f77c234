"""Obstacles: solid shapes that boids never enter or pass through, and that rules may sense.

Each shape is convex, or its outside is, so rules need only its nearest surface point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from murmurate.errors import RunError
from murmurate.model.quantity import Part, Scalar, Vector, number_at, quantities, quantity


class Sphere(Part):
    """A ball (a disc in 2-D)."""

    kind: Literal["sphere"] = "sphere"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


class Box(Part):
    """A box with sides along the axes (a rectangle in 2-D)."""

    kind: Literal["box"] = "box"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    size: Vector = quantity(gt=0, unit="length")
    """The lengths of its sides."""


class Wall(Part):
    """A plane (a line in 2-D): boids stay on the side to which its normal points."""

    kind: Literal["wall"] = "wall"
    point: Vector = quantity(unit="length")
    """Any point of the plane."""
    normal: Vector = quantity(unit="")
    """A vector of any length above 0 that points to the side where boids may be."""


class Tank(Part):
    """A round tank with upright sides (a circle in 2-D): boids stay inside.

    In 3-D it has neither bottom nor lid. Walls, or the faces of the space, can close it.
    """

    kind: Literal["tank"] = "tank"
    centre: Vector = quantity(unit="length")
    """Its centre. In 3-D any point of its axis, which is parallel to z."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


MIN_SQUARABLE = 1e-140
"""The squares of smaller numbers are 0."""


def unit_normal(normal: Sequence[float]) -> list[float]:
    """Return a vector of length 1 in the direction of `normal`; zeros where it is zero."""
    largest = max(abs(x) for x in normal)
    if largest == 0.0:
        return [0.0] * len(normal)
    if largest < MIN_SQUARABLE:
        normal = [x / largest for x in normal]
    length = math.sqrt(sum(x * x for x in normal))
    return [x / length for x in normal]


def check_normals(obstacles: Mapping[str, ObstacleShape], time: float, step: int) -> None:
    """Raise RunError if the schedules of a wall's normal make it zero at a time.

    step  the step of that time
    """
    for name, shape in obstacles.items():
        if isinstance(shape, Wall) and not any(number_at(x, time) for x in shape.normal):
            raise RunError(
                f"obstacles.{name}.normal: got a vector of zeros at time {time:g}, in step {step}; "
                "expected one that points to the side where boids may be. Change a schedule, so "
                "that not all components are 0 at once",
                step=step,
            )


ObstacleShape = Sphere | Box | Wall | Tank
Obstacle = Annotated[ObstacleShape, Field(discriminator="kind")]


def shape_at(shape: ObstacleShape, time: float) -> ObstacleShape:
    """Return a shape with numbers in place of its schedules, at a time."""

    def evaluate(value: Scalar | Vector) -> object:
        if isinstance(value, tuple):
            return tuple(number_at(x, time) for x in value)
        return number_at(value, time)

    numbers = {name: evaluate(getattr(shape, name)) for name in quantities(type(shape))}
    return shape.model_copy(update=numbers)
