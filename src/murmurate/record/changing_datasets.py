"""Datasets of recordings whose numbers of boids change.

In the native layout a row has any boid: `id` says which. Only rows that a frame occupies are kept.
Tables of individuals have a column for each boid that occurs in a frame, with nan where it is
absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.errors import OpenError
from murmurate.frame import Frame
from murmurate.record import schema
from murmurate.record.block_reader import ranges
from murmurate.record.row_ranges import rows_of
from murmurate.record.schema import EMPTY, TRAITS_ABOUT, value_type
from murmurate.record.store import values_of
from murmurate.record.traits import trait_names

if TYPE_CHECKING:
    import xarray

Array = np.ndarray
TraitsOf = Callable[[str, Array], Mapping[str, Array]]
"""(flock, numbers in the flock (N,)) -> name of a trait -> its values (N,)."""
MAX_TABLE_BYTES = 4 << 30
"""Of a table of individuals, which is in memory as a whole."""
READ_BYTES = 64 << 20  # of numbers that are read at a time


# --- the native layout


def trim(native: xarray.Dataset) -> xarray.Dataset:
    """Return a recording without the rows that no frame occupies."""
    flock, n_boids = native["flock"].values, native["n_boids"].values
    fullest = n_boids.max(axis=0) if len(n_boids) else np.zeros(n_boids.shape[1], np.int64)
    first = np.searchsorted(flock, np.arange(len(fullest)))  # rows of a flock follow each other
    used = np.flatnonzero(np.arange(len(flock)) - first[flock] < fullest[flock])
    if len(used) and used[-1] - used[0] + 1 == len(used):
        return native.isel(boid=slice(int(used[0]), int(used[-1]) + 1))
    return native.isel(boid=used)


class ChangingBoids:
    """Collects the arrays of frames in memory whose numbers of boids change."""

    def __init__(self, header: dict[str, Any]) -> None:
        self._header, self._frames = header, list[Frame]()

    def add(self, frame: Frame) -> None:
        """Hold the next frame."""
        self._frames.append(frame)

    def variables(self) -> dict[str, Any]:
        """Return the variables of boids and of fixed arrays, as (dims, values, attributes)."""
        header, frames, rows = self._header, self._frames, rows_of(self._header)
        assert rows is not None
        numbers = [[len(flock) for flock in frame.values()] for frame in frames]
        n_boids = np.array(numbers, np.int64).reshape(len(frames), len(rows.sizes))
        used = rows.occupied(n_boids.max(axis=0, initial=0))
        columns = [np.searchsorted(used, rows.occupied(counts)) for counts in n_boids]
        variables: dict[str, Any] = {}
        for array in schema.boid_arrays(header):
            dtype = np.dtype(value_type(array.name, header["dtype"]))
            if array.empty is None:
                values = np.array([values_of(frame, array) for frame in frames], dtype)
                values = values.reshape(n_boids.shape)
            else:
                empty = np.nan if dtype.kind == "f" else EMPTY
                values = np.full((len(frames), len(used), *array.shape[1:]), empty, dtype)
                for k, frame in enumerate(frames):
                    values[k, columns[k]] = values_of(frame, array)
            variables[array.name] = (array.dims, values, array.attributes)
        for name, fixed in schema.fixed_arrays(header).items():
            names, values = tuple(fixed.metadata["dimension_names"]), fixed.values()
            values = values[used] if names == ("boid",) else values
            variables[name] = (names, values, fixed.metadata["attributes"])
        return variables

    def traits_of(self, flock: str, indices: Array) -> dict[str, Array]:
        """Return the traits of boids that are in a frame; see TraitsOf."""
        first = self._header["first_ids"][flock]
        names = self._header["traits"].get(flock, [])
        out = {name: np.empty(len(indices)) for name in names}
        for frame in self._frames:
            rows = np.searchsorted(indices, frame[flock].ids - first)
            for name, values in out.items():
                values[rows] = frame[flock].traits[name]
        return out


# --- traits


def add_traits(native: xarray.Dataset, traits_of: TraitsOf) -> xarray.Dataset:
    """Return a native Dataset with trait(individual, trait_name), if there are traits."""
    settings = json.loads(native.attrs["settings"])
    names = trait_names({**settings, "counts": native["flock_name"].values.tolist()})
    if not names:
        return native
    ids = _all_ids(native)
    table = np.full((len(ids), len(names)), np.nan)
    for flock, part, first in _flocks_of(native, ids):
        for name, values in traits_of(flock, ids[part] - first).items():
            table[part, names.index(name)] = values
    about = {"units": "", "long_name": TRAITS_ABOUT}
    return native.assign(trait=(("individual", "trait_name"), table, about)).assign_coords(
        individual=("individual", ids, {"long_name": "id of a boid, as in the array id"}),
        trait_name=names,
    )


# --- tables of individuals


def by_individual(native: xarray.Dataset) -> xarray.Dataset:
    """Return a Dataset whose rows are individuals, with nan where they are absent.

    It is like that of a recording whose numbers do not change, with the further variable
    present(time, boid).

    Raises OpenError if it would be larger than MAX_TABLE_BYTES.
    """
    import xarray as xr

    ids = _all_ids(native)
    _check_size(native, len(ids))
    shape = (native.sizes["time"], len(ids))
    names = [name for name in ("position", "velocity") if name in native]
    dims = native.sizes["axis"]
    tables = {name: np.full((*shape, dims), np.nan, native[name].dtype) for name in names}
    present = np.zeros(shape, bool)
    for first, last in _time_ranges(native):
        piece = native[[*names, "id"]].isel(time=slice(first, last)).load()
        frame, row = np.nonzero(piece["id"].values >= 0)
        column = np.searchsorted(ids, piece["id"].values[frame, row])
        present[first + frame, column] = True
        for name, table in tables.items():
            table[first + frame, column] = piece[name].values[frame, row]
    variables: dict[str, Any] = {
        name: (("time", "boid", "axis"), table, native[name].attrs)
        for name, table in tables.items()
    }
    flock, number = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
    for k, (_, part, first_id) in enumerate(_flocks_of(native, ids)):
        flock[part], number[part] = k, ids[part] - first_id
    variables["present"] = (("time", "boid"), present)
    if "trait" in native:
        values = native["trait"].sel(individual=ids).values
        variables["trait"] = (("boid", "trait_name"), values, native["trait"].attrs)
    coords = {
        "boid": ids,
        "flock": ("boid", flock, native["flock"].attrs),
        "id_in_flock": ("boid", number),
        **{name: native[name].variable for name in ("time", "step", "axis", "flock_name")},
    }
    if "trait" in native:
        coords["trait_name"] = native["trait_name"].variable
    return xr.Dataset(variables, coords, native.attrs)


def _all_ids(native: xarray.Dataset) -> Array:
    """Return the ids of all boids that occur in a frame, ascending."""
    parts = [
        np.unique(native["id"].isel(time=slice(first, last)).values)
        for first, last in _time_ranges(native)
    ]
    ids = np.unique(np.concatenate(parts)) if parts else np.zeros(0, np.int64)
    return ids[ids >= 0]


def _time_ranges(native: xarray.Dataset) -> Iterator[tuple[int, int]]:
    """Divide the frames into ranges that are read at a time."""
    frame_bytes = max(1, native.sizes["boid"] * (2 * native.sizes["axis"] + 1) * 8)
    return ranges(0, native.sizes["time"], max(1, READ_BYTES // frame_bytes))


def _flocks_of(native: xarray.Dataset, ids: Array) -> Iterator[tuple[str, slice, int]]:
    """Yield each flock, its part of the ascending ids, and the id of its first boid."""
    firsts = json.loads(native.attrs["settings"])["first_ids"]
    names = native["flock_name"].values.tolist()
    ends = [*(firsts[name] for name in names[1:]), np.iinfo(np.int64).max]
    for name, end in zip(names, ends, strict=True):
        low, high = np.searchsorted(ids, [firsts[name], end]).tolist()
        yield name, slice(low, high), firsts[name]


def _check_size(native: xarray.Dataset, individuals: int) -> None:
    frames, width = native.sizes["time"], native["position"].dtype.itemsize
    size = frames * individuals * (2 * native.sizes["axis"] * width + 5)
    if size > MAX_TABLE_BYTES:
        raise OpenError(
            f"layout: got {individuals:,} boids that ever were in one of {frames:,} frames; "
            f"expected a table of at most {MAX_TABLE_BYTES >> 30} GiB, and one with a column for "
            f"each of them has {size / 2**30:.3g} GiB. Use the layout 'native', or export fewer "
            "frames: murmurate export --every N"
        )
