"""Plain Python versions of the intrinsics that functions of this package call.

Kernels call the intrinsics of the same names in `intrinsics`, which imports numba. The text of the
functions only needs the names, so this module avoids the import of numba at start.
"""

from __future__ import annotations

import ctypes
from collections.abc import MutableSequence, Sequence


def ranks8(ranks: MutableSequence[int], i: int, values: Sequence[float], n: int) -> None:
    """Write to ranks[i : i + 8] how many of values[:n] are less than each of values[i : i + 8]."""
    for k in range(i, i + 8):
        ranks[k] = sum(value < values[k] for value in values[:n])


def number(table: int, index: int) -> int:
    """Return the whole number at an index of a table."""
    return ctypes.c_int64.from_address(table + 8 * index).value


def float_of(table: int, index: int) -> float:
    """Return the float64 at an index of a table."""
    return ctypes.c_double.from_address(table + 8 * index).value
