"""Ink: a sheet of strengths and colour numbers that boids and lines are drawn on.

Each pixel holds strength (0 to 255) in its high byte and the number of a colour in its low byte.
Drawing keeps the maximum, so the strongest mark wins and brings its colour along, in any order of
drawing: pictures do not depend on who came first.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


class Ink:
    """A sheet for a picture of width x height pixels, with a border that is never seen."""

    def __init__(self, width: int, height: int, border: int) -> None:
        self.width, self.height, self.border = width, height, border
        self.row = width + 2 * border
        self._sheet = np.zeros((height + 2 * border, self.row), np.uint16)
        self._flat = self._sheet.reshape(-1)
        self._first = border * self.row + border  # where the picture begins on the sheet
        self._used = False

    def mark(self, index: Array, value: Array) -> None:
        """index: (K,) intp, y * row + x with the border counted; value: (K,) uint16, packed."""
        np.maximum.at(self._flat, index, value)
        self._used = True

    def mark_pixels(self, x: Array, y: Array, strength: Array, colour: Array | int) -> None:
        """Pixels by column, row (K,), strength 0 to 1 and colour number; those outside are cut."""
        seen = (x >= 0) & (x < self.width) & (y >= 0) & (y < self.height) & (strength > 0.0)
        index = (y[seen] + self.border) * np.intp(self.row) + (x[seen] + self.border)
        value = (strength[seen] * 255.0 + 0.5).astype(np.uint16) << np.uint16(8)
        number = colour[seen] if isinstance(colour, np.ndarray) else np.uint16(colour)
        self.mark(index.astype(np.intp), value | number)

    def lay_on(self, picture: Array, palette: Array) -> None:
        """Colour the (height, width, 3) uint8 picture, and leave the sheet clean.

        palette: (up to 256, 3) colours of 0 to 255; a mark of full strength covers what is there.
        """
        if not self._used:
            return
        inner = self._sheet[self.border : -self.border, self.border : -self.border]
        # Few rows are marked by lines and letters; the others are passed over.
        marked = np.flatnonzero(inner.any(axis=1))
        inner = inner[marked[0] : marked[-1] + 1] if len(marked) else inner[:0]
        where = np.flatnonzero(inner != 0) + (marked[0] if len(marked) else 0) * self.width
        rows = where // self.width
        value = self._flat.take(where + (rows * (2 * self.border) + self._first))
        pixels = picture.reshape(-1, 3)
        blended = pixels.take(where, axis=0)
        # Strengths of 0 to 128 keep the products within 16 bits, which is twice as fast.
        part = ((value >> 8) + 1 >> 1).astype(np.int16)
        number = (value & 0xFF).astype(np.intp)
        for channel in range(3):  # along pixels: numpy is slow along rows of three
            below = blended[:, channel].astype(np.int16)
            mix = np.asarray(palette)[:, channel].astype(np.int16).take(number)
            mix -= below
            mix *= part
            mix += 64
            mix >>= 7
            mix += below
            blended[:, channel] = mix
        pixels[where] = blended
        self._sheet.fill(0)
        self._used = False
