"""Counter-based random numbers: value = f(seed, step, boid, purpose), no streams.

So noise does not depend on threads, on restarts, or on how often frames are read. Rules draw
through Philox4x32-10 in the kernels (codegen/kernel_functions.py); what is drawn for a whole flock
at once, starts and turns, comes from numpy's Philox, keyed by the same seed.
"""

from __future__ import annotations

import zlib

import numpy as np


def keys(seed: int) -> tuple[np.uint64, np.uint64]:
    """A seed's two 32-bit keys."""
    return np.uint64(seed & 0xFFFFFFFF), np.uint64((seed >> 32) & 0xFFFFFFFF)


def generator(seed: int, purpose: str, step: int = 0) -> np.random.Generator:
    """Random numbers for a whole flock at once."""
    key = np.array([seed & 0xFFFFFFFFFFFFFFFF, zlib.crc32(purpose.encode()) << 32], np.uint64)
    counter = np.array([0, 0, 0, step], np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))


def uniforms(seed: int, step: int, purpose: int, count: int) -> np.ndarray:
    """(count, 4) float64 in [0, 1): what boids 0, 1, ... of a flock draw, as in the kernels."""
    shift, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    a = np.arange(count, dtype=np.uint64)
    b = np.full(count, step & 0xFFFFFFFF, np.uint64)
    c = np.full(count, step >> 32, np.uint64)
    d = np.full(count, purpose, np.uint64)
    k, m = keys(seed)
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
        a, b, c, d = (q >> shift) ^ b ^ k, q & low, (p >> shift) ^ d ^ m, p & low
        k, m = (
            np.uint64((int(k) + 0x9E3779B9) & 0xFFFFFFFF),
            np.uint64((int(m) + 0xBB67AE85) & 0xFFFFFFFF),
        )
    bits = np.stack([a, b, c, d], axis=1) >> np.uint64(8)
    return bits.astype(float) * 2.0**-24


def normals(seed: int, step: int, purpose: int, count: int) -> np.ndarray:
    """(count, 4) float64, standard normal (Box and Muller 1958, doi:10.1214/aoms/1177706645)."""
    a, b, c, d = uniforms(seed, step, purpose, count).T
    r, s = np.sqrt(-2.0 * np.log(1.0 - a)), np.sqrt(-2.0 * np.log(1.0 - c))
    t, p = 2.0 * np.pi * b, 2.0 * np.pi * d
    return np.stack([r * np.cos(t), r * np.sin(t), s * np.cos(p), s * np.sin(p)], axis=1)


def turns(seed: int, step: int, count: int, steps: int = 1) -> np.ndarray:
    """(steps, count) int64: the orders in which boids take their turns in shuffled steps, from
    `step` on. A step's order depends on its number alone."""
    made = generator(seed, "turns", step)
    state = made.bit_generator.state  # to set it is faster than to make a generator for each step
    orders = np.empty((steps, count), np.int64)
    for number, order in enumerate(orders, step):
        state["state"]["counter"][3] = number
        made.bit_generator.state = state
        order[:] = made.permutation(count)
    return orders
