"""Frames of detections: rows in any order become positions (frames, animals, axes).

A row belongs to a frame by its frame number or its time. Times must be equally spaced, except for
gaps; `resample` interpolates others, as those of GPS loggers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements
from murmurate.tracks.files import max_numbers
from murmurate.tracks.timestamps import frame_rate_of_rows

TOLERANCE = 0.02  # of a step, by which a time may deviate from equal steps without a note
MAX_DEVIATION = 0.25  # the same with a note: times are often written with few decimals
LONG_GAP = 1000  # steps, from which on a gap is noted
MAX_INTERVAL = 3.0  # usual intervals of an animal, beyond which `resample` leaves a gap

RowName = Callable[[int], str]
"""Returns the name of a row in messages, such as 'line 7', from its index in the arrays."""


def row_names(noun: str) -> RowName:
    """Name rows by their number: 'point 1', 'point 2', ... for the indices 0, 1, ..."""
    return lambda index: f"{noun} {index + 1}"


def sort_naturally(names: Sequence[str]) -> list[int]:
    """Return the indices that sort names in natural order: fish 2 before fish 10."""

    def sortable(number: re.Match[str]) -> str:
        digits = str(int(number[0]))
        return f"\0{chr(len(digits))}{digits}"  # before any text, and a shorter number first

    return sorted(range(len(names)), key=lambda k: re.sub(r"\d{1,30}", sortable, names[k]))


# --- the frame of each row


@dataclass(frozen=True)
class RowFrames:
    """The frames of n rows.

    index  (n,) the frame of each row, from 0
    count  number of frames
    start  the first frame: its number, or its time in seconds
    step   from one frame to the next: frame numbers, or seconds
    notes  assumptions
    """

    index: np.ndarray
    count: int
    start: float
    step: float
    notes: tuple[str, ...] = ()


def frames_from_numbers(
    numbers: np.ndarray, animals: int, row_name: RowName, path: Path
) -> RowFrames:
    """Assign rows to frames by their frame numbers (n,).

    If only every n-th frame was tracked, those are the frames. Raises TracksError unless the
    numbers are whole, and the frames from the first to the last fit the size limit.
    """
    wrong = ~np.isfinite(numbers) | (numbers != np.round(numbers))
    if wrong.any():
        k = int(np.argmax(wrong))
        got = "nothing" if np.isnan(numbers[k]) else f"{numbers[k]:g}"
        raise TracksError(
            f"{path}: frame: got {got} in {row_name(k)}; expected whole numbers. If the column "
            "holds times, say so: --columns time=NAME"
        )
    if not len(numbers):
        raise _no_rows(path)
    first, last = float(numbers.min()), float(numbers.max())
    if max(abs(first), abs(last)) > 2**53:
        check_span(first, last, last - first + 1, len(numbers), animals, path)
    offsets = numbers.astype(np.int64)
    offsets -= offsets.min()
    step = max(int(np.gcd.reduce(np.unique(offsets))), 1)
    count = int(offsets.max()) // step + 1
    check_span(first, last, count, len(numbers), animals, path)
    notes = (f"only one frame in {step} is present",) if step > 1 else ()
    return RowFrames(offsets // step, count, first, step, notes)


def frames_from_times(times: np.ndarray, animals: int, row_name: RowName, path: Path) -> RowFrames:
    """Assign rows to frames by their times (n,) in seconds, equally spaced except for gaps, or
    raise
    TracksError.
    """
    check_times(times, row_name, path)
    if not len(times):
        raise _no_rows(path)
    instants, which = np.unique(times, return_inverse=True)
    if len(instants) == 1:
        return RowFrames(which, 1, float(instants[0]), 1.0)
    intervals = np.diff(instants)
    usual = float(np.median(intervals))
    similar = intervals[np.round(intervals / usual) == 1]
    usual = float(similar.mean() if len(similar) else intervals.min())
    jumps = np.maximum(np.round(intervals / usual), 0)
    check_span(instants[0], instants[-1], jumps.sum() + 1, len(times), animals, path)
    index = np.concatenate([[0], np.cumsum(jumps)]).astype(np.int64)
    middle = index.mean()
    centred = instants - instants.mean()
    step = float(((index - middle) * centred).sum() / ((index - middle) ** 2).sum())
    residuals = centred - step * (index - middle)
    deviation = abs(float(residuals[int(np.argmax(np.abs(residuals)))]))
    if deviation > MAX_DEVIATION * step or (jumps < 1).any():
        k = int(np.argmax(np.abs(intervals - usual * np.maximum(jumps, 1))))
        raise TracksError(
            f"{path}: time: got {intervals[k]:.6g} seconds from {instants[k]:.10g} to "
            f"{instants[k + 1]:.10g}, and usually {usual:.6g}; expected equal intervals. "
            f"--resample {usual:.3g} interpolates positions to equal times, for tables of "
            "detections and GPX. If frames are equally spaced, name their column: --columns "
            "frame=NAME"
        )
    notes: tuple[str, ...] = ()
    if deviation > TOLERANCE * step:
        notes = (
            f"times deviate by up to {deviation:.2g} s from equal steps of {step:.6g} s, and are "
            "read as equal",
        )
    longest = int(np.argmax(intervals))
    if intervals[longest] >= LONG_GAP * usual:
        before = int(np.argmax(times == instants[longest]))
        after = int(np.argmax(times == instants[longest + 1]))
        notes += (
            f"from {row_name(before)} to {row_name(after)} is a gap of {intervals[longest]:.6g} s, "
            f"{intervals[longest] / usual:,.0f} times the usual step: {int(index[-1]) + 1:,} "
            f"frames, of which {len(instants):,} have detections. If a time is wrong, correct it",
        )
    return RowFrames(index[which], int(index[-1]) + 1, float(instants[0]), step, notes)


def _no_rows(path: Path) -> TracksError:
    return TracksError(f"{path}: got no rows in which an animal is seen; expected some")


def check_times(times: np.ndarray, row_name: RowName, path: Path) -> None:
    """Raise TracksError for a missing time."""
    wrong = ~np.isfinite(times)
    if wrong.any():
        raise TracksError(
            f"{path}: got no time in {row_name(int(np.argmax(wrong)))}; expected one in each row. "
            "--skip-bad leaves such rows out"
        )


def check_span(
    first: float, last: float, count: float, rows: int, animals: int, path: Path
) -> None:
    """Raise TracksError for more frames than the size limit allows."""
    limit = max_numbers(path) // max(3 * animals, 1)
    if count > limit:
        raise TracksError(
            f"{path}: got frames from {first:g} to {last:g}, which spans {count:,.6g} frames for "
            f"{rows:,} rows; expected at most {limit:,} frames of {animals:,} animals for a table "
            "of this size. Correct the number, or split the table"
        )


# --- frames and frame rate of a table


@dataclass(frozen=True)
class Timeline:
    """The frames of a table's rows, and their frame rate.

    frames  the frames of the rows
    rate    frames of the file per second; None if unknown
    every   frames of the file from one of these to the next
    start   the file's number of the first frame; 0 if it has only times
    notes   assumptions
    """

    frames: RowFrames
    rate: float | None
    every: int
    start: float
    notes: tuple[str, ...]


def make_timeline(
    numbers: np.ndarray | None, times: np.ndarray | None, animals: int, row_name: RowName,
    path: Path,
) -> Timeline:  # fmt: skip
    """Assign rows to frames by their numbers, else by their times.

    numbers, times  (n,) frame numbers and seconds of the rows. With both, the times give the frame
        rate.
    animals  number of animals, for the size limit
    row_name  names a row in messages
    raises TracksError  as frames_from_numbers and frames_from_times
    """
    if numbers is None:
        assert times is not None
        frames = frames_from_times(times, animals, row_name, path)
        rate = 1 / frames.step if frames.count > 1 else None
        return Timeline(frames, rate, 1, 0.0, frames.notes)
    frames = frames_from_numbers(numbers, animals, row_name, path)
    rate = frame_rate_of_rows(numbers, times) if times is not None else None
    notes: tuple[str, ...] = ()
    if rate is not None:
        assert times is not None
        residuals = times - np.nanmin(times) - (numbers - numbers.min()) / rate
        if (deviation := float(np.nanmax(np.abs(residuals)))) > MAX_DEVIATION / rate:
            note = f"times deviate by up to {deviation:.2g} s from {rate:.6g} equal frames a second"
            notes = (f"{note}, and are read as equal",)
    return Timeline(frames, rate, int(frames.step), frames.start, (*notes, *frames.notes))


def infer_rate(times: np.ndarray, path: Path) -> float | None:
    """Return the frames per second of equally spaced times (T,).

    Whole numbers count frames and give no rate: None. Raises TracksError for times that are
    not equally spaced.
    """
    is_count = times.dtype.kind in "iu"
    if times.dtype.kind in "mM":
        times = (times - times[:1]) / np.timedelta64(1, "s")
    if times.dtype.kind not in "iuf" or len(times) < 2:
        return None
    times = times.astype(np.float64)
    steps = np.diff(times)
    if not np.isfinite(times).all() or not (steps > 0).all():
        k = int(np.argmax(~(np.isfinite(steps) & (steps > 0))))
        raise TracksError(
            f"{path}: time: got {times[k]:g} in frame {k}, followed by {times[k + 1]:g}; expected "
            "increasing times with equal steps. Put the frames in order, each once"
        )
    step = (times[-1] - times[0]) / len(steps)
    if np.abs(times - times[0] - step * np.arange(len(times))).max() > TOLERANCE * step:
        usual = float(np.median(steps))
        k = int(np.argmax(np.abs(steps - usual)))
        raise TracksError(
            f"{path}: time: got a step of {steps[k]:g} from frame {k} to frame {k + 1}, and "
            f"usually {usual:g}; expected equal steps. Insert frames without animals (nan) where "
            "some are missing"
        )
    return None if is_count else float(1.0 / step)


# --- positions


def fill_frames(
    frames: RowFrames, animals: np.ndarray, positions: np.ndarray, names: Sequence[str],
    row_name: RowName, skip_bad: bool, path: Path, time_name: RowName | None = None,
    remedy: str = "",
) -> tuple[np.ndarray, int]:  # fmt: skip
    """Arrange the positions of rows by frame and animal.

    frames  the frame of each row
    animals  (n,) the animal of each row, an index into `names`
    positions  (n, D) positions, nan where not seen
    names  names of the animals
    row_name, time_name  name a row, and its time as the file writes it, in messages
    skip_bad  keep the first of several rows of an animal in a frame
    remedy  further advice for an animal that occurs twice in a frame
    positions  (T, N, D) nan where an animal was not seen
    duplicates  number of rows left out
    raises TracksError  for several rows of an animal in a frame, unless `skip_bad` is set
    """
    count = len(names)
    flat = frames.index * count + animals
    rows = np.full(frames.count * count, -1, np.int64)
    rows[flat[::-1]] = np.arange(len(flat))[::-1]  # the first of several is assigned last
    duplicate = rows[flat] != np.arange(len(flat))
    if duplicate.any() and not skip_bad:
        k = int(np.argmax(duplicate))
        number = frames.start + frames.index[k] * frames.step
        time = f"frame {number:.10g}" if time_name is None else time_name(k)
        others = int(duplicate.sum()) - 1
        more = f", and {others:,} more" if others else ""
        raise TracksError(
            f"{path}: {time}: got {names[animals[k]]} twice, in {row_name(int(rows[flat[k]]))} and "
            f"{row_name(k)}{more}; expected one position per animal and time. Keep one of them "
            f"(--skip-bad keeps the first){remedy}"
        )
    out = np.full((frames.count * count, positions.shape[1]), np.nan)
    seen = rows >= 0
    out[seen] = positions[rows[seen]]
    return out.reshape(frames.count, count, -1), int(duplicate.sum())


# --- resampling


@dataclass(frozen=True)
class Detections:
    """Rows of detections.

    animals    (n,) index of the animal
    times      (n,) seconds
    positions  (n, D), nan where not seen
    """

    animals: np.ndarray
    times: np.ndarray
    positions: np.ndarray


def resample(
    rows: Detections, step: float, animals: int, row_name: RowName, path: Path,
    space: Space | None = None,
) -> tuple[Detections, str]:  # fmt: skip
    """Interpolate each animal linearly to times `step` seconds apart.

    rows  detections in any order. Of several of an animal at one time, the first is used.
    step  seconds. Times begin at the first detection of any animal.
    row_name  names a row in messages
    space  along its periodic axes, interpolation goes to the nearest image of the next detection
    detections  an animal has none before its first detection, after its last, and in intervals
        longer than MAX_INTERVAL times its median interval and `step`
    note  what was done
    raises TracksError  for a row without a time, a position outside `space`, and more frames than
        the size limit allows
    """
    check_times(rows.times, row_name, path)
    seen = np.isfinite(rows.positions).all(axis=1)
    if not seen.any():
        return Detections(rows.animals[seen], rows.times[seen], rows.positions[seen]), ""
    if space is not None:
        _check_inside(rows.positions, space, row_name, path)
    start, last = float(rows.times[seen].min()), float(rows.times[seen].max())
    check_span(start, last, (last - start) / step + 1, int(seen.sum()), animals, path)
    pieces = []
    for animal in range(animals):
        mine = seen & (rows.animals == animal)
        if mine.any():
            times, positions = _interpolate(
                rows.times[mine], rows.positions[mine], start, step, space
            )
            pieces.append(Detections(np.full(len(times), animal), times, positions))
    out = Detections(*(
        np.concatenate([getattr(piece, name) for piece in pieces])
        for name in ("animals", "times", "positions")
    ))  # fmt: skip
    return out, (
        f"{int(seen.sum()):,} detections are interpolated to {len(out.times):,}, every {step:g} s; "
        f"an animal is missing in intervals longer than {MAX_INTERVAL:g} of its usual ones"
    )


def _interpolate(
    times: np.ndarray, positions: np.ndarray, start: float, step: float, space: Space | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the times (m,) and positions (m, D) of one animal at multiples of `step`."""
    times, first = np.unique(times, return_index=True)
    positions = positions[first]
    if space is not None:
        steps = displacements(positions[1:], positions[:-1], space)
        unwrapped = np.concatenate([0 * positions[:1], np.cumsum(steps, axis=0)])
        positions = positions[0] + unwrapped
    usual = float(np.median(np.diff(times))) if len(times) > 1 else 0.0
    max_interval = MAX_INTERVAL * max(usual, step)
    near = 1e-3 * step  # a time this close to a detection is that of the detection
    begin, end = np.ceil((times[0] - start - near) / step), (times[-1] - start + near) // step
    instants = start + step * np.arange(begin, end + 1)
    after = np.clip(np.searchsorted(times, instants - near), 0, len(times) - 1)
    before = np.where(times[after] - instants <= near, after, after - 1)
    instants = instants[times[after] - times[before] <= max_interval]
    columns = [np.interp(instants, times, column) for column in positions.T]
    out = np.stack(columns, axis=1)
    if space is not None:
        out = space.wrap(out)
    return instants, out


def _check_inside(positions: np.ndarray, space: Space, row_name: RowName, path: Path) -> None:
    with np.errstate(invalid="ignore"):
        wrong = ((positions < space.lower) | (positions > space.upper)).any(axis=1)
    if wrong.any():
        k = int(np.argmax(wrong))
        position = ", ".join(f"{x:.10g}" for x in positions[k])
        ends = zip(space.lower, space.upper, strict=True)
        raise TracksError(
            f"{path}: space: got ({position}) in {row_name(k)}; expected "
            f"{' and '.join(f'{a:g} to {b:g}' for a, b in ends)}. Give the space in the units of "
            "the file, and its lower corner by --origin"
        )
