"""Boids that join and leave in a page, compiled to WebAssembly and never run here.

The functions do what murmurate.engines.population does with numpy, bit for bit but for the rounding
of mathematics. Their argument is a table of addresses and sides of arrays. population_module.py
lays out the arrays; the columns of their rows are below. The state is that of a page in the order
of ids, row by row with as many columns as boids: positions, velocities, per-boid state, and PAST
rows of past positions and velocities. `who` has a row of indices and a row of births.
"""

import math

import numpy as np

from murmurate.codegen.intrinsics import array1, array2
from murmurate.engines.wasm.random_functions import boid_uniform, next_event, poisson
from murmurate.engines.wasm.start_functions import seed, set_velocities, uniform, write_positions

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
MAY_LEAVE, CAPTURES, ROW, FLOCK_STREAM, BOID_STREAM, N_ROLE = 0, 1, 2, 3, 4, 5
# numbers of an entry at the step; those of regions and limits at its end
DT, RATE, DISTANCE, RADIUS, HANDLING, PROBABILITY, DURATION, BELOW, ABOVE, FIRST, SECOND = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12,
)  # fmt: skip
N_NUMBERS = 15
# rows of the space, and a flock
LOW, HIGH, LOWEST, HIGHEST, PERIODIC, CLOSED, N_SPACE = 0, 1, 2, 3, 4, 5, 6
COUNT, N_EVER, LIMIT, JOINED, BEGIN, N_FLOCK = 0, 1, 2, 3, 4, 5
LESS = 1.0 - 1e-12  # of a duration, so that rounding adds no step
real = np.float32  # the precision of the state


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


def max_joins(table, f):
    """Return a number of boids that no flock has room for, beyond which none are counted."""
    return integer_rows(table, FLOCKS)[f, LIMIT] + 1


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
    return poisson(seeded(table, e, f), mean, max_joins(table, f))


def n_births(table, e, f):
    numbers = rows(table, NUMBERS)[e]
    mean = numbers[RATE] * numbers[DT] * integer_rows(table, FLOCKS)[f, COUNT]
    return poisson(seeded(table, e, f), mean, max_joins(table, f)) if mean > 0.0 else np.int64(0)


def hazard_of(table, e, f):
    """Return the rate of deaths or failures of each boid of a flock in a step."""
    numbers = rows(table, NUMBERS)[e]
    return numbers[RATE] * numbers[DT] if role_of(table, e, f)[MAY_LEAVE] != 0 else 0.0


def n_deaths(table, e, f):
    """Return whether a boid of a flock dies or fails: 0 or 1."""
    hazard, count = hazard_of(table, e, f), integer_rows(table, FLOCKS)[f, COUNT]
    if hazard == 0.0 or count == 0:
        return np.int64(0)
    return np.int64(next_event(seeded(table, e, f), 0, count, hazard) < count)


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
            if x < real(numbers[FIRST + d]) or x > real(numbers[SECOND + d]):
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
        return 1 if x <= real(space[LOW, axis]) else 0
    return 1 if x >= real(space[HIGH, axis]) else 0


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
    if entry[HAS_BELOW] != 0 and value < real(numbers[BELOW]):
        return 1
    return 1 if entry[HAS_ABOVE] != 0 and value > real(numbers[ABOVE]) else 0


# --- after boids have moved


def change(table):
    """Let boids join and leave at the end of a step. Return how many boids there are afterwards; -1
    if a flock cannot hold them, and -2 if none joins or leaves."""
    settings, entries = integers(table, SETTINGS), integer_rows(table, ENTRIES)
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    begin = 0
    for f in range(flocks.shape[0]):
        flocks[f, JOINED], flocks[f, BEGIN] = 0, begin
        begin += flocks[f, COUNT]
    for i in range(begin):
        leaves[i] = 0
    settings[N_JOINS], settings[FULL_FLOCK] = 0, -1
    for e in range(entries.shape[0]):
        apply(table, e)
    return rearrange(table)


def apply(table, e):
    """Let boids join, leave or fail by an entry."""
    entry = integer_rows(table, ENTRIES)[e]
    kind = entry[KIND]
    if kind == SOURCE:
        arrive(table, e, entry[GROWING])
    elif kind == BIRTHS:
        give_birth(table, e, entry[GROWING])
    elif kind == CAPTURE:
        capture(table, e)
    else:
        leave(table, e, kind)


def leave(table, e, kind):
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    state = floats(table, STATE)
    for f in range(flocks.shape[0]):
        role = role_of(table, e, f)
        begin, count = flocks[f, BEGIN], flocks[f, COUNT]
        if role[MAY_LEAVE] == 0 or count == 0:
            continue
        if kind in (DEATHS, FAILURE):
            hazard, k = hazard_of(table, e, f), np.int64(0)
            generator = seeded(table, e, f)
            if hazard > 0.0:
                k = next_event(generator, k, count, hazard)
            while hazard > 0.0 and k < count:
                if kind == DEATHS:
                    leaves[begin + k] = 1
                elif leaves[begin + k] == 0:
                    state[(2 * dims_of(table) + role[ROW]) * n_boids(table) + begin + k] = 1.0
                k = next_event(generator, k + 1, count, hazard)
            continue
        for i in range(begin, begin + count):
            if kind == LIFETIME:
                leaves[i] |= is_old(table, e, i)
            elif kind == EXIT:
                leaves[i] |= is_in_region(table, e, i)
            else:
                leaves[i] |= is_beyond(table, e, i, role[ROW])


