"""Speed: how fast the boids of a flock fly."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame


def speed(flock: FlockFrame) -> float:
    """The mean of |v_i|, in the model's speed unit; nan for an empty flock."""
    if len(flock) == 0:
        return float("nan")
    velocities = np.asarray(flock.velocities, dtype=np.float64)
    return float(np.sqrt(np.einsum("ij,ij->i", velocities, velocities)).mean())
