"""Initial states and shuffled orders in a page, compiled to WebAssembly and never run here.

The functions draw what murmurate.engines.initial_state and murmurate.engines.rng draw with numpy,
bit for bit. Their argument is a table of addresses and shapes; `start_numbers` in start_module.py
writes the rows of integers and numbers to which it points.

Random numbers: Philox4x64-10, Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405.
Normal numbers: the ziggurat, Marsaglia and Tsang 2000, doi:10.18637/jss.v005.i08, with the tables
of numba.

A generator is an array of uint64: counter (4), key (2), the last block of numbers (4), how many of
them are used, half a number, whether that half is valid; and 2^32 - 1, which the caller writes.
"""

import math

import numpy as np
from numba.np.random._constants import (
    fi_double,
    ki_double,
    wi_double,
    ziggurat_nor_inv_r,
    ziggurat_nor_r,
)

from murmurate.codegen.intrinsics import array1, array2

# words of the table
INTEGERS, NUMBERS, GENERATOR, POSITIONS, VELOCITIES, ORDER, TABLE_WORDS = 0, 2, 4, 6, 9, 12, 14
# indices in the row of integers
KIND, LAW, KEY0, KEY1, STEP, PERIODIC, SPEEDS = 0, 1, 2, 3, 4, 5, 8
N_INTEGERS = 9
# indices in the row of numbers
LOWER, UPPER, CENTRE, SIZE, ALONG, SLOW, FAST, SPEED, TOP, SPACE, SIDES = (
    0, 3, 6, 9, 10, 11, 14, 17, 18, 19, 22,
)  # fmt: skip
N_NUMBERS = 25
BOX, BALL, RING, LATTICE, OFF_SCREEN = 0, 1, 2, 3, 4
STATIONARY, DIRECTIONS, CUBE, HEADING = 0, 1, 2, 3

HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
ONE, NONE, FOUR = np.uint64(1), np.uint64(0), np.uint64(4)
MULTIPLIERS = np.array([0xD2E7470EE14C6C93, 0xCA5A826395121157], np.uint64)
BUMPS = np.array([0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], np.uint64)
# indices in a generator
COUNTER, KEY, BLOCK, USED, REST, HAS_REST, LOWER_HALF = 0, 4, 6, 10, 11, 12, 13
N_GENERATOR = 14
KI, WI, FI = ki_double, wi_double, fi_double
TAIL, INVERSE_TAIL = ziggurat_nor_r, ziggurat_nor_inv_r


def start(table):
    """Write positions and velocities, (boids, axes)."""
    integers, numbers = array1(table, INTEGERS, np.int64(0)), array1(table, NUMBERS, 0.0)
    generator = array1(table, GENERATOR, np.uint64(0))
    positions, velocities = array2(table, POSITIONS, 0.0), array2(table, VELOCITIES, 0.0)
    seed(generator, integers[KEY0], integers[KEY1], integers[STEP])
    has_speed = integers[SPEEDS] > 0
    write_positions(generator, integers[KIND], numbers, positions, velocities, False)
    set_velocities(generator, integers[KIND], integers[LAW], has_speed, numbers, velocities)
    wrap(integers, numbers, positions)
    return 0


def update_order(table):
    """Write the order of updates in a step."""
    integers = array1(table, INTEGERS, np.int64(0))
    generator = array1(table, GENERATOR, np.uint64(0))
    seed(generator, integers[KEY0], integers[KEY1], integers[STEP])
    shuffle(generator, array1(table, ORDER, np.int64(0)))
    return 0


def write_positions(generator, kind, numbers, positions, velocities, joins):
    """Write positions, and the velocities of a ring; `joins`: of boids that join by a source."""
    if kind == RING:
        place_ring(generator, numbers, positions, velocities, joins)
    elif kind == BOX:
        fill_box(generator, numbers, positions)
    elif kind == BALL:
        fill_ball(generator, numbers, positions)
    elif kind == LATTICE:
        place_lattice(numbers, positions)
    else:
        place_outside(generator, numbers, positions, velocities)


def fill_box(generator, numbers, positions):
    for i in range(positions.shape[0]):
        for d in range(positions.shape[1]):
            low = numbers[LOWER + d]
            positions[i, d] = low + (numbers[UPPER + d] - low) * uniform(generator)


