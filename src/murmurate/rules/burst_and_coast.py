"""A motion of kicks and coasting, as many small fish swim."""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.motion import Motion
from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule_arguments import Kept, Me, Parameters, Random
from murmurate.rules.motions import between, turned
from murmurate.rules.noise import CALOVI
from murmurate.rules.vectors import across, any_direction, gaussians, limited, unit


class BurstAndCoast(Motion):
    """A kick now and then, and coasting between: at a kick the heading turns by the steering vector
    across it, as many radians as that is long, and the boid bursts forward; then it goes straight
    on, and its speed fades exponentially. What is steered between kicks does nothing.

    Kicks have lengths and durations of their own, log-normally distributed, and begin with a step:
    a duration is rounded to whole steps, and what is lost or won is made up by the next. The speed
    of a step is its mean speed, so that from kick to kick a boid goes the length of its kick. It
    begins at a random moment of a first kick, coasting, and kicks in a random direction where it
    is at rest. Where a kick leads to a wall the boid slides along it, as along any obstacle; in the
    paper such a kick is drawn anew.
    """

    length: Scalar = quantity(gt=0, unit="length")
    """How far a kick leads, up to the next: the mean."""
    length_spread: Scalar = quantity(0.5, ge=0, unit="", slider=(0, 1))
    """The standard deviation of lengths, as a part of the mean; 0: all alike."""
    duration: Scalar = quantity(gt=0, unit="time")
    """The time from kick to kick: the mean."""
    duration_spread: Scalar = quantity(0.5, ge=0, unit="", slider=(0, 1))
    """The standard deviation of durations, as a part of the mean; 0: all alike."""
    decay: Scalar = quantity(gt=0, unit="time")
    """In this time the speed falls to 1/e."""

    formula: ClassVar = (
        "now and then (heading turned by the steering across it, in radians), to go {length} in "
        "{duration}; then v_i exp(-dt / {decay})"
    )
    source: ClassVar = CALOVI
    keeps: ClassVar = ("steps", "owed")

    def turn(
        self: Parameters, me: Me, x: float, y: float, z: float, random: Random, kept: Kept
    ) -> tuple[float, float, float, float, float]:
        # steps: how many until the next kick; 0: it has not kicked yet. owed: the time by which the
        # kicks until now were too short.
        fade = math.exp(-me.dt / self.decay)
        steps, owed = kept.steps - 1.0, kept.owed
        if kept.steps == 0.0:
            steps = 1.0 + float(math.floor(random.d * self.duration / me.dt))
        if steps > 0.0:
            u, v, w = fade * me.u, fade * me.v, fade * me.w
            u, v, w = between(me, u, v, w, self.min_speed, self.max_speed)
            return u, v, w, steps, owed
        a, b, _, _ = gaussians(random.a, random.b, random.c, random.d)
        owed = owed + log_normal(self.duration, self.duration_spread, b)
        steps = max(1.0, float(math.floor(owed / me.dt + 0.5)))
        owed = max(owed - steps * me.dt, -0.5 * me.dt)
        # the speed that fades step by step to add up to the length (evenly where none fades)
        k = log_normal(self.length, self.length_spread, a) / me.dt * max(1.0 - fade, 1e-6)
        k = k / max(1.0 - math.exp(-steps * me.dt / self.decay), 1e-6 * steps)
        hx, hy, hz = unit(me.u, me.v, me.w)
        if me.speed == 0.0:
            hx, hy, hz = any_direction(random.a, random.b, random.c, random.d, me.dims)
        x, y, z = limited(x, y, z, self.max_force)
        x, y, z = across(x, y, z, hx, hy, hz)
        angle = math.sqrt(x * x + y * y + z * z)
        p, q = k * math.cos(angle), k * math.sin(angle) / max(angle, 1e-30)
        u, v, w = p * hx + q * x, p * hy + q * y, p * hz + q * z
        u, v, w = turned(me, u, v, w, self.turn_rate)
        u, v, w = between(me, u, v, w, self.min_speed, self.max_speed)
        return u, v, w, steps, owed


def log_normal(mean: float, spread: float, normal: float) -> float:
    """A log-normally distributed number from a standard normal one, by its mean and its standard
    deviation as a part of that."""
    variance = math.log(1.0 + spread * spread)
    return mean * math.exp(math.sqrt(variance) * normal - 0.5 * variance)
