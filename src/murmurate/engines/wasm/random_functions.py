"""Random numbers of boids and populations in a page, compiled to WebAssembly and never run here.

The functions draw what numpy's generators draw, with the algorithms of numpy. numba has some of
these as functions that call `next_double`, here that of a generator of start_functions.py.

Poisson numbers: Hörmann 1993, doi:10.1016/0167-6687(93)90997-4. Binomial numbers: Kachitvichyanukul
and Schmeiser 1988, doi:10.1145/42372.42381. Bounded integers: Lemire 2019, doi:10.1145/3230636.
Samples: Floyd's algorithm in Bentley and Floyd 1987, doi:10.1145/30401.315746. Numbers of one boid:
Philox4x32-10, Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405.
"""

import math

import numpy as np
from numba.np.random.distributions import (  # noqa: F401  # numba's functions call each other
    random_binomial_inversion,
    random_poisson_mult,
)

from murmurate.engines.wasm.start_functions import draw, draw_half, high_half  # noqa: F401
from murmurate.engines.wasm.start_functions import uniform as next_double

WORD, SHIFT = np.uint64(0xFFFFFFFF), np.uint64(32)
FACTORS = np.array([0xD2511F53, 0xCD9E8D57], np.uint64)
INCREMENTS = np.array([0x9E3779B9, 0xBB67AE85], np.uint64)
LOG_GAMMA = np.array([
    8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
    8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
    1.796443723688307e-01, -1.39243221690590e+00,
])  # fmt: skip
MIN_SHUFFLED = 10_000  # boids of which numpy shuffles a large sample


def bounded(generator, maximum):
    """Return a uniform integer from 0 to `maximum`, which is below 2^32 - 1, as `integers` does."""
    if maximum == 0:
        return 0
    count = np.uint64(maximum + 1)
    product = draw_half(generator) * count
    if product & WORD < count:
        threshold = (WORD - np.uint64(maximum)) % count
        while product & WORD < threshold:
            product = draw_half(generator) * count
    return np.int64(product >> SHIFT)


def mark_sample(generator, count, number, marks):
    """Mark `number` of the first `count` items, as `choice` draws them without replacement."""
    for i in range(count):
        marks[i] = 0
    if count > MIN_SHUFFLED and number > count // 20:
        mark_shuffled(generator, count, number, marks)
        return
    for j in range(count - number, count):
        i = bounded(generator, j)
        marks[i if marks[i] == 0 else j] = 1


def mark_shuffled(generator, count, number, items):
    """Mark the last `number` items of a shuffle of the last ones. The lowest bit is the mark."""
    for i in range(count):
        items[i] = i << 1
    for i in range(count - 1, max(count - number, 1) - 1, -1):
        j = bounded(generator, i)
        items[i], items[j] = items[j], items[i]
    for i in range(count - number, count):
        items[items[i] >> 1] |= 1
    for i in range(count):
        items[i] &= 1


def random_poisson_ptrs(generator, mean):
    """Return a Poisson number of a mean of 10 or more."""
    root, log_mean = math.sqrt(mean), math.log(mean)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    inner = 0.9277 - 3.6224 / (b - 2.0)
    while True:
        u = next_double(generator) - 0.5
        v = next_double(generator)
        size = 0.5 - abs(u)
        k = np.int64(math.floor((2.0 * a / size + b) * u + mean + 0.43))
        if size >= 0.07 and v <= inner:
            return k
        if k < 0 or (size < 0.013 and v > size):
            continue
        log_ratio = math.log(v) + math.log(inverse) - math.log(a / (size * size) + b)
        if log_ratio <= -mean + k * log_mean - random_loggam(k + 1):
            return k


def random_loggam(x):
    """Return the logarithm of the gamma function."""
    if x == 1.0 or x == 2.0:
        return 0.0
    n = int(7 - x) if x < 7.0 else 0
    y = np.float64(x + n)
    reciprocal = (1.0 / y) * (1.0 / y)
    series = LOG_GAMMA[9]
    for k in range(8, -1, -1):
        series = series * reciprocal + LOG_GAMMA[k]
    result = series / y + 0.5 * 1.8378770664093453 + (y - 0.5) * math.log(y) - y
    for _ in range(n):
        result -= math.log(y - 1.0)
        y -= 1.0
    return result


def stirling(x):
    """Return the remainder of Stirling's formula."""
    y = x * x
    return (13860.0 - (462.0 - (132.0 - (99.0 - 140.0 / y) / y) / y) / y) / x / 166320.0


def random_binomial_btpe(generator, n, p):
    """Return a binomial number for n p > 30 and p <= 1/2: algorithm BTPE."""
    q = 1.0 - p
    middle = n * p + p
    m = np.int64(math.floor(middle))
    p1 = math.floor(2.195 * math.sqrt(n * p * q) - 4.6 * q) + 0.5
    centre = m + 0.5
    left, right = centre - p1, centre + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (middle - left) / (middle - left * p)
    slope_left = a * (1.0 + a / 2.0)
    a = (right - middle) / (right * q)
    slope_right = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / slope_left
    p4 = p3 + c / slope_right
    while True:
        u = next_double(generator) * p4
        v = next_double(generator)
        if u <= p1:
            return np.int64(math.floor(centre - p1 * v + u))
        if u <= p2:
            x = left + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            if v > 1.0:
                continue
            y = np.int64(math.floor(x))
        elif v == 0.0:
            continue
        elif u <= p3:
            y = np.int64(math.floor(left + math.log(v) / slope_left))
            if y < 0:
                continue
            v = v * (u - p2) * slope_left
        else:
            y = np.int64(math.floor(right - math.log(v) / slope_right))
            if y > n:
                continue
            v = v * (u - p3) * slope_right
        if accepts(n, p, m, centre, y, v):
            return y


def accepts(n, p, m, centre, y, v):
    """Return whether BTPE accepts a number."""
    q, k = 1.0 - p, abs(y - m)
    variance = n * p * q
    if k <= 20 or k >= variance / 2.0 - 1.0:
        s = p / q
        a = s * (n + 1)
        ratio = 1.0
        for i in range(m + 1, y + 1):
            ratio *= a / i - s
        for i in range(y + 1, m + 1):
            ratio /= a / i - s
        return v <= ratio
    rho = (k / variance) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / variance + 0.5)
    t = -k * k / (2.0 * variance)
    size = math.log(v)
    if size < t - rho:
        return True
    if size > t + rho:
        return False
    x1, f1, z, w = y + 1.0, m + 1.0, n + 1.0 - m, n - y + 1.0
    return size <= (
        centre * math.log(f1 / x1)
        + (n - m + 0.5) * math.log(z / w)
        + (y - m) * math.log(w * p / (x1 * q))
        + stirling(f1) + stirling(z) + stirling(x1) + stirling(w)
    )  # fmt: skip


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
