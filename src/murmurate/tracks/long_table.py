"""Tables with one detection per row: animal, time, position.

One table may hold all animals, or a folder may have a table for each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from murmurate.errors import OpenError, TracksError
from murmurate.tracks.column_names import (
    BOXES,
    DEGREES,
    LATITUDES,
    LONGITUDES,
    PLAIN,
    Column,
    ColumnReport,
    Layout,
    assign_roles,
    common_unit,
    find_box,
    group_wide_columns,
    is_in_degrees,
)
from murmurate.tracks.file_preview import TEXT, FilePreview
from murmurate.tracks.files import file_ending, plain_path
from murmurate.tracks.frame_table import (
    Detections,
    RowName,
    fill_frames,
    make_timeline,
    resample,
    row_names,
    sort_naturally,
)
from murmurate.tracks.geography import project_to_metres
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks, drop_flat_z
from murmurate.tracks.table import TableData
from murmurate.tracks.text_table import is_missing, is_number
from murmurate.tracks.timestamps import CLOCK, read_seconds

MAX_HEADERS = 3  # rows below the first that may belong to the header
MAX_FILES = 10_000  # of a folder
MAX_NAMES = 40  # of columns, in messages
AXES = ("x", "y", "z")
CONTENTS = {"id": "animal", "frame": "frame number", "time": "time", "date": "date"}
PATTERN = re.compile(r"[*?\[]")


@dataclass
class _Rows:
    """Detections.

    animals    (n,) index of the animal
    positions  (n, D), nan where not seen
    frames     (n,) frame numbers, or None
    times      (n,) seconds, or None
    row_name   names a row in messages, such as 'line 7'
    time_name  names its time as the file writes it
    """

    animals: np.ndarray
    positions: np.ndarray
    frames: np.ndarray | None
    times: np.ndarray | None
    row_name: RowName
    time_name: RowName | None = None

    def select(self, kept: np.ndarray) -> _Rows:
        """Return the rows that are True in kept (n,)."""
        index, row_name, time_name = np.flatnonzero(kept), self.row_name, self.time_name
        frames, times = (None if x is None else x[index] for x in (self.frames, self.times))
        return _Rows(
            self.animals[index], self.positions[index], frames, times,
            lambda k: row_name(int(index[k])),
            None if time_name is None else lambda k: time_name(int(index[k])),
        )  # fmt: skip


@dataclass
class LongTable:
    """The contents of a table, before its rows are assigned to frames.

    names    of the animals
    roles    time, frame, id, ... -> its column
    dated    whether its times are dates or clock times
    unit     of lengths
    degrees  whether positions are longitude and latitude
    skipped  number of rows left out
    rate     frames per second, if a comment says so
    """

    rows: _Rows
    names: list[str]
    roles: dict[str, Column]
    dated: bool
    unit: str
    degrees: bool
    skipped: int
    rate: float | None
    notes: list[str]
    report: ColumnReport = field(default_factory=ColumnReport)


def read(preview: FilePreview, options: ReadOptions, layout: Layout) -> RawTracks:
    """Read a table in the layout of a program.

    Raises TracksError, with the line, for what cannot be read.
    """
    return _assign_frames(_read_table(preview, options, layout), options, layout, preview.path)


def _read_table(preview: FilePreview, options: ReadOptions, layout: Layout) -> LongTable:
    """Read the detections of a table."""
    path, columns = preview.path, preview.columns
    skip = _count_headers(preview) if layout.headers else 0
    if skip and preview.text:
        columns = [_add_unit(column, preview.text.rows[skip - 1]) for column in columns]
    roles = assign_roles(columns, options.columns, layout.roles, path)
    corners = find_box(roles)
    if not corners:
        _check_roles(roles, preview)
    if "id" not in roles and not {"x", "y"} & set(options.columns):
        _check_other_positions(columns, roles, path)
    table = preview.table(skip)
    dated = "time" in roles and not table.numeric(roles["time"])
    if "date" in roles and not _has_clock_times(preview, roles["time"], skip):
        if "date" in options.columns:
            raise TracksError(
                f"{path}: columns: got date={options.columns['date']} without clock times in the "
                f"column {roles['time'].written}; expected times such as 10:00:00"
            )
        del roles["date"]
    axes = [axis for axis in AXES if axis in roles]
    numbers = {role: roles[role] for role in (*axes, *corners, "frame") if role in roles}
    words = {"id": roles["id"]} if "id" in roles else {}
    extra = (layout.group_column, *layout.drop)
    words |= {column.name: column for column in columns if column.name and column.name in extra}
    for role in ("time", "date"):
        if role in roles:
            (words if dated else numbers)[role] = roles[role]
    data = table.read(numbers, words, options.skip_bad)
    notes = list(preview.text.notes) if preview.text else []
    animals, names = _read_animals(data, layout, path)
    positions = _read_positions(data, axes, corners, layout, notes)
    frames = data.number("frame") if "frame" in roles else None
    written_time = _written_time(data, roles, dated)
    times = None
    if "time" in roles:
        times = read_seconds(data, dated, roles["time"], notes, path, options.skip_bad,
                             options.time_format)  # fmt: skip
    time_name = written_time if dated else _numeric_time(times) if frames is None else None
    rows = _Rows(animals, positions, frames, times, data.row_name, time_name)
    rows = _drop_rows(rows, data, names, layout, options, notes, path)
    degrees = layout.degrees or _are_degrees(roles, options)
    coordinates = [roles[role] for role in (corners or axes)]
    unit = "degrees" if degrees else common_unit(coordinates, path) or layout.unit
    rate = None
    if preview.text is not None:
        unit = unit or preview.text.unit
        rate = preview.text.rate
    report = _report_columns(columns, roles, layout)
    return LongTable(rows, names, roles, dated, unit, degrees, data.skipped, rate, notes, report)


def _read_positions(
    data: TableData, axes: Sequence[str], corners: Sequence[str], layout: Layout, notes: list[str]
) -> np.ndarray:
    """Return (n, D) positions, of boxes their centres."""
    if corners:
        left, top, third, fourth = (data.number(role) for role in corners)
        if corners == BOXES[0]:
            positions = np.stack([left + third / 2, top + fourth / 2], axis=1)
        else:
            positions = np.stack([(left + third) / 2, (top + fourth) / 2], axis=1)
        notes.append("positions are the centres of boxes")
    else:
        positions = np.stack([data.number(axis) for axis in axes], axis=1)
    positions, flat = drop_flat_z(positions)
    notes += flat
    if layout.infinite:
        positions[~np.isfinite(positions).all(axis=1)] = np.nan
    return positions


def _report_columns(
    columns: Sequence[Column], roles: dict[str, Column], layout: Layout
) -> ColumnReport:
    report = ColumnReport()
    for role, column in roles.items():
        report.add_used(column, CONTENTS.get(role, role))
    for column in columns:
        if column.name and column.name == layout.group_column:
            report.add_used(column, "part of the animal's name")
        elif column.name and column.name in layout.drop:
            report.add_used(column, "which rows count")
    report.ignore_others(columns)
    return report


def _assign_frames(table: LongTable, options: ReadOptions, layout: Layout, path: Path) -> RawTracks:
    """Assign the rows of a table to frames."""
    rows, names, roles, notes = table.rows, table.names, table.roles, table.notes
    attrs: dict[str, object] = dict(table.report.attrs)
    unit = table.unit
    if table.degrees:
        rows.positions, unit = rows.positions[:, :2], "m"
        rows.positions, projection = project_to_metres(rows.positions, path)
        notes.append(f"degrees are projected to {projection}")
        attrs["projection"] = projection
    present = np.bincount(rows.animals, minlength=len(names)) > 0
    order = [k for k in sort_naturally(names) if present[k]]
    ranks = np.zeros(len(names), np.int64)
    ranks[order] = np.arange(len(order))
    rows.animals, names = ranks[rows.animals], [names[k] for k in order]
    if rows.frames is None and rows.times is None:
        _check_single_animal(names, table, path)
        rows.frames = np.arange(len(rows.positions), dtype=np.float64)
        notes.append("there is no column of frames or times: each row is read as one frame")
    in_seconds = layout.seconds or "time" in options.columns or options.resample is not None
    if options.resample is not None:
        rows = _resample_rows(rows, options, len(names), notes, path)
    timeline = make_timeline(rows.frames, rows.times, roles.get("time"), table.dated, in_seconds,
                             len(names), rows.row_name, path)  # fmt: skip
    remedy = "" if "id" in roles else ", or name the column of the animals: --columns id=NAME"
    positions, duplicates = fill_frames(
        timeline.frames, rows.animals, rows.positions, names, rows.row_name, options.skip_bad,
        path, rows.time_name, remedy,
    )  # fmt: skip
    if skipped := table.skipped + duplicates:
        notes.append(f"{skipped:,} unusable rows were left out")
    rate = timeline.rate
    if rate is None and table.rate is not None:
        rate = table.rate
        notes.append(f"{rate:g} frames a second, from a comment in the file")
    return RawTracks(positions, rate, names, unit, timeline.start, timeline.every, layout.y_down,
                     (*notes, *timeline.notes), attrs)  # fmt: skip


def _resample_rows(
    rows: _Rows, options: ReadOptions, animals: int, notes: list[str], path: Path
) -> _Rows:
    """Interpolate rows to equal times."""
    if rows.times is None:
        raise TracksError(
            f"{path}: resample: got a table without times; expected a column of times. Name it, "
            "--columns time=NAME, or leave --resample out"
        )
    detections = Detections(rows.animals, rows.times, rows.positions)
    step, box = options.resample or 1.0, options.space.box(rows.positions.shape[1])
    out, note = resample(detections, step, animals, rows.row_name, path, box)
    notes.append(note)
    return _Rows(out.animals, out.positions, None, out.times, row_names("time"))


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


def _are_degrees(roles: dict[str, Column], options: ReadOptions) -> bool:
    """Return whether x and y are longitude and latitude, by the option, their names or units."""
    if options.unit is not None and options.unit.lower() in DEGREES:
        return True
    if "x" not in roles or "y" not in roles:
        return False
    x, y = roles["x"], roles["y"]
    by_name = x.name in LONGITUDES and y.name in LATITUDES
    return by_name or (is_in_degrees(x) and is_in_degrees(y))


def _written_time(data: TableData, roles: dict[str, Column], dated: bool) -> RowName | None:
    """Return a function that names a row's date or clock time as it is written."""
    if not dated or "time" not in roles:
        return None
    parts = [data.words[role] for role in ("date", "time") if role in roles]
    names, codes = [part.names for part in parts], [part.codes for part in parts]
    return lambda k: (
        "time " + " ".join(name[code[k]] for name, code in zip(names, codes, strict=True))
    )


