"""Plain functions that `swift` compiles."""

from __future__ import annotations

import numpy as np


def sort(x, lower, inverse, cells):  # type: ignore[no-untyped-def]
    """Positions in the order of their cells, the rows they come from, their cells, and where each
    cell begins: (N, 3), (N,), (N,), (cells + 1,)."""
    count = len(x)
    of = np.empty(count, np.int64)
    starts = np.zeros(cells[0] * cells[1] * cells[2] + 1, np.int64)
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
    placed, order, keys = np.empty((count, 3)), np.empty(count, np.int64), np.empty(count, np.int64)
    for i in range(count):
        at = free[of[i]]
        free[of[i]] += 1
        order[at], keys[at] = i, of[i]
        for axis in range(3):
            placed[at, axis] = x[i, axis]
    return placed, order, keys, starts


def sweep(rows, x, keys, starts, cells, sides, periodic, found, ring):  # type: ignore[no-untyped-def]
    """Writes the distance to the nearest other boid for some rows, positions being sorted by cell;
    leaves it where the nearest may lie beyond the ring of so many cells around its own."""
    width = np.inf  # how far one can be sure of having seen everyone
    for axis in range(3):
        if cells[axis] > 1:
            width = min(width, ring * sides[axis] / cells[axis])
    for i in rows:
        cz = keys[i] % cells[2]
        cy = keys[i] // cells[2] % cells[1]
        cx = keys[i] // cells[2] // cells[1]
        best = np.inf
        for ox in range(-ring, ring + 1):
            ax = cx + ox
            sx = 0.0
            if ax < 0 or ax >= cells[0]:
                if not periodic[0]:
                    continue
                sx = sides[0] if ax >= cells[0] else -sides[0]
                ax %= cells[0]
            for oy in range(-ring, ring + 1):
                ay = cy + oy
                sy = 0.0
                if ay < 0 or ay >= cells[1]:
                    if not periodic[1]:
                        continue
                    sy = sides[1] if ay >= cells[1] else -sides[1]
                    ay %= cells[1]
                for oz in range(-ring, ring + 1):
                    az = cz + oz
                    sz = 0.0
                    if az < 0 or az >= cells[2]:
                        if not periodic[2]:
                            continue
                        sz = sides[2] if az >= cells[2] else -sides[2]
                        az %= cells[2]
                    cell = (ax * cells[1] + ay) * cells[2] + az
                    for j in range(starts[cell], starts[cell + 1]):
                        if j != i:
                            dx = x[j, 0] + sx - x[i, 0]
                            dy = x[j, 1] + sy - x[i, 1]
                            dz = x[j, 2] + sz - x[i, 2]
                            best = min(best, dx * dx + dy * dy + dz * dz)
        if best <= width * width:
            found[i] = np.sqrt(best)