def capture(table, e):
    """Let free predators capture the nearest prey; then count down the handling times."""
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    state, marks = floats(table, STATE), integers(table, MARKS)
    numbers, n = rows(table, NUMBERS)[e], n_boids(table)
    indices = shorts(table, WHO)
    step, dims = integers(table, SETTINGS)[STEP], dims_of(table)
    chance = numbers[PROBABILITY]
    handling = real(steps_of(numbers[HANDLING], numbers[DT]))
    for i in range(n):
        marks[i] = 0
    for f in range(flocks.shape[0]):
        role = role_of(table, e, f)
        if role[CAPTURES] == 0:
            continue
        first = (2 * dims + role[ROW]) * n
        for i in range(flocks[f, BEGIN], flocks[f, BEGIN] + flocks[f, COUNT]):
            is_free = state[first + i] <= 0.0
            state[first + i] = max(state[first + i] - real(1.0), real(0.0))
            if not is_free or leaves[i] != 0 or marks[i] != 0:
                continue
            prey = nearest_prey(table, e, i)
            if prey < 0:
                continue
            luck = 0.0
            if chance < 1.0:
                luck = uniform_of(table, role[BOID_STREAM], indices[i], 0, step)
            if luck < chance:
                marks[prey] = 1
                state[first + i] = handling
    for i in range(n):
        leaves[i] |= marks[i]


def nearest_prey(table, e, i):
    """Return the nearest prey within the radius, of equal ones that of the lowest id, or -1."""
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    state, marks = floats(table, STATE), integers(table, MARKS)
    space, n = rows(table, SPACE), n_boids(table)
    radius = rows(table, NUMBERS)[e, RADIUS]
    best, result, dims = radius * radius, -1, space.shape[1]
    for f in range(flocks.shape[0]):
        if role_of(table, e, f)[MAY_LEAVE] == 0:
            continue
        for k in range(flocks[f, BEGIN], flocks[f, BEGIN] + flocks[f, COUNT]):
            total = 0.0
            for d in range(dims):
                gap = np.float64(state[d * n + k]) - np.float64(state[d * n + i])
                gap = nearest(space, d, gap)
                total += gap * gap
                if total > best:
                    break
            if k == i or total > best or leaves[k] != 0 or marks[k] != 0:
                continue
            if result < 0 or total < best:
                best, result = total, k
    return result


# --- boids that join


def arrive(table, e, f):
    """Let boids join by a source, with the numbers of the start of as many boids in this step."""
    entry, flock = integer_rows(table, ENTRIES)[e], integer_rows(table, FLOCKS)[f]
    settings, joins = integers(table, SETTINGS), rows(table, JOINS)
    number, first, dims = n_arrivals(table, e, f), settings[N_JOINS], dims_of(table)
    end = min(first + number, joins.shape[0])  # with more the flock is full
    for k in range(first, end):
        joins[k, 2 * dims] = f
    positions, velocities = joins[first:end, :dims], joins[first:end, dims : 2 * dims]
    kind = entry[START_KIND]
    if kind == GIVEN:
        points = rows(table, POINTS)
        for k in range(end - first):
            index = flock[N_EVER] + flock[JOINED] + k
            point = points[entry[FIRST_POINT] + index % entry[N_POINTS]]
            for d in range(2 * dims):
                joins[first + k, d] = point[d]
    elif end > first:
        generator, start = generator_of(table), rows(table, STARTS)[e]
        stream = role_of(table, e, f)[BOID_STREAM] << 32
        seed(generator, settings[SEED], stream, settings[STEP])
        write_positions(generator, kind, start, positions, velocities, True)
        set_velocities(generator, kind, entry[LAW], entry[HAS_SPEED] != 0, start, velocities)
    for k in range(first, end):
        wrap_row(table, k)
    settings[N_JOINS] = end
    flock[JOINED] += number


def give_birth(table, e, f):
    """Each draw of a parent is counted, so that newborns follow the order of their parents."""
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    marks, begin, count = integers(table, MARKS), flocks[f, BEGIN], flocks[f, COUNT]
    number = n_births(table, e, f)  # the parents follow it in the same stream
    generator = generator_of(table)
    for i in range(count):
        marks[i] = 0
    for _ in range(number):
        marks[np.int64(uniform(generator) * count)] += 1
    for i in range(count):
        if leaves[begin + i] != 0:
            continue
        for _ in range(marks[i]):
            k = new_row(table, f)
            if k >= 0:
                index = flocks[f, N_EVER] + flocks[f, JOINED]
                place_newborn(table, e, f, k, index, begin + i)
                wrap_row(table, k)
            flocks[f, JOINED] += 1


