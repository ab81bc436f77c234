"""Archives of NumPy's arrays (.npz) that are no tracker's: murmurate's own, and one array alone."""

from __future__ import annotations

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.array_axes import in_order
from murmurate.tracks.file_head import Head
from murmurate.tracks.moments import rate_of_frames
from murmurate.tracks.npz_file import read_npz
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading


def read_export(head: Head, options: ReadOptions) -> Reading:
    """What `murmurate export` writes: position (time, boid, axis), time, boid."""
    found = read_npz(head.path, ("position", "time", "boid"))
    position, time = found.get("position"), found.get("time")
    if position is None or time is None or position.shape[:1] != time.shape:
        raise RecordingRefused(f"{head.path}: its arrays position and time are not of one length")
    rate = rate_of_frames(np.arange(len(time), dtype=float), time.astype(np.float64))
    names = [str(one) for one in np.ravel(found.get("boid", np.arange(0))).tolist()]
    return Reading(position, rate, names if len(names) == position.shape[1] else None)


def read_array(head: Head, options: ReadOptions) -> Reading:
    """The one array of an archive."""
    (name,) = head.arrays
    found = read_npz(head.path, (name,))
    if name not in found:
        raise RecordingRefused(f"{head.path}: its array {name} is no array of numbers")
    places, notes = in_order(found[name], options.axes, head.path)
    return Reading(places, notes=notes)
