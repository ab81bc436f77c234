"""Cells: functions that sort boids into a grid, in the order (cell, id), for any number of threads.
They are compiled with kernels, and by cell_kernels.py for Python.

Cell (x, y, z) has the number (z * nx + x) * ny + y: cells along y are contiguous in memory, and
kernels walk along rows of x.
"""

import math

import numpy as np

RADIUS_X, RADIUS_Y, LAYERS, FIRST_LAYER = 3, 4, 5, 6
"""Indices in `grid` (7,), after the numbers of cells along x, y, z: cells in a radius along x, y;
layers of the whole grid, and index of the first layer here."""
MAX_CELLS_PER_AXIS = 65536
"""Cells along an axis, at most."""
MARGIN, ROUNDING = 1.00002, 4e-7
"""Cells are larger than the sensing radius by this factor, and by this part of the grid's side, so
that rounding in float32 cannot put a neighbour two cells away."""
MIN_SHELL_SORT = 32
"""Boids in a cell from which on Shell's sort precedes insertion sort."""
MAX_CHUNK_WORK = 2.0**18
"""Work of a chunk, at most: some milliseconds."""
MIN_SAMPLES = 2000
"""Boids whose positions give the bounds of a flock; up to twice this number."""


def count_cells(state, dims, first, last, corner, inverse, grid, cell, counts):
    """Find the cell of each boid in first..last, and count the boids of each cell. A boid outside
    of the grid belongs to the nearest cell of its edge. A part of a grid has only some layers."""
    nx, ny, nz = grid[0], grid[1], grid[2]
    layer = ny * (nx if dims == 3 else 1)
    nx, nz = (nx, grid[LAYERS]) if dims == 3 else (grid[LAYERS], nz)
    origin = grid[FIRST_LAYER] * layer
    counts[:] = 0
    for i in range(first, last):
        x = min(max(int((state[0, i] - corner[0]) * inverse[0]), 0), nx - 1)
        y = min(max(int((state[1, i] - corner[1]) * inverse[1]), 0), ny - 1)
        c = x * ny + y
        if dims == 3:
            z = min(max(int((state[2, i] - corner[2]) * inverse[2]), 0), nz - 1)
            c += z * nx * ny
        c -= origin
        cell[i] = c
        counts[c] += 1


def count_layers(state, axis, first, last, corner, inverse, layers, layer, counts):
    """Find the layer of each boid in first..last, and count the boids of each: see count_cells."""
    for i in range(first, last):
        k = min(max(int((state[axis, i] - corner[axis]) * inverse[axis]), 0), layers - 1)
        layer[i] = k
        counts[k] += 1


def prefix_sums(counts, start):
    """Turn the counts of threads into the first slots of their boids of each cell, and write where
    cells start. Return the sum of squared occupancies."""
    threads, cells = counts.shape
    total = 0
    squares = 0.0
    for c in range(cells):
        start[c] = total
        before = total
        for t in range(threads):
            n = counts[t, c]
            counts[t, c] = total
            total += n
        squares += float(total - before) ** 2
    start[cells] = total
    return squares


def order_cells(first, last, cell, places, column_order):
    """Write the columns of boids in the order of their cells."""
    for i in range(first, last):
        c = cell[i]
        column_order[places[c]] = i
        places[c] += 1


def gather_cells(
    first, last, start, column_order, several_flocks, can_perch,
    ids, flock_index, timers, state, next_ids, next_flock_index, next_timers, next_state,
):  # fmt: skip
    """Sort each cell of first..last by id, and move its boids to their new slots. Indices of flocks
    and timers move only if there are `several_flocks`, or boids `can_perch`."""
    for c in range(first, last):
        a, b = start[c], start[c + 1]
        if b - a > MIN_SHELL_SORT:
            # Shell's sort without its last pass: a cell may hold thousands of boids
            for gap in (1750, 701, 301, 132, 57, 23, 10, 4):
                for k in range(a + gap, b):
                    slot = column_order[k]
                    boid = ids[slot]
                    p = k
                    while p >= a + gap and ids[column_order[p - gap]] > boid:
                        column_order[p] = column_order[p - gap]
                        p -= gap
                    column_order[p] = slot
        # boids that stay in their cell are sorted already
        before = np.int32(-1)
        for k in range(a, b):
            slot = column_order[k]
            boid = ids[slot]
            if boid > before:
                next_ids[k] = boid
                before = boid
            else:
                p = k
                while p > a and next_ids[p - 1] > boid:
                    next_ids[p] = next_ids[p - 1]
                    column_order[p] = column_order[p - 1]
                    p -= 1
                next_ids[p] = boid
                column_order[p] = slot
    a, b = start[first], start[last]
    # two rows at a time: where boids come from is read half as often
    for d in range(0, state.shape[0], 2):
        source, target = state[d], next_state[d]
        other_source, other_target = state[d + 1], next_state[d + 1]
        for k in range(a, b):
            slot = column_order[k]
            target[k] = source[slot]
            other_target[k] = other_source[slot]
    if several_flocks:
        for k in range(a, b):
            next_flock_index[k] = flock_index[column_order[k]]
    if can_perch:
        for k in range(a, b):
            next_timers[k] = timers[column_order[k]]