def new_row(table, f):
    """Return the row of the next boid that joins; -1 if there is no room for it."""
    settings, joins = integers(table, SETTINGS), rows(table, JOINS)
    k = settings[N_JOINS]
    if k >= joins.shape[0]:
        return np.int64(-1)
    settings[N_JOINS] = k + 1
    joins[k, 2 * dims_of(table)] = f
    return k


def direction(dims, first, second, d):
    """Return component d of a unit vector in a uniform direction."""
    angle = 2.0 * math.pi * first
    along = math.cos(angle) if d == 0 else math.sin(angle)
    if dims == 2:
        return along
    z = 2.0 * second - 1.0
    return z if d == 2 else math.sqrt(1.0 - z * z) * along


def place_newborn(table, e, f, k, index, parent):
    """Write position and velocity of a newborn, which closed faces reflect."""
    row, space = rows(table, JOINS)[k], rows(table, SPACE)
    state, n = floats(table, STATE), n_boids(table)
    distance, stream = rows(table, NUMBERS)[e, DISTANCE], role_of(table, e, f)[BOID_STREAM]
    first, second = uniform_of(table, stream, index, 0, 0), uniform_of(table, stream, index, 1, 0)
    dims = space.shape[1]
    for d in range(dims):
        x = np.float64(state[d * n + parent]) + distance * direction(dims, first, second, d)
        if space[CLOSED, d] != 0.0:
            low, high = space[LOW, d], space[HIGH, d]
            x = 2.0 * low - x if x < low else x
            x = 2.0 * high - x if x > high else x
            x = min(max(x, low), high)
        row[d] = x
        row[dims + d] = state[(dims + d) * n + parent]


def wrap_row(table, k):
    """Wrap a position on periodic axes into the space, as engines.bounds does."""
    row, space = rows(table, JOINS)[k], rows(table, SPACE)
    for d in range(space.shape[1]):
        side, low, x = space[PERIODIC, d], space[LOW, d], row[d]
        if side > 0.0 and (x < space[LOWEST, d] or x >= space[HIGH, d]):
            x -= math.floor((x - low) / side) * side
            row[d] = low if x < low or x >= low + side else x


# --- the boids afterwards


def rearrange(table):
    """Write the boids that stay and those that join, flock by flock. Return as `change` does."""
    settings, flocks = integers(table, SETTINGS), integer_rows(table, FLOCKS)
    leaves, marks = integers(table, LEAVES), integers(table, MARKS)
    total, is_changed = 0, False
    for f in range(flocks.shape[0]):
        count = flocks[f, JOINED]
        is_changed = is_changed or count > 0
        for i in range(flocks[f, BEGIN], flocks[f, BEGIN] + flocks[f, COUNT]):
            is_changed = is_changed or leaves[i] != 0
            count += 1 - leaves[i]
        marks[f] = count
        total += count
        if flocks[f, JOINED] > 0 and count > flocks[f, LIMIT] and settings[FULL_FLOCK] < 0:
            settings[FULL_FLOCK], settings[FULL_COUNT] = f, count
    if settings[FULL_FLOCK] >= 0:
        return -1
    if not is_changed:
        return -2
    column = 0
    for f in range(flocks.shape[0]):
        for i in range(flocks[f, BEGIN], flocks[f, BEGIN] + flocks[f, COUNT]):
            if leaves[i] == 0:
                keep(table, i, column, total)
                column += 1
        column = append(table, f, column, total)
    for f in range(flocks.shape[0]):
        flocks[f, N_EVER] += flocks[f, JOINED]
        flocks[f, COUNT] = marks[f]
    return total


def keep(table, i, column, total):
    """Copy a boid into a column of the next state."""
    state, next_state = floats(table, STATE), floats(table, NEXT_STATE)
    who, next_who = shorts(table, WHO), shorts(table, NEXT_WHO)
    timers, next_timers = shorts(table, TIMERS), shorts(table, NEXT_TIMERS)
    n = timers.shape[0]
    for k in range(2 * dims_of(table) + rows(table, INITIAL).shape[1]):
        next_state[k * total + column] = state[k * n + i]
    next_who[column], next_who[total + column] = who[i], who[n + i]
    next_timers[column] = timers[i]


def append(table, f, column, total):
    """Write the boids that join a flock; return the next column."""
    settings, joins = integers(table, SETTINGS), rows(table, JOINS)
    initial, ever = rows(table, INITIAL), integer_rows(table, FLOCKS)[f, N_EVER]
    next_state, next_who = floats(table, NEXT_STATE), shorts(table, NEXT_WHO)
    next_timers, width = shorts(table, NEXT_TIMERS), 2 * dims_of(table)
    for k in range(settings[N_JOINS]):
        if joins[k, width] != f:
            continue
        for d in range(width):
            next_state[d * total + column] = joins[k, d]
        n_stored = initial.shape[1] - settings[PAST]
        for d in range(initial.shape[1]):
            value = initial[f, d] if d < n_stored else joins[k, (d - n_stored) % width]
            next_state[(width + d) * total + column] = value
        next_who[column], next_who[total + column] = ever, settings[STEP] + 1
        next_timers[column] = 0
        ever += 1
        column += 1
    return column
