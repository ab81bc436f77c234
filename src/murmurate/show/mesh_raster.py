"""Draw polygons and lit triangles: coverage, depth and shade of pixels, in compiled code."""

from __future__ import annotations

import math

import numpy as np

from murmurate.jit import njit
from murmurate.show.projection import Array, Perspective

FINE = 3  # samples of a pixel on each axis


def raster_mesh(
    projection: Perspective, corners: Array, shades: Array, window: tuple[int, int, int, int]
) -> tuple[Array, Array, Array]:
    """Draw the triangles of a closed surface inside a window of a picture.

    corners  (F, 3, 3) offsets from the centre of the view, length units
    shades  (F, 3) brightness at the corners of each triangle, 0 to 1
    window  (left, right, top, bottom) pixels
    cover  (h, w) part of each pixel that is covered
    depth  (h, w) depth of the nearest point in the middle of each pixel, length units; inf without
        one
    shade  (h, w) mean brightness of the covered part
    """
    left, right, top, bottom = window
    points = (corners - projection.eye()) @ projection.axes().T
    lit = np.concatenate([points, shades[..., None]], axis=-1)
    cover = np.zeros((bottom - top, right - left), np.float32)
    depth, shade = np.full_like(cover, np.inf), np.zeros_like(cover)
    lens = projection.focal, 0.5 * projection.width - left, projection.middle - top
    _raster(lit, *lens, projection.near, FINE, cover, depth, shade)
    return cover, depth, shade


@njit(cache=True, nogil=True)
def _raster(points, focal, x0, y0, near, fine, cover, depth, shade):  # type: ignore[no-untyped-def]
    """Fill cover, depth and shade with triangles (F, 3, 4): camera coordinates and brightness."""
    high, wide = cover.shape
    nearness = np.zeros((high * fine, wide * fine), np.float32)
    tone = np.zeros((high * fine, wide * fine), np.float32)
    for k in range(len(points)):
        clipped, count = _clip(points[k], near)
        for i in range(1, count - 1):
            _fill(clipped, i, focal, x0, y0, fine, nearness, tone)
    for y in range(high):
        for x in range(wide):
            hits, total = 0, 0.0
            for j in range(y * fine, y * fine + fine):
                for i in range(x * fine, x * fine + fine):
                    if nearness[j, i] > 0.0:
                        hits += 1
                        total += tone[j, i]
            if hits:
                cover[y, x] = hits / (fine * fine)
                shade[y, x] = total / hits
            middle = nearness[y * fine + fine // 2, x * fine + fine // 2]
            if middle > 0.0:
                depth[y, x] = 1.0 / middle


@njit(cache=True, nogil=True)
def _clip(triangle, near):  # type: ignore[no-untyped-def]
    """Return the part of a triangle in front of the camera: (4, 4), and its number of corners."""
    out, count = np.zeros((4, 4)), 0
    for k in range(3):
        a, b = triangle[k], triangle[(k + 1) % 3]
        if a[2] > near:
            for axis in range(4):  # numba compiles loops much faster than expressions of arrays
                out[count, axis] = a[axis]
            count += 1
        if (a[2] > near) != (b[2] > near):
            share = (near - a[2]) / (b[2] - a[2])
            for axis in range(4):
                out[count, axis] = a[axis] + share * (b[axis] - a[axis])
            count += 1
    return out, count


@njit(cache=True, nogil=True)
def _fill(corners, i, focal, x0, y0, fine, nearness, tone):  # type: ignore[no-untyped-def]
    """Fill the triangle of corners 0, i and i + 1 of a polygon, where nothing is nearer."""
    high, wide = nearness.shape
    x, y, w, lit = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for k in range(3):
        corner = corners[0 if k == 0 else i + k - 1]
        w[k] = 1.0 / corner[2]
        lit[k] = corner[3] * w[k]
        x[k] = fine * (x0 + focal * corner[0] * w[k])
        y[k] = fine * (y0 - focal * corner[1] * w[k])
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    if area == 0.0:
        return
    first = max(0, math.ceil(max(-1e6, min(y[0], y[1], y[2])) - 0.5))
    last = min(high - 1, math.floor(min(1e6, max(y[0], y[1], y[2])) - 0.5))
    begin = max(0, math.ceil(max(-1e6, min(x[0], x[1], x[2])) - 0.5))
    end = min(wide - 1, math.floor(min(1e6, max(x[0], x[1], x[2])) - 0.5))
    for j in range(first, last + 1):
        for k in range(begin, end + 1):
            px, py = k + 0.5, j + 0.5
            a = ((x[1] - px) * (y[2] - py) - (x[2] - px) * (y[1] - py)) / area
            b = ((x[2] - px) * (y[0] - py) - (x[0] - px) * (y[2] - py)) / area
            c = 1.0 - a - b
            if a >= 0.0 and b >= 0.0 and c >= 0.0:
                at = a * w[0] + b * w[1] + c * w[2]
                if at > nearness[j, k]:
                    nearness[j, k] = at
                    tone[j, k] = (a * lit[0] + b * lit[1] + c * lit[2]) / at


@njit(cache=True, nogil=True)
def polygon_distances(x, y, wide, high, way):  # type: ignore[no-untyped-def]
    """Return the distances (high, wide) of the middles of pixels from a polygon, up to `way`.

    They are negative inside. The corners x and y, in pixels, may turn either way.
    """
    out, ends = np.empty((high, wide), np.float32), np.empty(len(x))
    for j in range(high):
        count = 0
        for i in range(wide):
            out[j, i] = way
        for k in range(len(x)):
            a, b = y[k - 1] - j - 0.5, y[k] - j - 0.5
            if (a > 0.0) != (b > 0.0):
                crossing, at = x[k - 1] + a / (a - b) * (x[k] - x[k - 1]), count
                while at > 0 and ends[at - 1] > crossing:
                    ends[at] = ends[at - 1]
                    at -= 1
                ends[at] = crossing
                count += 1
        for k in range(0, count - 1, 2):
            first = math.ceil(min(max(ends[k] - 0.5, 0.0), wide))
            last = math.ceil(min(max(ends[k + 1] - 0.5, 0.0), wide))
            for i in range(first, last):
                out[j, i] = -way
    for k in range(len(x)):
        dx, dy = x[k] - x[k - 1], y[k] - y[k - 1]
        square = dx * dx + dy * dy
        top, bottom = min(y[k - 1], y[k]) - way, max(y[k - 1], y[k]) + way
        left, right = min(x[k - 1], x[k]) - way, max(x[k - 1], x[k]) + way
        for j in range(int(min(max(top, 0.0), high)), int(min(max(bottom + 1.0, 0.0), high))):
            for i in range(int(min(max(left, 0.0), wide)), int(min(max(right + 1.0, 0.0), wide))):
                px, py = i + 0.5 - x[k - 1], j + 0.5 - y[k - 1]
                part = min(max((px * dx + py * dy) / square, 0.0), 1.0) if square > 0.0 else 0.0
                distance = math.hypot(px - part * dx, py - part * dy)
                if distance < abs(out[j, i]):
                    out[j, i] = math.copysign(distance, out[j, i])
    return out
