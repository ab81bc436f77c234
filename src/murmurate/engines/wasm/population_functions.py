"""Boids that join and leave in a page, compiled to WebAssembly and never run here.

The functions do what murmurate.engines.population does with numpy, bit for bit but for the rounding
of mathematics. Their argument is a table of arrays, see population_table.py.
"""

import math

import numpy as np

from murmurate.engines.wasm.population_table import (
    BEGIN,
    BIRTHS,
    BOID_STREAM,
    CAPTURE,
    CAPTURES,
    CLOSED,
    COUNT,
    DEATHS,
    DISTANCE,
    DT,
    ENTRIES,
    EXIT,
    FAILURE,
    FIRST_POINT,
    FLOCKS,
    FULL_COUNT,
    FULL_FLOCK,
    GIVEN,
    GROWING,
    HANDLING,
    HAS_SPEED,
    HIGH,
    INITIAL,
    JOINED,
    JOINS,
    KIND,
    LAW,
    LEAVES,
    LIFETIME,
    LIMIT,
    LOW,
    LOWEST,
    MARKS,
    MAY_LEAVE,
    N_EVER,
    N_JOINS,
    N_POINTS,
    NEXT_STATE,
    NEXT_TIMERS,
    NEXT_WHO,
    NUMBERS,
    PAST,
    PERIODIC,
    POINTS,
    POSITION_STREAM,
    PROBABILITY,
    RADIUS,
    ROW,
    SETTINGS,
    SOURCE,
    SPACE,
    START_KIND,
    STARTS,
    STATE,
    STEP,
    TIMERS,
    VELOCITY_STREAM,
    WHO,
    dims_of,
    floats,
    generator_of,
    integer_rows,
    integers,
    is_beyond,
    is_in_region,
    is_old,
    n_arrivals,
    n_births,
    n_boids,
    n_deaths,
    nearest,
    role_of,
    rows,
    shorts,
    steps_of,
    uniform_of,
)
from murmurate.engines.wasm.random_functions import bounded, mark_sample
from murmurate.engines.wasm.start_functions import ALONG as RING_SPEED
from murmurate.engines.wasm.start_functions import (
    BALL,
    BOX,
    CENTRE,
    CUBE,
    DIRECTIONS,
    FAST,
    LOWER,
    RING,
    SIZE,
    SLOW,
    SPEED,
    STATIONARY,
    TOP,
    UPPER,
)

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
        kind = entries[e, KIND]
        if kind == SOURCE:
            arrive(table, e, entries[e, GROWING])
        elif kind == BIRTHS:
            give_birth(table, e, entries[e, GROWING])
        elif kind == CAPTURE:
            capture(table, e)
        else:
            leave(table, e, kind)
    return rearrange(table)


def leave(table, e, kind):
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    marks, state = integers(table, MARKS), floats(table, STATE)
    for f in range(flocks.shape[0]):
        role = role_of(table, e, f)
        begin, count = flocks[f, BEGIN], flocks[f, COUNT]
        if role[MAY_LEAVE] == 0 or count == 0:
            continue
        if kind in (DEATHS, FAILURE):
            number = n_deaths(table, e, f)  # the sample follows it in the same stream
            generator = generator_of(table)
            if number > 0:
                mark_sample(generator, count, number, marks)
                failed = (2 * dims_of(table) + role[ROW]) * n_boids(table) + begin
                for k in range(count):
                    if kind == DEATHS:
                        leaves[begin + k] |= marks[k]
                    elif marks[k] != 0 and leaves[begin + k] == 0:
                        state[failed + k] = 1.0
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
    handling = np.float32(steps_of(numbers[HANDLING], numbers[DT]))
    for i in range(n):
        marks[i] = 0
    for f in range(flocks.shape[0]):
        role = role_of(table, e, f)
        if role[CAPTURES] == 0:
            continue
        first = (2 * dims + role[ROW]) * n
        for i in range(flocks[f, BEGIN], flocks[f, BEGIN] + flocks[f, COUNT]):
            is_free = state[first + i] <= 0.0
            state[first + i] = max(state[first + i] - np.float32(1.0), np.float32(0.0))
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
    flocks = integer_rows(table, FLOCKS)
    for _ in range(n_arrivals(table, e, f)):
        k = new_row(table, f)
        if k >= 0:
            index = flocks[f, N_EVER] + flocks[f, JOINED]
            place_start(table, e, f, k, index)
            wrap_row(table, k)
        flocks[f, JOINED] += 1


