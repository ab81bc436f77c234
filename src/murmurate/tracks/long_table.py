"""Tables: one detection per row (animal, time, position), or one frame per row (see wide_table).

One table may hold all animals, or a folder may have a table for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.errors import OpenError, TracksError
from murmurate.tracks.column_names import (
    ANGLE,
    ANGLES,
    BOXES,
    LENGTHS,
    PLAIN,
    Column,
    Layout,
    Report,
    angle_unit,
    common_unit,
    find_box,
    find_given,
    find_roles,
    group_wide_columns,
    is_geographic,
    role_of,
    words_of,
)
from murmurate.tracks.file_preview import TEXT, FilePreview
from murmurate.tracks.files import check_numbers, file_ending, plain_path
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
from murmurate.tracks.raw_tracks import RawTracks, drop_flat_z
from murmurate.tracks.row_flags import given_flags, may_be_flag, note_rows, read_flags
from murmurate.tracks.table import TableData, group_animals
from murmurate.tracks.text_table import is_missing, is_number
from murmurate.tracks.timestamps import CLOCK, read_times

MAX_HEADERS = 3  # rows below the first that may belong to the header
MAX_FILES = 10_000  # of a folder
MAX_NAMES = 40  # of columns, in messages
MAX_FLAGS = 64  # columns whose contents are read because they may mark rows
MAX_CLOCK = 0.01  # part of the frame rate, by which another source of it may differ without a note
MAX_NEGATIVE = 0.1  # part of the rows, whose boxes may have a negative size
MAX_SINGLE = 0.9  # part of the rows whose animal occurs once
COMPUTER = frozenset(("computer", "system", "sys", "wall", "processing", "pc"))
MAX_PAIRS = 4  # of columns that a note names
AXES = ("x", "y", "z")
PIECES = frozenset(("duration", "segment", "piece", "dt", "knot", "interval"))
"""Words of columns whose rows are no frames."""
GEO = ("longitude", "latitude")
CONTENTS = {"id": "animal", "frame": "frame number", "time": "time", "date": "date",
            "rate": "frames per second", "unit": "unit of positions"}  # fmt: skip
PATTERN = re.compile(r"[*?\[]")


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
class Table:
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


def read(
    preview: FilePreview, options: ReadOptions, layout: Layout,
    animals: Mapping[str, Mapping[str, Column]] | None = None, report: Report | None = None,
) -> RawTracks:  # fmt: skip
    """Read a table in the layout of a program.

    animals  animal -> axis -> its column, of a table with a frame per row
    report   receives the decisions

    Raises TracksError, with the line, for what cannot be read.
    """
    table = _read_table(preview, options, layout, animals, report)
    return assign_frames(table, options, layout, preview.path)


def _read_table(
    preview: FilePreview, options: ReadOptions, layout: Layout,
    animals: Mapping[str, Mapping[str, Column]] | None = None, report: Report | None = None,
) -> Table:  # fmt: skip
    """Read the rows of a table."""
    path, columns = preview.path, preview.columns
    skip = _count_headers(preview) if layout.headers else 0
    if skip and preview.text:
        columns = [_add_unit(column, preview.text.rows[skip - 1]) for column in columns]
    report = report or Report()
    report.notes += preview.text.notes if preview.text else ()
    wide = dict.fromkeys(("id", *AXES, *(role for box in BOXES for role in box)), "")
    usual = wide if animals is not None else layout.roles
    roles, ids = find_roles(columns, options.columns, usual, path)
    table = preview.table(skip)
    if animals is None and not {"x", "y"} & {*options.columns} and {"x", "y"} <= {*roles}:
        cells = {cell.strip() for axis in "xy" for cell in table.sample(roles[axis])}
        without = {**usual, **dict.fromkeys(AXES, "")}
        others = (
            find_roles(columns, options.columns, without, path) if len(cells) == 1 else ({}, [])
        )
        if find_box(others[0]):  # as in tables of MOT, where unknown coordinates are -1
            report.notes.append(f"{roles['x'].title}, {roles['y'].title} are always {cells.pop()}")
            roles, ids = others
    corners = find_box(roles if animals is None else next(iter(animals.values())))
    if animals is None:
        axes = list(corners) or [axis for axis in AXES if axis in roles]
        if not corners:
            _check_roles(roles, preview)
        coordinates = [roles[role] for role in axes]
    else:
        axes = list(corners) or [
            axis for axis in AXES if all(axis in of_axes for of_axes in animals.values())
        ]
        coordinates = [of_axes[axis] for of_axes in animals.values() for axis in axes]
    is_format = "%" in (options.time_format or "")
    dated = "time" in roles and (is_format or not table.numeric(roles["time"]))
    if "date" in roles and not _has_clock_times(preview, roles["time"], skip):
        if "date" in options.columns:
            raise TracksError(
                f"{path}: columns: got date={options.columns['date']} without clock times in the "
                f"column {roles['time'].written}; expected times such as 10:00:00"
            )
        del roles["date"]
    numbers = {str(k): column for k, column in enumerate(coordinates)}
    numbers |= {"frame": roles["frame"]} if "frame" in roles else {}
    words = {f"id {column.number}": column for column in ids}
    words |= {role: roles[role] for role in ("rate", "unit") if role in roles}
    extra = (layout.group_column, *layout.drop)
    words |= {column.name: column for column in columns if column.name and column.name in extra}
    for role in ("time", "date"):
        if role in roles:
            (words if dated else numbers)[role] = roles[role]
    used = {column.number for column in (*numbers.values(), *words.values())}
    flags = [c for c in columns if c.number not in used and may_be_flag(c, table.sample(c))]
    flags += given_flags(columns, flags, options, path)
    words |= {f"flag {column.number}": column for column in flags[:MAX_FLAGS]}
    if isinstance(options.groups, str):
        words["groups"] = find_given(columns, options.groups, "groups", path)
        report.add_used(words["groups"], "group")
    data = table.read(numbers, words, options.skip_bad)
    stacked = [data.number(str(k)) for k in range(len(coordinates))]
    positions = _read_positions(stacked, axes, layout, report, path)
    positions = positions[:, 0] if animals is None else positions
    for column, role in zip(coordinates, axes if animals is None else (), strict=False):
        report.add_used(column, role)
    for name, of_axes in (animals or {}).items():
        for axis in axes:
            report.add_used(of_axes[axis], f"{axis} of {name}")
    for role, contents in CONTENTS.items():
        if role in roles and role != "id":
            report.add_used(roles[role], contents)
    for column in columns:
        if column.name and column.name in extra:
            is_group = column.name == layout.group_column
            report.add_used(column, "part of the animal's name" if is_group else "which rows count")
    frames = data.number("frame") if "frame" in roles else None
    written_time = _written_time(data, roles, dated)
    times = None
    if "time" in roles:
        in_seconds = layout.seconds or "time" in options.columns or options.resample is not None
        times = read_times(data, dated, roles["time"], report, path, options, in_seconds)
        if times.counts and frames is None:
            frames, times = times.values, None
        elif times.counts:
            times = None
    unit = _angle_unit(roles, options, layout, path)
    unit = unit or common_unit(coordinates, path) or layout.unit
    rate = None
    if preview.text is not None:
        stated = preview.text.unit
        unit = stated if unit == ANGLE and is_geographic(stated) else unit or stated
        rate = (preview.text.rate, "a comment in the file") if preview.text.rate else None
    unit, rate = _read_constants(data, roles, unit, rate)
    names = list(animals or ())
    kept = read_flags(
        data, flags[:MAX_FLAGS], positions, names, unit, options, report, columns, path
    )
    seconds = None if times is None else times.values
    index, instants = None, seconds if frames is None else frames
    if animals is None:
        index, names = _read_animals(
            data, ids, instants, kept, layout, roles, options, report, path
        )
    origin = 0.0 if times is None else times.origin
    time_name = written_time if dated else _numeric_time(seconds, origin, frames)
    if corners and index is not None:  # whose numbers are those of the file
        corner = np.where(np.isnan(positions), np.nan, np.stack(stacked[:2], axis=1))
        corner, notes = drop_missing_rows(
            corner, index, np.arange(len(index)) if instants is None else instants,
            options.missing, "", path,
        )  # fmt: skip
        positions[np.isnan(corner).any(axis=1)] = np.nan
        report.notes += notes
    rows = Rows(index, positions, frames, seconds, data.row_name, time_name)
    rows = _drop_rows(rows, kept, data, names, layout, options, report, path, unit)
    if animals is None and not {"x", "y"} & set(options.columns):
        _check_other_positions(columns, roles, report, path)
    report.ignore_others(columns, note=layout == PLAIN)
    groups = None
    if "groups" in words:
        groups = group_animals(data, "groups", index, len(names), path)
    return Table(rows, names, roles, origin, unit, data.skipped, rate, report, groups)


def _read_positions(
    columns: Sequence[np.ndarray], axes: Sequence[str], layout: Layout, report: Report, path: Path
) -> np.ndarray:
    """Return (n, animals, D) positions, of boxes their centres."""
    boxes = np.stack(columns, axis=1).reshape(-1, len(columns) // len(axes), len(axes))
    if (*axes,) in BOXES:
        corner, sizes = boxes[..., :2], boxes[..., 2:]
        sizes = sizes if "width" in axes else sizes - corner
        positions = corner + sizes / 2
        report.notes.append("positions are the centres of boxes")
        first = boxes[..., :1]
        absent = (boxes == first).all(axis=2) & (first[..., 0] <= 0)  # such as -1, -1, -1, -1
        negative = (sizes < 0).any(axis=2) & ~absent
        if negative.sum() > MAX_NEGATIVE * negative.size:
            raise TracksError(
                f"{path}: got boxes of negative size in {int(negative.sum()):,} rows; expected "
                "left below right, and top below bottom. Name the positions: --columns "
                "x=NAME,y=NAME"
            )
        positions[negative | absent] = np.nan
        note_rows(report, int(negative.sum()), "with a box of negative size: no position")
        note_rows(report, int(absent.sum()), "without a box: no position")
        return positions
    flat, notes = drop_flat_z(boxes.reshape(-1, len(axes)))
    report.notes += notes
    positions = flat.reshape(*boxes.shape[:2], flat.shape[1])
    if layout.infinite:
        positions[~np.isfinite(positions).all(axis=2)] = np.nan
    return positions


def _read_constants(
    data: TableData, roles: Mapping[str, Column], unit: str, rate: tuple[float, str] | None
) -> tuple[str, tuple[float, str] | None]:
    """Return the unit and the frame rate, which may be the only value of a column."""
    units = data.words["unit"].names if "unit" in roles else []
    usual = ANGLES if unit == ANGLE else () if unit else LENGTHS
    if len(units) == 1 and units[0].lower() in usual:
        unit = units[0]
    rates = data.words["rate"].names if "rate" in roles else []
    if len(rates) == 1 and is_number(rates[0]):
        rate = float(rates[0].replace(",", ".")), f"the column {roles['rate'].written}"
    return unit, rate


def assign_frames(table: Table, options: ReadOptions, layout: Layout, path: Path) -> RawTracks:
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
    table: Table, timeline: Timeline, layout: Layout, attrs: dict[str, object]
) -> tuple[float | None, tuple[str, ...]]:
    """Return the frame rate and notes; what a file says is better than the clock of its frames."""
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
    table: Table, options: ReadOptions, animals: int, attrs: dict[str, object], path: Path
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
    step, box = options.resample or 1.0, options.space.box(points.shape[1])
    detections = Detections(index, times, points)
    out, note = resample(detections, step, animals, row_name, path, box)
    notes.append(note)
    return Rows(out.animals, out.positions, None, out.times, row_names("time"))


# --- columns


def _count_headers(preview: FilePreview) -> int:
    """Return how many rows below the first belong to the header: until FRAME is a number."""
    frame = next((c.number for c in preview.columns if c.name == "frame"), None)
    if frame is None or preview.text is None:
        return 0
    for count, cells in enumerate(preview.text.rows[: MAX_HEADERS + 1]):
        if frame < len(cells) and is_number(cells[frame]):
            return count
    return 0


def _add_unit(column: Column, cells: list[str]) -> Column:
    cell = cells[column.number] if column.number < len(cells) else ""
    unit = cell.strip("()") if cell.startswith("(") else ""
    return Column(column.number, column.written, column.name, unit) if unit else column


def _has_clock_times(preview: FilePreview, column: Column, skip: int) -> bool:
    """Return whether most cells of a column are clock times, whose dates have another column."""
    if preview.text is None:
        return False
    rows = preview.text.rows[skip:]
    cells = [row[column.number] for row in rows if column.number < len(row)]
    cells = [cell for cell in cells if not is_missing(cell)]
    return bool(cells) and sum(bool(CLOCK.fullmatch(c)) for c in cells) > len(cells) / 2


def _angle_unit(roles: dict[str, Column], options: ReadOptions, layout: Layout, path: Path) -> str:
    """Return the unit of longitude and latitude, by the option, columns or program; else ''."""
    if options.unit is not None and is_geographic(options.unit):
        return options.unit
    unit = angle_unit(roles["x"], roles["y"], path) if {"x", "y"} <= {*roles} else ""
    return layout.unit or unit if unit == ANGLE else unit


def _written_time(data: TableData, roles: dict[str, Column], dated: bool) -> RowName | None:
    """Return a function that names a row's date or clock time as it is written."""
    if not dated or "time" not in roles:
        return None
    parts = [data.words[role] for role in ("date", "time") if role in roles]
    names, codes = [part.names for part in parts], [part.codes for part in parts]
    return lambda k: (
        "time " + " ".join(name[code[k]] for name, code in zip(names, codes, strict=True))
    )


