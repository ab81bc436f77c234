"""Orientations: from velocities to quaternions."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


class Orientations:
    """Rotations from +X to the direction of flight, without roll: first about Y, then about Z.

    A boid that does not move keeps its last one; at first, +X.
    """

    def __init__(self, boids: int) -> None:
        self._last = np.tile(np.array([0.0, 0.0, 0.0, 1.0]), (boids, 1))

    def quaternions(self, velocities: Array) -> Array:
        """(N, 3) velocities -> (N, 4) unit quaternions x, y, z, w (the real part last)."""
        speed = np.linalg.norm(velocities, axis=1)
        moving = np.isfinite(speed) & (speed > 0)
        x, y, z = velocities[moving].T.astype(float)
        yaw, climb = np.arctan2(y, x) / 2, -np.arctan2(z, np.hypot(x, y)) / 2
        s, c = (np.sin(yaw), np.sin(climb)), (np.cos(yaw), np.cos(climb))
        # the quaternion of the turn about Z times that of the turn about Y
        parts = [-s[0] * s[1], c[0] * s[1], s[0] * c[1], c[0] * c[1]]
        self._last[moving] = np.stack(parts, axis=1)
        return self._last
