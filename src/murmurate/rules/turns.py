"""Rules that say by what angle a boid turns: away from walls, to neighbours, by chance.

Each gives a vector at right angles to the heading, as long as the angle in radians, so that angles
add up as vectors do, in 3-D too. They are made for the motion burst-and-coast, whose kicks turn by
these angles; any motion takes them as steering to the side.

Calovi et al. 2018 measured them with rummy-nose tetras (Hemigrammus rhodostomus): an intensity
that depends on a distance, times factors of angles. The factors are scaled so that their mean
square over all angles is 1, which makes `weight` the intensity. Their defaults are those of these
fish, as public programs of the model have them.
"""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, Vector3
from murmurate.rules.individual import CALOVI
from murmurate.rules.vectors import across, gaussians, unit


class Turn(NeighbourRule):
    """What these rules share: a boid at rest, which has no heading, is not turned."""

    source: ClassVar = CALOVI

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        if me.speed == 0.0:
            return 0.0, 0.0, 0.0
        return sums


class WallTurn(Turn):
    """A turn away from walls, the stronger the nearer the wall; nothing where the boid heads
    straight at it, which does not say to which side."""

    senses: str | tuple[str, ...] = "obstacles"
    """All obstacles, or some by name."""
    range: Scalar = quantity(gt=0, unit="length")
    """At this distance from the wall the turn has fallen to 1/e."""
    oblique: Scalar = quantity(0.7, unit="", slider=(-1, 1))
    """How much more it turns where it heads obliquely at the wall than where it heads along it."""

    formula: ClassVar = (
        "{weight} * sum over walls of exp(-(r / {range})^2) sin(a) (1 + {oblique} cos(2 a)) "
        "/ scale, radians across v_i, a: from the way to the wall to v_i"
    )

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = toward(other)
        k = -fading(other.distance, self.range)
        k = k * sine_factor(x * hx + y * hy + z * hz, 0.0, self.oblique)
        x, y, z = across(x, y, z, hx, hy, hz)
        return k * x, k * y, k * z


class RandomTurn(Turn):
    """A turn by a normally distributed angle, less near walls."""

    senses: str | tuple[str, ...] = "obstacles"
    """The obstacles that it is less near to, or some by name."""
    range: Scalar = quantity(gt=0, unit="length")
    """The distance from the wall at which the reduction has fallen to 1/e."""
    calm: Scalar = quantity(0.667, ge=0, le=1, unit="")
    """How much less at the wall: 0, nothing; 1, no noise there."""

    formula: ClassVar = (
        "{weight} * (1 - {calm} sum over walls of exp(-(r / {range})^2)) normal number, "
        "radians across v_i"
    )

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float]:
        return (fading(other.distance, self.range),)

    def finish(  # type: ignore[override]
        self: Parameters, sums: tuple[float], me: Me, random: Random
    ) -> Vector3:
        if me.speed == 0.0:
            return 0.0, 0.0, 0.0
        k = max(0.0, 1.0 - self.calm * sums[0])
        x, y, z, _ = gaussians(random.a, random.b, random.c, random.d)
        if me.dims == 2:
            z = 0.0
        # of a vector of independent normal components, those across the heading
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = across(x, y, z, hx, hy, hz)
        return k * x, k * y, k * z


class AttractionTurn(Turn):
    """A turn towards each neighbour that is farther than a distance, and away from each that is
    nearer."""

    distance: Scalar = quantity(gt=0, unit="length")
    """Where attraction and repulsion balance."""
    range: Scalar = quantity(gt=0, unit="length")
    """How far it reaches: beyond it falls as 1/r."""
    ahead: Scalar = quantity(-0.33, unit="", slider=(-1, 1))
    """How much more neighbours ahead count than those behind (negative: less)."""
    parallel: Scalar = quantity(-0.48, unit="", slider=(-1, 1))
    """How much more neighbours count that head the same way than those that head the other."""
    crossing: Scalar = quantity(-0.31, unit="", slider=(-1, 1))
    """How much less neighbours count that head to the sides than those that head either way
    (negative: more)."""

    formula: ClassVar = (
        "{weight} * sum of (r / {distance} - 1) / (1 + (r / {range})^2) sin(a) (1 + {ahead} cos(a))"
        " (1 + {parallel} cos(b) + {crossing} cos(2 b)) / scale, radians across v_i, "
        "a: from v_i to the way to x_j, b: from v_i to v_j"
    )

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = toward(other)
        gx, gy, gz = unit(other.u, other.v, other.w)
        r = other.distance / self.range
        k = (other.distance / self.distance - 1.0) / (1.0 + r * r)
        k = k * sine_factor(x * hx + y * hy + z * hz, self.ahead, 0.0)
        k = k * cosine_factor(gx * hx + gy * hy + gz * hz, self.parallel, self.crossing)
        x, y, z = across(x, y, z, hx, hy, hz)
        return k * x, k * y, k * z


class AlignmentTurn(Turn):
    """A turn towards the heading of each neighbour."""

    distance: Scalar = quantity(gt=0, unit="length")
    """The turn grows with r at first: to twice what it is close by, but for the range, at this
    distance."""
    range: Scalar = quantity(gt=0, unit="length")
    """How far it reaches: beyond it falls as exp(-(r / range)^2)."""
    crossing: Scalar = quantity(0.3, unit="", slider=(-1, 1))
    """How much less it turns towards headings at right angles than towards others."""
    ahead: Scalar = quantity(0.6, unit="", slider=(-1, 1))
    """How much more neighbours ahead count than those behind."""
    beside: Scalar = quantity(-0.32, unit="", slider=(-1, 1))
    """How much less neighbours at the sides count than those ahead and behind (negative: more)."""

    formula: ClassVar = (
        "{weight} * sum of (r / {distance} + 1) exp(-(r / {range})^2) sin(b) (1 + {crossing} "
        "cos(2 b)) (1 + {ahead} cos(a) + {beside} cos(2 a)) / scale, radians across v_i, "
        "a: from v_i to the way to x_j, b: from v_i to v_j"
    )

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = toward(other)
        gx, gy, gz = unit(other.u, other.v, other.w)
        k = (other.distance / self.distance + 1.0) * fading(other.distance, self.range)
        k = k * sine_factor(gx * hx + gy * hy + gz * hz, 0.0, self.crossing)
        k = k * cosine_factor(x * hx + y * hy + z * hz, self.ahead, self.beside)
        x, y, z = across(gx, gy, gz, hx, hy, hz)
        return k * x, k * y, k * z


def toward(other: Other) -> Vector3:
    """The unit vector to a neighbour."""
    q = 1.0 / other.distance
    return q * other.dx, q * other.dy, q * other.dz


def fading(distance: float, range_: float) -> float:
    """1 at no distance, 1/e at the range: exp(-(distance / range)^2)."""
    r = distance / range_
    return math.exp(-r * r)


def sine_factor(c: float, first: float, second: float) -> float:
    """(1 + first cos(a) + second cos(2 a)) / scale, of c = cos(a), where the scale makes the mean
    square of sin(a) times this 1."""
    square = 0.5 * (1.0 - second + 0.5 * second * second) + 0.125 * first * first
    return (1.0 + first * c + second * (2.0 * c * c - 1.0)) / math.sqrt(square)


def cosine_factor(c: float, first: float, second: float) -> float:
    """(1 + first cos(a) + second cos(2 a)) / scale, of c = cos(a), with a mean square of 1."""
    square = 1.0 + 0.5 * first * first + 0.5 * second * second
    return (1.0 + first * c + second * (2.0 * c * c - 1.0)) / math.sqrt(square)
