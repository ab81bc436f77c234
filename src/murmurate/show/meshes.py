"""Place, project and draw the meshes of many boids in compiled code.

A mesh is drawn on a mask of its own before it is composited onto the canvas. The mask consists of
strips of WIDE pixels of a row: first the coverage of each pixel, then its tone, so that the loop
over the pixels of a strip is vectorised.
"""

from __future__ import annotations

import math

import numpy as np

from murmurate.jit import njit
from murmurate.show.canvas import BLOCK, Canvas
from murmurate.show.projection import Array, Orthographic, Perspective, Projection

LINES = 4  # scan lines per pixel along which coverage is measured
WIDE = 8  # pixels of a strip
_LIGHT = np.array([0.25, -0.35, 0.9]) / np.linalg.norm([0.25, -0.35, 0.9])  # direction to the light


# --- placing


def place_bodies(
    projection: Projection, posed: Array, size: Array, axes: Array, rows: Array
) -> tuple[Array, Array, Array, Array]:
    """Rotate, scale and project posed meshes.

    posed  (3, K, V) corners of boids of length 1 in their own axes
    size  (K,) lengths of the boids, length units
    axes  (3, 3, K) forward, left and up of each boid, in the axes of the model
    rows  (D, K) offsets of the boids from the centre of the view, length units
    x, y  (K, V) corners in pixels, nan behind the camera
    depth  (K, V) their distance along the axis of the camera, length units
    corners  (3, K, V) corners relative to the boids, in the axes of the model
    """
    corners, x = np.empty_like(posed), np.empty(posed.shape[1:], np.float32)
    y, depth = np.empty_like(x), np.empty_like(x)
    offsets = np.zeros((3, len(size)), np.float32)
    offsets[: len(rows)] = rows
    if isinstance(projection, Perspective):
        camera, scale = projection.axes().astype(np.float32), projection.focal
        distance, near = projection.distance, projection.near
    else:
        assert isinstance(projection, Orthographic)
        camera, scale, distance, near = np.eye(3, dtype=np.float32), projection.zoom, 0.0, 0.0
    lens = np.array([scale, distance, near, 0.5 * projection.width, projection.middle], np.float32)
    _place_corners(
        posed, np.ascontiguousarray(size, np.float32), np.ascontiguousarray(axes, np.float32),
        offsets, camera, lens, corners, x, y, depth,
    )  # fmt: skip
    return x, y, depth, corners


@njit(cache=True, nogil=True, error_model="numpy")
def _place_corners(posed, size, axes, rows, camera, lens, corners, x, y, depth):  # type: ignore[no-untyped-def]
    """Fill x, y, depth and corners. The distance in `lens` is 0 for a 2-D space seen from above."""
    scale, distance, near, middle_x, middle_y = lens[0], lens[1], lens[2], lens[3], lens[4]
    for i in range(len(size)):
        for v in range(posed.shape[2]):
            a, b, c = size[i] * posed[0, i, v], size[i] * posed[1, i, v], size[i] * posed[2, i, v]
            for k in range(3):
                corners[k, i, v] = axes[0, k, i] * a + axes[1, k, i] * b + axes[2, k, i] * c
            p, q = rows[0, i] + corners[0, i, v], rows[1, i] + corners[1, i, v]
            r = rows[2, i] + corners[2, i, v]
            across = camera[0, 0] * p + camera[0, 1] * q + camera[0, 2] * r
            up = camera[1, 0] * p + camera[1, 1] * q + camera[1, 2] * r
            pixels, z = scale, -corners[2, i, v]
            if distance > 0.0:
                z = camera[2, 0] * p + camera[2, 1] * q + camera[2, 2] * r + distance
                z = z if z > near else np.float32(np.nan)
                pixels = scale / z
            x[i, v], y[i, v] = middle_x + across * pixels, middle_y - up * pixels
            depth[i, v] = z


# --- drawing


