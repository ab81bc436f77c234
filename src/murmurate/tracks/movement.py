"""Exchange formats of poses: movement's NetCDF, and NWB with the extension ndx-pose.

movement's layout is position(time, space, keypoints, individuals), also with names in the singular.
Its files are read, and tracks are written as its Dataset. NWB has a series per body part, with
times or a rate.

Source: movement 0.15, movement/validators/datasets.py, ValidPosesInputs.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.disk import regular
from murmurate.errors import TracksError
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.frame_table import frames_from_times, infer_rate, row_names
from murmurate.tracks.hdf5_file import check_hdf5, open_hdf5, read_dataset
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, parse_rate, select_point

if TYPE_CHECKING:
    import xarray

Array = np.ndarray
MAX_UNIT_LENGTH = 40  # characters
SINGULAR = {"individuals": "individual", "keypoints": "keypoint"}


def read(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read movement's NetCDF. Raises TracksError for other axes and unequal steps of time."""
    import xarray

    path = preview.path
    check_hdf5(path)
    with xarray.open_dataset(regular(path)) as data:
        if "position" not in data:
            raise TracksError(
                f"{path}: got no variable 'position'; expected the layout of movement"
            )
        position = rename_to_singular(data["position"])
        if {"time", "space", "individual"} - set(position.dims):
            raise TracksError(
                f"{path}: position: got axes {', '.join(map(str, position.dims))}; expected time, "
                "space, keypoint, individual, as movement has them"
            )
        if "keypoint" not in position.dims:
            position = position.expand_dims("keypoint")
        position = position.transpose("time", "individual", "keypoint", "space")
        points = position.values[..., _axis_indices(position, path)]
        names = [str(name) for name in position["individual"].values]
        parts = [str(name) for name in position["keypoint"].values]
        from_times = (
            infer_rate(position["time"].values, path) if "time" in position.coords else None
        )
        rate = data.attrs.get("fps", from_times)
        own = _own_attributes(data.attrs, path)
        if rate is not None and own.get("every", 1) > 1:
            rate = parse_rate(rate, "fps", path) * own["every"]  # that of the original file
        if "confidence" in data and options.min_likelihood is not None:
            points = _drop_unlikely(points, data["confidence"], options.min_likelihood, path)
    positions, notes = select_point(points, parts, options.part, path)
    return RawTracks(positions, rate, names, notes=notes, **own)


def rename_to_singular(array: xarray.DataArray) -> xarray.DataArray:
    """Return an array with movement's names of axes in the singular."""
    return array.rename({k: v for k, v in SINGULAR.items() if k in array.dims})


def _drop_unlikely(points: Array, confidence: Any, min_likelihood: float, path: Path) -> Array:
    """Set points (T, N, P, D) with a lower confidence to nan."""
    confidence = rename_to_singular(confidence)
    confidence = confidence.transpose("time", "individual", "keypoint", missing_dims="ignore")
    if np.isnan(confidence.values).all():
        raise TracksError(
            f"{path}: got min_likelihood {min_likelihood:g} for a file whose confidence is nan "
            "everywhere, that is unknown; expected none. Leave --min-likelihood out"
        )
    likely = (confidence.values >= min_likelihood).reshape(*points.shape[:3], 1)
    return np.where(likely, points, np.nan)


