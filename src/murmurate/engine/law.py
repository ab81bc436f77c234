"""The law of random numbers: value = f(seed, step, boid, purpose), no streams.

So noise does not depend on threads, on restarts, or on how often frames are looked at. Rules draw
through Philox4x32-10 in the kernels (build/prelude.py); what is drawn for a whole flock at once,
starts and turns, comes from numpy's Philox, keyed by the same seed.
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


def turns(seed: int, step: int, count: int) -> np.ndarray:
    """(count,) int64: the order in which boids take their turns in a shuffled step."""
    return generator(seed, "turns", step).permutation(count)
