"""Readers of track files: movement, idtracker.ai and trackpy -> positions, rate and names."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.record.array_pickle import read_pickle
from murmurate.record.errors import RecordingRefused
from murmurate.record.track_size import check_hdf5, check_numbers, most_numbers

Array = np.ndarray
FASTEST = 1_000_000_000  # frames a second
UNEVEN = 0.02  # of a step: how far a time may lie from its place among equal ones
Read = tuple[Array, float | None, list[str] | None]


def movement(path: Path) -> Read:
    """position(time, space, keypoint, individual), names in plural too; keypoints are averaged."""
    import xarray

    check_hdf5(path)
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


def idtracker(path: Path) -> Read:
    """The dictionary that idtracker.ai saves: 'trajectories' (T, N, 2), 'frames_per_second'; or the
    bare array."""
    data = _npy(path)
    if isinstance(data, np.ndarray) and data.dtype == object and not data.shape:
        data = data.item()
    if isinstance(data, np.ndarray):
        return data, None, None
    if not isinstance(data, dict) or not isinstance(data.get("trajectories"), np.ndarray):
        raise RecordingRefused(
            f"{path}: has no 'trajectories' that are an array: it is not a file of idtracker.ai's"
        )
    return data["trajectories"], _number(data.get("frames_per_second"), path), None


def _number(rate: Any, path: Path) -> float | None:
    """The frames a second of a dictionary. Raises RecordingRefused for what is no number."""
    if isinstance(rate, np.generic | np.ndarray) and rate.size == 1:
        rate = rate.item()
    if rate is not None and (not isinstance(rate, int | float) or abs(rate) > FASTEST):
        raise RecordingRefused(f"{path}: its 'frames_per_second' is no number up to {FASTEST:,}")
    return rate


def _npy(path: Path) -> Any:
    """The array of a .npy file. Raises RecordingRefused for one that says that it has more numbers
    than are in the file, before there is room made for them."""
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        header = np.lib.format.read_array_header_1_0 if version[0] == 1 else (
            np.lib.format.read_array_header_2_0
        )  # fmt: skip
        shape, _, dtype = header(file)
        left = path.stat().st_size - file.tell()
        if dtype.hasobject:
            return read_pickle(file.read(), path)
        if math.prod(shape) * dtype.itemsize > left:
            raise RecordingRefused(
                f"{path}: its array should be of shape {shape}, {math.prod(shape):,} numbers, "
                f"and {left:,} bytes of them are there: it was cut short"
            )
    return np.load(path, allow_pickle=False)


def trackpy(path: Path) -> Read:
    """Columns frame, particle, x, y and perhaps z: one row for each sighting."""
    import pandas

    if path.suffix.lower() == ".csv":
        table = pandas.read_csv(path)
    else:
        from pyarrow.parquet import read_metadata

        about = read_metadata(path)
        check_numbers(about.num_rows * about.num_columns, "its table", path)
        table = pandas.read_parquet(path)
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
    most = most_numbers(path) // max(3 * animals, 1)
    if count > most or np.abs(found).max(initial=0.0) > 2**53:
        raise RecordingRefused(
            f"{path}: frames go from {found.min():g} to {found.max():g}, which spans {count:,.6g} "
            f"frames for {len(found):,} rows; at most {most:,} frames of {animals:,} animals are "
            "read of a table of that length: correct the number, or divide the table"
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
