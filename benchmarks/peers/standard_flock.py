"""The standard flock in NumPy: parameters and initial state, for peers with its rules."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RADIUS, CLOSE, FASTEST = 1.0, 0.5, 0.1
COHESION, ALIGNMENT, SEPARATION = 0.005, 0.05, 0.0025
NEIGHBOURS = 20


@dataclass(frozen=True)
class Start:
    """A uniform flock in 3-D on a torus.

    side        of the torus
    positions   (N, 3)
    velocities  (N, 3)
    """

    side: float
    positions: np.ndarray
    velocities: np.ndarray


def start(boids: int, seed: int) -> Start:
    side = (boids * 4 / 3 * np.pi * RADIUS**3 / NEIGHBOURS) ** (1 / 3)
    random = np.random.default_rng(seed)
    velocities = FASTEST / 2 * random.standard_normal((boids, 3))
    return Start(side, side * random.random((boids, 3)), velocities)


def mean_neighbours(positions: np.ndarray, radius: float, side: float | None = None) -> float:
    """Return the mean number of neighbours within the radius, on a torus where `side` is given."""
    from scipy.spatial import cKDTree

    positions = np.asarray(positions, dtype=float)
    tree = cKDTree(positions if side is None else positions % side, boxsize=side)
    counts = tree.query_ball_point(tree.data, radius, return_length=True)
    return float(np.mean(counts)) - 1
