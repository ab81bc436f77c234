"""Cell search: nearest-neighbour distances of many points, sorted into cells, in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np

from murmurate.model.space import Space
from murmurate.neighbours.cell_search_kernels import sort, sweep

ROOM = 3.0  # points that a point is to have in its cell, itself included, on average
CROWD = 64.0  # more than that, with all the cells there may be, and a tree is the better way
CELLS = 8  # cells a point, at most
SAMPLE = 50_000  # points that are sampled for how crowded cells are
WIDER = 6.0  # what is not found among the cells around is searched for among so much wider ones


def nearest_distances(
    x: np.ndarray, space: Space, by_tree: Callable[[Any], np.ndarray]
) -> np.ndarray:
    """(N,) distances to the nearest other point. Exact: a point whose
    nearest is not certain from the cells around it is looked up again in wider ones, and at last in
    a tree.

    x        (N, D) positions, wrapped on periodic axes
    by_tree  rows -> the same distances of those rows, by a tree
    """
    room = _Room(x, space)
    width = room.width(ROOM)
    crowd = room.crowd(width)
    for _ in range(3):  # an uneven cloud is sorted by the width that suits most of its points
        finer = width * (ROOM / crowd) ** (1 / room.dims)
        if crowd < 2 * ROOM or np.prod(room.cells(finer)) > CELLS * len(room.x) + 1000:
            break
        width, crowd = finer, room.crowd(finer)
    if crowd > CROWD:
        return by_tree(slice(None))
    cells, x, order, starts = room.sort(width)
    found = np.full(len(x), -1.0)
    left = np.arange(len(x))
    while len(left):
        options = (x, starts, room.lower, cells, room.sides, room.periodic, found, _rows(cells))
        with ThreadPoolExecutor() as pool:
            parts = np.array_split(left, 16)
            for work in [pool.submit(sweep, part, *options) for part in parts]:
                work.result()
        left = np.flatnonzero(found < 0)
        if not len(left) or (room.cells(WIDER * width) >= cells).all():
            break
        width *= WIDER
        known = np.empty(len(x))
        known[order] = found
        cells, x, order, starts = room.sort(width)
        found = known[order]
        left = np.flatnonzero(found < 0)
    if len(left):
        found[left] = by_tree(order[left])
    distances = np.empty(len(x))
    distances[order] = found
    return distances


class _Room:
    """Where the points are, in 3 axes: of points in 2-D the first is flat."""

    def __init__(self, x: np.ndarray, space: Space) -> None:
        count, self.dims = x.shape
        periodic = np.array(space.periodic)
        lower, upper = np.zeros(self.dims), np.array(space.size)
        for axis in np.flatnonzero(~periodic):  # numpy is slow along short rows
            lower[axis], upper[axis] = x[:, axis].min(), x[:, axis].max()
        sides = upper - lower
        sides[sides == 0] = 1e-6 * sides.max() if sides.any() else 1.0  # all in a line or a plane
        if self.dims == 2:
            x = np.column_stack([np.zeros(count), x])
            lower, sides = np.append(0.0, lower), np.append(1.0, sides)
            periodic = np.append(False, periodic)
        self.x, self.lower, self.sides, self.periodic = x, lower, sides, periodic

    def width(self, room: float) -> float:
        """The width of cells that have so many points on average."""
        volume = float(np.prod(self.sides[-self.dims :]))
        return float((volume * room / len(self.x)) ** (1.0 / self.dims))

    def cells(self, width: float) -> np.ndarray:
        """(3,) how many cells along each axis, about so wide. Never fewer than 3 on a periodic one,
        or a cell would be its own neighbour."""
        most = CELLS * int(len(self.x) ** (1 / self.dims)) + 1
        cells = np.clip((self.sides / width).astype(np.int64), 1, most)
        cells[self.periodic] = np.maximum(cells[self.periodic], 3)
        if self.dims == 2:
            cells[0] = 1
        return cells

    def crowd(self, width: float) -> float:
        """How many points a point has in its cell, itself included, on average; from a sample."""
        every = max(1, len(self.x) // SAMPLE)
        cells = self.cells(width)
        starts = sort(self.x[::every], self.lower, cells / self.sides, cells)[2]
        many = np.diff(starts).astype(np.float64)
        return 1.0 + every * float((many * (many - 1)).sum() / many.sum())

    def sort(self, width: float) -> tuple[np.ndarray, ...]:
        """The cells; the positions in their order, the rows they are of, and where cells begin."""
        cells = self.cells(width)
        return cells, *sort(self.x, self.lower, cells / self.sides, cells)


def _rows(cells: np.ndarray) -> np.ndarray:
    """(R, 2) the ways to the rows of cells around, along the first two axes, the nearest first:
    what is found there spares a search of the others."""
    reach = [(-1, 0, 1) if n > 1 else (0,) for n in cells[:2]]
    return np.array(sorted(product(*reach), key=lambda way: (way[0] ** 2 + way[1] ** 2, way)))
