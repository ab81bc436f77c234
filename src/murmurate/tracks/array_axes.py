"""Read bare arrays, and infer which axis is time, which the animals, and which x and y.

Along time an animal keeps its direction, and its steps are small compared with its path. So two
numbers are computed for both long axes: `r`, the median step divided by the extent (5 to 95 %), and
`c`, the median of u.v / ((u^2 + v^2) / 2) over successive steps u and v. `c` is 1 for straight
motion and -0.5 for positions in random order. If these numbers are inconclusive, the user must name
the axes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.numpy_file import read_npy, read_npz
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks

REMEDY = "Name the axes in their order: --axes t,id,xy (frames, animals, coordinates)"
MIN_STRAIGHTNESS = 0.5  # of c: above it, motion along the axis is straight
CLEAR_RATIO, USUAL_RATIO = 10.0, 3.0  # by which r must differ, if both axes are straight or not
MAX_SERIES = 400  # entries of the other axis that are examined
MAX_ENTRIES = 20_000  # entries of the axis itself that are examined


def read(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read an .npy file with one array."""
    positions, notes = order_axes(read_npy(preview.path), options.axes, preview.path)
    return RawTracks(positions, notes=notes)


def read_archive(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the only array of an .npz file."""
    (name,) = preview.arrays
    arrays = read_npz(preview.path, (name,))
    if name not in arrays:
        raise TracksError(
            f"{preview.path}: got objects in its array {name}; expected numbers. Save the "
            "positions as an array of floats"
        )
    positions, notes = order_axes(arrays[name], options.axes, preview.path)
    return RawTracks(positions, notes=notes)


def order_axes(
    array: np.ndarray, axes: Sequence[str], path: object, xy: int | None = None
) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return an array as (frames, animals, coordinates), with notes for the user.

    array  (A, B, C) positions, with axes in any order. Arrays that are not numeric are returned
        unchanged.
    axes  the axes in order; empty to infer them
    path  file name for messages
    xy  the axis of coordinates; None to infer it
    raises TracksError  if the array does not have three axes, or their order cannot be inferred
    """
    shape = array.shape
    if array.dtype.kind not in "iuf":
        return array, ()  # Tracks refuses it
    if array.ndim != 3:
        raise _wrong_shape(array, path)
    if axes:
        ordered = array.transpose([axes.index(axis) for axis in ("t", "id", "xy")])
        if ordered.shape[2] not in (2, 3):
            raise TracksError(
                f"{path}: axes: got {','.join(axes)} for an array of shape {shape}, so xy has "
                f"{ordered.shape[2]} entries; expected 2 or 3. {REMEDY}"
            )
        return ordered, ()
    short_axes = [k for k, size in enumerate(shape) if size in (2, 3) and xy in (None, k)]
    if not short_axes:
        raise _wrong_shape(array, path)
    if len(short_axes) > 1:
        raise TracksError(
            f"{path}: got an array of shape {shape}, of which {len(short_axes)} axes could be x "
            f"and y; expected one such axis. {REMEDY}"
        )
    xy = short_axes[0]
    xy_last = np.moveaxis(array, xy, 2)  # the other two stay in order
    if 0 in shape:
        return xy_last, ()
    time = time_axis(np.asarray(xy_last, np.float64))
    if time is None:
        raise TracksError(
            f"{path}: got an array of shape {shape}, whose numbers do not show which axis is "
            f"time; expected an unambiguous order. {REMEDY}"
        )
    positions = xy_last if time == 0 else xy_last.transpose(1, 0, 2)
    if xy == 2 and time == 0:
        return positions, ()
    return positions, (_order_note(shape, xy, time, positions.shape),)


def _wrong_shape(array: np.ndarray, path: object) -> TracksError:
    shape, remedy = array.shape, ""
    if array.ndim == 2 and shape[1] % 2 == 0 and shape[1]:
        remedy = (
            ". If its columns are x1, y1, x2, y2, ..., reshape it: "
            f"array.reshape({shape[0]}, {shape[1] // 2}, 2)"
        )
    return TracksError(
        f"{path}: got positions of shape {shape}; expected (frames, animals, 2 or 3 axes){remedy}"
    )


def _order_note(shape: tuple[int, ...], xy: int, time: int, ordered: tuple[int, ...]) -> str:
    """Return the note on inferred axes."""
    rest = [k for k in range(3) if k != xy]
    names = {rest[time]: "t", rest[1 - time]: "id", xy: "xy"}
    order = ",".join(names[k] for k in range(3))
    frames, animals, _ = ordered
    return (
        f"the array has shape {shape}; its axes are read as {order}, inferred from its numbers: "
        f"{animals} animals in {frames} frames (--axes overrides this)"
    )


def time_axis(positions: np.ndarray) -> int | None:
    """Return which of the first two axes of (A, B, D) positions is time, or None if unclear."""
    (r0, c0), (r1, c1) = _step_statistics(positions), _step_statistics(positions.transpose(1, 0, 2))
    smaller = 0 if r0 <= r1 else 1
    low, high = sorted((r0, r1))
    if c0 > MIN_STRAIGHTNESS and c1 > MIN_STRAIGHTNESS:
        return smaller if high >= CLEAR_RATIO * low and high > low else None
    if abs(c0 - c1) > MIN_STRAIGHTNESS:
        return 0 if c0 > c1 else 1
    return smaller if high >= USUAL_RATIO * low and high > low else None


def _step_statistics(positions: np.ndarray) -> tuple[float, float]:
    """Return (r, c) along the first axis, see the module; (inf, 0) if it has no steps."""
    sample = positions[:MAX_ENTRIES, :: max(1, positions.shape[1] // MAX_SERIES)]
    with np.errstate(all="ignore"):
        steps = np.diff(sample, axis=0)
        lengths = np.linalg.norm(steps, axis=2)
        lengths = lengths[np.isfinite(lengths)]
        seen = sample[np.isfinite(sample).all(axis=2)]
        if not len(lengths) or not len(seen) or not lengths.any():
            return np.inf, 0.0
        low, high = np.percentile(seen, (5, 95), axis=0)
        extent = float(np.linalg.norm(high - low))
        u, v = steps[:-1], steps[1:]
        similarity = (u * v).sum(axis=2) / (((u**2) + (v**2)).sum(axis=2) / 2)
        similarity = similarity[np.isfinite(similarity)]
        c = float(np.median(similarity)) if len(similarity) else 0.0
        return float(np.median(lengths)) / extent if extent > 0 else np.inf, c
