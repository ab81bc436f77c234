"""Plain functions for perception, compiled in kernels: errors of sensing, measures of herds."""

import math

import numpy as np

from murmurate.codegen.kernel_functions import philox


def index_of(boid_index, first, b):
    """Return the index of boid b within its flock, whose first boid is `first`: that of its random
    numbers. `boid_index` has it where boids join and leave, and is empty elsewhere."""
    return np.int64(boid_index[b]) if boid_index.shape[0] > 0 else np.int64(b) - first


def add_errors(out, first_row, dims, first, size, spread, sent, ago, indices, stream, key0, key1):
    """Add normal errors of standard deviation `spread` to rows of a flock's sensed state.

    sent, ago  the step at which each boid sent its last message; by how much this one is older
    indices  see `index_of`
    Box and Muller 1958, doi:10.1214/aoms/1177706645.
    """
    for i in range(size):
        index, step = index_of(indices, first, first + i), max(sent[first + i] - ago, 0)
        b0, b1, b2, b3 = philox(index, step, stream, key0, key1)
        r = math.sqrt(-2.0 * math.log(1.0 - to_uniform(b0)))
        angle = 2.0 * math.pi * to_uniform(b1)
        out[first_row, first + i] += spread * (r * math.cos(angle))
        if dims > 1:
            out[first_row + 1, first + i] += spread * (r * math.sin(angle))
        if dims > 2:
            s = math.sqrt(-2.0 * math.log(1.0 - to_uniform(b2)))
            angle = 2.0 * math.pi * to_uniform(b3)
            out[first_row + 2, first + i] += spread * (s * math.cos(angle))


def to_uniform(bits):
    """Return 32 random bits as a number in [0, 1)."""
    return np.float64(bits >> np.uint64(8)) * 2.0**-24


def wrap_coordinates(row, first, last, lower, upper):
    """Wrap the coordinates row[first:last] of a periodic axis into the space."""
    side = upper - lower
    for i in range(first, last):
        row[i] -= math.floor((row[i] - lower) / side) * side


def measure_herd(places, count, lower, upper, periodic, numbers):
    """Write the measures of a herd to `numbers`, (8,), in the order of HerdSlots.

    On periodic axes, positions are the nearest images to the first one. Of members at equal
    distance, the first counts.
    """
    dims = places.shape[0]
    for k in range(8):
        numbers[k] = 0.0
    if count == 0:
        return
    for axis in range(dims):
        total = 0.0
        for i in range(count):
            total += offset_from_first(places, axis, i, lower, upper, periodic)
        numbers[axis] = total / count
    farthest, stray = -1.0, 0
    for i in range(count):
        gap = 0.0
        for axis in range(dims):
            gap += (offset_from_first(places, axis, i, lower, upper, periodic) - numbers[axis]) ** 2
        if gap > farthest:
            farthest, stray = gap, i
    for axis in range(dims):
        numbers[axis] += places[axis, 0]
        there = offset_from_first(places, axis, stray, lower, upper, periodic)
        numbers[3 + axis] = places[axis, 0] + there
    numbers[6], numbers[7] = math.sqrt(farthest), count


def offset_from_first(places, axis, i, lower, upper, periodic):
    """Return the offset from the first position to the nearest image of the i-th, on an axis."""
    d = places[axis, i] - places[axis, 0]
    if periodic[axis]:
        side = np.float64(upper[axis]) - np.float64(lower[axis])
        d -= side * math.floor(d / side + 0.5)
    return d
