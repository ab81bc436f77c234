"""SLEAP's analysis files (HDF5): tracks of body parts, in either order of the axes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.hdf5_file import open_hdf5, read_dataset
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, one_point

MATLAB = ("track", "xy", "node", "frame")  # what SLEAP writes, and sleap-io's preset 'matlab'
STANDARD = ("frame", "track", "node", "xy")  # sleap-io's preset 'standard'
ORDERS = {MATLAB: ("track", "frame"), STANDARD: ("frame", "track")}


def read(head: Head, options: ReadOptions) -> Reading:
    """Raises RecordingRefused where the order of the axes cannot be told."""
    import h5py

    path = head.path
    with open_hdf5(path) as file:
        tracks = file["tracks"]
        if not isinstance(tracks, h5py.Dataset) or tracks.ndim != 4:
            raise RecordingRefused(f"{path}: 'tracks' has not the four axes of SLEAP's")
        nodes = _texts(file.get("node_names"), path)
        order = _order(file, tracks, len(nodes), path)
        points = np.asarray(read_dataset(tracks, path), np.float64).transpose(
            [order.index(axis) for axis in STANDARD]
        )
        names = _texts(file.get("track_names"), path)
    parts = nodes if len(nodes) == points.shape[2] else [str(k) for k in range(points.shape[2])]
    places, notes = one_point(points, parts, options.part, path)
    if len(names) != places.shape[1]:
        names = [f"track_{k}" for k in range(places.shape[1])]
        notes += ("the tracks have no names: they may be no identities",)
    return Reading(places, None, names, "px", 0.0, 1, True, notes)


def _order(file: Any, tracks: Any, nodes: int, path: Path) -> tuple[str, ...]:
    """The axes of 'tracks': by its attribute, else by the sizes of the axes."""
    if "dims" in tracks.attrs:
        said = tracks.attrs["dims"]
        try:
            found = tuple(json.loads(said.decode() if isinstance(said, bytes) else str(said)))
        except ValueError:
            found = ()
        if sorted(found) == sorted(MATLAB):
            return found
    occupied = file.get("track_occupancy")
    seen = tuple(occupied.shape) if occupied is not None else ()
    fits = []
    for order in (MATLAB, STANDARD):
        sizes = dict(zip(order, tracks.shape, strict=True))
        both = (sizes["frame"], sizes["track"])
        # (frame, track) in both layouts; SLEAP itself wrote it the other way round at times
        if sizes["xy"] == 2 and (not nodes or sizes["node"] == nodes) and (
            not seen or seen in (both, both[::-1])
        ):  # fmt: skip
            fits.append(order)
    if len(fits) == 1:
        return fits[0]
    if len(fits) == 2 and seen:
        places = np.asarray(read_dataset(occupied, path)) > 0
        for order in fits:
            points = np.asarray(read_dataset(tracks, path)).transpose(
                [order.index(axis) for axis in STANDARD]
            )
            here = np.isfinite(points).any(axis=(2, 3))
            if np.array_equal(here, places if here.shape == places.shape else places.T):
                return order
    raise RecordingRefused(
        f"{path}: 'tracks' has the shape {tuple(tracks.shape)}, which is neither (track, xy, node, "
        "frame) nor (frame, track, node, xy) as 'track_occupancy' and 'node_names' say; export it "
        "again from SLEAP"
    )


def _texts(dataset: Any, path: Path) -> list[str]:
    if dataset is None or dataset.dtype.kind not in "SO":
        return []
    return [one.decode(errors="replace") if isinstance(one, bytes) else str(one)
            for one in np.ravel(read_dataset(dataset, path)).tolist()]  # fmt: skip
