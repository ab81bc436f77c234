"""Time lags: the shared part of measures that compare frames with earlier ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, no_curve
from murmurate.measures.limits import whole
from murmurate.measures.over_frames import time_step


class TimeLagged(ABC):
    """Compares each frame with earlier ones, the origins, and averages by time lag.

    origins  how many origins are kept at most. They are equally spaced; when there are too many,
             every other one is dropped, so the memory is bounded however long the run is.

    A subclass says what is kept of an origin and how two moments compare.
    """

    def __init__(self, origins: int = 16) -> None:
        self.most = whole(origins, "origins")
        self.spacing = 1
        self.kept: list[tuple[int, np.ndarray, Any]] = []
        self.times: list[float] = []
        self.sums: list[np.ndarray] = []  # by lag: boids, value * boids, error^2, origins

    @abstractmethod
    def snapshot(self, flock: FlockFrame) -> tuple[np.ndarray, Any]:
        """(n,) ids of the boids that take part, and what is kept of them."""

    @abstractmethod
    def compare(
        self, old: Any, new: Any, a: np.ndarray | slice, b: np.ndarray | slice
    ) -> np.ndarray:
        """(n,) one number for each boid; rows a of the old are the boids of rows b of the new."""

    def add(self, flock: FlockFrame, time: float) -> None:
        now = len(self.times)
        self.times.append(time)
        ids, kept = self.snapshot(flock)
        self.sums.append(np.zeros(4))
        if now % self.spacing == 0:
            self.kept.append((now, ids, kept))
        while len(self.kept) > self.most:
            self.spacing *= 2
            self.kept = [one for one in self.kept if one[0] % self.spacing == 0]
        for then, earlier, old in self.kept:
            values = self.compare(old, kept, *_same(earlier, ids))
            values = values[np.isfinite(values)]
            if len(values):
                spread = values.var() / max(len(values) - 1, 1)
                self.sums[now - then] += [len(values), values.sum(), spread, 1.0]

    def result(self) -> Curve:
        """A Curve over time lags, from 0 on."""
        sums = np.array(self.sums)
        if not len(sums) or not sums[:, 0].any():
            return no_curve()
        boids, total, spread, origins = sums.T
        lags = np.arange(len(sums))
        has = boids > 0
        y = np.full(len(sums), np.nan)
        error = y.copy()
        y[has] = total[has] / boids[has]
        # Stretches of a run that overlap say the same thing twice.
        apart = np.minimum(origins[has], np.maximum((len(sums) - 1) / np.maximum(lags[has], 1), 1))
        error[has] = np.sqrt(spread[has] / origins[has] / apart)
        return Curve(x=lags * time_step(self.times), y=y, count=boids, error=error)


def _same(old: np.ndarray, new: np.ndarray) -> tuple[np.ndarray | slice, np.ndarray | slice]:
    """The rows of the ids that are in both."""
    if np.array_equal(old, new):
        return slice(None), slice(None)
    _, a, b = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    return a, b
