"""Mathematical functions in plain arithmetic, which have the same bits in every browser.

They take and return float64, and each module contains those that it calls. Arguments are reduced
to a small interval as in Cody and Waite 1980, Software Manual for the Elementary Functions. The
power series is summed there, with as many terms as float64 resolves. The logarithm uses the
series of artanh: log m = 2 artanh((m - 1) / (m + 1)).

Results are within 4 units in the last place of float64, those of pow within a relative error of
1e-13, and those of angles up to 1e6 radians. So nearly all results that are rounded to float32 are
the nearest float32.
"""

import math

import numpy as np

from murmurate.engines.wasm.target import bits_of, from_bits

# --- sine, cosine and their inverses

HALF_PI_1, HALF_PI_2 = 1.57079632673412561417e00, 6.07710050630396597660e-11
HALF_PI_3 = 2.02226624871116645580e-21
HALF_PI, PI = 1.5707963267948966, 3.141592653589793
HALF_PI_REST, PI_REST = 6.123233995736766e-17, 1.2246467991473532e-16
ROOT3 = 1.7320508075688772


def series_sin(r):
    """Return sin(r) for |r| <= pi / 4."""
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
    """Return cos(r) for |r| <= pi / 4."""
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


def shifted_sin(x, quarters):
    """Return sin(x + quarters * pi / 2)."""
    n = math.floor(x * (2.0 / PI) + 0.5)
    r = ((x - n * HALF_PI_1) - n * HALF_PI_2) - n * HALF_PI_3
    q = (np.int64(n) + quarters) & 3
    y = series_cos(r) if q & 1 else series_sin(r)
    return -y if q & 2 else y


def sin(x):
    return shifted_sin(x, 0)


def cos(x):
    return shifted_sin(x, 1)


def tan(x):
    return shifted_sin(x, 0) / shifted_sin(x, 1)


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


# --- exponentials, logarithms, powers and remainders

LN2 = 0.6931471805599453
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
ROOT2 = 1.4142135623730951
MANTISSA, ONE, EXPONENT = (1 << 52) - 1, 1023 << 52, 0x7FF
INF = math.inf


def series_exp(r):
    """Return exp(r) - 1 for |r| <= 0.35."""
    p = 1.0 / 87178291200.0
    p = p * r + 1.0 / 6227020800.0
    p = p * r + 1.0 / 479001600.0
    p = p * r + 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    return r + r * r * p


def power_of_2(k):
    """Return 2^k for an integer from -1022 to 1023."""
    return from_bits((k + 1023) << 52)


def scale(y, k):
    """Return y * 2^k."""
    k = min(max(k, -2044), 2046)
    half = k >> 1
    return y * power_of_2(half) * power_of_2(k - half)


def exp(x):
    if x > 709.79:
        return INF
    if x < -745.2:
        return 0.0
    if x != x:
        return x
    n = math.floor(x * (1.0 / LN2) + 0.5)
    y = 1.0 + series_exp((x - n * LN2_HIGH) - n * LN2_LOW)
    return scale(y, np.int64(n))


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


def log(x):
    if not x > 0.0:
        return -INF if x == 0.0 else INF - INF
    if x == INF:
        return x
    e = exponent(x)
    m = from_bits((bits_of(x if e > -1023 else x * 18014398509481984.0) & MANTISSA) | ONE)
    if m > ROOT2:
        m, e = 0.5 * m, e + 1
    f = m - 1.0
    s = f / (m + 1.0)
    z = s * s
    p = 1.0 / 23.0
    p = p * z + 1.0 / 21.0
    p = p * z + 1.0 / 19.0
    p = p * z + 1.0 / 17.0
    p = p * z + 1.0 / 15.0
    p = p * z + 1.0 / 13.0
    p = p * z + 1.0 / 11.0
    p = p * z + 1.0 / 9.0
    p = p * z + 1.0 / 7.0
    p = p * z + 1.0 / 5.0
    p = p * z + 1.0 / 3.0
    # log m = f - s (f - 2 z p), which reduces the effect of the rounding of s
    return e * LN2_HIGH + (f - s * (f - 2.0 * z * p) + e * LN2_LOW)


def log1p(x):
    u = 1.0 + x
    # Goldberg 1991, doi:10.1145/103162.103163, theorem 4
    return x if u == 1.0 else log(u) * (x / (u - 1.0))


def log2(x):
    return log(x) * (1.0 / LN2)


def log10(x):
    return log(x) * (1.0 / 2.302585092994046)


def pow(x, y):
    if y == 0.0 or x == 1.0:
        return 1.0
    if x != x or y != y:
        return x + y
    is_integer = abs(y) >= 4503599627370496.0 or math.floor(y) == y
    is_odd = is_integer and abs(y) < 9007199254740992.0 and (np.int64(y) & 1) == 1
    if x < 0.0 and not is_integer and x > -INF:
        return INF - INF
    a = abs(x)
    if a == 0.0:
        size = 0.0 if y > 0.0 else INF
    elif a == 1.0:
        size = 1.0
    else:
        size = exp(y * log(a))
    return math.copysign(size, x) if is_odd else size


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
