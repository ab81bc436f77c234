"""SciPy: the standard flock with a k-d tree and sums over pairs in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import standard_flock as standard
from scipy.spatial import cKDTree
from timed_flock import Flock, serve


def step(
    positions: np.ndarray, velocities: np.ndarray, side: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return positions and velocities, both (N, 3), after a step."""
    boids = len(positions)

    def total(index: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Return the sum of the vectors of each boid, (N, 3)."""
        sums = [np.bincount(index, weights=column, minlength=boids) for column in vectors.T]
        return np.stack(sums, axis=1)

    pairs = cKDTree(positions, boxsize=side).query_pairs(standard.RADIUS, output_type="ndarray")
    first, second = pairs.T
    apart = positions[second] - positions[first]
    apart -= side * np.round(apart / side)
    squares = np.einsum("ij,ij->i", apart, apart)
    count = np.bincount(pairs.ravel(), minlength=boids)[:, None]
    share = 1.0 / np.maximum(count, 1)
    centre = total(first, apart) - total(second, apart)
    heading = total(first, velocities[second]) + total(second, velocities[first])
    close = squares <= standard.CLOSE**2
    pushes = apart[close] / squares[close, None]
    away = total(second[close], pushes) - total(first[close], pushes)
    steer = standard.COHESION * centre * share + standard.SEPARATION * away
    steer += standard.ALIGNMENT * (heading * share - velocities * (count > 0))
    velocities = velocities + steer
    speed = np.linalg.norm(velocities, axis=1, keepdims=True)
    velocities *= np.minimum(1.0, standard.FASTEST / np.maximum(speed, 1e-12))
    return (positions + velocities) % side, velocities


def flock(case: dict[str, Any], seed: int) -> Flock:
    begun = standard.start(case["boids"], seed)
    positions, velocities = begun.positions, begun.velocities

    def run(steps: int) -> None:
        nonlocal positions, velocities
        for _ in range(steps):
            positions, velocities = step(positions, velocities, begun.side)

    return Flock(run, lambda: standard.mean_neighbours(positions, standard.RADIUS, begun.side))


if __name__ == "__main__":
    serve(flock)
