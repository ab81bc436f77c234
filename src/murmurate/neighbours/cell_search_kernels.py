"""Compiled functions of the cell search.

Positions are (N, 3), and cells along the last axis are neighbours in memory: what a boid looks
through is a few stretches of boids, one or two for each row of cells along that axis. A flock in
2-D has a first axis of one cell.
"""

from __future__ import annotations

import numpy as np
from numba import njit

compiled = njit(nogil=True, cache=True)


@compiled
def sort(x, lower, inverse, cells):  # type: ignore[no-untyped-def]
    """Positions in the order of their cells, the rows they come from, and where each cell begins:
    (N, 3), (N,), (cells + 1,)."""
    count = len(x)
    of = np.empty(count, np.int32)
    starts = np.zeros(cells[0] * cells[1] * cells[2] + 1, np.int32)
    for i in range(count):
        key = 0
        for axis in range(3):
            c = int((x[i, axis] - lower[axis]) * inverse[axis])
            key = key * cells[axis] + min(max(c, 0), cells[axis] - 1)
        of[i] = key
        starts[key + 1] += 1
    for key in range(1, len(starts)):
        starts[key] += starts[key - 1]
    free = starts.copy()
    placed, order = np.empty((count, 3)), np.empty(count, np.int32)
    for i in range(count):
        at = free[of[i]]
        free[of[i]] += 1
        order[at] = i
        for axis in range(3):
            placed[at, axis] = x[i, axis]
    return placed, order, starts


@compiled
def image(c, cells, side, periodic):  # type: ignore[no-untyped-def]
    """The cell that stands in for cell c of an axis, and how far its boids are to be shifted; -1
    where there is none, beyond an open end."""
    if 0 <= c < cells:
        return c, 0.0
    if not periodic:
        return -1, 0.0
    return c % cells, side if c >= cells else -side


@compiled
def stretch(piece, c, cells, side, periodic):  # type: ignore[no-untyped-def]
    """First and last of the cells c - 1 to c + 1 of the last axis, in up to three pieces: 0 within
    the box, 1 and 2 over its lower and upper end; and how far their boids are to be shifted. The
    last is before the first where there are none."""
    if piece == 0:
        return max(c - 1, 0), min(c + 1, cells - 1), 0.0
    if not periodic:
        return 0, -1, 0.0
    if piece == 1:
        return c - 1 + cells, cells - 1, -side
    return 0, c + 1 - cells, side


@compiled
def gap(p, c, step, width):  # type: ignore[no-untyped-def]
    """How far place p, in cell c of an axis, is at least from the cells `step` cells on. A trifle
    less: rounding may have put a boid into the next cell."""
    if step == 0:
        return 0.0
    away = (c + step) * width - p if step > 0 else p - (c + step + 1) * width
    return max(away - 1e-9 * width, 0.0)


@compiled
def nearest_of(i, place, c, x, starts, cells, widths, sides, periodic, rows):  # type: ignore[no-untyped-def]
    """The squared distance from boid i of cell c, at a place from the grid's corner, to the nearest
    other one in its cell and those around; inf where there is none. `rows` has the ways to rows of
    cells, the nearest first."""
    best = np.inf
    px, py, pz = x[i, 0], x[i, 1], x[i, 2]
    for row in range(len(rows)):
        ox, oy = rows[row, 0], rows[row, 1]
        gx, gy = gap(place[0], c[0], ox, widths[0]), gap(place[1], c[1], oy, widths[1])
        if gx * gx + gy * gy >= best:
            continue
        ax, sx = image(c[0] + ox, cells[0], sides[0], periodic[0])
        ay, sy = image(c[1] + oy, cells[1], sides[1], periodic[1])
        if ax < 0 or ay < 0:
            continue
        before = (ax * cells[1] + ay) * cells[2]
        for piece in range(3):
            first, last, sz = stretch(piece, c[2], cells[2], sides[2], periodic[2])
            if first > last:
                continue
            for j in range(starts[before + first], starts[before + last + 1]):
                dx, dy, dz = x[j, 0] + sx - px, x[j, 1] + sy - py, x[j, 2] + sz - pz
                square = dx * dx + dy * dy + dz * dz
                if square < best and j != i:
                    best = square
    return best


@compiled
def sweep(boids, x, starts, lower, cells, sides, periodic, found, rows):  # type: ignore[no-untyped-def]
    """Writes the distance to the nearest other boid for some boids, in ascending order, positions
    being sorted by cell; leaves it where the nearest may lie beyond the cells around."""
    if len(boids) == 0:
        return
    widths = sides / cells
    certain = np.inf  # how far one can be sure of having seen everyone
    for axis in range(3):
        if cells[axis] > 1:
            certain = min(certain, widths[axis])
    cell = np.searchsorted(starts, boids[0], side="right") - 1
    for i in boids:
        while starts[cell + 1] <= i:
            cell += 1
        c = (cell // cells[2] // cells[1], cell // cells[2] % cells[1], cell % cells[2])
        place = (x[i, 0] - lower[0], x[i, 1] - lower[1])
        best = nearest_of(i, place, c, x, starts, cells, widths, sides, periodic, rows)
        if best <= certain * certain:
            found[i] = np.sqrt(best)
