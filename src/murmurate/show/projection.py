"""Projections: model coordinates to pixels, orthographic in 2-D and perspective in 3-D.

Points in here are offsets from the centre of the view, as (D, N) float32 rows: one row an axis.
Pixel coordinates run right and down from the upper left corner; pixel i covers [i, i + 1).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

Array = np.ndarray


class ScreenPoints(NamedTuple):
    """Points in pixels.

    x, y   (N,) pixels; nan for what is behind the camera
    scale  (N,) or a number: pixels per length unit there
    depth  (N,) distance from the camera along its axis, length units; None in 2-D
    """

    x: Array
    y: Array
    scale: Array | float
    depth: Array | None


@dataclass(frozen=True)
class Projection(ABC):
    """What both projections share.

    width, height  pixels
    middle         the pixel row on which the centre lies
    centre         (D,) the point of the model that is looked at
    wrap           (D,) side of the space along periodic axes, 0 along the others
    """

    width: int
    height: int
    middle: float
    centre: tuple[float, ...]
    wrap: tuple[float, ...]

    def nearest_offsets(self, positions: Array) -> Array:
        """(N, D) positions -> (D, N) offsets, to the image nearest to the centre."""
        rows = np.empty((len(self.centre), len(positions)), np.float32)
        for axis, (middle, side) in enumerate(zip(self.centre, self.wrap, strict=True)):
            # Subtract in double precision: far from the origin float32 has no digits to spare.
            away = positions[:, axis] - np.float64(middle)
            if side:
                away -= side * np.round(away / side)
            rows[axis] = away
        return rows

    def offsets(self, points: Array) -> Array:
        """(N, D) points of the scenery -> (D, N) offsets, no image taken."""
        return (np.asarray(points, np.float64) - self.centre).T.astype(np.float32)

    @abstractmethod
    def project(self, rows: Array) -> ScreenPoints:
        """(D, N) offsets -> pixels."""

    @abstractmethod
    def heading(
        self, rows: Array, screen: ScreenPoints, velocities: Array
    ) -> tuple[Array, Array | None]:
        """(N,) angle of each velocity in the picture (0 right, pi/2 down), and how much of its
        length is seen; None where all of it is."""


@dataclass(frozen=True)
class Orthographic(Projection):
    """A 2-D space, y up. `zoom` is in pixels per length unit."""

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
        """(2,) offset of the centre of pixel (0, 0): pixel (i, j) is at corner + (i, -j) / zoom."""
        return np.array([0.5 - 0.5 * self.width, self.middle - 0.5]) / self.zoom


def camera_axes(azimuth: float, elevation: float) -> Array:
    """(3, 3): right, up and forward of a camera that looks at the centre, in the model's axes."""
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
    """Three rows (N,) in the axes of the camera. Spelled out, because BLAS wakes all its threads
    for this and takes longer."""
    x, y, z = (np.ascontiguousarray(row, np.float32) for row in rows)
    a = axes.astype(np.float32)
    first, second, third = (a[k, 0] * x + a[k, 1] * y + a[k, 2] * z for k in range(3))
    return first, second, third


@dataclass(frozen=True)
class Perspective(Projection):
    """A 3-D space in perspective, z up.

    azimuth, elevation  radians: from where the centre is seen
    distance            from the camera to the centre, length units
    focal               pixels: a length s at distance z is s * focal / z pixels long
    radius              how far in front of and behind the centre the fading reaches
    """

    azimuth: float
    elevation: float
    distance: float
    focal: float
    radius: float

    def axes(self) -> Array:
        """(3, 3): the camera's right, up and forward in the model's axes."""
        return camera_axes(self.azimuth, self.elevation)

    def eye(self) -> Array:
        """(3,) offset of the camera from the centre."""
        eye: Array = -self.distance * self.axes()[2]
        return eye

    @property
    def near(self) -> float:
        """What is nearer to the camera than this is not drawn."""
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
        across, up, away = _to_camera_axes(self.axes(), velocities.T)
        # A step towards the camera also moves outwards from the middle of the picture.
        out = away * np.float32(1.0 / self.focal)
        dx = across - out * (screen.x - np.float32(0.5 * self.width))
        dy = up - out * (np.float32(self.middle) - screen.y)
        length = np.sqrt(across * across + up * up + away * away)
        seen = np.sqrt(dx * dx + dy * dy) / np.maximum(length, np.float32(1e-30))
        return np.arctan2(-dy, dx), np.minimum(seen, 1.0)

    def nearness(self, depth: Array) -> Array:
        """(N,) 1 at the near end of the scene, 0 at the far end; most of the scene is near."""
        near = (self.distance + self.radius - depth) / (2.0 * self.radius)
        return np.sqrt(np.clip(near, 0.0, 1.0))
