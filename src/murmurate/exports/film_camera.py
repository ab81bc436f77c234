"""Where the film's camera stands in each frame of a scene, and which image of a boid it sees."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.exports.coordinates import to_3d
from murmurate.exports.selection import Array, Selection
from murmurate.frame import Frame
from murmurate.show.camera import Camera
from murmurate.show.projection import Orthographic, Perspective

GROUND = 20  # times the space's diagonal: so wide is the ground; its edge is the horizon


@dataclass(frozen=True)
class Shot:
    """The camera of one picture.

    seen      the film's own projection
    axes      (3, 3) right, up and forward, in the model's axes
    place     (3,) where it stands
    distance  to what it looks at
    near, far what is nearer or farther is not seen
    """

    seen: Orthographic | Perspective
    axes: Array
    place: Array
    distance: float
    near: float
    far: float


class FilmCamera:
    """The camera of the film, of a space in 2-D or 3-D, frame after frame."""

    def __init__(self, selection: Selection, frames_per_second: float) -> None:
        self._space, view = selection.space, selection.recording.scene.view
        self._camera = Camera(
            self._space, view.model_copy(update={"frames_per_second": frames_per_second})
        )
        self._centre, self._wrap = np.zeros(3), np.zeros(3)

    def next(self, frame: Frame) -> Shot:
        """That of a frame; every call is a picture later."""
        seen = self._camera.next_projection(frame)
        self._centre, self._wrap = to_3d(seen.centre, float), to_3d(seen.wrap, float)
        size = max(self._space.size)
        if isinstance(seen, Orthographic):  # from above
            axes = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
            away, near, far = size, 0.01 * size, 4.0 * size
        else:
            axes, away, near = seen.axes(), seen.distance, seen.near
            far = away + 2 * GROUND * math.dist(self._space.lower, self._space.upper)
        return Shot(seen, axes, self._centre - away * axes[2], away, near, far)

    def images(self, positions: Array) -> Array:
        """(N, D) positions -> (N, 3), along periodic axes of the images that the film shows, which
        are those nearest to the middle of the picture."""
        positions = to_3d(positions)
        sides = np.where(self._wrap > 0, self._wrap, 1.0)
        turns = np.where(self._wrap > 0, np.round((positions - self._centre) / sides), 0.0)
        return (positions - turns * self._wrap).astype(positions.dtype)
