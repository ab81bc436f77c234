"""Motions: from the steering vector to the next velocity.

A motion with a constant or smallest speed keeps to it for any steering. If the next velocity is
zero, which has no direction, the boid keeps its heading. If it is at rest too, since it started so
or an obstacle stopped it, its heading depends on its index and the number of the step: see
`heading` in rules/vectors.py.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import Motion
from murmurate.model.rule_arguments import Me, Parameters, Random, State, Vector3
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
    """Adds steering to the velocity, with limits of force, turn rate and speed."""

    mass: Scalar = quantity(1.0, gt=0, unit="mass")
    """Mass of a boid. Steering is a force, limited by max_force and divided by the mass."""

    formula: ClassVar = "v_i + dt * steering / {mass}, |v| in {min_speed} ... {max_speed}"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        k = me.dt / self.mass
        u, v, w = me.u + x * k, me.v + y * k, me.w + z * k
        u, v, w = limit_turn(me, u, v, w, self.turn_rate)
        return clamp_speed(me, u, v, w, self.min_speed, self.max_speed)


class Replace(Motion):
    """Takes steering as the next velocity, with limits of its length, turn rate and speed."""

    formula: ClassVar = "steering, |v| in {min_speed} ... {max_speed}"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        u, v, w = limit_turn(me, x, y, z, self.turn_rate)
        return clamp_speed(me, u, v, w, self.min_speed, self.max_speed)


class ConstantSpeed(Motion):
    """Turns the heading by steering, at constant speed."""

    speed: Scalar = quantity(1.0, gt=0, unit="speed")
    """The speed of all boids. A boid at rest without steering gets a heading from its index and the
    number of the step."""

    formula: ClassVar = "{speed} * unit vector along v_i + dt * steering"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        u, v, w = me.u + x * me.dt, me.v + y * me.dt, me.w + z * me.dt
        u, v, w = limit_turn(me, u, v, w, self.turn_rate)
        u, v, w = unit(u, v, w)
        return restore_speed(me, u * self.speed, v * self.speed, w * self.speed, self.speed)


class Polar(Motion):
    """Changes speed and heading apart: steering along the heading, and across it.

    The component of steering along the heading changes the speed. The component at right angles to
    it turns the heading on a circle, at the rate of that component divided by the speed, so that
    turns leave the speed as it is for any time step. With 'add' they raise it, by a factor
    sqrt(1 + (rate dt)^2) per step. Speeds do not fall below 0. A boid at rest takes steering as
    'add' does.
    """

    formula: ClassVar = (
        "(|v_i| + dt * steering along v_i) * unit vector along v_i, turned by dt * steering across "
        "it / |v_i|; |v| in {min_speed} ... {max_speed}"
    )

    def turn(self: Parameters, me: Me, x: float, y: float, z: float) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        if me.speed < NOTHING:
            u, v, w = me.u + x * me.dt, me.v + y * me.dt, me.w + z * me.dt
        else:
            hx, hy, hz = me.u / me.speed, me.v / me.speed, me.w / me.speed
            s = max(0.0, me.speed + me.dt * (x * hx + y * hy + z * hz))
            x, y, z = across(x, y, z, hx, hy, hz)
            length = math.sqrt(x * x + y * y + z * z)
            angle = me.dt * length / me.speed
            p, q = s * math.cos(angle), s * math.sin(angle) / max(length, 1e-30)
            u, v, w = p * hx + q * x, p * hy + q * y, p * hz + q * z
        u, v, w = limit_turn(me, u, v, w, self.turn_rate)
        return clamp_speed(me, u, v, w, self.min_speed, self.max_speed)


class SelfPropelled(Motion):
    """Moves at constant speed in the direction of steering, with angular noise.

    The length of the steering vector does not matter. The turn rate limits the change of heading.
    Without steering the boid keeps its heading, with noise, unless `idle` is 'stand'.
    """

    speed: Scalar = quantity(1.0, ge=0, unit="speed")
    """The speed of all boids; with idle 'stand', of those with steering. A boid at rest without
    steering gets a heading from its index and the number of the step."""
    noise: Scalar = quantity(0.0, ge=0, unit="radians", slider=(0, 2 * math.pi))
    """Angular noise. uniform: the full width, so that angles are between -1/2 and 1/2 of it; in 3-D
    directions are uniform in the cone with half this angle. gaussian: the standard deviation of the
    angle; in 3-D to a random side."""
    noise_law: Literal["uniform", "gaussian"] = "uniform"
    """The distribution of the angle."""
    idle: Literal["go-on", "stand"] = "go-on"
    """Motion without steering. go-on: keeps its heading, with noise; stand: stays at rest."""

    formula: ClassVar = "{speed} * (direction of steering, turned by {noise_law} noise {noise})"

    def turn(self: Parameters, me: Me, x: float, y: float, z: float, random: Random) -> Vector3:
        if x * x + y * y + z * z < NOTHING * NOTHING:
            if self.idle == "stand":
                return 0.0 * x, 0.0 * y, 0.0 * z
            x, y, z = me.u, me.v, me.w
        x, y, z = unit(x, y, z)
        if self.noise_law == "gaussian":
            angle, _, _, _ = gaussians(random.a, random.b, 0.0, 0.0)
            angle = self.noise * angle
        elif me.dims == 2:
            angle = self.noise * (random.a - 0.5)
        else:
            # uniform on the spherical cap: (1 - cos angle) / 2 is uniform
            largest = math.sin(0.25 * min(self.noise, 2.0 * math.pi))
            angle = 2.0 * math.asin(largest * math.sqrt(random.a))
        x, y, z = strayed(x, y, z, angle, 2.0 * math.pi * random.c, me.dims)
        k = self.speed
        u, v, w = limit_turn(me, k * x, k * y, k * z, self.turn_rate)
        if me.speed < NOTHING:  # it has no heading to keep
            u, v, w = restore_speed(me, u, v, w, k)
        return u, v, w


def clamp_speed(
    me: Me, u: float, v: float, w: float, min_speed: float, max_speed: float
) -> Vector3:
    """Return the velocity with its length clamped to `min_speed` and `max_speed`.

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
        return follow_heading(me, u, v, w, min_speed)
    return u, v, w


