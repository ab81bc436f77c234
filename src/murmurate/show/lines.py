"""Antialiased straight lines, many at once (Wu's method, vectorised)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numba import njit

from murmurate.show.canvas import Canvas

Array = np.ndarray
# (x, y, 1 / depth) of pixels, (K,) each -> which of them are behind an obstacle.
IsHidden = Callable[[Array, Array, Array], Array]

_AT_ONCE = 400_000  # pixels handled at a time


def draw_lines(
    canvas: Canvas,
    start: tuple[Array, Array],
    end: tuple[Array, Array],
    strength: tuple[Array, Array],
    colour: Array | int = 0,
    width: float = 1.0,
    hidden: IsHidden | None = None,
    nearness: tuple[Array, Array] | None = None,
) -> None:
    """Draw N lines.

    start, end  x and y in pixels, (N,) each; a line with a nan is left out
    strength    at the start and the end, (N,) of 0 to 1; runs evenly along the line
    colour      colour number, (N,) uint16 or one for all
    width       pixels
    hidden      called with (x, y, 1 / depth) of pixels, gives which of them are behind an obstacle
    nearness    1 / depth at the start and the end, (N,) each; needed with `hidden`
    """
    x0, y0, x1, y1 = (np.asarray(a, np.float64) for a in (*start, *end))
    near0, near1 = nearness if nearness is not None else (np.zeros_like(x0), np.zeros_like(x0))
    first, last = _clip(canvas, x0, y0, x1, y1, width)
    kept = np.flatnonzero(first < last)
    if len(kept) == 0:
        return
    first, last = first[kept], last[kept]
    x0, y0, dx, dy = x0[kept], y0[kept], (x1 - x0)[kept], (y1 - y0)[kept]
    s0, ds = strength[0][kept], (strength[1] - strength[0])[kept]
    n0, dn = near0[kept], (near1 - near0)[kept]
    number = colour[kept] if isinstance(colour, np.ndarray) else np.full(len(kept), colour)
    longest = (last - first) * np.maximum(np.abs(dx), np.abs(dy)) + 2.0
    room = np.cumsum(longest * (np.ceil(1.5 * width) + 2.0))  # pixels of lines so far, at most
    begin_at = 0
    while begin_at < len(kept):
        base = room[begin_at - 1] if begin_at else 0.0
        stop_at = max(begin_at + 1, int(np.searchsorted(room, base + _AT_ONCE, side="right")))
        part = slice(begin_at, stop_at)
        most = int(room[stop_at - 1] - base) + 1
        x, y, which = np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most, np.int32)
        strengths, near = np.empty(most), np.empty(most)
        found = _rasterize(
            x0[part], y0[part], dx[part], dy[part], first[part], last[part], s0[part], ds[part],
            n0[part], dn[part], width, x, y, which, strengths, near,
        )  # fmt: skip
        x, y, strengths = x[:found], y[:found], strengths[:found]
        if hidden is not None:
            strengths[hidden(x, y, near[:found])] = 0.0
        canvas.put_pixels(x, y, strengths, number[part].take(which[:found]))
        begin_at = stop_at


@njit(cache=True, nogil=True, error_model="numpy")
def _rasterize(  # type: ignore[no-untyped-def]
    x0, y0, dx, dy, first, last, s0, ds, n0, dn, width, x, y, which, strengths, near
):
    """Writes the pixels of lines, one after the other along their longer axis, with the strength,
    nearness and line; returns how many."""
    found = 0
    for line in range(len(x0)):
        steep = abs(dy[line]) > abs(dx[line])
        major0, major = (y0[line], dy[line]) if steep else (x0[line], dx[line])
        minor0, minor = (x0[line], dx[line]) if steep else (y0[line], dy[line])
        begin, finish = major0 + first[line] * major, major0 + last[line] * major
        divisor = 1.0 if major == 0.0 else major
        slope = minor / divisor
        half = 0.5 * width * math.sqrt(1.0 + slope * slope)  # measured along the minor axis
        taps = math.ceil(2.0 * half) + 1
        for pixel in range(math.floor(min(begin, finish)), math.floor(max(begin, finish)) + 1):
            t = min(max((pixel + 0.5 - major0) / divisor, first[line]), last[line])
            middle = minor0 + t * minor
            lowest = math.floor(middle - half)
            for cross in range(lowest, lowest + taps):
                cover = min(max(half + 0.5 - abs(cross + 0.5 - middle), 0.0), 1.0)
                if cover > 0.0 and found < len(x):
                    x[found], y[found] = (cross, pixel) if steep else (pixel, cross)
                    which[found] = line
                    strengths[found] = (s0[line] + t * ds[line]) * cover
                    near[found] = n0[line] + t * dn[line]
                    found += 1
    return found


def _clip(
    canvas: Canvas, x0: Array, y0: Array, x1: Array, y1: Array, width: float
) -> tuple[Array, Array]:
    """The part (first, last) of each line, 0 to 1, that lies in the picture (Liang and Barsky)."""
    first, last = np.zeros(len(x0)), np.ones(len(x0))
    room = width + 1.0
    for begin, run, size in ((x0, x1 - x0, canvas.width), (y0, y1 - y0, canvas.height)):
        for towards, space in ((-run, begin + room), (run, size + room - begin)):
            crossing = space / np.where(towards == 0.0, 1.0, towards)
            first = np.where(towards < 0.0, np.maximum(first, crossing), first)
            last = np.where(towards > 0.0, np.minimum(last, crossing), last)
            last = np.where((towards == 0.0) & (space < 0.0), -1.0, last)
    whole = np.isfinite(x0 + y0 + x1 + y1)
    return first, np.where(whole, last, -1.0)
