"""Herding: a shepherd that collects and drives a flock, and animals that graze."""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model import rule_arguments
from murmurate.model.quantity import FlockNames, Scalar, Vector, quantity
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.rule_arguments import Me, Other, Parameters, Random, Vector3
from murmurate.rules.vectors import any_direction, unit

STROMBOM = "Strombom et al. 2014, doi:10.1098/rsif.2014.0719"


class Herd(NeighbourRule):
    """Drives a flock to a target, as a shepherd.

    While an animal is too far from the centre of the flock, the shepherd goes behind the farthest
    one, to drive it back (collecting). Otherwise it goes behind the flock, to drive it to the
    target (driving). It stops while an animal is too near.
    """

    senses: FlockNames
    """The flock or flocks that it herds."""
    target: Vector = quantity(unit="length")
    """The position to which they are driven."""
    spacing: Scalar = quantity(gt=0, unit="length")
    """Distance between neighbours in the flock. Of N animals, those farther than spacing * N^(2/3)
    from the centre are collected. The shepherd goes this distance behind one, and
    spacing * N^(1/2) behind the flock."""
    stop: Scalar = quantity(0.0, ge=0, unit="length")
    """The distance below which an animal is too near."""
    noise: Scalar = quantity(0.0, ge=0, unit="", slider=(0, 2))
    """Length of a random vector that is added to the direction, before it is scaled to length 1."""

    formula: ClassVar = (
        "{weight} * unit vector to (farthest + {spacing} away from the centre, if it is too far; "
        "else centre + {spacing} sqrt(N) away from {target})"
    )
    source: ClassVar = STROMBOM
    goal: ClassVar = "target"

    def pair(self: Parameters, me: Me, other: Other) -> tuple[float]:
        if other.distance < self.stop:
            return (1.0,)
        return (0.0,)

    def finish(
        self: Parameters, sums: tuple[float], me: Me, random: Random, herd: rule_arguments.Herd
    ) -> Vector3:
        if sums[0] > 0.0 or herd.count == 0.0:
            return 0.0, 0.0, 0.0
        px, py, pz = self.target
        back = self.spacing
        # its target position relative to the flock's centre: behind the farthest animal, or behind
        # the centre as seen from the target
        x, y, z = herd.far_x - herd.x, herd.far_y - herd.y, herd.far_z - herd.z
        bx, by, bz = x, y, z
        if herd.spread <= self.spacing * herd.count ** (2.0 / 3.0):
            x, y, z = me.x + herd.x - px, me.y + herd.y - py, me.z + herd.z - pz
            bx, by, bz = 0.0 * x, 0.0 * y, 0.0 * z
            back = self.spacing * math.sqrt(herd.count)
        x, y, z = unit(x, y, z)
        x, y, z = unit(herd.x + bx + back * x, herd.y + by + back * y, herd.z + bz + back * z)
        a, b, c = any_direction(random.a, random.b, me.dims)
        return unit(x + self.noise * a, y + self.noise * b, z + self.noise * c)


class Graze(Rule):
    """A step in a random direction with some probability, otherwise zero."""

    chance: Scalar = quantity(0.05, ge=0, le=1, unit="")
    """The probability of a step in a random direction, in each step."""

    formula: ClassVar = "{weight} * random direction, with probability {chance}"
    source: ClassVar = STROMBOM

    def alone(self: Parameters, me: Me, random: Random) -> Vector3:
        a = random.a
        if a >= self.chance:
            return 0.0, 0.0, 0.0
        # numbers below the chance, divided by it, are uniform again
        return any_direction(min(a / self.chance, 0.9999999), random.b, me.dims)