def draw_meshes(
    canvas: Canvas, x: Array, y: Array, depth: Array, corners: Array, triangles: Array, thin: Array,
    tones: Array, strength: Array, colour: Array, relief: float,
) -> None:  # fmt: skip
    """Draw N meshes of V corners, each over those before it.

    x, y  (N, V) corners in pixels. Meshes with a nan are left out.
    depth  (N, V) distance from the camera, length units
    corners  (3, N, V) corners in the axes of the model, for the light
    triangles  (T, 3) indices of corners; see Body
    thin  (T,) whether a triangle is visible from both sides
    tones  (T,) strength of a triangle, from 0 to 1
    strength  (N,) from 0 to 1
    colour  (N,)
    relief  see Style
    """
    strips = _max_strips(x, y, canvas.width, canvas.height)
    _draw_meshes(
        x, y, depth, corners, triangles, thin, tones, strength, colour, relief, _LIGHT,
        *canvas.plane(),
        np.zeros((strips, 2 * WIDE), np.float32),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _bounds(x, y, width, height):  # type: ignore[no-untyped-def]
    """Return left, top, right and bottom of a mesh in the picture; empty for a nan."""
    left, right, top, bottom = math.inf, -math.inf, math.inf, -math.inf
    for k in range(len(x)):
        if not (abs(x[k]) < 1e9 and abs(y[k]) < 1e9):
            return 0, 0, 0, 0
        left, right = min(left, x[k]), max(right, x[k])
        top, bottom = min(top, y[k]), max(bottom, y[k])
    return (
        max(0, math.floor(left)), max(0, math.floor(top)),
        min(width, math.floor(right) + 1), min(height, math.floor(bottom) + 1),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _max_strips(x, y, width, height):  # type: ignore[no-untyped-def]
    """Return the number of strips of the mask of the largest mesh."""
    strips = 1
    for i in range(len(x)):
        left, top, right, bottom = _bounds(x[i], y[i], width, height)
        strips = max(strips, (max(0, right - left) + WIDE - 1) // WIDE * max(0, bottom - top))
    return strips


@njit(cache=True, nogil=True, error_model="numpy")
def _sort_triangles(  # type: ignore[no-untyped-def]
    x, y, depth, corners, triangles, thin, tones, relief, light, order, distance, shade
):
    """Write the visible triangles of a mesh into `order`, the farthest first, and their distances
    and shades. Return their number."""
    visible = 0
    for t in range(len(triangles)):
        a, b, c = triangles[t]
        area = (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])
        if area == 0.0 or (area > 0.0 and not thin[t]):  # seen from behind
            continue
        lit, length = 0.0, 0.0
        for k in range(3):
            p, q = (k + 1) % 3, (k + 2) % 3
            n = (corners[p, b] - corners[p, a]) * (corners[q, c] - corners[q, a])
            n -= (corners[q, b] - corners[q, a]) * (corners[p, c] - corners[p, a])
            lit += n * light[k]
            length += n * n
        if length == 0.0:
            continue
        shade[t] = 1.0 - relief + math.copysign(relief, -area) * lit / math.sqrt(length)
        shade[t] *= tones[t]
        distance[t] = depth[a] + depth[b] + depth[c]
        at = visible
        while at > 0 and distance[order[at - 1]] < distance[t]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = t
        visible += 1
    return visible


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_meshes(  # type: ignore[no-untyped-def]
    x, y, depth, corners, triangles, thin, tones, strength, colour, relief, light, flat,
    touched, row, border, width, height, mask,
):  # fmt: skip
    """Draw the meshes with `mask`, the empty strips of one mesh.

    Coverage is added up, because triangles that share an edge share its pixels.
    """
    count = len(triangles)
    order, distance, shade = np.empty(count, np.int64), np.empty(count), np.empty(count, np.float32)
    begin, end = np.empty(LINES, np.float32), np.empty(LINES, np.float32)
    for i in range(len(x)):
        left, top, right, bottom = _bounds(x[i], y[i], width, height)
        wide = right - left
        if wide <= 0 or bottom <= top:
            continue
        visible = _sort_triangles(
            x[i], y[i], depth[i], corners[:, i], triangles, thin, tones, relief, light,
            order, distance, shade,
        )  # fmt: skip
        strips = (wide + WIDE - 1) // WIDE
        for k in range(visible):
            a, b, c = triangles[order[k]]
            _add(
                np.float32(x[i, a] - left), np.float32(y[i, a] - top),
                np.float32(x[i, b] - left), np.float32(y[i, b] - top),
                np.float32(x[i, c] - left), np.float32(y[i, c] - top),
                strips, bottom - top, shade[order[k]], mask, begin, end,
            )  # fmt: skip
        for v in range(bottom - top):
            at = (v + top + border) * row + left + border
            for u in range(wide):
                strip, k = v * strips + u // WIDE, u % WIDE
                cover, tone = mask[strip, k], mask[strip, WIDE + k]
                if cover > 0.0:
                    part, below = min(cover, 1.0), np.int64(flat[at + u])
                    own, old = part * strength[i] * tone * 255.0, (1.0 - part) * (below >> 8)
                    number = np.int64(colour[i]) if own >= old else below & 0xFF
                    flat[at + u] = (np.int64(own + old + 0.5) << 8) | number
                    touched[(at + u) >> BLOCK] = True
        mask[: strips * (bottom - top)] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _add(ax, ay, bx, by, cx, cy, strips, high, shade, mask, begin, end):  # type: ignore[no-untyped-def]
    """Draw unit triangle over the mask. Numbers are float32.

    `begin` and `end`, (LINES,), hold the intersections of the scan lines of a row with its edges.
    """
    unit, tiny = np.float32(1.0), np.float32(1e-6)
    step, edge = np.float32(1.0 / LINES), np.float32(strips * WIDE)
    if by < ay:
        ax, ay, bx, by = bx, by, ax, ay
    if cy < by:
        bx, by, cx, cy = cx, cy, bx, by
        if by < ay:
            ax, ay, bx, by = bx, by, ax, ay
    upper_slope, lower_slope, long_slope = (
        (bx - ax) / (by - ay),
        (cx - bx) / (cy - by),
        (cx - ax) / (cy - ay),
    )
    for row in range(max(0, int(ay)), min(high, int(cy) + 1)):
        low_x, high_x = edge, np.float32(0.0)
        for line in range(LINES):
            y = np.float32(row) + (np.float32(line) + np.float32(0.5)) * step
            long = ax + (y - ay) * long_slope
            short = ax + (y - ay) * upper_slope if y < by else bx + (y - by) * lower_slope
            inside = ay <= y < cy
            begin[line] = min(long, short) if inside else edge
            end[line] = max(long, short) if inside else edge
            low_x, high_x = min(low_x, begin[line]), max(high_x, end[line]) if inside else high_x
        if not low_x < high_x:
            continue
        a, b, c, d = begin[0], begin[1], begin[2], begin[3]
        e, f, g, h = end[0], end[1], end[2], end[3]
        for part in range(max(0, int(low_x)) // WIDE, min(strips, int(high_x) // WIDE + 1)):
            strip, left = row * strips + part, np.float32(part * WIDE)
            for k in range(WIDE):
                x = left + np.float32(k)
                share = _length(a, e, x) + _length(b, f, x) + _length(c, g, x) + _length(d, h, x)
                share *= step
                cover, tone = mask[strip, k] + share, mask[strip, WIDE + k]
                mask[strip, k] = cover
                mask[strip, WIDE + k] = tone + (shade - tone) * (
                    share / max(min(cover, unit), tiny)
                )


@njit(cache=True, nogil=True, inline="always")
def _length(begin, end, x):  # type: ignore[no-untyped-def]
    """Return the length of the pixel [x, x + 1) between begin and end."""
    return max(min(end, x + np.float32(1.0)) - max(begin, x), np.float32(0.0))
