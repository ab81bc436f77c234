"""Rules for drones: friction and walls that limit speeds to those from which a drone can brake.

A braking curve gives the largest difference of velocities at a distance. Steering is the desired
velocity, which the motion `responding` approaches as fast as the drone can.
"""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.quantity import FlockNames, Scalar, Vector, quantity
from murmurate.model.rule import Motion, NeighbourRule, Rule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, Vector3
from murmurate.model.space import Space
from murmurate.model.value import Value
from murmurate.rules.motions import clamp_speed, limit_turn
from murmurate.rules.vectors import gaussians, limited

VASARHELYI = "Vasarhelyi et al. 2018, doi:10.1126/scirobotics.aat3536"


def braking(r: float, a: float, p: float) -> float:
    """Return the largest speed from which a drone can brake within a distance r.

    It brakes at the constant rate a, and at the end so that its speed is p r. The curve is smooth
    where the two meet. It is D(r, a, p) of the paper, and 0 for r <= 0.
    """
    if r <= 0.0:
        return 0.0 * r
    if r * p < a / p:
        return r * p
    return math.sqrt(max(0.0, 2.0 * a * r - a * a / (p * p)))


def slack(u: float, v: float, w: float, limit: float) -> Vector3:
    """Return the part of a velocity difference (u, v, w) beyond the length `limit`."""
    s = math.sqrt(u * u + v * v + w * w)
    k = max(0.0, 1.0 - limit / max(s, 1e-12))
    return k * u, k * v, k * w


class Braking(Value):
    """The base class with the parameters of the braking curve."""

    gain: Scalar = quantity(gt=0, unit="1/time")
    """Slope of the braking curve at small distances."""
    acceleration: Scalar = quantity(gt=0, unit="speed/time")
    """The largest deceleration."""


class VirtualAgents(Braking):
    """The base class with the parameters of virtual agents in obstacles (shill agents)."""

    speed: Scalar = quantity(gt=0, unit="speed")
    """Speed of the virtual agents."""
    distance: Scalar = quantity(0.0, ge=0, unit="length")
    """The distance at which the velocity must be equal to theirs."""


class BrakingAlignment(Braking, NeighbourRule):
    """Alignment with neighbours whose velocity differs by more than the braking curve allows.

    The nearer a neighbour, the smaller the difference that is allowed.
    """

    distance: Scalar = quantity(gt=0, unit="length")
    """The distance at which the difference must be below the tolerance."""
    tolerance: Scalar = quantity(0.0, ge=0, unit="speed")
    """The velocity difference that is allowed at any distance."""

    formula: ClassVar = (
        "{weight} * sum of (|v_j - v_i| - max({tolerance}, D(r - {distance}))) along v_j - v_i, "
        "where positive"
    )
    source: ClassVar = VASARHELYI

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        limit = braking(other.distance - self.distance, self.acceleration, self.gain)
        limit = max(limit, self.tolerance)
        u, v, w = slack(other.u - me.u, other.v - me.v, other.w - me.w, limit)
        return u, v, w

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class ShillObstacles(VirtualAgents, NeighbourRule):
    """Alignment with a virtual agent at the nearest point of each obstacle, which moves out of it.

    So a drone brakes in time and turns away.
    """

    senses: FlockNames = "obstacles"
    """'obstacles' for all of them, or obstacles by name."""

    formula: ClassVar = (
        "{weight} * sum over obstacles of ({speed} * normal - v_i), as far as longer than "
        "D(r - {distance})"
    )
    source: ClassVar = VASARHELYI

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        limit = braking(other.distance - self.distance, self.acceleration, self.gain)
        k = -self.speed / other.distance
        u, v, w = k * other.dx, k * other.dy, k * other.dz
        u, v, w = slack(u - me.u, v - me.v, w - me.w, limit)
        return u, v, w

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class ShillWalls(VirtualAgents, Rule):
    """Alignment with a virtual agent at each wall of a box, which moves straight inwards."""

    lower: Vector | None = quantity(None, unit="length")
    """The lower corner of the box; that of the space unless given."""
    upper: Vector | None = quantity(None, unit="length")
    """The upper corner of the box; that of the space unless given."""

    formula: ClassVar = (
        "{weight} * sum over walls of ({speed} * inwards - v_i), as far as longer than "
        "D(r - {distance})"
    )
    source: ClassVar = VASARHELYI

    def within(self, space: Space) -> ShillWalls:
        lower = self.lower or space.lower
        return self.model_copy(update={"lower": lower, "upper": self.upper or space.upper})

    def alone(self: Parameters, me: Me) -> Vector3:
        ax, ay, az = self.lower
        bx, by, bz = self.upper
        a, p, d, s = self.acceleration, self.gain, self.distance, self.speed
        x0, y0, z0 = slack(s - me.u, -me.v, -me.w, braking(me.x - ax - d, a, p))
        x1, y1, z1 = slack(-s - me.u, -me.v, -me.w, braking(bx - me.x - d, a, p))
        x2, y2, z2 = slack(-me.u, s - me.v, -me.w, braking(me.y - ay - d, a, p))
        x3, y3, z3 = slack(-me.u, -s - me.v, -me.w, braking(by - me.y - d, a, p))
        x, y, z = x0 + x1 + x2 + x3, y0 + y1 + y2 + y3, z0 + z1 + z2 + z3
        if me.dims == 3:
            x4, y4, z4 = slack(-me.u, -me.v, s - me.w, braking(me.z - az - d, a, p))
            x5, y5, z5 = slack(-me.u, -me.v, -s - me.w, braking(bz - me.z - d, a, p))
            x, y, z = x + x4 + x5, y + y4 + y5, z + z4 + z5
        return x, y, z


class Responding(Motion):
    """Approaches the velocity that steering gives, with a time constant and a largest acceleration.

    The desired velocity is clamped to min_speed and max_speed. The present speed may be lower or
    higher, and noise is added.
    """

    lag: Scalar = quantity(gt=0, unit="time", slider=(0.1, 5))
    """The time constant of the response."""
    max_acceleration: Scalar = quantity(math.inf, gt=0, unit="speed/time", infinite=True)
    """The largest acceleration."""
    noise: Scalar = quantity(0.0, ge=0, unit="speed^2/time")
    """Noise by wind: the rate at which the variance of each velocity component grows."""

    formula: ClassVar = (
        "v_i + (1 - exp(-dt / {lag})) * (steering - v_i), by no more than dt * {max_acceleration}, "
        "+ noise"
    )
    source: ClassVar = VASARHELYI

    def turn(self: Parameters, me: Me, x: float, y: float, z: float, random: Random) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        x, y, z = clamp_speed(me, x, y, z, self.min_speed, self.max_speed)
        # the exact part of the difference that one step removes
        k = 1.0 - math.exp(-me.dt / self.lag)
        x, y, z = k * (x - me.u), k * (y - me.v), k * (z - me.w)
        x, y, z = limited(x, y, z, self.max_acceleration * me.dt)
        a, b, c, _ = gaussians(random.a, random.b, random.c, random.d)
        s = math.sqrt(self.noise * me.dt)
        u, v, w = me.u + x + s * a, me.v + y + s * b, me.w + z + s * c
        return limit_turn(me, u, v, w, self.turn_rate)
