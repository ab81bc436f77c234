"""Rules that give the angle by which a boid turns: at walls, towards neighbours, and at random.

Their vectors are at right angles to the heading, and their lengths are angles in radians, so that
angles add up as vectors in 2-D and 3-D. They are for the motion burst-and-coast, whose kicks turn
by these angles. Other motions take them as sideways steering.

Calovi et al. 2018 measured these angles with rummy-nose tetras (Hemigrammus rhodostomus), as a
function of distance times functions of angles. The latter are scaled to a mean square of 1 over all
angles, so that `weight` is the intensity. Defaults are those of these fish in public programs of
the model.
"""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.quantity import FlockNames, Scalar, quantity
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, Vector3
from murmurate.rules.individual import CALOVI
from murmurate.rules.vectors import across, gaussians, unit

WANG = "Wang et al. 2025, doi:10.1098/rsos.240885"


class Turn(NeighbourRule):
    """The base class of these rules: a boid at rest, which has no heading, does not turn."""

    source: ClassVar = CALOVI

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        if me.speed == 0.0:
            return 0.0, 0.0, 0.0
        return sums


class WallTurn(Turn):
    """A turn away from walls that increases towards them.

    It is zero for a boid that heads straight at a wall, since neither side is preferred.
    """

    senses: FlockNames = "obstacles"
    """'obstacles' for all of them, or obstacles by name."""
    range: Scalar = quantity(gt=0, unit="length")
    """The distance from the wall at which the turn has decayed to 1/e."""
    oblique: Scalar = quantity(0.7, unit="", slider=(-1, 1))
    """How much larger the turn is for oblique headings than for headings along the wall."""

    formula: ClassVar = (
        "{weight} * sum over walls of exp(-(r / {range})^2) sin(a) (1 + {oblique} cos(2 a)) "
        "/ scale, radians across v_i, a: from the direction to the wall to v_i"
    )

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = toward(other)
        k = -fading(other.distance, self.range)
        k = k * sine_factor(x * hx + y * hy + z * hz, 0.0, self.oblique)
        x, y, z = across(x, y, z, hx, hy, hz)
        return k * x, k * y, k * z


class RandomTurn(Turn):
    """A turn by a normally distributed angle, which is smaller near walls."""

    senses: FlockNames = "obstacles"
    """'obstacles' for all of them, or obstacles by name, near which the angle is smaller."""
    range: Scalar = quantity(gt=0, unit="length")
    """The distance from the wall at which the reduction has decayed to 1/e."""
    calm: Scalar = quantity(0.667, ge=0, le=1, unit="")
    """The reduction at the wall. 0: none; 1: no noise there."""

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
        # keep the components at right angles to the heading
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = across(x, y, z, hx, hy, hz)
        return k * x, k * y, k * z


