"""Histories: statistics of a whole run, not of one frame: whether a flock arrives, how near boids
came, the mean of a curve."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve
from murmurate.measures.neighbour_distances import minimum_distance

HOME = 10.0
"""Length units. A flock whose middle is so near to the origin has come there."""


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
