"""Plain functions of the reference engine: vectors, the faces of the space, chance.

Kept apart from codegen/kernel_functions.py on purpose, so that one can be checked against
the other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from murmurate.model.rule_arguments import Other
from murmurate.model.space import Space

NEAR2 = 1e-18  # the squared distance that rules are given for boids at the same place


def nearest_image(difference: np.ndarray, space: Space) -> np.ndarray:
    """The shortest of a difference's images on a torus."""
    sides = np.array(space.size)
    return difference - np.where(space.periodic, sides * np.floor(difference / sides + 0.5), 0.0)


def three(vector: Any) -> tuple[float, float, float]:
    """Three plain numbers: rules know no dimensions, and in 2-D the third is 0."""
    x, y, z = [*map(float, vector), 0.0][:3]
    return x, y, z


def shortened(vector: np.ndarray, longest: float) -> np.ndarray:
    """The vector, no longer than `longest`."""
    length = float(np.linalg.norm(vector))
    return vector * (longest / length) if length > longest else vector


def wrapped(x: float, lower: float, upper: float) -> float:
    """A coordinate brought into [lower, upper). What rounding leaves outside is put at `lower`."""
    if not math.isfinite(x) or lower <= x < upper:
        return x
    x = x - (upper - lower) * math.floor((x - lower) / (upper - lower))
    return x if lower <= x < upper else lower


def folded(x: float, lower: float, upper: float) -> tuple[float, bool]:
    """A coordinate reflected at two faces until it is between them, or at one of them where
    rounding would leave it outside; whether its velocity turns."""
    if not math.isfinite(x):
        return x, False
    bounces = math.floor((x - lower) / (upper - lower))
    x = x - bounces * (upper - lower)
    turns = bounces % 2 == 1
    if turns:
        x = lower + upper - x
    return min(max(x, lower), upper), turns


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Philox4x32-10: four random 32-bit numbers (Salmon, Moraes, Dror and Shaw 2011,
    doi:10.1145/2063384.2063405)."""
    a, b, c, d = counter
    k, m = key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k, q & 0xFFFFFFFF, (p >> 32) ^ d ^ m, p & 0xFFFFFFFF
        k, m = (k + 0x9E3779B9) & 0xFFFFFFFF, (m + 0xBB67AE85) & 0xFFFFFFFF
    return a, b, c, d


def seen_at(away: np.ndarray, velocity: np.ndarray) -> Other:
    """A neighbour as rules see it."""
    r2 = max(float(away @ away), NEAR2)
    return Other(*three(away), r2, math.sqrt(r2), *three(velocity))
