"""Project model coordinates to pixels: orthographic in 2-D and perspective in 3-D.

Points are offsets from the centre of the view, as (D, N) float32 with one row per axis. Pixel
coordinates run right and down from the upper left corner; pixel i covers [i, i + 1).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

Array = np.ndarray


class ScreenPoints(NamedTuple):
    """Projected points.

    x, y  (N,) pixels; nan for points behind the camera
    scale  (N,) pixels per length unit at each point
    depth  (N,) distance from the camera along its axis, length units; None in 2-D
    """

    x: Array
    y: Array
    scale: Array | float
    depth: Array | None


@dataclass(frozen=True)
class Projection(ABC):
    """Base class of both projections.

    Attributes
    ----------
    width, height : int
        Pixels.
    middle : float
        Pixel row of the centre.
    centre : tuple of D floats
        Point of the model at the centre of the view, length units.
    wrap : tuple of D floats
        Side of the space along periodic axes, 0 along the others.
    """

    width: int
    height: int
    middle: float
    centre: tuple[float, ...]
    wrap: tuple[float, ...]

    def nearest_offsets(self, positions: Array) -> Array:
        """Return offsets (D, N) of positions (N, D), at the images nearest to the centre."""
        rows = np.empty((len(self.centre), len(positions)), np.float32)
        for axis, (middle, side) in enumerate(zip(self.centre, self.wrap, strict=True)):
            # Subtract in double precision, because float32 is too coarse far from the origin.
            offset = positions[:, axis] - np.float64(middle)
            if side:
                offset -= side * np.round(offset / side)
            rows[axis] = offset
        return rows

    def offsets(self, points: Array) -> Array:
        """Return offsets (D, N) of points (N, D), without periodic images."""
        return (np.asarray(points, np.float64) - self.centre).T.astype(np.float32)

    @abstractmethod
    def project(self, rows: Array) -> ScreenPoints:
        """Project offsets (D, N)."""

    @abstractmethod
    def heading(
        self, rows: Array, screen: ScreenPoints, velocities: Array
    ) -> tuple[Array, Array | None]:
        """Project velocities to directions in the picture.

        Returns
        -------
        angle : (N,)
            Radians: 0 is right and pi / 2 is down.
        foreshortening : (N,) or None
            Visible part of the length, from 0 to 1; None if it is 1 everywhere.
        """


@dataclass(frozen=True)
class Orthographic(Projection):
    """Projection of a 2-D space, with y up. `zoom` is in pixels per length unit."""

    zoom: float

    def project(self, rows: Array) -> ScreenPoints:
        x = 0.5 * self.width + rows[0] * np.float32(self.zoom)
        y = np.float32(self.middle) - rows[1] * np.float32(self.zoom)
        return ScreenPoints(x, y, self.zoom, None)

    def heading(
        self, rows: Array, screen: ScreenPoints, velocities: Array
    ) -> tuple[Array, Array | None]:
        return np.arctan2(-velocities[:, 1], velocities[:, 0]).astype(np.float32), None

    def corner(self) -> Array:
        """Return the offset (2,) of the centre of pixel (0, 0).

        Pixel (i, j) is at corner + (i, -j) / zoom.
        """
        return np.array([0.5 - 0.5 * self.width, self.middle - 0.5]) / self.zoom


def camera_axes(azimuth: float, elevation: float) -> Array:
    """Return right, up and forward (3, 3) of a camera at an azimuth and elevation in radians."""
    sin_a, cos_a = math.sin(azimuth), math.cos(azimuth)
    sin_e, cos_e = math.sin(elevation), math.cos(elevation)
    return np.array(
        [
            [-sin_a, cos_a, 0.0],
            [-sin_e * cos_a, -sin_e * sin_a, cos_e],
            [-cos_e * cos_a, -cos_e * sin_a, -sin_e],
        ]
    )


def _to_camera_axes(axes: Array, rows: Array) -> tuple[Array, Array, Array]:
    """Return three rows (N,) in the axes of the camera.

    Written out, because BLAS would start all its threads for this and take longer.
    """
    x, y, z = (np.ascontiguousarray(row, np.float32) for row in rows)
    a = axes.astype(np.float32)
    first, second, third = (a[k, 0] * x + a[k, 1] * y + a[k, 2] * z for k in range(3))
    return first, second, third


@dataclass(frozen=True)
class Perspective(Projection):
    """Projection of a 3-D space in perspective, with z up.

    azimuth, elevation  direction from the centre to the camera, radians
    distance  distance from the camera to the centre, length units
    focal  focal length in pixels: a length s at depth z is s * focal / z pixels long
    radius  extent of the fading in front of and behind the centre, length units
    """

    azimuth: float
    elevation: float
    distance: float
    focal: float
    radius: float

    def axes(self) -> Array:
        """Return right, up and forward (3, 3) of the camera."""
        return camera_axes(self.azimuth, self.elevation)

    def eye(self) -> Array:
        """Return the offset (3,) of the camera from the centre."""
        return -self.distance * self.axes()[2]

    @property
    def near(self) -> float:
        """Return the depth of the near plane, in front of which nothing is drawn."""
        return 0.03 * self.distance

    def project(self, rows: Array) -> ScreenPoints:
        across, up, depth = _to_camera_axes(self.axes(), rows)
        depth += np.float32(self.distance)
        depth[~(depth > self.near)] = np.nan
        scale = np.float32(self.focal) / depth
        x = np.float32(0.5 * self.width) + across * scale
        y = np.float32(self.middle) - up * scale
        return ScreenPoints(x, y, scale, depth)

    def heading(
        self, rows: Array, screen: ScreenPoints, velocities: Array
    ) -> tuple[Array, Array | None]:
        across, up, forward = _to_camera_axes(self.axes(), velocities.T)
        # Motion towards the camera also moves outwards from the centre of the picture.
        out = forward * np.float32(1.0 / self.focal)
        dx = across - out * (screen.x - np.float32(0.5 * self.width))
        dy = up - out * (np.float32(self.middle) - screen.y)
        length = np.sqrt(across * across + up * up + forward * forward)
        foreshortening = np.sqrt(dx * dx + dy * dy) / np.maximum(length, np.float32(1e-30))
        return np.arctan2(-dy, dx), np.minimum(foreshortening, 1.0)

    def nearness(self, depth: Array) -> Array:
        """Return (N,) values from 1 at the near end of the scene to 0 at the far end."""
        near = (self.distance + self.radius - depth) / (2.0 * self.radius)
        return np.sqrt(np.clip(near, 0.0, 1.0))
