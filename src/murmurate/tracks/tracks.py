"""Tracks: tracked animals as frames, so that measures work on them as on a flock.

A boid that was not seen in a frame has NaN for its place and velocity.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements
from murmurate.optional import optional
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.doubts import doubts_of

if TYPE_CHECKING:
    import xarray

Array = np.ndarray
SLOWEST = 1e-9  # frames a second: one in 30 years
LARGEST = 1e70  # of a coordinate or a speed: measures add up a million fourth powers


@dataclass(frozen=True, eq=False, repr=False)
class Tracks:
    """Tracked animals as frames: iterate over it, index it, or take its arrays.

    positions          (T, N, D) float64, NaN where one was not seen; units of the file. inf, and
                       numbers whose fourth powers are too large for a float, are refused
    frames_per_second  as the file has it, or as was given; 1 where nobody says (None)
    names              N names, as the file has them
    path               of the file
    unit               of lengths; '' where nobody says
    source             the format, in words
    start              the file's number of the first frame; 0 where it has times alone
    every              the file's frames from one of these to the next
    y_down             whether y grows downwards, as in pictures: then turns are mirrored
    notes              what was done to read it: rows that were left out, a projection
    timed              whether anybody says how fast frames are, so that times are seconds; else
                       they count frames
    space              the box, and which of its axes are periodic; unless given open, around all
                       positions
    recorded_velocities (T, N, D) lengths per second, as a simulation recorded them; None: they
                       are differences of positions
    images             (T, N, D) whole numbers: how many sides of a periodic axis an animal has
                       gone round, where a file counts them; None: nobody counts
    flocks             name -> (n,) the animals in it, by their numbers from 0; unless given all
                       are one flock, 'boids'
    attrs              how the file was understood: 'columns' (name -> what it holds), 'ignored'
                       (name -> why), 'assumed' (a list), and other words and numbers by name
    doubts             what looked wrong to the reader, for `warnings`
    """

    positions: Array
    frames_per_second: float | None = None
    names: Sequence[str] | None = None
    path: str | os.PathLike[str] = "tracks"
    unit: str = field(default="", kw_only=True)
    source: str = field(default="an array", kw_only=True)
    start: float = field(default=0.0, kw_only=True)
    every: int = field(default=1, kw_only=True)
    y_down: bool = field(default=False, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    attrs: dict[str, Any] = field(default_factory=dict, kw_only=True)
    doubts: tuple[str, ...] = field(default=(), kw_only=True)
    space: Space = field(default=None, kw_only=True)  # type: ignore[assignment]
    recorded_velocities: Array | None = field(default=None, kw_only=True)
    images: Array | None = field(default=None, kw_only=True)
    flocks: Mapping[str, Array] = field(default=None, kw_only=True)  # type: ignore[arg-type]
    timed: bool = field(init=False)

    def __post_init__(self) -> None:
        path, rate = Path(self.path), self.frames_per_second
        positions = _numbers(self.positions, path)
        shape = positions.shape
        if len(shape) != 3 or shape[2] not in (2, 3):
            raise RecordingRefused(
                f"{path}: positions have shape {shape}; they must be (frames, animals, 2 or 3 axes)"
            )
        if not shape[1]:  # then nothing bounds the number of frames
            raise RecordingRefused(f"{path}: has no animals; tracks are those of at least one")
        if self.names is not None and len(self.names) != shape[1]:
            raise RecordingRefused(
                f"{path}: has {len(self.names)} names for {shape[1]} animals; give a name each"
            )
        checked = {
            "positions": positions,
            "timed": rate is not None,
            "frames_per_second": 1.0 if rate is None else checked_rate(rate, path),
            "path": path,
            "names": [" ".join(name.split()) for name in self.names or map(str, range(shape[1]))],
        }
        if self.space is None:
            checked["space"] = _around(positions)
        elif self.space.dims != shape[2]:
            raise RecordingRefused(
                f"{path}: got a {self.space.dims}-D space for {shape[2]}-D positions; expected as "
                "many axes in both. Give the space of these positions"
            )
        if self.flocks is None:
            checked["flocks"] = {"boids": np.arange(shape[1])}
        for name in ("recorded_velocities", "images"):
            values = getattr(self, name)
            if values is not None and np.shape(values) != shape:
                raise RecordingRefused(
                    f"{path}: got {name} of shape {np.shape(values)}; expected {shape}, that of "
                    "the positions"
                )
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        _refuse_large(self.positions, self.rate, path)

    @property
    def rate(self) -> float:
        """Frames a second; 1 where nobody says."""
        assert self.frames_per_second is not None
        return self.frames_per_second

    @property
    def times(self) -> Array:
        """(T,) seconds since the first frame, or frames where nobody says how fast they are."""
        return np.arange(len(self)) / self.rate

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What looks wrong: jumps, axes or animals in different units."""
        known = self.images is not None or self.recorded_velocities is not None
        return self.doubts + tuple(
            doubts_of(
                self.positions, list(self.names or ()), self.start, self.every, self.steps,
                None if known else self.space,
            )
        )  # fmt: skip

    @cached_property
    def missing(self) -> float:
        """The part of all sightings that is not there."""
        return float(np.isnan(self.positions).any(axis=2).mean()) if len(self) else 0.0

    @property
    def summary(self) -> str:
        """How it was read, in a line: 'read as TrackMate spots: 12 tracks, 300 frames, ...'."""
        frames, animals, dims = self.positions.shape
        rate = "time counts frames, since nobody says how many are in a second (--fps)"
        if self.timed:
            rate = f"{self.rate:.6g} {'frame' if self.rate == 1 else 'frames'} a second"
        parts = [
            f"{animals:,} {'track' if animals == 1 else 'tracks'}",
            f"{frames:,} {'frame' if frames == 1 else 'frames'}",
            rate,
            self.unit or "no unit of length (--unit)",
        ]
        if dims == 3:
            parts.insert(2, "3-D")
        if self.missing:
            parts.append(f"{100 * self.missing:.2g} % of places missing")
        return f"read as {self.source}: {', '.join(parts)}"

    def __repr__(self) -> str:
        frames, animals, dims = self.positions.shape
        doubts = f", {len(self.warnings)} warnings" if self.warnings else ""
        return (
            f"<Tracks {str(self.path)!r}: {animals} animals, {dims}-D, {frames} frames, "
            f"{self.source}{doubts}>"
        )

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        """Frame 0, 1, ..., or counted from the end; its flock is called
        'boids' unless the file names flocks. A slice gives a
        list of frames."""
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        try:
            k = operator.index(number)
        except TypeError:
            raise TypeError(
                f"frame {number!r}: a frame has a whole number, and tracks[1:3] gives several"
            ) from None
        k += len(self) if k < 0 else 0
        if not 0 <= k < len(self):
            raise IndexError(f"frame {number}: {self.path} has {len(self)} frames, from 0 on")
        flocks = {name: self._flock(name, k, rows) for name, rows in self.flocks.items()}
        return Frame(k, k / self.rate, self.space, flocks)

    def _flock(self, name: str, k: int, rows: Array) -> FlockFrame:
        """The animals of a flock in frame k."""
        return FlockFrame(
            name,
            rows,
            self.positions[k, rows],
            self.velocities[k, rows],
            np.zeros(len(rows), np.int64),
            self.space,
            images=None if self.images is None else self.images[k, rows],
        )

    def at_rate(self, frames_per_second: float) -> Tracks:
        """The same tracks at another number of frames a second; recorded velocities go along."""
        moves, timed = self.recorded_velocities, self.timed
        if moves is not None and timed:
            moves = moves * (checked_rate(frames_per_second, self.path) / self.rate)
        return replace(self, frames_per_second=frames_per_second, recorded_velocities=moves)

    def to_xarray(self) -> xarray.Dataset:
        """Return an xarray.Dataset in the layout that the package `movement` has for poses.

        Returns
        -------
        position    float64 (time, space, keypoints, individuals): the positions, nan where an
                    animal is not seen, with one keypoint, "centroid"
        confidence  float64 (time, keypoints, individuals): nan, which says that it is not known
        time        seconds from the first frame; whole numbers of frames where nobody says how
                    many are in a second
        space       "x", "y", and "z" in 3-D
        individuals the names

        Attributes are those of movement, `fps` (only where it is known), `time_unit` ("seconds" or
        "frames"), `source_software` and `ds_type` ("poses"), and what only murmurate reads:
        `length_unit`, `first_frame`, `every` and `y_down` (0 or 1).
        `tracks.to_xarray().to_netcdf("fish.nc")` writes a file that `open_tracks` reads to the same
        tracks.

        Raises
        ------
        RecordingRefused
            where xarray is missing
        """
        from murmurate.tracks.movement import dataset

        rate = self.rate if self.timed else None
        more = {
            "source_software": self.source, "length_unit": self.unit, "every": self.every,
            "first_frame": float(self.start), "y_down": int(self.y_down),
        }  # fmt: skip
        with optional("tracks as an xarray.Dataset", RecordingRefused, "record"):
            return dataset(self.positions, rate, list(self.names or ()), more)

    @cached_property
    def steps(self) -> Array:
        """(T - 1, N, D) displacements from each frame to the next, nan where one is not seen. On
        periodic axes to the nearest image, or by the counted images where the file has them."""
        if self.images is None:
            return displacements(self.positions[1:], self.positions[:-1], self.space)
        turns = np.where(self.space.periodic, self.space.size, 0.0)
        return np.diff(self.positions, axis=0) + np.diff(self.images, axis=0) * turns

    @cached_property
    def velocities(self) -> Array:
        """(T, N, D) lengths per second: as recorded, else the mean of the steps (see `steps`) from
        the frame before and to the frame after, or the one of them that is known."""
        places, rate = self.positions, self.rate
        if self.recorded_velocities is not None:
            known = np.isfinite(places).all(axis=2, keepdims=True)
            return np.where(known, np.asarray(self.recorded_velocities, np.float64), np.nan)
        ahead = np.full_like(places, np.nan)
        behind = np.full_like(places, np.nan)
        ahead[:-1] = self.steps * rate
        behind[1:] = ahead[:-1]
        both = (ahead + behind) / 2
        out = np.where(np.isfinite(both), both, np.where(np.isfinite(ahead), ahead, behind))
        return np.where(np.isfinite(places), out, np.nan)


