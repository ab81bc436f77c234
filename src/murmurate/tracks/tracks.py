"""Tracks: tracked animals as frames, so that measures treat them like a flock.

An animal that was not seen in a frame has nan for its position and velocity.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from murmurate.errors import TracksError
from murmurate.frame import FlockFrame, Frame
from murmurate.model.messages import format_unknown
from murmurate.model.space import Space
from murmurate.neighbours.periodic import central_differences, displacements
from murmurate.optional import optional
from murmurate.tracks.plausibility import plausibility_warnings
from murmurate.tracks.smoothing import smooth_positions, unwrap_stretches, window_frames

if TYPE_CHECKING:
    import xarray

Array = np.ndarray
MIN_RATE = 1e-9  # frames per second: one in 30 years
MAX_VALUE = 1e70  # of a coordinate or a speed: measures add up a million fourth powers


@dataclass(frozen=True, eq=False, repr=False)
class Tracks:
    """Tracked animals as frames: iterate over it, index it, or use its arrays.

    Parameters
    ----------
    positions : (T, N, D) array
        Positions in units of the file, stored as float64, nan where an animal was not seen. D is 2
        or 3.
    frames_per_second : float, optional
        The frame rate; None (default) if unknown: then the attribute is 1 and times count frames.
    names : sequence of N str, optional
        Names of the animals; '0', '1', ... by default.
    path : path, default "tracks"
        The file.
    unit : str, default ''
        The unit of lengths; '' if unknown.
    source : str, default "an array"
        The format, in words.
    start : float, default 0
        The file's number of the first frame; 0 if the file has only times.
    every : int, default 1
        Frames of the file from one of these to the next.
    y_down : bool, default False
        Whether y grows downwards, as in images: then the direction of turning is mirrored.
    notes : tuple of str, default ()
        What was done to read the file: rows left out, a projection.
    attrs : dict
        How the file was understood: 'columns' (name -> contents), 'ignored' (name -> reason),
        'assumed' (a list), and other words and numbers by name.
    reader_warnings : tuple of str, default ()
        Warnings of the reader; `warnings` includes them.
    space : Space, optional
        The box and its periodic axes; by default the open bounding box of all positions.
    recorded_velocities : (T, N, D) array, optional
        Velocities in lengths per second, as a simulation recorded them; None (default):
        `velocities` are differences of positions.
    images : (T, N, D) integer array, optional
        How often an animal has crossed each periodic side, if the file counts it; None (default):
        not counted.
    flocks : mapping of str to (n,) int array, optional
        The indices of the animals in each flock; by default one flock, 'boids'.

    Attributes
    ----------
    timed : bool
        Whether the frame rate is known, so that times are seconds; else times count frames.

    Raises
    ------
    TracksError
        For arrays of other shapes, inf, and numbers whose fourth powers exceed the range of a
        float.
    """

    positions: Array
    frames_per_second: float | None = None
    names: Sequence[str] | Any = None  # never None after __post_init__
    path: str | os.PathLike[str] = "tracks"
    unit: str = field(default="", kw_only=True)
    source: str = field(default="an array", kw_only=True)
    start: float = field(default=0.0, kw_only=True)
    every: int = field(default=1, kw_only=True)
    y_down: bool = field(default=False, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    attrs: dict[str, Any] = field(default_factory=dict, kw_only=True)
    reader_warnings: tuple[str, ...] = field(default=(), kw_only=True)
    space: Space = field(default=None, kw_only=True)  # type: ignore[assignment]
    recorded_velocities: Array | None = field(default=None, kw_only=True)
    images: Array | None = field(default=None, kw_only=True)
    flocks: Mapping[str, Array] = field(default=None, kw_only=True)  # type: ignore[arg-type]
    timed: bool = field(init=False)

    def __post_init__(self) -> None:
        path, rate = Path(self.path), self.frames_per_second
        positions = _check_positions(self.positions, path)
        shape = positions.shape
        if len(shape) != 3 or shape[2] not in (2, 3):
            raise TracksError(
                f"{path}: got positions of shape {shape}; expected (frames, animals, 2 or 3 axes)"
            )
        if not shape[1]:  # then nothing bounds the number of frames
            raise TracksError(f"{path}: got no animals; expected at least one")
        if self.names is not None and len(self.names) != shape[1]:
            raise TracksError(
                f"{path}: got {len(self.names)} names for {shape[1]} animals; expected one each"
            )
        checked = {
            "positions": positions,
            "timed": rate is not None,
            "frames_per_second": 1.0 if rate is None else check_rate(rate, path),
            "path": path,
            "names": [" ".join(name.split()) for name in self.names or map(str, range(shape[1]))],
        }
        if self.space is None:
            checked["space"] = _bounding_box(positions)
        elif self.space.dims != shape[2]:
            raise TracksError(
                f"{path}: got a {self.space.dims}-D space for {shape[2]}-D positions; expected as "
                "many axes in both. Give the space of these positions"
            )
        if self.flocks is None:
            checked["flocks"] = {"boids": np.arange(shape[1])}
        for name in ("recorded_velocities", "images"):
            values = getattr(self, name)
            if values is not None and np.shape(values) != shape:
                raise TracksError(
                    f"{path}: got {name} of shape {np.shape(values)}; expected {shape}, that of "
                    "the positions"
                )
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        _check_magnitudes(self.positions, self.rate, path)

    @property
    def rate(self) -> float:
        """Frames per second; 1 if unknown."""
        assert self.frames_per_second is not None
        return self.frames_per_second

    @property
    def times(self) -> Array:
        """(T,) seconds since the first frame; frame numbers if the rate is unknown."""
        return np.arange(len(self)) / self.rate

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Plausibility warnings: jumps, axes or animals in different units."""
        if "smoothed" in self.attrs:  # which would hide jumps: those of the file
            return self.reader_warnings
        exact = self.images is not None or self.recorded_velocities is not None
        return self.reader_warnings + tuple(
            plausibility_warnings(
                self.positions, list(self.names or ()), self.start, self.every, self.steps,
                None if exact else self.space,
            )
        )  # fmt: skip

    @cached_property
    def missing(self) -> float:
        """The fraction of positions that are missing, from 0 to 1."""
        return float(np.isnan(self.positions).any(axis=2).mean()) if len(self) else 0.0

    @property
    def summary(self) -> str:
        """How the file was read, in a line: 'read as TrackMate spots: 12 tracks, 300 frames, ...'.

        The line also says what is unknown, and names the option that supplies it.
        """
        frames, animals, dims = self.positions.shape
        rate = "time counts frames, since the frame rate is unknown (--fps)"
        if self.timed:
            rate = f"{self.rate:.6g} {'frame' if f'{self.rate:.6g}' == '1' else 'frames'} a second"
        parts = [
            f"{animals:,} {'track' if animals == 1 else 'tracks'}",
            f"{frames:,} {'frame' if frames == 1 else 'frames'}",
            rate,
            self.unit or "no unit of length (--unit)",
        ]
        if dims == 3:
            parts.insert(2, "3-D")
        if self.missing:
            parts.append(f"{100 * self.missing:.2g} % of positions missing")
        return f"read as {self.source}: {', '.join(parts)}"

    def __repr__(self) -> str:
        frames, animals, dims = self.positions.shape
        warnings = f", {len(self.warnings)} warnings" if self.warnings else ""
        return (
            f"<Tracks {str(self.path)!r}: {animals} animals, {dims}-D, {frames} frames, "
            f"{self.source}{warnings}>"
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
        """Return a frame, or a list of frames for a slice.

        Negative numbers count from the end. The flock of a frame is called 'boids' unless the file
        names flocks. Raises IndexError for a frame that does not exist, and TypeError for an index
        that is not a whole number.
        """
        if isinstance(number, slice):
            return [self[k] for k in range(*number.indices(len(self)))]
        try:
            k = operator.index(number)
        except TypeError:
            raise TypeError(
                f"frame: got {number!r}; expected a whole number, or a slice such as tracks[1:3]"
            ) from None
        k += len(self) if k < 0 else 0
        if not 0 <= k < len(self):
            raise IndexError(
                f"frame: got {number}; expected one of the {len(self)} frames of {self.path}, from "
                "0 on"
            )
        flocks = {name: self._flock_frame(name, k, rows) for name, rows in self.flocks.items()}
        return Frame(k, k / self.rate, self.space, flocks)

    def _flock_frame(self, name: str, k: int, rows: Array) -> FlockFrame:
        """Return the animals of a flock in frame k."""
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
        """Return the same tracks at another frame rate.

        Parameters
        ----------
        frames_per_second : float
            The rate; recorded velocities are scaled with it.

        Returns
        -------
        Tracks

        Raises
        ------
        TracksError
            If the rate is not a positive number.
        """
        velocities, timed = self.recorded_velocities, self.timed
        if velocities is not None and timed:
            velocities = velocities * (check_rate(frames_per_second, self.path) / self.rate)
        return replace(self, frames_per_second=frames_per_second, recorded_velocities=velocities)

    def select(self, *names: str | int) -> Tracks:
        """Return the tracks of some animals.

        Parameters
        ----------
        *names : str or int
            Names of the animals, which may have * and ?, such as "fish*".

        Returns
        -------
        Tracks
            In the order of these tracks, with the same space. A flock of which no animal is left is
            left out.

        Raises
        ------
        TracksError
            For a name that no animal has.
        """
        if not names:
            raise TracksError(f"{self.path}: ids: got none; expected at least one name")
        matches = [find_tracks(self.names, str(name), "ids", self.path) for name in names]
        rows = np.unique(np.concatenate(matches))
        flocks = {name: np.searchsorted(rows, np.intersect1d(rows, old))
                  for name, old in self.flocks.items()}  # fmt: skip
        arrays = {
            name: None if (values := getattr(self, name)) is None else values[:, rows]
            for name in ("positions", "recorded_velocities", "images")
        }
        note = f"{len(rows):,} of {len(self.names):,} tracks are used, as given (--ids)"
        return self._changed(
            note, names=[self.names[k] for k in rows],
            flocks={name: new for name, new in flocks.items() if len(new)}, **arrays,
        )  # fmt: skip

    def smooth(self, window: int | str, order: int = 3) -> Tracks:
        """Return tracks whose positions are smoothed, as are velocities, which follow from them.

        A polynomial is fitted to the positions in a window around each frame, and its value there
        is used (Savitzky and Golay 1964). A note says how far positions move.

        Parameters
        ----------
        window : int or str
            Odd number of frames, such as 9, or seconds, such as "0.3s", of which the nearest odd
            number of frames is taken.
        order : int, default 3
            Order of the polynomial. Motion along polynomials of this order does not change.

        Returns
        -------
        Tracks
            Gaps stay gaps, and no window reaches across one. At the ends of a stretch, the
            polynomial of the first or last window is used; if the stretch is shorter than the
            window, it is the window; if it has at most `order` frames, it stays as it is. Across
            periodic sides, the path is smoothed, not the coordinates.

        Raises
        ------
        TracksError
            For an even window, one of at most `order` frames, and seconds if the frame rate is
            unknown.

        Notes
        -----
        Source: Savitzky & Golay 1964, https://doi.org/10.1021/ac60214a047.
        """
        frames = window_frames(window, order, self.rate if self.timed else None)
        sides = np.where(self.space.periodic, self.space.size, 0.0)
        path = unwrap_stretches(self.positions, self.steps)
        if self.images is not None:
            path = self.positions + self.images * sides
        smooth, unchanged = smooth_positions(path, frames, order)
        distances = np.linalg.norm((smooth - path)[np.isfinite(path).all(axis=2)], axis=1)
        rms = float(np.sqrt(np.mean(distances**2))) if len(distances) else 0.0
        over = f"{frames} frames" + (f" ({frames / self.rate:.3g} s)" if self.timed else "")
        note = (
            f"positions are smoothed by polynomials of order {order} over {over}: they move by "
            f"{rms:.3g} {self.unit or 'in the unit of the file'} (rms), at most "
            f"{distances.max(initial=0.0):.3g}"
        )
        if unchanged:
            note += f". {unchanged:,} of them, in stretches of at most {order} frames, stay"
        if self.recorded_velocities is not None:
            note += ". Velocities are differences of them, and those of the file are left out"
        positions, images = self.space.wrap(smooth), None
        if self.images is not None:
            rounds = (smooth - positions) / self.space.size
            images = np.nan_to_num(np.rint(rounds)).astype(np.int64)
        return self._changed(
            note, positions=positions, images=images, recorded_velocities=None,
            attrs={**self.attrs, "smoothed": over}, reader_warnings=self.warnings,
        )  # fmt: skip

    def _changed(self, note: str, **fields: Any) -> Tracks:
        """Return the tracks with other fields, at the same rate, and a note."""
        rate = self.rate if self.timed else None
        return replace(self, frames_per_second=rate, notes=(*self.notes, note), **fields)

    def to_xarray(self) -> xarray.Dataset:
        """Return an xarray.Dataset in the layout that the package `movement` has for poses.

        Returns
        -------
        xarray.Dataset
            position
                float64 (time, space, keypoints, individuals): positions, nan where an animal is
                not seen, with one keypoint, "centroid"
            confidence
                float64 (time, keypoints, individuals): nan, which means unknown
            time
                seconds since the first frame; frame numbers if the frame rate is unknown
            space
                "x", "y", and "z" in 3-D
            individuals
                the names

            Attributes are those of movement: `fps` (if known), `time_unit` ("seconds" or
            "frames"), `source_software` and `ds_type` ("poses"). Only murmurate reads
            `length_unit`, `first_frame`, `every` and `y_down` (0 or 1).

        Raises
        ------
        TracksError
            If xarray is not installed.

        Notes
        -----
        `tracks.to_xarray().to_netcdf("fish.nc")` writes a file from which `open_tracks` reads the
        same tracks.
        """
        from murmurate.tracks.movement import make_dataset

        rate = self.rate if self.timed else None
        attributes = {
            "source_software": self.source, "length_unit": self.unit, "every": self.every,
            "first_frame": float(self.start), "y_down": int(self.y_down),
        }  # fmt: skip
        with optional("tracks as an xarray.Dataset", TracksError, "record"):
            return make_dataset(self.positions, rate, list(self.names or ()), attributes)

    @cached_property
    def steps(self) -> Array:
        """(T - 1, N, D) displacements from each frame to the next, nan if either is missing.

        Along periodic axes they go to the nearest image, or follow the counted images if the file
        has them.
        """
        if self.images is None:
            return displacements(self.positions[1:], self.positions[:-1], self.space)
        sides = np.where(self.space.periodic, self.space.size, 0.0)
        return np.diff(self.positions, axis=0) + np.diff(self.images, axis=0) * sides

    @cached_property
    def velocities(self) -> Array:
        """(T, N, D) velocities in lengths per second, nan where an animal is not seen.

        As recorded; else the mean of the steps (see `steps`) from the frame before and to the frame
        after, or the one of them that is known.
        """
        positions, rate = self.positions, self.rate
        if self.recorded_velocities is not None:
            is_known = np.isfinite(positions).all(axis=2, keepdims=True)
            return np.where(is_known, np.asarray(self.recorded_velocities, np.float64), np.nan)
        out = central_differences(self.steps * rate)[: len(self)]  # none for no frames
        return np.where(np.isfinite(positions), out, np.nan)


def _bounding_box(positions: Array) -> Space:
    """Return the open box around all known positions."""
    seen = positions[np.isfinite(positions).all(axis=2)]
    if not len(seen):
        return Space(size=(1.0,) * positions.shape[2])
    lower, upper = seen.min(axis=0), seen.max(axis=0)
    return Space.around(lower.tolist(), np.maximum(upper - lower, 1e-9).tolist())


def _check_positions(values: Any, path: str | os.PathLike[str]) -> Array:
    """Return positions as float64, nan where an animal was not seen.

    Raises TracksError for values that are not real numbers (complex ones would lose a half),
    and for inf.
    """
    try:
        positions = np.asarray(values)
    except ValueError:
        raise TracksError(
            f"{path}: got positions in rows of different lengths; expected one array of numbers"
        ) from None
    if positions.dtype.kind not in "iuf":
        raise TracksError(
            f"{path}: got positions of type {positions.dtype}; expected real numbers, with nan "
            "for an animal that was not seen"
        )
    positions = np.array(positions, np.float64)
    if np.isinf(positions).any():
        index = np.argwhere(np.isinf(positions))[0]
        raise TracksError(
            f"{path}: {_describe_index(index)}: got {positions[tuple(index)]:g} for a coordinate; "
            "expected a number, or nan where the animal was not seen"
        )
    return positions


def _check_magnitudes(positions: Array, rate: float, path: str | os.PathLike[str]) -> None:
    """Raise TracksError if fourth powers of positions or velocities exceed a float's range."""
    size = np.nan_to_num(np.abs(positions))
    largest = size.max(initial=0.0)
    remedy = "Express lengths in a larger unit"
    if largest > MAX_VALUE:
        index = np.unravel_index(size.argmax(), size.shape)
        raise TracksError(
            f"{path}: {_describe_index(index)}: got a coordinate of {positions[index]:g}; expected "
            f"at most {MAX_VALUE:g}. {remedy}"
        )
    if 2 * largest > MAX_VALUE / max(rate, 1.0):
        raise TracksError(
            f"{path}: got coordinates of {largest:g} at {rate:g} frames a second; expected speeds "
            f"up to {MAX_VALUE:g}. {remedy}, or correct the rate"
        )


def _describe_index(index: Any) -> str:
    """Return 'frame 3, animal 1' for an index into an array of positions."""
    names = ("frame", "animal")
    return ", ".join(f"{name} {int(k)}" for name, k in zip(names, index, strict=False))


def check_rate(value: Any, path: str | os.PathLike[str]) -> float:
    """Return a frame rate in frames per second, or raise TracksError."""
    number = np.asarray(value)
    if (
        number.dtype.kind not in "iuf"
        or number.size != 1
        or not MIN_RATE <= float(number.item()) < np.inf
    ):
        got = repr(value) if isinstance(value, str) else value
        raise TracksError(
            f"{path}: got {got} frames a second; expected a number > 0, and not below {MIN_RATE:g}"
        )
    return float(number.item())


def find_tracks(
    names: Sequence[str], name: str, option: str, path: str | os.PathLike[str]
) -> list[int]:
    """Return the indices of the names that are, or match, `name`.

    Raises TracksError, which names `option`, if there is none.
    """
    rows = [k for k, other in enumerate(names) if other == name]
    rows = rows or [k for k, other in enumerate(names) if fnmatchcase(other, name)]
    if not rows:
        raise TracksError(f"{path}: {option}: {format_unknown('track', name, list(names))}")
    return rows


def find_gaps(tracks: Tracks) -> list[tuple[int, int, int]]:
    """Return (animal, first frame, frames) of each gap in an animal's track, longest first."""
    seen = np.isfinite(tracks.positions).all(axis=2)
    gaps = []
    for animal in range(seen.shape[1]):
        frames = np.flatnonzero(seen[:, animal])
        before = np.flatnonzero(np.diff(frames) > 1)
        gaps += [(animal, int(frames[k]) + 1, int(frames[k + 1] - frames[k]) - 1) for k in before]
    return sorted(gaps, key=lambda gap: -gap[2])


def describe_tracks(tracks: Tracks) -> dict[str, Any]:
    """Return a description in plain numbers and words; None for unknown values."""
    positions = tracks.positions
    frames, animals, dims = positions.shape
    seen = positions[np.isfinite(positions).all(axis=2)]
    gaps = find_gaps(tracks)
    speeds = np.linalg.norm(tracks.steps, axis=2)
    speeds = speeds[np.isfinite(speeds)]
    names = list(tracks.names or ())
    return {
        "path": str(tracks.path),
        "read_as": tracks.source,
        "tracks": animals,
        "names": names,
        "frames": frames,
        "first_frame": tracks.start,
        "every": tracks.every,
        "frames_per_second": tracks.rate if tracks.timed else None,
        "seconds": (frames - 1) / tracks.rate if tracks.timed and frames else None,
        "dims": dims,
        "space": {
            "lower": list(tracks.space.lower),
            "size": list(tracks.space.size),
            "boundary": list(tracks.space.boundaries),
        },
        "flocks": {name: len(rows) for name, rows in tracks.flocks.items()},
        "unit": tracks.unit,
        "y_down": tracks.y_down,
        "lower": seen.min(axis=0).tolist() if len(seen) else None,
        "upper": seen.max(axis=0).tolist() if len(seen) else None,
        "median_step": float(np.median(speeds)) if len(speeds) else None,
        "missing": tracks.missing,
        "gaps": len(gaps),
        "longest_gap": {
            "animal": names[gaps[0][0]],
            "first_frame": tracks.start + gaps[0][1] * tracks.every,
            "frames": gaps[0][2],
        } if gaps else None,
        "attrs": dict(tracks.attrs),
        "notes": list(tracks.notes),
        "warnings": list(tracks.warnings),
    }  # fmt: skip
