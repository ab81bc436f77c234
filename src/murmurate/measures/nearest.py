"""Nearest-neighbour distance: how dense a flock is."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame


def nearest_neighbour_distance(flock: FlockFrame) -> float:
    """The mean distance from a boid to the nearest other boid of its flock, in length units.

    Distances are to the nearest image on periodic axes. A flock of no or one boid, or one with a
    position that is not finite, gives nan. On a periodic axis a boid is no neighbour of its own
    images. Cost: O(N log N), some seconds for a million boids.
    """
    from scipy.spatial import cKDTree

    positions = np.array(flock.positions, dtype=np.float64)
    if len(positions) < 2 or not np.isfinite(positions).all():
        return float("nan")
    sides = np.zeros(flock.space.dims)  # the tree takes a side of 0 for an open axis
    for axis in np.flatnonzero(flock.space.periodic):
        sides[axis] = flock.space.size[axis]
        positions[:, axis] = (positions[:, axis] - flock.space.lower[axis]) % sides[axis]
        # A tiny negative number modulo the side rounds up to the side itself, which is outside.
        positions[positions[:, axis] >= sides[axis], axis] = 0.0
    tree = cKDTree(positions, boxsize=sides, balanced_tree=False, compact_nodes=False)
    distances, _ = tree.query(positions, k=2, workers=-1)
    return float(distances[:, 1].mean())
