"""Mathematics of kernels: exponentials and the like within a few units of the last place."""

import math
from functools import cache
from typing import Any

import numba
import numpy as np
import pytest

from murmurate.codegen.kernel_cache import shared_module

RANDOM = np.random.default_rng(5)
INSIDE = RANDOM.uniform(-1, 1, 20_000)
# function, arguments, what it must be (in long doubles), units of the last place
ONE_ARGUMENT = [
    ("exp", 80 * INSIDE, np.exp, 2),
    ("exp", INSIDE, np.exp, 2),
    ("log", np.exp(80 * INSIDE), np.log, 2),
    ("log", 1 + 0.5 * INSIDE, np.log, 2),
    ("sin", 7 * INSIDE, np.sin, 3),
    ("cos", 7 * INSIDE, np.cos, 3),
]


@pytest.fixture(scope="module", params=["float32", pytest.param("float64", marks=pytest.mark.slow)])
def dtype(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def loops(dtype: str, name: str) -> tuple[Any, Any]:
    """Loops over numbers and pairs of them; each is compiled when it is first called."""
    function = getattr(shared_module(dtype).imported(), f"{name}_real")

    @numba.njit
    def first(x, out):
        for i in range(len(x)):
            out[i] = function(x[i])

    @numba.njit
    def two(x, y, out):
        for i in range(len(x)):
            out[i] = function(x[i], y[i])

    return first, two


def results(dtype: str, name: str, *columns: np.ndarray) -> np.ndarray:
    """What the kernels' function gives for each row of arguments."""
    out = np.empty(len(columns[0]), dtype)
    loops(dtype, name)[len(columns) - 1](*columns, out)
    return out


def units(result: np.ndarray, exact: np.ndarray) -> float:
    """The largest error, in units of the last place of the exact result as it is rounded."""
    last = np.spacing(np.abs(exact.astype(result.dtype))).astype(np.longdouble)
    return float((np.abs(result.astype(np.longdouble) - exact) / last).max())


@pytest.mark.parametrize(("name", "arguments", "exact", "limit"), ONE_ARGUMENT)
def test_within_a_few_units_of_the_last_place(dtype, name, arguments, exact, limit) -> None:
    x = arguments.astype(dtype)
    assert units(results(dtype, name, x), exact(x.astype(np.longdouble))) < limit


def test_powers(dtype) -> None:
    x, y = np.exp(3 * INSIDE).astype(dtype), (10 * INSIDE[::-1]).astype(dtype)
    exact = x.astype(np.longdouble) ** y.astype(np.longdouble)
    result = results(dtype, "pow", x, y)
    assert float((np.abs(result - exact) / exact).max()) < 8e-8 if dtype == "float32" else 1e-13


def test_special_powers_are_as_ieee_754_has_them(dtype) -> None:
    pairs = [
        (0, 2), (0, -1), (-2, 3), (-2, 2), (-2, 0.5), (5, 0), (0, 0), (1, 7.5), (2, -3), (-1, 4),
    ]  # fmt: skip
    x, y = np.array(pairs, dtype).T.copy()
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(results(dtype, "pow", x, y), np.power(x, y), rtol=1e-14)


def test_ends_of_the_range(dtype) -> None:
    tiny, huge = float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)
    x = np.array([-1e9, -math.inf, 0.0, math.inf, 1e9, math.nan], dtype)
    np.testing.assert_array_equal(results(dtype, "exp", x), [0, 0, 1, math.inf, math.inf, math.nan])
    x = np.array([0.999 * math.log(tiny), 0.999 * math.log(huge)], dtype)
    exact = np.exp(x.astype(np.longdouble)).astype(float)
    np.testing.assert_allclose(results(dtype, "exp", x), exact, rtol=1e-6)
    x = np.array([0.0, -1.0, 1.0, math.inf, math.nan], dtype)
    expected = [-math.inf, math.nan, 0.0, math.inf, math.nan]
    np.testing.assert_array_equal(results(dtype, "log", x), expected)
    x = np.array([tiny / 16, huge], dtype)
    np.testing.assert_allclose(results(dtype, "log", x), np.log(x.astype(float)), rtol=1e-6)
