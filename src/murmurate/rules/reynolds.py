"""The behaviours of the first boids: sensitivity that decays with distance, and steer-to-avoid.

Each rule returns an acceleration request. As in the paper, requests are at most of length 1 with
`limit = 1`, their strength is `weight`, and a flock with `combine = "priority"` allocates its
largest acceleration to them in their order. Its collision avoidance is kind `separation` with the
law `inverse-square`.

Reynolds 1987, Flocks, herds and schools: a distributed behavioral model, doi:10.1145/37402.37406.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import FlockNames, Scalar, quantity
from murmurate.model.rule import NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3
from murmurate.rules.vectors import across, unit

REYNOLDS = "Reynolds 1987, doi:10.1145/37402.37406"
SENSITIVITY = "s_j = max(0, 1 + {forward} v_i . n_ij) / r^{exponent}"


class Sensitive(NeighbourRule):
    """The numbers of rules whose sensitivity to a neighbour depends on where it is."""

    exponent: Scalar = quantity(2.0, ge=0, unit="", slider=(0, 4))
    """Exponent of the decay of the sensitivity with the distance; 0: all count alike."""
    forward: Scalar = quantity(0.0, ge=0, unit="time/length", slider=(0, 2))
    """How much the sensitivity to neighbours ahead is increased, and to those behind decreased, at
    the speed 1. The change grows with the speed."""


class FlockCentring(Sensitive):
    """Steers towards the centre of the neighbours, weighted by the sensitivity to each."""

    formula: ClassVar = "{weight} * sum of s_j (x_j - x_i) / sum of s_j, " + SENSITIVITY
    source: ClassVar = REYNOLDS

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        s = sensitivity(self.exponent, self.forward, me, other)
        return s, s * other.dx, s * other.dy, s * other.dz

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        s, x, y, z = sums
        if s > 0.0:
            return x / s, y / s, z / s
        return 0.0, 0.0, 0.0


class VelocityMatching(Sensitive):
    """Steers towards the mean velocity of the neighbours, weighted by the sensitivity to each."""

    formula: ClassVar = "{weight} * sum of s_j (v_j - v_i) / sum of s_j, " + SENSITIVITY
    source: ClassVar = REYNOLDS

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        s = sensitivity(self.exponent, self.forward, me, other)
        return s, s * (other.u - me.u), s * (other.v - me.v), s * (other.w - me.w)

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        s, u, v, w = sums
        if s > 0.0:
            return u / s, v / s, w / s
        return 0.0, 0.0, 0.0


class SteerToAvoid(NeighbourRule):
    """Steers to pass beside an obstacle that is straight ahead, a body length beyond its edge.

    Obstacles that the path straight on does not meet have no effect. The steering is at right
    angles to the path; its length is the tangent of the angle to the point beside the impact. A
    boid that heads for the very centre turns to its left. Walls and tanks have no edge: the boid
    turns along their surface, by at least 45 degrees. It does not sense meshes; kind
    `avoid-obstacles` does.
    """

    senses: FlockNames = "obstacles"
    """'obstacles' for all of them, or obstacles by name."""
    look_ahead: Scalar = quantity(gt=0, unit="time")
    """Obstacles that the boid would hit within this time, at its present velocity, are avoided."""
    body_length: Scalar = quantity(1.0, ge=0, unit="length")
    """Distance beyond the edge at which the boid means to pass."""

    obstacles_at: ClassVar[Literal["surface", "edge"]] = "edge"
    formula: ClassVar = (
        "{weight} * sum over obstacles ahead of (distance across the path to the edge"
        " + {body_length}) / distance to the impact, towards the edge"
    )
    source: ClassVar = REYNOLDS

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        hx, hy, hz = unit(me.u, me.v, me.w)
        way = other.dx * hx + other.dy * hy + other.dz * hz
        x, y, z = across(other.dx, other.dy, other.dz, hx, hy, hz)
        gap = math.sqrt(max(x * x + y * y + z * z, 1e-18))
        q = (gap + self.body_length) / (gap * max(way, 1e-9))
        if way > self.look_ahead * me.speed:
            q = 0.0
        return q * x, q * y, q * z

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


def sensitivity(exponent: float, forward: float, me: Me, other: Other) -> float:
    """Return the sensitivity to a neighbour: a power of its distance, more of it ahead."""
    approach = (other.dx * me.u + other.dy * me.v + other.dz * me.w) / other.distance
    return max(0.0, 1.0 + forward * approach) * math.exp(-0.5 * exponent * math.log(other.r2))
