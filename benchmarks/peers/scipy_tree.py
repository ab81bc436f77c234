"""SciPy: the standard flock by a k-d tree, the sums over its pairs in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import standard_flock as standard
from scipy.spatial import cKDTree
from turns import Flock, serve


def step(places: np.ndarray, velocities: np.ndarray, side: float) -> tuple[np.ndarray, np.ndarray]:
    """(N, 3) places and velocities after a step."""
    boids = len(places)

    def total(index: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """(N, 3) sums of the vectors of each boid."""
        sums = [np.bincount(index, weights=column, minlength=boids) for column in vectors.T]
        return np.stack(sums, axis=1)

    pairs = cKDTree(places, boxsize=side).query_pairs(standard.RADIUS, output_type="ndarray")
    one, other = pairs.T
    apart = places[other] - places[one]
    apart -= side * np.round(apart / side)
    squares = np.einsum("ij,ij->i", apart, apart)
    count = np.bincount(pairs.ravel(), minlength=boids)[:, None]
    share = 1.0 / np.maximum(count, 1)
    centre = total(one, apart) - total(other, apart)
    ahead = total(one, velocities[other]) + total(other, velocities[one])
    close = squares <= standard.CLOSE**2
    pushes = apart[close] / squares[close, None]
    away = total(other[close], pushes) - total(one[close], pushes)
    steer = standard.COHESION * centre * share + standard.SEPARATION * away
    steer += standard.ALIGNMENT * (ahead * share - velocities * (count > 0))
    velocities = velocities + steer
    speed = np.linalg.norm(velocities, axis=1, keepdims=True)
    velocities *= np.minimum(1.0, standard.FASTEST / np.maximum(speed, 1e-12))
    return (places + velocities) % side, velocities


def flock(case: dict[str, Any], seed: int) -> Flock:
    begun = standard.start(case["boids"], seed)
    places, velocities = begun.positions, begun.velocities

    def fly(steps: int) -> None:
        nonlocal places, velocities
        for _ in range(steps):
            places, velocities = step(places, velocities, begun.side)

    return Flock(fly, lambda: standard.mean_neighbours(places, standard.RADIUS, begun.side))


if __name__ == "__main__":
    serve(flock)