def fill_ball(generator, numbers, positions):
    count, dims = positions.shape
    for i in range(count):
        part = uniform(generator)
        positions[i, 0] = numbers[SIZE] * (math.sqrt(part) if dims == 2 else part ** (1.0 / 3.0))
    for i in range(count):
        radius = positions[i, 0]
        for d in range(dims):
            positions[i, d] = normal(generator)
        length = row_length(positions, i)
        for d in range(dims):
            positions[i, d] = numbers[CENTRE + d] + radius * (
                positions[i, d] / (length if length > 0.0 else 1.0)
            )


def place_ring(generator, numbers, positions, velocities, joins):
    count, dims = positions.shape
    for i in range(count):
        angle = 2 * math.pi * i / max(count, 1)
        if joins:
            angle = 2 * math.pi * uniform(generator)
        x, y = math.cos(angle), math.sin(angle)
        for d in range(dims):
            out = x if d == 0 else (y if d == 1 else 0.0)
            along = -y if d == 0 else (x if d == 1 else 0.0)
            positions[i, d] = numbers[CENTRE + d] + numbers[SIZE] * out
            velocities[i, d] = numbers[ALONG] * along


def place_lattice(numbers, positions):
    count, dims = positions.shape
    side = 1
    while side**dims < count:
        side += 1
    for i in range(count):
        rest = i
        for d in range(dims - 1, -1, -1):
            offset = rest % side - 0.5 * (side - 1)
            positions[i, d] = numbers[CENTRE + d] + numbers[SIZE] * offset
            rest = rest // side


def place_outside(generator, numbers, positions, velocities):
    """Draw positions outside the space, up to a distance from it.

    Positions in the space are drawn again; a velocity of 1 marks them.
    """
    count, dims = positions.shape
    for i in range(count):
        velocities[i, 0] = 1.0
    missing = count
    while missing > 0:
        missing = 0
        for i in range(count):
            if velocities[i, 0] == 0.0:
                continue
            is_inside = True
            for d in range(dims):
                low, side = numbers[SPACE + d], numbers[SIDES + d]
                x = low - numbers[SIZE] + (side + 2.0 * numbers[SIZE]) * uniform(generator)
                positions[i, d] = x
                is_inside = is_inside and x >= low and x <= low + side
            velocities[i, 0] = 1.0 if is_inside else 0.0
            missing += 1 if is_inside else 0


def set_velocities(generator, kind, law, has_speed, numbers, velocities):
    """Write velocities by their law, but for a ring."""
    if kind == RING:
        return
    count, dims = velocities.shape
    for i in range(count):
        speed = 0.0
        if law == DIRECTIONS:
            speed = numbers[SPEED] + (numbers[TOP] - numbers[SPEED]) * uniform(generator)
        velocities[i, 0] = speed
        for d in range(1, dims):
            velocities[i, d] = 0.0
    if law == STATIONARY:
        return
    for i in range(count):
        speed = velocities[i, 0]
        for d in range(dims):
            if law == CUBE:
                low = numbers[SLOW + d]
                velocities[i, d] = low + (numbers[FAST + d] - low) * uniform(generator)
            elif law == HEADING:
                velocities[i, d] = numbers[SLOW + d] + numbers[TOP] * normal(generator)
            else:
                velocities[i, d] = normal(generator)
        if law == CUBE and has_speed:
            length = row_length(velocities, i)
            for d in range(dims):
                velocities[i, d] *= numbers[SPEED] / length if length > 0.0 else 0.0
        elif law == DIRECTIONS:
            length = row_length(velocities, i)
            for d in range(dims):
                velocities[i, d] = speed * (velocities[i, d] / (length if length > 0.0 else 1.0))


def row_length(rows, i):
    total = rows[i, 0] * rows[i, 0]
    for d in range(1, rows.shape[1]):
        total += rows[i, d] * rows[i, d]
    return math.sqrt(total)


