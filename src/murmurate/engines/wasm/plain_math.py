"""Mathematical functions in plain arithmetic, so that they have the same bits in every browser.

They take and give float64, and are part of each module that calls them. Arguments are brought into
a small interval as in Cody and Waite 1980, Software Manual for the Elementary Functions, and the
power series of the function is summed there, with as many terms as float64 can hold; the
logarithm's is that of artanh, log m = 2 artanh((m - 1) / (m + 1)).

Results are within 4 units of the last place of float64 (pow: within 1e-13 of the result; angles:
up to 1e6 radians), so that what is rounded to float32 is the nearest float32 nearly always.
"""

from __future__ import annotations

from inspect import isfunction
from typing import Any

from murmurate.engines.wasm import plain_angles, plain_powers


def plain_functions() -> dict[str, Any]:
    """All of them and what they call, undecorated, by name."""
    found = {**vars(plain_angles), **vars(plain_powers)}
    return {name: value for name, value in found.items() if isfunction(value)}
