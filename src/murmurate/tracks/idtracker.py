"""idtracker.ai's files: a dictionary of arrays (.npy), HDF5, and the folder of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.hdf5_file import open_hdf5, read_dataset
from murmurate.tracks.npz_file import read_npy
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, rate_of

# Where a session keeps its tracks, the best first.
PLACES = (
    "trajectories.h5", "trajectories.npy", "trajectories_csv/trajectories.csv", "trajectories.csv",
    "with_gaps.npy", "trajectories_wo_gaps.npy", "without_gaps.npy",
)  # fmt: skip


def read_dictionary(head: Head, options: ReadOptions) -> Reading:
    """'trajectories' (T, N, 2) and 'frames_per_second' of a pickled dictionary."""
    path = head.path
    data = read_npy(path)
    if isinstance(data, np.ndarray) and data.dtype == object and not data.shape:
        data = data.item()
    if not isinstance(data, dict) or not isinstance(data.get("trajectories"), np.ndarray):
        raise RecordingRefused(
            f"{path}: has no 'trajectories' that are an array: it is not a file of idtracker.ai's"
        )
    rate = rate_of(data.get("frames_per_second"), "frames_per_second", path)
    places = data["trajectories"]
    return Reading(places, rate, _labels(data.get("identities_labels"), places), "px", y_down=True)


def read_hdf5(head: Head, options: ReadOptions) -> Reading:
    """The dataset 'trajectories' (T, N, 2), with 'frames_per_second' as an attribute."""
    import h5py

    with open_hdf5(head.path) as file:
        data = file["trajectories"]
        if not isinstance(data, h5py.Dataset):
            raise RecordingRefused(f"{head.path}: its 'trajectories' are no array")
        rate = file.attrs.get("frames_per_second", data.attrs.get("frames_per_second"))
        if rate is None and isinstance(one := file.get("frames_per_second"), h5py.Dataset):
            rate = read_dataset(one, head.path)
        labels = file.attrs.get("identities_labels")
        places = read_dataset(data, head.path)
    return Reading(places, rate_of(rate, "frames_per_second", head.path), _labels(labels, places),
                   "px", y_down=True)  # fmt: skip


def session_file(folder: Path) -> Path | None:
    """The file of tracks in the folder of a session, or in its folder 'trajectories'."""
    for place in PLACES:
        for found in (folder / place, folder / "trajectories" / place):
            if found.is_file():
                return found
    return None


def _labels(labels: Any, places: np.ndarray) -> list[str] | None:
    if isinstance(labels, list | tuple | np.ndarray) and len(places.shape) == 3 and \
            len(labels) == places.shape[1]:  # fmt: skip
        return [one.decode(errors="replace") if isinstance(one, bytes) else str(one)
                for one in labels]  # fmt: skip
    return None
