"""Mathematical functions in plain arithmetic, which have the same bits in every browser.

They take and return float64, and each module contains those that it calls. exp, log, pow, sin and
cos are those of kernels: see language/mathematics.py.

Results are within 4 units in the last place of float64, those of pow within a relative error of
1e-13, and those of angles up to 1e6 radians. So nearly all results that are rounded to float32 are
the nearest float32.
"""

import math

import numpy as np

from murmurate.engines.wasm.target import bits_of, from_bits
from murmurate.language.mathematics import functions_of

FUNCTIONS = {
    name.removesuffix("_real"): function for name, function in functions_of("float64").items()
}
"""Functions of kernels in float64, which pages compute as kernels do."""
exp, log, turned = (FUNCTIONS[name] for name in ("exp", "log", "turned"))

# --- tangents and inverse functions

HALF_PI, PI = 1.5707963267948966, 3.141592653589793
HALF_PI_REST, PI_REST = 6.123233995736766e-17, 1.2246467991473532e-16
ROOT3 = 1.7320508075688772


def tan(x):
    return turned(x, 0.0) / turned(x, 1.0)


def series_atan(t):
    """Return arctan(t) for |t| <= 2 - sqrt(3)."""
    z = t * t
    p = 1.0 / 33.0
    for k in range(15, 0, -1):
        p = 1.0 / (2.0 * k + 1.0) - p * z
    return t - t * z * p


def atan(x):
    t = abs(x)
    if t > 1e300:
        return math.copysign(HALF_PI, x)
    inverted = t > 1.0
    if inverted:
        t = 1.0 / t
    if t > 2.0 - ROOT3:
        y = PI / 6.0 + series_atan((ROOT3 * t - 1.0) / (ROOT3 + t))
    else:
        y = series_atan(t)
    if inverted:
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


# --- exponentials, logarithms and remainders

LN2, INF, EXPONENT = 0.6931471805599453, math.inf, 0x7FF
SERIES = tuple(1.0 / math.factorial(k) for k in range(13, 1, -1))


def series_exp(r):
    """Return exp(r) - 1 for |r| <= 0.35."""
    p = 1.0 / 87178291200.0
    for term in SERIES:
        p = p * r + term
    return r + r * r * p


def power_of_2(k):
    """Return 2^k for an integer from -1022 to 1023."""
    return from_bits((k + 1023) << 52)


def scale(y, k):
    """Return y * 2^k."""
    k = min(max(k, -2044), 2046)
    half = k >> 1
    return y * power_of_2(half) * power_of_2(k - half)


def expm1(x):
    return series_exp(x) if abs(x) < 0.35 else exp(x) - 1.0


def exp2(x):
    x = min(max(x, -2000.0), 2000.0)
    n = math.floor(x + 0.5)
    return scale(1.0 + series_exp((x - n) * LN2), np.int64(n))


def exponent(x):
    """Return the exponent of 2 of a positive finite number."""
    if x < 2.2250738585072014e-308:
        return ((bits_of(x * 18014398509481984.0) >> 52) & EXPONENT) - 1023 - 54
    return ((bits_of(x) >> 52) & EXPONENT) - 1023


def log1p(x):
    u = 1.0 + x
    # Goldberg 1991, doi:10.1145/103162.103163, theorem 4
    return x if u == 1.0 else log(u) * (x / (u - 1.0))


def log2(x):
    return log(x) * (1.0 / LN2)


def log10(x):
    return log(x) * (1.0 / 2.302585092994046)


def sinh(x):
    a = abs(x)
    if a > 700.0:
        half = exp(0.5 * a)
        y = (0.5 * half) * half
    else:
        e = expm1(a)
        y = 0.5 * (e + e / (e + 1.0))
    return math.copysign(y, x)


def cosh(x):
    half = exp(0.5 * abs(x))
    return 0.5 * half * half + 0.5 / half / half


def tanh(x):
    a = abs(x)
    y = 1.0
    if a < 20.0:
        e = expm1(2.0 * a)
        y = e / (e + 2.0)
    return math.copysign(y, x) if x == x else x


def asinh(x):
    a = abs(x)
    y = log(a) + LN2 if a > 1e150 else (log1p(a + a * a / (1.0 + math.sqrt(a * a + 1.0))))
    return math.copysign(y, x)


def acosh(x):
    if x > 1e150:
        return log(x) + LN2
    t = x - 1.0
    return log1p(t + math.sqrt(2.0 * t + t * t))


def atanh(x):
    a = abs(x)
    return math.copysign(0.5 * log1p(2.0 * a / (1.0 - a)), x)


def fmod(x, y):
    """Return the exact remainder: each subtraction is of numbers within a factor of two."""
    r, d = abs(x), abs(y)
    if not (r < INF and d > 0.0):
        return INF - INF
    while r >= d:
        k = exponent(r) - exponent(d)
        t = scale(scale(d, k >> 1), k - (k >> 1))
        if t > r:
            t = 0.5 * t
        r = r - t
    return math.copysign(r, x)


def hypot(x, y):
    a, b = max(abs(x), abs(y)), min(abs(x), abs(y))
    if a == 0.0 or a == math.inf or b == math.inf:
        return a + b
    r = b / a
    return a * math.sqrt(1.0 + r * r)