def wrap(integers, numbers, positions):
    """Wrap positions on periodic axes into the space."""
    for d in range(positions.shape[1]):
        if integers[PERIODIC + d] > 0:
            lower, side = numbers[SPACE + d], numbers[SIDES + d]
            for i in range(positions.shape[0]):
                x = positions[i, d]
                x -= math.floor((x - lower) / side) * side
                positions[i, d] = lower if x >= lower + side else x


# --- random numbers


def high_half(a, b, low):
    """Return the upper 64 bits of the product of two uint64.

    `low`, the mask of a lower half, comes from memory: for a constant, LLVM would emit a product of
    128 bits, which WebAssembly does not have.
    """
    a0, a1, b0, b1 = a & low, a >> HALF, b & low, b >> HALF
    first, second = a1 * b0 + ((a0 * b0) >> HALF), a0 * b1
    middle = second + (first & low)
    return a1 * b1 + (first >> HALF) + (middle >> HALF)


def seed(generator, key0, key1, step):
    """Seed a generator for a step, see murmurate.engines.rng.make_generator."""
    for k in range(LOWER_HALF):
        generator[k] = NONE
    generator[COUNTER + 3] = np.uint64(step)
    generator[KEY], generator[KEY + 1] = np.uint64(key0), np.uint64(key1)
    generator[USED] = FOUR


def draw(generator):
    """Return the next 64 random bits."""
    used = generator[USED]
    if used < FOUR:
        generator[USED] = used + ONE
        return generator[BLOCK + np.int64(used)]
    for k in range(4):
        generator[COUNTER + k] += ONE
        if generator[COUNTER + k] != NONE:
            break
    a, b, c, d = generator[0], generator[1], generator[2], generator[3]
    k, m, low = generator[KEY], generator[KEY + 1], generator[LOWER_HALF]
    for _ in range(10):
        p, q = high_half(MULTIPLIERS[0], a, low), high_half(MULTIPLIERS[1], c, low)
        a, b, c, d = q ^ b ^ k, MULTIPLIERS[1] * c, p ^ d ^ m, MULTIPLIERS[0] * a
        k, m = k + BUMPS[0], m + BUMPS[1]
    generator[BLOCK], generator[BLOCK + 1] = a, b
    generator[BLOCK + 2], generator[BLOCK + 3] = c, d
    generator[USED] = ONE
    return a


def draw_half(generator):
    """Return the next 32 random bits."""
    if generator[HAS_REST] != NONE:
        generator[HAS_REST] = NONE
        return generator[REST]
    bits = draw(generator)
    generator[HAS_REST], generator[REST] = ONE, bits >> HALF
    return bits & LOW


def uniform(generator):
    """Return a number in [0, 1)."""
    return np.float64(np.int64(draw(generator) >> np.uint64(11))) * (1.0 / 9007199254740992.0)


def normal(generator):
    """Return a standard normal number."""
    while True:
        bits = draw(generator)
        layer = np.int64(bits & np.uint64(255))
        size = (bits >> np.uint64(9)) & np.uint64(0x000FFFFFFFFFFFFF)
        x = np.float64(np.int64(size)) * WI[layer]
        if (bits >> np.uint64(8)) & ONE != NONE:
            x = -x
        if size < KI[layer]:
            return x
        if layer == 0:
            while True:
                x = -INVERSE_TAIL * math.log1p(-uniform(generator))
                y = -math.log1p(-uniform(generator))
                if y + y > x * x:
                    x = TAIL + x
                    return -x if (size >> np.uint64(8)) & ONE != NONE else x
        else:
            step = (FI[layer - 1] - FI[layer]) * uniform(generator) + FI[layer]
            if step < math.exp(-0.5 * x * x):
                return x


def integer(generator, maximum):
    """Return a uniform integer from 0 to `maximum`, which is below 2^32."""
    mask, top = NONE, np.uint64(maximum)
    while mask < top:
        mask = (mask << ONE) | ONE
    while True:
        bits = draw_half(generator) & mask
        if bits <= top:
            return np.int64(bits)


def shuffle(generator, order):
    """Fill `order` with 0, 1, ... in a random order."""
    for i in range(order.shape[0]):
        order[i] = i
    for i in range(order.shape[0] - 1, 0, -1):
        j = integer(generator, i)
        order[i], order[j] = order[j], order[i]
