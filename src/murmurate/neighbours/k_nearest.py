"""The k nearest points of each point, in many worlds at once, exactly and in compiled code.

Each world is sorted into cells of a few points. A point searches the cells around its own, and
wider rings of cells until no point outside of them can be among its k nearest.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from murmurate.jit import njit
from murmurate.model.space import Space
from murmurate.neighbours.cell_search import sort_into_cells

NOBODY = -1
"""The row of a neighbour that a point does not have."""
SMALL_WORLD = 64
"""Points up to which one cell holds all of them: sorting would take longer than it saves."""
POINTS_PER_CELL = {2: 0.65, 3: 0.45}
"""Points in a cell, as a fraction of those that a search looks for."""
POINTS_PER_TASK = 4096
GUESS = 1.3
"""How much farther than those of the point before, squared, the neighbours of a point may be."""
FARTHEST = float(np.finfo(np.float64).max)
"""The largest squared distance; that of candidates that do not count is inf."""
MAX_COUNTED = 6
"""Largest number of candidates that are sorted by counting, as a multiple of k."""

LANES = 8
"""Numbers that a loop over candidates compares at once: their arrays have room for whole ones."""
FEW = 24
"""Candidates that are sorted as they are; of more, those that are too far are left out before."""

compiled = njit(nogil=True, cache=True)


def k_nearest(
    positions: np.ndarray,
    space: Space,
    k: int,
    *,
    observers: slice = slice(None),
    targets: np.ndarray | None = None,
    radius: float = math.inf,
    headings: np.ndarray | None = None,
    field_of_view: float = 180.0,
    threads: int | None = None,
    then: Callable[[int, int, slice, np.ndarray], None] | None = None,
) -> np.ndarray:
    """Return the rows of the k nearest other points of some points, nearest first.

    Parameters
    ----------
    positions : (E, N, D) float
        Points of E worlds, in length units. nan for a point that does not exist.
    space : Space
        The space of all worlds: distances are to the nearest image on its periodic axes.
    k : int
        At least 1.
    observers : slice
        Rows of the M points whose neighbours are wanted; by default all.
    targets : (N,) bool, optional
        Points that may be neighbours; by default all.
    radius : float
        Largest distance of a neighbour, in length units.
    headings : (E, M, D) float, optional
        Vectors in the middle of the fields of view. A point whose vector is zero sees all around.
    field_of_view : float
        Half an angle in degrees, from 0 to 180; needs `headings` below 180.
    threads : int, optional
        One per core by default. The result does not depend on it.
    then : function, optional
        Called as then(first, last, part, rows) by the thread that wrote the rows of worlds first to
        last and of a part of their observers. It should be compiled code.

    Returns
    -------
    (E, M, k) int32
        Rows of the same world; `NOBODY` after the last neighbour. Of points at equal distances the
        one with the smaller row is first.
    """
    worlds, count, dims = positions.shape
    start, stop, _ = observers.indices(count)
    rows = np.full((worlds, stop - start, k), NOBODY, np.int32)
    periodic = np.array(space.periodic)
    sides = np.where(periodic, np.array(space.size), np.inf)
    lengths = np.full(3, np.inf)
    lengths[3 - dims :] = sides
    targets = np.ones(count, bool) if targets is None else targets
    narrow = headings is not None and field_of_view < 180
    cosine = math.cos(math.radians(field_of_view)) if narrow else -2.0
    views = np.asarray(headings, np.float64) if narrow else np.zeros((1, 1, dims))
    lower, limit = np.array(space.lower, np.float64), radius * radius
    per_cell = max(1.0, k * POINTS_PER_CELL[dims])

    def search(first: int, last: int, part: slice) -> None:
        search_worlds(
            first, last, positions, start + part.start, targets, lower, lengths, per_cell, limit,
            views[:, part] if narrow else views, cosine, rows[:, part],
        )  # fmt: skip
        if then is not None:
            then(first, last, part, rows)

    run_in_threads(search, worlds, stop - start, threads)
    return rows


def run_in_threads(
    work: Callable[[int, int, slice], None], worlds: int, rows: int, threads: int | None
) -> None:
    """Call work(first, last, part) for all worlds and rows, in threads.

    work  compiled code for worlds first to last and a part of their rows
    """
    threads = threads or (os.cpu_count() or 1)
    if threads == 1 or worlds * rows <= POINTS_PER_TASK:
        work(0, worlds, slice(0, rows))
        return
    step = max(1, POINTS_PER_TASK // max(rows, 1))
    parts = 1 if worlds >= threads else threads
    ends = [rows * k // parts for k in range(parts + 1)]
    with ThreadPoolExecutor(threads) as pool:
        running = [
            pool.submit(work, first, min(first + step, worlds), slice(*ends[k : k + 2]))
            for first in range(0, worlds, step)
            for k in range(parts)
        ]
        for task in running:
            task.result()


@compiled
def search_worlds(
    first, last, x, start, targets, corner, lengths, per_cell, limit, views, cosine, rows
):  # type: ignore[no-untyped-def]
    """Write the rows of the neighbours of the points of worlds first to last.

    x : (E, N, D) positions; nan for points that do not exist
    corner, lengths : (D,) lower ends of the axes; (3,) lengths of the periodic ones, else inf
    start : row of the first observer
    per_cell, limit : targets in a cell, and the largest squared distance
    views, cosine : (E, M, D) headings, and the cosine of half the field of view; below -1 for all
    rows : (E, M, k)

    It has loops in place of expressions of arrays, which take numba seconds to compile.
    """
    count, dims, observers, k = x.shape[1], x.shape[2], rows.shape[1], rows.shape[2]
    before = 3 - dims
    points, source = np.zeros((count, 3)), np.empty(count, np.int64)
    near, squares, kept, kept_rows = new_buffers(count)
    room = MAX_COUNTED * k + LANES
    best, best_rows = np.empty(room), np.empty(room)
    view, lower, upper, inverse = np.zeros(3), np.empty(3), np.empty(3), np.empty(3)
    for world in range(first, last):
        alive = collect_points(x[world], corner, lengths, points, source, lower, upper)
        cells, widths = make_cells(alive, before, lower, upper, lengths, per_cell)
        for axis in range(3):
            inverse[axis] = 1.0 / widths[axis]
        xs, order, starts = sort_into_cells(points[:alive], lower, inverse, cells)
        guess = FARTHEST
        for cell in range(len(starts) - 1):
            low, high = starts[cell], starts[cell + 1]
            if observers < count:  # observers first; the others do not search
                high = observers_first(low, high, xs, order, source, start, start + observers)
            reach = 1
            while low < high:  # points whose neighbours are not certain yet
                number, certain = gather_ring(
                    cell, reach, xs, order, starts, source, targets, cells, widths, lengths, near
                )
                still = low
                for at in range(low, high):
                    i = source[order[at]]
                    measure(
                        number, near, xs[at, 0], xs[at, 1], xs[at, 2], i, lengths, limit, squares
                    )
                    if cosine >= -1.0:
                        for axis in range(dims):
                            view[before + axis] = views[world, i - start, axis]
                        narrow(number, near, xs[at], lengths, view, cosine, squares)
                    count_found, guess = select(
                        k, number, near, squares, guess, kept, kept_rows, best, best_rows
                    )
                    far = certain * certain
                    if certain == np.inf or far > limit or (count_found == k and best[k - 1] < far):
                        for slot in range(count_found):
                            rows[world, i - start, slot] = best_rows[slot]
                    else:
                        swap(xs, order, still, at)
                        still += 1
                high = still
                reach *= 2


@compiled
def collect_points(x, corner, lengths, points, source, lower, upper):  # type: ignore[no-untyped-def]
    """Write the points of a world that exist, their rows and corners; return their number.

    Points have coordinates in [0, side) on periodic axes; those in 2-D a first one of 0.
    """
    before, alive = 3 - x.shape[1], 0
    for axis in range(3):
        lower[axis] = 0.0 if axis < before else np.inf
        upper[axis] = -lower[axis]
    for i in range(len(x)):
        if x[i, 0] == x[i, 0]:
            for axis in range(x.shape[1]):
                value, at = float(x[i, axis]), before + axis
                side = lengths[at]
                if side < np.inf:
                    value -= corner[axis] + math.floor((value - corner[axis]) / side) * side
                points[alive, at] = value
                lower[at], upper[at] = min(lower[at], value), max(upper[at], value)
            source[alive] = i
            alive += 1
    return alive


@compiled
def swap(xs, order, a, b):  # type: ignore[no-untyped-def]
    """Exchange two points of a cell."""
    order[a], order[b] = order[b], order[a]
    for axis in range(3):
        xs[a, axis], xs[b, axis] = xs[b, axis], xs[a, axis]


@compiled
def observers_first(low, high, xs, order, source, start, stop):  # type: ignore[no-untyped-def]
    """Move the points of a cell with rows from start to stop to its front; return their end."""
    end = low
    for at in range(low, high):
        if start <= source[order[at]] < stop:
            swap(xs, order, end, at)
            end += 1
    return end


@compiled
def new_buffers(count):  # type: ignore[no-untyped-def]
    """Return space for the candidates of a point: (4, N) coordinates and rows; three of (N,)."""
    room = count + LANES
    return np.empty((4, count)), np.empty(room), np.empty(room), np.empty(room)


@compiled
def make_cells(alive, before, lower, upper, lengths, per_cell):  # type: ignore[no-untyped-def]
    """Return the numbers of cells of the axes, and their widths; set the faces of periodic axes."""
    cells, widths, volume = np.ones(3, np.int64), np.ones(3), 1.0
    for axis in range(before, 3):
        if lengths[axis] < np.inf:
            lower[axis], upper[axis] = 0.0, lengths[axis]
        widths[axis] = max(upper[axis] - lower[axis], 1e-300)
        volume *= widths[axis]
    if alive > SMALL_WORLD:
        width = (volume * per_cell / alive) ** (1.0 / (3 - before))
        max_cells = 2.0 * alive ** (1.0 / (3 - before)) + 1.0
        for axis in range(before, 3):
            cells[axis] = int(max(1.0, min(max_cells, widths[axis] / max(width, 1e-300))))
    for axis in range(3):
        widths[axis] /= cells[axis]
    return cells, widths


@compiled
def gather_ring(cell, reach, xs, order, starts, source, targets, cells, widths, lengths, near):  # type: ignore[no-untyped-def]  # fmt: skip
    """Write the targets in the cells at most `reach` from a cell to `near`.

    Returns their number, and a distance within which they are all targets of any point of the cell.
    """
    c0, c1 = cell // cells[2] // cells[1], cell // cells[2] % cells[1]
    first0, last0 = ring(c0, reach, cells[0], lengths[0] < np.inf)
    first1, last1 = ring(c1, reach, cells[1], lengths[1] < np.inf)
    first2, last2 = ring(cell % cells[2], reach, cells[2], lengths[2] < np.inf)
    certain, number = np.inf, 0
    if last0 - first0 + 1 < cells[0]:
        certain = widths[0]
    if last1 - first1 + 1 < cells[1]:
        certain = min(certain, widths[1])
    if last2 - first2 + 1 < cells[2]:
        certain = min(certain, widths[2])
    for a in range(first0, last0 + 1):
        for b in range(first1, last1 + 1):
            line = ((a % cells[0]) * cells[1] + b % cells[1]) * cells[2]
            for c in range(first2, last2 + 1):
                at = line + c % cells[2]
                for j in range(starts[at], starts[at + 1]):
                    row = source[order[j]]
                    if targets[row]:
                        near[0, number], near[1, number] = xs[j, 0], xs[j, 1]
                        near[2, number], near[3, number] = xs[j, 2], row
                        number += 1
    return number, certain * reach * (1.0 - 1e-9)


@compiled
def measure(number, near, x, y, z, own, lengths, limit, squares):  # type: ignore[no-untyped-def]
    """Write the squared distances of candidates; inf beyond the limit, and for the point itself."""
    s0, s1, s2 = lengths[0], lengths[1], lengths[2]
    for j in range(number):
        d0, d1, d2 = abs(near[0, j] - x), abs(near[1, j] - y), abs(near[2, j] - z)
        d0, d1, d2 = min(d0, abs(s0 - d0)), min(d1, abs(s1 - d1)), min(d2, abs(s2 - d2))
        square = d0 * d0 + d1 * d1 + d2 * d2
        squares[j] = np.inf if square > limit or near[3, j] == own else square


@compiled
def narrow(number, near, point, lengths, view, cosine, squares):  # type: ignore[no-untyped-def]
    """Set the squared distances of candidates outside of the field of view to inf.

    view, cosine : the middle of the field, and the cosine of its half angle; a point whose view is
        zero sees all around
    """
    length = math.sqrt(view[0] ** 2 + view[1] ** 2 + view[2] ** 2)
    for j in range(number if length > 0.0 else 0):
        along = 0.0
        for axis in range(3):
            difference, side = near[axis, j] - point[axis], lengths[axis]
            if abs(difference) > 0.5 * side:
                difference -= math.copysign(side, difference)
            along += difference * view[axis]
        if along < cosine * length * math.sqrt(squares[j]):
            squares[j] = np.inf


@compiled
def select(k, number, near, squares, guess, kept, kept_rows, best, best_rows):  # type: ignore[no-untyped-def]
    """Write the nearest candidates, in order of distance and row; return their number.

    Also returns a distance, squared, within which the next point will probably have enough.

    guess : such a distance from the point before
    kept, kept_rows : (N,) space for those within this distance
    """
    if number <= FEW:
        passed, kept, kept_rows = number, squares, near[3]
    else:
        passed = 0
        for limit in (guess, min(2.5 * guess, FARTHEST), FARTHEST):
            if passed < k:
                passed = keep(number, near, squares, limit, kept, kept_rows)
    count_found = -1
    if passed <= MAX_COUNTED * k:
        count_found = min(sort_by_counting(passed, kept, kept_rows, best, best_rows), k)
    if count_found < 0:
        count_found = 0
        for j in range(passed):
            if kept[j] <= (FARTHEST if count_found < k else best[k - 1]):
                count_found = insert(k, kept[j], kept_rows[j], best, best_rows, count_found)
    return count_found, GUESS * best[k - 1] if count_found == k else FARTHEST


@compiled
def keep(number, near, squares, limit, kept, kept_rows):  # type: ignore[no-untyped-def]
    """Write the candidates within a squared distance to `state`; return their number."""
    passed = 0
    for j in range(number):
        kept[passed], kept_rows[passed] = squares[j], near[3, j]
        passed += squares[j] <= limit
    return passed


@compiled
def sort_by_counting(number, squares, rows, best, best_rows):  # type: ignore[no-untyped-def]
    """Write some candidates in order, without a branch that depends on distances.

    Returns how many count, or -1 if distances are equal, so that what was written is wrong.
    """
    total, counted = 0, 0
    lanes = (number + LANES - 1) // LANES * LANES
    for lane in range(number, lanes):
        squares[lane] = np.inf
    for j in range(number):
        square, rank = squares[j], 0
        for other in range(lanes):
            rank += squares[other] < square
        counts = square <= FARTHEST
        total += rank * counts
        counted += counts
        best[rank], best_rows[rank] = square, rows[j]
    return counted if 2 * total == counted * (counted - 1) else -1


@compiled
def ring(c, reach, cells, wraps):  # type: ignore[no-untyped-def]
    """Return the first and the last cell of an axis that are at most `reach` from cell c."""
    if not wraps:
        return max(c - reach, 0), min(c + reach, cells - 1)
    if 2 * reach + 1 >= cells:
        return 0, cells - 1
    return c - reach, c + reach


@compiled
def insert(k, square, row, squares, rows, count_found):  # type: ignore[no-untyped-def]
    """Insert a neighbour among the others, in order of distance and row; return their number."""
    slot = count_found if count_found < k else k - 1
    if count_found == k and square == squares[slot] and row > rows[slot]:
        return count_found
    while slot > 0 and (
        square < squares[slot - 1] or (square == squares[slot - 1] and row < rows[slot - 1])
    ):
        squares[slot], rows[slot] = squares[slot - 1], rows[slot - 1]
        slot -= 1
    squares[slot], rows[slot] = square, row
    return min(count_found + 1, k)
