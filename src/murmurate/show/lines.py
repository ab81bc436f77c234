"""Antialiased straight lines, many at once (Wu's method)."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from murmurate.show.canvas import Canvas, keep_max
from murmurate.show.depth_test import DepthTest, is_behind

Array = np.ndarray

_NONE = np.zeros((0, 0), np.float32)  # in place of how far away obstacles are


def draw_lines(
    canvas: Canvas,
    start: tuple[Array, Array],
    end: tuple[Array, Array],
    strength: tuple[Array, Array],
    colour: Array | int = 0,
    width: float = 1.0,
    hidden: DepthTest | None = None,
    nearness: tuple[Array, Array] | None = None,
) -> None:
    """Draw N lines.

    start, end  x and y in pixels, (N,) each; a line with a nan is left out
    strength    at the start and the end, (N,) of 0 to 1; runs evenly along the line
    colour      colour number, (N,) uint16 or one for all
    width       pixels
    hidden      which pixels are behind an obstacle
    nearness    1 / depth at the start and the end, (N,) each; needed with `hidden`
    """
    count = len(start[0])
    near = nearness if nearness is not None else (np.zeros(count), np.zeros(count))
    rows = (np.asarray(a, np.float64) for a in (*start, *end, *strength, *near))
    numbers = np.empty(count, np.int64)
    numbers[:] = colour
    solid = _NONE if hidden is None else hidden.depth
    _draw(np.stack([*rows]), numbers, float(width), solid, *canvas.plane())


@njit(cache=True, nogil=True, error_model="numpy")
def _draw(lines, colour, thick, solid, flat, touched, row, border, width, height):  # type: ignore[no-untyped-def]
    """Writes the pixels of lines (8, N), one after the other along their longer axis."""
    for k in range(lines.shape[1]):
        x0, y0, x1, y1, s0, s1, n0, n1 = lines[:, k]
        dx, dy = x1 - x0, y1 - y0
        first, last = _clip(x0, y0, dx, dy, width, height, thick + 1.0)
        if not first < last:
            continue
        steep = abs(dy) > abs(dx)
        major0, major = (y0, dy) if steep else (x0, dx)
        minor0, minor = (x0, dx) if steep else (y0, dy)
        begin, finish = major0 + first * major, major0 + last * major
        divisor = 1.0 if major == 0.0 else major
        slope = minor / divisor
        half = 0.5 * thick * math.sqrt(1.0 + slope * slope)  # measured along the minor axis
        taps = math.ceil(2.0 * half) + 1
        for pixel in range(math.floor(min(begin, finish)), math.floor(max(begin, finish)) + 1):
            t = min(max((pixel + 0.5 - major0) / divisor, first), last)
            middle = minor0 + t * minor
            lowest = math.floor(middle - half)
            for cross in range(lowest, lowest + taps):
                cover = min(max(half + 0.5 - abs(cross + 0.5 - middle), 0.0), 1.0)
                x, y = (cross, pixel) if steep else (pixel, cross)
                if not cover > 0.0 or not (0 <= x < width and 0 <= y < height):
                    continue
                if solid.size and is_behind(solid, x, y, n0 + t * (n1 - n0)):
                    continue
                strength = (s0 + t * (s1 - s0)) * cover
                if strength > 0.0:
                    value = (np.int64(strength * 255.0 + 0.5) << 8) | colour[k]
                    keep_max(flat, touched, (y + border) * row + x + border, value)


@njit(cache=True, nogil=True, error_model="numpy")
def _clip(x, y, dx, dy, width, height, room):  # type: ignore[no-untyped-def]
    """The part (first, last) of a line, 0 to 1, that lies in the picture (Liang and Barsky); last
    is the smaller where none does."""
    first, last = 0.0, 1.0
    if not math.isfinite(x + y + dx + dy):
        return 0.0, -1.0
    for begin, run, size in ((x, dx, width), (y, dy, height)):
        for towards, space in ((-run, begin + room), (run, size + room - begin)):
            if towards < 0.0:
                first = max(first, space / towards)
            elif towards > 0.0:
                last = min(last, space / towards)
            elif space < 0.0:
                return 0.0, -1.0
    return first, last
