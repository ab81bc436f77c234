"""Look of flocks in scenes: sizes, colours as light, orientations and visibility of boids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from murmurate.exports.boid_shapes import shape_of
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection, to_3d
from murmurate.frame import FlockFrame, Frame
from murmurate.model.check import WORDS_OF_COLOURS, names_that_match
from murmurate.model.space import Space
from murmurate.model.view import Look, View
from murmurate.show.body import BODIES
from murmurate.show.orientation import Orientation
from murmurate.show.palette import Palette
from murmurate.show.styles import STYLES

Array = np.ndarray


Light = tuple[float, float, float]
OF_SCENES = ("id", "ids", "mask", "orientation", "position", "proto_index", "scale", "velocity")
SHADES = 16  # colours of headings or speeds in a scene, averaged from the table of films


class Appearance:
    """Settings of a scene from the view of the model and from the options of the export."""

    def __init__(self, selection: Selection, options: Options) -> None:
        scene, view = selection.recording.scene, selection.recording.view
        self.frames_per_second = options.frames_per_second or view.frames_per_second
        self.style = STYLES[view.style]
        self._size = options.boid_size or view.boid_size or default_boid_size(selection)
        self._looks = {name: flock.look for name, flock in scene.flocks.items()}
        changes: dict[str, object] = {"colour_range": _range_of(selection, view)}
        if view.colour_by not in WORDS_OF_COLOURS and not _has_number(selection, view.colour_by):
            changes["colour_by"] = "flock"  # all boids share the number
        self._palette = Palette(view.model_copy(update=changes), self._looks)
        self.update(selection.recording[0])

    def size(self, flock: str) -> float:
        """Return the length of the boids of a flock, length units."""
        return float(self._size * self._looks.get(flock, Look()).scale)

    def shape(self, flock: str) -> str:
        """Return the shape of the boids of a flock; see Look.shape."""
        return str(self._looks.get(flock, Look()).shape)

    def orientation(
        self, selection: Selection, upright: bool, flock_index: Array | None = None
    ) -> Orientation:
        """Return the orientation of boids, as in films; by default of all in the selection.

        flock_index  (N,) of other boids, as in Selection
        upright  see ExportOptions
        """
        shapes = [shape_of(self.shape(name), selection.dims).name for name in selection.flocks]
        banks = np.array([name in BODIES and BODIES[name].banks for name in shapes])
        of_boids = banks[selection.flock_index if flock_index is None else flock_index]
        return Orientation(self.frames_per_second, of_boids[:, None], upright)

    def update(self, frame: Frame) -> None:
        """Update the range of speeds with the next frame, as films do."""
        self._palette.update(frame)

    @property
    def shows_numbers(self) -> bool:
        """Return whether colours may differ between the boids of a flock."""
        return self._palette.table is not None

    def shades(self, flock: FlockFrame) -> list[Light]:
        """Return the colours of a flock: one, or SHADES if they show heading or speed."""
        if self._palette.hue(flock) is None:
            return [light(self._palette.colour(flock.name))]
        assert self._palette.table is not None
        return [light(part.mean(axis=0)) for part in np.split(self._palette.table, SHADES)]

    def lights(self, frame: Frame) -> Array:
        """Return the colour (M, 3) of each boid of a frame."""
        parts = [
            np.array(self.shades(flock))[self.shade_numbers(flock)] for flock in frame.values()
        ]
        return np.concatenate(parts)

    def shade_numbers(self, flock: FlockFrame) -> Array:
        """Return the index (N,) int32 of the colour of each boid in this frame."""
        hue = self._palette.hue(flock)
        if hue is None:
            return np.zeros(len(flock), np.int32)
        return (hue[0] * SHADES // len(hue[1])).astype(np.int32)


def _has_number(selection: Selection, name: str) -> bool:
    """Return whether the boids of a flock have a number of this name."""
    flocks = selection.first.frames[0].values()
    return any(names_that_match([*f.traits, *f.state_names], name) for f in flocks)


def _range_of(selection: Selection, view: View) -> tuple[float, ...]:
    """Return the range of colours of a view; that of all frames if boids come and go.

    So a boid keeps its colour, whatever the numbers of those that join later.
    """
    if view.colour_range or view.colour_map == "cyclic" or selection.lives is None:
        return view.colour_range
    ranges = selection.lives.ranges
    ends = [ranges[path] for path in names_that_match(ranges, view.colour_by)]
    low, high = min((e[0] for e in ends), default=0.0), max((e[1] for e in ends), default=0.0)
    return (low, high) if low < high else ()


def numbers_of(flock: FlockFrame) -> dict[str, Array]:
    """Return the numbers (N,) of boids by name: those that differ between them, and their state.

    A name is the last part of the path, or the path if the last part is that of several numbers or
    has a meaning in scenes: 'weight', 'rules_cohesion_weight'.
    """
    numbers = dict(flock.traits) | {name: flock.state(name) for name in flock.state_names}
    ends = [path.rpartition(".")[2] for path in numbers]
    return {
        path.replace(".", "_").replace("-", "_")
        if end in OF_SCENES or ends.count(end) > 1
        else end.replace("-", "_"): values.astype(np.float32)
        for (path, values), end in zip(numbers.items(), ends, strict=True)
    }


def default_boid_size(selection: Selection) -> float:
    """Return a length at which boids are distinguishable, length units.

    It is 0.4 of the spacing if the boids were spread evenly over the central 90 % of the first
    frame along each axis; of the frame with most boids if they come and go.
    """
    positions = selection.fullest.positions[0].astype(float)
    positions = positions[np.isfinite(positions).all(axis=1)]
    if not len(positions):
        return max(selection.space.size) / 100
    sides = np.quantile(positions, 0.95, axis=0) - np.quantile(positions, 0.05, axis=0)
    sides = sides[sides > 1e-6 * max(selection.space.size)]
    if not len(sides):
        return max(selection.space.size) / 100
    return float(0.4 * (np.prod(sides) / len(positions)) ** (1 / len(sides)))


def light(colour: Iterable[float]) -> Light:
    """Convert an sRGB colour from 0 to 255 to linear light, as scenes need it (IEC 61966-2-1)."""
    red, green, blue = (_linear(float(part) / 255) for part in colour)
    return red, green, blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def about(selection: Selection) -> dict[str, Any]:
    """Return the origin of a file as JSON values."""
    header, steps = selection.recording.header, selection.steps
    return {
        "model": header["model"], "seed": str(header["seed"]), "versions": header["versions"],
        "first_step": steps[0], "last_step": steps[-1], "every": steps.step,
    }  # fmt: skip


# --- orientations


class Rotations:
    """Rotations of boids from +X, as films show them, one frame at a time.

    Of the two quaternions of a rotation, the one nearer to that of the last frame is chosen.

    boids  number of rows
    """

    def __init__(self, orientation: Orientation, boids: int) -> None:
        self._orientation = orientation
        self._last = np.tile(np.array([0.0, 0.0, 0.0, 1.0]), (boids, 1))

    def next(self, velocities: Array) -> Array:
        """Return unit quaternions (boids, 4), x, y, z, w, for velocities (boids, 3).

        A boid with nan is not there; it appears with its wings level.
        """
        self._orientation.update(np.arange(len(velocities)), velocities)
        rotations = self._orientation.quaternions()
        rotations[np.einsum("ij,ij->i", rotations, self._last) < 0] *= -1
        self._last = rotations
        return rotations


# --- visibility


class LastPositions:
    """Positions of boids without gaps, one frame at a time.

    An unobserved boid, with nan in its position, gets its last observed position; before the first
    observation, the centre of the space.
    """

    def __init__(self, boids: int, space: Space) -> None:
        middle = (np.array(space.lower) + space.upper) / 2
        self._last = np.tile(to_3d(middle, np.float32), (boids, 1))

    def next(self, positions: Array) -> tuple[Array, Array]:
        """Return (N, 3) float32 positions without nan, and (N,) whether each boid is observed."""
        observed: Array = np.isfinite(positions).all(axis=1)
        self._last = np.where(observed[:, None], positions, self._last).astype(np.float32)
        return self._last, observed
