"""Interactions with neighbours and obstacles: Reynolds' three rules, escape, pursuit, springs.

Reynolds 1987, Flocks, herds and schools: a distributed behavioral model, doi:10.1145/37401.37406.
Plain forms are as in Parker's boids pseudocode. Steering forms steer from the present velocity
towards full speed, up to the largest force.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import FlockNames, Scalar, quantity
from murmurate.model.rule import Nearest, NeighbourRule
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3
from murmurate.rules.individual import HEPPNER_GRENANDER, PARKER
from murmurate.rules.vectors import steer

REYNOLDS = "Reynolds 1987, doi:10.1145/37401.37406"
Form = Literal["plain", "steering"]
Law = Literal["linear", "unit", "inverse", "inverse-square"]


def steering(direction: str) -> str:
    """Return the formula of a steering force."""
    return f"{{weight}} * (max_speed * {direction} - v_i, at most max_force)"


class Cohesion(NeighbourRule):
    """Steers towards the mean position of the neighbours."""

    form: Form = "plain"
    """plain: the vector to the mean position; steering: the velocity of full speed in its
    direction, minus the present velocity, up to max_force."""

    affine: ClassVar = ("position",)
    formula: ClassVar = "{weight} * (mean of x_j - x_i)"
    source: ClassVar = REYNOLDS

    @property
    def formula_as_set(self) -> str:
        return steering("direction to the mean of x_j") if self.form == "steering" else self.formula

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        return 1.0, other.dx, other.dy, other.dz

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        n, x, y, z = sums
        if n > 0.0:
            x, y, z = x / n, y / n, z / n
        if self.form == "steering":
            return steer(x, y, z, me)
        return x, y, z


class Alignment(NeighbourRule):
    """Steers towards the mean velocity of the neighbours."""

    form: Form = "plain"
    """plain: the mean velocity minus the boid's own; steering: the velocity of full speed along the
    mean velocity, minus the boid's own, up to max_force."""
    divide_by: Literal["neighbours", "flock", "nothing"] = "neighbours"
    """What the sum of velocity differences is divided by, in plain form. neighbours: the number of
    sensed boids; flock: the number of boids in the boid's own flock, itself included; nothing: the
    sum itself."""

    affine: ClassVar = ("velocity",)
    formula: ClassVar = "{weight} * (mean of v_j - v_i)"
    source: ClassVar = REYNOLDS

    @property
    def formula_as_set(self) -> str:
        if self.form == "steering":
            return steering("direction of the mean of v_j")
        sums = {
            "flock": "{weight} * 1/N sum of (v_j - v_i)",
            "nothing": "{weight} * sum of (v_j - v_i)",
        }
        return sums.get(self.divide_by, self.formula)

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        return 1.0, other.u, other.v, other.w

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        n, u, v, w = sums
        if self.form == "steering":
            return steer(u, v, w, me)
        if self.divide_by == "nothing":
            return u - n * me.u, v - n * me.v, w - n * me.w
        if self.divide_by == "flock":
            k = 1.0 / me.flock_size
            return (u - n * me.u) * k, (v - n * me.v) * k, (w - n * me.w) * k
        if n > 0.0:
            return u / n - me.u, v / n - me.v, w / n - me.w
        return 0.0, 0.0, 0.0


class Separation(NeighbourRule):
    """Steers away from the neighbours; each one pushes along the line to the boid."""

    law: Law = "inverse"
    """How the push of one neighbour depends on its distance r: r, 1, 1/r or 1/r^2."""
    form: Form = "plain"
    """plain: the sum of pushes; steering: the velocity of full speed in its direction, minus the
    present velocity, up to max_force."""

    formula: ClassVar = "{weight} * sum of {push} away from x_j"
    source: ClassVar = REYNOLDS

    @property
    def push(self) -> str:
        """The law in the notation of the formula."""
        return {"linear": "r", "unit": "1", "inverse": "1/r", "inverse-square": "1/r^2"}[self.law]

    @property
    def formula_as_set(self) -> str:
        words = "direction of the sum of {push} away from x_j"
        return steering(words) if self.form == "steering" else self.formula

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        if self.law == "linear":
            return -other.dx, -other.dy, -other.dz
        if self.law == "unit":
            q = 1.0 / other.distance
        elif self.law == "inverse":
            q = 1.0 / other.r2
        else:
            q = 1.0 / (other.r2 * other.distance)
        return -q * other.dx, -q * other.dy, -q * other.dz

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        x, y, z = sums
        if self.form == "steering":
            return steer(x, y, z, me)
        return x, y, z


class Flee(Separation):
    """Steers away from the boids of another flock, as separation does."""

    senses: FlockNames
    """The flock or flocks that it flees from."""
    law: Law = "linear"
    """How the push of one of them depends on its distance r. linear: r; unit: 1; inverse: 1/r;
    inverse-square: 1/r^2."""

    source: ClassVar = PARKER


class Hunt(NeighbourRule):
    """Steers towards boids of another flock, a unit vector for each; by default the nearest
    only."""

    senses: FlockNames
    """The flock or flocks that it hunts."""
    nearest: Nearest = 1
    """The number of nearest boids that it hunts; 0: all within the radius."""
    lead: Scalar = quantity(0.0, ge=0, unit="time")
    """Lead time: it steers towards their positions after this time at their present velocity."""

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
    """A spring to each neighbour, which repels below the preferred distance and attracts above."""

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
    """Steers away from surfaces ahead; the sooner the boid would hit one, the stronger."""

    senses: FlockNames = "obstacles"
    """'obstacles' for all of them, or obstacles by name."""
    look_ahead: Scalar = quantity(5.0, gt=0, unit="time")
    """Obstacles that the boid would hit within this time, at its present velocity, are avoided. The
    default is five steps of a model with dt 1."""
    clearance: Scalar = quantity(0.0, ge=0, unit="length")
    """Distance from surfaces below which they repel in any case."""

    formula: ClassVar = "{weight} * |v_i| * sum over obstacles of normal * urgency (0 to 1)"
    source: ClassVar = "Reynolds 1999, Steering behaviors for autonomous characters (containment)"

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        # A convex obstacle is behind the plane through its nearest surface point, so the time to
        # that plane is the earliest time at which the boid can hit it. A concave one may be hit
        # elsewhere first; from there on, the nearest point is another.
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
