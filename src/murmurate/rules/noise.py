"""Rules of noise. A random number is a function of seed, step, boid and rule."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import Rule
from murmurate.model.rule_arguments import Me, Parameters, Random, Vector3
from murmurate.rules.places import HEPPNER_GRENANDER
from murmurate.rules.vectors import any_direction, gaussians

CALOVI = "Calovi et al. 2018, doi:10.1371/journal.pcbi.1005933"


class RandomSteering(Rule):
    """A fresh random vector each step."""

    law: Literal["uniform", "gaussian", "direction"] = "uniform"
    """uniform: each component uniform in [-1, 1); gaussian: standard normal; direction: a unit
    vector, all directions equally likely."""

    formula: ClassVar = "{weight} * random vector ({law})"
    source: ClassVar = "common practice"

    def alone(self: Parameters, me: Me, random: Random) -> Vector3:
        if self.law == "direction":
            return any_direction(random.a, random.b, random.c, random.d, me.dims)
        if self.law == "uniform":
            return 2.0 * random.a - 1.0, 2.0 * random.b - 1.0, 2.0 * random.c - 1.0
        x, y, z, _ = gaussians(random.a, random.b, random.c, random.d)
        return x, y, z


class PoissonKicks(Rule):
    """Sudden impulses at random moments, a Poisson process: gusts, or the bursts of a swimmer."""

    rate: Scalar = quantity(ge=0, unit="1/time")
    """Mean number of kicks a time unit."""
    size: Scalar = quantity(1.0, ge=0, unit="speed")
    """How much a kick changes the velocity: gaussian, the standard deviation of each component;
    forward, each kick's length."""
    law: Literal["gaussian", "forward"] = "gaussian"
    """gaussian: to any side, normally distributed; forward: along the heading, each alike. With a
    speed regulation that slows down, forward kicks make a swimmer that bursts and coasts."""

    formula: ClassVar = "{weight} * {law} kicks of {size} at {rate} a time unit"
    source: ClassVar = f"{HEPPNER_GRENANDER}; forward: after {CALOVI} (burst-and-coast)"

    def alone(self: Parameters, me: Me, random: Random) -> Vector3:
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
        if self.law == "forward":
            if me.speed == 0.0:
                return 0.0, 0.0, 0.0
            k = self.size * count / (me.dt * me.speed)
            return me.u * k, me.v * k, me.w * k
        left = min(a / max(p, 1e-30), 0.9999999)
        x, y, z, _ = gaussians(left, random.b, random.c, random.d)
        # The sum of `count` independent normal kicks; over dt, since steering is a rate of change.
        k = self.size * math.sqrt(count) / me.dt
        return x * k, y * k, z * k
