"""Unwrapping: displacements between frames on a torus, where they are unambiguous.

Between two frames a boid may travel around a periodic axis, and positions alone do not show it: a
boid that moves nine tenths of a side seems to move back by one tenth. So each displacement is
checked against the boids' speeds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.errors import CoarseFramesError
from murmurate.frame import FlockFrame
from murmurate.neighbours.periodic import displacements

# Fractions of a side.
MAX_STEP = 0.45  # a longer displacement of a boid of unknown velocity may have been longer still
MAX_SPREAD = 0.05  # how far velocities at both ends may disagree about where a boid went
TOLERANCE = 0.02  # how far beyond that spread the boid may be


@dataclass(frozen=True, eq=False)
class LastSeen:
    """Boids at the time when each was last seen.

    ids, times  (N,) ids, ascending, and times
    positions, velocities  (N, D) nan where unknown
    images  (N, D) image counts, as in FlockFrame
    """

    ids: np.ndarray
    times: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    images: np.ndarray | None

    @classmethod
    def of(cls, flock: FlockFrame, time: float) -> LastSeen:
        """Return all boids of a flock, seen at `time`."""
        return cls(
            flock.ids, np.full(len(flock), time), np.asarray(flock.positions, np.float64),
            np.asarray(flock.velocities, np.float64), flock.images,
        )  # fmt: skip

    def take(self, rows: np.ndarray) -> LastSeen:
        """Return the boids in the given rows."""
        images = None if self.images is None else self.images[rows]
        return LastSeen(
            self.ids[rows], self.times[rows], self.positions[rows], self.velocities[rows], images
        )


class Unwrapping:
    """Computes displacements from frame to frame, and records whether they are unambiguous.

    A displacement leads to the nearest image if no boid can travel half a side in between, at the
    speed of the fastest boid of both frames. Otherwise velocities must show that all boids move
    straight on: the velocities at both ends differ by less than a twentieth of a side, and the boid
    is where they predict. Image counts from a file are taken as they are.
    """

    def __init__(self) -> None:
        self.max_speed = 0.0  # over all frames
        self.side = math.inf  # the shortest periodic side
        self.failed: float | None = None  # time between the frames of the first ambiguous step

    def steps(
        self, old: LastSeen, flock: FlockFrame, time: float, previous_time: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the displacements of boids between two observations.

        flock  the same n boids in the current frame
        time, previous_time  times of the current and of the previous frame
        displacements  (n, D) in length units
        certain  (n,) false for an ambiguous displacement. If the boid was seen in the previous
            frame, `check` then raises.
        """
        x = np.asarray(flock.positions, np.float64)
        v = np.asarray(flock.velocities, np.float64)
        steps = displacements(x, old.positions, flock.space)
        elapsed = time - old.times
        sides = np.where(flock.space.periodic, flock.space.size, np.inf)
        if not len(x) or not np.isfinite(sides).any():
            return steps, np.ones(len(x), dtype=bool)
        if flock.images is not None and old.images is not None:
            shifts = np.where(np.isfinite(sides), sides, 0.0)
            total = x - old.positions + (flock.images - old.images) * shifts
            return total, np.ones(len(x), bool)
        top = max(max_speed(old.velocities), max_speed(v))
        self.max_speed = max(self.max_speed, top)
        self.side = min(self.side, float(sides.min()))
        longest = np.maximum(elapsed[:, None] * top, MAX_STEP * sides)
        with np.errstate(invalid="ignore"):
            on_axis = (elapsed[:, None] * top < sides / 2) & (np.abs(steps) <= longest)
        certain = (on_axis | ~np.isfinite(sides)).all(axis=1)
        gap = old.times < previous_time
        if certain[~gap].all():
            return steps, certain
        straight, fits = _straight_steps(steps, old.velocities, v, elapsed, sides)
        if fits[~gap].all():
            return np.where(gap[:, None], steps, straight), certain | ~gap
        if self.failed is None:
            self.failed = time - previous_time
        return steps, certain

    def check(self) -> None:
        """Raise CoarseFramesError if a displacement was ambiguous."""
        if self.failed is None:
            return
        allowed = self.side / 2 / self.max_speed if self.max_speed > 0 else math.inf
        if allowed <= self.failed:
            ratio = allowed / self.failed
            reason = (
                f"at a speed of {self.max_speed:.4g} a boid can travel half the periodic side of "
                f"{self.side:g} in that time. Take frames less than {allowed:.4g} apart"
            )
        else:
            ratio = 0.5
            reason = (
                f"boids moved almost half the periodic side of {self.side:g} in that time, and "
                "velocities do not confirm it. Take frames closer in time"
            )
        raise CoarseFramesError(
            f"frames: got {self.failed:.6g} of time from one to the next; expected so little that "
            f"displacements on the torus are unambiguous: {reason}",
            ratio,
        )


def max_speed(velocities: np.ndarray) -> float:
    """Return the largest finite speed of (N, D) velocities, or 0."""
    speeds = np.sqrt(np.einsum("ij,ij->i", velocities, velocities))
    finite = speeds[np.isfinite(speeds)]
    return float(finite.max()) if len(finite) else 0.0


def _straight_steps(
    steps: np.ndarray, before: np.ndarray, after: np.ndarray, elapsed: np.ndarray, sides: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return displacements to the images that velocities predict, and whether they are certain.

    steps, before, after : (n, D) displacements to the nearest image; velocities at both ends
    elapsed : (n,) times between both ends
    Returns (n, D) and (n,) bool.
    """
    periodic = np.isfinite(sides)
    shifts = np.where(periodic, sides, 1.0)
    predicted = elapsed[:, None] * (before + after) / 2
    rounds = np.where(periodic, np.round((predicted - steps) / shifts), 0.0)
    straight = steps + rounds * shifts
    scale = np.where(periodic, sides, sides[periodic].min())
    spread = elapsed[:, None] * np.abs(after - before) / 2
    with np.errstate(invalid="ignore"):
        fits = spread <= MAX_SPREAD * scale
        fits &= np.abs(straight - predicted) <= spread + TOLERANCE * scale
    return straight, fits.all(axis=1)
