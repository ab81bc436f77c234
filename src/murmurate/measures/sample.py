"""A sample of a flock, for measures that take some boids of a large one."""

from __future__ import annotations

import numpy as np


def sample(count: int, most: int, seed: int) -> np.ndarray:
    """(n,) rising rows of so many boids at most, drawn with a seed; all where there are no more."""
    if count <= most:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, most, replace=False))
