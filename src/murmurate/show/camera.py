"""The camera: the projection of each picture of a film."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import Frame
from murmurate.model.space import Space
from murmurate.model.view import View
from murmurate.show.flock_tracker import FlockTracker, quantile
from murmurate.show.framing import FLAT_MARGIN, deep_need, fit_deep_space, flat_need
from murmurate.show.projection import Array, Orthographic, Perspective, camera_axes

FIELD_OF_VIEW = math.radians(36.0)  # of the height of the picture
STRAY = 1.5  # times what 96% of the boids need: a boid that needs more is not waited for
COMPANY = 2.0  # times what the others need: so far a minor flock of a flat space is taken in
BOIDS = 8  # of their length are seen to each side at least: no boid is a giant
OUT, IN = 0.2, 2.0  # seconds of film in which the camera backs off, and in which it comes nearer


class Camera:
    """Fits the whole space, or follows the flocks; turns by the film's clock.

    above, below  pixels at the upper and the lower edge of the picture that are left to writing
    """

    def __init__(self, space: Space, view: View, above: float = 0.0, below: float = 0.0) -> None:
        self._space, self._view, self._camera = space, view, view.camera.decided(space)
        width, whole = view.size
        height = max(whole - above - below, 0.5 * whole)
        self._focal = 0.5 * height / math.tan(0.5 * FIELD_OF_VIEW)
        self._free = float(width), float(height)  # of the picture: what is left to the flock
        self._row = above + 0.5 * height
        self._wrap = tuple(
            side if periodic else 0.0
            for side, periodic in zip(space.size, space.periodic, strict=True)
        )
        self._pictures = 0
        self._tracker: FlockTracker | None = None
        self._fit: float | None = None
        if self._camera.follow == "flock":
            self._tracker = FlockTracker(space, view)
        else:
            self._fit_space()

    def next_projection(self, frame: Frame) -> Orthographic | Perspective:
        """The projection for the next picture; every call is one picture later."""
        camera = self._camera
        turned = camera.turn * self._pictures / self._view.frames_per_second
        azimuth = math.radians((camera.azimuth + turned) % 360.0)
        elevation = math.radians(camera.elevation)
        self._pictures += 1
        half = 0.5 * np.array(self._space.size)
        centre, reach = np.array(self._space.lower) + half, 0.67 * half
        if self._tracker is not None:
            self._tracker.update(frame)
            centre, reach = self._tracker.centre, self._tracker.reach
            self._approach(self._tracker, camera_axes(azimuth, elevation))
        if self._fit is None:  # no boid was seen yet
            self._fit_space()
        assert self._fit is not None
        common = (*self._view.size, self._row, tuple(float(c) for c in centre), self._wrap)
        if self._space.dims == 2:
            return Orthographic(*common, camera.zoom / self._fit)
        radius = 1.2 * float(np.linalg.norm(reach))
        return Perspective(
            *common, azimuth, elevation, self._fit / camera.zoom, self._focal, radius
        )

    def _fit_space(self) -> None:
        half = 0.5 * np.array(self._space.size)
        if self._space.dims == 2:
            self._fit = float(flat_need(half[None], *self._free, FLAT_MARGIN).max())
            return
        # A camera that turns keeps its distance: what it needs for the corners' whole way round.
        camera = self._camera
        azimuths = np.radians(range(0, 360, 5) if camera.turn else [camera.azimuth])
        elevation = math.radians(camera.elevation)
        self._fit, lift = fit_deep_space(half, azimuths, elevation, *self._free, self._focal)
        self._row += lift * camera.zoom

    def _approach(self, tracker: FlockTracker, axes: Array) -> None:
        """Come nearer to the followed boids, or back off, towards what the picture needs now."""
        if not len(tracker.seen):
            return
        need = self._need(tracker.seen, axes)
        fit = min(float(need.max()), STRAY * float(quantile(need, 0.96)))
        fit = most = max(fit, self._least())
        for company in tracker.company:
            fit = max(fit, min(float(self._need(company, axes).max()), COMPANY * most))
        if self._fit is None:
            self._fit = fit
        seconds = OUT if fit > self._fit else IN
        part = 1.0 - math.exp(-1.0 / (seconds * self._view.frames_per_second))
        self._fit *= (fit / self._fit) ** part

    def _need(self, offsets: Array, axes: Array) -> Array:
        if self._space.dims == 2:
            return flat_need(offsets, *self._free)
        return deep_need(axes, offsets, *self._free, self._focal)

    def _least(self) -> float:
        """What is needed for boids that are all in one place."""
        around = max(0.02 * max(self._space.size), BOIDS * self._view.boid_size)
        pixels = 0.5 * min(self._free)
        return around / pixels * (1.0 if self._space.dims == 2 else self._focal)
