"""Files of idtracker.ai: a dictionary of arrays (.npy), HDF5, a table, and a session's folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_text
from murmurate.errors import TracksError
from murmurate.tracks import wide_table
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.hdf5_file import open_hdf5, read_dataset
from murmurate.tracks.numpy_file import read_npy
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, parse_rate

SESSION_FILES = (
    "trajectories.h5", "trajectories.npy", "trajectories_csv/trajectories.csv", "trajectories.csv",
    "with_gaps.npy", "trajectories_wo_gaps.npy", "without_gaps.npy",
)  # fmt: skip
"""Files of tracks in a session's folder, the best first."""
ATTRIBUTES = "attributes.json"  # in the folder of a table


def read_dictionary(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read 'trajectories' (T, N, 2) and 'frames_per_second' of a pickled dictionary."""
    path = preview.path
    data = read_npy(path)
    if isinstance(data, np.ndarray) and data.dtype == object and not data.shape:
        data = data.item()
    if not isinstance(data, dict) or not isinstance(data.get("trajectories"), np.ndarray):
        raise TracksError(
            f"{path}: got no array 'trajectories'; expected a file of idtracker.ai. Save the "
            "positions as a plain array"
        )
    rate = parse_rate(data.get("frames_per_second"), "frames_per_second", path)
    positions = data["trajectories"]
    names = _labels(data.get("identities_labels"), positions)
    return RawTracks(positions, rate, names, "px", y_down=True)


def read_hdf5(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the dataset 'trajectories' (T, N, 2), with 'frames_per_second' as an attribute."""
    import h5py

    with open_hdf5(preview.path) as file:
        data = file["trajectories"]
        if not isinstance(data, h5py.Dataset):
            raise TracksError(
                f"{preview.path}: trajectories: got a group; expected an array. Save the session "
                "again"
            )
        rate = file.attrs.get("frames_per_second", data.attrs.get("frames_per_second"))
        dataset = file.get("frames_per_second")
        if rate is None and isinstance(dataset, h5py.Dataset):
            rate = read_dataset(dataset, preview.path)
        labels = file.attrs.get("identities_labels")
        positions = read_dataset(data, preview.path)
    return RawTracks(positions, parse_rate(rate, "frames_per_second", preview.path),
                     _labels(labels, positions), "px", y_down=True)  # fmt: skip


def read_table(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read a table of pixels, with the frame rate from attributes.json in its folder."""
    raw = wide_table.read(preview, options, y_down=True)
    path = preview.path.parent / ATTRIBUTES
    rate = raw.frames_per_second
    if path.is_file() and path.stat().st_size < 1 << 24:
        try:
            attributes = json.loads(read_text(path))
        except ValueError:
            raise TracksError(f"{path}: cannot be read: it is not JSON") from None
        if isinstance(attributes, dict):
            value = attributes.get("frames_per_second")
            rate = parse_rate(value, "frames_per_second", path) or rate
    return replace(raw, frames_per_second=rate, unit="px")


def session_file(folder: Path) -> Path | None:
    """Return the best file of tracks in a session's folder, or in its folder 'trajectories'."""
    for name in SESSION_FILES:
        for file in (folder / name, folder / "trajectories" / name):
            if file.is_file():
                return file
    return None


def _labels(labels: Any, positions: np.ndarray) -> list[str] | None:
    """Return the labels as names, None unless each animal has one."""
    if isinstance(labels, list | tuple | np.ndarray) and len(positions.shape) == 3 and \
            len(labels) == positions.shape[1]:  # fmt: skip
        return [label.decode(errors="replace") if isinstance(label, bytes) else str(label)
                for label in labels]  # fmt: skip
    return None
