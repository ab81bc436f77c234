"""Exponentials, logarithms, powers, sines and cosines, as functions of the language.

They have no branches, so the compiler can vectorize loops that call them, and they give the same
bits on every machine. Arguments are reduced to a small interval as in Cody and Waite 1980, Software
Manual for the Elementary Functions. A power series follows, with as many terms as the precision
holds. The constants of the reduction have few digits, so that their multiples are exact. Errors are
a few units in the last place.

The functions use sums, products and the primitives below; each back end implements the primitives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from murmurate.language.tree import Unbounded

Function = Callable[..., Any]
INFINITY = Unbounded(math.inf)
LN2_HIGH, LN2_LOW = 0.693359375, -2.121944400546905827679e-4
HALF_PI_HIGH, HALF_PI_MIDDLE = 1.5703125, 4.837512969970703125e-4
HALF_PI_LOW = 7.5497899548918821e-8


# --- primitives


def min2(a: float, b: float) -> float:
    """Return the smaller of two numbers."""
    return b if b < a else a


def max2(a: float, b: float) -> float:
    """Return the larger of two numbers."""
    return b if b > a else a


def floor(x: float) -> float:
    """Return the largest whole number <= x, as a real number."""
    return float(math.floor(x)) if math.isfinite(x) else x


def two_to(n: float) -> float:
    """Return 2^n for a whole number n; the result must be a normal number."""
    return math.ldexp(1.0, int(n)) if math.isfinite(n) else n


def exponent_of(x: float) -> float:
    """Return the n of x = m 2^n with m from 1 to 2, as a real number. x is positive and normal."""
    return float(math.frexp(x)[1] - 1) if math.isfinite(x) else x


def mantissa_of(x: float) -> float:
    """Return the m of |x| = m 2^n with m from 1 to 2. x is normal."""
    return 2.0 * math.frexp(abs(x))[0]


def double(x: float) -> float:
    """Return x in double precision."""
    return x


PRIMITIVES: dict[str, Function] = {
    function.__name__: function
    for function in (min2, max2, floor, two_to, exponent_of, mantissa_of, double)
}


# --- functions


def _sum_series(terms: Sequence[float]) -> tuple[float, tuple[float, ...]]:
    """Return the last coefficient of a series, and those before it, from the last to the first."""
    return terms[-1], tuple(terms[-2::-1])


def exp_of(single: bool) -> Function:
    """Return the exponential function. It gives 0 below the smallest normal number, and infinity
    above the largest."""
    lower, upper = (-104.0, 89.0) if single else (-746.0, 710.0)
    terms = 7 if single else 14
    last, rest = _sum_series([1.0 / math.factorial(k) for k in range(2, terms + 1)])

    def exp(x: float) -> float:
        h = min2(max2(x, lower), upper)
        n = floor(h * 1.4426950408889634 + 0.5)
        r = (h - n * LN2_HIGH) - n * LN2_LOW
        p = last
        for term in rest:
            p = p * r + term
        half = floor(n * 0.5)
        return (1.0 + (r + r * r * p)) * two_to(half) * two_to(n - half)

    return exp


def log_of(single: bool) -> Function:
    """Return the logarithm function: log m = 2 artanh((m - 1) / (m + 1))."""
    least_normal = 1.17549435e-38 if single else 2.2250738585072014e-308
    last, rest = _sum_series([1.0 / k for k in range(3, 12 if single else 24, 2)])

    def log(x: float) -> float:
        tiny = x < least_normal
        u = x * 18014398509481984.0 if tiny else x
        n, m = exponent_of(u), mantissa_of(u)
        n = n - 54.0 if tiny else n
        large = m > 1.4142135623730951
        m = m * 0.5 if large else m
        n = n + 1.0 if large else n
        f = m - 1.0
        s = f / (m + 1.0)
        z = s * s
        p = last
        for term in rest:
            p = p * z + term
        y = f - s * (f - 2.0 * z * p) + n * LN2_LOW
        y = y + n * LN2_HIGH
        y = -INFINITY if x == 0.0 else y
        y = math.nan if x < 0.0 else y
        return y if x < INFINITY else x

    return log


def pow_of(exp: Function, log: Function) -> Function:
    """Return the power function.

    exp, log  exponential and logarithm in double precision: errors grow with the logarithm
    """

    def pow(x: float, y: float) -> float:
        u, v = double(abs(x)), double(y)
        size = float(exp(v * log(u)))
        whole = floor(y) == y
        half = y * 0.5
        odd = whole and floor(half) != half
        size = 1.0 if x == 1.0 or y == 0.0 else size
        size = (0.0 if y > 0.0 else INFINITY) if x == 0.0 and y != 0.0 else size
        size = math.nan if x < 0.0 and not whole else size
        return -size if odd and x < 0.0 else size

    return pow


def turned_of(single: bool) -> Function:
    """Return the function sin(x + quarters * pi / 2), for whole numbers of quarters."""
    terms = 4 if single else 8
    series = [(-1.0) ** (k // 2) / math.factorial(k) for k in range(2 * terms + 3)]
    sine_last, sine_rest = _sum_series(series[3::2])
    cosine_last, cosine_rest = _sum_series(series[4::2])

    def turned(x: float, quarters: float) -> float:
        n = floor(x * 0.6366197723675814 + 0.5)
        r = ((x - n * HALF_PI_HIGH) - n * HALF_PI_MIDDLE) - n * HALF_PI_LOW
        s = r * r
        p = sine_last
        for term in sine_rest:
            p = p * s + term
        q = cosine_last
        for term in cosine_rest:
            q = q * s + term
        sine = r + r * s * p
        cosine = 1.0 - 0.5 * s + s * s * q
        turns = n + quarters
        turns = turns - 4.0 * floor(turns * 0.25)
        y = cosine if turns == 1.0 or turns == 3.0 else sine
        return -y if turns >= 2.0 else y

    return turned


def sin_of(turned: Function) -> Function:
    """Return the sine function."""

    def sin(x: float) -> float:
        return turned(x, 0.0)  # type: ignore[no-any-return]

    return sin


def cos_of(turned: Function) -> Function:
    """Return the cosine function."""

    def cos(x: float) -> float:
        return turned(x, 1.0)  # type: ignore[no-any-return]

    return cos


@lru_cache(maxsize=2)
def functions_of(dtype: str) -> dict[str, Function]:
    """Return the functions for a precision, by their names in kernels.

    Names that end with '_float64' are in double precision for either `dtype`.

    dtype  'float32' or 'float64'
    """
    single = dtype == "float32"
    functions = {"exp_real": exp_of(single), "log_real": log_of(single)}
    exp, log = functions["exp_real"], functions["log_real"]
    if single:
        exp, log = functions["exp_float64"], functions["log_float64"] = exp_of(False), log_of(False)
    turned = turned_of(single)
    functions |= {"pow_real": pow_of(exp, log), "turned": turned}
    return {**functions, "sin_real": sin_of(turned), "cos_real": cos_of(turned)}
