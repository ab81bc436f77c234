"""Triangles: antialiased meshes of boids on a canvas, what is far behind what is near."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from murmurate.show.canvas import Canvas

Array = np.ndarray

LINES = 4  # of a pixel, along which what triangles cover is measured
_LIGHT = np.array([0.25, -0.35, 0.9]) / np.linalg.norm([0.25, -0.35, 0.9])  # where it comes from


def draw_meshes(
    canvas: Canvas, x: Array, y: Array, depth: Array, corners: Array, triangles: Array, thin: Array,
    strength: Array, colour: Array, relief: float,
) -> None:  # fmt: skip
    """Draw N meshes of V corners, each over those before it.

    x, y, depth  (N, V) pixels, and how far away; meshes with a nan are left out
    corners      (3, N, V) in the model's axes, for the light
    triangles    (T, 3), see Body
    thin         (T,) seen from both sides
    strength     (N,) 0 to 1; colour: (N,) uint16 numbers
    relief       see Style
    """
    reach = _largest(x, y, canvas.width, canvas.height)
    _draw(
        x, y, depth, corners, triangles, thin, strength, colour, relief, _LIGHT, *canvas.plane(),
        np.zeros(reach, np.float32), np.zeros(reach, np.float32),
    )  # fmt: skip


@njit(cache=True, nogil=True)
def _bounds(x, y, width, height):  # type: ignore[no-untyped-def]
    """left, top, right, bottom: the pixels of one mesh that are in the picture; none for a nan."""
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
def _largest(x, y, width, height):  # type: ignore[no-untyped-def]
    """Pixels of the largest mesh's box."""
    most = 1
    for i in range(len(x)):
        left, top, right, bottom = _bounds(x[i], y[i], width, height)
        most = max(most, max(0, right - left) * max(0, bottom - top))
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def _draw(  # type: ignore[no-untyped-def]
    x, y, depth, corners, triangles, thin, strength, colour, relief, light, flat, row, border,
    width, height, cover, tone,
):  # fmt: skip
    """`cover` and `tone` are for one mesh: how much of each pixel it covers, and how light it is.
    Triangles that share an edge share its pixels: what they cover is added up."""
    count = len(triangles)
    order, away, shade = np.empty(count, np.int64), np.empty(count), np.empty(count)
    for i in range(len(x)):
        left, top, right, bottom = _bounds(x[i], y[i], width, height)
        wide = right - left
        if wide <= 0 or bottom <= top:
            continue
        shown = 0
        for t in range(count):
            a, b, c = triangles[t]
            area = (x[i, b] - x[i, a]) * (y[i, c] - y[i, a]) - (x[i, c] - x[i, a]) * (
                y[i, b] - y[i, a]
            )
            if area == 0.0 or (area > 0.0 and not thin[t]):  # seen from behind
                continue
            lit, length = 0.0, 0.0
            for k in range(3):
                p, q = (k + 1) % 3, (k + 2) % 3
                n = (corners[p, i, b] - corners[p, i, a]) * (corners[q, i, c] - corners[q, i, a])
                n -= (corners[q, i, b] - corners[q, i, a]) * (corners[p, i, c] - corners[p, i, a])
                lit += n * light[k]
                length += n * n
            if length == 0.0:
                continue
            shade[t] = 1.0 - relief + math.copysign(relief, -area) * lit / math.sqrt(length)
            away[t] = depth[i, a] + depth[i, b] + depth[i, c]
            at = shown
            while at > 0 and away[order[at - 1]] < away[t]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = t
            shown += 1
        for k in range(shown):
            a, b, c = triangles[order[k]]
            _add(
                x[i, a] - left, y[i, a] - top, x[i, b] - left, y[i, b] - top, x[i, c] - left,
                y[i, c] - top, wide, bottom - top, shade[order[k]], cover, tone,
            )  # fmt: skip
        for v in range(bottom - top):
            at = (v + top + border) * row + left + border
            for u in range(wide):
                k = v * wide + u
                if cover[k] > 0.0:
                    part, below = min(cover[k], 1.0), np.int64(flat[at + u])
                    own, old = part * strength[i] * tone[k] * 255.0, (1.0 - part) * (below >> 8)
                    number = np.int64(colour[i]) if own >= old else below & 0xFF
                    flat[at + u] = (np.int64(own + old + 0.5) << 8) | number
                    cover[k] = 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _add(ax, ay, bx, by, cx, cy, wide, high, shade, cover, tone):  # type: ignore[no-untyped-def]
    """Lays one triangle over what is there, line by line: each begins and ends at an edge."""
    if by < ay:
        ax, ay, bx, by = bx, by, ax, ay
    if cy < by:
        bx, by, cx, cy = cx, cy, bx, by
        if by < ay:
            ax, ay, bx, by = bx, by, ax, ay
    upper, lower, whole = (bx - ax) / (by - ay), (cx - bx) / (cy - by), (cx - ax) / (cy - ay)
    first = max(0, math.ceil(LINES * ay - 0.5))
    for line in range(first, min(LINES * high, math.ceil(LINES * cy - 0.5))):
        y = (line + 0.5) / LINES
        one = ax + (y - ay) * whole
        other = ax + (y - ay) * upper if y < by else bx + (y - by) * lower
        begin, end = max(min(one, other), 0.0), min(max(one, other), float(wide))
        if not begin < end:
            continue
        row = line // LINES * wide
        for k in range(row + int(begin), row + min(wide, int(end) + 1)):
            part = min(end, k - row + 1.0) - max(begin, float(k - row))
            if part > 0.0:
                tone[k] = shade if cover[k] == 0.0 else tone[k] + (shade - tone[k]) * part
                cover[k] += part / LINES
