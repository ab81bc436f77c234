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

MARGIN = 0.88  # part of the picture that is filled; a line of text has room over a flat box
ROUND = 0.85  # of the diagonal of a followed flock's box, seen from above
NEARER = 0.3  # of its width: so much nearer to the camera than the centre are boids at its edge
FIELD_OF_VIEW = math.radians(36.0)  # of the height of the picture


class Camera:
    """Fits the whole space, or follows the flocks; turns by the film's clock."""

    def __init__(self, space: Space, view: View) -> None:
        self._space, self._view, self._camera = space, view, view.camera.decided(space)
        self._width, self._height = view.size
        self._wrap = tuple(
            side if periodic else 0.0
            for side, periodic in zip(space.size, space.periodic, strict=True)
        )
        self._focal = 0.5 * self._height / math.tan(0.5 * FIELD_OF_VIEW)
        self._pictures = 0
        self._tracker: FlockTracker | None = None
        if self._camera.follow == "flock":
            self._tracker = FlockTracker(space, view)
        self._middle = np.array(space.lower) + 0.5 * np.array(space.size)
        self._lift = 0.0  # pixels from the picture's middle down to where the centre lies
        self._fit = self._fit_space()

    def next_projection(self, frame: Frame) -> Orthographic | Perspective:
        """The projection for the next picture; every call is one picture later."""
        centre, fit = self._middle, self._fit
        if self._tracker is not None:
            self._tracker.update(frame)
            centre = self._tracker.centre
            fit = self._fit_reach(self._tracker.reach)
        camera = self._camera
        zoom = camera.zoom
        common = (self._width, self._height, tuple(float(c) for c in centre), self._wrap)
        if self._space.dims == 2:
            return Orthographic(*common, fit * zoom)
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
        if self._space.dims == 3 or self._tracker is not None or self._camera.zoom > 1:
            return math.inf
        return 0.5 * (self._height - self._fit * self._camera.zoom * self._space.size[1])

    def _fit_space(self) -> float:
        """Pixels per length (2-D), or the distance (3-D), at which the space fills the picture."""
        half = 0.5 * np.array(self._space.size)
        if self._space.dims == 2:
            return self._fit_flat(half)
        corners = np.array(list(itertools.product(*[(-h, h) for h in half]))).T
        # A camera that turns keeps its distance: what it needs for the corners' whole way round.
        camera = self._camera
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
            return self._fit_flat(reach)
        # It may turn any side to the camera. A flock as wide along x as along y is most often
        # round, so it need not have the room of the corners of its box.
        elevation = math.radians(self._camera.elevation)
        wide = max(float(reach[:2].max()), ROUND * math.hypot(reach[0], reach[1]))
        high = reach[2] * math.cos(elevation) + wide * abs(math.sin(elevation))
        across, up = MARGIN * self._width / 2, MARGIN * self._height / 2
        return NEARER * wide + self._focal * max(wide / across, high / up)

    def _fit_flat(self, half: np.ndarray) -> float:
        return MARGIN * float(min(self._width / 2 / half[0], self._height / 2 / half[1]))
