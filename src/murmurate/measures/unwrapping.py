"""Unwrapping: displacements between frames on a torus, where they are certain.

Between two frames a boid may go round a periodic axis, and positions alone do not tell: a boid that
goes nine tenths of a side seems to come back by one. So each displacement is held against speeds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.limits import MeasureError
from murmurate.neighbours.periodic import displacements

LONG = 0.45  # of a side: without velocities, longer displacements may have been longer still
STRAIGHT = 0.05  # of a side: how far velocities at both ends may leave open where a boid is
NEAR = 0.02  # of a side: how far beyond that it may be found


class CoarseFramesError(MeasureError):
    """Frames are too far apart in time to say how far boids went on a torus.

    ratio  by which the time between frames must be multiplied, so that it is below what is allowed
    """

    def __init__(self, message: str, ratio: float) -> None:
        super().__init__(message)
        self.ratio = ratio

    def with_remedy(self, remedy: str) -> CoarseFramesError:
        """The same, with what to do instead of how far apart frames may be."""
        return CoarseFramesError(f"{str(self).rpartition('. ')[0]}. {remedy}", self.ratio)

    def largest_every(self, every: int) -> int:
        """The largest number of steps, or frames, from one frame to the next that would work, where
        it is `every` now; 0 where none would."""
        return max(0, math.ceil(every * self.ratio - 1e-9) - 1)


@dataclass(frozen=True, eq=False)
class Seen:
    """Boids when they were last seen: (N,) ids, rising, and times; (N, D) positions and velocities,
    nan where these are not known; images as in FlockFrame."""

    ids: np.ndarray
    times: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    images: np.ndarray | None

    @classmethod
    def of(cls, flock: FlockFrame, time: float) -> Seen:
        return cls(
            flock.ids, np.full(len(flock), time), np.asarray(flock.positions, np.float64),
            np.asarray(flock.velocities, np.float64), flock.images,
        )  # fmt: skip

    def only(self, rows: np.ndarray) -> Seen:
        """Those in some rows."""
        images = None if self.images is None else self.images[rows]
        return Seen(self.ids[rows], self.times[rows], self.positions[rows], self.velocities[rows],
                    images)  # fmt: skip


def common_rows(old: np.ndarray, new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the ids that are in both."""
    if np.array_equal(old, new):
        return np.arange(len(old)), np.arange(len(new))
    _, a, b = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    return a, b


def some_rows(flock: FlockFrame, rows: np.ndarray) -> FlockFrame:
    """The boids in some rows of a flock."""
    if len(rows) == len(flock):
        return flock
    images = None if flock.images is None else flock.images[rows]
    return FlockFrame(flock.name, flock.ids[rows], flock.positions[rows], flock.velocities[rows],
                      flock.perch_timers[rows], flock.space, images=images)  # fmt: skip


class Unwrapping:
    """Finds displacements from frame to frame, and notes where they are not certain.

    A displacement is that to the nearest image where no boid can have gone half a side: where the
    fastest boid of both frames does not at its speed. Else velocities must show that all boids fly
    straight on: those at both ends leave less than a twentieth of a side open, and the boid is
    there. Images that a file counts are taken as they are.
    """

    def __init__(self) -> None:
        self.fastest = 0.0  # of all frames
        self.side = math.inf  # the shortest that is periodic
        self.failed: float | None = None  # the time between frames at which it was not certain

    def steps(
        self, old: Seen, now: FlockFrame, time: float, frame_before: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Displacements (n, D) of the boids of `now` that `old` has too, whose ids are the same.

        frame_before  the time of the frame before
        Returns them, and (n,) bool: which are certain. Those of boids that were unseen in the frame
        before are merely not certain; of others `check` raises.
        """
        x, v = np.asarray(now.positions, np.float64), np.asarray(now.velocities, np.float64)
        steps = displacements(x, old.positions, now.space)
        elapsed = time - old.times
        sides = np.where(now.space.periodic, now.space.size, np.inf)
        if not len(x) or not np.isfinite(sides).any():
            return steps, np.ones(len(x), dtype=bool)
        if now.images is not None and old.images is not None:
            turns = np.where(np.isfinite(sides), sides, 0.0)
            return x - old.positions + (now.images - old.images) * turns, np.ones(len(x), bool)
        top = max(fastest_of(old.velocities), fastest_of(v))
        self.fastest, self.side = max(self.fastest, top), min(self.side, float(sides.min()))
        longest = np.maximum(elapsed[:, None] * top, LONG * sides)
        with np.errstate(invalid="ignore"):
            sure = (elapsed[:, None] * top < sides / 2) & (np.abs(steps) <= longest)
        sure_of = (sure | ~np.isfinite(sides)).all(axis=1)
        gap = old.times < frame_before
        if sure_of[~gap].all():
            return steps, sure_of
        straight, fits = _straight(steps, old.velocities, v, elapsed, sides)
        if fits[~gap].all():
            return np.where(gap[:, None], steps, straight), sure_of | ~gap
        if self.failed is None:
            self.failed = time - frame_before
        return steps, sure_of

    def check(self) -> None:
        """Raises CoarseFramesError where displacements were not certain."""
        if self.failed is None:
            return
        allowed = self.side / 2 / self.fastest if self.fastest > 0 else math.inf
        if allowed <= self.failed:
            ratio = allowed / self.failed
            reason = (
                f"at a speed of {self.fastest:.4g} boids can go half the periodic side of "
                f"{self.side:g} in that time. Take frames less than {allowed:.4g} apart"
            )
        else:
            ratio = 0.5
            reason = (
                f"boids went almost half the periodic side of {self.side:g} in that time, and "
                "velocities do not say so. Take frames closer in time"
            )
        raise CoarseFramesError(
            f"frames: got {self.failed:.6g} of time from one to the next; expected so little that "
            f"the way round the torus is certain: {reason}",
            ratio,
        )


def fastest_of(velocities: np.ndarray) -> float:
    """The largest speed that is known; 0 where none is."""
    speeds = np.sqrt(np.einsum("ij,ij->i", velocities, velocities))
    known = speeds[np.isfinite(speeds)]
    return float(known.max()) if len(known) else 0.0


def _straight(
    steps: np.ndarray, v: np.ndarray, w: np.ndarray, elapsed: np.ndarray, sides: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(n, D) the displacements to the images that velocities v before and w after predict, and (n,)
    whether each is certain."""
    periodic = np.isfinite(sides)
    turns = np.where(periodic, sides, 1.0)
    predicted = elapsed[:, None] * (v + w) / 2
    rounds = np.where(periodic, np.round((predicted - steps) / turns), 0.0)
    found = steps + rounds * turns
    scale = np.where(periodic, sides, sides[periodic].min())
    open_ = elapsed[:, None] * np.abs(w - v) / 2
    with np.errstate(invalid="ignore"):
        fits = (open_ <= STRAIGHT * scale) & (np.abs(found - predicted) <= open_ + NEAR * scale)
    return found, fits.all(axis=1)