def plan_runs(start, grid, target_chunks, runs, chunks):
    """Divide the rows of cells into runs (row, first x, last x), and the runs into chunks of about
    equal work, also for clumped flocks. Return the number of chunks; chunk k has the runs
    chunks[k] ... chunks[k + 1] - 1."""
    nx, ny, nz = grid[0], grid[1], grid[2]
    count = 0
    made = 0
    work = 0.0
    total = 0
    for cell in range(nx * ny * nz):
        n = start[cell + 1] - start[cell]
        total += n * (n + 6)
    target = total / target_chunks if total < target_chunks * MAX_CHUNK_WORK else MAX_CHUNK_WORK
    target = target if target > 1.0 else 1.0
    chunks[0] = 0
    for row in range(ny * nz):
        z, y = row // ny, row % ny
        begin = -1
        last = 0
        for x in range(nx):
            cell = (z * nx + x) * ny + y
            n = start[cell + 1] - start[cell]
            if n > 0:
                if begin < 0:
                    begin = x
                last = x
                work += n * (n + 6.0)
                if work > target and made < chunks.shape[0] - 2:
                    runs[count, 0], runs[count, 1], runs[count, 2] = row, begin, x
                    count += 1
                    begin = -1
                    work = 0.0
                    made += 1
                    chunks[made] = count
        if begin >= 0:
            runs[count, 0], runs[count, 1], runs[count, 2] = row, begin, last
            count += 1
    if count > chunks[made]:
        made += 1
        chunks[made] = count
    return made


def sum_flocks(state, flock_index, dims, gridded, first, count, start, grid, part, totals):
    """Sum positions and velocities of the boids in first..count by flock, in float64: layer by
    layer of the grid, so that workers with some layers get the same sums; then ungridded boids.

    part  scratch for the sums of a layer
    """
    cells = grid[1] * (grid[0] if dims == 3 else 1)
    layers = grid[LAYERS] if gridded > 0 else 0
    totals[:] = 0.0
    last = first
    for layer in range(layers + 1):
        first = last
        last = start[(layer + 1) * cells] if layer < layers else count
        sum_layer(state, flock_index, first, last, part)
        add_layer(part, totals)


def sum_layer(state, flock_index, first, last, part):
    """Sum positions and velocities of the boids in first..last by flock."""
    part[:] = 0.0
    # alternate rows, so that no addition waits for the one before it
    for i in range(first, last):
        flock = flock_index[i]
        for d in range(state.shape[0]):
            part[flock, d] += state[d, i]


def add_layer(part, totals):
    """Add the sums of a layer to the totals."""
    for flock in range(totals.shape[0]):
        for d in range(totals.shape[1]):
            totals[flock, d] += part[flock, d]


def add_layers(parts, layers, totals):
    """Add the sums of layers, in order."""
    totals[:] = 0.0
    for layer in range(layers):
        add_layer(parts[layer], totals)


def max_speed_component(state, dims, first, last):
    """Return the largest absolute component of the velocities of the boids in first..last."""
    largest = 0.0
    for d in range(dims, 2 * dims):
        for i in range(first, last):
            largest = max(largest, abs(state[d, i]))
    return largest


def max_sensing_offset(perceived_by_id, state, ids, dims, first, last, faces, periodic):
    """Return the largest difference, on any axis, between true and perceived positions of the boids
    in first..last."""
    largest = 0.0
    for d in range(dims):
        side = faces[1, d] - faces[0, d]
        for k in range(first, last):
            gap = abs(np.float64(perceived_by_id[d, ids[k]]) - state[d, k])
            if periodic[d] > 0:
                gap = min(gap, abs(side - gap))
            largest = max(largest, gap)
    return largest


def minimum_image(gap, side):
    """Return the minimum image of a difference that is less than a side."""
    if gap > 0.5 * side:
        return gap - side
    if gap < -0.5 * side:
        return gap + side
    return gap


def first_lost_boid(state, dims, first, last, centre, limit, count):
    """Return axis * count + column of the first boid in first..last that is not finite or farther
    than `limit` from the centre on an axis; 1e30 for none."""
    for d in range(dims):
        low, high = centre[d] - limit, centre[d] + limit
        bad = 0
        for i in range(first, last):
            bad += not (state[d, i] >= low and state[d, i] <= high)
        if bad > 0:
            for i in range(first, last):
                if not (state[d, i] >= low and state[d, i] <= high):
                    return float(d * count + i)
    return 1e30


def find_lost_boid(state, dims, first, last, centre, limit):
    """Return the column of the first lost boid, or -1."""
    found = first_lost_boid(state, dims, first, last, centre, limit, last)
    return -1 if found == 1e30 else int(found) % last