def _numeric_time(times: np.ndarray | None) -> RowName | None:
    return None if times is None else lambda k: f"time {times[k]:.10g}"


def _check_single_animal(names: list[str], table: LongTable, path: Path) -> None:
    """Raise TracksError if a table without frames and times may have them after all.

    That is so if it has other columns, or several animals.
    """
    others = list(table.report.ignored)
    if others or len(names) > 1:
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


def _check_other_positions(columns: list[Column], roles: dict[str, Column], path: Path) -> None:
    """Raise TracksError if other columns may be the x and y of more animals.

    For example x_f and y_f next to x_m and y_m.
    """
    used = {column.number for column in roles.values()}
    others = group_wide_columns([column for column in columns if column.number not in used])
    if others:
        other = next(iter(others.values()))
        raise TracksError(
            f"{path}: got the columns {roles['x'].written}, {roles['y'].written}, and also "
            f"{other['x'].written}, {other['y'].written}; expected one pair. Name the positions: "
            f"--columns x={roles['x'].written},y={roles['y'].written}. For several animals rename "
            "the columns: x1, y1, x2, y2"
        )


# --- rows


def _read_animals(data: TableData, layout: Layout, path: Path) -> tuple[np.ndarray, list[str]]:
    """Return the animal of each row, and the names.

    A table without ids holds one animal, named like the file.
    """
    if "id" not in data.words:
        count = sum(len(piece) for piece in next(iter(data.numbers.values())))
        return np.zeros(count, np.int32), [plain_path(path).stem]
    codes, names = data.words["id"].codes, data.words["id"].names
    if layout.group_column in data.words and len(data.words[layout.group_column].names) > 1:
        groups = data.words[layout.group_column]
        pairs, codes = np.unique(groups.codes.astype(np.int64) * len(names) + codes,
                                 return_inverse=True)  # fmt: skip
        names = [f"{groups.names[k // len(names)]}/{names[k % len(names)]}" for k in pairs.tolist()]
    return codes, names


