"""Where the film's camera stands in each frame of a scene, and which image of a boid it sees.

A flat flock is seen from above through a long lens, so that its plane looks as in the film. That is
a perspective too: renderers differ in how they read how wide other cameras see.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.exports.coordinates import to_3d
from murmurate.exports.selection import Array, Selection
from murmurate.frame import Frame
from murmurate.show.camera import Camera
from murmurate.show.projection import Orthographic

LONG_LENS = math.radians(12.0)  # that it sees of the height of a flat picture
NEAR = 0.03  # of its distance: what is nearer is not seen, as in the film
GROUND = 20  # times the space's diagonal: so wide is the ground; its edge is the horizon


@dataclass(frozen=True)
class Shot:
    """The camera of one picture.

    size      width and height of the picture, pixels
    row       that on which what it looks at stands, pixels from above
    focal     a length s at distance z is s * focal / z pixels long
    axes      (3, 3) right, up and forward, in the model's axes
    place     (3,) where it stands
    distance  to what it looks at
    near, far what is nearer or farther is not seen
    """

    size: tuple[int, int]
    row: float
    focal: float
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
        if isinstance(seen, Orthographic):  # from above
            axes = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
            focal = 0.5 * seen.height / math.tan(0.5 * LONG_LENS)
            away = focal / seen.zoom
        else:
            axes, focal, away = seen.axes(), seen.focal, seen.distance
        far = away + 2 * GROUND * math.dist(self._space.lower, self._space.upper)
        place = self._centre - away * axes[2]
        size = seen.width, seen.height
        return Shot(size, seen.middle, focal, axes, place, away, NEAR * away, far)

    def images(self, positions: Array) -> Array:
        """(N, D) positions -> (N, 3), along periodic axes of the images that the film shows, which
        are those nearest to the middle of the picture."""
        positions = to_3d(positions)
        sides = np.where(self._wrap > 0, self._wrap, 1.0)
        turns = np.where(self._wrap > 0, np.round((positions - self._centre) / sides), 0.0)
        return (positions - turns * self._wrap).astype(positions.dtype)
