"""Tracks: files of tracked animals as frames, so that measures work on them as on a flock.

Units are those of the files (pixels, mostly), time is in seconds where they give
the frames a second. A boid that was not seen in a frame has NaN for its place and velocity.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused
from murmurate.record.track_files import idtracker, movement, trackpy

Array = np.ndarray
FORMATS = "movement's NetCDF (.nc), idtracker.ai's .npy, trackpy's tables (.csv, .parquet)"
SLOWEST = 1e-9  # frames a second: one in 30 years
LARGEST = 1e70  # of a coordinate or a speed: measures add up a million fourth powers


class Tracks:
    """Tracked animals as frames: iterate over it, index it, or take its arrays.

    positions          (T, N, D) float64, NaN where one was not seen; units of the file. inf, and
                       numbers whose fourth powers are too large for a float, are refused
    velocities         (T, N, D) float64 per second: differences to the frame before and the frame
                       after (to one of them at a gap or an end); NaN where neither was seen
    names              N names, as the file has them
    frames_per_second  as the file has it, or as was given; 1 where nobody says
    timed              whether anybody says, so that times are seconds; else they count frames
    """

    def __init__(
        self,
        positions: Array,
        frames_per_second: float | None,
        names: list[str] | None = None,
        path: str | os.PathLike[str] = "tracks",
    ) -> None:
        self.positions = _numbers(positions, path)
        shape = self.positions.shape
        if len(shape) != 3 or shape[2] not in (2, 3):
            raise RecordingRefused(
                f"{path}: positions have shape {shape}; they must be (frames, animals, 2 or 3 axes)"
            )
        if not shape[1]:  # then nothing bounds the number of frames
            raise RecordingRefused(f"{path}: has no animals; tracks are those of at least one")
        self.timed = frames_per_second is not None
        self.frames_per_second = _rate(
            1.0 if frames_per_second is None else frames_per_second, path
        )
        self.path = Path(path)
        _refuse_large(self.positions, self.frames_per_second, path)
        self.names = names or [str(k) for k in range(self.positions.shape[1])]

    def __repr__(self) -> str:
        frames, animals, dims = self.positions.shape
        return f"<Tracks {str(self.path)!r}: {animals} animals, {dims}-D, {frames} frames>"

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        """Frame 0, 1, ..., or counted from the end; its flock is called 'boids'. A slice gives a
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
        count = self.positions.shape[1]
        flock = FlockFrame(
            "boids",
            np.arange(count),
            self.positions[k],
            self.velocities[k],
            np.zeros(count, np.int64),
            self.space,
        )
        return Frame(k, k / self.frames_per_second, self.space, {"boids": flock})

    @cached_property
    def space(self) -> Space:
        """Open; its box is where the animals were seen."""
        seen = self.positions[np.isfinite(self.positions).all(axis=2)]
        if not len(seen):
            return Space(size=(1.0,) * self.positions.shape[2])
        lower, upper = seen.min(axis=0), seen.max(axis=0)
        size = np.maximum(upper - lower, 1e-9)
        return Space.around(lower.tolist(), size.tolist())

    @cached_property
    def velocities(self) -> Array:
        places, rate = self.positions, self.frames_per_second
        ahead = np.full_like(places, np.nan)
        behind = np.full_like(places, np.nan)
        ahead[:-1] = (places[1:] - places[:-1]) * rate
        behind[1:] = ahead[:-1]
        both = (ahead + behind) / 2
        out = np.where(np.isfinite(both), both, np.where(np.isfinite(ahead), ahead, behind))
        return np.where(np.isfinite(places), out, np.nan)


def open_tracks(path: str | os.PathLike[str], frames_per_second: float | None = None) -> Tracks:
    """Tracked animals from a file: movement's NetCDF (.nc, .h5), idtracker.ai's dictionary (.npy),
    trackpy's table (.csv or .parquet with columns frame, particle, x, y and perhaps z).

    frames_per_second  goes before what the file says; 1 where neither says
    Raises RecordingRefused for what cannot be read, with what it should be.
    """
    path = Path(path)
    readers = {
        ".nc": movement, ".h5": movement, ".npy": idtracker, ".csv": trackpy, ".parquet": trackpy,
    }  # fmt: skip
    if path.suffix.lower() not in readers:
        raise RecordingRefused(f"{path}: tracks can be read from {FORMATS}")
    if not path.is_file():
        found = "this is a folder" if path.is_dir() else "there is no such file"
        raise RecordingRefused(f"{path}: {found}; tracks can be read from {FORMATS}")
    try:
        positions, rate, names = readers[path.suffix.lower()](path)
    except RecordingRefused:
        raise
    except ImportError as error:
        raise RecordingRefused(
            f"{path}: reading it needs {error.name}: pip install {error.name}"
        ) from None
    except UnicodeDecodeError:
        raise RecordingRefused(f"{path}: cannot be read: it is not text; tracks can be {FORMATS}") \
            from None  # fmt: skip
    except Exception as error:  # whatever a library says of a file that is not what it should be
        said = " ".join(str(error).split())
        raise RecordingRefused(f"{path}: cannot be read: {said}; tracks can be {FORMATS}") from None
    return Tracks(positions, rate if frames_per_second is None else frames_per_second, names, path)


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


def _rate(value: Any, path: str | os.PathLike[str]) -> float:
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