def restore_speed(me: Me, u: float, v: float, w: float, speed: float) -> Vector3:
    """Return a velocity of length `speed`; the boid's heading replaces one without direction.

    u, v, w  a direction that was scaled to `speed`; its length differs if there was no direction
    """
    s2 = u * u + v * v + w * w
    if abs(s2 - speed * speed) > 5e-4 * speed * speed:
        return follow_heading(me, u, v, w, speed)
    return u, v, w


def follow_heading(me: Me, u: float, v: float, w: float, speed: float) -> Vector3:
    """Return a velocity of length `speed` along the boid's heading.

    u, v, w  the velocity without direction. A negligible part of it is added, since compiled code
             may take any branch for numbers that are not finite, and these must be noticed later.
    """
    x, y, z = heading(me)
    k = speed / math.sqrt(x * x + y * y + z * z)
    return 1e-30 * u + k * x, 1e-30 * v + k * y, 1e-30 * w + k * z


def limit_turn(me: Me, u: float, v: float, w: float, turn_rate: float) -> Vector3:
    """Return the velocity with its change of direction limited by `turn_rate`.

    turn_rate  degrees per unit of time

    A reversal has no plane of rotation. Its axis is the direction at right angles to the heading
    that is closest to the z axis (in 2-D it turns in the plane). A boid without a heading may take
    any direction.
    """
    max_angle = turn_rate * me.dt * (math.pi / 180.0)
    s2 = u * u + v * v + w * w
    if max_angle >= math.pi or s2 == 0.0 or me.speed < NOTHING:
        return u, v, w
    s = math.sqrt(s2)
    hu, hv, hw = me.u / me.speed, me.v / me.speed, me.w / me.speed
    c = (u * hu + v * hv + w * hw) / s
    if c >= math.cos(max_angle):
        return u, v, w
    # the component of the new direction at right angles to the heading
    x, y, z = unit(u / s - c * hu, v / s - c * hv, w / s - c * hw)
    if c < -0.999999:
        x, y, z = unit(-hv, hu, 0.0)
        if x * x + y * y == 0.0:
            x, y, z = 1.0, 0.0, 0.0
    a, b = s * math.cos(max_angle), s * math.sin(max_angle)
    return a * hu + b * x, a * hv + b * y, a * hw + b * z


