"""Compute the camera of the film in each frame of a scene, and the periodic images that it sees.

A 2-D flock is viewed from above through a long lens, so that its plane looks as in the film. This
is a perspective too, because renderers differ in how they read the width of orthographic cameras.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.exports.selection import Array, Selection, to_3d
from murmurate.frame import Frame
from murmurate.show.camera import Camera
from murmurate.show.projection import Orthographic

LONG_LENS = math.radians(12.0)  # vertical field of view for 2-D flocks
NEAR = 0.03  # distance of the near plane relative to that of the centre, as in the film
GROUND = 20  # width of the ground relative to the diagonal of the space; its edge is the horizon


@dataclass(frozen=True)
class Shot:
    """Camera of one picture. Lengths are in length units of the model.

    size  width and height of the picture, pixels
    row  pixel row of the centre of the view
    focal  focal length in pixels: a length s at depth z is s * focal / z pixels long
    axes  (3, 3) right, up and forward
    position  (3,)
    distance  distance to the centre of the view
    near, far  clipping distances
    """

    size: tuple[int, int]
    row: float
    focal: float
    axes: Array
    position: Array
    distance: float
    near: float
    far: float


class FilmCamera:
    """Camera of the film of a 2-D or 3-D space, one frame at a time."""

    def __init__(self, selection: Selection, frames_per_second: float) -> None:
        self._space, view = selection.space, selection.recording.scene.view
        self._camera = Camera(
            self._space, view.model_copy(update={"frames_per_second": frames_per_second})
        )
        self._centre, self._wrap = np.zeros(3), np.zeros(3)

    def next(self, frame: Frame) -> Shot:
        """Return the camera of a frame. Each call advances by one picture."""
        projection = self._camera.next_projection(frame)
        self._centre, self._wrap = to_3d(projection.centre, float), to_3d(projection.wrap, float)
        if isinstance(projection, Orthographic):
            axes = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
            focal = 0.5 * projection.height / math.tan(0.5 * LONG_LENS)
            distance = focal / projection.zoom
        else:
            axes, focal = projection.axes(), projection.focal
            distance = projection.distance
        far = distance + 2 * GROUND * math.dist(self._space.lower, self._space.upper)
        position = self._centre - distance * axes[2]
        size = projection.width, projection.height
        return Shot(size, projection.middle, focal, axes, position, distance, NEAR * distance, far)

    def images(self, positions: Array) -> Array:
        """Return positions (N, D) as (N, 3), at the periodic images that the film shows.

        These are nearest to the centre of the view.
        """
        positions = to_3d(positions)
        sides = np.where(self._wrap > 0, self._wrap, 1.0)
        images = np.where(self._wrap > 0, np.round((positions - self._centre) / sides), 0.0)
        return (positions - images * self._wrap).astype(positions.dtype)
