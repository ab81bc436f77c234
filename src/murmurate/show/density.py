"""Show the density of large flocks, as colour or as haze.

`Density` draws the number of boids in each pixel as a colour. `draw_haze` draws a haze behind boids
that are drawn singly, because these do not show how many boids are behind each other.
"""

from __future__ import annotations

import numpy as np

from murmurate.jit import stored
from murmurate.show.canvas import with_channels
from murmurate.show.palette import Hue

Array = np.ndarray


SPAN = 16.0  # range of the logarithm: pixels with 1 / SPAN of the peak are still well visible
LEVELS = 256
_ADAPT = 0.08  # rate at which the exposure adapts, per picture


class Density:
    """Shade one flock. The exposure adapts slowly, so that films do not flicker.

    thin, thick  (3,) colours of a single boid and of the densest parts, sRGB from 0 to 255
    floor  opacity of a single boid, from 0 to 1
    """

    def __init__(self, thin: Array, thick: Array, floor: float) -> None:
        level = np.linspace(0.0, 1.0, LEVELS)[:, None]
        self._thin, self._thick = np.asarray(thin, float), np.asarray(thick, float)
        self._colours = self._thin + (self._thick - self._thin) * level**2
        self._alpha = np.minimum(1.0, floor + (1.05 - floor) * level)
        self._alpha[0] = 0.0
        self._peak: float | None = None

    def draw(
        self, picture: Array, x: Array, y: Array, strength: Array | float,
        hue: Hue | None = None,
    ) -> None:  # fmt: skip
        """Shade N boids onto a picture.

        picture  (H, W, 3 or 4) changed in place
        x, y  (N,) pixels
        strength  (N,) weight of each boid in the density
        hue  colours of single boids. A pixel gets the mean number of those that have one.
        """
        height, width = picture.shape[:2]
        seen = np.flatnonzero((x >= 0) & (x < width) & (y >= 0) & (y < height))
        if len(seen) == 0:
            return
        x, y = x[seen].astype(np.intp), y[seen].astype(np.intp)
        left, top = max(0, x.min() - 2), max(0, y.min() - 2)
        wide, high = min(width, x.max() + 3) - left, min(height, y.max() + 3) - top
        index = (y - top) * wide + (x - left)
        weight = strength[seen] if isinstance(strength, np.ndarray) else None

        def total(values: Array | None) -> Array:
            weights = weight if values is None else values if weight is None else weight * values
            sums = np.bincount(index, weights, minlength=high * wide)
            return smooth(sums.reshape(high, wide).astype(np.float32))

        amount = total(None)
        level = self._expose(amount)
        pixels = np.flatnonzero(level.ravel())
        level = level.ravel()[pixels]
        colour = self._colours.astype(np.float32)[level]
        if hue is not None:
            number, count = hue.numbers[seen], len(hue.table)
            valid = number >= 0
            if hue.cyclic:
                turn = 2.0 * np.pi / count
                cos, sin = (
                    total(np.where(valid, function(number * turn), 0.0)).ravel()[pixels]
                    for function in (np.cos, np.sin)
                )
                mean = np.arctan2(sin, cos) / turn % count
            else:
                sums = total(np.where(valid, number, 0.0)).ravel()[pixels]
                numbered = amount if valid.all() else total(valid.astype(np.float64))
                mean = sums / np.maximum(numbered.ravel()[pixels], np.float32(1e-30))
            own = hue.table.astype(np.float32)[np.minimum(mean, count - 1).astype(np.intp)]
            # Mix in only part of the dense colour, so that hues stay readable in dense parts.
            mixed = own + (self._thick - own) * (0.35 * (level[:, None] / (LEVELS - 1.0)) ** 2)
            if not valid.all():  # pixels without a number keep the colour of the flock
                has_number = total(valid.astype(np.float64)).ravel()[pixels] > 0
                mixed = np.where(has_number[:, None], mixed, colour)
            colour = mixed
        window = picture[top : top + high, left : left + wide]
        channels = picture.shape[2]
        rows, columns = np.divmod(pixels, wide)
        below = window[rows, columns].astype(np.float32)
        below += (with_channels(colour, channels) - below) * self._alpha.astype(np.float32)[level]
        window[rows, columns] = (below + 0.5).astype(np.uint8)

    def _expose(self, amount: Array) -> Array:
        """Map amounts to levels, on a logarithmic scale up to the slowly adapting peak."""
        positive = amount.ravel()
        positive = positive[positive > 0]
        sample = positive[:: max(1, len(positive) // 20_000)]
        peak = max(float(np.quantile(sample, 0.995)), 1.0)
        if self._peak is None:
            self._peak = peak
        self._peak *= (peak / self._peak) ** _ADAPT
        bright = np.log1p(amount * np.float32(SPAN / self._peak)) / np.float32(np.log1p(SPAN))
        return np.minimum(np.ceil(bright * (LEVELS - 1)), LEVELS - 1).astype(np.intp)


def smooth(plane: Array) -> Array:
    """Smooth with weights 1 2 1 along both axes. Only the outermost pixels lose weight."""
    for _ in range(2):
        out = plane * np.float32(0.5)
        out[1:] += plane[:-1] * np.float32(0.25)
        out[:-1] += plane[1:] * np.float32(0.25)
        plane = np.ascontiguousarray(out.T)
    return plane


# --- haze

HAZE_CELL = 6  # pixels of a cell in which the coverage of boids is added up, at 720 lines
BOID_AREA = 0.1  # area of a boid seen from any side, relative to its squared length
HAZE_START = (
    0.3  # coverage, the mean number of boids in front of each other, from which it is drawn
)
MAX_HAZE = 0.85  # largest opacity
HAZE_RATE = 0.8  # opacity per coverage, where it begins


def draw_haze(
    picture: Array, x: Array, y: Array, length: Array, colour: Array, unit: float,
    opacity: float = 1.0,
) -> None:  # fmt: skip
    """Draw the haze of N boids.

    picture  (H, W, 3 or 4) changed in place
    x, y, length  (N,) positions and lengths of boids in pixels. Boids with a nan are left out.
    colour  (3 or 4,) colour with the channels of the picture, from 0 to 255
    unit  height of the picture relative to 720 lines
    opacity  opacity relative to that of a full haze
    """
    side = max(4, 2 * round(HAZE_CELL * unit / 2))  # even, so that its centre is between pixels
    height, width = picture.shape[:2]
    rows, columns = height // side + 5, width // side + 5  # two cells of margin
    seen = np.flatnonzero((x >= 0) & (x < width) & (y >= 0) & (y < height) & np.isfinite(length))
    index = (y[seen].astype(np.intp) // side + 2) * columns + x[seen].astype(np.intp) // side + 2
    area = BOID_AREA * np.square(length[seen], dtype=np.float64) / (side * side)
    coverage = np.bincount(index, area, minlength=rows * columns).reshape(rows, columns)
    excess = np.maximum(smooth(smooth(coverage.astype(np.float32))) - np.float32(HAZE_START), 0.0)
    if excess.any():
        strength = np.float32(MAX_HAZE * opacity) * (1.0 - np.exp(-HAZE_RATE * excess))
        _blend(picture.transpose(2, 0, 1), side, strength, colour.astype(np.float32))


@stored(error_model="numpy")
def _blend(picture, side, strength, colour):  # type: ignore[no-untyped-def]
    """Blend the colour with the strength of cells, interpolated between their centres."""
    channels, height, width = picture.shape
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
                        below = np.float32(picture[channel, y, x])
                        mix = below + (colour[channel] - below) * part + np.float32(0.5)
                        picture[channel, y, x] = np.uint8(mix)
