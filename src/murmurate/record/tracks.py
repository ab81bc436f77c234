"""Tracks: files of tracked animals -> frames, so that measures work on them as on a flock.

What the files say is kept: units are theirs (pixels, mostly), time is in seconds where they tell
frames a second. A boid that was not seen in a frame has NaN for its place and velocity.
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

Array = np.ndarray
READ = "movement's NetCDF (.nc), idtracker.ai's .npy, trackpy's tables (.csv, .parquet)"
LARGEST = 1e150  # of a coordinate or a speed: measures square them and add a million of them up
MOST = 1_000_000_000  # places that a table may ask for: 16 GB in 2-D
UNEVEN = 0.02  # of a step: how far a time may lie from its place among equal ones


class Tracks:
    """Tracked animals as frames: iterate over it, index it, or take its arrays.

    positions          (T, N, D) float64, NaN where one was not seen; units of the file. inf, and
                       numbers whose squares are too large for a float, are refused
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
        if self.positions.ndim != 3 or self.positions.shape[2] not in (2, 3):
            raise RecordingRefused(
                f"{path}: positions have shape {self.positions.shape}; they must be (frames, "
                "animals, 2 or 3 axes)"
            )
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
        return Space(size=tuple(size.tolist()), origin=tuple(lower.tolist()))

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
        ".nc": _movement, ".h5": _movement, ".npy": _idtracker, ".csv": _trackpy,
        ".parquet": _trackpy,
    }  # fmt: skip
    if path.suffix.lower() not in readers:
        raise RecordingRefused(f"{path}: tracks can be read from {READ}")
    if not path.is_file():
        raise RecordingRefused(f"{path}: there is no such file")
    try:
        positions, rate, names = readers[path.suffix.lower()](path)
    except RecordingRefused:
        raise
    except ImportError as error:
        raise RecordingRefused(
            f"{path}: reading it needs {error.name}: pip install {error.name}"
        ) from None
    except UnicodeDecodeError:
        raise RecordingRefused(f"{path}: cannot be read: it is not text; tracks can be {READ}") \
            from None  # fmt: skip
    except Exception as error:  # whatever a library says of a file that is not what it should be
        said = " ".join(str(error).split())
        raise RecordingRefused(f"{path}: cannot be read: {said}; tracks can be {READ}") from None
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
    """Raises RecordingRefused where squares of places or velocities would not be numbers."""
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
            f"{LARGEST:g}, which cannot be measured: {advice}, or mend the rate"
        )


def _at(where: Any) -> str:
    """'frame 3, animal 1', of the indices into an array of places."""
    names = ("frame", "animal")
    return ", ".join(f"{name} {int(k)}" for name, k in zip(names, where, strict=False))


def _rate(value: Any, path: str | os.PathLike[str]) -> float:
    """Frames a second. Raises RecordingRefused for what is no number above 0."""
    found = np.asarray(value)
    if found.dtype.kind not in "iuf" or found.size != 1 or not 0 < float(found.item()) < np.inf:
        said = repr(value) if isinstance(value, str) else value
        raise RecordingRefused(f"{path}: {said} frames a second: it must be a number > 0")
    return float(found.item())


Read = tuple[Array, float | None, list[str] | None]


def _movement(path: Path) -> Read:
    """position(time, space, keypoint, individual), names in plural too; keypoints are averaged."""
    import xarray

    with xarray.open_dataset(path) as data:
        if "position" not in data:
            raise RecordingRefused(
                f"{path}: has no variable 'position': it is not in the layout of movement"
            )
        position = data["position"]
        plural = {"individuals": "individual", "keypoints": "keypoint"}
        position = position.rename({k: v for k, v in plural.items() if k in position.dims})
        lacking = {"time", "space", "individual"} - set(position.dims)
        if lacking:
            raise RecordingRefused(
                f"{path}: position has axes {', '.join(map(str, position.dims))}; movement's are "
                "time, space, keypoint, individual"
            )
        if "keypoint" in position.dims:
            position = position.mean("keypoint", skipna=True)
        position = position.transpose("time", "individual", "space")
        values = position.values[:, :, _axes(position, path)]
        names = [str(name) for name in position["individual"].values]
        found = _rate_of(position["time"].values, path) if "time" in position.coords else None
        rate = data.attrs.get("fps", found)
    return values, rate, names


