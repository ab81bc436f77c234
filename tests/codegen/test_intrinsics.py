"""Eight numbers at once: compared and collected as NumPy does it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from murmurate.codegen.intrinsics import below8, collect8


@njit
def counted(values: Any, i: Any, bound: Any) -> Any:
    return below8(values, i, bound)


@njit
def collected(places: Any, values: Any, bound: Any) -> Any:
    n = 0
    for i in range(0, len(values), 8):
        n += collect8(places, n, values, i, bound)
    return n


@pytest.mark.parametrize("places", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_eight_at_once(dtype: str, places: str) -> None:
    """Every set of eight, with those equal to the bound; nothing is written behind the last."""
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    values = np.where(bits, [0.0, 0.5, -3.0, 0.5, 0.5, -1e9, 0.25, 0.5], 2.0).astype(dtype)
    for row in values:
        assert counted(row, 0, row.dtype.type(0.5)) == np.count_nonzero(row < 0.5)
    flat = values.ravel()
    found = np.full(len(flat) + 1, -1, places)
    count = collected(found, flat, flat.dtype.type(0.5))
    np.testing.assert_array_equal(found[:count], np.flatnonzero(flat <= 0.5))
    assert found[-1] == -1
    assert counted(flat, 5, flat.dtype.type(0.5)) == np.count_nonzero(flat[5:13] < 0.5)
