"""Neighbours: search trees that know which axes are periodic."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.limits import at_most
from murmurate.model.space import Space

PAIRS = 30_000_000  # pairs that are listed at most, half a gigabyte


def wrapped(positions: np.ndarray, space: Space) -> np.ndarray:
    """(N, D) float64: the positions within the box on periodic axes."""
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


def tree_of(positions: np.ndarray, space: Space) -> Any:
    """A k-d tree of wrapped (N, D) positions, with distances to the nearest images."""
    from scipy.spatial import cKDTree

    # The tree takes a side of 0 for an open axis.
    sides = [s if p else 0.0 for s, p in zip(space.size, space.periodic, strict=True)]
    boxsize = sides if any(space.periodic) else None
    return cKDTree(positions, boxsize=boxsize, balanced_tree=False, compact_nodes=False)


def between(there: np.ndarray, here: np.ndarray, space: Space) -> np.ndarray:
    """(..., D): the ways from here to there, to the nearest images."""
    away: np.ndarray = np.asarray(there, dtype=np.float64) - here
    for axis in np.flatnonzero(space.periodic):
        side = space.size[axis]
        away[..., axis] -= side * np.round(away[..., axis] / side)
    return away


def nearest(flock: FlockFrame, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest other boids of each: (N, k) distances, ascending, and (N, k) their rows.

    All boids must be seen, and there must be more than k. Of equally far ones any may come first.
    """
    positions = wrapped(flock.positions, flock.space)
    found = tree_of(positions, flock.space).query(positions, k=k + 1, workers=-1)
    distances, rows = found
    self = rows == np.arange(len(rows))[:, None]
    if not self[:, 0].all():  # several at one place: a boid may stand anywhere among its equals
        self[~self.any(axis=1), k] = True
        order = np.argsort(self, axis=1, kind="stable")
        return distances[:, 1:], np.take_along_axis(rows, order, axis=1)[:, :k]
    return distances[:, 1:], rows[:, 1:]


def within(flock: FlockFrame, radius: float, what: str) -> np.ndarray:
    """(P, 2) rows of all pairs that are at most a radius apart.

    Raises MeasureError where there are more than 30 million.
    """
    positions = wrapped(flock.positions, flock.space)
    tree = tree_of(positions, flock.space)
    if len(positions) > 5_000:
        pairs = (int(tree.count_neighbors(tree, radius)) - len(positions)) // 2
        at_most(pairs, PAIRS, f"{what}: {pairs:,} pairs", "Give a smaller radius.")
    listed: np.ndarray = tree.query_pairs(radius, output_type="ndarray")
    return listed
