"""Noise whose effect does not depend on the time step: white noise, and headings that diffuse.

A random number of each step that is added to a rate has an effect that grows with the step: after
a time t the variance of the sum is t dt. These rules scale it with 1 / sqrt(dt), or draw an angle
whose variance is proportional to dt (the Euler-Maruyama method), so that the variance per time is
the same for any step.

Maruyama 1955, Continuous Markov processes and stochastic equations, doi:10.1007/BF02846028.
"""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule import Motion, Rule
from murmurate.model.rule_arguments import Me, Parameters, Random, State, Vector3
from murmurate.rules.motions import clamp_speed, limit_turn, restore_speed
from murmurate.rules.vectors import across, gaussians, heading, limited, strayed, unit

MARUYAMA = "Maruyama 1955, doi:10.1007/BF02846028"
ROMANCZUK = "Romanczuk et al. 2012, doi:10.1140/epjst/e2012-01529-y"


class WhiteNoise(Rule):
    """A random vector whose effect per time does not depend on the time step.

    With the motion 'add' velocities diffuse, with 'replace' positions do: along each axis the
    variance grows by 2 diffusion weight^2 per unit of time. A limit of the rule, or of the motion's
    force, cuts the noise, and reduces it more for shorter steps.
    """

    diffusion: Scalar = quantity(ge=0, unit="length^2/time, or speed^2/time")
    """The diffusion constant D of each axis: of velocities with the motion 'add' (of mass 1), of
    positions with 'replace' and 'active-brownian' (of mobility 1)."""

    formula: ClassVar = "{weight} * sqrt(2 {diffusion} / dt) * normal vector"
    source: ClassVar = MARUYAMA

    def alone(self: Parameters, me: Me, random: Random) -> Vector3:
        k = math.sqrt(2.0 * self.diffusion / me.dt)
        x, y, z, _ = gaussians(random.a, random.b, random.c, random.d)
        return k * x, k * y, k * z


class Turning(Motion):
    """Turns the heading by steering as an angular velocity, at constant speed.

    The component of steering at right angles to the heading is the angular velocity in radians per
    unit of time; the component along the heading has no effect. So an alignment of headings turns
    by sums of sin(theta_j - theta_i). Noise is rotational diffusion, whose effect does not depend
    on the time step: the correlation of a heading decays as exp(-rotational_diffusion t) in 2-D,
    and exp(-2 rotational_diffusion t) in 3-D.
    """

    speed: Scalar = quantity(1.0, gt=0, unit="speed")
    """The speed of all boids. A boid at rest gets a heading from its index and the number of the
    step."""
    rotational_diffusion: Scalar = quantity(0.0, ge=0, unit="radians^2/time", slider=(0, 5))
    """The rotational diffusion constant: half the variance of the angle per unit of time."""

    formula: ClassVar = (
        "{speed} * heading, turned by dt * steering across it, in radians, and by "
        "sqrt(2 {rotational_diffusion} dt) * normal number"
    )
    source: ClassVar = ROMANCZUK

    def turn(self: Parameters, me: Me, x: float, y: float, z: float, random: Random) -> Vector3:
        x, y, z = limited(x, y, z, self.max_force)
        hx, hy, hz = heading(me)
        hx, hy, hz = unit(hx, hy, hz)
        x, y, z = across(x, y, z, hx, hy, hz)
        rate = math.sqrt(x * x + y * y + z * z)
        p, q = math.cos(rate * me.dt), math.sin(rate * me.dt) / max(rate, 1e-30)
        hx, hy, hz = unit(p * hx + q * x, p * hy + q * y, p * hz + q * z)
        hx, hy, hz = diffused(hx, hy, hz, self.rotational_diffusion, me, random)
        k = self.speed
        u, v, w = limit_turn(me, k * hx, k * hy, k * hz, self.turn_rate)
        return restore_speed(me, u, v, w, k)


