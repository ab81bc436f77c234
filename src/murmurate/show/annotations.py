"""Annotations of pictures: a colour per boid, names beside boids, a picture behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.show.colours import RGB, from_lab
from murmurate.show.projection import Array, Orthographic, ScreenPoints
from murmurate.show.styles import Style
from murmurate.show.text import TextRenderer

MOST = 256  # colours that a picture can tell apart
GOLDEN = 137.507764  # degrees: hues that follow each other are far apart, however many there are
SMALLER = 0.8  # letters of names, in sizes of others


@dataclass(frozen=True)
class Annotations:
    """What is drawn beside the boids of a model.

    colours     whether each boid has a colour of its own, by its id, the same in every picture
    names       of boids, by id, written beside them; empty: none
    backdrop    frame -> (H, W, 3) uint8 picture, on which the boids are drawn instead of on the
                style's sky and scenery
    projection  from positions to pixels, with a backdrop
    """

    colours: bool = False
    names: Sequence[str] = ()
    backdrop: Callable[[Frame], Array] | None = None
    projection: Orthographic | None = None


def boid_colours(count: int, style: Style, vivid: bool = False) -> Array:
    """(P, 3) one colour for each of so many boids, at most 256: those of ids that follow each other
    differ in hue and in lightness. Boid k has the same colour however many others there are.

    vivid  purer colours, for pictures that have colours themselves
    """
    dark = np.mean(style.sky[-1]) < 110
    light = np.array([0.80, 0.70, 0.87] if dark else [0.52, 0.42, 0.60])
    k = np.arange(max(1, min(count, MOST)))
    hue, chroma = np.radians(25.0 + GOLDEN * k), 0.2 if vivid else 0.135 if dark else 0.15
    return from_lab(np.stack([light[k % 3], chroma * np.cos(hue), chroma * np.sin(hue)], axis=-1))


class NamePainter:
    """Writes names beside boids, each in its colour."""

    def __init__(
        self, style: Style, width: int, height: int, names: Sequence[str], rim: RGB | None = None
    ) -> None:
        """rim: colour around the letters; what lies behind them unless given."""
        self._names, self._rim = names, rim
        larger = SMALLER if rim is None else 1.0
        self._renderer = TextRenderer(style, height, width, larger, "".join(names))

    def draw(
        self, picture: Array, flock: FlockFrame, screen: ScreenPoints, length: Array, colours: Array
    ) -> None:
        """colours: (N, 3), one a boid."""
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
