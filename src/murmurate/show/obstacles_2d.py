"""Obstacles in 2-D: filled and outlined by the signed distance of each pixel."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from murmurate.model.obstacles import Box, ObstacleShape, Sphere, Tank, Wall, unit_normal
from murmurate.show.compositing import blend
from murmurate.show.projection import Array, Orthographic
from murmurate.show.styles import Style

ENDLESS = (Wall, Tank)
"""Shapes that reach as far as the picture does."""


def draw_obstacles_2d(
    picture: Array,
    projection: Orthographic,
    obstacles: Iterable[ObstacleShape],
    style: Style,
    line: float,
) -> None:
    """Draw discs, rectangles, walls and tanks, with all periodic images that are in the picture."""
    for shape in obstacles:
        if isinstance(shape, ENDLESS):
            point = _numbers(shape.point if isinstance(shape, Wall) else shape.centre)
            point = point - projection.centre
            _fill(
                picture,
                projection,
                shape,
                point,
                (0, projection.width, 0, projection.height),
                style,
                line,
            )
            continue
        reach = _half(shape)
        for image in itertools.product(*[(-side, 0.0, side) if side else (0.0,)
                                         for side in projection.wrap]):  # fmt: skip
            centre = _numbers(shape.centre) - projection.centre + image
            x = 0.5 * projection.width + centre[0] * projection.zoom
            y = projection.middle - centre[1] * projection.zoom
            wide, high = reach * projection.zoom + line + 2
            window = (
                int(np.clip(x - wide, 0, projection.width)),
                int(np.clip(x + wide + 1, 0, projection.width)),
                int(np.clip(y - high, 0, projection.height)),
                int(np.clip(y + high + 1, 0, projection.height)),
            )
            _fill(picture, projection, shape, centre, window, style, line)


def _fill(
    picture: Array, projection: Orthographic, shape: ObstacleShape, at: Array,
    window: tuple[int, int, int, int], style: Style, line: float,
) -> None:  # fmt: skip
    left, right, top, bottom = window
    if right <= left or bottom <= top:
        return
    corner = projection.corner()
    x = (corner[0] + np.arange(left, right) / projection.zoom)[None, :]
    y = (corner[1] - np.arange(top, bottom) / projection.zoom)[:, None]
    away = _distance(shape, x - at[0], y - at[1]) * projection.zoom  # pixels, negative inside
    inside = np.ones(away.shape, bool)
    if not isinstance(shape, ENDLESS):
        for offsets, side in ((x, projection.wrap[0]), (y, projection.wrap[1])):
            if side:
                inside &= np.abs(offsets) <= 0.5 * side
    fill = np.clip(0.5 - away, 0, 1) * inside
    edge = np.clip(0.5 * line + 0.5 - np.abs(away + 0.5 * line), 0, 1) * inside
    blend(picture, left, top, (0.6 * fill).astype(np.float32), style.shade)
    blend(picture, left, top, edge.astype(np.float32), style.line)


def _distance(shape: ObstacleShape, x: Array, y: Array) -> Array:
    """Signed distance of offsets x (1, w) and y (h, 1) from the shape: (h, w)."""
    away: Array
    if isinstance(shape, Wall):
        normal = unit_normal(_numbers(shape.normal).tolist())
        away = x * normal[0] + y * normal[1]
    elif isinstance(shape, Sphere):
        away = np.hypot(x, y) - _half(shape)[0]
    elif isinstance(shape, Tank):
        away = float(shape.radius) - np.hypot(x, y)  # type: ignore[arg-type]
    else:
        half = _half(shape)
        dx, dy = np.abs(x) - half[0], np.abs(y) - half[1]
        outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
        away = outside + np.minimum(np.maximum(dx, dy), 0)
    return away


def _half(shape: Sphere | Box) -> Array:
    if isinstance(shape, Sphere):
        return np.full(2, shape.radius, float)
    return 0.5 * _numbers(shape.size)


def _numbers(vector: object) -> Array:
    return np.array(vector, float)
