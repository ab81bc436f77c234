"""Canvas: a raster of coverage and colour numbers that boids and lines are drawn on.

Each pixel is 16 bits: its strength (0 to 255) in the high byte, the number of a colour in the low
byte. Drawing keeps the maximum, so the strongest value wins and brings its colour along, whatever
the order of drawing.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from murmurate.show.compositing import with_channels

Array = np.ndarray


@njit(cache=True, nogil=True, boundscheck=False)
def _blend(fours, row, border, picture, palette):  # type: ignore[no-untyped-def]
    """Colours the picture where the raster is not empty, and clears the raster, which is given
    as uint64: four pixels at a time, since most are empty."""
    height, width = picture.shape[0], picture.shape[1]
    for at in range(fours.size):
        four = fours[at]
        if four == 0:
            continue
        fours[at] = 0
        y = 4 * at // row - border
        for k in range(4):
            value = np.int64((four >> np.uint64(16 * k)) & np.uint64(0xFFFF))
            x = 4 * at % row + k - border
            if value == 0 or not (0 <= x < width and 0 <= y < height):
                continue
            part = ((value >> 8) + 1) >> 1  # 0 to 128
            for channel in range(picture.shape[2]):
                below = np.int64(picture[y, x, channel])
                mix = (palette[value & 0xFF, channel] - below) * part
                picture[y, x, channel] = below + ((mix + 64) >> 7)


@njit(cache=True, nogil=True, boundscheck=False)
def _put_max(flat, row, border, width, height, x, y, strength, colour):  # type: ignore[no-untyped-def]
    """Keeps the maximum at each of the pixels that are in the picture."""
    for k in range(len(x)):
        if 0 <= x[k] < width and 0 <= y[k] < height and strength[k] > 0.0:
            at = (y[k] + border) * row + x[k] + border
            value = (np.int64(strength[k] * 255.0 + 0.5) << 8) | np.int64(colour[k])
            flat[at] = max(np.int64(flat[at]), value)


class Canvas:
    """A raster for a picture of width x height pixels, with a border that is never shown."""

    def __init__(self, width: int, height: int, border: int) -> None:
        self.width, self.height, self.border = width, height, border
        self.row = -(-(width + 2 * border) // 4) * 4  # see _blend
        self._raster = np.zeros((height + 2 * border, self.row), np.uint16)
        self._flat = self._raster.reshape(-1)
        self._used = False

    def put(self, index: Array, value: Array) -> None:
        """index: (K,) intp, y * row + x with the border counted; value: (K,) uint16, packed."""
        np.maximum.at(self._flat, index, value)
        self._used = True

    def put_pixels(self, x: Array, y: Array, strength: Array, colour: Array | int) -> None:
        """Pixels by column, row (K,), strength 0 to 1 and colour number; those outside are cut."""
        numbers = colour if isinstance(colour, np.ndarray) else np.full(len(x), colour, np.uint16)
        _put_max(
            self._flat, self.row, self.border, self.width, self.height, x, y, strength, numbers
        )
        self._used = True

    def plane(self) -> tuple[Array, int, int, int, int]:
        """The raster to draw on, flat, and its row, border, width and height; see the file's head
        for what a pixel is."""
        self._used = True
        return self._flat, self.row, self.border, self.width, self.height

    def composite(self, picture: Array, palette: Array) -> None:
        """Blend onto the (height, width, 3 or 4) uint8 picture, and clear the raster.

        palette: (up to 256, 3) colours of 0 to 255; a pixel of full strength is opaque.
        """
        if not self._used:
            return
        _blend(
            self._flat.view(np.uint64),
            self.row,
            self.border,
            picture,
            with_channels(np.asarray(palette, np.int64), picture.shape[2]),
        )
        self._used = False