def _around(positions: Array) -> Space:
    """The open box around all positions that are seen."""
    seen = positions[np.isfinite(positions).all(axis=2)]
    if not len(seen):
        return Space(size=(1.0,) * positions.shape[2])
    lower, upper = seen.min(axis=0), seen.max(axis=0)
    return Space.around(lower.tolist(), np.maximum(upper - lower, 1e-9).tolist())


def _numbers(values: Any, path: str | os.PathLike[str]) -> Array:
    """The places as float64, nan where one was not seen. Raises RecordingRefused for what is not
    real numbers: complex ones would lose a half, and inf is no place."""
    try:
        found = np.asarray(values)
    except ValueError:
        raise RecordingRefused(
            f"{path}: positions have rows that are not alike; they must be one array of numbers"
        ) from None
    if found.dtype.kind not in "iuf":
        raise RecordingRefused(
            f"{path}: positions are of type {found.dtype}; they must be real numbers, with nan for "
            "an animal that was not seen"
        )
    found = np.array(found, np.float64)
    if np.isinf(found).any():
        where = np.argwhere(np.isinf(found))[0]
        raise RecordingRefused(
            f"{path}: {_at(where)} has {found[tuple(where)]:g} for a coordinate; it must be a "
            "number, or nan where the animal was not seen"
        )
    return found


