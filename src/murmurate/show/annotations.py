"""Annotate pictures: a colour per boid, names beside boids, and a backdrop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.show.projection import Array, Orthographic, ScreenPoints
from murmurate.show.styles import RGB, Style, from_lab
from murmurate.show.text import TextRenderer

MAX_COLOURS = 256  # colours of one picture
GOLDEN_ANGLE = 137.507764  # degrees: consecutive hues are far apart for any number of boids
NAME_SIZE = 0.8  # size of names relative to other text


@dataclass(frozen=True)
class Annotations:
    """Annotations of the boids in a film or still.

    colours  give each boid its own colour, by id and equal in every picture
    names  names of boids by id, written beside them. Empty means no names.
    backdrop  map a frame to a picture (H, W, 3) uint8 on which boids are drawn, instead of the sky
        and scenery of the style
    projection  projection from positions to pixels of the backdrop
    """

    colours: bool = False
    names: Sequence[str] = ()
    backdrop: Callable[[Frame], Array] | None = None
    projection: Orthographic | None = None


def boid_colours(count: int, style: Style, vivid: bool = False) -> Array:
    """Return the colours of boids by id.

    Consecutive ids differ in hue and in lightness. The colour of boid k does not depend on `count`.

    count  number of boids; above 256 colours repeat
    style  style of the picture: light colours on a dark sky and vice versa
    vivid  use higher chroma, for backdrops that have colours themselves
    returns  (P, 3)
    """
    dark = np.mean(style.sky[-1]) < 110
    light = np.array([0.80, 0.70, 0.87] if dark else [0.52, 0.42, 0.60])
    k = np.arange(max(1, min(count, MAX_COLOURS)))
    hue, chroma = np.radians(25.0 + GOLDEN_ANGLE * k), 0.2 if vivid else 0.135 if dark else 0.15
    return from_lab(np.stack([light[k % 3], chroma * np.cos(hue), chroma * np.sin(hue)], axis=-1))


class NamePainter:
    """Write the names of boids beside them, in their colours."""

    def __init__(
        self, style: Style, width: int, height: int, names: Sequence[str], rim: RGB | None = None
    ) -> None:
        """Set `rim` to draw the outline of letters in that colour instead of the background's."""
        self._names, self._rim = names, rim
        scale = NAME_SIZE if rim is None else 1.0
        self._renderer = TextRenderer(style, height, width, scale, "".join(names))

    def draw(
        self, picture: Array, flock: FlockFrame, screen: ScreenPoints, length: Array, colours: Array
    ) -> None:
        """Write the names of a flock. `colours` is (N, 3) and `length` is (N,) pixels."""
        size = self._renderer.size
        height, width = picture.shape[:2]
        for row, animal in enumerate(flock.ids):
            x, y = float(screen.x[row]), float(screen.y[row])
            if not (0 <= x < width and 0 <= y < height) or animal >= len(self._names):
                continue
            right = x + 0.6 * float(length[row]) + 0.25 * size
            red, green, blue = (int(c) for c in colours[row])
            self._renderer.write(
                picture, right, y - 1.05 * size, self._names[animal], (red, green, blue),
                self._rim,
            )  # fmt: skip
