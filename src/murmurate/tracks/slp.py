"""SLEAP's projects (.slp), read by the library sleap-io."""

from __future__ import annotations

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.file_size import check_numbers
from murmurate.tracks.hdf5_file import check_hdf5
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading, one_point


def read(head: Head, options: ReadOptions) -> Reading:
    """Its videos are not opened. Raises RecordingRefused for several videos, and for animals
    without tracks."""
    import sleap_io

    path = head.path
    check_hdf5(path)
    labels = sleap_io.load_slp(str(path), open_videos=False)
    if len(labels.videos) > 1:
        raise RecordingRefused(
            f"{path}: has {len(labels.videos)} videos; save the labels of one of them alone"
        )
    if not labels.tracks:
        raise RecordingRefused(f"{path}: its animals have no tracks: track them in SLEAP first")
    parts = [str(name) for name in labels.skeletons[0].node_names]
    last = max((int(frame.frame_idx) for frame in labels), default=-1)
    check_numbers((last + 1) * len(labels.tracks) * len(parts) * 3, "its poses", path)
    points = np.asarray(labels.numpy(return_confidence=True), np.float64)
    if options.min_likelihood is not None:
        points[~(points[..., 2] >= options.min_likelihood)] = np.nan
    names = [str(track.name) for track in labels.tracks]
    places, notes = one_point(points[..., :2], parts, options.part, path)
    return Reading(places, None, names, "px", 0.0, 1, True, notes)
