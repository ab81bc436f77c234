"""Periodic axes: their sides, displacements to the nearest image, and velocities from them."""

from __future__ import annotations

import numpy as np

from murmurate.model.space import Space


def periods(space: Space) -> np.ndarray:
    """Return (D,) float64: the side of each periodic axis in length units, inf for open axes."""
    return np.where(space.periodic, np.array(space.size, dtype=np.float64), np.inf)


def displacements(targets: np.ndarray, origins: np.ndarray, space: Space) -> np.ndarray:
    """Return (..., D) float64 vectors from `origins` to the nearest images of `targets`."""
    return space.minimum_image(np.asarray(targets, dtype=np.float64) - origins)


def central_differences(steps: np.ndarray) -> np.ndarray:
    """Return the mean step from the frame before and to the frame after, for each frame.

    This is the one estimate of velocities from positions: of tracks, and of runs that are measured
    as tracks are.

    steps  (T - 1, ...) displacement from each frame to the next, or the velocity; nan for an
        unknown one
    returns  (T, ...) if only one of both steps is known, that one; nan if none is
    """
    none = np.full((1, *steps.shape[1:]), np.nan)
    before, after = np.concatenate([none, steps]), np.concatenate([steps, none])
    mean = (after + before) / 2
    one_sided = np.where(np.isfinite(after), after, before)
    return np.where(np.isfinite(mean), mean, one_sided)
