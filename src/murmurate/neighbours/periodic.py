"""Periodic axes: their sides, and displacements to the nearest image."""

from __future__ import annotations

import numpy as np

from murmurate.model.space import Space


def periods(space: Space) -> np.ndarray:
    """Return (D,) float64: the side of each periodic axis in length units, inf for open axes."""
    return np.where(space.periodic, np.array(space.size, dtype=np.float64), np.inf)


def displacements(targets: np.ndarray, origins: np.ndarray, space: Space) -> np.ndarray:
    """Return (..., D) float64 vectors from `origins` to the nearest images of `targets`."""
    return space.minimum_image(np.asarray(targets, dtype=np.float64) - origins)
