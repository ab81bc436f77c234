"""The motions: steering vector -> next velocity.

A motion that promises a speed, or a least speed, keeps it whatever the steering is. Where the next
velocity would be zero, which has no direction, the boid keeps the heading it has; where its
velocity is zero as well (it began at rest, or an obstacle stopped it), it gets a heading from its
index and the number of the step: `heading` in rules/vectors.py.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import Motion
from murmurate.model.rule_arguments import Kept, Me, Parameters, Random, Vector3
from murmurate.rules.individual import CALOVI
from murmurate.rules.vectors import (
    NOTHING,
    across,
    any_direction,
    gaussians,
    heading,
    limited,
    strayed,
    unit,
)


class Add(Motion):
    """Steering is added to the velocity, then force, turn rate and speed are limited."""

    mass: Scalar = quantity(1.0, gt=0, unit="mass")
    """Steering is a force, after its limit, and is divided by this."""

    formula: ClassVar = "v_i + dt * steering / {mass}, |v| in {min_speed} ... {max_speed}"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        k = me.dt / self.mass
        u, v, w = me.u + x * k, me.v + y * k, me.w + z * k
        u, v, w = turned(me, u, v, w, self.turn_rate)
        return between(me, u, v, w, self.min_speed, self.max_speed)


class Replace(Motion):
    """Steering is the velocity, limited."""

    formula: ClassVar = "steering, |v| in {min_speed} ... {max_speed}"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        u, v, w = turned(me, x, y, z, self.turn_rate)
        return between(me, u, v, w, self.min_speed, self.max_speed)


class ConstantSpeed(Motion):
    """Steering is added to the velocity, which keeps its length: only the heading turns."""

    speed: Scalar = quantity(1.0, gt=0, unit="speed")
    """The speed of every boid, always. With a velocity of zero and nothing to steer it, a boid gets
    a heading from its index and the number of the step."""

    formula: ClassVar = "{speed} * unit vector along v_i + dt * steering"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        u, v, w = me.u + x * me.dt, me.v + y * me.dt, me.w + z * me.dt
        u, v, w = turned(me, u, v, w, self.turn_rate)
        u, v, w = unit(u, v, w)
        return at_speed(me, u * self.speed, v * self.speed, w * self.speed, self.speed)


class SelfPropelled(Motion):
    """Steering is the direction wanted, whatever its length: the boid errs by some noise, turns
    that way as far as its turn rate lets it, and goes at constant speed. With nothing wanted it
    keeps its heading, and errs as well, unless it is set to stand."""

    speed: Scalar = quantity(1.0, ge=0, unit="speed")
    """The speed of every boid; of one that is set to stand, while something steers it. With a
    velocity of zero and nothing wanted, a boid gets a heading from its index and the number of the
    step."""
    noise: Scalar = quantity(0.0, ge=0, unit="radians", slider=(0, 2 * math.pi))
    """Angular noise. uniform: the whole width, so that the direction is turned by an angle of -1/2
    to 1/2 of it; in 3-D, anywhere in the cone of half this angle. gaussian: the standard deviation
    of the angle; in 3-D, to a side picked at random."""
    noise_law: Literal["uniform", "gaussian"] = "uniform"
    """How the angle is distributed."""
    idle: Literal["go-on", "stand"] = "go-on"
    """What it does with nothing wanted: keeps its heading, and errs as well, or stands still."""

    formula: ClassVar = "{speed} * (direction of steering, turned by {noise_law} noise {noise})"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float, random: Random) -> Vector3:
        if x * x + y * y + z * z < NOTHING * NOTHING:
            if self.idle == "stand":
                return 0.0 * x, 0.0 * y, 0.0 * z
            x, y, z = me.u, me.v, me.w
        x, y, z = unit(x, y, z)
        if self.noise_law == "gaussian":
            angle, _, _, _ = gaussians(random.a, random.b, random.c, random.d)
            angle = self.noise * angle
        elif me.dims == 2:
            angle = self.noise * (random.a - 0.5)
        else:
            # evenly over the cap: (1 - cos angle) / 2 is uniform
            most = math.sin(0.25 * min(self.noise, 2.0 * math.pi))
            angle = 2.0 * math.asin(most * math.sqrt(random.a))
        x, y, z = strayed(x, y, z, angle, 2.0 * math.pi * random.c, me.dims)
        k = self.speed
        u, v, w = turned(me, k * x, k * y, k * z, self.turn_rate)
        if me.speed < NOTHING:  # it had no heading to keep
            u, v, w = at_speed(me, u, v, w, k)
        return u, v, w


def between(me: Me, u: float, v: float, w: float, min_speed: float, max_speed: float) -> Vector3:
    """Return the velocity with its length brought between `min_speed` and `max_speed`.

    A velocity of zero is raised to `min_speed` along the boid's heading, see `heading`.
    """
    s2 = u * u + v * v + w * w
    if s2 > max_speed * max_speed:
        k = max_speed / math.sqrt(s2)
        return u * k, v * k, w * k
    if s2 < min_speed * min_speed and s2 > NOTHING * NOTHING:
        k = min_speed / math.sqrt(s2)
        return u * k, v * k, w * k
    if s2 < min_speed * min_speed:
        return along_heading(me, u, v, w, min_speed)
    return u, v, w


def at_speed(me: Me, u: float, v: float, w: float, speed: float) -> Vector3:
    """Return a velocity that was brought to `speed`; where it had no direction to be brought to it,
    the velocity along the boid's heading."""
    s2 = u * u + v * v + w * w
    if abs(s2 - speed * speed) > 5e-4 * speed * speed:
        return along_heading(me, u, v, w, speed)
    return u, v, w


