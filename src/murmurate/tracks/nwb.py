"""NWB files with poses (the extension ndx-pose): a series a body part, with times or a rate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.grid import frames_of_times, numbered
from murmurate.tracks.hdf5_file import open_hdf5, read_dataset
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, one_point


def read(head: Head, options: ReadOptions) -> Reading:
    """Every PoseEstimation in the file is an animal; all are in one grid of times."""
    path = head.path
    found: list[tuple[str, str, np.ndarray, np.ndarray]] = []
    with open_hdf5(path) as file:
        poses: list[Any] = []
        file.visititems(lambda _, one: poses.append(one) if _is(one, "PoseEstimation") else None)
        for pose in poses:
            name = pose.name.rpartition("/")[2].removeprefix("track=")
            for part, series in pose.items():
                if _is(series, "PoseEstimationSeries"):
                    found.append((name, part, *_series(series, options, path)))
    if not found:
        raise RecordingRefused(f"{path}: has no PoseEstimation with PoseEstimationSeries in it")
    animals = list(dict.fromkeys(name for name, *_ in found))
    parts = list(dict.fromkeys(part for _, part, *_ in found))
    times = np.concatenate([one for *_, one in found])
    room = len(animals) * len(parts)
    made = frames_of_times(times, room, numbered("time"), path)
    dims = min(places.shape[1] for _, _, places, _ in found)
    points = np.full((made.count, len(animals), len(parts), dims), np.nan)
    begin = 0
    for name, part, places, one in found:
        where = made.index[begin : begin + len(one)]
        points[where, animals.index(name), parts.index(part)] = places[:, :dims]
        begin += len(one)
    places, notes = one_point(points, parts, options.part, path)
    rate = 1 / made.step if made.count > 1 else None
    return Reading(places, rate, animals, "px", 0.0, 1, True, (*notes, *made.notes))


def _is(thing: Any, kind: str) -> bool:
    said = thing.attrs.get("neurodata_type", "")
    return (said.decode(errors="replace") if isinstance(said, bytes) else said) == kind


def _series(series: Any, options: ReadOptions, path: Path) -> tuple[np.ndarray, np.ndarray]:
    """(n, D) places, nan where they are not likely enough, and (n,) seconds."""
    data = series["data"]
    if data.ndim != 2 or data.shape[1] not in (2, 3):
        raise RecordingRefused(f"{path}: {series.name} has not the two or three axes of places")
    places = np.asarray(read_dataset(data, path), np.float64)
    if "timestamps" in series:
        times = np.asarray(read_dataset(series["timestamps"], path), np.float64)
    else:
        start = series["starting_time"]
        times = float(read_dataset(start, path)) + np.arange(len(places)) / float(
            start.attrs["rate"]
        )
    if times.shape != places.shape[:1]:
        raise RecordingRefused(f"{path}: {series.name} has {len(places)} places and {times.size} "
                               "times")  # fmt: skip
    if options.min_likelihood is not None and "confidence" in series:
        sure = np.asarray(read_dataset(series["confidence"], path))
        places[~(sure >= options.min_likelihood)] = np.nan
    return places, times