def _axes(position: Any, path: Path) -> list[int]:
    """Where x, y and perhaps z stand along 'space': by its labels, and in order without them."""
    if "space" not in position.coords:
        return list(range(position.sizes["space"]))
    labels = [x.decode() if isinstance(x, bytes) else str(x) for x in position["space"].values]
    if sorted(labels) not in (["x", "y"], ["x", "y", "z"]):
        raise RecordingRefused(
            f"{path}: 'space' has the labels {', '.join(labels)}; they must be x and y, or x, y "
            "and z"
        )
    return [labels.index(axis) for axis in sorted(labels)]


def _rate_of(times: Array, path: Path) -> float | None:
    """Frames a second of movement's times: seconds, or plain numbers of frames, which say none."""
    counts = times.dtype.kind in "iu"
    if times.dtype.kind in "mM":
        times = (times - times[:1]) / np.timedelta64(1, "s")
    if times.dtype.kind not in "iuf" or len(times) < 2:
        return None
    times = times.astype(np.float64)
    steps = np.diff(times)
    if not np.isfinite(times).all() or not (steps > 0).all():
        k = int(np.argmax(~(np.isfinite(steps) & (steps > 0))))
        raise RecordingRefused(
            f"{path}: time {times[k]:g} of frame {k} is followed by {times[k + 1]:g}; times must "
            "rise, by equal steps: put the frames in order, each once"
        )
    step = (times[-1] - times[0]) / len(steps)
    if np.abs(times - times[0] - step * np.arange(len(times))).max() > UNEVEN * step:
        usual = float(np.median(steps))
        k = int(np.argmax(np.abs(steps - usual)))
        raise RecordingRefused(
            f"{path}: from frame {k} to frame {k + 1} is {steps[k]:g} of time, and {usual:g} from "
            "most frames to the next; times must have equal steps: put in frames without animals "
            "(nan) where some are missing"
        )
    return None if counts else float(1.0 / step)


def _idtracker(path: Path) -> Read:
    """The dictionary that idtracker.ai saves: 'trajectories' (T, N, 2), 'frames_per_second'; or the
    bare array."""
    try:
        data: Any = np.load(path, allow_pickle=False)
    except ValueError:
        data = _Plain.load(path)
    if isinstance(data, np.ndarray) and data.dtype == object and not data.shape:
        data = data.item()
    if isinstance(data, dict):
        if "trajectories" not in data:
            raise RecordingRefused(
                f"{path}: has no 'trajectories': it is not a file of idtracker.ai's"
            )
        return data["trajectories"], data.get("frames_per_second"), None
    return data, None, None


class _Plain:
    """Pickled dictionaries of numbers and arrays; anything else that a pickle may name is refused,
    so that a file from elsewhere cannot run code."""

    MODULES = ("numpy", "collections", "_codecs", "pathlib")

    @classmethod
    def load(cls, path: Path) -> Any:
        import pickle

        class Reader(pickle.Unpickler):
            def find_class(self, module: str, name: str) -> Any:
                allowed = {
                    "_reconstruct", "ndarray", "dtype", "scalar", "OrderedDict", "encode",
                    "PosixPath", "PurePosixPath", "Path", "_frombuffer",
                }  # fmt: skip
                if module.split(".")[0] in cls.MODULES and name in allowed:
                    return super().find_class(module, name)
                raise RecordingRefused(
                    f"{path}: it holds {module}.{name}, which is neither number nor array, and is "
                    "not loaded: save the trajectories as a plain array"
                )

        with open(path, "rb") as file:
            version = np.lib.format.read_magic(file)
            if version[0] == 1:
                np.lib.format.read_array_header_1_0(file)
            else:
                np.lib.format.read_array_header_2_0(file)
            return Reader(file).load()


