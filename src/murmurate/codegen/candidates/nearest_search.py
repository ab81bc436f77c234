"""Exact k-nearest-neighbour search; these functions are part of the kernels.

The result is exact and in a fixed order (distance, id) for any grid: sums are not regrouped, so
that a distance has the same bits in every search.

Arrays: state (2 dims, columns) real, ids and flock_index (columns,) int32, start (cells + 1,)
int64, grid (7,) int64, lower and size (3,) real are read; near_d (k,) real, near_i (k,) int32,
near_q (k,) uint32 and scratch (64,) real are written."""

import math

import numpy as np

from murmurate.codegen.candidates.cell_functions import FIRST_LAYER, LAYERS
from murmurate.codegen.intrinsic_names import ranks8
from murmurate.model.shapes.geometry import max2, min2

MAX_RANKED = 64  # candidates that are sorted by comparing each with each


def insert_sorted(found, k, d, i, q, near_d, near_i, near_q):
    """Insert a candidate (squared distance d, id i, slot q) into the sorted k nearest. Return their
    number."""
    if found == k:
        if d > near_d[k - 1] or (d == near_d[k - 1] and i > near_i[k - 1]):
            return found
        p = k - 1
    else:
        p = found
        found = found + 1
    while p > 0 and (near_d[p - 1] > d or (near_d[p - 1] == d and near_i[p - 1] > i)):
        near_d[p], near_i[p], near_q[p] = near_d[p - 1], near_i[p - 1], near_q[p - 1]
        p = p - 1
    near_d[p], near_i[p], near_q[p] = d, i, q
    return found


def sort_candidates(m, k, picked, candidates, ids, distances, ranks, order):
    """Write the m candidates in `picked` into `order`, by (squared distance, id). Return their
    number, at most k.

    picked     numbers of candidates
    candidates, ids  squared distance and id of each candidate, by its number
    distances, ranks  scratch for RANKED numbers
    """
    if m <= MAX_RANKED:
        # The rank of each is how many are nearer: no branch that depends on distances.
        full = ((m + 7) >> 3) << 3
        for e in range(m):
            distances[e] = candidates[picked[e]]
        for e in range(m, full):
            distances[e] = far_distance()
        for e in range(0, full, 8):
            ranks8(ranks, e, distances, m)
        total = np.int64(0)
        for e in range(m):
            total += ranks[e]
            order[ranks[e]] = picked[e]
        if 2 * total == m * (m - 1):  # no two are equally far
            return min2(m, np.int64(k))
    for e in range(m):
        order[e] = picked[e]
    step = m >> 1
    while step > 0:  # Shell's sort: many candidates, or equal distances, are rare
        for e in range(step, m):
            j = order[e]
            p = e
            while p >= step and is_farther(order[p - step], j, candidates, ids):
                order[p] = order[p - step]
                p -= step
            order[p] = j
        step = step >> 1
    return min2(m, np.int64(k))


def is_farther(j, other, candidates, ids):
    """Return whether candidate j comes after another in the order (squared distance, id)."""
    d, other_d = candidates[j], candidates[other]
    return d > other_d or (d == other_d and ids[j] > ids[other])


def search_expanding_cells(
    state, start, ids, flock_index, wanted, grid, lower, size, sides, dims, me, self_slot, k,
    within2, cone, inner2, home_x, home_y, home_z, skin, scratch, near_d, near_i, near_q,
):  # fmt: skip
    """Search cubes of cells of increasing size, until no nearer boid can be outside. Return the
    number of boids found.

    within2  upper bound on the squared distance of the k-th neighbour
    cone     limit of the field of view, as in the zones of rules
    inner2   boids within this squared distance are not sensed
    wanted   flocks that are sensed, as the bits of a number
    sides    sides of the periodic axes, 0 for the others
    skin     distance that boids may be outside of their cells

    Returns -1 - n if halo layer n, which this worker lacks, could hold a nearer neighbour.
    """
    nx, ny, nz = grid[0], grid[1], grid[2]
    # layers by their numbers in the whole grid
    local_layers, all_layers, first_layer = nz, grid[LAYERS], grid[FIRST_LAYER]
    if dims == 3:
        home_z, nz = home_z + first_layer, all_layers
    else:
        local_layers, home_x, nx = nx, home_x + first_layer, all_layers
    q = np.int64(2)
    while True:
        found = np.int64(0)  # a plain 0 would be a type of its own to numba
        whole = True
        cover = far_distance()
        for axis in range(dims):
            n, c, p = nx, home_x, me.x
            if axis == 1:
                n, c, p = ny, home_y, me.y
            if axis == 2:
                n, c, p = nz, home_z, me.z
            below = p - (lower[axis] + (c - q) * size[axis])
            above = lower[axis] + (c + q + 1) * size[axis] - p
            if sides[axis] > 0.0:
                if 2 * q + 1 < n:
                    whole = False
                    cover = min2(cover, min2(below, above))
            else:
                if c - q > 0:
                    whole = False
                    cover = min2(cover, below)
                if c + q < n - 1:
                    whole = False
                    cover = min2(cover, above)
        bound = within2
        a, b, c, d = ranges_along_y(home_y, q, ny, sides[1])
        for sz in range(home_z - q, home_z + q + 1):
            jz = wrap_cell(sz, nz, sides[2], q, home_z)
            if jz < 0:
                continue
            gap_z = 0.0
            if dims == 3:
                gap_z = cell_distance(me.z, lower[2], size[2], sz, nz, sides[2], skin)
            for sx in range(home_x - q, home_x + q + 1):
                jx = wrap_cell(sx, nx, sides[0], q, home_x)
                gap_x = cell_distance(me.x, lower[0], size[0], sx, nx, sides[0], skin)
                if jx < 0 or gap_x * gap_x + gap_z * gap_z > 1.001 * bound:
                    continue
                s, j = (sz, jz) if dims == 3 else (sx, jx)
                if first_layer != 0 or local_layers != all_layers:
                    # halo layers of the other side of a torus follow those of this side
                    j = s - first_layer
                    if j < 0 or j >= local_layers:
                        return -1 - abs(s - (home_z if dims == 3 else home_x))
                row = (j * nx + jx) * ny if dims == 3 else j * ny
                found = scan_slots(
                    state, start[row + a], start[row + b + 1], ids, flock_index, wanted, sides,
                    dims, me, self_slot, k, bound, cone, inner2, scratch, found, near_d, near_i,
                    near_q,
                )  # fmt: skip
                if d >= c:
                    found = scan_slots(
                        state, start[row + c], start[row + d + 1], ids, flock_index, wanted, sides,
                        dims, me, self_slot, k, bound, cone, inner2, scratch, found, near_d,
                        near_i, near_q,
                    )  # fmt: skip
                if found == k:
                    bound = near_d[k - 1]
        # a boid on the line between two cells may count to either
        cover = max2(0.0, 0.9999 * cover - skin)
        if whole or bound <= cover * cover:
            return found
        q = 2 * q


