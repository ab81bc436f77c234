"""Vectors and limits for the functions of obstacle shapes: plain functions over scalars."""

import math

from murmurate.model.shapes import inlined

TINY = 1e-6
"""Fraction of a vector that is negligible."""

NEVER = 2.0
"""When something happens that does not, in parts of a movement."""

NO_FACE = 1e15
"""Half the height of a shape in 2-D, which has no faces across z: they are out of reach."""


@inlined
def min2(a, b):
    """Return the smaller of two numbers of one type. numba compiles it faster than `min`."""
    return b if b < a else a


@inlined
def max2(a, b):
    """Return the larger of two numbers of one type."""
    return b if b > a else a


@inlined
def clamp(x, lower, upper):
    """Return a coordinate clamped to [lower, upper]."""
    return min2(max2(x, lower), upper)


@inlined
def dot(a, b):
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def add_scaled(p, d, t):
    """Return p + t d."""
    return p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2]


@inlined
def scale(a, k):
    """Return k a."""
    return k * a[0], k * a[1], k * a[2]


def direction_beside(n, h):
    """Return the unit vector across the unit vector h nearest to n; to the left if n is along h."""
    m = add_scaled(n, h, -dot(n, h))
    length = math.sqrt(dot(m, m))
    if length > TINY:
        return scale(m, 1.0 / length)
    length = math.sqrt(h[0] * h[0] + h[1] * h[1])
    if length > TINY:
        return -h[1] / length, h[0] / length, 0.0
    return 1.0, 0.0, 0.0
