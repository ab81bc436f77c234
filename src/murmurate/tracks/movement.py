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
from murmurate.tracks.timeline import rate_of_times

Array = np.ndarray


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
        found = rate_of_times(position["time"].values, path) if "time" in position.coords else None
        rate = data.attrs.get("fps", found)
        if "confidence" in data and options.min_likelihood is not None:
            sure = data["confidence"].rename({k: v for k, v in plural.items() if k in data.dims})
            sure = sure.transpose("time", "individual", "keypoint", missing_dims="ignore")
            seen = (sure.values >= options.min_likelihood).reshape(*points.shape[:3], 1)
            points = np.where(seen, points, np.nan)
    places, notes = one_point(points, parts, options.part, path)
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
