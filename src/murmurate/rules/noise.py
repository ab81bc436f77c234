"""Rules of chance. Random numbers are a law, not a stream: f(seed, step, boid, rule)."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import Rule
from murmurate.rules.places import HEPPNER_GRENANDER
from murmurate.rules.vectors import any_direction, gaussians


class RandomSteering(Rule):
    """A fresh random vector each step."""

    law: Literal["uniform", "gaussian", "direction"] = "uniform"
    """uniform: each component uniform in [-1, 1); gaussian: standard normal; direction: a unit
    vector, all directions equally likely."""

    formula: ClassVar = "{weight} * random vector ({law})"
    source: ClassVar = "common practice"

    def alone(self, me, random):
        if self.law == "direction":
            return any_direction(random.a, random.b, random.c, random.d, me.dims)
        if self.law == "uniform":
            return 2.0 * random.a - 1.0, 2.0 * random.b - 1.0, 2.0 * random.c - 1.0
        x, y, z, _ = gaussians(random.a, random.b, random.c, random.d)
        return x, y, z


class PoissonKicks(Rule):
    """Sudden impulses at random moments: a Poisson process of normally distributed kicks."""

    rate: Scalar = quantity(ge=0, unit="1/time")
    """Mean number of kicks a time unit."""
    size: Scalar = quantity(1.0, ge=0, unit="speed")
    """Standard deviation of each component of a kick: the change of velocity."""

    formula: ClassVar = "{weight} * kicks of {size} at {rate} a time unit"
    source: ClassVar = HEPPNER_GRENANDER

    def alone(self, me, random):
        # The count of kicks in this step by inversion; what is left of the uniform number after
        # that is uniform again, and serves as the first of the four for their direction.
        mean = self.rate * me.dt
        p = math.exp(-mean)
        a = random.a
        count = 0.0
        while a >= p and count < 64.0:
            a = a - p
            count = count + 1.0
            p = p * mean / count
        if count == 0.0:
            return 0.0, 0.0, 0.0
        left = min(a / max(p, 1e-30), 0.9999999)
        x, y, z, _ = gaussians(left, random.b, random.c, random.d)
        # The sum of `count` independent normal kicks; over dt, since steering is a rate of change.
        k = self.size * math.sqrt(count) / me.dt
        return x * k, y * k, z * k
