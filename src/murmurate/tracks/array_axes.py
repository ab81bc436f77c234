"""Which axis of a bare array is time, which the animals, and which x and y.

Along time an animal goes on as it went, and its steps are small beside the way that it makes. So
for both long axes two numbers are taken: `r`, the median step over the extent (5 to 95 %), and `c`,
the median of u.v / ((u^2 + v^2) / 2) over successive steps u and v, which is 1 for one that flies
straight on and -0.5 for places in no order. Where these say nothing, the user is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_head import Head
from murmurate.tracks.npz_file import read_npy
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading

ASK = "say which is which: --axes t,id,xy (frames, animals, coordinates), in the order they have"
STRAIGHT, FAR, NEAR = 0.5, 10.0, 3.0
MOST = 400  # entries of the other axis that are looked at
LONGEST = 20_000  # entries of the axis itself


def read(head: Head, options: ReadOptions) -> Reading:
    """An .npy of one array."""
    places, notes = in_order(read_npy(head.path), options.axes, head.path)
    return Reading(places, notes=notes)


def in_order(
    array: np.ndarray, axes: Sequence[str], path: object
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The array as (frames, animals, coordinates), and what was found out. Raises RecordingRefused
    where the order can only be guessed."""
    shape = array.shape
    if array.dtype.kind not in "iuf":
        return array, ()  # which is refused where numbers are checked
    if array.ndim != 3:
        hint = ""
        if array.ndim == 2 and shape[1] % 2 == 0 and shape[1]:
            hint = "; where its columns are x1, y1, x2, y2, ..., reshape it: " \
                   f"array.reshape({shape[0]}, {shape[1] // 2}, 2)"  # fmt: skip
        raise RecordingRefused(
            f"{path}: positions have shape {shape}; they must be (frames, animals, 2 or 3 axes)"
            f"{hint}"
        )
    if axes:
        moved = array.transpose([axes.index(axis) for axis in ("t", "id", "xy")])
        if moved.shape[2] not in (2, 3):
            raise RecordingRefused(
                f"{path}: axes: {','.join(axes)} of an array of shape {shape}: xy has "
                f"{moved.shape[2]} entries; it must have 2 or 3"
            )
        return moved, ()
    narrow = [k for k, size in enumerate(shape) if size in (2, 3)]
    if not narrow:
        raise RecordingRefused(
            f"{path}: positions have shape {shape}; they must be (frames, animals, 2 or 3 axes)"
        )
    if len(narrow) > 1:
        raise RecordingRefused(
            f"{path}: is an array of shape {shape}, of which {len(narrow)} axes could be those of "
            f"x and y; {ASK}"
        )
    last = np.moveaxis(array, narrow[0], 2)  # the other two stay in order
    if 0 in shape:
        return last, ()
    time = time_axis(np.asarray(last, np.float64))
    if time is None:
        raise RecordingRefused(
            f"{path}: is an array of shape {shape}, and its numbers do not tell which axis is "
            f"time; {ASK}"
        )
    found = last if time == 0 else last.transpose(1, 0, 2)
    if narrow[0] == 2 and time == 0:
        return found, ()
    rest = [k for k in range(3) if k != narrow[0]]
    words = {rest[time]: "t", rest[1 - time]: "id", narrow[0]: "xy"}
    order = ",".join(words[k] for k in range(3))
    frames, animals, _ = found.shape
    return found, (
        f"the array has shape {shape}, and its numbers say that its axes are {order}: {animals} "
        f"animals in {frames} frames (--axes says it otherwise)",
    )


def time_axis(places: np.ndarray) -> int | None:
    """Which of the first two axes of (A, B, D) is time: 0, 1, or None where it cannot be told."""
    (r0, c0), (r1, c1) = _along(places), _along(places.transpose(1, 0, 2))
    smaller = 0 if r0 <= r1 else 1
    low, high = sorted((r0, r1))
    if c0 > STRAIGHT and c1 > STRAIGHT:
        return smaller if high >= FAR * low and high > low else None
    if abs(c0 - c1) > STRAIGHT:
        return 0 if c0 > c1 else 1
    return smaller if high >= NEAR * low and high > low else None


def _along(places: np.ndarray) -> tuple[float, float]:
    """(r, c) along the first axis; (inf, 0) for one without steps."""
    some = places[:LONGEST, :: max(1, places.shape[1] // MOST)]
    with np.errstate(all="ignore"):
        steps = np.diff(some, axis=0)
        lengths = np.linalg.norm(steps, axis=2)
        lengths = lengths[np.isfinite(lengths)]
        seen = some[np.isfinite(some).all(axis=2)]
        if not len(lengths) or not len(seen) or not lengths.any():
            return np.inf, 0.0
        low, high = np.percentile(seen, (5, 95), axis=0)
        extent = float(np.linalg.norm(high - low))
        u, v = steps[:-1], steps[1:]
        alike = (u * v).sum(axis=2) / (((u**2) + (v**2)).sum(axis=2) / 2)
        alike = alike[np.isfinite(alike)]
        c = float(np.median(alike)) if len(alike) else 0.0
        return float(np.median(lengths)) / extent if extent > 0 else np.inf, c
