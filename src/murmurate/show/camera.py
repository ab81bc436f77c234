"""The camera: the projection of each picture of a film."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import Frame
from murmurate.model.space import Space
from murmurate.model.view import View
from murmurate.show.flock_tracker import FlockTracker
from murmurate.show.framing import Fit, fit_deep, fit_deep_space, fit_flat
from murmurate.show.projection import Array, Orthographic, Perspective, camera_axes

FIELD_OF_VIEW = math.radians(36.0)  # of the height of the picture
COMPANY = 2.0  # times what the others need: so far what else is in a flat space is taken in
BOIDS = 8  # of their length are seen to each side at least: no boid is a giant
OUT, IN = 0.2, 2.0  # seconds of film in which the camera backs off, and in which it comes nearer
ASIDE = 0.5  # seconds in which it turns to where the picture's middle should be


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
        self._fit: Fit | None = None
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
        axes = camera_axes(azimuth, elevation) if self._space.dims == 3 else np.eye(2)
        if self._tracker is not None:
            self._tracker.update(frame)
            centre, reach = self._tracker.centre, self._tracker.reach
            self._approach(self._tracker, axes)
        if self._fit is None:  # no boid was seen yet
            self._fit_space()
        assert self._fit is not None
        centre = centre + self._fit.aside @ axes[:2]
        common = (*self._view.size, self._row, tuple(float(c) for c in centre), self._wrap)
        if self._space.dims == 2:
            return Orthographic(*common, camera.zoom / self._fit.need)
        distance, radius = self._fit.need / camera.zoom, 1.2 * float(np.linalg.norm(reach))
        return Perspective(*common, azimuth, elevation, distance, self._focal, radius)

    def _fit_space(self) -> None:
        half = 0.5 * np.array(self._space.size)
        if self._space.dims == 2:
            self._fit = fit_flat(np.array([-half, half]), *self._free)
            return
        # A camera that turns keeps its distance: what it needs for the corners' whole way round.
        camera = self._camera
        azimuths = np.radians(range(0, 360, 5) if camera.turn else [camera.azimuth])
        elevation = math.radians(camera.elevation)
        distance, lift = fit_deep_space(half, azimuths, elevation, *self._free, self._focal)
        self._fit = Fit(np.zeros(2), distance)
        self._row += lift * camera.zoom

    def _approach(self, tracker: FlockTracker, axes: Array) -> None:
        """Come nearer to the followed boids, or back off, towards what the picture needs now."""
        if not len(tracker.seen):
            return
        fit = self._fit_of(tracker.seen, axes)
        if tracker.company:
            both = self._fit_of(np.concatenate([tracker.seen, *tracker.company]), axes)
            farther = math.log(max(both.need / fit.need, 1.0)) / math.log(COMPANY)
            fit = fit.towards(both, min(1.0, 1.0 / max(farther, 1e-9)))
        if self._fit is None:
            self._fit = fit
        seconds = OUT if fit.need > self._fit.need else IN
        come, turn = (
            1.0 - math.exp(-1.0 / (time * self._view.frames_per_second))
            for time in (seconds, ASIDE)
        )
        need = self._fit.towards(fit, come).need
        self._fit = Fit(self._fit.towards(fit, turn).aside, need)

    def _fit_of(self, offsets: Array, axes: Array) -> Fit:
        """That of boids, which are never seen as giants."""
        around = max(0.02 * max(self._space.size), BOIDS * self._view.boid_size)
        least = around / (0.5 * min(self._free))
        if self._space.dims == 2:
            fit = fit_flat(offsets, *self._free)
        else:
            fit, least = fit_deep(axes, offsets, *self._free, self._focal), least * self._focal
        return Fit(fit.aside, max(fit.need, least))