def _numeric_time(
    times: np.ndarray | None, origin: float, frames: np.ndarray | None
) -> RowName | None:
    if times is None or frames is not None:
        return None
    return lambda k: f"time {times[k] + origin:.16g}"


def _check_single_animal(names: Sequence[str], table: Table, path: Path) -> None:
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


def _check_roles(roles: dict[str, Column], preview: FilePreview) -> None:
    missing = [axis for axis in ("x", "y") if axis not in roles]
    if missing:
        names = (column.written[:60] or "(no name)" for column in preview.columns[:MAX_NAMES])
        raise TracksError(
            f"{preview.path}: got the columns {', '.join(names)}; expected also "
            f"{' and '.join(missing)}. Name them: --columns time=NAME,id=NAME,x=NAME,y=NAME"
        )


def _check_other_positions(
    columns: Sequence[Column], roles: dict[str, Column], report: Report, path: Path
) -> None:
    """Note other columns that may be positions, such as x_f and y_f next to x_m and y_m.

    Raises TracksError if they may be those of more animals.
    """
    used = {column.number for column in roles.values()}
    unused = [column for column in columns if column.number not in used]
    pairs = [(axes["x"], axes["y"]) for axes in group_wide_columns(unused).values() if "x" in axes]
    if "x" in roles and "y" in roles:
        for other in pairs[:1] if "id" not in roles else ():
            raise TracksError(
                f"{path}: got the columns {roles['x'].written}, {roles['y'].written}, and also "
                f"{other[0].written}, {other[1].written}; expected one pair. Name the positions: "
                f"--columns x={roles['x'].written},y={roles['y'].written}. For several animals "
                "rename the columns: x1, y1, x2, y2"
            )
        by_role = {role: [c for c in unused if role_of(c)[0] == role] for role in (*GEO, *AXES)}
        pairs += zip(by_role["longitude"], by_role["latitude"], strict=False)
        pairs += zip(by_role["x"], by_role["y"], strict=False)
        sizes = [column for column in unused if role_of(column)[0] in ("width", "height")]
        if len(sizes) == 2 and not {"center", "centre", "centroid"} & set(roles["x"].words):
            x, y = roles["x"].written, roles["y"].written
            corner = [column for column in unused if role_of(column)[0] in ("left", "top")]
            left, top = (c.written for c in corner) if len(corner) == 2 else (x, y)
            report.notes.append(
                f"{x}, {y} beside {sizes[0].written}, {sizes[1].written} are read as positions, or "
                f"centres of boxes. If corners are meant: --columns left={left},top={top},"
                f"width={sizes[0].written},height={sizes[1].written}"
            )
    if pairs:
        others = "; ".join(f"{x.written}, {y.written}" for x, y in pairs[:MAX_PAIRS])
        source = ", ".join(roles[role].written for role in find_box(roles) or ("x", "y"))
        remedy = f"--columns x={pairs[0][0].written},y={pairs[0][1].written}"
        report.notes.append(f"positions are from {source}, and not {others} ({remedy})")
        for pair in pairs:
            report.ignored |= dict.fromkeys((c.title for c in pair), "another position")


