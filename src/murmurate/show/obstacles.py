"""Draw obstacles by their outlines: in 2-D with edges inside, in 3-D with a depth buffer."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from murmurate.model.obstacles import ObstacleShape
from murmurate.model.shapes.outline import Outline, polygon
from murmurate.show.canvas import blend
from murmurate.show.mesh_raster import polygon_distances, raster_mesh
from murmurate.show.projection import Array, Orthographic, Perspective
from murmurate.show.styles import Style

ERROR = 0.05  # pixels by which a drawn circle may differ from a round one
FAINT = 0.12  # opacity of obstacles in front of a followed flock
MAX_CLEAR = 0.5  # opacity up to which obstacles hide nothing
_LIGHT = np.array([-0.45, 0.72, -0.53])  # to the light, along the camera's right, up and forward


# --- 2-D


def draw_obstacles_2d(
    picture: Array,
    projection: Orthographic,
    obstacles: Iterable[ObstacleShape],
    style: Style,
    line: float,
) -> None:
    """Draw obstacles, those of a limited size with all periodic images in the picture.

    `line` is the width of their outlines in pixels.
    """
    all_pixels = 0, projection.width, 0, projection.height
    corner = projection.corner()
    x = (corner[0] + np.arange(projection.width) / projection.zoom)[None, :]
    y = (corner[1] - np.arange(projection.height) / projection.zoom)[:, None]
    half = [0.5 * side or np.inf for side in projection.wrap]
    beyond = (np.abs(x) > half[0]) | (np.abs(y) > half[1])
    for shape in obstacles:
        _, *numbers = shape.row(0.0)
        position = np.array(numbers[:2]) - projection.centre
        if shape.unbounded:
            distance = (x - position[0]) * numbers[3] + (y - position[1]) * numbers[4]
            _fill_2d(picture, distance * projection.zoom, all_pixels, style, line)
            continue
        assert shape.turned is not None  # models in 2-D have no others
        scale = np.array([numbers[3 + (k or 0)] for k in shape.axes[:2]]) * projection.zoom
        corners = polygon(shape.turned, ERROR / scale.max()) * scale * (1, -1)
        sides = [(-side, 0.0, side) if side else (0.0,) for side in projection.wrap]
        for image in itertools.product(*sides):
            middle = (position + image) * projection.zoom * (1, -1)
            across, down = (corners + middle + (0.5 * projection.width, projection.middle)).T
            window = all_pixels if shape.encloses else _around(projection, across, down, line)
            left, right, top, bottom = window
            distance = polygon_distances(
                across - left, down - top, right - left, bottom - top, line + 2.0
            )
            if shape.encloses:
                _fill_2d(picture, -distance, window, style, line)
                break
            distance[beyond[top:bottom, left:right]] = line + 2.0
            _fill_2d(picture, distance, window, style, line)


def _fill_2d(
    picture: Array, distance: Array, window: tuple[int, int, int, int], style: Style, line: float
) -> None:  # fmt: skip
    """Fill and outline a shape inside a window, by signed distances in pixels."""
    left, _, top, _ = window
    fill = np.clip(0.5 - distance, 0, 1)
    edge = np.clip(0.5 * line + 0.5 - np.abs(distance + 0.5 * line), 0, 1)
    blend(picture, left, top, (0.6 * fill).astype(np.float32), style.shade)
    blend(picture, left, top, edge.astype(np.float32), style.line)


# --- 3-D


def draw_obstacles_3d(
    picture: Array,
    projection: Perspective,
    outlines: Iterable[Outline],
    style: Style,
    followed: bool = False,
) -> Array | None:
    """Draw solid obstacles. Those in front of a followed flock are seen through.

    returns  (H, W) depth along the axis of the camera, length units, inf in pixels without
        obstacles; None if there are none
    """
    depth = None
    for outline in outlines:
        if depth is None:
            depth = np.full(picture.shape[:2], np.inf, np.float32)
        corners = outline.corners - projection.centre
        half = 0.5 * np.ptp(corners, axis=(0, 1))
        middle = corners.min(axis=(0, 1)) + half
        left, right, top, bottom = _window(projection, middle, half)
        if right <= left or bottom <= top:
            continue
        opacity = _opacity(projection, middle, half) if followed else 1.0
        shine = _shine(projection, outline.normals)
        cover, near, shade = raster_mesh(projection, corners, shine, (left, right, top, bottom))
        window = depth[top:bottom, left:right]
        cover[near > window] = 0.0
        blend(picture, left, top, opacity * cover, _lit(shade, style))
        if opacity > MAX_CLEAR:
            window[near < window] = near[near < window]
    return depth


def _opacity(projection: Perspective, middle: Array, half: Array) -> float:
    """Return the opacity of an obstacle: low if it is wholly in front of the centre of the view."""
    forward = projection.axes()[2]
    distance = -float(forward @ middle + np.abs(forward) @ half)
    return float(np.clip(1.0 - 2.0 * distance / projection.radius, FAINT, 1.0))


def _shine(projection: Perspective, normal: Array) -> Array:
    """Return the brightness, 0 to 1, of surfaces with normals (..., 3)."""
    light = normal @ (_LIGHT @ projection.axes()) / np.linalg.norm(_LIGHT)
    return np.clip(0.22 + 0.78 * light, 0.0, 1.0)


def _lit(shine: Array, style: Style) -> Array:
    """Return the colours (..., 3) of surfaces with a brightness."""
    return np.array(style.shade) + (np.array(style.body) - style.shade) * shine[..., None]


def _window(projection: Perspective, centre: Array, half: Array) -> tuple[int, int, int, int]:
    """Return left, right, top and bottom of the pixels that a bounding box covers."""
    signs = np.array(list(itertools.product((-1, 1), repeat=3))).T
    screen = projection.project((centre[:, None] + signs * half[:, None]).astype(np.float32))
    if np.isnan(screen.x).all():
        return 0, 0, 0, 0
    if np.isnan(screen.x).any():  # partly behind the camera: use the whole picture
        return 0, projection.width, 0, projection.height
    return (
        int(np.clip(screen.x.min() - 2, 0, projection.width)),
        int(np.clip(screen.x.max() + 3, 0, projection.width)),
        int(np.clip(screen.y.min() - 2, 0, projection.height)),
        int(np.clip(screen.y.max() + 3, 0, projection.height)),
    )


def edges_between(lower: Iterable[float], upper: Iterable[float]) -> list[tuple[Array, Array]]:
    """Return the twelve edges of a box as pairs of points."""
    corners = list(itertools.product(*zip(lower, upper, strict=True)))
    return [
        (np.array(a), np.array(b))
        for a, b in itertools.combinations(corners, 2)
        if sum(p != q for p, q in zip(a, b, strict=True)) == 1
    ]


def _around(projection: Orthographic, x: Array, y: Array, line: float) -> tuple[int, int, int, int]:
    """Return left, right, top and bottom of the pixels around corners, up to the next one."""
    ends = [value for corners in (x, y) for value in (corners.min(), corners.max() + 1)]
    ends += np.array((-1, 1, -1, 1)) * (line + 2.0)
    ends = np.clip(ends, 0, (projection.width,) * 2 + (projection.height,) * 2).astype(int)
    left, right, top, bottom = ends.tolist()
    return left, max(left, right), top, max(top, bottom)