CAVAGNA = "Cavagna et al. 2015, doi:10.1007/s10955-014-1119-3"


class InertialSpin(Motion):
    """Steering changes the spin of a boid, and the spin turns its heading, at constant speed.

    This inertia makes turns travel through a flock as waves; with strong friction they spread by
    diffusion. The spin is per-boid state, 'motion.spin_x' and so on in a frame, at right angles to
    the heading. The component of steering along the heading has no effect.
    """

    speed: Scalar = quantity(1.0, gt=0, unit="speed")
    """The speed of all boids."""
    inertia: Scalar = quantity(1.0, gt=0, unit="energy*time^2", slider=(0.1, 5))
    """Rotational inertia, chi."""
    friction: Scalar = quantity(0.0, ge=0, unit="energy*time", slider=(0, 20))
    """Rotational friction, eta; 0: no damping."""
    temperature: Scalar = quantity(0.0, ge=0, unit="energy")
    """Temperature T of the noise, which acts together with the friction."""

    formula: ClassVar = (
        "ds = n x steering - {friction} / {inertia} s + noise of {temperature}, "
        "dn = s x n / {inertia}, v = {speed} n"
    )
    source: ClassVar = CAVAGNA
    states: ClassVar = ("spin_x", "spin_y", "spin_z")

    def turn(
        self: Parameters, me: Me, x: float, y: float, z: float, random: Random, state: State
    ) -> tuple[float, float, float, float, float, float]:
        x, y, z = limited(x, y, z, self.max_force)
        hx, hy, hz = unit(me.u, me.v, me.w)
        if me.speed == 0.0:
            hx, hy, hz = unit(x, y, z)
        # exact friction and noise over the step, as for a velocity in a fluid
        keep = math.exp(-self.friction * me.dt / self.inertia)
        spread = math.sqrt(self.temperature * self.inertia * (1.0 - keep * keep))
        a, b, c, _ = gaussians(random.a, random.b, random.c, random.d)
        sx = keep * state.spin_x + me.dt * (hy * z - hz * y) + spread * a
        sy = keep * state.spin_y + me.dt * (hz * x - hx * z) + spread * b
        sz = keep * state.spin_z + me.dt * (hx * y - hy * x) + spread * c
        if me.dims == 2:
            sx, sy = 0.0 * sx, 0.0 * sy
        # remove the component along the heading, which an obstacle may have changed
        k = sx * hx + sy * hy + sz * hz
        sx, sy, sz = sx - k * hx, sy - k * hy, sz - k * hz
        # rotate the heading about the spin
        s = math.sqrt(sx * sx + sy * sy + sz * sz)
        angle = s * me.dt / self.inertia
        p, q = math.cos(angle), math.sin(angle) / max(s, 1e-30)
        u = p * hx + q * (sy * hz - sz * hy)
        v = p * hy + q * (sz * hx - sx * hz)
        w = p * hz + q * (sx * hy - sy * hx)
        u, v, w = unit(u, v, w)
        k = self.speed
        u, v, w = limit_turn(me, k * u, k * v, k * w, self.turn_rate)
        u, v, w = restore_speed(me, u, v, w, k)
        return u, v, w, sx, sy, sz


