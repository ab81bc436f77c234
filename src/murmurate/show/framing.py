"""Framing: how far away the camera must be for the space, or for boids, to be in the picture.

What is needed is a distance in 3-D, and length units per pixel in 2-D.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np

from murmurate.show.projection import Array, camera_axes

MARGIN = 0.88  # part of the picture that a deep space or a flock fills
FLAT_MARGIN = 0.94  # and a flat space: its box is seen from straight above
NEAREST = 1.8  # times what a boid lies in front of the centre: so far away is the camera at least


def flat_need(offsets: Array, width: float, height: float, margin: float = MARGIN) -> Array:
    """(N,) length units per pixel at which points with these (N, 2) offsets from the middle are in
    a picture of width x height pixels."""
    need: Array = (np.abs(offsets) / (0.5 * margin * np.array([width, height]))).max(axis=1)
    return need


def deep_need(axes: Array, offsets: Array, width: float, height: float, focal: float) -> Array:
    """(N,) the camera's distance from the middle at which points with these (N, 3) offsets are in
    the picture.

    axes   (3, 3) right, up and forward of the camera
    focal  pixels, see Perspective
    """
    across, up, away = axes @ offsets.T
    aside = np.maximum(np.abs(across) / (0.5 * width), np.abs(up) / (0.5 * height))
    need: Array = np.maximum(aside * (focal / MARGIN) - away, -NEAREST * away)
    return need


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