class ActiveBrownian(Motion):
    """Self-propulsion along a heading that diffuses, and forces that displace without inertia.

    The heading is per-boid state, 'motion.heading_x' and so on in a frame; it is that of the
    velocity at the start, and forces do not turn it. The mean squared displacement of a boid alone
    in 2-D, with white-noise of the diffusion constant D, is

        4 D t + 2 (v / Dr)^2 (Dr t - 1 + exp(-Dr t)),

    with v its speed and Dr its rotational diffusion; its persistence length is v / Dr. Speed and
    turn limits apply as elsewhere, but not to the heading.
    """

    speed: Scalar = quantity(1.0, ge=0, unit="speed")
    """The speed of self-propulsion, v."""
    mobility: Scalar = quantity(1.0, gt=0, unit="speed/force")
    """Speed per force. Steering is the force."""
    rotational_diffusion: Scalar = quantity(1.0, ge=0, unit="radians^2/time", slider=(0, 5))
    """The rotational diffusion constant of the heading, Dr: half the variance of the angle per unit
    of time in 2-D. The correlation of a heading decays as in `turning`."""

    formula: ClassVar = (
        "{speed} * heading + {mobility} * steering; the heading turns by "
        "sqrt(2 {rotational_diffusion} dt) * normal number"
    )
    source: ClassVar = ROMANCZUK
    states: ClassVar = ("heading_x", "heading_y", "heading_z")

    def turn(
        self: Parameters, me: Me, x: float, y: float, z: float, random: Random, state: State
    ) -> tuple[float, float, float, float, float, float]:
        x, y, z = limited(x, y, z, self.max_force)
        hx, hy, hz = state.heading_x, state.heading_y, state.heading_z
        if hx * hx + hy * hy + hz * hz < 0.25:  # it begins
            hx, hy, hz = heading(me)
        hx, hy, hz = unit(hx, hy, hz)
        s, m = self.speed, self.mobility
        u, v, w = limit_turn(me, s * hx + m * x, s * hy + m * y, s * hz + m * z, self.turn_rate)
        u, v, w = clamp_speed(me, u, v, w, self.min_speed, self.max_speed)
        hx, hy, hz = diffused(hx, hy, hz, self.rotational_diffusion, me, random)
        return u, v, w, hx, hy, hz


def diffused(x: float, y: float, z: float, diffusion: float, me: Me, random: Random) -> Vector3:
    """Return a unit vector rotated by the rotational diffusion of a step.

    Both are exact for any step: in 2-D a normal angle of variance 2 diffusion dt, in 3-D the angle
    of Brownian motion on a sphere, to a random side.
    """
    if me.dims == 2:
        angle, _, _, _ = gaussians(random.a, random.b, 0.0, 0.0)
        angle = math.sqrt(2.0 * diffusion * me.dt) * angle
    else:
        angle = angle_on_sphere(random.a, diffusion * me.dt)
    x, y, z = strayed(x, y, z, angle, 2.0 * math.pi * random.c, me.dims)
    return unit(x, y, z)


TERMS = 15
"""Terms of the series of `angle_on_sphere` from the time 0.07 on; the next one is below 1e-8."""


def angle_on_sphere(a: float, time: float) -> float:
    """Return the angle by which Brownian motion on a unit sphere moves, for a uniform number.

    It is the quantile of `a` of the exact distribution, within 1e-7 of the probability. With
    y = 1 - cos(angle) and P_l the Legendre polynomials, the probability up to y is

        (y + sum over l of exp(-l (l + 1) time) (P_l-1(1 - y) - P_l+1(1 - y))) / 2,

    which is inverted by bisection and Newton's method, or at short times by its expansion.

    a     uniform in [0, 1)
    time  times the diffusion constant: the mean of the cosine is exp(-2 time)

    Carlsson, Ekholm and Elvingson 2010, doi:10.1088/1751-8113/43/50/505001, have the series.
    """
    t = time
    if t < 0.07:
        # the expansion in t whose moments are exact up to t^5, for an exponential number
        e = -math.log(1.0 - a)
        y = (-3.0 + e * (168.0 + e * (149.0 + e * (52.0 + 3.0 * e)))) / 10631.25
        y = -(15.0 + e * (135.0 + e * (74.0 + 9.0 * e))) / 1417.5 + t * y
        y = (1.0 + e * (4.0 + e)) / 11.25 + t * y
        y = t * e * (2.0 + t * ((1.0 + e) / -1.5 + t * y))
        return 2.0 * math.asin(math.sqrt(min(1.0, max(0.0, 0.5 * y))))
    fade = math.exp(-2.0 * t)
    low, high, y = 0.0, 2.0, 1.0
    for k in range(11):
        x = 1.0 - y
        sum_up, density = y, 1.0
        previous, legendre = 1.0, x
        factor, power = 1.0, 1.0
        for n in range(1, TERMS + 1):
            power = power * fade
            factor = factor * power
            i = float(n)
            following = ((2.0 * i + 1.0) * x * legendre - i * previous) / (i + 1.0)
            sum_up = sum_up + factor * (previous - following)
            density = density + factor * (2.0 * i + 1.0) * legendre
            previous, legendre = legendre, following
        if sum_up < 2.0 * a:
            low = y
        else:
            high = y
        y = 0.5 * (low + high)
        if k > 7:
            y = 1.0 - x - (sum_up - 2.0 * a) / max(density, 1e-9)
            y = min(high, max(low, y))
    return 2.0 * math.asin(math.sqrt(0.5 * y))
