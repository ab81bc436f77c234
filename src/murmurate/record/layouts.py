"""Recordings as xarray.Dataset, in the layouts that other tools expect."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.frame import Frame
from murmurate.optional import optional
from murmurate.record import metadata, schema
from murmurate.record.array_writers import FRAME_FIELDS, all_boids
from murmurate.record.errors import RecordingRefused
from murmurate.record.fixed_arrays import fixed_arrays

if TYPE_CHECKING:
    import xarray

LAYOUTS = ("native", "movement", "cf")


def to_xarray(
    path: Path, dtype: str, frames: int, layout: str, legacy_names: bool = False
) -> xarray.Dataset:
    """The first so many frames of the recording at that path, of the dtype that it was computed
    in; see Recording.to_xarray. Raises RecordingRefused for another layout."""
    if layout not in LAYOUTS:
        raise RecordingRefused(f"layout {layout!r}: it must be one of {', '.join(LAYOUTS)}")
    return in_layout(_stored(path, dtype, frames), layout, legacy_names)


def in_layout(native: xarray.Dataset, layout: str, legacy_names: bool = False) -> xarray.Dataset:
    """A native Dataset in another layout."""
    if layout == "native":
        return native
    return _movement(native, legacy_names) if layout == "movement" else _cf(native)


def _xarray() -> Any:
    with optional("recordings", RecordingRefused, "record"):
        import xarray
    return xarray


def _stored(path: Path, dtype: str, frames: int) -> xarray.Dataset:
    """The recording as xarray opens it, read on demand."""
    xr = _xarray()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Numcodecs codecs are not in the Zarr")
        try:
            dataset = xr.open_zarr(path, chunks=None)
        except (ValueError, KeyError, OSError, TypeError) as error:
            raise RecordingRefused(
                f"{path}: its metadata cannot be read ({error}): murmurate resume {path} rewrites "
                "it"
            ) from None
    for name in ("position", "velocity"):
        if dataset[name].dtype != dtype:
            dataset[name] = dataset[name].astype(dtype, keep_attrs=True)
    return dataset.isel(time=slice(0, frames))


def dataset_of_frames(
    header: Mapping[str, Any],
    frames: Iterable[Frame],
    count: int,
    measure: Callable[[Frame], Mapping[str, Any]],
    scheduled: Callable[[float], Any],
) -> xarray.Dataset:
    """A Dataset of frames in memory, the same as that of a recording."""
    xr = _xarray()
    given = dict(header)
    big = schema.boid_arrays(given)
    small = {array.name: array for array in schema.frame_arrays(given)}
    data = {
        array.name: np.empty(
            (count, *array.shape), "int32" if array.name == "perch_timer" else header["dtype"]
        )
        for array in big
    }
    rows: dict[str, list[Any]] = {name: [] for name in small}
    for k, frame in enumerate(frames):
        for array in big:
            data[array.name][k] = all_boids(frame, FRAME_FIELDS[array.name])
        due = k % header["measure_every"] == 0
        found = measure(frame) if due else {}
        for name in rows:
            if name in ("time", "step"):
                rows[name].append(getattr(frame, name))
            elif name == "schedule":
                rows[name].append(scheduled(frame.time))
            else:
                rows[name].append(found.get(name, [np.nan] * len(header["counts"])))
    variables: dict[str, Any] = {
        array.name: (array.dims, data[array.name], array.attributes) for array in big
    }
    for name, one in small.items():
        variables[name] = (one.dims, np.array(rows[name], one.dtype), one.attributes)
    for name, fixed in fixed_arrays(given).items():
        about, values = fixed.metadata, fixed.values()
        variables[name] = (tuple(about["dimension_names"]), values, about["attributes"])
    attributes = metadata.attributes(given, count, 0)
    attributes["steps"] = (count - 1) * header["every"] + header["first_step"]
    del attributes["coordinates"]
    dataset = xr.Dataset(variables, attrs=attributes)
    return dataset.set_coords(["step", "flock", "id_in_flock"])


def _movement(native: xarray.Dataset, legacy_names: bool) -> xarray.Dataset:
    """position(time, space, keypoint, individual), in seconds: one keypoint, 'centroid'."""
    xr = _xarray()
    keypoint, individual = "keypoint", "individual"
    if legacy_names:
        keypoint, individual = "keypoints", "individuals"
    flocks = native["flock_name"].values.tolist()
    names = [
        f"{flocks[flock]}_{number}"
        for flock, number in zip(native["flock"].values, native["id_in_flock"].values, strict=True)
    ]
    dims = ("time", "space", keypoint, individual)

    def turned(name: str) -> Any:
        array = native[name].drop_vars(
            ["flock", "id_in_flock", "boid", "step", "axis"], errors="ignore"
        )
        array = array.rename(boid=individual, axis="space").expand_dims({keypoint: ["centroid"]})
        return array.transpose(*dims)

    times = native["time"].values
    shape = (len(times), 1, len(names))
    dataset = xr.Dataset(
        {
            "position": turned("position"),
            "velocity": turned("velocity"),
            "confidence": (("time", keypoint, individual), np.ones(shape, np.float32)),
        },
        coords={
            "time": times,
            "space": np.array(native["axis"].values.tolist()),
            keypoint: ["centroid"],
            individual: names,
        },
    )
    apart = float(times[1] - times[0]) if len(times) > 1 else float(native.attrs["dt"])
    return dataset.assign_attrs(
        native.attrs
        | {
            "fps": 1.0 / apart,
            "time_unit": "seconds",
            "source_software": "murmurate",
            "ds_type": "poses",
        }
    )


def _cf(native: xarray.Dataset) -> xarray.Dataset:
    """x, y, z and their velocities (trajectory, time), after the CF conventions, chapter H.4."""
    xr = _xarray()
    variables: dict[str, Any] = {}
    for k, axis in enumerate(native["axis"].values.tolist()):
        for name, prefix in (("position", ""), ("velocity", "velocity_")):
            array = native[name].isel(axis=k)
            array = array.drop_vars(
                ["flock", "id_in_flock", "boid", "step", "axis"], errors="ignore"
            )
            array = array.rename(boid="trajectory").transpose("trajectory", "time")
            array.attrs = (
                dict(native[name].attrs, axis=axis.upper())
                if not prefix
                else dict(native[name].attrs)
            )
            variables[f"{prefix}{axis}"] = array
    dataset = xr.Dataset(variables)
    dataset["trajectory"] = (
        "trajectory",
        native["boid"].values,
        {"cf_role": "trajectory_id", "long_name": "id of the boid"},
    )
    dataset["flock"] = ("trajectory", native["flock"].values, dict(native["flock"].attrs))
    return dataset.assign_attrs(
        native.attrs | {"featureType": "trajectory", "Conventions": "CF-1.11"}
    )
