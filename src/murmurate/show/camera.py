"""The camera: the projection of each picture of a film."""

from __future__ import annotations

import itertools
import math

import numpy as np

from murmurate.frame import Frame
from murmurate.model.space import Space
from murmurate.model.view import View
from murmurate.show.flock_tracker import FlockTracker
from murmurate.show.projection import Orthographic, Perspective, camera_axes

MARGIN = 0.88  # part of the picture that the space may fill
FIELD_OF_VIEW = math.radians(36.0)  # of the height of the picture


class Camera:
    """Fits the whole space, or follows the largest flock; turns by the film's clock."""

    def __init__(self, space: Space, view: View) -> None:
        self._space, self._view = space, view
        self._width, self._height = view.size
        self._wrap = tuple(
            side if periodic else 0.0
            for side, periodic in zip(space.size, space.periodic, strict=True)
        )
        self._focal = 0.5 * self._height / math.tan(0.5 * FIELD_OF_VIEW)
        self._pictures = 0
        self._tracker: FlockTracker | None = None
        if view.camera.follow == "flock":
            self._tracker = FlockTracker(space, view.frames_per_second)
        self._middle = np.array(space.lower) + 0.5 * np.array(space.size)
        self._lift = 0.0  # pixels from the picture's middle down to where the centre lies
        self._fit = self._fit_space()

    def next_projection(self, frame: Frame) -> Orthographic | Perspective:
        """The projection for the next picture; every call is one picture later."""
        centre, fit = self._middle, self._fit
        if self._tracker is not None:
            first = frame.main
            if first is not None:
                self._tracker.update(first)
            centre = self._tracker.centre
            fit = self._fit_reach(self._tracker.reach)
        zoom = self._view.camera.zoom
        common = (self._width, self._height, tuple(float(c) for c in centre), self._wrap)
        if self._space.dims == 2:
            return Orthographic(*common, fit * zoom)
        camera = self._view.camera
        turned = camera.turn * self._pictures / self._view.frames_per_second
        self._pictures += 1
        radius = 0.4 * math.dist(self._space.lower, self._space.upper)
        if self._tracker is not None:
            radius = 1.2 * float(np.linalg.norm(self._tracker.reach))
        azimuth = math.radians((camera.azimuth + turned) % 360.0)
        elevation = math.radians(camera.elevation)
        middle = 0.5 * self._height + (self._lift * zoom if self._tracker is None else 0.0)
        return Perspective(*common, azimuth, elevation, fit / zoom, self._focal, radius, middle)

    @property
    def above(self) -> float:
        """Pixels over the box of a flat space that is looked at whole; inf where the box may be
        anywhere, or out of the picture."""
        if self._space.dims == 3 or self._tracker is not None or self._view.camera.zoom > 1:
            return math.inf
        return 0.5 * (self._height - self._fit * self._view.camera.zoom * self._space.size[1])

    def _fit_space(self) -> float:
        """Pixels per length (2-D), or the distance (3-D), at which the space fills the picture."""
        half = 0.5 * np.array(self._space.size)
        if self._space.dims == 2:
            return MARGIN * float(min(self._width / 2 / half[0], self._height / 2 / half[1]))
        corners = np.array(list(itertools.product(*[(-h, h) for h in half]))).T
        # A camera that turns keeps its distance: what it needs for the corners' whole way round.
        camera = self._view.camera
        azimuths = range(0, 360, 5) if camera.turn else [camera.azimuth]
        seen = [camera_axes(math.radians(a), math.radians(camera.elevation)) for a in azimuths]
        across, up, away = np.concatenate([axes @ corners for axes in seen], axis=1)
        size = float(np.linalg.norm(half))
        near, far = size, 200.0 * size * max(1.0, self._height / self._width)
        for _ in range(60):
            distance = 0.5 * (near + far)
            scale = self._focal / (distance + away)
            wide, high = 2 * np.abs(across * scale).max(), np.ptp(up * scale)
            fits = wide <= MARGIN * self._width and high <= MARGIN * self._height
            near, far = (near, distance) if fits else (distance, far)
        rows = up * self._focal / (far + away)
        self._lift = 0.5 * float(rows.max() + rows.min())
        return far

    def _fit_reach(self, reach: np.ndarray) -> float:
        """The same for the reach of the followed flock."""
        if self._space.dims == 2:
            return MARGIN * float(min(self._width / 2 / reach[0], self._height / 2 / reach[1]))
        # The flock may turn any side to the camera, so it gets the room of a ball. The corners of
        # its box are mostly empty: the ball need not reach them.
        radius = 0.7 * float(np.linalg.norm(reach))
        return radius * self._focal / (0.5 * MARGIN * self._height)
