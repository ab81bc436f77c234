"""Tracks: files of tracked animals -> frames, so that measures work on them as on a flock.

What the files say is kept: units are theirs (pixels, mostly), time is in seconds where they tell
frames a second. A boid that was not seen in a frame has NaN for its place and velocity.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.record.errors import RecordingRefused

Array = np.ndarray
READ = "movement's NetCDF (.nc), idtracker.ai's .npy, trackpy's tables (.csv, .parquet)"


class Tracks:
    """Tracked animals as frames: iterate over it, index it, or take its arrays.

    positions          (T, N, D) float64, NaN where one was not seen; units of the file
    velocities         (T, N, D) float64 per second: differences to the frame before and the frame
                       after (to one of them at a gap or an end); NaN where neither was seen
    names              N names, as the file has them
    frames_per_second  as the file has it, or as was given; 1 where nobody says
    """

    def __init__(
        self,
        positions: Array,
        frames_per_second: float | None,
        names: list[str] | None = None,
        path: str | os.PathLike[str] = "tracks",
    ) -> None:
        self.positions = np.array(positions, np.float64)
        if self.positions.ndim != 3 or self.positions.shape[2] not in (2, 3):
            raise RecordingRefused(
                f"{path}: positions have shape {self.positions.shape}; they must be (frames, "
                "animals, 2 or 3 axes)"
            )
        self.frames_per_second = float(frames_per_second or 1.0)
        if not np.isfinite(self.frames_per_second) or self.frames_per_second <= 0:
            raise RecordingRefused(
                f"{path}: {frames_per_second} frames a second: it must be a number > 0"
            )
        self.names = names or [str(k) for k in range(self.positions.shape[1])]
        self.path = Path(path)

    def __repr__(self) -> str:
        frames, animals, dims = self.positions.shape
        return f"<Tracks {str(self.path)!r}: {animals} animals, {dims}-D, {frames} frames>"

    def __len__(self) -> int:
        return len(self.positions)

    def __iter__(self) -> Iterator[Frame]:
        return (self[k] for k in range(len(self)))

    def __getitem__(self, number: int) -> Frame:
        """Frame 0, 1, ..., or counted from the end; its flock is called 'boids'."""
        k = number + len(self) if number < 0 else number
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
    except Exception as error:  # whatever a library says of a file that is not what it should be
        raise RecordingRefused(f"{path}: cannot be read: {error}; tracks can be {READ}") from None
    return Tracks(positions, frames_per_second or rate, names, path)


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
        values = position.transpose("time", "individual", "space").values
        names = [str(name) for name in position["individual"].values]
        rate = data.attrs.get("fps")
        if rate is None and "time" in data.coords and len(data["time"]) > 1:
            times = data["time"].values
            if np.issubdtype(times.dtype, np.floating):
                rate = 1.0 / float(times[1] - times[0])
    return values, None if rate is None else float(rate), names


def _idtracker(path: Path) -> Read:
    """The dictionary that idtracker.ai saves: 'trajectories' (T, N, 2), 'frames_per_second'; or the
    bare array."""
    try:
        data: Any = np.load(path, allow_pickle=False)
    except ValueError:
        data = _Plain.load(path)
    if isinstance(data, np.ndarray) and data.dtype == object:
        data = data.item()
    if isinstance(data, dict):
        if "trajectories" not in data:
            raise RecordingRefused(
                f"{path}: has no 'trajectories': it is not a file of idtracker.ai's"
            )
        rate = data.get("frames_per_second")
        return np.asarray(data["trajectories"], float), rate, None
    return np.asarray(data, float), None, None


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
    frames = table["frame"].to_numpy().astype(np.int64)
    particles, places = np.unique(table["particle"].to_numpy(), return_inverse=True)
    first = frames.min() if len(frames) else 0
    shape = (int(frames.max() - first) + 1 if len(frames) else 0, len(particles), len(axes))
    out = np.full(shape, np.nan)
    out[frames - first, places] = table[axes].to_numpy(dtype=float)
    return out, None, [str(name) for name in particles.tolist()]
