"""Attitude: which way each boid of a flock points, and how it leans into its turns."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.show.id_lookup import find_ids

Array = np.ndarray

SMOOTH = 0.2  # seconds of film over which a turn is averaged, since boids' headings jitter
AGILE = 1.0  # seconds: speed over gravity; a starling's, at 10 m/s
STEEPEST = 2.2  # times gravity: a lean of 65 degrees, which no turn exceeds


class Attitudes:
    """Headings and leans of one flock, from picture to picture. Boids are known by their ids.

    A bird in a turn leans until its lift, which is square to its wings, carries it round: lift is
    gravity's opposite and its own acceleration, speed times the change of its heading.
    """

    def __init__(self, frames_per_second: float) -> None:
        self._rate = frames_per_second
        self._part = 1.0 - math.exp(-1.0 / (SMOOTH * frames_per_second))
        self._ids = np.zeros(0, np.int64)
        self._headings = np.zeros((0, 3), np.float32)
        self._turns = np.zeros((0, 3), np.float32)

    def update(self, flock: FlockFrame) -> None:
        """Learn the next picture's headings."""
        before, known = self._rows(self._headings, flock.ids, (1.0, 0.0, 0.0))
        turns, _ = self._rows(self._turns, flock.ids, (0.0, 0.0, 0.0))
        headings = _units(flock.velocities, before)
        change = np.where(known[:, None], (headings - before) * np.float32(self._rate * AGILE), 0)
        size = np.sqrt((change * change).sum(axis=1, keepdims=True))
        change *= np.float32(STEEPEST) / np.maximum(size, np.float32(STEEPEST))
        self._turns = turns + (change - turns) * np.float32(self._part)
        self._ids, self._headings = flock.ids, headings

    def axes(self, flock: FlockFrame, banks: bool, some: Array) -> Array:
        """(3, 3, K): forward, left and up of boids number `some` (K,) of the latest flock, its
        positions and velocities maybe those of a moment before."""
        forward = _units(flock.velocities[some], self._headings[some]).T
        lift = self._turns[some].T * np.float32(banks)
        lift[2] += 1.0
        left = np.stack(
            [
                lift[1] * forward[2] - lift[2] * forward[1],
                lift[2] * forward[0] - lift[0] * forward[2],
                lift[0] * forward[1] - lift[1] * forward[0],
            ]
        )
        size = np.sqrt((left * left).sum(axis=0))
        level = size < 1e-4  # it flies straight up or down
        left[:, level] = np.array([[0.0], [1.0], [0.0]], np.float32)
        left /= np.where(level, 1.0, size).astype(np.float32)
        up = np.stack(
            [
                forward[1] * left[2] - forward[2] * left[1],
                forward[2] * left[0] - forward[0] * left[2],
                forward[0] * left[1] - forward[1] * left[0],
            ]
        )
        return np.stack([forward, left, up])

    def _rows(self, rows: Array, ids: Array, new: tuple[float, ...]) -> tuple[Array, Array]:
        """Rows of these ids, `new` for those that were not there; and which were."""
        if np.array_equal(ids, self._ids):
            return rows, np.ones(len(ids), bool)
        out = np.tile(np.array(new, np.float32), (len(ids), 1))
        known, places = find_ids(self._ids, ids)
        out[known] = rows[places]
        return out, known


def _units(velocities: Array, otherwise: Array) -> Array:
    """(N, 3) float32 directions; of what does not move, `otherwise`."""
    units = np.zeros((len(velocities), 3), np.float32)
    units[:, : velocities.shape[1]] = velocities
    size = np.sqrt((units * units).sum(axis=1))
    moving = np.isfinite(size) & (size > 0)
    units[moving] /= size[moving, None]
    units[~moving] = otherwise[~moving]
    return units
