"""Neighbour search with k-d trees and cells: nearest points, and points within a radius.

Distances are to the nearest image on periodic axes.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from murmurate.model.space import Space

MIN_CELL_POINTS = 50_000  # points from which cells find the nearest neighbour sooner than a tree
MIN_THREAD_POINTS = 5_000  # points from which several threads are worth starting


class NeighbourSearch:
    """Finds neighbours among N points. The tree is built at the first search.

    positions  (N, D) finite positions in length units
    space  periodic axes. The default is open on every axis.
    min_cell_points  number of points from which `nearest_distances` uses cells instead of a tree.
        Both are exact.
    """

    def __init__(
        self,
        positions: np.ndarray,
        space: Space | None = None,
        min_cell_points: int = MIN_CELL_POINTS,
    ) -> None:
        self.space = space
        self.min_cell_points = min_cell_points
        self._x = (
            np.asarray(positions, np.float64)
            if space is None
            else space.wrap_from_corner(positions)
        )

    def __len__(self) -> int:
        return len(self._x)

    def nearest(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return (N, k) distances to the k nearest other points, ascending, and (N, k) their rows.

        There must be more than k points. Points at equal distances are in arbitrary order.
        """
        distances, rows = self._tree.query(self._x, k=k + 1, workers=self._threads)
        own = rows == np.arange(len(rows))[:, None]
        if not own[:, 0].all():  # points coincide: a point may be anywhere among its equals
            own[~own.any(axis=1), k] = True
            order = np.argsort(own, axis=1, kind="stable")
            return distances[:, 1:], np.take_along_axis(rows, order, axis=1)[:, :k]
        return distances[:, 1:], rows[:, 1:]

    def nearest_distances(self, every: int = 1) -> np.ndarray:
        """Return the nearest-neighbour distance of every n-th point; empty below 2 points."""
        if len(self) < 2:
            return np.empty(0)
        if every == 1 and len(self) >= self.min_cell_points and self.space is not None:
            from murmurate.neighbours.cell_search import nearest_distances  # imports numba

            return nearest_distances(self._x, self.space, self._tree_distances)
        return self._tree_distances(slice(None, None, every))

    def distances_from(self, positions: np.ndarray) -> np.ndarray:
        """Return (M,) the distance from each of (M, D) other positions to the nearest point."""
        positions = positions if self.space is None else self.space.wrap_from_corner(positions)
        distances: np.ndarray = self._tree.query(positions)[0]
        return distances

    def within(self, positions: np.ndarray, k: int, radius: float) -> tuple[np.ndarray, np.ndarray]:
        """Return (M, k) distances from other positions to their k nearest points that are at most
        `radius` away, ascending, and (M, k) their rows; inf and -1 where there are fewer."""
        positions = positions if self.space is None else self.space.wrap_from_corner(positions)
        distances, rows = self._tree.query(
            positions, k=range(1, k + 1), distance_upper_bound=np.nextafter(radius, np.inf),
            workers=self._threads,
        )  # fmt: skip
        return distances, np.where(np.isinf(distances), -1, rows)

    def counts_around(self, positions: np.ndarray, radius: float) -> np.ndarray:
        """Return (M,) int64: the number of points at most `radius` from each position."""
        positions = positions if self.space is None else self.space.wrap_from_corner(positions)
        counts = self._tree.query_ball_point(positions, radius, return_length=True)
        return np.asarray(counts, np.int64)

    def pairs(self, radius: float) -> np.ndarray:
        """Return (P, 2) rows of all pairs of points at most `radius` apart, each pair once."""
        rows: np.ndarray = self._tree.query_pairs(radius, output_type="ndarray")
        return rows

    def count_pairs(self, radius: Any, others: NeighbourSearch | None = None) -> Any:
        """Count pairs of a point of this search and one of `others` at most `radius` apart.

        radius  one or several radii
        others  the default is this search itself: then each pair counts twice, and each point once
            with itself
        """
        return self._tree.count_neighbors((others or self)._tree, radius)

    def counts(self, radius: float) -> np.ndarray:
        """Return (N,) int64: the number of other points at most `radius` from each point."""
        return self.counts_around(self._x, radius) - 1

    def _tree_distances(self, rows: Any) -> np.ndarray:
        """Return the nearest-neighbour distances of some rows by the k-d tree."""
        distances: np.ndarray = self._tree.query(self._x[rows], k=2, workers=self._threads)[0][:, 1]
        return distances

    @property
    def _threads(self) -> int:
        """Number of threads for scipy; -1 stands for all cores."""
        return -1 if len(self) >= MIN_THREAD_POINTS else 1

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        if self.space is None:
            return cKDTree(self._x)
        # The tree takes a side of 0 for an open axis.
        axes = zip(self.space.size, self.space.periodic, strict=True)
        sides = [side if periodic else 0.0 for side, periodic in axes]
        boxsize = sides if any(self.space.periodic) else None
        return cKDTree(self._x, boxsize=boxsize, balanced_tree=False, compact_nodes=False)
