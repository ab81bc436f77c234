"""NumPy: the boids of a university lesson, with all pairs in one array.

Boids move towards the centre of the flock and away from those within 10. They align with those
within 100: the sum of velocity differences is divided by the number of all boids. The speed has no
limit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from timed_flock import Flock, serve


def step(positions: np.ndarray, velocities: np.ndarray) -> None:
    """Advance positions and velocities, both (2, N), in place."""
    velocities += 0.01 * (positions.mean(axis=1, keepdims=True) - positions)
    apart = positions[:, None, :] - positions[:, :, None]
    squares = (apart**2).sum(axis=0)
    velocities -= (apart * (squares <= 10**2)).sum(axis=2)
    differences = velocities[:, None, :] - velocities[:, :, None]
    near = differences * (squares <= 100**2)
    velocities += 0.125 * near.mean(axis=2)
    positions += velocities


def flock(case: dict[str, Any], seed: int) -> Flock:
    boids, random = case["boids"], np.random.default_rng(seed)
    positions = random.uniform([[100], [900]], [[200], [1100]], (2, boids))
    velocities = random.uniform([[0], [-20]], [[10], [20]], (2, boids))

    def run(steps: int) -> None:
        for _ in range(steps):
            step(positions, velocities)

    return Flock(run, lambda: boids - 1.0)


if __name__ == "__main__":
    serve(flock)