def give_birth(table, e, f):
    """Each draw of a parent is counted, so that newborns follow the order of their parents."""
    flocks, leaves = integer_rows(table, FLOCKS), integers(table, LEAVES)
    marks, begin, count = integers(table, MARKS), flocks[f, BEGIN], flocks[f, COUNT]
    number = n_births(table, e, f)  # the parents follow it in the same stream
    generator = generator_of(table)
    for i in range(count):
        marks[i] = 0
    for _ in range(number):
        marks[bounded(generator, count - 1)] += 1
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


def place_start(table, e, f, k, index):
    """Write position and velocity of a boid that joins by a source."""
    entry, role = integer_rows(table, ENTRIES)[e], role_of(table, e, f)
    start, space = rows(table, STARTS)[e], rows(table, SPACE)
    row, points, dims = rows(table, JOINS)[k], rows(table, POINTS), space.shape[1]
    stream, kind = role[POSITION_STREAM], entry[START_KIND]
    if kind == GIVEN:
        point = points[entry[FIRST_POINT] + index % entry[N_POINTS]]
        for d in range(2 * dims):
            row[d] = point[d]
        return
    u = uniform_of(table, stream, index, 0, 0)
    if kind == RING:
        for d in range(dims):
            row[d], row[dims + d] = start[CENTRE + d], 0.0
        x, y = math.cos(2.0 * math.pi * u), math.sin(2.0 * math.pi * u)
        row[0] += start[SIZE] * x
        row[1] += start[SIZE] * y
        row[dims], row[dims + 1] = -y * start[RING_SPEED], x * start[RING_SPEED]
        return
    if kind == BOX:
        for d in range(dims):
            low, part = start[LOWER + d], uniform_of(table, stream, index, d, 0)
            row[d] = low + (start[UPPER + d] - low) * part
    elif kind == BALL:
        second = uniform_of(table, stream, index, 1, 0)
        third = uniform_of(table, stream, index, 2, 0)
        radius = start[SIZE] * (math.sqrt(u) if dims == 2 else u ** (1.0 / 3.0))
        for d in range(dims):
            row[d] = start[CENTRE + d] + radius * direction(dims, second, third, d)
    else:
        place_outside(table, stream, start[SIZE], row, index)
    draw_velocity(table, e, role[VELOCITY_STREAM], row, index)


def place_outside(table, stream, away, row, index):
    """Write a position outside the space, up to a distance from it."""
    space, attempt, is_inside = rows(table, SPACE), 0, True
    while is_inside:
        for d in range(space.shape[1]):
            low, high = space[LOW, d], space[HIGH, d]
            u = uniform_of(table, stream, index, d, attempt)
            x = low - away + (high - low + 2.0 * away) * u
            row[d] = x
            is_inside = is_inside and low <= x <= high
        attempt += 1


def direction(dims, first, second, d):
    """Return component d of a unit vector in a uniform direction."""
    angle = 2.0 * math.pi * first
    along = math.cos(angle) if d == 0 else math.sin(angle)
    if dims == 2:
        return along
    z = 2.0 * second - 1.0
    return z if d == 2 else math.sqrt(1.0 - z * z) * along


def draw_velocity(table, e, stream, row, index):
    entry, start = integer_rows(table, ENTRIES)[e], rows(table, STARTS)[e]
    dims, law = dims_of(table), entry[LAW]
    for d in range(dims):
        row[dims + d] = 0.0
    if law == STATIONARY:
        return
    u = uniform_of(table, stream, index, 0, 0)
    length = 0.0
    for d in range(dims):
        part = uniform_of(table, stream, index, d, 0)
        if law == DIRECTIONS:
            speed = start[SPEED] + (start[TOP] - start[SPEED]) * u
            second = uniform_of(table, stream, index, 1, 0)
            third = uniform_of(table, stream, index, 2, 0)
            row[dims + d] = speed * direction(dims, second, third, d)
        elif law == CUBE:
            low = start[SLOW + d]
            row[dims + d] = low + (start[FAST + d] - low) * part
            length += row[dims + d] * row[dims + d]
        else:
            turn = 2.0 * math.pi * uniform_of(table, stream, index, 3 + d, 0)
            noise = math.sqrt(-2.0 * math.log1p(-part)) * math.cos(turn)
            row[dims + d] = start[SLOW + d] + start[TOP] * noise
    if law == CUBE and entry[HAS_SPEED] != 0:
        length = math.sqrt(length)
        for d in range(dims):
            row[dims + d] *= start[SPEED] / length if length > 0.0 else 0.0


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
