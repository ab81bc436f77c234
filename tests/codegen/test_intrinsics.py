"""Eight numbers at once: compared and collected as NumPy does it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from murmurate.codegen.intrinsics import collect8, ranks8


@njit
def ranked(ranks: Any, i: Any, values: Any, n: Any) -> Any:
    ranks8(ranks, i, values, n)


@njit
def collected(indices: Any, values: Any, bound: Any) -> Any:
    n = 0
    for i in range(0, len(values), 8):
        n += collect8(indices, n, values, i, bound)
    return n


@pytest.mark.parametrize("index_dtype", ["int32", "int64"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_eight_at_once(dtype: str, index_dtype: str) -> None:
    """Every set of eight, with those equal to the bound; nothing is written behind the last."""
    bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
    values = np.where(bits, [0.0, 0.5, -3.0, 0.5, 0.5, -1e9, 0.25, 0.5], 2.0).astype(dtype)
    flat = values.ravel()
    result = np.full(len(flat) + 1, -1, index_dtype)
    count = collected(result, flat, flat.dtype.type(0.5))
    np.testing.assert_array_equal(result[:count], np.flatnonzero(flat <= 0.5))
    assert result[-1] == -1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 40])
def test_ranks_of_eight(dtype: str, n: int) -> None:
    """How many of the first n numbers are less, equal ones among them."""
    values = np.random.default_rng(n).integers(0, 12, 48).astype(dtype)
    for i in (0, 5, 40):
        ranks = np.full(49, 99, np.uint32)
        ranked(ranks, i, values, n)
        expected = (values[:n, None] < values[i : i + 8]).sum(0)
        np.testing.assert_array_equal(ranks[i : i + 8], expected)
        assert (np.delete(ranks, np.arange(i, i + 8)) == 99).all()