def make_dataset(
    positions: Array, rate: float | None, names: list[str], attributes: dict[str, Any]
) -> xarray.Dataset:
    """Return positions as the Dataset that movement makes of points without a confidence.

    positions  (T, N, D) positions, nan where an animal was not seen
    rate  frames per second; None: time counts frames
    names  names of the animals
    attributes  further attributes of the Dataset
    raises ImportError  if xarray is not installed
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


def _own_attributes(attributes: dict[str, Any], path: Path) -> dict[str, Any]:
    """Check the attributes that only murmurate writes; return them as arguments of RawTracks."""
    own: dict[str, Any] = {}
    if isinstance(unit := attributes.get("length_unit"), str):
        own["unit"] = " ".join(unit.split())[:MAX_UNIT_LENGTH]
    start = parse_rate(attributes.get("first_frame"), "first_frame", path)
    if start is not None and math.isfinite(start):
        own["start"] = float(start)
    every = parse_rate(attributes.get("every"), "every", path)
    if every is not None and every >= 1 and every == int(every):
        own["every"] = int(every)
    own["y_down"] = parse_rate(attributes.get("y_down"), "y_down", path) == 1
    return own


def _axis_indices(position: Any, path: Path) -> list[int]:
    """Return the indices of x, y and perhaps z along 'space', by its labels if it has them."""
    if "space" not in position.coords:
        return list(range(position.sizes["space"]))
    labels = [x.decode() if isinstance(x, bytes) else str(x) for x in position["space"].values]
    if sorted(labels) not in (["x", "y"], ["x", "y", "z"]):
        raise TracksError(
            f"{path}: space: got the labels {', '.join(labels)}; expected x and y, or x, y and z"
        )
    return [labels.index(axis) for axis in sorted(labels)]


# --- NWB


def read_nwb(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read NWB, in which each PoseEstimation is an animal; all share the same frames."""
    path = preview.path
    series: list[tuple[str, str, Array, Array]] = []
    with open_hdf5(path) as file:
        poses: list[Any] = []
        file.visititems(
            lambda _, item: poses.append(item) if _is_type(item, "PoseEstimation") else None
        )
        for pose in poses:
            animal = pose.name.rpartition("/")[2].removeprefix("track=")
            for part, item in pose.items():
                if _is_type(item, "PoseEstimationSeries"):
                    series.append((animal, part, *_read_series(item, options, path)))
    if not series:
        raise TracksError(
            f"{path}: got no PoseEstimation; expected one with a PoseEstimationSeries"
        )
    animals = list(dict.fromkeys(animal for animal, *_ in series))
    parts = list(dict.fromkeys(part for _, part, *_ in series))
    all_times = np.concatenate([times for *_, times in series])
    frames = frames_from_times(all_times, len(animals) * len(parts), row_names("time"), path)
    dims = min(positions.shape[1] for _, _, positions, _ in series)
    points = np.full((frames.count, len(animals), len(parts), dims), np.nan)
    begin = 0
    for animal, part, positions, times in series:
        index = frames.index[begin : begin + len(times)]
        points[index, animals.index(animal), parts.index(part)] = positions[:, :dims]
        begin += len(times)
    selected, notes = select_point(points, parts, options.part, path)
    rate = 1 / frames.step if frames.count > 1 else None
    return RawTracks(selected, rate, animals, "px", 0.0, 1, True, (*notes, *frames.notes))


def _is_type(item: Any, name: str) -> bool:
    kind = item.attrs.get("neurodata_type", "")
    return (kind.decode(errors="replace") if isinstance(kind, bytes) else kind) == name


def _read_series(series: Any, options: ReadOptions, path: Path) -> tuple[Array, Array]:
    """Return (n, D) positions, nan below the minimum likelihood, and (n,) seconds."""
    data = series["data"]
    if data.ndim != 2 or data.shape[1] not in (2, 3):
        raise TracksError(
            f"{path}: {series.name}: got data of shape {data.shape}; expected (frames, 2 or 3 axes)"
        )
    positions = np.asarray(read_dataset(data, path), np.float64)
    if "timestamps" in series:
        times = np.asarray(read_dataset(series["timestamps"], path), np.float64)
    else:
        start = series["starting_time"]
        times = float(read_dataset(start, path)) + np.arange(len(positions)) / float(
            start.attrs["rate"]
        )
    if times.shape != positions.shape[:1]:
        raise TracksError(
            f"{path}: {series.name}: got {times.size} times for {len(positions)} positions; "
            "expected one each"
        )
    if options.min_likelihood is not None and "confidence" in series:
        confidence = np.asarray(read_dataset(series["confidence"], path))
        positions[~(confidence >= options.min_likelihood)] = np.nan
    return positions, times
