"""Histories: statistics of a whole run, not of one frame: how a turn spreads through a flock,
whether the flock arrives, how near boids came, the mean of a curve."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Protocol

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.collisions import minimum_distance
from murmurate.measures.curve import Curve

TURNED = 0.05
"""Radians. A boid has begun to turn when its heading is so far from what it was at first."""
NEAR = 2.0
"""Nearest neighbour distances. So near to the boid that turned first, a turn has no shape yet."""
HOME = 10.0
"""Length units. A flock whose middle is so near to the origin has come there."""


class History(Protocol):
    """Takes the frames of a run, one after the other."""

    def add(self, flock: FlockFrame, time: float) -> None: ...


class Turning:
    """When each boid began to turn, and how far it was at the start from the one that was first.

    Attanasi et al. 2014, doi:10.1038/nphys3035, follow turns through starling flocks so.
    """

    def __init__(self) -> None:
        self._headings: np.ndarray | None = None
        self._positions = np.zeros((0, 2))
        self._times = np.zeros(0)

    def add(self, flock: FlockFrame, time: float) -> None:
        """A frame: the first one is the flock before the turn."""
        velocities = np.asarray(flock.velocities, dtype=np.float64)
        speeds = np.linalg.norm(velocities, axis=1, keepdims=True)
        headings = velocities / np.where(speeds > 0.0, speeds, 1.0)
        if self._headings is None:
            self._headings = headings
            self._positions = np.asarray(flock.positions, dtype=np.float64)
            self._times = np.full(len(flock), np.nan)
        turned = np.einsum("nd,nd->n", headings, self._headings) < math.cos(TURNED)
        self._times[turned & np.isnan(self._times)] = time

    def arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        """(distances, times since the first turned) of the boids that a turn has reached, those
        beside the first one left out."""
        reached = np.isfinite(self._times)
        if not reached.any():
            return np.zeros(0), np.zeros(0)
        first = int(np.nanargmin(self._times))
        gaps = np.linalg.norm(self._positions - self._positions[first], axis=1)
        near = np.partition(gaps, 1)[1] if len(gaps) > 1 else 0.0
        times = self._times - self._times[first]
        far = reached & (gaps >= NEAR * near) & (times > 0.0)
        return gaps[far], times[far]

    def speed(self) -> float:
        """How fast the turn goes: a straight line through times over distances. Units of speed."""
        gaps, times = self.arrivals()
        return _inverse(gaps, times)

    def exponent(self) -> float:
        """The power of time with which its distance grows: 1 for a wave, 1/2 for diffusion."""
        gaps, times = self.arrivals()
        return _inverse(np.log(gaps), np.log(times))

    def reached(self) -> float:
        """The part of the flock that has begun to turn, 0 to 1."""
        return float(np.isfinite(self._times).mean()) if len(self._times) else math.nan


class Arriving:
    """How near a flock's middle came to the origin."""

    def __init__(self) -> None:
        self._nearest = math.inf

    def add(self, flock: FlockFrame, time: float) -> None:
        if len(flock):
            middle = np.asarray(flock.positions, dtype=np.float64).mean(axis=0)
            self._nearest = min(self._nearest, float(np.linalg.norm(middle)))

    def arrived(self) -> float:
        """1 if it came within 10 length units, else 0: over seeds, the part of the runs in which it
        did."""
        return 1.0 if self._nearest < HOME else 0.0


class Approaching:
    """The smallest distance between two boids in all frames."""

    def __init__(self) -> None:
        self._least = math.inf

    def add(self, flock: FlockFrame, time: float) -> None:
        self._least = min(self._least, minimum_distance(flock))

    def closest(self) -> float:
        """Length units; inf where there never were two boids."""
        return self._least


class CurveMean:
    """The mean over frames of a measure that is a curve; a frame without a curve is left out."""

    def __init__(self, curve: Callable[[FlockFrame], Curve]) -> None:
        self._curve = curve
        self._rows: list[np.ndarray] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        found = self._curve(flock)
        if len(found):
            self._rows.append(found.y)

    def mean(self) -> np.ndarray:
        """(B,) values, a bin each, nan in a bin without a value in some frame; (0,) where no frame
        had a curve."""
        return np.mean(self._rows, axis=0) if self._rows else np.zeros(0)


def _inverse(x: np.ndarray, y: np.ndarray) -> float:
    """One over the slope of the line of least squares of y over x; nan where there is none."""
    if len(x) < 3 or np.ptp(x) == 0.0:
        return math.nan
    slope = float(np.polyfit(x, y, 1)[0])
    return 1.0 / slope if slope > 0.0 else math.nan