def _refuse_large(places: Array, rate: float, path: str | os.PathLike[str]) -> None:
    """Raises RecordingRefused where fourth powers of places or velocities would not be numbers."""
    size = np.nan_to_num(np.abs(places))
    top = size.max(initial=0.0)
    advice = "count lengths in a larger unit"
    if top > LARGEST:
        where = np.unravel_index(size.argmax(), size.shape)
        raise RecordingRefused(
            f"{path}: {_at(where)} has a coordinate of {places[where]:g}; at most {LARGEST:g} can "
            f"be measured: {advice}"
        )
    if 2 * top > LARGEST / max(rate, 1.0):
        raise RecordingRefused(
            f"{path}: coordinates of {top:g} at {rate:g} frames a second give speeds above "
            f"{LARGEST:g}, which cannot be measured: {advice}, or correct the rate"
        )


def _at(where: Any) -> str:
    """'frame 3, animal 1', of the indices into an array of places."""
    names = ("frame", "animal")
    return ", ".join(f"{name} {int(k)}" for name, k in zip(names, where, strict=False))


def checked_rate(value: Any, path: str | os.PathLike[str]) -> float:
    """Frames a second. Raises RecordingRefused for what is no number above 0."""
    found = np.asarray(value)
    if (
        found.dtype.kind not in "iuf"
        or found.size != 1
        or not SLOWEST <= float(found.item()) < np.inf
    ):
        said = repr(value) if isinstance(value, str) else value
        raise RecordingRefused(f"{path}: {said} frames a second: it must be a number > 0, "
                               f"and not below {SLOWEST:g}")  # fmt: skip
    return float(found.item())
