"""Choose the colour of each boid: by flock, heading, speed, or a number of boids."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np

from murmurate.errors import OutputError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.check import WORDS_OF_COLOURS, names_that_match, numbers_of_boids
from murmurate.model.distribution import Distribution
from murmurate.model.model import Model
from murmurate.model.view import Look, View, colour_rgb
from murmurate.show.projection import Array
from murmurate.show.styles import STYLES

COUNT = 128  # colours of a table of headings or numbers
MAX_NUMBERS = 256  # colour numbers of a picture
_SAMPLE = 20_000  # boids whose speeds are examined
TURN = (0.0, 2.0 * math.pi)  # range of cyclic colours


class Hue(NamedTuple):
    """Colours of the boids of a flock that differ from boid to boid.

    numbers  (N,) rows of the table; -1 for boids without a number, which have the colour of their
        flock
    table  (P, 3) colours, sRGB from 0 to 255
    cyclic  whether the last colour is next to the first one
    """

    numbers: Array
    table: Array
    cyclic: bool


class Legend(NamedTuple):
    """Meaning of the colours of a table.

    name  name of the number; empty for headings, whose wheel needs none
    low, high  numbers with the first and the last colour
    table  (P, 3) colours
    cyclic  whether the table is a circle
    """

    name: str
    low: float
    high: float
    table: Array
    cyclic: bool


class Palette:
    """Colour numbers of boids, and the colour tables that they index.

    Flocks with a scale above 1 keep their own colour when others show heading or speed, and boids
    without a number when others show it.

    view  its style, and what colours show
    boid_table  (P, 3) colours of single boids by id, for `colour_by='flock'`
    table  (P, 3) colours of headings, numbers or single boids; None for one colour per flock
    range  numbers with the first and the last colour: those of the view, or the
        range so far. None before the first boid.
    """

    def __init__(
        self, view: View, looks: Mapping[str, Look], boid_table: Array | None = None
    ) -> None:
        self._style, self._looks, self.colour_by = STYLES[view.style], looks, view.colour_by
        self._names: list[str] = []
        self._cyclic = view.colour_map == "cyclic" or self.colour_by == "heading"
        self._checked = self.colour_by in WORDS_OF_COLOURS
        self.table: Array | None = None
        if self.colour_by == "heading":
            self.table = self._style.headings(COUNT)
        elif self.colour_by != "flock":
            self.table = self._style.colours(view.colour_map, COUNT)
        elif boid_table is not None:
            self.table = boid_table
        self._fixed = bool(view.colour_range) or self._cyclic
        self.range: tuple[float, float] | None = None
        if self._fixed:
            low, high = view.colour_range or TURN
            self.range = low, high

    def look(self, name: str) -> Look:
        """Return the look of a flock."""
        return self._looks.get(name, _DEFAULT_LOOK)

    def update(self, frame: Frame) -> None:
        """Add the flocks of a frame, and widen the range of numbers unless the view fixes it."""
        self._names += [name for name in frame.flocks if name not in self._names]
        if not self._checked and frame.n_boids:
            self._check(frame)
        if self.table is None or self._fixed or self.colour_by == "flock":
            return
        for flock in frame.values():
            ends = self._range_of(flock)
            if ends is not None:
                low, high = self.range or ends
                self.range = min(low, ends[0]), max(high, ends[1])

    def _range_of(self, flock: FlockFrame) -> tuple[float, float] | None:
        """Return the range of the numbers of a flock: of speeds without the extreme 1 %."""
        is_speed = self.colour_by == "speed"
        if is_speed and self._is_large(flock.name):
            return None
        sample = slice(None, None, max(1, len(flock) // _SAMPLE) if is_speed else 1)
        values = _speeds(flock.velocities[sample]) if is_speed else self._numbers_of(flock)
        values = values if values is None else values[np.isfinite(values)]
        if values is None or not len(values):
            return None
        low, high = np.quantile(values, [0.01, 0.99] if is_speed else [0.0, 1.0])
        return float(low), float(high)

    def _check(self, frame: Frame) -> None:
        """Raise OutputError if no flock has the number, or if its name is that of several."""
        names = {flock.name: [*flock.traits, *flock.state_names] for flock in frame.values()}
        matches = [names_that_match(each, self.colour_by) for each in names.values()]
        if not any(matches) or max(map(len, matches)) > 1:
            several = next((each for each in matches if len(each) > 1), [])
            expected = several or list(dict.fromkeys(chain(*names.values())))
            raise OutputError(
                f"view.colour_by: got {self.colour_by!r}; expected {', '.join(WORDS_OF_COLOURS)}, "
                f"or one number of boids: {', '.join(expected) or 'these frames have none'}"
            )
        self._checked = True

    def _numbers_of(self, flock: FlockFrame) -> Array | None:
        """Return the numbers (N,) that colours show; None if the flock has none."""
        names = names_that_match([*flock.traits, *flock.state_names], self.colour_by)
        return np.asarray(flock.per_boid(names[0]), np.float64) if names else None

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
        first = 0 if self.table is None or self._is_by_id else len(self.table)
        own = first + self._names.index(flock.name) % (MAX_NUMBERS - first)
        if hue is None:
            return np.full(len(flock), own, np.uint16)
        return np.where(hue.numbers < 0, own, hue.numbers).astype(np.uint16)

    def colours(self, scale: float) -> Array:
        """Return the colour table (P, 3) of the flocks of one scale."""
        if self.table is not None and self._is_by_id and scale <= 1.0:
            return self.table
        tables = [] if self.table is None or self._is_by_id else [self.table]
        names = self._names[: MAX_NUMBERS - sum(map(len, tables))]
        return np.concatenate(
            [*tables, np.array([self.colour(name) for name in names]).reshape(-1, 3)]
        )

    def rgb(self, frame: Frame) -> Array:
        """Return the colours (N, 3) uint8, sRGB, of all boids of the next frame."""
        self.update(frame)
        parts = [
            self.colours(self.look(flock.name).scale)[self.numbers(flock)]
            for flock in frame.values()
        ]
        return np.rint(np.concatenate([np.zeros((0, 3)), *parts])).astype(np.uint8)

    def hue(self, flock: FlockFrame) -> Hue | None:
        """Return the colours of single boids; None if the flock has one colour."""
        if self.table is None:
            return None
        if self.colour_by not in WORDS_OF_COLOURS:
            values = self._numbers_of(flock)
            return None if values is None else self._hue_of(values)
        if self._is_large(flock.name):
            return None
        if self.colour_by == "flock":
            return Hue(flock.ids % len(self.table), self.table, False)
        if self.colour_by == "speed":
            return self._hue_of(_speeds(flock.velocities), missing=0)
        turn = np.arctan2(flock.velocities[:, 1], flock.velocities[:, 0]) / (2.0 * np.pi)
        number = np.floor(turn * COUNT + 0.5) % COUNT
        return Hue(np.nan_to_num(number).astype(np.intp), self.table, True)

    def _hue_of(self, values: Array, missing: int = -1) -> Hue:
        """Return the colours of numbers (N,); those that are not finite have number `missing`."""
        assert self.table is not None
        low, high = self.range or (0.0, 1.0)
        width = max(high - low, 1e-6 * abs(high), 1e-30)
        with np.errstate(all="ignore"):
            part = (values - low) / width
            if self._cyclic:
                number = np.floor(part * COUNT + 0.5) % COUNT
            else:
                number = np.floor(np.clip(part, 0.0, 1.0) * (COUNT - 1) + 0.5)
        valid = np.isfinite(part)
        return Hue(np.where(valid, number, missing).astype(np.intp), self.table, self._cyclic)

    @property
    def legend(self) -> Legend | None:
        """Meaning of the colours; None for colours of flocks and single boids."""
        if self.table is None or self.colour_by == "flock" or self.range is None:
            return None
        name = "" if self.colour_by == "heading" else self.colour_by
        name = name.rpartition(".")[2].replace("_", " ")
        return Legend(name, *self.range, self.table, self._cyclic)

    def haze_colour(self, name: str) -> Array:
        """Return the colour (3,) of dense parts of a flock."""
        dense, part = self._style.dense
        colour = self.colour(name)
        return np.asarray(colour + (np.array(dense) - colour) * part)

    @property
    def _is_by_id(self) -> bool:
        return self.colour_by == "flock"

    def _is_large(self, name: str) -> bool:
        return self.look(name).scale > 1.0


_DEFAULT_LOOK = Look()


def coloured_view(model: Model) -> View:
    """Return the view with the range of its colours, if that is known before the film.

    If all boids share the number that colours should show, these are the colours of flocks.
    """
    view, numbers = model.view, chain(*numbers_of_boids(model).values())
    if view.colour_by not in WORDS_OF_COLOURS and not names_that_match(numbers, view.colour_by):
        return view.model_copy(update={"colour_by": "flock"})
    return view.model_copy(update={"colour_range": range_in_model(model)})


def range_in_model(model: Model) -> tuple[float, ...]:
    """Return the range of colours of a film of a model, if it is known before the film.

    It is that of the view. Numbers that differ between boids have the range of their distributions,
    without the most extreme 1 %, if boids join during the film: those that are there at the start
    do not have the range of all. In other cases it is (), for the range of the frames.
    """
    view = model.view
    if view.colour_range or view.colour_map == "cyclic" or view.colour_by in WORDS_OF_COLOURS:
        return view.colour_range
    individuals = [(flock, model.individuals_of(flock)) for flock in model.flocks]
    coloured = [
        (flock, numbers[path])
        for flock, numbers in individuals
        for path in names_that_match(numbers, view.colour_by)
    ]
    if not any(model.grows(flock) for flock, _ in coloured):
        return ()
    ends = np.array([_usual_range(distribution) for _, distribution in coloured])
    low, high = float(ends[:, 0].min()), float(ends[:, 1].max())
    return (low, high) if low < high else ()


def _usual_range(distribution: Distribution) -> tuple[float, float]:
    """Return the bounds of a distribution, or its quantiles where a bound is far from them."""
    low, high = (float(x) for x in distribution.quantiles(np.array([0.005, 0.995])))
    lower, upper = distribution.extent()
    near = 0.1 * (high - low)
    return (lower if low - lower <= near else low, upper if upper - high <= near else high)


def _speeds(velocities: Array) -> Array:
    return np.sqrt(np.einsum("ij,ij->i", velocities, velocities))
