"""Convert recordings to xarray.Dataset, in the layouts that other tools expect."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.errors import OpenError
from murmurate.frame import Frame
from murmurate.optional import optional
from murmurate.record import schema
from murmurate.record.changing_datasets import (
    ChangingBoids,
    TraitsOf,
    add_traits,
    by_individual,
    trim,
)
from murmurate.record.header import attributes
from murmurate.record.schema import value_type
from murmurate.record.store import values_of
from murmurate.record.traits import trait_names

if TYPE_CHECKING:
    import xarray

LAYOUTS = ("native", "movement", "cf")


def to_xarray(
    path: Path, dtype: str, frames: int, layout: str, legacy_names: bool, traits_of: TraitsOf
) -> xarray.Dataset:
    """Return the first `frames` frames of a recording; see Recording.to_xarray.

    dtype      of positions and velocities
    traits_of  returns traits of boids, if their numbers change
    Raises OpenError for another layout.
    """
    if layout not in LAYOUTS:
        raise OpenError(f"layout: got {layout!r}; expected one of {', '.join(LAYOUTS)}")
    native = _open_native(path).isel(time=slice(0, frames))
    if "id" in native.variables:
        native = add_traits(trim(native), traits_of)
    for name in ("position", "velocity"):
        if native[name].dtype != dtype:  # rounded: this reads them, so only what is needed
            native[name] = native[name].astype(dtype, keep_attrs=True)
    return to_layout(_flatten_attributes(native), layout, legacy_names)


def _flatten_attributes(dataset: xarray.Dataset) -> xarray.Dataset:
    """Return a Dataset whose attributes are texts and numbers, so that NetCDF can hold them."""
    if "memory" in dataset and isinstance(names := dataset["memory"].attrs.get("kept_names"), dict):
        dataset["memory"].attrs["kept_names"] = json.dumps(names)
    return dataset


def to_layout(native: xarray.Dataset, layout: str, legacy_names: bool = False) -> xarray.Dataset:
    """Return a native Dataset in another layout."""
    if layout == "native":
        return native
    if "id" in native.variables:
        native = by_individual(native)
    return _to_movement(native, legacy_names) if layout == "movement" else _to_cf(native)


def _import_xarray() -> Any:
    with optional("recordings", OpenError, "record"):
        import xarray
    return xarray


def _open_native(path: Path) -> xarray.Dataset:
    """Return the recording as xarray opens it; data are read on demand."""
    xr = _import_xarray()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Numcodecs codecs are not in the Zarr")
        try:
            dataset: xarray.Dataset = xr.open_zarr(path, chunks=None)
        except (ValueError, KeyError, OSError, TypeError) as error:
            raise OpenError(
                f"{path}: its metadata cannot be read ({error}): murmurate resume {path} rewrites "
                "it"
            ) from None
    return dataset


def dataset_of_frames(
    header: Mapping[str, Any],
    frames: Iterable[Frame],
    count: int,
    measure: Callable[[Frame], Mapping[str, Any]],
    scheduled: Callable[[float], Any],
) -> xarray.Dataset:
    """Return a Dataset of frames in memory, equal to that of their recording.

    header  see murmurate.record.header.make_header
    measure  returns the measures of a frame
    scheduled  returns the scheduled numbers at a time
    """
    xr = _import_xarray()
    header = dict(header)
    frame_arrays = {array.name: array for array in schema.frame_arrays(header)}
    boids = ChangingBoids(header) if header.get("rows") else _SameBoids(header, count)
    rows: dict[str, list[Any]] = {name: [] for name in frame_arrays}
    for k, frame in enumerate(frames):
        boids.add(frame)
        is_measured = k % header["measure_every"] == 0
        values = measure(frame) if is_measured else {}
        for name in rows:
            if name in ("time", "step"):
                rows[name].append(getattr(frame, name))
            elif name == "schedule":
                rows[name].append(scheduled(frame.time))
            else:
                rows[name].append(values.get(name, [np.nan] * len(header["counts"])))
    variables = boids.variables()
    for name, small in frame_arrays.items():
        variables[name] = (small.dims, np.array(rows[name], small.dtype), small.attributes)
    root = attributes(header, count, 0)
    root["steps"] = (count - 1) * header["every"] + header["first_step"]
    coordinates = root.pop("coordinates").split()
    dataset = xr.Dataset(variables, attrs=root).set_coords(coordinates)
    if isinstance(boids, ChangingBoids):
        dataset = add_traits(dataset, boids.traits_of)
    return _flatten_attributes(dataset)


class _SameBoids:
    """Collects the arrays of frames with the same boids.

    header  see murmurate.record.header.make_header
    count  number of frames
    """

    def __init__(self, header: dict[str, Any], count: int) -> None:
        self._header, self._frames = header, 0
        self._first: Frame | None = None
        self._arrays = schema.boid_arrays(header)
        self._data = {
            array.name: np.empty((count, *array.shape), value_type(array.name, header["dtype"]))
            for array in self._arrays
        }

    def add(self, frame: Frame) -> None:
        """Copy the next frame."""
        self._first = self._first or frame
        for array in self._arrays:
            self._data[array.name][self._frames] = values_of(frame, array)
        self._frames += 1

    def variables(self) -> dict[str, Any]:
        """Return the variables of boids and of fixed arrays, as (dims, values, attributes)."""
        variables: dict[str, Any] = {
            array.name: (array.dims, self._data[array.name], array.attributes)
            for array in self._arrays
        }
        for name, fixed in schema.fixed_arrays(self._header).items():
            names, attrs = fixed.metadata["dimension_names"], fixed.metadata["attributes"]
            values = self._traits() if name == "trait" else fixed.values()
            variables[name] = (tuple(names), values, attrs)
        return variables

    def _traits(self) -> np.ndarray:
        """Return the table of traits of the first frame."""
        names, parts = trait_names(self._header), []
        for flock in self._first.values() if self._first is not None else ():
            part = np.full((len(flock), len(names)), np.nan)
            for name, values in flock.traits.items():
                part[:, names.index(name)] = values
            parts.append(part)
        return np.concatenate(parts)


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
    confidence = np.ones((len(times), 1, len(names)), np.float32)
    if "present" in native:
        confidence[~native["present"].values[:, None]] = np.nan
    variables = {
        "position": transpose("position"),
        "velocity": transpose("velocity"),
        "confidence": (("time", keypoint, individual), confidence),
    }
    if "trait" in native:
        variables["trait"] = _traits(native, individual)
    dataset = xr.Dataset(
        variables,
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


def _traits(native: xarray.Dataset, individual: str) -> Any:
    """Return trait(individual, trait_name), with coordinates of the names only."""
    trait = native["trait"]
    extra = [name for name in trait.coords if name != "trait_name"]
    return trait.drop_vars(extra).rename(boid=individual)


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
    if "trait" in native:
        dataset["trait"] = _traits(native, "trajectory")
    return dataset.assign_attrs(
        native.attrs | {"featureType": "trajectory", "Conventions": "CF-1.11"}
    )
