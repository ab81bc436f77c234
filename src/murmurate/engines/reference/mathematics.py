"""Plain functions of the reference engine: vectors, faces of the space, random numbers.

They share nothing with codegen/kernel_functions.py, so that tests can compare the two.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.model.rule_arguments import Other
from murmurate.model.space import Space

MIN_DISTANCE2 = 1e-18  # squared distance that rules receive for coincident boids


def nearest_image(difference: np.ndarray, space: Space) -> np.ndarray:
    """Return the shortest image of a difference on periodic axes."""
    sides, periodic = _sides(space.size, space.boundaries)
    if periodic is None:
        return difference
    return difference - np.where(periodic, sides * np.floor(difference / sides + 0.5), 0.0)


@lru_cache
def _sides(
    size: tuple[float, ...], boundaries: tuple[str, ...]
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the sides of a space, and which are periodic; None if none is."""
    periodic = np.array(boundaries) == "periodic"
    return np.array(size), periodic if periodic.any() else None


def dot_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return (K,) dot products of the rows of two (K, D) arrays, rounded as `row @ row` is."""
    products: np.ndarray = np.matmul(a[:, None, :], b[:, :, None])[:, 0, 0]
    return products


def length_of(vector: np.ndarray) -> float:
    """Return the length of a vector, (D,)."""
    return math.sqrt(vector.dot(vector))


def pad_to_3d(vector: Any) -> tuple[float, float, float]:
    """Return three numbers, as rules expect: the third is 0 in 2-D."""
    x, y, *more = np.asarray(vector, float).tolist()
    return x, y, more[0] if more else 0.0


def limit_length(vector: np.ndarray, max_length: float) -> np.ndarray:
    """Return the vector, shortened to `max_length` if it is longer."""
    length = length_of(vector)
    return vector * (max_length / length) if length > max_length else vector


def wrap(x: float, lower: float, upper: float) -> float:
    """Return a coordinate wrapped into [lower, upper); `lower` if rounding leaves it outside."""
    if not math.isfinite(x) or lower <= x < upper:
        return x
    x = x - (upper - lower) * math.floor((x - lower) / (upper - lower))
    return x if lower <= x < upper else lower


def reflect(x: float, lower: float, upper: float) -> tuple[float, bool]:
    """Return a coordinate reflected at two faces, and whether its velocity changes sign."""
    if not math.isfinite(x):
        return x, False
    bounces = math.floor((x - lower) / (upper - lower))
    x = x - bounces * (upper - lower)
    flips = bounces % 2 == 1
    if flips:
        x = lower + upper - x
    return min(max(x, lower), upper), flips


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return four random 32-bit numbers of Philox4x32-10, doi:10.1145/2063384.2063405."""
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k, q & 0xFFFFFFFF, (p >> 32) ^ d ^ m, p & 0xFFFFFFFF
        k, m = (k + 0x9E3779B9) & 0xFFFFFFFF, (m + 0xBB67AE85) & 0xFFFFFFFF
    return a, b, c, d


def make_others(displacements: np.ndarray, velocities: np.ndarray) -> list[Other]:
    """Return neighbours as rules receive them. Arrays are (N, D)."""
    flat = [0.0] * (3 - displacements.shape[1])
    squares = np.maximum(dot_rows(displacements, displacements), MIN_DISTANCE2)
    columns = displacements.tolist(), velocities.tolist(), squares.tolist()
    return [
        Other._make((*displacement, *flat, r2, math.sqrt(r2), *velocity, *flat))
        for displacement, velocity, r2 in zip(*columns, strict=True)
    ]


def make_other(displacement: np.ndarray, velocity: np.ndarray) -> Other:
    """Return a neighbour as rules receive it."""
    return make_others(displacement[None], velocity[None])[0]