def ranges_along_y(home_y, q, ny, side):
    """Return the first and the last cell along y, up to q cells from home: they are neighbours in
    memory. Then those of a second range across a periodic face, the last before the first if there
    is none."""
    a, b = max2(home_y - q, 0), min2(home_y + q, ny - 1)
    c, d = 0, -1
    if side > 0.0 and 2 * q + 1 >= ny:
        a, b = 0, ny - 1
    elif side > 0.0 and home_y - q < 0:
        c, d = home_y - q + ny, ny - 1
    elif side > 0.0 and home_y + q >= ny:
        c, d = 0, home_y + q - ny
    return a, b, c, d


def insert_if_new(
    state, j, ids, flock_index, wanted, sides, dims, me, k, within2, cone, inner2,
    found, near_d, near_i, near_q,
):  # fmt: skip
    """Insert boid j if it is among the k nearest and not among them yet."""
    d, seen = visible_distance2(state, j, me, sides, dims, cone, inner2)
    if not seen or d > within2 or not (wanted >> flock_index[j]) & 1:
        return found
    for e in range(found):
        if near_q[e] == j:
            return found
    return insert_sorted(found, k, d, ids[j], j, near_d, near_i, near_q)


def cell_distance(p, lower, size, s, n, side, skin):
    """Return a lower bound on the distance from p to boids of cell s, on an axis of n cells. Cells
    at open edges have no end. The bound allows for rounding and for the skin."""
    centre = lower + (s + 0.5) * size - p
    if side > 0.0:
        centre = centre - side * math.floor(centre / side + 0.5)
    elif (s == 0 and centre > 0.0) or (s == n - 1 and centre < 0.0):
        return 0.0
    return max2(0.0, abs(centre) - 0.501 * size - skin)


def scan_slots(
    state, first, last, ids, flock_index, wanted, sides, dims, me, self_slot, k, within2, cone,
    inner2, scratch, found, near_d, near_i, near_q,
):  # fmt: skip
    """Insert the nearest boids of slots first..last within a squared distance."""
    while first < last:
        n = min2(last - first, scratch.shape[0])
        for e in range(n):
            d, seen = visible_distance2(state, first + e, me, sides, dims, cone, inner2)
            scratch[e] = d
            if not seen:
                scratch[e] = 2.0 * within2
        bound = within2
        for e in range(n):
            if scratch[e] <= bound:
                j = first + e
                if j != self_slot and (wanted >> flock_index[j]) & 1:
                    found = insert_sorted(found, k, scratch[e], ids[j], j, near_d, near_i, near_q)
                    if found == k:
                        bound = near_d[k - 1]
        first = first + n
    return found


def wrap_cell(s, n, side, q, home):
    """Return the cell of index s on an axis of n cells, wrapped if periodic; -1 if there is none,
    or if it was searched already."""
    if side > 0.0:
        if s >= home - q + n:
            return -1
        return s - n * math.floor(s / n)
    if s < 0 or s >= n:
        return -1
    return s


def minimum_image_vector(state, j, me, sides, dims):
    """Return the vector from `me` to the nearest image of boid j."""
    dx, dy, dz = state[0, j] - me.x, state[1, j] - me.y, me.z - me.z
    if dims == 3:
        dz = state[2, j] - me.z
    if sides[0] > 0.0:
        dx = image_difference(state[0, j], me.x, sides[0])
    if sides[1] > 0.0:
        dy = image_difference(state[1, j], me.y, sides[1])
    if sides[2] > 0.0:
        dz = image_difference(state[2, j], me.z, sides[2])
    return dx, dy, dz


def image_difference(there, here, side):
    """Return the difference of two coordinates by the nearest image, rounded as for staged
    cells."""
    half = 0.5 * side
    if there - here > half:
        return (there - side) - here
    if there - here < -half:
        return (there + side) - here
    return there - here


def visible_distance2(state, j, me, sides, dims, cone, inner2):
    """Return the squared distance to boid j, and whether it is in view and beyond the inner
    radius."""
    dx, dy, dz = minimum_image_vector(state, j, me, sides, dims)
    r2 = squared_length(dx, dy, dz)
    ahead = dx * me.u + dy * me.v + dz * me.w
    return r2, ahead * abs(ahead) >= cone * r2 and r2 > inner2


def squared_length(x, y, z):
    """Return the squared length of a vector."""
    return x * x + y * y + z * z


def far_distance():
    """Return a distance beyond any other."""
    return 1e15
