"""Nearest-neighbour distances of large flocks: boids sorted into cells, in compiled code."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.neighbours import tree_of, wrapped

LARGE = 50_000  # boids from which on it pays
CROWD = 64  # boids a cell; a flock with fuller ones is so uneven that a tree is the better way


def nearest_distances(flock: FlockFrame) -> np.ndarray:
    """(N,) distances to the nearest other boid, all boids seen. Exact: a boid whose nearest is not
    certain from the cells around it is looked up in a tree."""
    x = wrapped(flock.positions, flock.space)
    count, dims = x.shape
    periodic = np.array(flock.space.periodic)
    lower, upper = np.zeros(dims), np.array(flock.space.size)
    for axis in np.flatnonzero(~periodic):  # numpy is slow along short rows
        lower[axis], upper[axis] = x[:, axis].min(), x[:, axis].max()
    sides = upper - lower
    sides[sides == 0] = 1e-6 * sides.max() if sides.any() else 1.0  # a flat flock
    # About two boids a cell; never fewer than 3 cells on a periodic axis, or a cell would be its
    # own neighbour.
    width = (np.prod(sides) * 2.0 / count) ** (1.0 / dims)
    cells = np.clip((sides / width).astype(np.int64), 1, 4 * int(count ** (1 / dims)) + 1)
    cells[periodic] = np.maximum(cells[periodic], 3)
    if dims == 2:  # one layer of cells, z = 0
        x = np.column_stack([x, np.zeros(count)])
        cells, sides = np.append(cells, 1), np.append(sides, 1.0)
        lower, periodic = np.append(lower, 0.0), np.append(periodic, False)
    sort, sweep = _kernels()
    x, order, keys, starts = sort(x, lower, cells / sides, cells)
    if np.diff(starts).max() > CROWD:
        return _by_tree(flock, slice(None))
    found = np.full(count, -1.0)
    rows = np.arange(count)
    # A boid whose nearest may be farther than a cell's width looks again, three cells around.
    for ring in (1, 3) if (cells[periodic] >= 7).all() else (1,):
        parts = np.array_split(rows, 16)
        with ThreadPoolExecutor() as pool:
            options = (x, keys, starts, cells, sides, periodic, found, ring)
            for work in [pool.submit(sweep, part, *options) for part in parts]:
                work.result()
        rows = np.flatnonzero(found < 0)
    result = np.empty(count)
    result[order] = found
    if len(rows):
        result[order[rows]] = _by_tree(flock, order[rows])
    return result


def _by_tree(flock: FlockFrame, rows: Any) -> np.ndarray:
    x = wrapped(flock.positions, flock.space)
    found: np.ndarray = tree_of(x, flock.space).query(x[rows], k=2, workers=-1)[0][:, 1]
    return found


@cache
def _kernels() -> tuple[Any, Any]:
    """The compiled functions. numba is imported when a large flock is first measured."""
    from numba import njit

    from murmurate.measures import cell_sweep

    make = njit(nogil=True, cache=True)
    return make(cell_sweep.sort), make(cell_sweep.sweep)
