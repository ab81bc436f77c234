"""Neighbour search: the k nearest points and those within a radius, to the nearest images."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from murmurate.model.space import Space
from murmurate.neighbours.periodic import wrapped

LARGE = 50_000  # points from which cells find the nearest one sooner than a tree
SEVERAL = 5_000  # points from which more threads than one save more than they cost to start


class NeighbourSearch:
    """Finds neighbours among N points. Nothing is built before it is asked for.

    positions  (N, D) lengths, all finite
    space      which axes are periodic; open on every axis unless given
    """

    def __init__(self, positions: np.ndarray, space: Space | None = None) -> None:
        self.space = space
        self._x = np.asarray(positions, np.float64) if space is None else wrapped(positions, space)

    def __len__(self) -> int:
        return len(self._x)

    def nearest(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The k nearest other points of each: (N, k) distances, ascending, and (N, k) their rows.

        There must be more than k points. Of equally far ones any may come first.
        """
        distances, rows = self._tree.query(self._x, k=k + 1, workers=self._threads)
        own = rows == np.arange(len(rows))[:, None]
        if not own[:, 0].all():  # several at one place: a point may stand anywhere among its equals
            own[~own.any(axis=1), k] = True
            order = np.argsort(own, axis=1, kind="stable")
            return distances[:, 1:], np.take_along_axis(rows, order, axis=1)[:, :k]
        return distances[:, 1:], rows[:, 1:]

    def nearest_distances(self, every: int = 1) -> np.ndarray:
        """The distance from each point, or every so-manieth, to the nearest other one; empty below
        2 points."""
        if len(self) < 2:
            return np.empty(0)
        if every == 1 and len(self) >= LARGE and self.space is not None:
            from murmurate.neighbours.cell_search import nearest_distances  # which imports numba

            return nearest_distances(self._x, self.space, self._distances_by_tree)
        return self._distances_by_tree(slice(None, None, every))

    def distances_from(self, places: np.ndarray) -> np.ndarray:
        """(M,) the distance from each of (M, D) other places to the nearest of the points."""
        places = places if self.space is None else wrapped(places, self.space)
        found: np.ndarray = self._tree.query(places)[0]
        return found

    def pairs(self, radius: float) -> np.ndarray:
        """(P, 2) rows of all pairs of points at most a radius apart, each pair once."""
        found: np.ndarray = self._tree.query_pairs(radius, output_type="ndarray")
        return found

    def count_pairs(self, radius: Any, others: NeighbourSearch | None = None) -> Any:
        """How many pairs of one of these points and one of `others` are at most a radius apart; a
        number for a radius, an array for an array of them. Of these points among themselves unless
        others are given: each pair then counts twice, and each point once with itself."""
        return self._tree.count_neighbors((others or self)._tree, radius)

    def counts(self, radius: float) -> np.ndarray:
        """(N,) int64: how many other points are at most a radius from each."""
        found = self._tree.query_ball_point(self._x, radius, return_length=True)
        return np.asarray(found, np.int64) - 1

    def _distances_by_tree(self, rows: Any) -> np.ndarray:
        found: np.ndarray = self._tree.query(self._x[rows], k=2, workers=self._threads)[0][:, 1]
        return found

    @property
    def _threads(self) -> int:
        """As scipy counts them: -1 stands for all cores."""
        return -1 if len(self) >= SEVERAL else 1

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
