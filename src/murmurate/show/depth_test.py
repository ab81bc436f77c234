"""Depth test: which points of a picture lie behind an obstacle."""

from __future__ import annotations

import numpy as np
from numba import njit

Array = np.ndarray

# Part of an obstacle's distance: so near it a point is not behind it, and the edges of a solid are
# not hidden by the solid itself.
_ROOM = 2e-3


class DepthTest:
    """Which points lie behind an obstacle.

    depth  (H, W) float32 how far away obstacles are, inf where none is
    """

    def __init__(self, depth: Array) -> None:
        self.depth = np.ascontiguousarray(depth, np.float32)

    def __call__(self, x: Array, y: Array, nearness: Array) -> Array:
        """x, y: (K,) pixel numbers, also outside the picture; nearness: 1 / depth."""
        return _all_behind(self.depth, x, y, nearness)


@njit(cache=True, nogil=True)
def is_behind(solid, x, y, nearness):  # type: ignore[no-untyped-def]
    """Whether a point at pixel x, y, which may be outside the picture, is behind an obstacle."""
    height, width = solid.shape
    away = solid[min(max(y, 0), height - 1), min(max(x, 0), width - 1)]
    return nearness * away < 1.0 - _ROOM


@njit(cache=True, nogil=True)
def _all_behind(solid, x, y, nearness):  # type: ignore[no-untyped-def]
    behind = np.empty(len(x), np.bool_)
    for k in range(len(x)):
        behind[k] = is_behind(solid, x[k], y[k], nearness[k])
    return behind
