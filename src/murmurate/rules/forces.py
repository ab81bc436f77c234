"""Forces: self-propulsion, potentials between boids, alignment that decays with distance.

They are for the motion `add`, whose mass makes steering a force.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3

DORSOGNA = "D'Orsogna et al. 2006, doi:10.1103/PhysRevLett.96.104302"
CUCKER_SMALE = "Cucker and Smale 2007, doi:10.1109/TAC.2007.895842"
WEEKS = "Weeks, Chandler and Andersen 1971, doi:10.1063/1.1674820"
OLFATI_SABER = "Olfati-Saber 2006, doi:10.1109/TAC.2005.864190"


class SelfPropulsion(Rule):
    """Propulsion along the velocity, and Rayleigh friction: a boid alone reaches the speed
    sqrt(propulsion / friction)."""

    propulsion: Scalar = quantity(ge=0, unit="mass/time")
    """The propulsion, alpha."""
    friction: Scalar = quantity(ge=0, unit="mass*time/length^2")
    """The friction, beta."""

    formula: ClassVar = "{weight} * ({propulsion} - {friction} |v_i|^2) v_i"
    source: ClassVar = DORSOGNA

    def alone(self: Parameters, me: Me) -> Vector3:
        k = self.propulsion - self.friction * me.speed * me.speed
        return k * me.u, k * me.v, k * me.w


class Morse(NeighbourRule):
    """The force of a generalised Morse potential: repulsion and attraction with two ranges."""

    repulsion: Scalar = quantity(ge=0, unit="energy")
    """Strength of the repulsion."""
    repulsion_range: Scalar = quantity(gt=0, unit="length")
    """The distance over which the repulsion decays to 1/e."""
    attraction: Scalar = quantity(ge=0, unit="energy")
    """Strength of the attraction."""
    attraction_range: Scalar = quantity(gt=0, unit="length")
    """The distance over which the attraction decays to 1/e."""

    formula: ClassVar = (
        "{weight} * -grad_i sum of {repulsion} exp(-r / {repulsion_range})"
        " - {attraction} exp(-r / {attraction_range})"
    )
    source: ClassVar = DORSOGNA

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        r = other.distance
        push = self.repulsion / self.repulsion_range * math.exp(-r / self.repulsion_range)
        pull = self.attraction / self.attraction_range * math.exp(-r / self.attraction_range)
        q = (pull - push) / r
        return q * other.dx, q * other.dy, q * other.dz

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class LennardJones(NeighbourRule):
    """The force of a Lennard-Jones potential between round particles; by default its repulsion.

    Set the radius to 2^(1/6) = 1.1225 diameters for the repulsion, and to about 3 for the whole.
    Below a tenth of the diameter the force does not grow further.
    """

    strength: Scalar = quantity(1.0, gt=0, unit="energy")
    """Depth of the potential, epsilon."""
    diameter: Scalar = quantity(1.0, gt=0, unit="length")
    """The distance at which the whole potential is zero, sigma."""
    part: Literal["repulsive", "whole"] = "repulsive"
    """repulsive: up to the minimum of the potential at 2^(1/6) sigma only (Weeks, Chandler and
    Andersen); whole: attraction beyond it, up to the radius."""

    formula: ClassVar = (
        "{weight} * -grad_i sum of 4 {strength} (({diameter} / r)^12 - ({diameter} / r)^6), "
        "{part} part"
    )
    source: ClassVar = WEEKS

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        s2 = self.diameter * self.diameter
        r2 = max(other.r2, 0.01 * s2)
        q = s2 / r2
        q = q * q * q
        k = 24.0 * self.strength * q * (1.0 - 2.0 * q) / r2
        if self.part == "repulsive" and q < 0.5:
            k = 0.0
        return k * other.dx, k * other.dy, k * other.dz

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class WeightedAlignment(NeighbourRule):
    """Alignment with each neighbour, with a weight that decays with its distance."""

    exponent: Scalar = quantity(ge=0, unit="", slider=(0, 2))
    """Exponent of the decay of the weight with the distance."""
    range: Scalar = quantity(1.0, gt=0, unit="length")
    """The distance at which the decay begins."""
    divide_by: Literal["flock", "weights"] = "flock"
    """What the sum is divided by. flock: the number of boids in the boid's own flock, itself
    included (Cucker and Smale); weights: the sum of the weights of the neighbours (Motsch and
    Tadmor 2011, doi:10.1007/s10955-011-0285-9)."""

    formula: ClassVar = "{weight} * 1/N sum of (1 + (r / {range})^2)^-{exponent} (v_j - v_i)"
    source: ClassVar = CUCKER_SMALE

    @property
    def formula_as_set(self) -> str:
        if self.divide_by == "flock":
            return self.formula
        return "{weight} * sum of w (v_j - v_i) / sum of w, w = (1 + (r / {range})^2)^-{exponent}"

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float, float, float, float]:
        s = self.range
        q = math.exp(-self.exponent * math.log(1.0 + other.r2 / (s * s)))
        return q, q * (other.u - me.u), q * (other.v - me.v), q * (other.w - me.w)

    def finish(self: Parameters, sums: tuple[float, float, float, float], me: Me) -> Vector3:
        n, u, v, w = sums
        if self.divide_by == "flock":
            n = me.flock_size
        if n > 0.0:
            return u / n, v / n, w / n
        return 0.0, 0.0, 0.0


class AlphaLattice(NeighbourRule):
    """A force towards a lattice of neighbours at the preferred distance, and alignment with them.

    Both decay smoothly to 0 at the radius.
    """

    distance: Scalar = quantity(gt=0, unit="length")
    """The preferred distance d."""
    epsilon: Scalar = quantity(0.1, gt=0, unit="")
    """Parameter of the sigma norm of a distance, (sqrt(1 + epsilon r^2) - 1) / epsilon."""
    a: Scalar = quantity(5.0, gt=0, unit="")
    """The largest attraction."""
    b: Scalar = quantity(5.0, gt=0, unit="")
    """The largest repulsion; at least the largest attraction, a."""
    flat: Scalar = quantity(0.2, ge=0, le=0.999, unit="")
    """The part h of the radius, in the sigma norm, up to which neighbours have the full weight."""
    alignment: Scalar = quantity(1.0, ge=0, unit="", slider=(0, 5))
    """Weight of the alignment relative to the force."""

    formula: ClassVar = (
        "{weight} * sum of phi(norm of r) n_ij + {alignment} a_ij (v_j - v_i), d = {distance}"
    )
    source: ClassVar = OLFATI_SABER

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        e = self.epsilon
        reach = sigma_norm(self.radius * self.radius, e)
        z = sigma_norm(other.r2, e)
        near = bump(z / reach, self.flat)
        c = abs(self.a - self.b) / math.sqrt(4.0 * self.a * self.b)
        t = z - sigma_norm(self.distance * self.distance, e) + c
        action = 0.5 * ((self.a + self.b) * t / math.sqrt(1.0 + t * t) + (self.a - self.b))
        q = near * action / math.sqrt(1.0 + e * other.r2)
        k = near * self.alignment
        return (
            q * other.dx + k * (other.u - me.u),
            q * other.dy + k * (other.v - me.v),
            q * other.dz + k * (other.w - me.w),
        )

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


class TendToVelocity(Rule):
    """Steers towards a given velocity: that of an unseen leader, or zero to stop."""

    velocity: Vector = quantity(unit="speed")
    """The velocity."""

    formula: ClassVar = "{weight} * ({velocity} - v_i)"
    source: ClassVar = OLFATI_SABER

    def alone(self: Parameters, me: Me) -> Vector3:
        u, v, w = self.velocity
        return u - me.u, v - me.v, w - me.w


def sigma_norm(r2: float, e: float) -> float:
    """Return the sigma norm of a distance, which is smooth at 0: (sqrt(1 + e r^2) - 1) / e."""
    return (math.sqrt(1.0 + e * r2) - 1.0) / e


def bump(z: float, flat: float) -> float:
    """Return 1 up to `flat`, a smooth decrease to 0 at 1, and 0 beyond."""
    if z < flat:
        return 1.0
    if z < 1.0:
        return 0.5 * (1.0 + math.cos(math.pi * (z - flat) / (1.0 - flat)))
    return 0.0
