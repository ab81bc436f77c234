"""The caption of a picture: time, number of boids, polarization, and what the colours mean."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import Frame
from murmurate.measures import polarization, valid_rows
from murmurate.show.palette import Palette
from murmurate.show.projection import Array
from murmurate.show.styles import Style
from murmurate.show.text import WHEEL_END, TextRenderer, draw_bar, draw_wheel

ROOM = 0.25  # of the picture's height: where writing would take more, there is none


class Caption:
    """Draws one line in the upper left corner; fields keep their place while numbers change.

    `height`: pixels from the upper edge that the line and its legend take
    """

    def __init__(self, style: Style, width: int, height: int) -> None:
        self._style = style
        self._renderer = TextRenderer(style, height, width)
        self._top = 0.8 * self._renderer.size
        high = WHEEL_END * self._renderer.size
        self.height = high if high <= ROOM * height else 0.0
        self._room = 0.0  # widest time so far
        self._end = math.inf  # what begins from here on has no room: it is left out for good

    def draw(self, picture: Array, frame: Frame, palette: Palette) -> None:
        renderer, style, y = self._renderer, self._style, self._top
        if not self.height:
            return
        right = float(picture.shape[1])
        if palette.table is not None and palette.colour_by == "heading":
            right = draw_wheel(picture, renderer, palette.table)
        elif palette.table is not None and np.isfinite(palette.slowest):
            ends = (palette.slowest, palette.fastest)
            right = draw_bar(picture, renderer, y, palette.table, *ends, style)
        x = self._draw_field(picture, right, renderer.size, "t", f"{frame.time:.2f}", grows=True)
        for flock in frame:
            label, dot, seen = "N", None, len(valid_rows(flock, "positions"))
            if len(frame.flocks) > 1:
                label = flock.name
                dot = palette.colour(label) if palette.hue(flock) is None else None
            x = self._draw_field(picture, right, x, label, f"{seen:,}", dot)
        first = frame.main
        if first is not None and len(first):
            self._draw_field(picture, right, x, "polarization", f"{polarization(first):.2f}")

    def _draw_field(
        self, picture: Array, right: float, x: float, label: str, value: str,
        dot: Array | None = None, grows: bool = False,
    ) -> float:  # fmt: skip
        """A quiet label and its value, with a dot before them; returns where the next begins."""
        renderer, style, y = self._renderer, self._style, self._top
        at = x + (0.0 if dot is None else 0.95 * renderer.size)
        second = at + renderer.width(label) + 0.45 * renderer.size
        wide = renderer.width(value)
        if grows:
            wide = self._room = max(self._room, wide)
        if second + wide + 0.5 * renderer.size > right:
            self._end = min(self._end, x)
        if x < self._end:
            if dot is not None:
                renderer.dot(picture, x, y, dot)
            renderer.write(picture, at, y, label, style.quiet)
            renderer.write(picture, second, y, value, style.text)
        return second + wide + 1.5 * renderer.size
