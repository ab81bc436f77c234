"""Draw triangles with flat shades: coverage, depth and shade of each pixel, in compiled code."""

from __future__ import annotations

import numpy as np

from murmurate.jit import njit
from murmurate.show.projection import Array, Perspective

FINE = 3  # samples of a pixel on each axis


def raster_mesh(
    projection: Perspective, corners: Array, shades: Array, window: tuple[int, int, int, int]
) -> tuple[Array, Array, Array]:
    """Draw the triangles of a closed surface inside a window of a picture.

    Parameters
    ----------
    projection : Perspective
    corners : (F, 3, 3)
        Offsets from the centre of the view, length units.
    shades : (F,)
        Brightness of each triangle, 0 to 1.
    window : (left, right, top, bottom)
        Pixels.

    Returns
    -------
    cover : (h, w) float32
        Part of each pixel that is covered.
    depth : (h, w) float32
        Depth of the nearest point in the middle of each pixel, length units; inf without one.
    shade : (h, w) float32
        Mean brightness of the covered part.
    """
    left, right, top, bottom = window
    points = (corners - projection.eye()) @ projection.axes().T
    cover = np.zeros((bottom - top, right - left), np.float32)
    depth, shade = np.full_like(cover, np.inf), np.zeros_like(cover)
    lens = projection.focal, 0.5 * projection.width - left, projection.middle - top
    _raster(points.astype(float), shades.astype(np.float32), *lens, projection.near, FINE,
            cover, depth, shade)  # fmt: skip
    return cover, depth, shade


@njit(cache=True, nogil=True)
def _raster(points, shades, focal, x0, y0, near, fine, cover, depth, shade):  # type: ignore[no-untyped-def]
    """Fill cover, depth and shade with triangles (F, 3, 3) in camera coordinates."""
    high, wide = cover.shape
    nearness = np.zeros((high * fine, wide * fine), np.float32)
    tone = np.zeros((high * fine, wide * fine), np.float32)
    for k in range(len(points)):
        clipped, count = _clip(points[k], near)
        for i in range(1, count - 1):
            _fill(clipped, i, shades[k], focal, x0, y0, fine, nearness, tone)
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
    """Return the part of a triangle in front of the camera: (4, 3), and its number of corners."""
    out, count = np.zeros((4, 3)), 0
    for k in range(3):
        a, b = triangle[k], triangle[(k + 1) % 3]
        if a[2] > near:
            out[count] = a
            count += 1
        if (a[2] > near) != (b[2] > near):
            out[count] = a + (near - a[2]) / (b[2] - a[2]) * (b - a)
            count += 1
    return out, count


@njit(cache=True, nogil=True)
def _fill(corners, i, shade, focal, x0, y0, fine, nearness, tone):  # type: ignore[no-untyped-def]
    """Fill the triangle of corners 0, i and i + 1 of a polygon, where nothing is nearer."""
    high, wide = nearness.shape
    x, y, w = np.empty(3), np.empty(3), np.empty(3)
    for k in range(3):
        corner = corners[0 if k == 0 else i + k - 1]
        w[k] = 1.0 / corner[2]
        x[k] = fine * (x0 + focal * corner[0] * w[k])
        y[k] = fine * (y0 - focal * corner[1] * w[k])
    area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
    if area == 0.0:
        return
    first = max(0, int(np.ceil(max(-1e6, y.min()) - 0.5)))
    last = min(high - 1, int(np.floor(min(1e6, y.max()) - 0.5)))
    begin = max(0, int(np.ceil(max(-1e6, x.min()) - 0.5)))
    end = min(wide - 1, int(np.floor(min(1e6, x.max()) - 0.5)))
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
                    tone[j, k] = shade
