"""Cell search: nearest-neighbour distances of many points, sorted into cells, in compiled code.

Compiled functions get positions of shape (N, 3); points in 2-D have a first axis of one cell. Cells
that are neighbours along the last axis are adjacent in memory, so a search of the 27 cells around a
point reads one or two contiguous ranges of points for each of the 9 rows of cells:

                   last axis ->
      row (-1, 1)  [  |  |  ]
      row ( 0, 1)  [  |  |  ]     each row: cells c - 1, c, c + 1
      row ( 0, 0)  [  |xx|  ]     xx: the point's own cell
      ...
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np

from murmurate.jit import njit
from murmurate.model.space import Space

POINTS_PER_CELL = 3.0  # mean number of points in the cell of a point, itself included
MAX_POINTS_PER_CELL = 64.0  # a cloud more crowded than this at the finest cells is left to a tree
CELLS_PER_POINT = 8  # at most
SAMPLE = 50_000  # points from which the crowding of cells is estimated
WIDER = 6.0  # factor between cell widths of successive passes

compiled = njit(nogil=True, cache=True)


def nearest_distances(
    x: np.ndarray, space: Space, tree_distances: Callable[[Any], np.ndarray]
) -> np.ndarray:
    """Return the exact distance from each point to the nearest other point.

    A point whose nearest neighbour may lie beyond the cells around it is searched again with wider
    cells, and finally by a tree.

    x  (N, D) positions, wrapped on periodic axes
    space  periodic axes
    tree_distances  maps rows to the same distances, by a tree
    returns  (N,) distances in length units
    """
    grid = _Grid(x, space)
    width, crowding = _fitting_width(grid)
    if crowding > MAX_POINTS_PER_CELL:
        return tree_distances(slice(None))
    cells, x, order, starts = grid.sort(width)
    sorted_distances = np.full(len(x), -1.0)
    left = np.arange(len(x))
    while len(left):
        options = (
            x, starts, grid.lower, cells, grid.sides, grid.periodic, sorted_distances,
            _row_offsets(cells),
        )  # fmt: skip
        with ThreadPoolExecutor() as pool:
            parts = np.array_split(left, 16)
            for work in [pool.submit(search_cells, part, *options) for part in parts]:
                work.result()
        left = np.flatnonzero(sorted_distances < 0)
        if not len(left) or (grid.cells(WIDER * width) >= cells).all():
            break
        width *= WIDER
        distances = np.empty(len(x))
        distances[order] = sorted_distances
        cells, x, order, starts = grid.sort(width)
        sorted_distances = distances[order]
        left = np.flatnonzero(sorted_distances < 0)
    if len(left):
        sorted_distances[left] = tree_distances(order[left])
    distances = np.empty(len(x))
    distances[order] = sorted_distances
    return distances


def _fitting_width(grid: _Grid) -> tuple[float, float]:
    """Return the cell width that suits most points of an uneven cloud, and its crowding."""
    width = grid.width(POINTS_PER_CELL)
    crowding = grid.crowding(width)
    for _ in range(3):
        finer = width * (POINTS_PER_CELL / crowding) ** (1 / grid.dims)
        too_many = np.prod(grid.cells(finer)) > CELLS_PER_POINT * len(grid.x) + 1000
        if crowding < 2 * POINTS_PER_CELL or too_many:
            break
        width, crowding = finer, grid.crowding(finer)
    return width, crowding


class _Grid:
    """The box of the points in 3 axes; for points in 2-D the first axis is flat."""

    def __init__(self, x: np.ndarray, space: Space) -> None:
        count, self.dims = x.shape
        periodic = np.array(space.periodic)
        lower, upper = np.zeros(self.dims), np.array(space.size)
        for axis in np.flatnonzero(~periodic):  # numpy is slow along short rows
            lower[axis], upper[axis] = x[:, axis].min(), x[:, axis].max()
        sides = upper - lower
        sides[sides == 0] = 1e-6 * sides.max() if sides.any() else 1.0  # points in a line or plane
        if self.dims == 2:
            x = np.column_stack([np.zeros(count), x])
            lower, sides = np.append(0.0, lower), np.append(1.0, sides)
            periodic = np.append(False, periodic)
        self.x, self.lower, self.sides, self.periodic = x, lower, sides, periodic

    def width(self, points: float) -> float:
        """Return the width of cells that contain `points` points on average."""
        volume = float(np.prod(self.sides[-self.dims :]))
        return float((volume * points / len(self.x)) ** (1.0 / self.dims))

    def cells(self, width: float) -> np.ndarray:
        """Return (3,) the number of cells of about this width along each axis.

        A periodic axis has at least 3, or a cell would be its own neighbour.
        """
        max_cells = CELLS_PER_POINT * int(len(self.x) ** (1 / self.dims)) + 1
        cells = np.clip((self.sides / width).astype(np.int64), 1, max_cells)
        cells[self.periodic] = np.maximum(cells[self.periodic], 3)
        if self.dims == 2:
            cells[0] = 1
        return cells

    def crowding(self, width: float) -> float:
        """Estimate from a sample how many points share the cell of a point, itself included."""
        every = max(1, len(self.x) // SAMPLE)
        cells = self.cells(width)
        starts = sort_into_cells(self.x[::every], self.lower, cells / self.sides, cells)[2]
        counts = np.diff(starts).astype(np.float64)
        return 1.0 + every * float((counts * (counts - 1)).sum() / counts.sum())

    def sort(self, width: float) -> tuple[np.ndarray, ...]:
        """Return the numbers of cells, and the results of `sort_into_cells`."""
        cells = self.cells(width)
        return cells, *sort_into_cells(self.x, self.lower, cells / self.sides, cells)


def _row_offsets(cells: np.ndarray) -> np.ndarray:
    """Return (R, 2) offsets of neighbouring rows of cells along the first two axes, nearest first.

    A neighbour found in a near row makes the search of farther rows unnecessary.
    """
    reach = [(-1, 0, 1) if n > 1 else (0,) for n in cells[:2]]
    return np.array(sorted(product(*reach), key=lambda step: (step[0] ** 2 + step[1] ** 2, step)))


@compiled
def sort_into_cells(x, lower, inverse, cells):  # type: ignore[no-untyped-def]
    """Sort positions by cell.

    x : (N, 3) positions
    lower, inverse, cells : (3,) the lower corner, cells per length, and numbers of cells
    Returns (N, 3) sorted positions, (N,) the rows they come from, and (cells + 1,) the index at
    which each cell begins.
    """
    count = len(x)
    cell_of = np.empty(count, np.int32)
    starts = np.zeros(cells[0] * cells[1] * cells[2] + 1, np.int32)
    for i in range(count):
        key = 0
        for axis in range(3):
            c = int((x[i, axis] - lower[axis]) * inverse[axis])
            key = key * cells[axis] + min(max(c, 0), cells[axis] - 1)
        cell_of[i] = key
        starts[key + 1] += 1
    for key in range(1, len(starts)):
        starts[key] += starts[key - 1]
    free = starts.copy()
    sorted_x, order = np.empty((count, 3)), np.empty(count, np.int32)
    for i in range(count):
        slot = free[cell_of[i]]
        free[cell_of[i]] += 1
        order[slot] = i
        for axis in range(3):
            sorted_x[slot, axis] = x[i, axis]
    return sorted_x, order, starts


@compiled
def wrap_cell(c, cells, side, periodic):  # type: ignore[no-untyped-def]
    """Return the cell of which cell c of an axis is an image, and the shift of its points.

    (-1, 0) beyond an open end.
    """
    if 0 <= c < cells:
        return c, 0.0
    if not periodic:
        return -1, 0.0
    return c % cells, side if c >= cells else -side


@compiled
def cell_range(piece, c, cells, side, periodic):  # type: ignore[no-untyped-def]
    """Return the first and last of cells c - 1 to c + 1 of the last axis, and their points' shift.

    piece : 0 for cells within the box, 1 and 2 for those beyond its lower and upper end
    The last cell is before the first if the piece is empty.
    """
    if piece == 0:
        return max(c - 1, 0), min(c + 1, cells - 1), 0.0
    if not periodic:
        return 0, -1, 0.0
    if piece == 1:
        return c - 1 + cells, cells - 1, -side
    return 0, c + 1 - cells, side


@compiled
def cell_gap(p, c, step, width):  # type: ignore[no-untyped-def]
    """Return a lower bound of the distance from p, in cell c of an axis, to cell c + step.

    Reduced by 1e-9 cell widths: rounding may have put a point into the neighbouring cell.
    """
    if step == 0:
        return 0.0
    distance = (c + step) * width - p if step > 0 else p - (c + step + 1) * width
    return max(distance - 1e-9 * width, 0.0)


@compiled
def nearest_square(i, corner, c, x, starts, cells, widths, sides, periodic, rows):  # type: ignore[no-untyped-def]
    """Return the squared distance from point i to the nearest other point in the 27 cells around.

    inf if these cells are empty.

    i, corner, c : the point, its first two coordinates from the grid's corner, and its cell
    x, starts : (N, 3) sorted positions, and where cells begin
    cells, widths, sides, periodic : (3,) of each axis
    rows : (R, 2) offsets from `_row_offsets`
    """
    best = np.inf
    px, py, pz = x[i, 0], x[i, 1], x[i, 2]
    for row in range(len(rows)):
        ox, oy = rows[row, 0], rows[row, 1]
        gx, gy = cell_gap(corner[0], c[0], ox, widths[0]), cell_gap(corner[1], c[1], oy, widths[1])
        if gx * gx + gy * gy >= best:
            continue
        ax, sx = wrap_cell(c[0] + ox, cells[0], sides[0], periodic[0])
        ay, sy = wrap_cell(c[1] + oy, cells[1], sides[1], periodic[1])
        if ax < 0 or ay < 0:
            continue
        before = (ax * cells[1] + ay) * cells[2]
        for piece in range(3):
            first, last, sz = cell_range(piece, c[2], cells[2], sides[2], periodic[2])
            if first > last:
                continue
            for j in range(starts[before + first], starts[before + last + 1]):
                dx, dy, dz = x[j, 0] + sx - px, x[j, 1] + sy - py, x[j, 2] + sz - pz
                square = dx * dx + dy * dy + dz * dz
                if square < best and j != i:
                    best = square
    return best


@compiled
def search_cells(points, x, starts, lower, cells, sides, periodic, distances, rows):  # type: ignore[no-untyped-def]
    """Write the nearest-neighbour distances of some points, where they are certain.

    A distance stays unchanged if the nearest neighbour may lie beyond the cells around the point.

    points : (M,) indices of sorted points, ascending
    x, starts : (N, 3) sorted positions, and where cells begin
    lower, cells, sides, periodic : (3,) of each axis
    rows : (R, 2) offsets from `_row_offsets`
    # outputs
    distances : (N,)
    """
    if len(points) == 0:
        return
    widths = np.empty(3)
    certain = np.inf  # radius within which no point is missed
    for axis in range(3):
        widths[axis] = sides[axis] / cells[axis]
        if cells[axis] > 1:
            certain = min(certain, widths[axis])
    cell, end = 0, len(starts)
    while end - cell > 1:  # where starts[cell] <= points[0] < starts[end]
        middle = (cell + end) // 2
        if starts[middle] <= points[0]:
            cell = middle
        else:
            end = middle
    for i in points:
        while starts[cell + 1] <= i:
            cell += 1
        c = (cell // cells[2] // cells[1], cell // cells[2] % cells[1], cell % cells[2])
        corner = (x[i, 0] - lower[0], x[i, 1] - lower[1])
        best = nearest_square(i, corner, c, x, starts, cells, widths, sides, periodic, rows)
        if best <= certain * certain:
            distances[i] = np.sqrt(best)
