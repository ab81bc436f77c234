"""How flocks look in scenes: the size of a boid, colours as light, frames a second."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.frame import FlockFrame, Frame
from murmurate.model.view import Look
from murmurate.show.palette import Palette
from murmurate.show.styles import STYLES

Light = tuple[float, float, float]
Array = np.ndarray

SHADES = 16  # of headings or speeds: so many colours a scene has of the film's table of them


class Appearance:
    """What a scene takes from the model's view, and from the options of an export.

    frames_per_second  frames of the recording in a second of playing
    style              the view's style
    """

    def __init__(self, selection: Selection, options: Options) -> None:
        scene = selection.recording.scene
        self.frames_per_second = options.frames_per_second or scene.view.frames_per_second
        self.style = STYLES[scene.view.style]
        self._size = options.boid_size or scene.view.boid_size or default_boid_size(selection)
        self._looks = {name: flock.look for name, flock in scene.flocks.items()}
        self._palette = Palette(self.style, scene.view.colour_by, self._looks)
        self.learn(selection.recording[0])

    def size(self, flock: str) -> float:
        """The length of its boids, length units."""
        return float(self._size * self._looks.get(flock, Look()).scale)

    def shape(self, flock: str) -> str:
        """What its boids are drawn as: see Look.shape."""
        return str(self._looks.get(flock, Look()).shape)

    def learn(self, frame: Frame) -> None:
        """Look at the next frame: colours are spread over the speeds seen so far, as in a film."""
        self._palette.update(frame)

    def shades(self, flock: FlockFrame) -> list[Light]:
        """The colours that its boids have: one, or SHADES where they show heading or speed."""
        if self._palette.hue(flock) is None:
            return [light(self._palette.colour(flock.name))]
        assert self._palette.table is not None
        return [light(part.mean(axis=0)) for part in np.split(self._palette.table, SHADES)]

    def shade_numbers(self, flock: FlockFrame) -> Array:
        """(N,) int32: which of these each boid has in this frame."""
        hue = self._palette.hue(flock)
        if hue is None:
            return np.zeros(len(flock), np.int32)
        return (hue[0] * SHADES // len(hue[1])).astype(np.int32)


def default_boid_size(selection: Selection) -> float:
    """A length of boids at which they can be distinguished: 0.4 of the distance from one to the
    next, were they spread evenly over the middle nine tenths of the first frame."""
    places = selection.first.positions[0].astype(float)
    places = places[np.isfinite(places).all(axis=1)]
    if not len(places):
        return max(selection.space.size) / 100
    sides = np.quantile(places, 0.95, axis=0) - np.quantile(places, 0.05, axis=0)
    sides = sides[sides > 1e-6 * max(selection.space.size)]
    if not len(sides):
        return max(selection.space.size) / 100
    return float(0.4 * (np.prod(sides) / len(places)) ** (1 / len(sides)))


def light(colour: Iterable[float]) -> Light:
    """An sRGB colour, 0 to 255, as light: scenes' colours are linear. IEC 61966-2-1."""
    red, green, blue = (_linear(float(part) / 255) for part in colour)
    return red, green, blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
