"""Rows of a table, and how they are assigned to frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import (
    PLAIN,
    Column,
    Dialect,
    Report,
    find_box,
    is_geographic,
    words_of,
)
from murmurate.tracks.files import check_numbers
from murmurate.tracks.frame_table import (
    Detections,
    RowName,
    Timeline,
    fill_frames,
    make_timeline,
    resample,
    row_names,
    sort_naturally,
)
from murmurate.tracks.geography import project_to_metres
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.plausibility import drop_missing_rows
from murmurate.tracks.raw_tracks import RawTracks

MAX_NAMES = 40  # of columns, in messages
MAX_CLOCK = 0.01  # part of the frame rate, by which another source of it may differ without a note
COMPUTER = frozenset(("computer", "system", "sys", "wall", "processing", "pc"))
PIECES = frozenset(("duration", "segment", "piece", "dt", "knot", "interval"))
"""Words of columns whose rows are no frames."""


@dataclass
class Rows:
    """Rows of a table.

    animals    (n,) index of the animal; None if each row has all animals
    positions  (n, D), or (n, animals, D); nan where not seen
    frames     (n,) frame numbers, or None
    times      (n,) seconds, or None
    row_name   names a row in messages, such as 'line 7'
    time_name  names its time as the file writes it
    """

    animals: np.ndarray | None
    positions: np.ndarray
    frames: np.ndarray | None
    times: np.ndarray | None
    row_name: RowName
    time_name: RowName | None = None

    def select(self, kept: np.ndarray) -> Rows:
        """Return the rows that are True in kept (n,)."""
        index, row_name, time_name = np.flatnonzero(kept), self.row_name, self.time_name
        animals, frames, times = (
            None if x is None else x[index] for x in (self.animals, self.frames, self.times)
        )
        return Rows(
            animals, self.positions[index], frames, times, lambda k: row_name(int(index[k])),
            None if time_name is None else lambda k: time_name(int(index[k])),
        )  # fmt: skip


@dataclass
class RawTable:
    """The contents of a table, before its rows are assigned to frames.

    names    of the animals
    roles    time, frame, id, ... -> its column
    origin   seconds since 1970 to which times are relative
    unit     of lengths, or degrees
    skipped  number of rows left out
    rate     frames per second, and where it is from; None if the file does not say
    groups   of the animals; None if the user gives no column of groups
    """

    rows: Rows
    names: list[str]
    roles: dict[str, Column]
    origin: float
    unit: str
    skipped: int
    rate: tuple[float, str] | None
    report: Report
    groups: list[str] | None = None


def assign_frames(table: RawTable, options: ReadOptions, layout: Dialect, path: Path) -> RawTracks:
    """Assign the rows of a table to frames."""
    rows, names, report = table.rows, table.names, table.report
    unit, attrs = table.unit, {**report.attrs, "dated": table.origin > 0}
    order = sort_naturally(names)
    if rows.animals is not None:
        present = np.bincount(rows.animals, minlength=len(names)) > 0
        order = [k for k in order if present[k]]
        ranks = np.zeros(len(names), np.int64)
        ranks[order] = np.arange(len(order))
        rows.animals = ranks[rows.animals]
    else:
        rows.positions = rows.positions[:, order]
    names = [names[k] for k in order]
    groups = None if table.groups is None else [table.groups[k] for k in order]
    if rows.frames is None and rows.times is None:
        _check_single_animal(names, table, path)
        if PIECES & {word for column in report.ignored for word in words_of(column)}:
            raise TracksError(
                f"{path}: got the columns {', '.join(report.ignored)[:200]}, and none of frames or "
                "times; expected one. Rows that are pieces of paths are not read"
            )
        rows.frames = np.arange(len(rows.positions), dtype=np.float64)
        report.notes.append("there is no column of frames or times: each row is read as one frame")
    if options.resample is not None:
        if is_geographic(unit):
            attrs["projection"] = ""
        rows = _resample_rows(table, options, len(names), attrs, path)
        unit = "m" if attrs.get("projection") else unit
    timeline = make_timeline(rows.frames, rows.times, len(names), rows.row_name, path)
    if rows.animals is None:
        positions, duplicates = _fill_wide(rows, timeline, options.skip_bad, path)
    else:
        remedy = "" if table.roles.get("id") else ", or name the column of the animals: " \
            "--columns id=NAME"  # fmt: skip
        positions, duplicates = fill_frames(
            timeline.frames, rows.animals, rows.positions, names, rows.row_name, options.skip_bad,
            path, rows.time_name, remedy,
        )  # fmt: skip
    if skipped := table.skipped + duplicates:
        report.notes.append(f"{skipped:,} unusable rows were left out")
    rate, notes = _decide_rate(table, timeline, layout, attrs)
    checked = options.resample is not None or bool(find_box(table.roles))
    return RawTracks(positions, rate, names, unit, timeline.start, timeline.every, layout.y_down,
                     (*report.notes, *notes), attrs, groups=groups, checked=checked)  # fmt: skip


def _decide_rate(
    table: RawTable, timeline: Timeline, layout: Dialect, attrs: dict[str, object]
) -> tuple[float | None, tuple[str, ...]]:
    """Return the frame rate and notes; a stated rate is better than the clock of the frames."""
    rate, notes = timeline.rate, timeline.notes
    column = table.roles["time"].title if "time" in table.roles else "time"
    if rate is not None:
        attrs["rate"] = f"{rate:.6g} frames a second, from the column {column}"
    if table.rate is None:
        is_computer = "time" in table.roles and COMPUTER & set(table.roles["time"].words)
        if table.rows.frames is not None and (table.origin or is_computer) and layout == PLAIN \
                and rate is not None:  # fmt: skip
            text = (
                f"{rate:.6g} frames a second, from the column {column}: --fps gives the frame rate"
            )
            notes = (*notes, f"{text} if that is the clock of a computer")
        return rate, notes
    stated, source = table.rate
    is_other = rate is not None and abs(rate - stated) > MAX_CLOCK * stated
    text = f"{stated:g} frames a second, from {source}"
    if table.rows.frames is None and rate is not None:
        more = f"times give {rate:.6g} frames a second, and {source} {stated:g}: the times are used"
        return rate, (*notes, more) if is_other else notes
    attrs["rate"] = text
    notes = timeline.frames.notes
    if is_other:
        text += f"; the column {column} gives {rate:.6g}, and is taken as another clock"
    return stated, (text, *notes)


def _fill_wide(
    rows: Rows, timeline: Timeline, skip_bad: bool, path: Path
) -> tuple[np.ndarray, int]:
    """Return (frames, animals, D) positions, nan in frames without a row, and the rows left out.

    Raises TracksError for a second row of a frame, unless it may be skipped.
    """
    index, count = timeline.frames.index, timeline.frames.count
    first = np.unique(index, return_index=True)[1]
    if len(first) < len(index) and not skip_bad:
        k = int(np.setdiff1d(np.arange(len(index)), first)[0])
        raise TracksError(
            f"{path}: got a frame for the second time in {rows.row_name(k)}; expected one row "
            "per frame. Keep one of them (--skip-bad keeps the first)"
        )
    shape = rows.positions.shape[1:]
    check_numbers(count * int(np.prod(shape)), "the table with all its frames", path)
    out = np.full((count, *shape), np.nan)
    out[index[first]] = rows.positions[first]
    return out, len(index) - len(first)


def _resample_rows(
    table: RawTable, options: ReadOptions, animals: int, attrs: dict[str, object], path: Path
) -> Rows:
    """Interpolate rows to equal times, without positions that mean not seen; in metres."""
    rows, notes = table.rows, table.report.notes
    if rows.times is None:
        raise TracksError(
            f"{path}: resample: got a table without times; expected a column of times. Name it, "
            "--columns time=NAME, or leave --resample out"
        )
    row_name, index, times, points = rows.row_name, rows.animals, rows.times, rows.positions
    if index is None:
        index, times = np.tile(np.arange(animals), len(times)), np.repeat(times, animals)
        points = points.reshape(-1, points.shape[2])
        row_name = lambda k: rows.row_name(k // animals)  # noqa: E731
    points, more = drop_missing_rows(points, index, times, options.missing, table.unit, path)
    notes += more
    if "projection" in attrs:
        points, attrs["projection"], more = project_to_metres(points[:, :2], table.unit, path)
        notes += more
    step, box = options.resample or 1.0, options.space
    if box is not None and box.dims != points.shape[1]:
        box = None  # an error names both numbers when the table is read
    detections = Detections(index, times, points)
    out, note = resample(detections, step, animals, row_name, path, box)
    notes.append(note)
    return Rows(out.animals, out.positions, None, out.times, row_names("time"))


def _check_single_animal(names: Sequence[str], table: RawTable, path: Path) -> None:
    """Raise TracksError if a table of detections without frames and times may have them after all.

    That is so if it has other columns, or several animals.
    """
    others = list(table.report.ignored)
    if table.rows.animals is not None and (others or len(names) > 1):
        columns = ", ".join(name[:60] for name in [*table.report.used, *others][:MAX_NAMES])
        raise TracksError(
            f"{path}: got the columns {columns}; expected one of frames or times. Name it, and "
            "that of the animals: --columns time=NAME,id=NAME, or frame=NAME,id=NAME"
        )
