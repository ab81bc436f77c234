"""Random numbers of boids and populations in a page, compiled to WebAssembly and never run here.

Events of a Poisson process, and boids to which something happens by chance, are found by the
exponential gaps between them, as murmurate.engines.population finds them. Numbers of one boid:
Philox4x32-10, Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405.
"""

import math

import numpy as np

from murmurate.engines.wasm.start_functions import uniform

WORD, SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)
FACTORS = np.array([0xD2511F53, 0xCD9E8D57], np.uint64)
INCREMENTS = np.array([0x9E3779B9, 0xBB67AE85], np.uint64)


def poisson(generator, mean, max_count):
    """Return the number of events of a Poisson process, up to `max_count`."""
    count, total = np.int64(0), -math.log1p(-uniform(generator))
    while total < mean and count < max_count:
        count += 1
        total -= math.log1p(-uniform(generator))
    return count


def next_event(generator, k, count, hazard):
    """Return the first of the boids from k on to which something happens, or `count`.

    It happens to each with probability 1 - exp(-hazard), and the hazard is above 0.
    """
    gap = -math.log1p(-uniform(generator)) / hazard
    return k + np.int64(math.floor(min(gap, float(count - k))))


def boid_bits(seed, stream, index, column, step):
    """Return two random 32-bit numbers of a boid."""
    a, b = np.uint64(index), np.uint64(step) & WORD
    c = (np.uint64(step) >> SHIFT) | (np.uint64(column // 2) << np.uint64(16))
    d = np.uint64(stream)
    k, m = np.uint64(seed) & WORD, np.uint64(seed) >> SHIFT
    for _ in range(10):
        p, q = FACTORS[0] * a, FACTORS[1] * c
        a, b = (q >> SHIFT) ^ b ^ k, q & WORD
        c, d = (p >> SHIFT) ^ d ^ m, p & WORD
        k, m = (k + INCREMENTS[0]) & WORD, (m + INCREMENTS[1]) & WORD
    return (a, b) if column % 2 == 0 else (c, d)


def boid_uniform(seed, stream, index, column, step):
    """Return a uniform number in [0, 1) of a boid, as population_starts.uniforms."""
    x, y = boid_bits(seed, stream, index, column, step)
    high, low = np.int64(x >> np.uint64(5)), np.int64(y >> np.uint64(6))
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)
