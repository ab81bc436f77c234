"""Canvas: a raster of coverage and colour numbers that boids and lines are drawn on.

Each pixel is 16 bits: its strength (0 to 255) in the high byte, the number of a colour in the low
byte. Drawing keeps the maximum, so the strongest value wins and brings its colour along, whatever
the order of drawing.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from murmurate.show.channels import with_channels

Array = np.ndarray


BLOCK = 5  # bits of a pixel's number within its block


@njit(cache=True, nogil=True, boundscheck=False)
def _blend(fours, touched, row, border, picture, palette):  # type: ignore[no-untyped-def]
    """Colours the picture where the raster is not empty, and clears it, block by block.

    fours  the raster, four pixels a number: most are empty, and passed over together
    """
    height, width, channels = picture.shape
    for block in range(len(touched)):
        if not touched[block]:
            continue
        touched[block] = False
        y, left = (block << BLOCK) // row - border, (block << BLOCK) % row - border
        for part in range(1 << (BLOCK - 2)):
            four = fours[(block << (BLOCK - 2)) + part]
            if four == 0:
                continue
            fours[(block << (BLOCK - 2)) + part] = 0
            for k in range(4):
                value, x = np.int32((four >> np.uint64(16 * k)) & np.uint64(0xFFFF)), left + k
                if value != 0 and 0 <= x + 4 * part < width and 0 <= y < height:
                    _mix(picture, y, x + 4 * part, 0, value, palette)
                    _mix(picture, y, x + 4 * part, 1, value, palette)
                    _mix(picture, y, x + 4 * part, 2, value, palette)
                    if channels > 3:
                        _mix(picture, y, x + 4 * part, 3, value, palette)


@njit(cache=True, nogil=True, boundscheck=False, inline="always")
def _mix(picture, y, x, channel, value, palette):  # type: ignore[no-untyped-def]
    """One channel of a pixel, nearer to its colour by its strength."""
    below, share = np.int32(picture[y, x, channel]), ((value >> 8) + 1) >> 1  # 0 to 128
    mix = (palette[value & 0xFF, channel] - below) * share
    picture[y, x, channel] = below + ((mix + 64) >> 7)


@njit(cache=True, nogil=True, boundscheck=False)
def keep_max(flat, touched, at, value):  # type: ignore[no-untyped-def]
    """Writes a packed value to pixel number `at` of a raster, where it is the larger."""
    flat[at] = max(np.int64(flat[at]), value)
    touched[at >> BLOCK] = True


@njit(cache=True, nogil=True, boundscheck=False)
def _put(flat, touched, index, values):  # type: ignore[no-untyped-def]
    for k in range(len(index)):
        keep_max(flat, touched, index[k], np.int64(values[k]))


@njit(cache=True, nogil=True, boundscheck=False)
def _put_pixels(flat, touched, row, border, width, height, x, y, strength, colour):  # type: ignore[no-untyped-def]
    """Pixels that are in the picture."""
    for k in range(len(x)):
        if 0 <= x[k] < width and 0 <= y[k] < height and strength[k] > 0.0:
            value = (np.int64(strength[k] * 255.0 + 0.5) << 8) | np.int64(colour[k])
            keep_max(flat, touched, (y[k] + border) * row + x[k] + border, value)


class Canvas:
    """A raster for a picture of width x height pixels, with a border that is never shown.

    It remembers in which blocks of pixels, parts of a row, something was drawn: most are empty.
    """

    def __init__(self, width: int, height: int, border: int) -> None:
        self.width, self.height, self.border = width, height, border
        self.row = -(-(width + 2 * border) >> BLOCK) << BLOCK
        self._flat = np.zeros((height + 2 * border) * self.row, np.uint16)
        self._fours = self._flat.view(np.uint64)
        self._touched = np.zeros(len(self._flat) >> BLOCK, np.bool_)

    def put(self, index: Array, value: Array) -> None:
        """index: (K,) intp, y * row + x with the border counted; value: (K,) uint16, packed."""
        _put(self._flat, self._touched, index, value)

    def put_pixels(self, x: Array, y: Array, strength: Array, colour: Array | int) -> None:
        """Pixels by column, row (K,), strength 0 to 1 and colour number; those outside are cut."""
        numbers = colour if isinstance(colour, np.ndarray) else np.full(len(x), colour, np.uint16)
        _put_pixels(*self.plane(), x, y, strength, numbers)

    def plane(self) -> tuple[Array, Array, int, int, int, int]:
        """The raster to draw on, flat, and which of its blocks were drawn on, which `keep_max`
        keeps; its row, border, width and height. See the file's head for what a pixel is."""
        return self._flat, self._touched, self.row, self.border, self.width, self.height

    def composite(self, picture: Array, palette: Array) -> None:
        """Blend onto the (height, width, 3 or 4) uint8 picture, and clear the raster.

        palette: (up to 256, 3) colours of 0 to 255; a pixel of full strength is opaque.
        """
        colours = with_channels(np.asarray(palette, np.int32), picture.shape[2])
        _blend(self._fours, self._touched, self.row, self.border, picture, colours)
