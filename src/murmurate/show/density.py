"""Density shading: the number of boids in each pixel as colour, for very large flocks."""

from __future__ import annotations

import numpy as np

from murmurate.show.channels import with_channels

Array = np.ndarray

SPAN = 16.0  # the logarithm's range: a pixel this much thinner than the peak is still well seen
LEVELS = 256
_ADAPT = 0.08  # how fast the exposure follows from picture to picture


class Density:
    """Shades one flock. Keeps its exposure from picture to picture, so that films do not flicker.

    thin, thick  (3,) colours of a single boid's and of the densest places
    blur         whether to smooth over neighbouring pixels
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
        hue: tuple[Array, Array] | None = None, cyclic: bool = False,
    ) -> None:  # fmt: skip
        """Shade boids at pixels x, y (N,), each counting `strength`, onto (H, W, 3 or 4) uint8.

        hue     colour numbers (N,) of 0 to P - 1 and a (P, 3) palette: a pixel has the mean number
        cyclic  whether the numbers go round, as headings do
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
            both = weight if values is None else values if weight is None else weight * values
            counted = np.bincount(index, both, minlength=high * wide)
            return smooth(counted.reshape(high, wide).astype(np.float32))

        amount = total(None)
        level = self._expose(amount)
        where = np.flatnonzero(level.ravel())
        level = level.ravel()[where]
        colour = self._colours.astype(np.float32)[level]
        if hue is not None:
            number, palette = hue[0][seen], hue[1]
            count = len(palette)
            if cyclic:
                turn = 2.0 * np.pi / count
                cos, sin = total(np.cos(number * turn)), total(np.sin(number * turn))
                mean = np.arctan2(sin.ravel()[where], cos.ravel()[where]) / turn % count
            else:
                mean = total(number.astype(np.float64)).ravel()[where] / amount.ravel()[where]
            own = palette.astype(np.float32)[np.minimum(mean, count - 1).astype(np.intp)]
            # Hues stay readable in the thick of the flock: go only part of the way to its colour.
            colour = own + (self._thick - own) * (0.35 * (level[:, None] / (LEVELS - 1.0)) ** 2)
        window = picture[top : top + high, left : left + wide]
        channels = picture.shape[2]
        below = window.reshape(-1, channels)[where].astype(np.float32)
        below += (with_channels(colour, channels) - below) * self._alpha.astype(np.float32)[level]
        rows, columns = np.divmod(where, wide)
        window[rows, columns] = (below + 0.5).astype(np.uint8)

    def _expose(self, amount: Array) -> Array:
        """Amounts -> levels, on a logarithmic scale up to the (slowly adapting) densest places."""
        some = amount.ravel()
        some = some[some > 0]
        peak = max(float(np.quantile(some[:: max(1, len(some) // 20_000)], 0.995)), 1.0)
        if self._peak is None:
            self._peak = peak
        self._peak *= (peak / self._peak) ** _ADAPT
        bright = np.log1p(amount * np.float32(SPAN / self._peak)) / np.float32(np.log1p(SPAN))
        levels: Array = np.minimum(np.ceil(bright * (LEVELS - 1)), LEVELS - 1).astype(np.intp)
        return levels


def smooth(plane: Array) -> Array:
    """Weights 1 2 1 along both axes: the total stays the same but for the outermost pixels."""
    for _ in range(2):
        out = plane * np.float32(0.5)
        out[1:] += plane[:-1] * np.float32(0.25)
        out[:-1] += plane[1:] * np.float32(0.25)
        plane = np.ascontiguousarray(out.T)
    return plane
