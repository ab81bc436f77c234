"""Obstacles in 3-D: ray casting, with shading and a depth buffer."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from murmurate.model.obstacles import Box, ObstacleShape, Sphere, Tank, Wall, unit_normal
from murmurate.model.space import Space
from murmurate.show.compositing import blend
from murmurate.show.projection import Array, Perspective
from murmurate.show.styles import Style

AROUND = 72  # corners of a circle
_LIGHT = np.array([-0.45, 0.72, -0.53])  # to the light, along the camera's right, up and forward


def draw_obstacles_3d(
    picture: Array,
    projection: Perspective,
    obstacles: Iterable[ObstacleShape],
    style: Style,
) -> Array | None:
    """Draw spheres and boxes; returns (H, W) float32 distances along the camera's axis, inf where
    there is nothing, so that what flies behind can be hidden. None when there is no such shape."""
    solid = [shape for shape in obstacles if isinstance(shape, Sphere | Box)]
    if not solid:
        return None
    depth = np.full(picture.shape[:2], np.inf, np.float32)
    for shape in solid:
        _draw_solid(picture, depth, projection, shape, style)
    return depth


def _draw_solid(
    picture: Array,
    depth: Array,
    projection: Perspective,
    shape: Sphere | Box,
    style: Style,
) -> None:
    centre = np.array(shape.centre, float) - projection.centre
    if isinstance(shape, Sphere):
        half = np.full(3, shape.radius, float)
    else:
        half = 0.5 * np.array(shape.size, float)
    left, right, top, bottom = _window(projection, centre, half)
    if right <= left or bottom <= top:
        return
    across, up, forward = projection.axes()
    x = ((np.arange(left, right) + 0.5 - 0.5 * projection.width) / projection.focal)[None, :, None]
    y = ((projection.middle - np.arange(top, bottom) - 0.5) / projection.focal)[:, None, None]
    ray = x * across + y * up + forward  # one length unit of depth long
    from_centre = projection.eye() - centre
    cast = _cast_sphere if isinstance(shape, Sphere) else _cast_box
    inside, t, normal = cast(ray, from_centre, half)
    # How far inside the outline a pixel lies, in pixels: antialiases any shape.
    slope = np.hypot(*np.gradient(inside)) if min(inside.shape) > 1 else np.ones_like(inside)
    cover = np.clip(0.5 + inside / np.maximum(slope, 1e-30), 0.0, 1.0)
    cover[~(t > projection.near)] = 0.0
    window = depth[top:bottom, left:right]
    cover[t > window] = 0.0
    light = normal @ (_LIGHT @ np.stack([across, up, forward])) / np.linalg.norm(_LIGHT)
    shine = np.clip(0.22 + 0.78 * light, 0.0, 1.0)[..., None]
    colours = np.array(style.shade) + (np.array(style.body) - style.shade) * shine
    blend(picture, left, top, cover.astype(np.float32), colours)
    window[cover > 0.5] = t[cover > 0.5]


def _window(projection: Perspective, centre: Array, half: Array) -> tuple[int, int, int, int]:
    """The rectangle of pixels that a box around the shape covers."""
    signs = np.array(list(itertools.product((-1, 1), repeat=3))).T
    screen = projection.project((centre[:, None] + signs * half[:, None]).astype(np.float32))
    if np.isnan(screen.x).all():
        return 0, 0, 0, 0
    if np.isnan(screen.x).any():  # partly behind the camera: anywhere
        return 0, projection.width, 0, projection.height
    return (
        int(np.clip(screen.x.min() - 2, 0, projection.width)),
        int(np.clip(screen.x.max() + 3, 0, projection.width)),
        int(np.clip(screen.y.min() - 2, 0, projection.height)),
        int(np.clip(screen.y.max() + 3, 0, projection.height)),
    )


def _cast_sphere(ray: Array, eye: Array, half: Array) -> tuple[Array, Array, Array]:
    """-> a number that is positive inside the outline, distance to the surface, its normal."""
    square = np.einsum("ijk,ijk->ij", ray, ray)
    towards = ray @ eye
    inside = towards**2 - square * (eye @ eye - half[0] ** 2)
    t = (-towards - np.sqrt(np.maximum(inside, 0.0))) / square
    return inside, t, (eye + t[..., None] * ray) / half[0]


def _cast_box(ray: Array, eye: Array, half: Array) -> tuple[Array, Array, Array]:
    ray = np.where(np.abs(ray) < 1e-12, 1e-12, ray)
    one, other = (-half - eye) / ray, (half - eye) / ray
    enter, leave = np.minimum(one, other), np.maximum(one, other).min(axis=-1)
    t = enter.max(axis=-1)
    face = enter.argmax(axis=-1)
    normal = -np.sign(ray) * (np.arange(3) == face[..., None])
    return leave - t, t, normal


def edges_between(lower: Iterable[float], upper: Iterable[float]) -> list[tuple[Array, Array]]:
    """The twelve edges of a box, as pairs of points."""
    corners = list(itertools.product(*zip(lower, upper, strict=True)))
    return [
        (np.array(a), np.array(b))
        for a, b in itertools.combinations(corners, 2)
        if sum(p != q for p, q in zip(a, b, strict=True)) == 1
    ]


def box_edges(shape: Box) -> list[tuple[Array, Array]]:
    centre = np.array(shape.centre, float)
    half = 0.5 * np.array(shape.size, float)
    return edges_between(centre - half, centre + half)


def tank_edges(tank: Tank, space: Space) -> list[tuple[Array, Array]]:
    """Lines along a tank's wall, as pairs of points: round it where the space begins and ends, and
    some upright."""
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    x, y, _ = np.array(tank.centre, float)
    round_it = np.stack([x + tank.radius * np.cos(angles), y + tank.radius * np.sin(angles)], 1)  # type: ignore[operator]
    low, high = (
        np.column_stack([round_it, np.full(AROUND, face[2], float)])
        for face in (space.lower, space.upper)
    )
    rings = [pair for ring in (low, high) for pair in zip(ring, np.roll(ring, -1, 0), strict=True)]
    return rings + list(zip(low[::9], high[::9], strict=True))


def wall_polygon(wall: Wall, space: Space) -> Array:
    """(K, 3) corners, in order, of the part of a wall within the space; K = 0 if it misses it."""
    lower, upper = np.array(space.lower), np.array(space.upper)
    normal: Array = np.array(unit_normal([float(x) for x in wall.normal]))  # type: ignore[arg-type]
    point = np.array(wall.point, float)
    corners = np.array(list(itertools.product(*zip(lower, upper, strict=True))))
    height = (corners - point) @ normal
    height[np.abs(height) < 1e-9 * np.abs(space.size).max()] = 0.0
    found = [corner for corner, h in zip(corners, height, strict=True) if h == 0.0]
    for a, b in itertools.combinations(range(8), 2):
        if (corners[a] != corners[b]).sum() == 1 and height[a] * height[b] < 0:
            part = height[a] / (height[a] - height[b])
            found.append(corners[a] + part * (corners[b] - corners[a]))
    if len(found) < 3:
        return np.zeros((0, 3))
    polygon = np.array(found)
    away = polygon - polygon.mean(axis=0)
    first = away[0] / np.linalg.norm(away[0])
    second = np.cross(normal, first)
    return polygon[np.argsort(np.arctan2(away @ second, away @ first))]
