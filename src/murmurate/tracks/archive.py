"""Archives of NumPy's arrays (.npz) that hold one array alone."""

from __future__ import annotations

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.array_axes import in_order
from murmurate.tracks.file_head import Head
from murmurate.tracks.npz_file import read_npz
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading


def read_array(head: Head, options: ReadOptions) -> Reading:
    """The one array of an archive."""
    (name,) = head.arrays
    found = read_npz(head.path, (name,))
    if name not in found:
        raise RecordingRefused(f"{head.path}: its array {name} is no array of numbers")
    places, notes = in_order(found[name], options.axes, head.path)
    return Reading(places, notes=notes)