class AttractionTurn(Turn):
    """A turn towards each neighbour beyond a distance, and away from each nearer one."""

    distance: Scalar = quantity(gt=0, unit="length")
    """The distance at which attraction and repulsion balance."""
    range: Scalar = quantity(gt=0, unit="length")
    """The range, beyond which the turn decays as 1/r."""
    ahead: Scalar = quantity(-0.33, unit="", slider=(-1, 1))
    """How much larger the weight of neighbours ahead is than that of those behind; negative:
    smaller."""
    parallel: Scalar = quantity(-0.48, unit="", slider=(-1, 1))
    """How much larger the weight of parallel neighbours is than that of antiparallel ones."""
    crossing: Scalar = quantity(-0.31, unit="", slider=(-1, 1))
    """How much smaller the weight of neighbours with headings at right angles is than that of
    parallel and antiparallel ones; negative: larger."""

    formula: ClassVar = (
        "{weight} * sum of (r / {distance} - 1) / (1 + (r / {range})^2) sin(a) (1 + {ahead} cos(a))"
        " (1 + {parallel} cos(b) + {crossing} cos(2 b)) / scale, radians across v_i, "
        "a: from v_i to the direction to x_j, b: from v_i to v_j"
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
    """The distance at which the turn, without the decay by the range, is twice that at distance
    0."""
    range: Scalar = quantity(gt=0, unit="length")
    """The range, beyond which the turn decays as exp(-(r / range)^2)."""
    crossing: Scalar = quantity(0.3, unit="", slider=(-1, 1))
    """How much smaller the turn is towards headings at right angles than towards others."""
    ahead: Scalar = quantity(0.6, unit="", slider=(-1, 1))
    """How much larger the weight of neighbours ahead is than that of those behind."""
    beside: Scalar = quantity(-0.32, unit="", slider=(-1, 1))
    """How much smaller the weight of neighbours at the sides is than that of those ahead and
    behind; negative: larger."""

    formula: ClassVar = (
        "{weight} * sum of (r / {distance} + 1) exp(-(r / {range})^2) sin(b) (1 + {crossing} "
        "cos(2 b)) (1 + {ahead} cos(a) + {beside} cos(2 a)) / scale, radians across v_i, "
        "a: from v_i to the direction to x_j, b: from v_i to v_j"
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


class SocialTurn(Turn):
    """A turn by attraction and alignment together, so that it ranks neighbours by influence.

    With `most_influential` 1 or 2 a fish turns by the neighbours that affect it most at that
    moment, which need not be the nearest.
    """

    attraction: Scalar = quantity(ge=0, unit="radians/length", slider=(0, 1))
    """Intensity of the attraction."""
    alignment: Scalar = quantity(ge=0, unit="radians", slider=(0, 2))
    """Intensity of the alignment."""
    attraction_range: Scalar = quantity(gt=0, unit="length")
    """The range of the attraction, beyond which it decays as 1/r."""
    alignment_range: Scalar = quantity(gt=0, unit="length")
    """The range of the alignment, beyond which it decays as exp(-(r / range)^2)."""
    front: Scalar = quantity(0.8, unit="", slider=(-1, 1))
    """How much more boids align with neighbours in front than with those behind."""

    formula: ClassVar = (
        "{weight} * sum of {attraction} r sin(a) / (1 + (r / {attraction_range})^2) + {alignment} "
        "exp(-(r / {alignment_range})^2) sin(b) (1 + {front} cos(a)), radians across v_i, "
        "a: from v_i to the direction to x_j, b: from v_i to v_j"
    )
    source: ClassVar = WANG

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        hx, hy, hz = unit(me.u, me.v, me.w)
        x, y, z = toward(other)
        gx, gy, gz = unit(other.u, other.v, other.w)
        r = other.distance / self.attraction_range
        k = self.attraction * other.distance / (1.0 + r * r)
        factor = 1.0 + self.front * (x * hx + y * hy + z * hz)
        q = self.alignment * factor * fading(other.distance, self.alignment_range)
        x, y, z = across(k * x + q * gx, k * y + q * gy, k * z + q * gz, hx, hy, hz)
        return x, y, z


def toward(other: Other) -> Vector3:
    """Return the unit vector to a neighbour."""
    q = 1.0 / other.distance
    return q * other.dx, q * other.dy, q * other.dz


def fading(distance: float, range_: float) -> float:
    """Return exp(-(distance / range)^2)."""
    r = distance / range_
    return math.exp(-r * r)


def sine_factor(c: float, first: float, second: float) -> float:
    """Return (1 + first cos(a) + second cos(2 a)) / scale for c = cos(a).

    The scale makes the mean square of sin(a) times this factor 1.
    """
    square = 0.5 * (1.0 - second + 0.5 * second * second) + 0.125 * first * first
    return (1.0 + first * c + second * (2.0 * c * c - 1.0)) / math.sqrt(square)


def cosine_factor(c: float, first: float, second: float) -> float:
    """Return (1 + first cos(a) + second cos(2 a)) / scale for c = cos(a), of mean square 1."""
    square = 1.0 + 0.5 * first * first + 0.5 * second * second
    return (1.0 + first * c + second * (2.0 * c * c - 1.0)) / math.sqrt(square)
