"""Obstacles: solid shapes. Boids never enter or pass through them; rules may sense them.

Each shape is convex, or convex from inside, so its nearest surface point says all a rule needs.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from murmurate.model.quantity import Part, Scalar, Vector, quantities, quantity
from murmurate.model.schedule import number_at


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


ObstacleShape = Sphere | Box | Wall | Tank
Obstacle = Annotated[ObstacleShape, Field(discriminator="kind")]


def shape_at(shape: ObstacleShape, time: float) -> ObstacleShape:
    """The shape with the numbers that its schedules hold at `time`."""

    def now(value: Scalar | Vector) -> object:
        if isinstance(value, tuple):
            return tuple(number_at(x, time) for x in value)
        return number_at(value, time)

    return shape.model_copy(update={k: now(getattr(shape, k)) for k in quantities(type(shape))})
