"""Plain Python for the intrinsics that functions of this package call.

Kernels call the intrinsics of the same names (`intrinsics`), which import numba. The functions are
read as text, so to import these is enough, and no start waits for numba.
"""

from __future__ import annotations

from collections.abc import Sequence


def below8(values: Sequence[float], i: int, bound: float) -> int:
    """Return how many of values[i : i + 8] are less than a number."""
    return sum(value < bound for value in values[i : i + 8])
