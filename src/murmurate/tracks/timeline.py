"""Timeline: which frame each row of a table is in, by its frame numbers, its times, or both."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column
from murmurate.tracks.grid import ROUNDED, UNEVEN, Frames, Named, frames_of_numbers, frames_of_times
from murmurate.tracks.moments import counts_frames, rate_of_frames


@dataclass(frozen=True)
class Timeline:
    """frames, and of the file: frames a second (None: nobody says), frames from one of these to the
    next, the number of the first (0 where there are times alone), and what to note."""

    frames: Frames
    rate: float | None
    every: int
    start: float
    notes: tuple[str, ...]


def timeline_of(
    numbers: np.ndarray | None, times: np.ndarray | None, column: Column | None, dated: bool,
    seconds: bool, animals: int, row: Named, path: Path,
) -> Timeline:  # fmt: skip
    """Frame numbers go before times, which then say how fast frames are.

    numbers, times  (n,) of the rows, or None for one of them
    column, dated   of the times, and whether they are dates or clocks
    seconds         whether whole numbers are seconds for sure
    animals         how many, for the room that is needed
    row             of a place in the arrays: what the row is called, for messages
    Raises RecordingRefused as frames_of_numbers and frames_of_times do.
    """
    notes: tuple[str, ...] = ()
    counted = (
        times is not None and column is not None and not seconds
        and counts_frames(times, column, dated)
    )  # fmt: skip
    if numbers is None and counted:
        assert column is not None
        numbers, name = times, column.written
        if not column.unit:
            notes = (f"column {name} has whole numbers without a unit: taken for frame numbers "
                     f"(--columns time={name} takes them for seconds)",)  # fmt: skip
    if numbers is None:
        assert times is not None
        made = frames_of_times(times, animals, row, path)
        rate = 1 / made.step if made.count > 1 else None
        return Timeline(made, rate, 1, 0.0, made.notes)
    made = frames_of_numbers(numbers, animals, row, path)
    rate = rate_of_frames(numbers, times) if times is not None and not counted else None
    if rate is not None:
        assert times is not None
        away = times - np.nanmin(times) - (numbers - numbers.min()) / rate
        if (off := float(np.nanmax(np.abs(away)))) > ROUNDED / rate:
            said = f"times are up to {off:.2g} s off {rate:.6g} equal frames a second"
            notes = (*notes, f"{said}, and taken as equal")
    return Timeline(made, rate, int(made.step), made.start, (*notes, *made.notes))


def rate_of_times(times: np.ndarray, path: Path) -> float | None:
    """Frames a second of equal times: seconds, or whole numbers of frames, which say none. Raises
    RecordingRefused for times that are not equally far apart."""
    counts = times.dtype.kind in "iu"
    if times.dtype.kind in "mM":
        times = (times - times[:1]) / np.timedelta64(1, "s")
    if times.dtype.kind not in "iuf" or len(times) < 2:
        return None
    times = times.astype(np.float64)
    steps = np.diff(times)
    if not np.isfinite(times).all() or not (steps > 0).all():
        k = int(np.argmax(~(np.isfinite(steps) & (steps > 0))))
        raise RecordingRefused(
            f"{path}: time {times[k]:g} of frame {k} is followed by {times[k + 1]:g}; times must "
            "rise, by equal steps: put the frames in order, each once"
        )
    step = (times[-1] - times[0]) / len(steps)
    if np.abs(times - times[0] - step * np.arange(len(times))).max() > UNEVEN * step:
        usual = float(np.median(steps))
        k = int(np.argmax(np.abs(steps - usual)))
        raise RecordingRefused(
            f"{path}: from frame {k} to frame {k + 1} is {steps[k]:g} of time, and {usual:g} from "
            "most frames to the next; times must have equal steps: put in frames without animals "
            "(nan) where some are missing"
        )
    return None if counts else float(1.0 / step)