def sample_positions(state, ids, periodic, dims, first, last, every, out):
    """Write coordinates, on axes that are not periodic, of the boids in first..last whose id is a
    multiple of `every`, by id: (axes, samples)."""
    inverse = 1 / every  # a product is faster than a remainder, and exact: ids are below 2^31
    for i in range(first, last):
        k = int((ids[i] + 0.5) * inverse)
        if k * every == ids[i]:
            for d in range(dims):
                if periodic[d] == 0:
                    out[d, k] = state[d, i]


def sample_interval(count: int) -> int:
    """Return the interval of ids of sampled boids, for a number of boids."""
    return max(1, count // MIN_SAMPLES)


def max_cells(count: int) -> int:
    """Return the largest number of cells for a number of boids: wide open space gets larger
    cells."""
    return min(8 * count, 2 * count + 2_000_000) + 64


def divide_box(dims, extent, periodic, count, reach, cell, limit, size, grid):
    """Divide a box into at most `limit` cells: write the sides of a cell (3) and the
    grid (7)."""
    for axis in range(3):
        size[axis], grid[axis] = 1.0, 1
    fine = 1
    if reach > 0.0:
        # in a dense flock thinner slabs leave fewer boids out of reach
        crowd = 1.0 * count
        for axis in range(dims):
            crowd *= reach / max(extent[axis], reach)
        if crowd > 8.0:
            fine = 2
    widest = 0.0
    for axis in range(dims):
        widest = max(widest, extent[axis])
    side = reach * MARGIN + ROUNDING * widest if reach > 0.0 else cell
    for axis in range(dims):
        size[axis] = side / fine if axis < 2 else side
    for axis in range(dims):
        if fine == 2 and periodic[axis] and extent[axis] < 5.0 * size[axis]:
            fine = 1
            for other in range(dims):
                size[other] = side
    for _ in range(64):
        cells = 1.0
        for axis in range(dims):
            grid[axis] = max(1, math.floor(min(extent[axis] / size[axis], MAX_CELLS_PER_AXIS)))
            cells *= grid[axis]
        if cells <= limit:
            break
        more = max(1.02, (cells / limit) ** (1.0 / dims))
        for axis in range(dims):
            size[axis] *= more
    for axis in range(dims):
        whole = extent[axis] / grid[axis]
        size[axis] = whole if periodic[axis] else max(size[axis], whole)
    grid[RADIUS_X] = grid[RADIUS_Y] = fine
    grid[LAYERS], grid[FIRST_LAYER] = grid[2 if dims == 3 else 0], 0


def flock_bounds(samples, outermost):
    """Return (lower, upper) bounds of the flock on an axis: see candidates.grid.flock_bounds.

    samples    coordinates of some boids, or NaN
    outermost  (2, n), scratch for the smallest and the largest of them
    """
    last = -1
    for k in range(samples.shape[0]):
        last += samples[k] == samples[k]
    if last < 0:
        return 0.0, 0.0
    low, high = int(0.005 * last), last - math.ceil(0.995 * last)
    lowest, highest = outermost[0], outermost[1]
    lowest[: low + 1] = 1e30
    highest[: high + 1] = -1e30
    for k in range(samples.shape[0]):
        x = samples[k]
        if x < lowest[low]:
            p = low
            while p > 0 and lowest[p - 1] > x:
                lowest[p] = lowest[p - 1]
                p -= 1
            lowest[p] = x
        if x > highest[high]:
            p = high
            while p > 0 and highest[p - 1] < x:
                highest[p] = highest[p - 1]
                p -= 1
            highest[p] = x
    room = 0.5 * (highest[high] - lowest[low])
    return max(lowest[0], lowest[low] - room), min(highest[0], highest[high] + room)


def first_cell_at(start, cells, slot):
    """Return the first cell that starts at a slot or behind it; `cells` where there is none."""
    low, high = 0, cells
    while low < high:
        middle = (low + high) // 2
        if start[middle] < slot:
            low = middle + 1
        else:
            high = middle
    return low


def assign_updates(
    boids, row, column_of, count, gridded, first, last, inner, outer, turns, edges
):  # fmt: skip
    """Write the updates of boids in columns first..last and of ungridded boids, then the number of
    all updates; and for each of them the next update of a boid at an edge, outside of inner..outer.
    Return the number of updates.

    boids  row `row` holds the order of updates; no rows: the order of ids
    """
    n = 0
    for turn in range(count):
        i = column_of[boids[row, turn] if boids.shape[0] > 0 else turn]
        turns[n] = turn
        n += (i >= first and i < last) or i >= gridded
    turns[n] = edges[n] = edge = count
    for k in range(n - 1, -1, -1):
        turn = turns[k]
        i = column_of[boids[row, turn] if boids.shape[0] > 0 else turn]
        edge = turn if i < inner or i >= outer else edge
        edges[k] = edge
    return n
