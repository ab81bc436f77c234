"""Flock tracker: the smoothed centre and extent of a flock, for the camera; outliers ignored."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import centroid
from murmurate.model.space import Space

SAMPLE = 20_000  # boids looked at: quantiles of these are quantiles of the flock
SETTLE = 0.6  # seconds of film in which the camera follows


class FlockTracker:
    """Keeps the middle of a flock and the reach of most of it, from picture to picture.

    The centre is tracked with its velocity (a critically damped alpha-beta filter), so the camera
    does not lag behind a flock that flies straight. The medians and quantiles ignore strays; on
    periodic axes offsets are to the nearest image of the last centre.
    """

    def __init__(self, space: Space, frames_per_second: float) -> None:
        self._space = space
        self._size = np.array(space.size)
        self._periodic = np.array(space.periodic)
        keep = math.exp(-1.0 / (SETTLE * frames_per_second))
        self._alpha = 1.0 - keep * keep
        self._beta = (1.0 - keep) ** 2
        self._slow = 1.0 - math.exp(-1.0 / (1.5 * SETTLE * frames_per_second))
        self._seen = 0
        self.centre = np.array(space.lower) + 0.5 * self._size
        self._drift = np.zeros(space.dims)
        self.reach = 0.5 * self._size
        self._floor = 0.02 * float(self._size.max())

    def update(self, flock: FlockFrame) -> None:
        """Look at the next moment. A flock without a finite position leaves the camera alone.

        centre  (D,) float64; in the box along periodic axes
        reach   (D,) float64: how far most of the flock lies from the centre along each axis
        """
        positions = np.asarray(flock.positions[:: max(1, len(flock) // SAMPLE)], np.float64)
        positions = positions[np.isfinite(positions).all(axis=1)]
        if len(positions) == 0:
            return
        guess = self.centre + self._drift if self._seen else self._first_guess(flock, positions)
        away = positions - guess
        wrap = self._size * np.round(away / self._size)
        away -= np.where(self._periodic, wrap, 0.0)
        error = np.median(away, axis=0)
        reach = np.maximum(1.2 * np.quantile(np.abs(away - error), 0.96, axis=0), self._floor)
        # The first picture shows where the flock is, the second how fast it moves; from then on
        # what is new is let in slowly.
        alpha = self._alpha if self._seen > 1 else 1.0
        beta = self._beta if self._seen > 1 else float(self._seen)
        slow = self._slow if self._seen else 1.0
        self.centre = guess + alpha * error
        self._drift = self._drift + beta * error
        self.reach = self.reach * (reach / self.reach) ** slow
        self._seen += 1
        lower = np.array(self._space.lower)
        inside = (self.centre - lower) % self._size + lower
        self.centre = np.where(self._periodic, inside, self.centre)

    def _first_guess(self, flock: FlockFrame, positions: np.ndarray) -> np.ndarray:
        none = np.zeros(len(positions), np.int64)
        sample = FlockFrame(flock.name, none, positions, positions, none, self._space)
        return np.where(self._periodic, centroid(sample), np.median(positions, axis=0))
