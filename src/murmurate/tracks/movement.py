"""movement's layout: position(time, space, keypoints, individuals), names in singular too. Its
NetCDF files are read, and tracks are written as its Dataset.

Source: movement 0.15, movement/validators/datasets.py, ValidPosesInputs.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.disk import regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.hdf5_file import check_hdf5
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, one_point, rate_of
from murmurate.tracks.timeline import rate_of_times

if TYPE_CHECKING:
    import xarray

Array = np.ndarray
LONGEST_UNIT = 40  # characters


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
        own = _own(data.attrs, path)
        if rate is not None and own.get("every", 1) > 1:
            rate = rate_of(rate, "fps", path) * own["every"]  # of the file that it was made of
        if "confidence" in data and options.min_likelihood is not None:
            sure = data["confidence"].rename({k: v for k, v in plural.items() if k in data.dims})
            sure = sure.transpose("time", "individual", "keypoint", missing_dims="ignore")
            if np.isnan(sure.values).all():
                raise RecordingRefused(
                    f"{path}: got min_likelihood {options.min_likelihood:g}; expected none, since "
                    "its confidence is nan everywhere, which means that it is not known. Leave "
                    "--min-likelihood out"
                )
            seen = (sure.values >= options.min_likelihood).reshape(*points.shape[:3], 1)
            points = np.where(seen, points, np.nan)
    places, notes = one_point(points, parts, options.part, path)
    return Reading(places, rate, names, notes=notes, **own)


def dataset(
    positions: Array, rate: float | None, names: list[str], attributes: dict[str, Any]
) -> xarray.Dataset:
    """The Dataset of (T, N, D) positions, as movement makes it of points without a confidence.

    rate        frames a second; None: time counts frames
    names       N names
    attributes  more attributes
    Raises ImportError without xarray.
    """
    import xarray

    frames, animals, dims = positions.shape
    clock = {"time_unit": "frames"} if rate is None else {"time_unit": "seconds", "fps": rate}
    return xarray.Dataset(
        {
            "position": (
                ("time", "space", "keypoints", "individuals"),
                np.swapaxes(positions, 1, 2)[:, :, None, :].copy(),
            ),
            "confidence": (
                ("time", "keypoints", "individuals"),
                np.full((frames, 1, animals), np.nan),
            ),
        },
        {
            "time": np.arange(frames) if rate is None else np.arange(frames) / rate,
            "space": ["x", "y", "z"][:dims],
            "keypoints": ["centroid"],
            "individuals": names,
        },
        {**clock, "ds_type": "poses", **attributes},
    )


def _own(attributes: dict[str, Any], path: Path) -> dict[str, Any]:
    """What `dataset` writes for murmurate alone, checked: parts of a Reading."""
    found: dict[str, Any] = {}
    if isinstance(unit := attributes.get("length_unit"), str):
        found["unit"] = " ".join(unit.split())[:LONGEST_UNIT]
    start = rate_of(attributes.get("first_frame"), "first_frame", path)
    if start is not None and math.isfinite(start):
        found["start"] = float(start)
    every = rate_of(attributes.get("every"), "every", path)
    if every is not None and every >= 1 and every == int(every):
        found["every"] = int(every)
    found["y_down"] = rate_of(attributes.get("y_down"), "y_down", path) == 1
    return found


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