class BurstAndCoast(Motion):
    """Kicks at intervals, and coasting between them, as many small fish swim.

    At a kick the heading turns by the component of steering at right angles to it, whose length is
    the angle in radians, and the boid accelerates. It then moves straight on while its speed decays
    exponentially. Steering between kicks has no effect.

    Lengths and durations of kicks are log-normally distributed and independent, or follow a
    Rayleigh distribution together. A kick begins with a step: its duration is rounded to whole
    steps, and the next kick corrects the difference. The speed in a step is the mean over the
    step, so that a boid moves exactly the length of its kick. It starts at a random time within its
    first kick, coasting. A boid at rest kicks in a random direction. A boid that meets a wall
    slides along it; in the paper another kick is drawn instead.
    """

    length: Scalar = quantity(gt=0, unit="length")
    """Mean length of a kick: the distance up to the next one."""
    length_spread: Scalar = quantity(0.5, ge=0, unit="", slider=(0, 1))
    """Standard deviation of the lengths divided by their mean; 0: equal lengths."""
    duration: Scalar = quantity(gt=0, unit="time")
    """Mean time from a kick to the next."""
    duration_spread: Scalar = quantity(0.5, ge=0, unit="", slider=(0, 1))
    """Standard deviation of the durations divided by their mean; 0: equal durations."""
    decay: Scalar = quantity(gt=0, unit="time")
    """The time in which the speed decays to 1/e."""
    kicks: Literal["log-normal", "rayleigh"] = "log-normal"
    """Distribution of lengths and durations. log-normal: each by itself; rayleigh: one number with
    a Rayleigh distribution multiplies both means, so that long kicks are as long in time, and the
    spreads are not used (Wang et al. 2025)."""

    formula: ClassVar = (
        "now and then (heading turned by the steering across it, in radians), to go {length} in "
        "{duration}; then v_i exp(-dt / {decay})"
    )
    source: ClassVar = CALOVI
    states: ClassVar = ("steps", "owed")

    def turn(
        self: Parameters, me: Me, x: float, y: float, z: float, random: Random, state: State
    ) -> tuple[float, float, float, float, float]:
        # steps: steps until the next kick, 0 before the first one
        # owed: the time by which all kicks together were too short
        fade = math.exp(-me.dt / self.decay)
        steps, owed = state.steps - 1.0, state.owed
        if state.steps == 0.0 or steps > 0.0:
            if state.steps == 0.0:
                steps = 1.0 + float(math.floor(random.d * self.duration / me.dt))
            u, v, w = fade * me.u, fade * me.v, fade * me.w
            u, v, w = clamp_speed(me, u, v, w, self.min_speed, self.max_speed)
            return u, v, w, steps, owed
        a, b, _, _ = gaussians(random.a, random.b, 0.0, 0.0)
        if self.kicks == "rayleigh":
            # two normal numbers have a length of mean sqrt(pi / 2)
            k = math.sqrt((a * a + b * b) * (2.0 / math.pi))
            length, duration = k * self.length, k * self.duration
        else:
            length = log_normal(self.length, self.length_spread, a)
            duration = log_normal(self.duration, self.duration_spread, b)
        owed = owed + duration
        steps = max(1.0, float(math.floor(owed / me.dt + 0.5)))
        owed = max(owed - steps * me.dt, -0.5 * me.dt)
        # the speed at the kick, for which the decaying speeds add up to the length
        k = length / me.dt * max(1.0 - fade, 1e-6)
        k = k / max(1.0 - math.exp(-steps * me.dt / self.decay), 1e-6 * steps)
        hx, hy, hz = unit(me.u, me.v, me.w)
        if me.speed == 0.0:
            hx, hy, hz = any_direction(random.c, random.d, me.dims)
        x, y, z = limited(x, y, z, self.max_force)
        x, y, z = across(x, y, z, hx, hy, hz)
        angle = math.sqrt(x * x + y * y + z * z)
        p, q = k * math.cos(angle), k * math.sin(angle) / max(angle, 1e-30)
        u, v, w = p * hx + q * x, p * hy + q * y, p * hz + q * z
        u, v, w = limit_turn(me, u, v, w, self.turn_rate)
        u, v, w = clamp_speed(me, u, v, w, self.min_speed, self.max_speed)
        return u, v, w, steps, owed


def log_normal(mean: float, spread: float, normal: float) -> float:
    """Return a log-normally distributed number for a standard normal one.

    mean, spread  its mean, and its standard deviation divided by the mean
    """
    variance = math.log(1.0 + spread * spread)
    return mean * math.exp(math.sqrt(variance) * normal - 0.5 * variance)
