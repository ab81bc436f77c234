"""Framing: how far away the camera must be for the space, or for boids, to be in the picture.

What is needed is a distance in 3-D, and length units per pixel in 2-D.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from murmurate.show.projection import Array, camera_axes

MARGIN = 0.88  # part of the picture that a space or a flock fills
NEAREST = 1.8  # times what a boid lies in front of the centre: so far away is the camera at least


class Fit(NamedTuple):
    """Where the camera must be for some points to be in the picture.

    aside  (2,) how far to the right of and above the middle of the points' offsets it looks
    need   the distance in 3-D, length units per pixel in 2-D
    """

    aside: Array
    need: float

    def towards(self, other: Fit, part: float) -> Fit:
        """What lies between the two."""
        need = self.need * (other.need / self.need) ** part
        return Fit(self.aside + part * (other.aside - self.aside), need)


def fit_flat(offsets: Array, width: float, height: float) -> Fit:
    """For (N, 2) offsets from the middle, and a picture of width x height pixels."""
    least, most = offsets.min(axis=0), offsets.max(axis=0)
    need = (most - least) / (MARGIN * np.array([width, height]))
    return Fit(0.5 * (least + most), float(need.max()))


def fit_deep(axes: Array, offsets: Array, width: float, height: float, focal: float) -> Fit:
    """The nearest camera from which (N, 3) offsets from the middle are in the picture.

    axes   (3, 3) right, up and forward of the camera
    focal  pixels, see Perspective

    A camera that looks at (a, b), at a distance d, has a point at (x, y, z) in its picture where
    |x - a| <= s (d + z) and |y - b| <= t (d + z), s and t being the slopes of the picture's edges.
    For each edge only the point that needs most matters, and opposite edges meet in the middle.
    """
    across, up, away = axes @ offsets.T
    need, aside = NEAREST * -float(away.min()), np.zeros(2)
    for k, (place, pixels) in enumerate(((across, width), (up, height))):
        slope = 0.5 * MARGIN * pixels / focal
        most = float((place - slope * away).max())
        least = -float((place + slope * away).min())
        need = max(need, 0.5 * (most + least) / slope)
        aside[k] = 0.5 * (most - least)
    return Fit(aside, need)


def fit_deep_space(
    half: Array, azimuths: Iterable[float], elevation: float, width: float, height: float,
    focal: float,
) -> tuple[float, float]:  # fmt: skip
    """The distance at which a space of these half sides fills the picture from all these azimuths
    (radians), and how many pixels below the middle of what is seen its own middle then lies."""
    corners = np.array(list(itertools.product(*[(-h, h) for h in half]))).T
    seen = [camera_axes(azimuth, elevation) for azimuth in azimuths]
    across, up, away = np.concatenate([axes @ corners for axes in seen], axis=1)
    size = math.hypot(*half)
    near, far = size, 200.0 * size * max(1.0, height / width)
    for _ in range(60):
        distance = 0.5 * (near + far)
        scale = focal / (distance + away)
        fits = (
            2 * np.abs(across * scale).max() <= MARGIN * width
            and np.ptp(up * scale) <= MARGIN * height
        )
        near, far = (near, distance) if fits else (distance, far)
    rows = up * focal / (far + away)
    return far, 0.5 * float(rows.max() + rows.min())
