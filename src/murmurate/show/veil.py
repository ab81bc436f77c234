"""Veil: a haze behind the boids of a flock in depth, the thicker the more of them lie behind each
other, which boids drawn one by one do not show."""

from __future__ import annotations

import numpy as np
from numba import njit

from murmurate.show.density import smooth

Array = np.ndarray

CELL = 6  # pixels of a cell in which what boids cover is added up, at 720 lines
BOID = 0.1  # of its length squared: the area of a boid, seen from any side
BEGIN, MOST, RISE = 0.3, 0.85, 0.8  # how often a place is covered where it begins; its strength


def draw_veil(
    picture: Array, x: Array, y: Array, length: Array, colour: Array, unit: float
) -> None:
    """Draw the haze of boids at pixels x, y (N,), of these lengths (N,), in one colour."""
    side = max(4, 2 * round(CELL * unit / 2))  # even: its middle is between pixels
    height, width = picture.shape[:2]
    rows, columns = height // side + 5, width // side + 5  # two cells of margin
    seen = np.flatnonzero((x >= 0) & (x < width) & (y >= 0) & (y < height) & np.isfinite(length))
    index = (y[seen].astype(np.intp) // side + 2) * columns + x[seen].astype(np.intp) // side + 2
    area = BOID * np.square(length[seen], dtype=np.float64) / (side * side)
    covered = np.bincount(index, area, minlength=rows * columns).reshape(rows, columns)
    thick = np.maximum(smooth(smooth(covered.astype(np.float32))) - np.float32(BEGIN), 0.0)
    if thick.any():
        _blend(picture, side, MOST * (1.0 - np.exp(-RISE * thick)), colour.astype(np.float32))


@njit(cache=True, nogil=True, error_model="numpy")
def _blend(picture, side, strength, colour):  # type: ignore[no-untyped-def]
    """Lays the colour on the picture, as strong as the cells say: linearly between the middles of
    four cells, most of which are empty."""
    height, width, channels = picture.shape
    for row in range(strength.shape[0] - 1):
        top = row * side - 3 * side // 2
        for column in range(strength.shape[1] - 1):
            a, b = strength[row, column], strength[row, column + 1]
            c, d = strength[row + 1, column], strength[row + 1, column + 1]
            if max(a, b, c, d) < np.float32(0.004):
                continue
            left = column * side - 3 * side // 2
            for y in range(max(top, 0), min(top + side, height)):
                down = np.float32((y - top + 0.5) / side)
                begin, end = a + (c - a) * down, b + (d - b) * down
                for x in range(max(left, 0), min(left + side, width)):
                    part = begin + (end - begin) * np.float32((x - left + 0.5) / side)
                    for channel in range(channels):
                        below = np.float32(picture[y, x, channel])
                        mix = below + (colour[channel] - below) * part + np.float32(0.5)
                        picture[y, x, channel] = np.uint8(mix)
