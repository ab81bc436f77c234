"""Draw obstacles: in 2-D by signed distances, in 3-D by ray casting with a depth buffer."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from murmurate.model.obstacles import Box, Cylinder, Mesh, ObstacleShape, Sphere, Tank, Wall
from murmurate.model.shapes.wall import unit_normal
from murmurate.model.space import Space
from murmurate.show.canvas import blend
from murmurate.show.mesh_raster import raster_mesh
from murmurate.show.projection import Array, Orthographic, Perspective
from murmurate.show.styles import Style

UNBOUNDED = (Wall, Tank)  # shapes that extend to the edges of a 2-D picture
CIRCLE_CORNERS = 72
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
    """Draw discs, rectangles, walls and tanks, with all periodic images in the picture.

    `line` is the width of their outlines in pixels.
    """
    for shape in obstacles:
        if isinstance(shape, UNBOUNDED):
            point = _vector(shape.point if isinstance(shape, Wall) else shape.centre)
            window = (0, projection.width, 0, projection.height)
            _fill_2d(picture, projection, shape, point - projection.centre, window, style, line)
            continue
        assert not isinstance(shape, Mesh | Cylinder)  # models in 2-D have none
        half = _half_sides(shape)
        for image in itertools.product(*[(-side, 0.0, side) if side else (0.0,)
                                         for side in projection.wrap]):  # fmt: skip
            centre = _vector(shape.centre) - projection.centre + image
            x = 0.5 * projection.width + centre[0] * projection.zoom
            y = projection.middle - centre[1] * projection.zoom
            wide, high = half * projection.zoom + line + 2
            window = (
                int(np.clip(x - wide, 0, projection.width)),
                int(np.clip(x + wide + 1, 0, projection.width)),
                int(np.clip(y - high, 0, projection.height)),
                int(np.clip(y + high + 1, 0, projection.height)),
            )
            _fill_2d(picture, projection, shape, centre, window, style, line)


def _fill_2d(
    picture: Array, projection: Orthographic, shape: ObstacleShape, centre: Array,
    window: tuple[int, int, int, int], style: Style, line: float,
) -> None:  # fmt: skip
    """Fill and outline a shape inside a window (left, right, top, bottom) of pixels."""
    left, right, top, bottom = window
    if right <= left or bottom <= top:
        return
    corner = projection.corner()
    x = (corner[0] + np.arange(left, right) / projection.zoom)[None, :]
    y = (corner[1] - np.arange(top, bottom) / projection.zoom)[:, None]
    distance = _signed_distance(shape, x - centre[0], y - centre[1]) * projection.zoom
    inside = np.ones(distance.shape, bool)
    if not isinstance(shape, UNBOUNDED):
        for offsets, side in ((x, projection.wrap[0]), (y, projection.wrap[1])):
            if side:
                inside &= np.abs(offsets) <= 0.5 * side
    fill = np.clip(0.5 - distance, 0, 1) * inside
    edge = np.clip(0.5 * line + 0.5 - np.abs(distance + 0.5 * line), 0, 1) * inside
    blend(picture, left, top, (0.6 * fill).astype(np.float32), style.shade)
    blend(picture, left, top, edge.astype(np.float32), style.line)


def _signed_distance(shape: ObstacleShape, x: Array, y: Array) -> Array:
    """Return the signed distance (h, w) of offsets x (1, w) and y (h, 1) from a shape."""
    distance: Array
    if isinstance(shape, Wall):
        normal = unit_normal(_vector(shape.normal).tolist())
        distance = x * normal[0] + y * normal[1]
    elif isinstance(shape, Sphere):
        distance = np.hypot(x, y) - _half_sides(shape)[0]
    elif isinstance(shape, Tank):
        distance = float(shape.radius) - np.hypot(x, y)  # type: ignore[arg-type]
    else:
        assert isinstance(shape, Box)
        half = _half_sides(shape)
        dx, dy = np.abs(x) - half[0], np.abs(y) - half[1]
        outside = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
        distance = outside + np.minimum(np.maximum(dx, dy), 0)
    return distance


def _half_sides(shape: Sphere | Box, dims: int = 2) -> Array:
    if isinstance(shape, Sphere):
        return np.full(dims, shape.radius, float)
    return 0.5 * _vector(shape.size)


def _vector(numbers: object) -> Array:
    return np.array(numbers, float)


# --- 3-D


def draw_obstacles_3d(
    picture: Array,
    projection: Perspective,
    obstacles: Iterable[ObstacleShape],
    style: Style,
    followed: bool = False,
) -> Array | None:
    """Draw solid obstacles. Those in front of a followed flock are seen through.

    Returns
    -------
    (H, W) float32 or None
        Depth along the axis of the camera, length units, inf in pixels without obstacles; None if
        there are none.
    """
    solid = [shape for shape in obstacles if isinstance(shape, Sphere | Box | Mesh | Cylinder)]
    if not solid:
        return None
    depth = np.full(picture.shape[:2], np.inf, np.float32)
    for shape in solid:
        _draw_solid(picture, depth, projection, shape, style, followed)
    return depth


def _draw_solid(
    picture: Array,
    depth: Array,
    projection: Perspective,
    shape: Sphere | Box | Mesh | Cylinder,
    style: Style,
    followed: bool,
) -> None:
    centre = np.array(shape.centre, float) - projection.centre
    if isinstance(shape, Mesh | Cylinder):
        corners = shape.triangles().corners + centre
        half = 0.5 * np.ptp(corners, axis=(0, 1))
        middle = corners.min(axis=(0, 1)) + half
    else:
        half, middle = _half_sides(shape, 3), centre
    opacity = _opacity(projection, middle, half) if followed else 1.0
    if isinstance(shape, Mesh | Cylinder):
        _draw_mesh(picture, depth, projection, corners, style, opacity)
        return
    left, right, top, bottom = _window(projection, centre, half)
    if right <= left or bottom <= top:
        return
    across, up, forward = projection.axes()
    x = ((np.arange(left, right) + 0.5 - 0.5 * projection.width) / projection.focal)[None, :, None]
    y = ((projection.middle - np.arange(top, bottom) - 0.5) / projection.focal)[:, None, None]
    ray = x * across + y * up + forward  # of unit depth
    from_centre = projection.eye() - centre
    cast = _cast_sphere if isinstance(shape, Sphere) else _cast_box
    inside, t, normal = cast(ray, from_centre, half)
    # The distance to the outline in pixels antialiases any shape.
    slope = np.hypot(*np.gradient(inside)) if min(inside.shape) > 1 else np.ones_like(inside)
    cover = np.clip(0.5 + inside / np.maximum(slope, 1e-30), 0.0, 1.0)
    cover[~(t > projection.near)] = 0.0
    window = depth[top:bottom, left:right]
    cover[t > window] = 0.0
    colours = _lit(_shine(projection, normal), style)
    blend(picture, left, top, (opacity * cover).astype(np.float32), colours)
    if opacity > MAX_CLEAR:
        window[cover > 0.5] = t[cover > 0.5]


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
    colours: Array = np.array(style.shade) + (np.array(style.body) - style.shade) * shine[..., None]
    return colours


def _draw_mesh(
    picture: Array, depth: Array, projection: Perspective, corners: Array, style: Style,
    opacity: float,
) -> None:  # fmt: skip
    """Draw triangles (F, 3, 3), offsets from the centre of the view, with a light for each."""
    lower, upper = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    left, right, top, bottom = _window(projection, (lower + upper) / 2, (upper - lower) / 2)
    if right <= left or bottom <= top:
        return
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    shine = _shine(projection, normals)
    cover, near, shade = raster_mesh(projection, corners, shine, (left, right, top, bottom))
    window = depth[top:bottom, left:right]
    cover[near > window] = 0.0
    blend(picture, left, top, opacity * cover, _lit(shade, style))
    if opacity > MAX_CLEAR:
        window[near < window] = near[near < window]


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


def _cast_sphere(ray: Array, eye: Array, half: Array) -> tuple[Array, Array, Array]:
    """Intersect rays with a sphere.

    Returns
    -------
    inside : (h, w)
        Positive inside the outline.
    t : (h, w)
        Depth of the surface, length units.
    normal : (h, w, 3)
        Unit normal of the surface.
    """
    square = np.einsum("ijk,ijk->ij", ray, ray)
    towards = ray @ eye
    inside = towards**2 - square * (eye @ eye - half[0] ** 2)
    t = (-towards - np.sqrt(np.maximum(inside, 0.0))) / square
    return inside, t, (eye + t[..., None] * ray) / half[0]


def _cast_box(ray: Array, eye: Array, half: Array) -> tuple[Array, Array, Array]:
    """Intersect rays with a box; see `_cast_sphere`."""
    ray = np.where(np.abs(ray) < 1e-12, 1e-12, ray)
    first, second = (-half - eye) / ray, (half - eye) / ray
    enter, leave = np.minimum(first, second), np.maximum(first, second).min(axis=-1)
    t = enter.max(axis=-1)
    face = enter.argmax(axis=-1)
    normal = -np.sign(ray) * (np.arange(3) == face[..., None])
    return leave - t, t, normal


def edges_between(lower: Iterable[float], upper: Iterable[float]) -> list[tuple[Array, Array]]:
    """Return the twelve edges of a box as pairs of points."""
    corners = list(itertools.product(*zip(lower, upper, strict=True)))
    return [
        (np.array(a), np.array(b))
        for a, b in itertools.combinations(corners, 2)
        if sum(p != q for p, q in zip(a, b, strict=True)) == 1
    ]


def box_edges(shape: Box) -> list[tuple[Array, Array]]:
    """Return the twelve edges of an obstacle as pairs of points."""
    centre = np.array(shape.centre, float)
    half = 0.5 * np.array(shape.size, float)
    return edges_between(centre - half, centre + half)


def tank_edges(tank: Tank, space: Space) -> list[tuple[Array, Array]]:
    """Return lines along a tank's wall as pairs of points.

    They are circles on the lower and the upper face of the space, and some vertical lines.
    """
    angles = np.linspace(0.0, 2.0 * np.pi, CIRCLE_CORNERS, endpoint=False)
    x, y, _ = np.array(tank.centre, float)
    circle = np.stack([x + tank.radius * np.cos(angles), y + tank.radius * np.sin(angles)], 1)  # type: ignore[operator]
    low, high = (
        np.column_stack([circle, np.full(CIRCLE_CORNERS, face[2], float)])
        for face in (space.lower, space.upper)
    )
    rings = [pair for ring in (low, high) for pair in zip(ring, np.roll(ring, -1, 0), strict=True)]
    return rings + list(zip(low[::9], high[::9], strict=True))


def wall_polygon(wall: Wall, space: Space) -> Array:
    """Return the corners (K, 3), in order, of the part of a wall inside the space.

    K is 0 if the wall does not intersect the space.
    """
    lower, upper = np.array(space.lower), np.array(space.upper)
    normal: Array = np.array(unit_normal([float(x) for x in wall.normal]))  # type: ignore[arg-type]
    point = np.array(wall.point, float)
    corners = np.array(list(itertools.product(*zip(lower, upper, strict=True))))
    height = (corners - point) @ normal
    height[np.abs(height) < 1e-9 * np.abs(space.size).max()] = 0.0
    points = [corner for corner, h in zip(corners, height, strict=True) if h == 0.0]
    for a, b in itertools.combinations(range(8), 2):
        if (corners[a] != corners[b]).sum() == 1 and height[a] * height[b] < 0:
            part = height[a] / (height[a] - height[b])
            points.append(corners[a] + part * (corners[b] - corners[a]))
    if len(points) < 3:
        return np.zeros((0, 3))
    polygon = np.array(points)
    offsets = polygon - polygon.mean(axis=0)
    first = offsets[0] / np.linalg.norm(offsets[0])
    second = np.cross(normal, first)
    return polygon[np.argsort(np.arctan2(offsets @ second, offsets @ first))]
