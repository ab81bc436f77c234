"""Choose the colour of each boid, by flock, heading or speed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.view import Look, colour_rgb
from murmurate.show.projection import Array
from murmurate.show.styles import Style

COUNT = 128  # colours of a table of headings or speeds
_SAMPLE = 20_000  # boids whose speeds are examined


class Palette:
    """Colour numbers of boids, and the colour tables that they index.

    Flocks with a scale above 1 keep their own colour in every mode.

    Parameters
    ----------
    style : Style
    colour_by : {'flock', 'heading', 'speed'}
    looks : mapping of flock name to Look
    boid_table : (P, 3), optional
        Colours of single boids by id, for `colour_by='flock'`.

    Attributes
    ----------
    table : (P, 3) or None
        Colours of headings, speeds or single boids; None for one colour per flock.
    slowest, fastest : float
        Range of speeds so far.
    """

    def __init__(
        self,
        style: Style,
        colour_by: str,
        looks: Mapping[str, Look],
        boid_table: Array | None = None,
    ) -> None:
        self._style, self._looks, self.colour_by = style, looks, colour_by
        self._names: list[str] = []
        self.table: Array | None = None
        if colour_by == "heading":
            self.table = style.headings(COUNT)
        elif colour_by == "speed":
            self.table = style.speeds(COUNT)
        elif boid_table is not None:
            self.table = boid_table
        self.slowest, self.fastest = np.inf, -np.inf

    def look(self, name: str) -> Look:
        """Return the look of a flock."""
        return self._looks.get(name, _DEFAULT_LOOK)

    def update(self, frame: Frame) -> None:
        """Add the flocks of a frame and, when colouring by speed, widen the range of speeds."""
        self._names += [name for name in frame.flocks if name not in self._names]
        if self.colour_by != "speed":
            return
        for flock in frame.values():
            speeds = _speeds(flock.velocities[:: max(1, len(flock) // _SAMPLE)])
            speeds = speeds[np.isfinite(speeds)]
            if len(speeds) and not self._is_large(flock.name):
                low, high = np.quantile(speeds, [0.01, 0.99])
                self.slowest = min(self.slowest, float(low))
                self.fastest = max(self.fastest, float(high))

    def colour(self, name: str) -> Array:
        """Return the colour (3,) of a flock."""
        look = self.look(name)
        if look.colour:
            return np.array(colour_rgb(look.colour))
        if look.scale > 1.0:
            return np.array(self._style.hunter)
        index = self._names.index(name) if name in self._names else 0
        return np.array(self._style.flocks[index % len(self._style.flocks)])

    def numbers(self, flock: FlockFrame) -> Array:
        """Return the colour numbers (N,) uint16 of boids in the table of their layer."""
        hue = self.hue(flock)
        if hue is None:
            return np.full(len(flock), self._names.index(flock.name) % 256, np.uint16)
        return hue[0].astype(np.uint16)

    def colours(self, scale: float) -> Array:
        """Return the colour table (P, 3) of the flocks of one scale."""
        if self.table is not None and scale <= 1.0:
            return self.table
        return np.array([self.colour(name) for name in self._names[:256]])

    def hue(self, flock: FlockFrame) -> tuple[Array, Array] | None:
        """Return colour numbers (N,) and their table; None if the flock has one colour."""
        if self.table is None or self._is_large(flock.name):
            return None
        if self.colour_by == "heading":
            turn = np.arctan2(flock.velocities[:, 1], flock.velocities[:, 0]) / (2.0 * np.pi)
            number = np.floor(turn * COUNT + 0.5) % COUNT
        elif self.colour_by == "flock":
            return flock.ids % len(self.table), self.table
        else:
            width = max(self.fastest - self.slowest, 1e-6 * abs(self.fastest), 1e-30)
            part = (_speeds(flock.velocities) - self.slowest) / width
            number = np.floor(np.clip(part, 0.0, 1.0) * (COUNT - 1) + 0.5)
        return np.nan_to_num(number).astype(np.intp), self.table

    def haze_colour(self, name: str) -> Array:
        """Return the colour (3,) of dense parts of a flock."""
        dense, part = self._style.dense
        colour = self.colour(name)
        return np.asarray(colour + (np.array(dense) - colour) * part)

    def _is_large(self, name: str) -> bool:
        return self.look(name).scale > 1.0


_DEFAULT_LOOK = Look()


def _speeds(velocities: Array) -> Array:
    speeds: Array = np.sqrt(np.einsum("ij,ij->i", velocities, velocities))
    return speeds
