"""The table of arguments of population_functions.py: addresses and sides of arrays.

population_module.py lays out the arrays; the columns of their rows are below. The state is that of
a page in the order of ids, row by row with as many columns as boids: positions, velocities,
per-boid state, and PAST rows of past positions and velocities. `who` has a row of indices and a
row of births.
"""

import math

import numpy as np
from numba.np.random.distributions import random_binomial, random_poisson

from murmurate.codegen.intrinsics import array1, array2
from murmurate.engines.wasm.random_functions import boid_uniform
from murmurate.engines.wasm.start_functions import seed

# words of the table
SETTINGS, ENTRIES, ROLES, NUMBERS, STARTS, SPACE = 0, 2, 5, 8, 11, 14
FLOCKS, GROUPS, POINTS, INITIAL = 17, 20, 23, 26
STATE, WHO, TIMERS, NEXT_STATE, NEXT_WHO, NEXT_TIMERS = 29, 31, 33, 35, 37, 39
JOINS, LEAVES, MARKS, GENERATOR, TABLE_WORDS = 41, 44, 46, 48, 50
# settings
SEED, STEP, N_JOINS, FULL_FLOCK, FULL_COUNT, PAST, N_SETTINGS = 0, 1, 2, 3, 4, 5, 6
# an entry: its kind, the flock that grows, its groups and points; a start or a region; limits
KIND, GROWING, FIRST_GROUP, N_GROUPS, FIRST_POINT, N_POINTS = 0, 1, 2, 3, 4, 5
START_KIND, LAW, HAS_SPEED, REGION, AXIS, HAS_BELOW, HAS_ABOVE, N_ENTRY = 6, 7, 8, 9, 10, 11, 12, 13
SOURCE, BIRTHS, EXIT, DEATHS, LIFETIME, REMOVAL, CAPTURE, FAILURE = 0, 1, 2, 3, 4, 5, 6, 7
GIVEN, REGION_BOX, REGION_BALL, LOWER_FACE, UPPER_FACE = 5, 0, 1, 2, 3
# a flock in an entry: whether its boids may leave or fail, or capture; a row of per-boid state;
# streams
MAY_LEAVE, CAPTURES, ROW, FLOCK_STREAM, BOID_STREAM, POSITION_STREAM, VELOCITY_STREAM = (
    0, 1, 2, 3, 4, 5, 6,
)  # fmt: skip
N_ROLE = 7
# numbers of an entry at the step; those of regions and limits at its end
DT, RATE, DISTANCE, RADIUS, HANDLING, PROBABILITY, DURATION, BELOW, ABOVE, FIRST, SECOND = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12,
)  # fmt: skip
N_NUMBERS = 15
# rows of the space, and a flock
LOW, HIGH, LOWEST, HIGHEST, PERIODIC, CLOSED, N_SPACE = 0, 1, 2, 3, 4, 5, 6
COUNT, N_EVER, LIMIT, JOINED, BEGIN, N_FLOCK = 0, 1, 2, 3, 4, 5
LESS = 1.0 - 1e-12  # of a duration, so that rounding adds no step


def integers(table, word):
    return array1(table, word, np.int64(0))


def integer_rows(table, word):
    return array2(table, word, np.int64(0))


def rows(table, word):
    return array2(table, word, 0.0)


def floats(table, word):
    return array1(table, word, np.float32(0))


def shorts(table, word):
    return array1(table, word, np.int32(0))


def dims_of(table):
    return rows(table, SPACE).shape[1]


def n_boids(table):
    return shorts(table, TIMERS).shape[0]


def generator_of(table):
    return array1(table, GENERATOR, np.uint64(0))


def role_of(table, e, f):
    n_flocks = integer_rows(table, FLOCKS).shape[0]
    return integer_rows(table, ROLES)[e * n_flocks + f]


def uniform_of(table, stream, index, column, step):
    return boid_uniform(integers(table, SETTINGS)[SEED], stream, index, column, step)


def seeded(table, e, f):
    """Return the generator of an entry for a flock in this step."""
    settings, generator = integers(table, SETTINGS), generator_of(table)
    stream = role_of(table, e, f)[FLOCK_STREAM] << 32
    seed(generator, settings[SEED], stream, settings[STEP])
    return generator


def steps_of(duration, dt):
    return np.int64(math.ceil(duration / dt * LESS))


# --- before positions matter


