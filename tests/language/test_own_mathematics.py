"""Test the mathematics of kernels, written in the language of rules, as plain Python."""

from __future__ import annotations

import math
import random

import pytest

from murmurate.language import mathematics, maths


@pytest.mark.parametrize(
    ("name", "lower", "upper"),
    [("exp_real", -700, 700), ("log_real", 1e-300, 1e300), ("sin_real", -50, 50),
     ("cos_real", -50, 50)],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_mathematics_of_kernels_runs_in_python(
    name: str, lower: float, upper: float, dtype: str
) -> None:
    """The series are as exact as their precision; the arithmetic here is in double precision."""
    function = mathematics.functions_of(dtype)[name]
    exact = getattr(math, name.removesuffix("_real"))
    if dtype == "float32" and name == "exp_real":
        lower, upper = -87, 88
    numbers = random.Random(1)
    for _ in range(2000):
        x = numbers.uniform(lower, upper)
        if name == "log_real":
            x = math.exp(numbers.uniform(math.log(lower), math.log(upper)))
        near = 2e-7 if dtype == "float32" else 4e-15
        assert function(x) == pytest.approx(exact(x), rel=near, abs=near)


def test_powers_of_kernels_run_in_python() -> None:
    power = mathematics.functions_of("float64")["pow_real"]
    numbers = (-3.0, -1.5, -0.25, 0.0, 0.5, 1.0, 2.0, 7.25)
    for x in (*numbers, 1e-3, 123.0):
        for y in numbers:
            if x == 0.0 > y:
                assert power(x, y) == math.inf
            elif x < 0.0 and y != math.floor(y):
                assert math.isnan(power(x, y))
            else:
                assert power(x, y) == pytest.approx(x**y, rel=1e-13)


def test_ends_of_mathematics() -> None:
    own = mathematics.functions_of("float64")
    assert own["exp_real"](-800.0) == 0.0 and own["exp_real"](0.0) == 1.0
    assert own["log_real"](0.0) == -math.inf and own["log_real"](math.inf) == math.inf
    assert math.isnan(own["log_real"](-1.0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_table_names_functions_that_there_are(dtype: str) -> None:
    assert set(maths.OWN) <= set(mathematics.functions_of(dtype))
