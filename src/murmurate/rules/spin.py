"""A motion with inertia in its turning: headings carry a spin, and turns travel as waves."""

from __future__ import annotations

import math
from typing import ClassVar

from murmurate.model.motion import Motion
from murmurate.model.quantity import Scalar, quantity
from murmurate.model.rule_arguments import Kept, Me, Parameters, Random
from murmurate.rules.motions import at_speed, turned
from murmurate.rules.vectors import gaussians, limited, unit

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