def along_heading(me: Me, u: float, v: float, w: float, speed: float) -> Vector3:
    """Return the velocity of a boid that goes on along its heading.

    u, v, w  the velocity that had no direction. It counts for nothing, but is not left out: kernels
             may take any branch with numbers that are not finite, and these must not be lost
    """
    x, y, z = heading(me)
    k = speed / math.sqrt(x * x + y * y + z * z)
    return 1e-30 * u + k * x, 1e-30 * v + k * y, 1e-30 * w + k * z


def turned(me: Me, u: float, v: float, w: float, turn_rate: float) -> Vector3:
    """(u, v, w), its direction brought within `turn_rate` (degrees a time unit) of the present one.

    An exact about-turn has no plane to turn in; it is taken about the axis at right angles to the
    heading that lies nearest the z axis (in 2-D: in the plane). A boid without a
    heading may go in any direction.
    """
    most = turn_rate * me.dt * (math.pi / 180.0)
    s2 = u * u + v * v + w * w
    if most >= math.pi or s2 == 0.0 or me.speed < NOTHING:
        return u, v, w
    s = math.sqrt(s2)
    hu, hv, hw = me.u / me.speed, me.v / me.speed, me.w / me.speed
    c = (u * hu + v * hv + w * hw) / s
    if c >= math.cos(most):
        return u, v, w
    # the part of the new direction across the heading
    x, y, z = unit(u / s - c * hu, v / s - c * hv, w / s - c * hw)
    if c < -0.999999:
        x, y, z = unit(-hv, hu, 0.0)
        if x * x + y * y == 0.0:
            x, y, z = 1.0, 0.0, 0.0
    a, b = s * math.cos(most), s * math.sin(most)
    return a * hu + b * x, a * hv + b * y, a * hw + b * z


CAVAGNA = "Cavagna et al. 2015, doi:10.1007/s10955-014-1119-3"


class InertialSpin(Motion):
    """Steering turns no heading at once: it changes the boid's spin, and the spin turns the
    heading. So a turn crosses a flock as a wave; friction makes it a slow spreading instead.

    The spin is kept from step to step (a frame has it as 'motion.spin_x', ...) and stands at right
    angles to the heading. What steering has along the heading does nothing.
    """

    speed: Scalar = quantity(1.0, gt=0, unit="speed")
    """The speed of every boid, always."""
    inertia: Scalar = quantity(1.0, gt=0, unit="energy*time^2", slider=(0.1, 5))
    """The inertia against turning, chi."""
    friction: Scalar = quantity(0.0, ge=0, unit="energy*time", slider=(0, 20))
    """The friction of turning, eta; 0: turns are never damped."""
    temperature: Scalar = quantity(0.0, ge=0, unit="energy")
    """The strength of the noise, T, which comes with the friction."""

    formula: ClassVar = (
        "ds = n x steering - {friction} / {inertia} s + noise of {temperature}, "
        "dn = s x n / {inertia}, v = {speed} n"
    )
    source: ClassVar = CAVAGNA
    keeps: ClassVar = ("spin_x", "spin_y", "spin_z")

    def turn(
        self: Parameters, me: Me, x: float, y: float, z: float, random: Random, kept: Kept
    ) -> tuple[float, float, float, float, float, float]:
        x, y, z = limited(x, y, z, self.max_force)
        hx, hy, hz = unit(me.u, me.v, me.w)
        if me.speed == 0.0:
            hx, hy, hz = unit(x, y, z)
        # friction and noise over the step, as for a velocity in a fluid
        keep = math.exp(-self.friction * me.dt / self.inertia)
        spread = math.sqrt(self.temperature * self.inertia * (1.0 - keep * keep))
        a, b, c, _ = gaussians(random.a, random.b, random.c, random.d)
        sx = keep * kept.spin_x + me.dt * (hy * z - hz * y) + spread * a
        sy = keep * kept.spin_y + me.dt * (hz * x - hx * z) + spread * b
        sz = keep * kept.spin_z + me.dt * (hx * y - hy * x) + spread * c
        if me.dims == 2:
            sx, sy = 0.0 * sx, 0.0 * sy
        # across the heading: what lies along it turns nothing (an obstacle may have turned it)
        k = sx * hx + sy * hy + sz * hz
        sx, sy, sz = sx - k * hx, sy - k * hy, sz - k * hz
        # the heading goes round the spin
        s = math.sqrt(sx * sx + sy * sy + sz * sz)
        angle = s * me.dt / self.inertia
        p, q = math.cos(angle), math.sin(angle) / max(s, 1e-30)
        u = p * hx + q * (sy * hz - sz * hy)
        v = p * hy + q * (sz * hx - sx * hz)
        w = p * hz + q * (sx * hy - sy * hx)
        u, v, w = unit(u, v, w)
        k = self.speed
        u, v, w = turned(me, k * u, k * v, k * w, self.turn_rate)
        u, v, w = at_speed(me, u, v, w, k)
        return u, v, w, sx, sy, sz


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
