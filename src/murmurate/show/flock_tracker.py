"""Flock tracker: the smoothed centre of what flies, and what lies around it, for the camera."""

from __future__ import annotations

import itertools
import math

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.geometry import centroid
from murmurate.model.obstacles import Box, Sphere
from murmurate.model.space import Space
from murmurate.model.view import View

SAMPLE = 8_000  # boids looked at: quantiles of these are quantiles of the flock
STRAY = 2.0  # times as far from the middle as 96% of the boids: a stray, not waited for
MINOR = 1 / 8  # a flock of a smaller part of the largest one's boids does not move the camera
SETTLE = 0.6  # seconds of film in which the camera follows


class FlockTracker:
    """Keeps the middle of the flocks, from picture to picture.

    The centre is tracked with its velocity (a critically damped alpha-beta filter), so the camera
    does not lag behind a flock that flies straight. Quantiles ignore strays; on periodic axes
    offsets are to the nearest image of the last centre. A dog, a leader or an obstacle is company
    in a flat space; in depth a hunter comes and goes, and the picture would breathe with it.

    centre   (D,) float64; in the box along periodic axes
    reach    (D,) float64: how far most of the boids lie from the centre along each axis
    seen     (N, D) float64 offsets from the centre of the boids that are followed
    company  the same of each minor flock, and of the corners around each box and sphere
    """

    def __init__(self, space: Space, view: View) -> None:
        self._space = space
        self._size = np.array(space.size)
        self._periodic = np.array(space.periodic)
        keep = math.exp(-1.0 / (SETTLE * view.frames_per_second))
        self._alpha = 1.0 - keep * keep
        self._beta = (1.0 - keep) ** 2
        self._slow = 1.0 - math.exp(-1.0 / (1.5 * SETTLE * view.frames_per_second))
        self._pictures = 0
        self.centre = np.array(space.lower) + 0.5 * self._size
        self._drift = np.zeros(space.dims)
        self.reach = 0.5 * self._size
        self.seen = np.zeros((0, space.dims))
        self.company: list[np.ndarray] = []

    def update(self, frame: Frame) -> None:
        """Look at the next moment. One without a finite position leaves the camera alone."""
        flocks = [positions for flock in frame if len(positions := _sample(flock))]
        if not flocks:
            return
        most = max(map(len, flocks))
        positions = np.concatenate([some for some in flocks if len(some) >= MINOR * most])
        guess = self.centre + self._drift if self._pictures else self._first_guess(positions)
        away = self._nearest(positions - guess)
        error = 0.5 * (quantile(away, 0.03) + quantile(away, 0.97))
        reach = np.maximum(1.2 * _most(away - error), 0.02 * self._size.max())
        # The first picture shows where the flock is, the second how fast it moves; from then on
        # what is new is let in slowly.
        alpha = self._alpha if self._pictures > 1 else 1.0
        beta = self._beta if self._pictures > 1 else float(self._pictures)
        slow = self._slow if self._pictures else 1.0
        self.centre = guess + alpha * error
        self._drift = self._drift + beta * error
        self.reach = self.reach * (reach / self.reach) ** slow
        self.seen = _together(away - error) + (1.0 - alpha) * error
        self.company = []
        if self._space.dims == 2:
            minor = [some for some in flocks if len(some) < MINOR * most]
            minor += [_corners(s) for s in frame.obstacles.values() if isinstance(s, Box | Sphere)]
            self.company = [self._nearest(some - self.centre) for some in minor]
        self._pictures += 1
        lower = np.array(self._space.lower)
        inside = (self.centre - lower) % self._size + lower
        self.centre = np.where(self._periodic, inside, self.centre)

    def _nearest(self, away: np.ndarray) -> np.ndarray:
        """(N, D) offsets to the nearest image."""
        return away - np.where(self._periodic, self._size * np.round(away / self._size), 0.0)

    def _first_guess(self, positions: np.ndarray) -> np.ndarray:
        none = np.zeros(len(positions), np.int64)
        sample = FlockFrame("all", none, positions, positions, none, self._space)
        return np.where(self._periodic, centroid(sample), np.median(positions, axis=0))


def _sample(flock: FlockFrame) -> np.ndarray:
    """(N, D) float64 positions of some of its boids: those that are finite."""
    positions = np.asarray(flock.positions[:: max(1, len(flock) // SAMPLE)], np.float64)
    return positions[np.isfinite(positions).all(axis=1)]


def _corners(shape: Box | Sphere) -> np.ndarray:
    """(2^D, D) corners of the box around it."""
    if isinstance(shape, Sphere):
        half = np.array(shape.radius, float)
    else:
        half = 0.5 * np.array(shape.size, float)
    sides = np.array(list(itertools.product((-1.0, 1.0), repeat=len(shape.centre))))
    return np.array(shape.centre, float) + sides * half


def _together(away: np.ndarray) -> np.ndarray:
    """(M, D) those offsets that are no strays'."""
    distance = np.sqrt(np.einsum("ij,ij->i", away, away))
    return away[distance <= STRAY * quantile(distance, 0.96)]


def _most(away: np.ndarray) -> np.ndarray:
    """(D,) how far most of them lie from the centre, along each axis."""
    return quantile(np.abs(away), 0.96)


def quantile(values: np.ndarray, part: float) -> np.ndarray:
    """Of (N, ...) values along the first axis: the nearest of them, which is fast to find."""
    place = round(part * (len(values) - 1))
    found: np.ndarray = np.partition(values, place, axis=0)[place]
    return found
