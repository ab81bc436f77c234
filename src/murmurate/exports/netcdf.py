"""NetCDF (HDF5 inside), in the layouts of murmurate.record.layouts: movement's, the recording's
own, or that of the CF conventions.

xarray writes a file without frames, so that names, types and attributes are as it has them; then
the frames are appended a piece at a time, since xarray alone would load all of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5netcdf
import numpy as np

from murmurate.exports.formats import Options
from murmurate.exports.hdf5_file import Hdf5File
from murmurate.exports.selection import Selection
from murmurate.record.layouts import dataset_of_frames, to_layout


def write(draft: Path, selection: Selection, options: Options) -> None:
    """See Recording.to_xarray for the layouts, and Tracks.to_xarray for that of tracks."""
    tracks = getattr(selection.recording, "tracks", None)
    if tracks is not None and options.layout == "movement":
        with Hdf5File(draft) as disk:
            disk.write(_of_tracks(tracks, selection, options.legacy_names))
            disk.check()
        return
    with Hdf5File(draft) as disk:
        file: Any = None
        first = 0
        try:
            for numbers in selection.stretches():
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


def _of_tracks(tracks: Any, selection: Selection, legacy_names: bool) -> memoryview:
    """The file of tracks in movement's layout, with the names of animals."""
    numbers = selection.numbers
    data = tracks.to_xarray().isel(time=slice(numbers[0], numbers[-1] + 1, numbers.step))
    if "fps" in data.attrs:
        data.attrs["fps"] /= numbers.step
    data.attrs["first_frame"] += numbers[0] * data.attrs["every"]
    data.attrs["every"] *= numbers.step
    if not legacy_names:
        data = data.rename(individuals="individual", keypoints="keypoint")
    found: memoryview = data.to_netcdf(engine="h5netcdf")
    return found


def _append(file: Any, piece: Any, first: int, last: int) -> None:
    """The frames of a piece, as number first, ..., last - 1 of the file."""
    file.resize_dimension("time", last)
    for name, variable in piece.variables.items():
        if "time" in variable.dims:
            where = [slice(None)] * variable.ndim
            where[variable.dims.index("time")] = slice(first, last)
            file.variables[name][tuple(where)] = variable.values


def _without_frames(selection: Selection, piece: Any) -> memoryview:
    """The file as it is before the first frame."""
    packed = {"zlib": True, "complevel": 1, "shuffle": True}
    encoding = {}
    for name, variable in piece.variables.items():
        if "time" in variable.dims and variable.ndim > 1:
            chunk = [
                selection.chunk_frames if dim == "time" else max(1, size)
                for dim, size in variable.sizes.items()
            ]
            encoding[name] = {"chunksizes": tuple(chunk), **packed}
    piece = piece.isel(time=slice(0, 0)).assign_attrs(_attributes(selection, piece.attrs))
    found: memoryview = piece.to_netcdf(
        engine="h5netcdf", unlimited_dims=["time"], encoding=encoding
    )
    return found


def _attributes(selection: Selection, found: dict[str, Any]) -> dict[str, Any]:
    """What is said of the whole file, not of its first piece."""
    steps = selection.steps
    own: dict[str, Any] = {"frames": len(steps), "steps": steps[-1], "every": steps.step}
    if "fps" in found:
        own["fps"] = 1.0 / selection.seconds
    return {**found, **own}


def _native(selection: Selection, numbers: range) -> Any:
    """Some frames as a Dataset, laid out as in a recording."""
    rec = selection.recording
    header = {
        **rec.header,
        "counts": selection.counts,
        "every": selection.steps.step,
        "first_step": rec.steps[numbers[0]],
        "measure_every": 1,  # those between are nan in the recording too
        "steps_of": {},  # numbers are floats here, however they are recorded
    }
    flocks = [list(rec.header["counts"]).index(name) for name in selection.flocks]
    number_of = {rec.steps[number]: number for number in numbers}
    times = {rec.steps[number] * rec.header["dt"]: number for number in numbers}

    def measured(frame: Any) -> dict[str, Any]:
        found = {name: rec.row(number_of[frame.step], name) for name in header["measures"]}
        return {name: row[flocks] for name, row in found.items() if row is not None}

    def scheduled(time: float) -> Any:
        row = rec.row(times[time], "schedule")
        return np.full(len(header["schedules"]), np.nan) if row is None else row

    data = dataset_of_frames(header, selection.frames(numbers), len(numbers), measured, scheduled)
    return data.assign_coords(boid=data["boid"].copy(data=selection.ids))
