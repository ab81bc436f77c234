"""Obstacles: solid shapes. Boids never enter or pass through them; rules may sense them.

Each shape is convex, or convex from inside, so its nearest surface point says all a rule needs.
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
    """A plane that bounds half the space (a line in 2-D): boids stay on the side of its normal."""

    kind: Literal["wall"] = "wall"
    point: Vector = quantity(unit="length")
    """Any point of the plane."""
    normal: Vector = quantity(unit="")
    """Points to the side where boids may be; its length does not matter, but must not be 0."""


class Tank(Part):
    """A round tank with upright sides (a circle in 2-D): boids stay inside. In 3-D it has neither
    bottom nor lid: walls or the faces of the space may be these."""

    kind: Literal["tank"] = "tank"
    centre: Vector = quantity(unit="length")
    """Its centre; in 3-D, any point of its axis, which points along z."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


SMALL = 1e-140
"""The squares of smaller numbers vanish."""


def unit_normal(normal: Sequence[float]) -> list[float]:
    """Return a vector of length 1 in the direction of `normal`; zeros where it is zero."""
    largest = max(abs(x) for x in normal)
    if largest == 0.0:
        return [0.0] * len(normal)
    if largest < SMALL:
        normal = [x / largest for x in normal]
    length = math.sqrt(sum(x * x for x in normal))
    return [x / length for x in normal]


def check_normals(obstacles: Mapping[str, ObstacleShape], time: float, step: int) -> None:
    """Raise RunError, in a step, where the schedules of a wall's normal make it zero at a time."""
    for name, shape in obstacles.items():
        if isinstance(shape, Wall) and not any(number_at(x, time) for x in shape.normal):
            raise RunError(
                f"obstacles.{name}.normal: got a vector of zeros at time {time:g}, in step {step}; "
                "expected one that points to the side where boids may be. Give it a part that "
                "is not 0 while the others pass through 0",
                step=step,
            )


ObstacleShape = Sphere | Box | Wall | Tank
Obstacle = Annotated[ObstacleShape, Field(discriminator="kind")]


def shape_at(shape: ObstacleShape, time: float) -> ObstacleShape:
    """The shape with the numbers that its schedules hold at `time`."""

    def now(value: Scalar | Vector) -> object:
        if isinstance(value, tuple):
            return tuple(number_at(x, time) for x in value)
        return number_at(value, time)

    return shape.model_copy(update={k: now(getattr(shape, k)) for k in quantities(type(shape))})
