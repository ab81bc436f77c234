"""Valid rows: the boids of a frame whose numbers are known.

Tracks of real animals have holes. A boid whose position or velocity is not finite (nan) was not
seen, and a measure is taken over those that were.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import MeasureError

Needs = Literal["positions", "velocities", "both"]


def valid_rows(flock: FlockFrame, needs: Needs = "both") -> FlockFrame:
    """The flock without the boids that were not seen; the frame itself where all were.

    needs  which numbers must be finite: a measure of positions alone keeps a boid whose velocity
           is not known
    Raises MeasureError for what is no flock.
    """
    if not isinstance(flock, FlockFrame):
        raise MeasureError(f"a measure is of one flock, not of {_told(flock)}")
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
        images=None if flock.images is None else flock.images[rows],
    )


def _finite(rows: np.ndarray) -> np.ndarray:
    """(N, D) -> (N,) bool. Column by column: numpy is slow along short rows."""
    finite = np.isfinite(rows[:, 0])
    for axis in range(1, rows.shape[1]):
        finite &= np.isfinite(rows[:, axis])
    return finite


def _told(found: Any) -> str:
    """What was given instead of a flock, and how to make a flock of it."""
    if isinstance(found, Frame):
        names = ", ".join(found.flocks)
        name = next(iter(found.flocks), "boids")
        return f"a Frame, which holds all flocks ({names}): give one of them, frame[{name!r}]"
    if isinstance(found, np.ndarray | list | tuple):
        return (
            f"{type(found).__name__}: mm.measures.of_arrays(positions, velocities) makes a flock "
            "of arrays, and mm.measures.of_tracks(positions, dt) frames of (T, N, D) ones"
        )
    return (
        f"{type(found).__name__}: it must be a FlockFrame, such as frame['boids'] or "
        "mm.measures.of_arrays(positions, velocities)"
    )