def _trackpy(path: Path) -> Read:
    """Columns frame, particle, x, y and perhaps z: one row for each sighting."""
    import pandas

    read = pandas.read_csv if path.suffix.lower() == ".csv" else pandas.read_parquet
    table = read(path)
    lacking = [name for name in ("frame", "particle", "x", "y") if name not in table.columns]
    if lacking:
        raise RecordingRefused(
            f"{path}: has no column {', '.join(lacking)}; trackpy's columns are frame, particle, "
            f"x, y and perhaps z, and here there are {', '.join(map(str, table.columns))}"
        )
    axes = [axis for axis in ("x", "y", "z") if axis in table.columns]
    places = np.stack([_column(table, axis, path) for axis in axes], axis=1)
    particles, animals = _labels(table, path)
    frames = _frame_numbers(table, len(particles), path)
    _refuse_twice(frames, animals, particles, path)
    first = frames.min() if len(frames) else 0
    count = int(frames.max() - first) + 1 if len(frames) else 0
    out = np.full((count, len(particles), len(axes)), np.nan)
    out[frames - first, animals] = places
    return out, None, [str(name) for name in particles.tolist()]


def _column(table: Any, name: str, path: Path) -> Array:
    """A column's numbers, nan where a cell is empty. Raises RecordingRefused for a word."""
    import pandas

    column = table[name]
    found: Array = pandas.to_numeric(column, errors="coerce").to_numpy(np.float64, na_value=np.nan)
    words = np.isnan(found) & column.notna().to_numpy(bool)
    if words.any():
        k = int(np.argmax(words))
        raise RecordingRefused(
            f"{path}: column {name} has {str(column.iloc[k])!r} in row {k + 1} below the header; "
            "it must be a number, or empty where there is none"
        )
    return found


def _labels(table: Any, path: Path) -> tuple[Array, Array]:
    """The animals in order, and which of them each row is."""
    column = table["particle"]
    lacking = column.isna().to_numpy(bool)
    if lacking.any():
        raise RecordingRefused(
            f"{path}: row {int(np.argmax(lacking)) + 1} below the header has no particle; each row "
            "must say which animal it is"
        )
    names = column.to_numpy()
    if names.dtype == object:
        names = names.astype(str)
    particles, animals = np.unique(names, return_inverse=True)
    return particles, animals


def _frame_numbers(table: Any, animals: int, path: Path) -> Array:
    """The frame of each row. Raises RecordingRefused unless it is a whole number, and the frames
    from the first to the last can be held."""
    found = _column(table, "frame", path)
    wrong = ~np.isfinite(found) | (found != np.round(found))
    if wrong.any():
        k = int(np.argmax(wrong))
        here = "nothing" if np.isnan(found[k]) else f"{found[k]:g}"
        raise RecordingRefused(
            f"{path}: frame must be whole numbers; here {here}, in row {k + 1} below the header. "
            "Where the column holds times, write times by frames a second in its place"
        )
    count = float(found.max() - found.min()) + 1 if len(found) else 0.0
    if count * animals > MOST or np.abs(found).max(initial=0.0) > 2**53:
        raise RecordingRefused(
            f"{path}: frames go from {found.min():g} to {found.max():g}, which spans {count:,.6g} "
            f"frames for {len(found):,} rows; at most {MOST // max(animals, 1):,} frames of "
            f"{animals:,} animals can be held: mend the number, or divide the table"
        )
    return found.astype(np.int64)


def _refuse_twice(frames: Array, animals: Array, particles: Array, path: Path) -> None:
    """Raises RecordingRefused where an animal has two rows in one frame."""
    order = np.lexsort((animals, frames))
    twice = (np.diff(frames[order]) == 0) & (np.diff(animals[order]) == 0)
    if twice.any():
        k = int(np.argmax(twice))
        one, other = sorted((int(order[k]) + 1, int(order[k + 1]) + 1))
        raise RecordingRefused(
            f"{path}: frame {frames[one - 1]} has particle {particles[animals[one - 1]]} twice, in "
            f"rows {one} and {other} below the header; an animal has one place in a frame: keep "
            "one of them"
        )
