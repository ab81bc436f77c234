"""Gaps: the boids that are seen in a frame.

Tracks of real animals have holes. A boid whose position or velocity is not finite (nan) was not
seen, and a measure is taken over those that were.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from murmurate.frame import FlockFrame

Needs = Literal["positions", "velocities", "both"]


def seen(flock: FlockFrame, needs: Needs = "both") -> FlockFrame:
    """The flock without the boids that were not seen; the frame itself where all were.

    needs  which numbers must be finite: a measure of positions alone keeps a boid whose velocity
           is not known
    """
    rows = np.ones(len(flock), dtype=bool)
    if needs != "velocities":
        rows &= _finite(flock.positions)
    if needs != "positions":
        rows &= _finite(flock.velocities)
    if rows.all():
        return flock
    return FlockFrame(
        name=flock.name,
        ids=flock.ids[rows],
        positions=flock.positions[rows],
        velocities=flock.velocities[rows],
        perch_timers=flock.perch_timers[rows],
        space=flock.space,
    )


def _finite(rows: np.ndarray) -> np.ndarray:
    """(N, D) -> (N,) bool. Column by column: numpy is slow along short rows."""
    finite = np.isfinite(rows[:, 0])
    for axis in range(1, rows.shape[1]):
        finite &= np.isfinite(rows[:, axis])
    return finite
