"""Periodic axes: positions within the box, and displacements to the nearest image."""

from __future__ import annotations

import numpy as np

from murmurate.model.space import Space


def periods(space: Space) -> np.ndarray:
    """(D,) float64: the side of each periodic axis, in length units; inf on other axes."""
    return np.where(space.periodic, np.array(space.size, dtype=np.float64), np.inf)


def wrapped(positions: np.ndarray, space: Space) -> np.ndarray:
    """(N, D) float64: the positions, on periodic axes within the box and counted from its lower
    corner."""
    positions = np.array(positions, dtype=np.float64)
    for axis in np.flatnonzero(space.periodic):
        side = space.size[axis]
        x = positions[:, axis] - space.lower[axis]
        if x.size and (x.min() < 0 or x.max() >= side):
            x %= side
            # A tiny negative number modulo the side rounds up to the side, which is outside.
            x[x >= side] = 0.0
        positions[:, axis] = x
    return positions


def displacements(there: np.ndarray, here: np.ndarray, space: Space) -> np.ndarray:
    """(..., D) float64: from `here` to the nearest image of `there`."""
    away: np.ndarray = np.asarray(there, dtype=np.float64) - here
    for axis in np.flatnonzero(space.periodic):
        side = space.size[axis]
        away[..., axis] -= side * np.round(away[..., axis] / side)
    return away
