"""The centre of a flock, also where the flock lies across the edge of a torus."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.valid_rows import valid_rows

ROUNDING = 1e-12  # of a side: nearer to the centre than this, a boid is at it


def centroid(flock: FlockFrame) -> np.ndarray:
    """The mean position. (D,) float64, length units; nan for an empty flock. Boids that are not
    seen are left out.

    On a periodic axis the mean is taken around the circular mean (each coordinate read as an angle
    of 2 pi x / L), so a flock that spans less than half the side L has the centre it would have in
    open space, wherever the edge cuts it. It lies within the box. A flock spread evenly round a
    periodic axis has no centre there: any number may come out.
    """
    flock = valid_rows(flock, "positions")
    centre = np.full(flock.space.dims, np.nan)
    if len(flock) == 0:
        return centre
    for axis, periodic in enumerate(flock.space.periodic):
        x = flock.positions[:, axis]
        if not periodic:
            centre[axis] = x.mean(dtype=np.float64)
            continue
        lower, side = flock.space.lower[axis], flock.space.size[axis]
        angles = (x - np.float64(lower)) * (2.0 * np.pi / side)
        middle = np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()) * side / (2.0 * np.pi)
        middle += offsets_on_axis(flock, axis, lower + middle).mean()
        centre[axis] = lower + middle % side
    return centre


def offsets(flock: FlockFrame, centre: np.ndarray) -> np.ndarray:
    """(N, D) float64: from the (D,) centre to each boid, to the nearest image on periodic axes."""
    rows = [offsets_on_axis(flock, axis, centre[axis]) for axis in range(flock.space.dims)]
    return np.array(rows).T


def offsets_on_axis(flock: FlockFrame, axis: int, centre: float) -> np.ndarray:
    """(N,) float64: the same along one axis."""
    away: np.ndarray = flock.positions[:, axis] - np.float64(centre)
    if flock.space.periodic[axis]:
        side = flock.space.size[axis]
        away -= side * np.round(away / side)
        away[np.abs(away) < ROUNDING * side] = 0.0
    return away
