"""Functions that are stored as kernels: any arguments, never stale, without numba later."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from murmurate import jit

SCALE = 3.0


@jit.njit(error_model="numpy")
def _scaled(value):
    return SCALE * value


@jit.stored(error_model="numpy")
def _mix(picture, rows, pair, part, single, whole, out):
    first, second = pair
    for i in range(len(rows)):
        if picture[i, 0, 0] and rows[i] < second[i]:
            out[i] = _scaled(first[i, 1]) + part * single + whole


def test_a_stored_function_takes_arrays_tuples_and_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path))
    picture = np.array([[[True]], [[False]], [[True]]])
    rows, out = np.array([0, 0, 9], np.uint16), np.zeros(3)
    for dtype in (np.float32, np.int64):
        pair = np.arange(6, dtype=dtype).reshape(3, 2), np.full(3, 5.0)
        out[:] = 0.0
        _mix(picture, rows, pair, 0.5, np.float32(4.0), -7, out)
        assert out.tolist() == [3.0 + 2.0 - 7, 0.0, 0.0]
    kernels = [*_mix.kernels.values()]
    assert len(kernels) == 2 and len({kernel.shipped_name for kernel in kernels}) == 2
    with pytest.raises(AssertionError):
        _mix(picture, rows[::2], pair, 0.5, np.float32(4.0), -7, out)


def test_a_stored_function_depends_on_constants_and_on_what_it_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = [*jit._sources(_mix, {})]
    monkeypatch.setitem(globals(), "SCALE", 4.0)
    after = [*jit._sources(_mix, {})]
    assert len(before) == len(after) == 3 and set(before) - set(after) == {"SCALE = 3.0"}
