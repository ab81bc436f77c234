"""Plain functions that all kernels share: random numbers, and coordinates at faces.

They compute with scalars only, like rules, and are compiled with them.
"""

import math

import numpy as np

from murmurate.model.shapes.geometry import clamp


def philox(index, step, purpose, key0, key1):
    """Return four random 32-bit numbers, a pure function of the arguments.

    All arguments are uint64 below 2^32, except `step`, which is below 2^63.

    Philox4x32-10: Salmon, Moraes, Dror and Shaw 2011, doi:10.1145/2063384.2063405.
    """
    low = np.uint64(0xFFFFFFFF)
    shift = np.uint64(32)
    c0 = np.uint64(index)
    c1 = np.uint64(step) & low
    c2 = np.uint64(step) >> shift
    c3 = np.uint64(purpose)
    k0 = np.uint64(key0)
    k1 = np.uint64(key1)
    for _ in range(10):
        p = np.uint64(0xD2511F53) * c0
        q = np.uint64(0xCD9E8D57) * c2
        c0 = (q >> shift) ^ c1 ^ k0
        c1 = q & low
        c2 = (p >> shift) ^ c3 ^ k1
        c3 = p & low
        k0 = (k0 + np.uint64(0x9E3779B9)) & low
        k1 = (k1 + np.uint64(0xBB67AE85)) & low
    return c0, c1, c2, c3


def wrap(x, lower, upper):
    """Return a periodic coordinate wrapped to [lower, upper)."""
    if x < lower or x >= upper:
        x = x - (upper - lower) * float(math.floor((x - lower) / (upper - lower)))
        if x < lower or x >= upper:
            x = lower
    return x


def reflect(x, u, lower, upper):
    """Return a coordinate and its velocity, reflected at the faces until it is inside."""
    side = upper - lower
    if x < lower or x > upper:
        past = (x - lower) / side
        turns = float(math.floor(past))
        past = past - turns
        if turns - 2.0 * float(math.floor(0.5 * turns)) > 0.5:
            past = 1.0 - past
            u = -u
        x = clamp(lower + past * side, lower, upper)
    return x, u