# --- rows


def _read_animals(
    data: TableData, ids: Sequence[Column], instants: np.ndarray | None, kept: np.ndarray,
    layout: Layout, roles: dict[str, Column], options: ReadOptions, report: Report, path: Path,
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Return the animal of each row, and the names.

    A column whose values all occur once numbers rows; of others the first is used that has no
    animal twice at one time. A table without ids holds one animal, named like the file.
    """
    roles.pop("id", None)
    if not ids:
        return np.zeros(len(kept), np.int32), [plain_path(path).stem]
    is_film = instants is not None and len(instants) > 0 and bool((instants != instants[0]).any())
    several = is_film and len(ids) > 1
    frames = np.zeros(0, np.int64)
    if several and instants is not None:
        frames = np.unique(instants, return_inverse=True)[1][kept]
    chosen, is_double = None, False
    for column in ids:
        codes = data.words[f"id {column.number}"].codes[kept]
        counts = np.bincount(codes)
        if is_film and (counts == 1).sum() > max(MAX_SINGLE * len(codes), 1) \
                and "id" not in options.columns:  # fmt: skip
            report.ignored[column.title] = "its values occur once: it numbers rows"
            continue
        double = several and len(np.unique(frames * len(counts) + codes)) < len(codes)
        if chosen is None or (is_double and not double):
            chosen, is_double = column, double
    if chosen is None:
        titles = ", ".join(column.title for column in ids)
        raise TracksError(
            f"{path}: column {titles}: got another animal in nearly each row; expected animals "
            "that occur in several frames. Name the column of the animals: --columns id=NAME"
        )
    roles["id"] = chosen
    report.add_used(chosen, "animal")
    words = data.words[f"id {chosen.number}"]
    codes, names = words.codes, words.names
    for other in ids:
        others = data.words[f"id {other.number}"]
        if other is chosen or other.title in report.ignored or len(others.names) < 2:
            continue
        pairs = len(np.unique(codes.astype(np.int64) * len(others.names) + others.codes))
        if pairs > len(names):
            report.notes.append(
                f"animals are those of the column {chosen.title}, and not {other.title} (--columns "
                f"id={other.title})"
            )
    if layout.group_column in data.words and len(data.words[layout.group_column].names) > 1:
        groups = data.words[layout.group_column]
        joint, codes = np.unique(groups.codes.astype(np.int64) * len(names) + codes,
                                 return_inverse=True)  # fmt: skip
        names = [f"{groups.names[k // len(names)]}/{names[k % len(names)]}" for k in joint.tolist()]
    return codes, names


def _drop_rows(
    rows: Rows, kept: np.ndarray, data: TableData, names: list[str], layout: Layout,
    options: ReadOptions, report: Report, path: object, unit: str,
) -> Rows:  # fmt: skip
    """Leave out rows that are not detections.

    Raises TracksError for a row that should have an animal and has none.
    """
    rows.positions[~kept] = np.nan
    before = _are_frames(rows, kept)

    def drop(rows: np.ndarray, which: str) -> None:
        note_rows(report, int((rows & before).sum()), which)
        before[rows] = False

    for name, value in layout.drop.items():
        if name in data.words:
            marked = np.array([x.lower() == value for x in data.words[name].names] or [False])
            drop(marked[data.words[name].codes], f"with {name} {value} left out")
    if rows.animals is not None:
        absent = np.array([is_missing(name.rpartition("/")[2]) for name in names] or [False])
        absent = absent[rows.animals]
        if not layout.allow_missing_id:
            empty = absent & np.isnan(rows.positions).all(axis=1)  # separators between parts
            for numbers in (rows.frames, rows.times):
                empty &= True if numbers is None else np.isnan(numbers)
            before &= ~empty
        absent &= before
        if absent.any() and not (layout.allow_missing_id or options.skip_bad):
            raise TracksError(
                f"{path}: got no id in {rows.row_name(int(np.argmax(absent)))}; expected the "
                "animal in each row (--skip-bad leaves such rows out)"
            )
        drop(absent, "of no animal left out")
        if is_geographic(unit):
            drop(~np.isfinite(rows.positions[:, :2]).all(axis=1), "without a position left out")
    for values in (rows.frames, rows.times):
        if options.skip_bad and values is not None:
            drop(~np.isfinite(values), "without a time left out")
    return rows if before.all() else rows.select(before)


def _are_frames(rows: Rows, kept: np.ndarray) -> np.ndarray:
    """Return (n,) whether each row is kept, or says that its frame exists: by its number only."""
    if kept.all() or rows.animals is None or rows.frames is None:
        return kept | (rows.animals is None)
    frames = np.unique(rows.frames, return_inverse=True)[1]
    pairs = frames * (int(rows.animals.max()) + 1) + rows.animals
    first = np.zeros(len(kept), bool)
    first[np.unique(pairs, return_index=True)[1]] = True
    return kept | (first & ~np.isin(pairs, pairs[kept]))


# --- folders of tables


def table_files(path: Path) -> list[Path]:
    """Return the tables in a folder, or those that a pattern such as folder/*.csv matches, sorted.

    Files whose name begins with a point are left out.
    """
    if path.is_dir():
        files = [file for file in path.iterdir() if file_ending(file) in TEXT]
    elif PATTERN.search(path.name) and not path.exists():
        files = list(path.parent.glob(path.name))
    else:
        return []
    return sorted(file for file in files if file.is_file() and not file.name.startswith("."))


def has_tracks(folder: Path) -> bool:
    """Return whether every table in a folder has columns of positions."""
    try:
        files = table_files(folder)[:MAX_FILES]
        return bool(files) and all(
            {"x", "y"} <= set(find_roles(FilePreview(file).columns, {}, {}, file)[0])
            for file in files
        )
    except (OpenError, OSError, UnicodeDecodeError):
        return False


def read_folder(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the tables of a folder into the same frames."""
    return read_files(table_files(preview.path), preview.path, options)


def read_files(files: Sequence[Path], path: Path, options: ReadOptions) -> RawTracks:
    """Read several tables into the same frames.

    A table without a column of animals holds one animal, named like the file. Raises
    TracksError.
    """
    if not files:
        raise TracksError(f"{path}: got no files; expected at least one that matches")
    if len(files) > MAX_FILES:
        raise TracksError(f"{path}: got {len(files):,} files; expected up to {MAX_FILES:,}")
    tables = []
    for file in files:
        table = _read_table(FilePreview(file, options.header), options, PLAIN)
        table.rows.row_name = _add_file_name(table.rows.row_name, file.name)
        tables.append(table)
    joined = _join_tables(tables, path)
    without_ids = all("id" not in table.roles for table in tables)
    joined.report.notes.append(
        f"{len(files):,} files of one animal each: {plain_path(files[0]).stem}, ..."
        if without_ids
        else f"{len(files):,} files, whose animals are identified by their column of names"
    )
    return assign_frames(joined, options, PLAIN, path)


def _add_file_name(row_name: RowName, file: str) -> RowName:
    return lambda k: f"{row_name(k)} of {file}"


def _join_tables(tables: Sequence[Table], path: Path) -> Table:
    """Join tables; animals with the same name are one animal."""
    first = tables[0]
    for table in tables[1:]:
        alike = (table.unit, set(table.roles)) == (first.unit, set(first.roles))
        alike &= (table.rows.times is None) == (first.rows.times is None)
        alike &= (table.origin > 0) == (first.origin > 0)
        if not alike or table.rows.positions.shape[1] != first.rows.positions.shape[1]:
            raise TracksError(
                f"{path}: got tables with different columns or units; expected the same in all "
                "tables of a folder. Read them one by one"
            )
    names = list(dict.fromkeys(name for table in tables for name in table.names))
    ends = np.cumsum([0, *(len(table.rows.positions) for table in tables)])

    def name_row(k: int, attribute: str) -> str:
        number = int(np.searchsorted(ends, k, side="right")) - 1
        return str(getattr(tables[number].rows, attribute)(k - int(ends[number])))

    def concatenate(attribute: str) -> np.ndarray | None:
        arrays = [getattr(table.rows, attribute) for table in tables]
        return None if any(array is None for array in arrays) else np.concatenate(arrays)

    for table in tables:
        if table.rows.times is not None:
            table.rows.times += table.origin - first.origin

    animals = [
        np.array([names.index(name) for name in table.names] or [0])[table.rows.animals]
        for table in tables
    ]
    positions = concatenate("positions")
    assert positions is not None
    rows = Rows(
        np.concatenate(animals), positions, concatenate("frames"), concatenate("times"),
        lambda k: name_row(k, "row_name"),
        None if first.rows.time_name is None else lambda k: name_row(k, "time_name"),
    )  # fmt: skip
    first.report.notes[:] = dict.fromkeys(note for table in tables for note in table.report.notes)
    skipped = sum(table.skipped for table in tables)
    return Table(rows, names, first.roles, first.origin, first.unit, skipped, first.rate,
                 first.report)  # fmt: skip
