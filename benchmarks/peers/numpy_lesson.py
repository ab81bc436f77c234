"""NumPy: the boids of a university's lesson as it describes them, every pair in one array.

To the middle of all, away from those within 10, along the velocities of those within 100 (the sum
divided by the number of all); nothing limits the speed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from turns import Flock, serve


def step(places: np.ndarray, velocities: np.ndarray) -> None:
    """Changes both, (2, N)."""
    velocities += 0.01 * (places.mean(axis=1, keepdims=True) - places)
    apart = places[:, None, :] - places[:, :, None]
    squares = (apart**2).sum(axis=0)
    velocities -= (apart * (squares <= 10**2)).sum(axis=2)
    differences = velocities[:, None, :] - velocities[:, :, None]
    near = differences * (squares <= 100**2)
    velocities += 0.125 * near.mean(axis=2)
    places += velocities


def flock(case: dict[str, Any], seed: int) -> Flock:
    boids, random = case["boids"], np.random.default_rng(seed)
    places = random.uniform([[100], [900]], [[200], [1100]], (2, boids))
    velocities = random.uniform([[0], [-20]], [[10], [20]], (2, boids))

    def fly(steps: int) -> None:
        for _ in range(steps):
            step(places, velocities)

    return Flock(fly, lambda: boids - 1.0)


if __name__ == "__main__":
    serve(flock)
