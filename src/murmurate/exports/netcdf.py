"""Write NetCDF 4 in a layout of murmurate.record.datasets: movement, native or CF conventions.

xarray writes a file without frames, which determines names, types and attributes. The frames are
then appended piece by piece, because xarray alone would load all of them.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import h5netcdf
import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.hdf5_file import Hdf5File
from murmurate.exports.selection import Array, Selection
from murmurate.frame import Frame
from murmurate.record.datasets import dataset_of_frames, to_layout


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write a NetCDF file. The layouts are those of Recording.to_xarray and Tracks.to_xarray.

    If boids come and go, every layout has a column for each boid that is in some exported frame,
    with nan where it is absent.
    """
    tracks = getattr(selection.recording, "tracks", None)
    if tracks is not None and options.layout == "movement":
        with Hdf5File(draft) as disk:
            disk.write(_tracks_file(tracks, selection, options.legacy_names))
            disk.check()
        return
    with Hdf5File(draft) as disk:
        file: Any = None
        first = 0
        try:
            for numbers in selection.piece_numbers():
                piece = to_layout(_native(selection, numbers), options.layout, options.legacy_names)
                if file is None:
                    disk.write(_without_frames(selection, piece))
                    disk.check()
                    file = h5netcdf.File(disk, "a")
                _append(file, piece, first, first + len(numbers))
                first += len(numbers)
                disk.check()
        finally:
            if file is not None:
                file.close()
        disk.check()


def _tracks_file(tracks: Any, selection: Selection, legacy_names: bool) -> memoryview:
    """Return the file of tracks in the layout movement, with the names of animals."""
    numbers = selection.numbers
    data = tracks.to_xarray().isel(
        time=slice(numbers[0], numbers[-1] + 1, numbers.step), individuals=selection.ids
    )
    if "fps" in data.attrs:
        data.attrs["fps"] /= numbers.step
    data.attrs["first_frame"] += numbers[0] * data.attrs["every"]
    data.attrs["every"] *= numbers.step
    if not legacy_names:
        data = data.rename(individuals="individual", keypoints="keypoint")
    return data.to_netcdf(engine="h5netcdf")


def _append(file: Any, piece: Any, first: int, last: int) -> None:
    """Append the frames of a piece as frames first, ..., last - 1 of the file."""
    file.resize_dimension("time", last)
    for name, variable in piece.variables.items():
        if "time" in variable.dims:
            index = [slice(None)] * variable.ndim
            index[variable.dims.index("time")] = slice(first, last)
            file.variables[name][tuple(index)] = variable.values


def _without_frames(selection: Selection, piece: Any) -> memoryview:
    """Return the file without frames."""
    compression = {"zlib": True, "complevel": 1, "shuffle": True}
    encoding = {}
    for name, variable in piece.variables.items():
        if "time" in variable.dims and variable.ndim > 1:
            chunk = [
                selection.chunk_frames if dim == "time" else max(1, size)
                for dim, size in variable.sizes.items()
            ]
            encoding[name] = {"chunksizes": tuple(chunk), **compression}
    piece = piece.isel(time=slice(0, 0)).assign_attrs(_attributes(selection, piece.attrs))
    return piece.to_netcdf(engine="h5netcdf", unlimited_dims=["time"], encoding=encoding)


def _attributes(selection: Selection, attributes: dict[str, Any]) -> dict[str, Any]:
    """Return attributes of the first piece with those of the complete file."""
    steps = selection.steps
    complete: dict[str, Any] = {"frames": len(steps), "steps": steps[-1], "every": steps.step}
    if "fps" in attributes:
        complete["fps"] = 1.0 / selection.seconds
    return {**attributes, **complete}


def _native(selection: Selection, numbers: range) -> Any:
    """Return some frames as a Dataset in the layout native."""
    rec = selection.recording
    header = {
        **rec.header,
        "counts": selection.counts,
        "every": selection.steps.step,
        "first_step": rec.steps[numbers[0]],
        "measure_every": 1,  # other frames have nan, as in the recording
        "steps_of": {},  # numbers are floats here, whatever their recorded precision
    }
    flocks = [list(rec.header["counts"]).index(name) for name in selection.flocks]
    number_of = {rec.steps[number]: number for number in numbers}
    times = {rec.steps[number] * rec.header["dt"]: number for number in numbers}

    def measures_of(frame: Any) -> dict[str, Any]:
        rows = {name: rec.row(number_of[frame.step], name) for name in header["measures"]}
        return {name: row[flocks] for name, row in rows.items() if row is not None}

    def schedule_at(time: float) -> Any:
        row = rec.row(times[time], "schedule")
        return np.full(len(header["schedules"]), np.nan) if row is None else row

    frames = selection.frames(numbers)
    if selection.lives is not None:
        for key in ("rows", "first_ids"):  # of the recording; here a column is one boid
            header.pop(key, None)
        frames = (_pad(frame, selection) for frame in frames)
    data = dataset_of_frames(header, frames, len(numbers), measures_of, schedule_at)
    first_ids = np.array(selection.first_ids)[selection.flock_index]
    data = data.assign_coords(
        boid=data["boid"].copy(data=selection.ids),
        id_in_flock=data["id_in_flock"].copy(data=selection.ids - first_ids),
    )
    if selection.lives is None:
        return data
    about = {"units": "steps", "long_name": "step at which a boid joined its flock"}
    return data.assign(
        present=(("time", "boid"), np.isfinite(data["position"].values).all(axis=2)),
        birth=("boid", selection.individuals[0], about),
    )


def _pad(frame: Frame, selection: Selection) -> Frame:
    """Return a frame with all boids that are in some exported frame, nan where one is absent."""
    _, traits = selection.individuals
    flocks = {}
    for k, (name, flock) in enumerate(frame.items()):
        part = selection.flock_index == k
        ids = selection.ids[part]
        rows = np.searchsorted(ids, flock.ids)

        def spread(values: Array, absent: float, rows: Array = rows, size: int = len(ids)) -> Array:
            out = np.full((size, *values.shape[1:]), absent, values.dtype)
            out[rows] = values
            return out

        flocks[name] = replace(
            flock,
            ids=ids,
            positions=spread(flock.positions, np.nan),
            velocities=spread(flock.velocities, np.nan),
            perch_timers=spread(flock.perch_timers, 0),
            memory=spread(flock.memory, np.nan),
            births=spread(flock.births, 0),
            images=None,
            traits={
                trait: traits[part, column]
                for column, trait in enumerate(selection.traits)
                if trait in flock.traits
            },
        )
    return replace(frame, flocks=flocks)
