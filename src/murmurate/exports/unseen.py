"""Unseen animals in scenes: they stay where they were seen last, and are hidden."""

from __future__ import annotations

import numpy as np

from murmurate.exports.coordinates import to_3d
from murmurate.model.space import Space

Array = np.ndarray


class LastSeen:
    """Positions of boids, frame after frame, without a gap.

    A boid that is not seen, with nan in its position, is put where it was seen last; before it was
    seen, in the middle of the space.
    """

    def __init__(self, boids: int, space: Space) -> None:
        middle = (np.array(space.lower) + space.upper) / 2
        self._last = np.tile(to_3d(middle, np.float32), (boids, 1))

    def next(self, places: Array) -> tuple[Array, Array]:
        """(N, 3) positions -> (N, 3) float32 without nan, and (N,) which boids are seen."""
        seen: Array = np.isfinite(places).all(axis=1)
        self._last = np.where(seen[:, None], places, self._last).astype(np.float32)
        return self._last, seen
