"""Strokes: antialiased straight lines, very many at once (Wu's method, vectorised)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from murmurate.show.ink import Ink

Array = np.ndarray
# (x, y, 1 / depth) of pixels, (K,) each -> which of them something solid hides.
Hides = Callable[[Array, Array, Array], Array]

_AT_ONCE = 400_000  # pixels handled at a time


def stroke(
    ink: Ink, start: tuple[Array, Array], end: tuple[Array, Array], strength: tuple[Array, Array],
    colour: Array | int = 0, width: float = 1.0, hidden: Hides | None = None,
    nearness: tuple[Array, Array] | None = None,
) -> None:  # fmt: skip
    """Draw N lines.

    start, end  x and y in pixels, (N,) each; a line with a nan is left out
    strength    at the start and the end, (N,) of 0 to 1; runs evenly along the line
    colour      colour number, (N,) uint16 or one for all
    width       pixels
    hidden      called with (x, y, 1 / depth) of pixels, says which of them something solid hides
    nearness    1 / depth at the start and the end, (N,) each; needed with `hidden`
    """
    x0, y0, x1, y1 = (np.asarray(a, np.float64) for a in (*start, *end))
    near0, near1 = nearness if nearness is not None else (np.zeros_like(x0), np.zeros_like(x0))
    first, last = _clip(ink, x0, y0, x1, y1, width)
    kept = np.flatnonzero(first < last)
    if len(kept) == 0:
        return
    first, last = first[kept], last[kept]
    x0, y0, dx, dy = x0[kept], y0[kept], (x1 - x0)[kept], (y1 - y0)[kept]
    s0, ds = strength[0][kept], (strength[1] - strength[0])[kept]
    n0, dn = near0[kept], (near1 - near0)[kept]
    number = colour[kept] if isinstance(colour, np.ndarray) else None
    steep = np.abs(dy) > np.abs(dx)
    major0, major = np.where(steep, y0, x0), np.where(steep, dy, dx)
    minor0, minor = np.where(steep, x0, y0), np.where(steep, dx, dy)
    begin, finish = major0 + first * major, major0 + last * major
    low = np.floor(np.minimum(begin, finish)).astype(np.intp)
    count = np.floor(np.maximum(begin, finish)).astype(np.intp) - low + 1
    slope = minor / np.where(major == 0.0, 1.0, major)
    half = 0.5 * width * np.sqrt(1.0 + slope * slope)  # measured along the minor axis
    taps = int(np.ceil(2.0 * half.max())) + 1
    ends = np.cumsum(count)
    begin_at = 0
    while begin_at < len(count):
        base = ends[begin_at - 1] if begin_at else 0
        stop_at = max(begin_at + 1, int(np.searchsorted(ends, base + _AT_ONCE, side="right")))
        part = slice(begin_at, stop_at)
        line = np.repeat(np.arange(begin_at, stop_at), count[part])
        along = np.arange(len(line)) - (ends[part] - count[part] - base)[line - begin_at]
        pixel = low[line] + along
        divisor = np.where(major[line] == 0.0, 1.0, major[line])
        t = np.clip((pixel + 0.5 - major0[line]) / divisor, first[line], last[line])
        middle = minor0[line] + t * minor[line]
        tone = s0[line] + t * ds[line]
        lowest = np.floor(middle - half[line]).astype(np.intp)
        for tap in range(taps):
            cross = lowest + tap
            cover = np.clip(half[line] + 0.5 - np.abs(cross + 0.5 - middle), 0.0, 1.0)
            x, y = np.where(steep[line], cross, pixel), np.where(steep[line], pixel, cross)
            marks = tone * cover
            if hidden is not None:
                marks[hidden(x, y, n0[line] + t * dn[line])] = 0.0
            ink.mark_pixels(x, y, marks, number[line] if number is not None else colour)
        begin_at = stop_at


def _clip(
    ink: Ink, x0: Array, y0: Array, x1: Array, y1: Array, width: float
) -> tuple[Array, Array]:
    """The part (first, last) of each line, 0 to 1, that lies in the picture (Liang and Barsky)."""
    first, last = np.zeros(len(x0)), np.ones(len(x0))
    room = width + 1.0
    for begin, run, size in ((x0, x1 - x0, ink.width), (y0, y1 - y0, ink.height)):
        for towards, space in ((-run, begin + room), (run, size + room - begin)):
            crossing = space / np.where(towards == 0.0, 1.0, towards)
            first = np.where(towards < 0.0, np.maximum(first, crossing), first)
            last = np.where(towards > 0.0, np.minimum(last, crossing), last)
            last = np.where((towards == 0.0) & (space < 0.0), -1.0, last)
    whole = np.isfinite(x0 + y0 + x1 + y1)
    return first, np.where(whole, last, -1.0)
