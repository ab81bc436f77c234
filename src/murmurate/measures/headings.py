"""Headings: unit vectors; zero where a boid does not move."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.valid_rows import valid_rows


def unit(vectors: np.ndarray) -> np.ndarray:
    """(N, D) vectors -> (D, N) float64 unit vectors; a zero vector stays zero.

    A boid that stands still has no heading, so it adds nothing to a sum of headings, while it
    still counts among the N of a mean. One row an axis: numpy is many times faster that way.
    """
    rows = np.array(np.asarray(vectors).T, dtype=np.float64, order="C")
    lengths = np.sqrt(np.einsum("ij,ij->j", rows, rows))
    lengths[lengths == 0.0] = 1.0
    rows /= lengths
    return rows


def headings_by_id(flock: FlockFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n,) ids and (n, D) headings of the boids that are seen and move."""
    flock = valid_rows(flock, "velocities")
    u = unit(flock.velocities).T
    moving = u.any(axis=1)
    return flock.ids[moving], u[moving]