def _drop_rows(
    rows: _Rows, data: TableData, names: list[str], layout: Layout, options: ReadOptions,
    notes: list[str], path: object,
) -> _Rows:  # fmt: skip
    """Leave out rows that are not detections.

    Raises TracksError for a row that should have an animal and has none.
    """
    kept = np.ones(len(rows.animals), bool)
    for name, value in layout.drop.items():
        if name in data.words:
            marked = np.array([x.lower() == value for x in data.words[name].names] or [False])
            kept &= ~marked[data.words[name].codes]
            _note_dropped(notes, kept, f"with {name} {value}")
    if not layout.allow_missing_id and "id" in data.words:
        kept &= ~_are_empty(rows, names)
    without_id = _have_no_id(rows, names) & kept
    if without_id.any() and not (layout.allow_missing_id or options.skip_bad):
        raise TracksError(
            f"{path}: got no id in {rows.row_name(int(np.argmax(without_id)))}; expected the "
            "animal in each row (--skip-bad leaves such rows out)"
        )
    before = int(kept.sum())
    kept &= ~without_id
    _note_dropped(notes, kept, "of no animal", len(kept) - before)
    if layout.degrees:
        before = int(kept.sum())
        kept &= np.isfinite(rows.positions[:, :2]).all(axis=1)
        _note_dropped(notes, kept, "without a position", len(kept) - before)
    if options.skip_bad:
        for values in (rows.frames, rows.times):
            if values is not None:
                before = int(kept.sum())
                kept &= np.isfinite(values)
                _note_dropped(notes, kept, "without a time", len(kept) - before)
    return rows if kept.all() else rows.select(kept)