def happens(table):
    """Return whether boids may join or leave in a step; 2 if a flock may not hold all of them."""
    entries, flocks = integer_rows(table, ENTRIES), integer_rows(table, FLOCKS)
    result, begin = 0, 0
    for f in range(flocks.shape[0]):
        flocks[f, JOINED], flocks[f, BEGIN] = 0, begin
        begin += flocks[f, COUNT]
    for e in range(entries.shape[0]):
        kind, f = entries[e, KIND], entries[e, GROWING]
        number = 1
        if kind == SOURCE:
            number = n_arrivals(table, e, f)
            flocks[f, JOINED] += number
        elif kind == BIRTHS:
            number = n_births(table, e, f)
            flocks[f, JOINED] += number
        elif kind in (DEATHS, FAILURE):
            number = 0
            for g in range(flocks.shape[0]):
                number += n_deaths(table, e, g)
        elif kind == LIFETIME:
            number = 0
            for g in range(flocks.shape[0]):
                number += n_old(table, e, g)
        result = max(result, 1 if number > 0 else 0)
    for f in range(flocks.shape[0]):
        if flocks[f, JOINED] > 0 and flocks[f, COUNT] + flocks[f, JOINED] > flocks[f, LIMIT]:
            result = 2
    return result


def n_arrivals(table, e, f):
    entry, numbers = integer_rows(table, ENTRIES)[e], rows(table, NUMBERS)[e]
    groups, step = rows(table, GROUPS), integers(table, SETTINGS)[STEP]
    number = np.int64(0)
    for k in range(entry[FIRST_GROUP], entry[FIRST_GROUP] + entry[N_GROUPS]):
        if max(1, steps_of(groups[k, 0], numbers[DT])) == step + 1:
            number += np.int64(groups[k, 1])
    mean = numbers[RATE] * numbers[DT]
    if entry[N_GROUPS] > 0 or mean == 0.0:
        return number
    return np.int64(random_poisson(seeded(table, e, f), mean))


def n_births(table, e, f):
    numbers = rows(table, NUMBERS)[e]
    mean = numbers[RATE] * numbers[DT] * integer_rows(table, FLOCKS)[f, COUNT]
    return np.int64(random_poisson(seeded(table, e, f), mean)) if mean > 0.0 else np.int64(0)


def n_deaths(table, e, f):
    numbers, count = rows(table, NUMBERS)[e], integer_rows(table, FLOCKS)[f, COUNT]
    probability = -math.expm1(-numbers[RATE] * numbers[DT])
    if role_of(table, e, f)[MAY_LEAVE] == 0 or count == 0 or probability == 0.0:
        return np.int64(0)
    return np.int64(random_binomial(seeded(table, e, f), count, probability))


def n_old(table, e, f):
    flock, number = integer_rows(table, FLOCKS)[f], 0
    if role_of(table, e, f)[MAY_LEAVE] != 0:
        for i in range(flock[BEGIN], flock[BEGIN] + flock[COUNT]):
            number += is_old(table, e, i)
    return number


def is_old(table, e, i):
    """Return whether a boid dies of age at the end of the step."""
    numbers, n = rows(table, NUMBERS)[e], n_boids(table)
    birth = np.int64(shorts(table, WHO)[n + i])
    age = max(1, steps_of(numbers[DURATION], numbers[DT]))
    return birth + age <= integers(table, SETTINGS)[STEP] + 1


# --- where boids leave


def is_in_region(table, e, i):
    entry, numbers = integer_rows(table, ENTRIES)[e], rows(table, NUMBERS)[e]
    state, space = floats(table, STATE), rows(table, SPACE)
    n, region = n_boids(table), entry[REGION]
    if region == REGION_BOX:
        for d in range(space.shape[1]):
            x = state[d * n + i]
            if x < np.float32(numbers[FIRST + d]) or x > np.float32(numbers[SECOND + d]):
                return 0
        return 1
    if region == REGION_BALL:
        total = 0.0
        for d in range(space.shape[1]):
            gap = nearest(space, d, np.float64(state[d * n + i]) - numbers[FIRST + d])
            total += gap * gap
        return 1 if total <= numbers[RADIUS] * numbers[RADIUS] else 0
    x, axis = state[entry[AXIS] * n + i], entry[AXIS]
    if region == LOWER_FACE:
        return 1 if x <= np.float32(space[LOW, axis]) else 0
    return 1 if x >= np.float32(space[HIGH, axis]) else 0


def nearest(space, d, gap):
    """Return a difference along an axis, to the nearest image."""
    if space[PERIODIC, d] == 0.0:
        return gap
    side = space[PERIODIC, d]
    sides = gap / side
    image = math.floor(sides)
    rest = sides - image
    if rest > 0.5 or (rest == 0.5 and image % 2 != 0):
        image += 1
    return gap - side * image


def is_beyond(table, e, i, row):
    entry, numbers = integer_rows(table, ENTRIES)[e], rows(table, NUMBERS)[e]
    n = n_boids(table)
    value = floats(table, STATE)[(2 * dims_of(table) + row) * n + i]
    if entry[HAS_BELOW] != 0 and value < np.float32(numbers[BELOW]):
        return 1
    return 1 if entry[HAS_ABOVE] != 0 and value > np.float32(numbers[ABOVE]) else 0
