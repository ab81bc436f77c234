"""Rules of directions: headings, unit vectors to neighbours, and vectorial noise.

They are for motions that take steering as a direction (see SelfPropelled).
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, Vector3
from murmurate.rules.interactions import Law
from murmurate.rules.vectors import any_direction, unit

VICSEK = "Vicsek et al. 1995, doi:10.1103/PhysRevLett.75.1226"
CHATE = "Gregoire and Chate 2004, doi:10.1103/PhysRevLett.92.025702"
COUZIN = "Couzin et al. 2002, doi:10.1006/jtbi.2002.3065"
LEADERS = "Couzin et al. 2005, doi:10.1038/nature03236"


class HeadingAlignment(NeighbourRule):
    """Sums the headings of the neighbours, unit vectors that do not depend on their speeds.

    The boid's own heading counts with include_self only.
    """

    divide_by: Literal["nothing", "neighbours"] = "nothing"
    """nothing: the sum of headings; neighbours: their mean, whose length is their order."""

    formula: ClassVar = "{weight} * sum of v_j / |v_j|"
    source: ClassVar = VICSEK

    @property
    def formula_as_set(self) -> str:
        mean = self.divide_by == "neighbours"
        return "{weight} * mean of v_j / |v_j|" if mean else self.formula

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        q = 1.0 / math.sqrt(max(other.u * other.u + other.v * other.v + other.w * other.w, 1e-30))
        return 1.0, q * other.u, q * other.v, q * other.w

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        n, u, v, w = sums
        if self.divide_by == "neighbours" and n > 0.0:
            return u / n, v / n, w / n
        return u, v, w


class KeepHeading(Rule):
    """A unit vector along the boid's own heading: persistence, or propulsion."""

    formula: ClassVar = "{weight} * v_i / |v_i|"
    source: ClassVar = "common practice"

    def alone(self: Parameters, me: Me) -> Vector3:
        return unit(me.u, me.v, me.w)


class VectorialNoise(NeighbourRule):
    """A random direction times the number of neighbours: noise that grows as a sum over them."""

    times: Literal["neighbours", "one"] = "neighbours"
    """The length. neighbours: the number of neighbours; one: 1."""

    formula: ClassVar = "{weight} * n_i * random direction"
    source: ClassVar = CHATE

    @property
    def formula_as_set(self) -> str:
        return "{weight} * random direction" if self.times == "one" else self.formula

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float]:
        return (1.0,)

    def finish(self: Parameters, sums: tuple[float], me: Me, random: Random) -> Vector3:
        k = 1.0
        if self.times == "neighbours":
            k = sums[0]
        x, y, z = any_direction(random.a, random.b, me.dims)
        return k * x, k * y, k * z


class Attraction(NeighbourRule):
    """Steers towards the neighbours; each one pulls along the line to the boid."""

    law: Law = "unit"
    """How the pull of one neighbour depends on its distance r: r, 1, 1/r or 1/r^2."""

    formula: ClassVar = "{weight} * sum of {pull} towards x_j"
    source: ClassVar = COUZIN

    @property
    def pull(self) -> str:
        """The law in the notation of the formula."""
        return {"linear": "r", "unit": "1", "inverse": "1/r", "inverse-square": "1/r^2"}[self.law]

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        if self.law == "linear":
            return other.dx, other.dy, other.dz
        if self.law == "unit":
            q = 1.0 / other.distance
        elif self.law == "inverse":
            q = 1.0 / other.r2
        else:
            q = 1.0 / (other.r2 * other.distance)
        return q * other.dx, q * other.dy, q * other.dz

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class Follow(NeighbourRule):
    """Steers towards each neighbour and along its heading, a unit vector for either."""

    along: Scalar = quantity(1.0, slider=(0, 2), unit="")
    """Weight of a heading relative to the direction to its boid."""

    formula: ClassVar = "{weight} * sum of unit vector to x_j + {along} * v_j / |v_j|"
    source: ClassVar = LEADERS

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        q = 1.0 / other.distance
        h = self.along / math.sqrt(
            max(other.u * other.u + other.v * other.v + other.w * other.w, 1e-30)
        )
        return q * other.dx + h * other.u, q * other.dy + h * other.v, q * other.dz + h * other.w

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums
