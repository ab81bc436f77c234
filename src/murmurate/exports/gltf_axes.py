"""Places and rotations as glTF has them: up is Y, and (x, y, z) of the model is at (x, z, -y)."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from murmurate.exports.film_camera import Shot
from murmurate.exports.orientations import Orientations
from murmurate.exports.selection import Array


def y_up(vectors: Array) -> Array:
    """(..., 3) vectors with Z up -> with Y up."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack([x, z, -y], axis=-1)


def y_up_turn(turn: Array) -> Array:
    """(..., 4) quaternions x, y, z, w with Z up -> with Y up."""
    return np.concatenate([y_up(turn[..., :3]), turn[..., 3:]], axis=-1)


class Turns:
    """Rotations of boids, frame after frame: x, y, z, w as normalized int16. Of the two quaternions
    of a rotation it is the one that is nearer to the last."""

    def __init__(self, boids: int) -> None:
        self._orientations, self._last = Orientations(boids), np.zeros((boids, 4))

    def next(self, velocities: Array) -> Array:
        """(N, 3) velocities -> (N, 4) int16."""
        found = y_up_turn(self._orientations.quaternions(velocities))
        found[(found * self._last).sum(axis=1) < 0] *= -1
        self._last = found
        return np.rint(found * 32767).astype("<i2")


def facing(backward: Array, up: Array) -> Array:
    """(4,) rotation, Y up, of a camera or a light that looks away from `backward`: unit vectors at
    right angles, Z up."""
    axes = np.stack([np.cross(up, backward), up, backward])
    return np.asarray(Rotation.from_matrix(y_up(axes).T).as_quat())


def camera_turn(shot: Shot) -> Array:
    """(4,) rotation of the camera. glTF's cannot be shifted: it looks up or down instead, until
    what the film's camera looks at stands as high in the picture."""
    _, up, forward = shot.axes
    angle = math.atan((shot.row - 0.5 * shot.size[1]) / shot.focal)
    back = -math.cos(angle) * forward - math.sin(angle) * up
    return facing(back, math.cos(angle) * up - math.sin(angle) * forward)
