"""Periodic axes: positions within the box, and displacements to the nearest image."""

from __future__ import annotations

import numpy as np

from murmurate.model.space import Space


def periods(space: Space) -> np.ndarray:
    """Return (D,) float64: the side of each periodic axis in length units, inf for open axes."""
    return np.where(space.periodic, np.array(space.size, dtype=np.float64), np.inf)


def wrap(positions: np.ndarray, space: Space) -> np.ndarray:
    """Return (N, D) float64 positions, wrapped into the box on periodic axes.

    Coordinates on periodic axes are relative to the box's lower corner; others are unchanged.
    """
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


def displacements(targets: np.ndarray, origins: np.ndarray, space: Space) -> np.ndarray:
    """Return (..., D) float64 vectors from `origins` to the nearest images of `targets`."""
    return nearest_image(np.asarray(targets, dtype=np.float64) - origins, space)


def nearest_image(vectors: np.ndarray, space: Space) -> np.ndarray:
    """Reduce (..., D) float64 vectors to the nearest image in place, and return them."""
    for axis in np.flatnonzero(space.periodic):
        side = space.size[axis]
        vectors[..., axis] -= side * np.round(vectors[..., axis] / side)
    return vectors
