"""Rules for drones: friction and walls that allow only speeds from which a drone can still brake.

Speeds differ by no more than a braking curve allows at the present distance: steering is the
velocity wanted, and the motion `responding` comes to it as fast as the drone can.
"""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.rule import Motion, NeighbourRule, Rule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, Vector3
from murmurate.model.space import Space
from murmurate.model.value import Value
from murmurate.rules.motions import between, turned
from murmurate.rules.vectors import gaussians, limited

VASARHELYI = "Vasarhelyi et al. 2018, doi:10.1126/scirobotics.aat3536"


def braking(r: float, a: float, p: float) -> float:
    """The speed that can be braked away within a distance r: at a constant rate a, and where that
    is faster, in proportion to the distance, p r, at the end. 0 for r <= 0.

    The paper's D(r, a, p): smooth where the two meet.
    """
    if r <= 0.0:
        return 0.0 * r
    if r * p < a / p:
        return r * p
    return math.sqrt(max(0.0, 2.0 * a * r - a * a / (p * p)))


def slack(u: float, v: float, w: float, most: float) -> Vector3:
    """What of a difference of velocities is longer than `most`."""
    s = math.sqrt(u * u + v * v + w * w)
    k = max(0.0, 1.0 - most / max(s, 1e-12))
    return k * u, k * v, k * w


class Braking(Value):
    """The curve that differences of velocities are held to."""

    gain: Scalar = quantity(gt=0, unit="1/time")
    """How steeply the allowed difference grows with distance at first."""
    acceleration: Scalar = quantity(gt=0, unit="speed/time")
    """How hard it may be braked."""


class Imagined(Braking):
    """Agents that are imagined to fly out of what stands in the way."""

    speed: Scalar = quantity(gt=0, unit="speed")
    """How fast the imagined agents fly."""
    distance: Scalar = quantity(0.0, ge=0, unit="length")
    """Where the difference from their velocity must be gone."""


class BrakingAlignment(Braking, NeighbourRule):
    """Alignment with neighbours whose velocity differs by more than could be braked away before
    they are too near: the nearer, the less may differ."""

    distance: Scalar = quantity(gt=0, unit="length")
    """Where the difference must be down to the tolerance."""
    tolerance: Scalar = quantity(0.0, ge=0, unit="speed")
    """A difference of velocities so large is always allowed."""

    formula: ClassVar = (
        "{weight} * sum of (|v_j - v_i| - max({tolerance}, D(r - {distance}))) along v_j - v_i, "
        "where positive"
    )
    source: ClassVar = VASARHELYI

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        most = braking(other.distance - self.distance, self.acceleration, self.gain)
        most = max(most, self.tolerance)
        u, v, w = slack(other.u - me.u, other.v - me.v, other.w - me.w, most)
        return u, v, w

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class ShillObstacles(Imagined, NeighbourRule):
    """Alignment with agents that are imagined at the nearest point of each obstacle and fly
    straight out of it: so one slows down in time, and turns away."""

    senses: str | tuple[str, ...] = "obstacles"
    """All obstacles, or some by name."""

    formula: ClassVar = (
        "{weight} * sum over obstacles of ({speed} * normal - v_i), as far as longer than "
        "D(r - {distance})"
    )
    source: ClassVar = VASARHELYI

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        most = braking(other.distance - self.distance, self.acceleration, self.gain)
        k = -self.speed / other.distance
        u, v, w = k * other.dx, k * other.dy, k * other.dz
        u, v, w = slack(u - me.u, v - me.v, w - me.w, most)
        return u, v, w

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class ShillWalls(Imagined, Rule):
    """The same at the walls of a box that one flies in: an imagined agent at each of them, flying
    straight inwards."""

    lower: Vector | None = quantity(None, unit="length")
    """The lower corner of the box; the space's unless given."""
    upper: Vector | None = quantity(None, unit="length")
    """The upper corner of the box; the space's unless given."""

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
    """Steering is the velocity wanted, brought between min_speed and max_speed. The boid comes to
    it with a time constant, and no faster than its acceleration lets it; meanwhile its own speed
    may be lower or higher, and it differs by the noise."""

    lag: Scalar = quantity(gt=0, unit="time", slider=(0.1, 5))
    """The time constant of its response."""
    max_acceleration: Scalar = quantity(math.inf, gt=0, unit="speed/time", infinite=True)
    """The hardest it can accelerate."""
    noise: Scalar = quantity(0.0, ge=0, unit="speed^2/time")
    """How much the wind shakes it: the growth of the variance of each component of its velocity."""

    formula: ClassVar = (
        "v_i + (1 - exp(-dt / {lag})) * (steering - v_i), by no more than dt * {max_acceleration}, "
        "+ noise"
    )
    source: ClassVar = VASARHELYI

    def turn(self: Parameters, me: Me, x: float, y: float, z: float, random: Random) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        x, y, z = between(me, x, y, z, self.min_speed, self.max_speed)
        # what is left of the difference after a step, exactly
        k = 1.0 - math.exp(-me.dt / self.lag)
        x, y, z = k * (x - me.u), k * (y - me.v), k * (z - me.w)
        x, y, z = limited(x, y, z, self.max_acceleration * me.dt)
        a, b, c, _ = gaussians(random.a, random.b, random.c, random.d)
        s = math.sqrt(self.noise * me.dt)
        u, v, w = me.u + x + s * a, me.v + y + s * b, me.w + z + s * c
        return turned(me, u, v, w, self.turn_rate)