def _have_no_id(rows: _Rows, names: list[str]) -> np.ndarray:
    """Return (n,) whether the id of each row is missing."""
    missing = np.array([is_missing(name.rpartition("/")[2]) for name in names] or [False])
    return missing[rows.animals]


def _are_empty(rows: _Rows, names: list[str]) -> np.ndarray:
    """Return (n,) whether each row is empty, like the separators between parts of a table."""
    empty = _have_no_id(rows, names) & np.isnan(rows.positions).all(axis=1)
    for numbers in (rows.frames, rows.times):
        if numbers is not None:
            empty &= np.isnan(numbers)
    return empty


def _note_dropped(notes: list[str], kept: np.ndarray, which: str, before: int = 0) -> None:
    if dropped := int((~kept).sum()) - before:
        notes.append(f"{dropped:,} {'row' if dropped == 1 else 'rows'} {which} left out")


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
            {"x", "y"} <= set(assign_roles(FilePreview(file).columns, {}, {}, file))
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
    joined.notes.append(
        f"{len(files):,} files of one animal each: {plain_path(files[0]).stem}, ..."
        if without_ids
        else f"{len(files):,} files, whose animals are identified by their column of names"
    )
    return _assign_frames(joined, options, PLAIN, path)


def _add_file_name(row_name: RowName, file: str) -> RowName:
    return lambda k: f"{row_name(k)} of {file}"


def _join_tables(tables: Sequence[LongTable], path: Path) -> LongTable:
    """Join tables; animals with the same name are one animal."""
    first = tables[0]
    for table in tables[1:]:
        alike = (table.unit, table.dated, table.degrees, set(table.roles)) == (
            first.unit, first.dated, first.degrees, set(first.roles)
        )  # fmt: skip
        if not alike or table.rows.positions.shape[1] != first.rows.positions.shape[1]:
            raise TracksError(
                f"{path}: got tables with different columns or units; expected the same in all "
                "tables of a folder. Read them one by one"
            )
    names = list(dict.fromkeys(name for table in tables for name in table.names))
    ends = np.cumsum([0, *(len(table.rows.animals) for table in tables)])

    def name_row(k: int, attribute: str) -> str:
        number = int(np.searchsorted(ends, k, side="right")) - 1
        return str(getattr(tables[number].rows, attribute)(k - int(ends[number])))

    def concatenate(attribute: str) -> np.ndarray | None:
        arrays = [getattr(table.rows, attribute) for table in tables]
        return None if arrays[0] is None else np.concatenate(arrays)

    animals = [
        np.array([names.index(name) for name in table.names] or [0])[table.rows.animals]
        for table in tables
    ]
    positions = concatenate("positions")
    assert positions is not None
    rows = _Rows(
        np.concatenate(animals), positions, concatenate("frames"), concatenate("times"),
        lambda k: name_row(k, "row_name"),
        None if first.rows.time_name is None else lambda k: name_row(k, "time_name"),
    )  # fmt: skip
    notes = list(dict.fromkeys(note for table in tables for note in table.notes))
    skipped = sum(table.skipped for table in tables)
    return LongTable(rows, names, first.roles, first.dated, first.unit, first.degrees, skipped,
                     first.rate, notes, first.report)  # fmt: skip
