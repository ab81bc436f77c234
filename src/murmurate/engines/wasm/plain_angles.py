"""Sine, cosine and their inverses in plain arithmetic: see plain_math.py."""

import math

import numpy as np

HALF_PI_1, HALF_PI_2 = 1.57079632673412561417e00, 6.07710050630396597660e-11
HALF_PI_3 = 2.02226624871116645580e-21
HALF_PI, PI = 1.5707963267948966, 3.141592653589793
HALF_PI_REST, PI_REST = 6.123233995736766e-17, 1.2246467991473532e-16
ROOT3 = 1.7320508075688772


def series_sin(r):
    """sin r for |r| <= pi / 4."""
    s = r * r
    p = -1.0 / 121645100408832000.0
    p = p * s + 1.0 / 355687428096000.0
    p = p * s - 1.0 / 1307674368000.0
    p = p * s + 1.0 / 6227020800.0
    p = p * s - 1.0 / 39916800.0
    p = p * s + 1.0 / 362880.0
    p = p * s - 1.0 / 5040.0
    p = p * s + 1.0 / 120.0
    p = p * s - 1.0 / 6.0
    return r + r * s * p


def series_cos(r):
    """cos r for |r| <= pi / 4."""
    s = r * r
    p = 1.0 / 2432902008176640000.0
    p = p * s - 1.0 / 6402373705728000.0
    p = p * s + 1.0 / 20922789888000.0
    p = p * s - 1.0 / 87178291200.0
    p = p * s + 1.0 / 479001600.0
    p = p * s - 1.0 / 3628800.0
    p = p * s + 1.0 / 40320.0
    p = p * s - 1.0 / 720.0
    p = p * s + 1.0 / 24.0
    return 1.0 - 0.5 * s + s * s * p


def turned(x, quarters):
    """sin(x + quarters * pi / 2)."""
    n = math.floor(x * (2.0 / PI) + 0.5)
    r = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3
    q = (np.int64(n) + quarters) & 3
    y = series_cos(r) if q & 1 else series_sin(r)
    return -y if q & 2 else y


def sin(x):
    return turned(x, 0)


def cos(x):
    return turned(x, 1)


def tan(x):
    return turned(x, 0) / turned(x, 1)


def series_atan(t):
    """arctan t for |t| <= 2 - sqrt 3."""
    z = t * t
    p = 1.0 / 33.0
    for k in range(15, 0, -1):
        p = 1.0 / (2.0 * k + 1.0) - p * z
    return t - t * z * p


def atan(x):
    t = abs(x)
    if t > 1e300:
        return math.copysign(HALF_PI, x)
    over = t > 1.0
    if over:
        t = 1.0 / t
    if t > 2.0 - ROOT3:
        y = PI / 6.0 + series_atan((ROOT3 * t - 1.0) / (ROOT3 + t))
    else:
        y = series_atan(t)
    if over:
        y = HALF_PI - (y - HALF_PI_REST)
    return math.copysign(y, x)


def atan2(y, x):
    if x != x or y != y:
        return x + y
    a, b = abs(y), abs(x)
    if a == 0.0 and b == 0.0:
        angle = 0.0
    elif a == b:
        angle = 0.25 * PI
    elif a > b:
        angle = HALF_PI - (atan(b / a) - HALF_PI_REST)
    else:
        angle = atan(a / b)
    if math.copysign(1.0, x) < 0.0:
        angle = PI - (angle - PI_REST)
    return math.copysign(angle, y)


def asin(x):
    return atan2(x, math.sqrt((1.0 - x) * (1.0 + x)))


def acos(x):
    return atan2(math.sqrt((1.0 - x) * (1.0 + x)), x)
