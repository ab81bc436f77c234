"""Palette: the colour of each boid, by flock, heading or speed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.view import Look, colour_rgb
from murmurate.show.density import Density
from murmurate.show.projection import Array
from murmurate.show.styles import Style

COUNT = 128  # colours of a heading or speed table
_SAMPLE = 20_000  # boids whose speeds are looked at


class Palette:
    """Colour numbers of boids, and the tables of colours that the numbers stand for.

    Flocks with a scale above 1 keep their own colour in every mode.
    """

    def __init__(
        self, style: Style, colour_by: str, looks: Mapping[str, Look], own: Array | None = None
    ) -> None:
        """own: (P, 3) colours by the ids of boids, where `colour_by` is 'flock'."""
        self._style, self._looks, self.colour_by = style, looks, colour_by
        self._names: list[str] = []
        self.table: Array | None = None
        if colour_by == "heading":
            self.table = style.headings(COUNT)
        elif colour_by == "speed":
            self.table = style.speeds(COUNT)
        elif own is not None:
            self.table = own
        self.slowest, self.fastest = np.inf, -np.inf

    def look(self, name: str) -> Look:
        return self._looks.get(name, _PLAIN)

    def update(self, frame: Frame) -> None:
        """Learn the flocks and, when colouring by speed, widen the range to the speeds seen."""
        self._names += [name for name in frame.flocks if name not in self._names]
        if self.colour_by != "speed":
            return
        for flock in frame:
            some = _speeds(flock.velocities[:: max(1, len(flock) // _SAMPLE)])
            some = some[np.isfinite(some)]
            if len(some) and not self._is_large(flock.name):
                low, high = np.quantile(some, [0.01, 0.99])
                self.slowest = min(self.slowest, float(low))
                self.fastest = max(self.fastest, float(high))

    def colour(self, name: str) -> Array:
        """(3,) the colour of a flock."""
        look = self.look(name)
        if look.colour:
            return np.array(colour_rgb(look.colour))
        if look.scale > 1.0:
            return np.array(self._style.hunter)
        place = self._names.index(name) if name in self._names else 0
        return np.array(self._style.flocks[place % len(self._style.flocks)])

    def numbers(self, flock: FlockFrame) -> Array:
        """(N,) uint16: the colour number of each boid, in the table of its layer."""
        hue = self.hue(flock)
        if hue is None:
            return np.full(len(flock), self._names.index(flock.name) % 256, np.uint16)
        return hue[0].astype(np.uint16)

    def colours(self, scale: float) -> Array:
        """(P, 3) the table for the flocks of this scale."""
        if self.table is not None and scale <= 1.0:
            return self.table
        return np.array([self.colour(name) for name in self._names[:256]])

    def hue(self, flock: FlockFrame) -> tuple[Array, Array] | None:
        """Numbers (N,) and table of headings or speeds; None where the flock has one colour."""
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

    def density(self, name: str) -> Density:
        return Density(self.colour(name), self.thick(name), self._style.thin)

    def thick(self, name: str) -> Array:
        """(3,) the colour of the thick of a flock."""
        dense, part = self._style.dense
        colour = self.colour(name)
        return np.asarray(colour + (np.array(dense) - colour) * part)

    def _is_large(self, name: str) -> bool:
        return self.look(name).scale > 1.0


_PLAIN = Look()


def _speeds(velocities: Array) -> Array:
    speeds: Array = np.sqrt(np.einsum("ij,ij->i", velocities, velocities))
    return speeds
