"""Coordinates of 2-D flocks in 3-D files."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray


def to_3d(vectors: Any, dtype: Any = None) -> Array:
    """(..., 2 or 3) vectors -> (..., 3): in 2-D z is 0. The dtype is theirs unless given."""
    array = np.asarray(vectors, dtype)
    out = np.zeros((*array.shape[:-1], 3), array.dtype)
    out[..., : array.shape[-1]] = array
    return out
