"""Rules about others: fleeing from a flock, hunting one, a spring to neighbours, obstacles."""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import Nearest, NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3
from murmurate.rules.places import HEPPNER_GRENANDER, PARKER
from murmurate.rules.reynolds import Law, Separation


class Flee(Separation):
    """Away from another flock: separation that senses it."""

    senses: str | tuple[str, ...]
    """The flock or flocks it flees from."""
    law: Law = "linear"
    """How the push of one of them depends on its distance r: linear r, unit 1, inverse 1/r,
    inverse-square 1/r^2."""

    source: ClassVar = PARKER


class Hunt(NeighbourRule):
    """Towards another flock's boids, a unit vector for each: by default the nearest one only."""

    senses: str | tuple[str, ...]
    """The flock or flocks it hunts."""
    nearest: Nearest = 1
    """How many of the nearest it goes for; 0: all within the radius."""
    lead: Scalar = quantity(0.0, ge=0, unit="time")
    """It aims at where they will be so much later."""

    formula: ClassVar = "{weight} * sum of unit vectors to x_j + {lead} v_j"
    source: ClassVar = "Reynolds 1999, Steering behaviors for autonomous characters (pursuit)"

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        x = other.dx + self.lead * other.u
        y = other.dy + self.lead * other.v
        z = other.dz + self.lead * other.w
        q = 1.0 / math.sqrt(max(x * x + y * y + z * z, 1e-18))
        return x * q, y * q, z * q

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class Interaction(NeighbourRule):
    """A spring to each neighbour within the radius: apart when nearer than the preferred distance,
    together when farther."""

    distance: Scalar = quantity(gt=0, unit="length")
    """The preferred distance."""

    formula: ClassVar = "{weight} * sum of (x_j - x_i) (1 - {distance} / r), r <= {radius}"
    source: ClassVar = HEPPNER_GRENANDER

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        q = 1.0 - self.distance / other.distance
        return q * other.dx, q * other.dy, q * other.dz

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class AvoidObstacles(NeighbourRule):
    """Steers along the surface ahead, the sooner it would be hit the harder."""

    senses: str | tuple[str, ...] = "obstacles"
    """All obstacles, or some by name."""
    look_ahead: Scalar = quantity(gt=0, unit="time")
    """Obstacles that would be hit within this time, at the present velocity, are avoided."""
    clearance: Scalar = quantity(0.0, ge=0, unit="length")
    """Distance to keep from a surface also when not flying at it."""

    formula: ClassVar = "{weight} * |v_i| * sum over obstacles of normal * urgency (0 to 1)"
    source: ClassVar = "Reynolds 1999, Steering behaviors for autonomous characters (containment)"

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        # A convex obstacle lies behind the plane through its nearest surface point, so that plane
        # tells when it would be hit at the earliest.
        q = 1.0 / other.distance
        closing = (other.dx * me.u + other.dy * me.v + other.dz * me.w) * q
        hit_in = other.distance / max(closing, 1e-9)
        urgency = max(0.0, 1.0 - hit_in / self.look_ahead)
        if closing <= 0.0:
            urgency = 0.0
        near = max(0.0, 1.0 - other.distance / max(self.clearance, 1e-9))
        q = q * max(urgency, near)
        return -q * other.dx, -q * other.dy, -q * other.dz

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        x, y, z = sums
        return x * me.speed, y * me.speed, z * me.speed
