"""Convert recordings to xarray.Dataset, in the layouts that other tools expect."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.errors import OpenError
from murmurate.frame import Frame
from murmurate.optional import optional
from murmurate.record import schema
from murmurate.record.header import attributes
from murmurate.record.store import FRAME_FIELDS, concatenate_flocks

if TYPE_CHECKING:
    import xarray

LAYOUTS = ("native", "movement", "cf")


def to_xarray(
    path: Path, dtype: str, frames: int, layout: str, legacy_names: bool = False
) -> xarray.Dataset:
    """Return the first `frames` frames of a recording; see Recording.to_xarray.

    dtype  of positions and velocities
    Raises OpenError for another layout.
    """
    if layout not in LAYOUTS:
        raise OpenError(f"layout: got {layout!r}; expected one of {', '.join(LAYOUTS)}")
    return to_layout(_open_native(path, dtype, frames), layout, legacy_names)


def to_layout(native: xarray.Dataset, layout: str, legacy_names: bool = False) -> xarray.Dataset:
    """Return a native Dataset in another layout."""
    if layout == "native":
        return native
    return _to_movement(native, legacy_names) if layout == "movement" else _to_cf(native)


def _import_xarray() -> Any:
    with optional("recordings", OpenError, "record"):
        import xarray
    return xarray


def _open_native(path: Path, dtype: str, frames: int) -> xarray.Dataset:
    """Return the recording as xarray opens it; data are read on demand."""
    xr = _import_xarray()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Numcodecs codecs are not in the Zarr")
        try:
            dataset = xr.open_zarr(path, chunks=None)
        except (ValueError, KeyError, OSError, TypeError) as error:
            raise OpenError(
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
    """Return a Dataset of frames in memory, equal to that of their recording.

    Parameters
    ----------
    header : mapping
        See murmurate.record.header.make_header.
    frames : iterable of Frame
        The frames.
    count : int
        Their number.
    measure : callable
        Returns the measures of a frame.
    scheduled : callable
        Returns the scheduled numbers at a time.
    """
    xr = _import_xarray()
    header = dict(header)
    boid_arrays = schema.boid_arrays(header)
    frame_arrays = {array.name: array for array in schema.frame_arrays(header)}
    data = {
        array.name: np.empty(
            (count, *array.shape), "int32" if array.name == "perch_timer" else header["dtype"]
        )
        for array in boid_arrays
    }
    rows: dict[str, list[Any]] = {name: [] for name in frame_arrays}
    for k, frame in enumerate(frames):
        for array in boid_arrays:
            data[array.name][k] = concatenate_flocks(frame, FRAME_FIELDS[array.name])
        is_measured = k % header["measure_every"] == 0
        values = measure(frame) if is_measured else {}
        for name in rows:
            if name in ("time", "step"):
                rows[name].append(getattr(frame, name))
            elif name == "schedule":
                rows[name].append(scheduled(frame.time))
            else:
                rows[name].append(values.get(name, [np.nan] * len(header["counts"])))
    variables: dict[str, Any] = {
        array.name: (array.dims, data[array.name], array.attributes) for array in boid_arrays
    }
    for name, small in frame_arrays.items():
        variables[name] = (small.dims, np.array(rows[name], small.dtype), small.attributes)
    for name, fixed in schema.fixed_arrays(header).items():
        names, attrs = fixed.metadata["dimension_names"], fixed.metadata["attributes"]
        variables[name] = (tuple(names), fixed.values(), attrs)
    root = attributes(header, count, 0)
    root["steps"] = (count - 1) * header["every"] + header["first_step"]
    del root["coordinates"]
    dataset = xr.Dataset(variables, attrs=root)
    return dataset.set_coords(["step", "flock", "id_in_flock"])


def _to_movement(native: xarray.Dataset, legacy_names: bool) -> xarray.Dataset:
    """Return position(time, space, keypoint, individual) with one keypoint, 'centroid'."""
    xr = _import_xarray()
    keypoint, individual = "keypoint", "individual"
    if legacy_names:
        keypoint, individual = "keypoints", "individuals"
    flocks = native["flock_name"].values.tolist()
    names = [
        f"{flocks[flock]}_{number}"
        for flock, number in zip(native["flock"].values, native["id_in_flock"].values, strict=True)
    ]
    dims = ("time", "space", keypoint, individual)

    def transpose(name: str) -> Any:
        array = native[name].drop_vars(
            ["flock", "id_in_flock", "boid", "step", "axis"], errors="ignore"
        )
        array = array.rename(boid=individual, axis="space").expand_dims({keypoint: ["centroid"]})
        return array.transpose(*dims)

    times = native["time"].values
    shape = (len(times), 1, len(names))
    dataset = xr.Dataset(
        {
            "position": transpose("position"),
            "velocity": transpose("velocity"),
            "confidence": (("time", keypoint, individual), np.ones(shape, np.float32)),
        },
        coords={
            "time": times,
            "space": np.array(native["axis"].values.tolist()),
            keypoint: ["centroid"],
            individual: names,
        },
    )
    interval = float(times[1] - times[0]) if len(times) > 1 else float(native.attrs["dt"])
    return dataset.assign_attrs(
        native.attrs
        | {
            "fps": 1.0 / interval,
            "time_unit": "seconds",
            "source_software": "murmurate",
            "ds_type": "poses",
        }
    )


def _to_cf(native: xarray.Dataset) -> xarray.Dataset:
    """Return x, y, z and velocities (trajectory, time), by the CF conventions, chapter H.4."""
    xr = _import_xarray()
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
