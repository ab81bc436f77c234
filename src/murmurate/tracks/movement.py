"""movement's NetCDF files: position(time, space, keypoint, individual), names in plural too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.hdf5_file import check_hdf5
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, one_point

Array = np.ndarray
UNEVEN = 0.02  # of a step: how far a time may lie from its place among equal ones


def read(head: Head, options: ReadOptions) -> Reading:
    """Raises RecordingRefused for other axes, and times that are not equally far apart."""
    import xarray

    path = head.path
    check_hdf5(path)
    with xarray.open_dataset(regular(path)) as data:
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
        if "keypoint" not in position.dims:
            position = position.expand_dims("keypoint")
        position = position.transpose("time", "individual", "keypoint", "space")
        points = position.values[..., _axes(position, path)]
        names = [str(name) for name in position["individual"].values]
        parts = [str(name) for name in position["keypoint"].values]
        found = _rate_of(position["time"].values, path) if "time" in position.coords else None
        rate = data.attrs.get("fps", found)
        if "confidence" in data and options.likelihood is not None:
            sure = data["confidence"].rename({k: v for k, v in plural.items() if k in data.dims})
            sure = sure.transpose("time", "individual", "keypoint", missing_dims="ignore")
            points = np.where((sure.values >= options.sure).reshape(*points.shape[:3], 1), points,
                              np.nan)  # fmt: skip
    places, notes = one_point(points, parts, options.body_part, path)
    return Reading(places, rate, names, notes=notes)


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
