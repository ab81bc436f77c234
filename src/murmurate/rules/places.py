"""Rules that need no neighbours: places, wind, borders, home, a preferred speed."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.rule import Rule
from murmurate.model.rule_arguments import Me, Parameters, Vector3
from murmurate.model.space import Space

PARKER = "Parker, Boids pseudocode; Sajwan, Gosain and Surani 2014"
HEPPNER_GRENANDER = "after Heppner and Grenander 1990, in The Ubiquity of Chaos (AAAS)"


class TendToPlace(Rule):
    """Towards a place; a negative weight leads away from it."""

    place: Vector = quantity(unit="length")
    """The place."""
    radius: Scalar = quantity(math.inf, gt=0, unit="length", infinite=True)
    """Felt only within this distance of the place."""

    formula: ClassVar = "{weight} * (place - x_i)"
    source: ClassVar = PARKER

    def alone(self: Parameters, me: Me) -> Vector3:
        px, py, pz = self.place
        x, y, z = px - me.x, py - me.y, pz - me.z
        if x * x + y * y + z * z > self.radius * self.radius:
            return 0.0, 0.0, 0.0
        return x, y, z


class Wind(Rule):
    """The same push for everyone."""

    vector: Vector = quantity(unit="")
    """The push, before the weight."""

    formula: ClassVar = "{weight} * {vector}"
    source: ClassVar = PARKER

    def alone(self: Parameters, me: Me) -> Vector3:
        x, y, z = self.vector
        return x, y, z


class Borders(Rule):
    """A push inwards, axis by axis, within a margin of the border."""

    margin: Scalar = quantity(0.0, unit="length")
    """How far inside the border the push begins; negative: outside."""
    lower: Vector | None = quantity(None, unit="length")
    """The lower corner of the borders; the space's unless given."""
    upper: Vector | None = quantity(None, unit="length")
    """The upper corner of the borders; the space's unless given."""
    push: Literal["constant", "linear"] = "constant"
    """constant: 1 wherever it is felt; linear: the distance past the margin."""

    formula: ClassVar = (
        "{weight} * (+1 below lower + {margin}, -1 above upper - {margin}), each axis"
    )
    source: ClassVar = PARKER

    @property
    def formula_as_set(self) -> str:
        if self.push == "constant":
            return self.formula
        return (
            "{weight} * (lower + {margin} - x below it, upper - {margin} - x above it), each axis"
        )

    def within(self, space: Space) -> Borders:
        lower = self.lower or space.lower
        return self.model_copy(update={"lower": lower, "upper": self.upper or space.upper})

    def alone(self: Parameters, me: Me) -> Vector3:
        ax, ay, az = self.lower
        bx, by, bz = self.upper
        x = inward(me.x, ax + self.margin, bx - self.margin)
        y = inward(me.y, ay + self.margin, by - self.margin)
        z = inward(me.z, az + self.margin, bz - self.margin)
        if self.push == "constant":
            return sign(x), sign(y), sign(z)
        return x, y, z


def inward(x: float, lower: float, upper: float) -> float:
    """How far x is below `lower` (positive) or above `upper` (negative); 0 between."""
    if x < lower:
        return lower - x
    if x > upper:
        return upper - x
    return 0.0


def sign(x: float) -> float:
    """1, 0 or -1."""
    if x > 0.0:
        return 1.0
    if x < 0.0:
        return -1.0
    return 0.0


class Home(Rule):
    """Back to the roost: nothing within its radius, growing with the distance beyond."""

    place: Vector = quantity(unit="length")
    """The middle of the roost."""
    radius: Scalar = quantity(0.0, ge=0, unit="length")
    """Size of the roost, within which nothing pulls."""
    along: Vector | None = quantity(None, unit="")
    """One factor an axis, all 1 unless given; 0 leaves an axis free."""

    formula: ClassVar = "{weight} * (place - x_i) * max(0, 1 - {radius} / |place - x_i|)"
    source: ClassVar = HEPPNER_GRENANDER

    def within(self, space: Space) -> Home:
        return self.model_copy(update={"along": self.along or (1.0,) * space.dims})

    def alone(self: Parameters, me: Me) -> Vector3:
        px, py, pz = self.place
        ax, ay, az = self.along
        x, y, z = (px - me.x) * ax, (py - me.y) * ay, (pz - me.z) * az
        r = math.sqrt(x * x + y * y + z * z)
        if r <= self.radius:
            return 0.0, 0.0, 0.0
        k = 1.0 - self.radius / r
        return x * k, y * k, z * k


class SpeedRegulation(Rule):
    """Back to a preferred speed, along the present heading."""

    speed: Scalar = quantity(gt=0, unit="speed")
    """The preferred speed."""

    formula: ClassVar = "{weight} * ({speed} - |v_i|) * v_i / |v_i|"
    source: ClassVar = HEPPNER_GRENANDER

    def alone(self: Parameters, me: Me) -> Vector3:
        if me.speed > 0.0:
            k = self.speed / me.speed - 1.0
            return me.u * k, me.v * k, me.w * k
        return 0.0, 0.0, 0.0
