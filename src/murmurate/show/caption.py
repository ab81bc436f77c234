"""The caption of a picture: time, number of boids, polarization, and what the colours mean."""

from __future__ import annotations

import numpy as np

from murmurate.frame import Frame
from murmurate.measures import polarization
from murmurate.show.palette import Palette
from murmurate.show.shot import Array
from murmurate.show.styles import Style
from murmurate.show.writing import Writer, draw_bar, draw_wheel


class Caption:
    """Writes one line in the upper left corner; fields keep their place while numbers change."""

    def __init__(self, style: Style, width: int, height: int) -> None:
        self._style = style
        self._writer = Writer(style, height, width)
        self._room = 0.0  # widest time so far

    def draw(self, picture: Array, frame: Frame, palette: Palette) -> None:
        writer, style = self._writer, self._style
        y = 0.8 * writer.size
        x = self._pair(picture, writer.size, y, "t", f"{frame.time:.2f}", True)
        for flock in frame:
            if len(frame.flocks) > 1:
                if palette.hue(flock) is None:
                    writer.dot(picture, x, y, palette.colour(flock.name))
                    x += 0.95 * writer.size
                x = self._pair(picture, x, y, flock.name, f"{len(flock):,}")
            else:
                x = self._pair(picture, x, y, "N", f"{len(flock):,}")
        first = frame.main
        if first is not None and len(first):
            self._pair(picture, x, y, "polarization", f"{polarization(first):.2f}")
        if palette.table is not None and palette.colour_by == "heading":
            draw_wheel(picture, writer, palette.table)
        elif palette.table is not None and np.isfinite(palette.slowest):
            draw_bar(picture, writer, palette.table, palette.slowest, palette.fastest, style)

    def _pair(
        self, picture: Array, x: float, y: float, label: str, value: str, grows: bool = False
    ) -> float:
        """A quiet label and its value; returns where the next pair begins."""
        writer, style = self._writer, self._style
        writer.write(picture, x, y, label, style.quiet)
        x += writer.width(label) + 0.45 * writer.size
        writer.write(picture, x, y, value, style.text)
        wide = writer.width(value)
        if grows:
            wide = self._room = max(self._room, wide)
        return x + wide + 1.5 * writer.size
