"""Vector functions for rules: plain functions over three numbers, compiled into kernels."""

from __future__ import annotations

import math

from murmurate.model.rule_arguments import Me, Vector3


def limited(x: float, y: float, z: float, longest: float) -> Vector3:
    """Return the vector, shortened to the length `longest` if it is longer."""
    r2 = x * x + y * y + z * z
    if r2 > longest * longest:
        k = longest / math.sqrt(r2)
        return x * k, y * k, z * k
    return x, y, z


def unit(x: float, y: float, z: float) -> Vector3:
    """Return the vector scaled to length 1; a zero vector stays zero."""
    r2 = x * x + y * y + z * z
    if r2 > 0.0:
        k = 1.0 / math.sqrt(r2)
        return x * k, y * k, z * k
    return x, y, z


NOTHING = 1e-18
"""The smallest speed with a direction. Below it, the squares of components are too small for
float32."""


def heading(me: Me) -> Vector3:
    """Return a non-zero vector along the boid's heading: its velocity.

    A boid at rest gets a heading from its index and the number of the step: see `spread_out`.
    """
    if me.speed < NOTHING:
        return spread_out(me)
    return me.u, me.v, me.w


def spread_out(me: Me) -> Vector3:
    """Return a unit vector that depends only on the boid's index and the number of the step.

    The sum k of the two selects a point of an additive sequence, which covers all directions
    evenly. In 2-D the angle is k times the golden angle, so that one of any three successive steps
    leads away from a straight wall. In 3-D the height on the unit sphere and the angle around its
    axis are the fractional parts of k / p and k / p^2, where p^3 = p + 1.

    Weyl 1916, Ueber die Gleichverteilung von Zahlen mod. Eins, doi:10.1007/BF01475864.
    """
    index = float(me.index)
    step = float(math.floor(me.time / me.dt + 0.5))
    # each is below 4096, for which float32 keeps the fractional part of the product
    k = index - 4096.0 * float(math.floor(index / 4096.0))
    k = k + step - 4096.0 * float(math.floor(step / 4096.0))
    if me.dims == 2:
        angle = 0.6180339887498949 * k
        angle = 2.0 * math.pi * (angle - float(math.floor(angle)))
        return math.cos(angle), math.sin(angle), 0.0
    angle, height = 0.5698402909980532 * k, 0.7548776662466927 * k + 0.5
    angle = 2.0 * math.pi * (angle - float(math.floor(angle)))
    height = 2.0 * (height - float(math.floor(height))) - 1.0
    r = math.sqrt(max(0.0, 1.0 - height * height))
    return r * math.cos(angle), r * math.sin(angle), height


def across(x: float, y: float, z: float, hx: float, hy: float, hz: float) -> Vector3:
    """Return the component of (x, y, z) at right angles to the unit vector (hx, hy, hz)."""
    k = x * hx + y * hy + z * hz
    return x - k * hx, y - k * hy, z - k * hz


def strayed(x: float, y: float, z: float, angle: float, around: float, dims: int) -> Vector3:
    """Return the unit vector (x, y, z) rotated by an angle in radians.

    It turns counterclockwise in 2-D. In 3-D it turns to the side that `around` selects, an angle
    in radians.
    """
    c, s = math.cos(angle), math.sin(angle)
    if dims == 2:
        return c * x - s * y, s * x + c * y, z
    # two unit vectors at right angles to it
    px, py, pz = unit(-y, x, 0.0)
    if z * z > 0.81:
        px, py, pz = unit(0.0, -z, y)
    qx, qy, qz = y * pz - z * py, z * px - x * pz, x * py - y * px
    a, b = s * math.cos(around), s * math.sin(around)
    return c * x + a * px + b * qx, c * y + a * py + b * qy, c * z + a * pz + b * qz


def steer(x: float, y: float, z: float, me: Me) -> Vector3:
    """Return Reynolds' steering force towards full speed along (x, y, z); 0 for a zero vector.

    It is the desired velocity minus the present one, limited to the largest force.

    Reynolds 1999, Steering behaviors for autonomous characters (Game Developers Conference).
    """
    if x * x + y * y + z * z > 0.0:
        x, y, z = unit(x, y, z)
        k = me.max_speed
        return limited(x * k - me.u, y * k - me.v, z * k - me.w, me.max_force)
    return x, y, z


def gaussians(a: float, b: float, c: float, d: float) -> tuple[float, float, float, float]:
    """Return four independent standard normal numbers for four uniform ones.

    Box and Muller 1958, doi:10.1214/aoms/1177706645.
    """
    r = math.sqrt(-2.0 * math.log(1.0 - a))
    s = math.sqrt(-2.0 * math.log(1.0 - c))
    t = 2.0 * math.pi * b
    p = 2.0 * math.pi * d
    return r * math.cos(t), r * math.sin(t), s * math.cos(p), s * math.sin(p)


def any_direction(a: float, b: float, dims: int) -> Vector3:
    """Return a unit vector, uniform over all directions, for two uniform random numbers.

    In 2-D it does not depend on `b`. In 3-D the height on the unit sphere is uniform.
    """
    t = 2.0 * math.pi * a
    if dims == 2:
        return math.cos(t), math.sin(t), 0.0
    z = 2.0 * b - 1.0
    r = math.sqrt(1.0 - z * z)
    return r * math.cos(t), r * math.sin(t), z
