"""Random numbers for a whole flock, as numpy's Philox generator draws them, bit for bit: plain
functions, compiled with a module and never run here.

Philox4x64-10: Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405. Normal numbers by
the ziggurat (Marsaglia and Tsang 2000, doi:10.18637/jss.v005.i08), whose tables numba has.

The generator is an array of uint64: its counter (4), key (2), the numbers that were drawn together
(4), how many of them are used, half a number and whether it is there; and 2^32 - 1, which whoever
calls puts there.
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

HALF, LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
ONE, NONE, FOUR = np.uint64(1), np.uint64(0), np.uint64(4)
MULTIPLIERS = np.array([0xD2E7470EE14C6C93, 0xCA5A826395121157], np.uint64)
BUMPS = np.array([0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], np.uint64)
COUNTER, KEY, DRAWN, USED, REST, HAS_REST, LOWER_HALF = 0, 4, 6, 10, 11, 12, 13
GENERATOR = 14
"""How many numbers a generator is."""
KI, WI, FI = ki_double, wi_double, fi_double
TAIL, INVERSE_TAIL = ziggurat_nor_r, ziggurat_nor_inv_r


def high_half(a, b, low):
    """The upper 64 bits of a product of two uint64. The lower half's mask is read from memory: if
    LLVM knew it, it would make a product of 128 bits of this, which WebAssembly has not."""
    a0, a1, b0, b1 = a & low, a >> HALF, b & low, b >> HALF
    first, second = a1 * b0 + ((a0 * b0) >> HALF), a0 * b1
    middle = second + (first & low)
    return a1 * b1 + (first >> HALF) + (middle >> HALF)


def seeded(generator, key0, key1, step):
    """The generator of a seed and a stream, at a step: see engines.rng.make_generator."""
    for k in range(LOWER_HALF):
        generator[k] = NONE
    generator[COUNTER + 3] = np.uint64(step)
    generator[KEY], generator[KEY + 1] = np.uint64(key0), np.uint64(key1)
    generator[USED] = FOUR


def draw(generator):
    """The next 64 random bits."""
    used = generator[USED]
    if used < FOUR:
        generator[USED] = used + ONE
        return generator[DRAWN + np.int64(used)]
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
    generator[DRAWN], generator[DRAWN + 1] = a, b
    generator[DRAWN + 2], generator[DRAWN + 3] = c, d
    generator[USED] = ONE
    return a


def draw_half(generator):
    """The next 32 random bits."""
    if generator[HAS_REST] != NONE:
        generator[HAS_REST] = NONE
        return generator[REST]
    bits = draw(generator)
    generator[HAS_REST], generator[REST] = ONE, bits >> HALF
    return bits & LOW


def uniform(generator):
    """A number in [0, 1)."""
    return np.float64(np.int64(draw(generator) >> np.uint64(11))) * (1.0 / 9007199254740992.0)


def normal(generator):
    """A standard normal number."""
    while True:
        bits = draw(generator)
        place = np.int64(bits & np.uint64(255))
        size = (bits >> np.uint64(9)) & np.uint64(0x000FFFFFFFFFFFFF)
        x = np.float64(np.int64(size)) * WI[place]
        if (bits >> np.uint64(8)) & ONE != NONE:
            x = -x
        if size < KI[place]:
            return x
        if place == 0:
            while True:
                x = -INVERSE_TAIL * math.log1p(-uniform(generator))
                y = -math.log1p(-uniform(generator))
                if y + y > x * x:
                    far = TAIL + x
                    return -far if (size >> np.uint64(8)) & ONE != NONE else far
        else:
            step = (FI[place - 1] - FI[place]) * uniform(generator) + FI[place]
            if step < math.exp(-0.5 * x * x):
                return x


def below(generator, most):
    """A whole number from 0 to `most`, all equally likely; `most` is below 2^32."""
    mask, top = NONE, np.uint64(most)
    while mask < top:
        mask = (mask << ONE) | ONE
    while True:
        bits = draw_half(generator) & mask
        if bits <= top:
            return np.int64(bits)


def shuffle(generator, order):
    """0, 1, ... in a random order."""
    for i in range(order.shape[0]):
        order[i] = i
    for i in range(order.shape[0] - 1, 0, -1):
        j = below(generator, i)
        order[i], order[j] = order[j], order[i]
