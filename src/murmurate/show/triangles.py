"""Triangles: antialiased meshes of boids on a canvas, what is far behind what is near.

A mesh is drawn on a mask of its own before it is laid on the canvas. The mask is made of strips of
WIDE pixels of a row: what each is covered, then how light each is, so that the loop over the pixels
of a strip runs in vectors.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from murmurate.show.canvas import BLOCK, Canvas

Array = np.ndarray

LINES = 4  # of a pixel, along which what triangles cover is measured
WIDE = 8  # pixels of a strip
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
    most = _most_strips(x, y, canvas.width, canvas.height)
    _draw(
        x, y, depth, corners, triangles, thin, strength, colour, relief, _LIGHT, *canvas.plane(),
        np.zeros((most, 2 * WIDE), np.float32),
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
def _most_strips(x, y, width, height):  # type: ignore[no-untyped-def]
    """Strips of the largest mesh's mask."""
    most = 1
    for i in range(len(x)):
        left, top, right, bottom = _bounds(x[i], y[i], width, height)
        most = max(most, (max(0, right - left) + WIDE - 1) // WIDE * max(0, bottom - top))
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def _draw(  # type: ignore[no-untyped-def]
    x, y, depth, corners, triangles, thin, strength, colour, relief, light, flat, touched,
    row, border, width, height, mask,
):  # fmt: skip
    """mask: strips for one mesh, empty. Triangles that share an edge share its pixels: what they
    cover is added up."""
    count = len(triangles)
    order, away, shade = np.empty(count, np.int64), np.empty(count), np.empty(count, np.float32)
    begin, end = np.empty(LINES, np.float32), np.empty(LINES, np.float32)
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
        strips = (wide + WIDE - 1) // WIDE
        for k in range(shown):
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
    """Lays one triangle over what is there. Numbers are float32; begin, end: (LINES,), where
    the lines along a row of pixels meet its edges."""
    one, tiny = np.float32(1.0), np.float32(1e-6)
    step, edge = np.float32(1.0 / LINES), np.float32(strips * WIDE)
    if by < ay:
        ax, ay, bx, by = bx, by, ax, ay
    if cy < by:
        bx, by, cx, cy = cx, cy, bx, by
        if by < ay:
            ax, ay, bx, by = bx, by, ax, ay
    upper, lower, whole = (bx - ax) / (by - ay), (cx - bx) / (cy - by), (cx - ax) / (cy - ay)
    for row in range(max(0, int(ay)), min(high, int(cy) + 1)):
        least, most = edge, np.float32(0.0)
        for line in range(LINES):
            y = np.float32(row) + (np.float32(line) + np.float32(0.5)) * step
            long = ax + (y - ay) * whole
            short = ax + (y - ay) * upper if y < by else bx + (y - by) * lower
            inside = ay <= y < cy
            begin[line] = min(long, short) if inside else edge
            end[line] = max(long, short) if inside else edge
            least, most = min(least, begin[line]), max(most, end[line]) if inside else most
        if not least < most:
            continue
        a, b, c, d = begin[0], begin[1], begin[2], begin[3]
        e, f, g, h = end[0], end[1], end[2], end[3]
        for part in range(max(0, int(least)) // WIDE, min(strips, int(most) // WIDE + 1)):
            strip, left = row * strips + part, np.float32(part * WIDE)
            for k in range(WIDE):
                x = left + np.float32(k)
                share = _length(a, e, x) + _length(b, f, x) + _length(c, g, x) + _length(d, h, x)
                share *= step
                cover, tone = mask[strip, k] + share, mask[strip, WIDE + k]
                mask[strip, k] = cover
                mask[strip, WIDE + k] = tone + (shade - tone) * (share / max(min(cover, one), tiny))


@njit(cache=True, nogil=True, inline="always")
def _length(begin, end, x):  # type: ignore[no-untyped-def]
    """How much of the pixel from x on lies between the two."""
    return max(min(end, x + np.float32(1.0)) - max(begin, x), np.float32(0.0))
