"""Tables: one detection per row (animal, time, position), or one frame per row (see wide_table)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks.column_names import (
    PLAIN,
    Column,
    Dialect,
    Report,
    angle_unit,
    common_unit,
    find_box,
    find_given,
    find_roles,
    group_wide_columns,
    is_geographic,
    role_of,
)
from murmurate.tracks.column_words import ANGLE, ANGLES, BOXES, LENGTHS
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.files import plain_path
from murmurate.tracks.frame_table import RowName
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.plausibility import drop_missing_rows
from murmurate.tracks.raw_tracks import RawTracks, drop_flat_z
from murmurate.tracks.row_flags import given_flags, may_be_flag, note_rows, read_flags
from murmurate.tracks.table import TableData, find_tuples, group_animals, parse_tuple
from murmurate.tracks.table_frames import MAX_NAMES, RawTable, Rows, assign_frames
from murmurate.tracks.text_table import is_missing, is_number
from murmurate.tracks.timestamps import CLOCK, DAY, is_stamp, read_times, split_clock

MAX_HEADERS = 3  # rows below the first that may belong to the header
MAX_FLAGS = 64  # columns whose contents are read because they may mark rows
MAX_NEGATIVE = 0.1  # part of the rows, whose boxes may have a negative size
MAX_SINGLE = 0.9  # part of the rows whose animal occurs once
MAX_PAIRS = 4  # of columns that a note names
AXES = ("x", "y", "z")
GEO = ("longitude", "latitude")
CONTENTS = {"frame": "frame number", "time": "time", "date": "date",
            "rate": "frames per second", "unit": "unit of positions"}  # fmt: skip
Animals = Mapping[str, Mapping[str, Column]]
"""Animal -> axis -> its column, of a table with a frame per row."""


def read(
    preview: FilePreview, options: ReadOptions, layout: Dialect,
    animals: Animals | None = None, report: Report | None = None,
) -> RawTracks:  # fmt: skip
    """Read a table in the layout of a program.

    animals  of a table with a frame per row; None for one with a detection per row
    report   receives the decisions

    Raises TracksError, with the line, for what cannot be read.
    """
    table = TableReader(preview, options, layout, animals, report).read()
    return assign_frames(table, options, layout, preview.path)


class TableReader:
    """The rows of one table: the columns that are read, and the meaning of their cells.

    Arguments are those of `read`.
    """

    def __init__(
        self, preview: FilePreview, options: ReadOptions, layout: Dialect,
        animals: Animals | None = None, report: Report | None = None,
    ) -> None:  # fmt: skip
        self.preview, self.options, self.layout = preview, options, layout
        self.animals, self.path, self.columns = animals, preview.path, preview.columns
        self.skip = _count_headers(preview) if layout.headers else 0
        if self.skip and preview.text:
            units = preview.text.rows[self.skip - 1]
            self.columns = [_add_unit(column, units) for column in self.columns]
        self.report = report or Report()
        self.report.notes += preview.text.notes if preview.text else ()
        self.table = preview.table(self.skip)
        self.extra = (layout.group_column, *layout.drop)
        self.dims = 0  # of positions in one column, such as (1.0, 2.0)
        self.roles, self.ids = self._find_roles()
        self.corners = find_box(self.roles if animals is None else next(iter(animals.values())))
        self.axes, self.coordinates = self._find_axes()
        self.dated = self._find_dates()
        self.nanoseconds = self._find_nanoseconds()
        self.flags = self._find_flags()

    # --- columns

    def _find_roles(self) -> tuple[dict[str, Column], list[Column]]:
        """Return the column of each role, and those that may name animals."""
        named, path = self.options.columns, self.path
        wide = dict.fromkeys(("id", *AXES, *(role for box in BOXES for role in box)), "")
        usual = wide if self.animals is not None else self.layout.roles
        roles, ids = find_roles(self.columns, named, usual, path)
        if self.animals is None and not {"x", "y"} & {*named} and {"x", "y"} <= {*roles}:
            cells = {cell.strip() for axis in "xy" for cell in self.table.sample(roles[axis])}
            if len(cells) == 1:  # as in tables of MOT, where unknown coordinates are -1
                without = {**usual, **dict.fromkeys(AXES, "")}
                boxes = find_roles(self.columns, named, without, path)
                if find_box(boxes[0]):
                    self.report.notes.append(
                        f"{roles['x'].title}, {roles['y'].title} are always {cells.pop()}"
                    )
                    return boxes
        if self.animals is None and not {"x", "y"} & {*roles} and not find_box(roles):
            column, self.dims = find_tuples(self.columns, self.table)
            roles |= {} if column is None else {"x": column, "y": column}
        return roles, ids

    def _find_axes(self) -> tuple[list[str], list[Column]]:
        """Return the axes, or sides of boxes, and their columns, of one animal after the other."""
        if self.animals is None:
            if not self.corners:
                _check_roles(self.roles, self.preview)
            if self.dims:
                return list(AXES[: self.dims]), [self.roles["x"]] * self.dims
            axes = list(self.corners) or [axis for axis in AXES if axis in self.roles]
            return axes, [self.roles[role] for role in axes]
        animals = self.animals.values()
        axes = list(self.corners) or [
            axis for axis in AXES if all(axis in of_axes for of_axes in animals)
        ]
        return axes, [of_axes[axis] for of_axes in animals for axis in axes]

    def _find_dates(self) -> bool:
        """Return whether times are dates or clock times; forget a column of dates without them."""
        roles, options = self.roles, self.options
        is_format = "%" in (options.time_format or "")
        dated = "time" in roles and (is_format or not self.table.numeric(roles["time"]))
        if "date" in roles and not _has_clock_times(self.preview, roles["time"], self.skip):
            if "date" in options.columns:
                raise TracksError(
                    f"{self.path}: columns: got date={options.columns['date']} without clock times "
                    f"in the column {roles['time'].written}; expected times such as 10:00:00"
                )
            del roles["date"]
        return dated

    def _find_nanoseconds(self) -> Column | None:
        """Make the seconds of a stamp of ROS its time; return its column of nanoseconds."""
        if self.dated or self.options.time_format is not None or "time" not in self.roles:
            return None
        stem, unit = split_clock(self.roles["time"])
        for column in self.columns if unit in (1.0, 1e-9) else ():
            if split_clock(column) == (stem, 1e-9 if unit == 1.0 else 1.0):
                pair = [self.roles["time"], column]
                self.roles["time"], nanoseconds = pair if unit == 1.0 else pair[::-1]
                return nanoseconds
        return None

    def _find_flags(self) -> list[Column]:
        """Return the columns that may mark rows, of those that have no other use."""
        numbers, words = self._columns_to_read()
        used = {column.number for column in (*numbers.values(), *words.values())}
        flags = [
            column
            for column in self.columns
            if column.number not in used and may_be_flag(column, self.table.sample(column))
        ]
        return (flags + given_flags(self.columns, flags, self.options, self.path))[:MAX_FLAGS]

    def _columns_to_read(self) -> tuple[dict[str, Column], dict[str, Column]]:
        """Return the columns of numbers and of words, by name, without flags and groups."""
        roles = self.roles
        numbers = {str(k): column for k, column in enumerate(self.coordinates)}
        numbers = {} if self.dims else numbers
        numbers |= {"frame": roles["frame"]} if "frame" in roles else {}
        numbers |= {} if self.nanoseconds is None else {"nanoseconds": self.nanoseconds}
        words = {f"id {column.number}": column for column in self.ids}
        words |= {role: roles[role] for role in ("rate", "unit") if role in roles}
        words |= {"tuples": roles["x"]} if self.dims else {}
        words |= {column.name: column for column in self.columns if self._is_extra(column)}
        for role in ("time", "date"):
            if role in roles:
                (words if self.dated else numbers)[role] = roles[role]
        return numbers, words

    def _is_extra(self, column: Column) -> bool:
        """Return whether a column is one that the layout names."""
        return bool(column.name) and column.name in self.extra

    # --- rows

    def read(self) -> RawTable:
        """Read all rows. Raises TracksError, with the line."""
        report, roles, path, layout = self.report, self.roles, self.path, self.layout
        data = self._read_cells()
        stacked = (
            self._read_tuples(data) if self.dims
            else [data.number(str(k)) for k in range(len(self.coordinates))]
        )  # fmt: skip
        positions = _read_positions(stacked, self.axes, layout, report, path)
        positions = positions[:, 0] if self.animals is None else positions
        self._report_columns()
        frames = data.number("frame") if "frame" in roles else None
        frames, seconds, origin = self._read_times(data, frames)
        unit, rate = self._read_unit_and_rate(data)
        names = list(self.animals or ())
        kept = read_flags(
            data, self.flags, positions, names, unit, self.options, report, self.columns, path
        )
        index, instants = None, seconds if frames is None else frames
        if self.animals is None:
            index, names = self._read_animals(data, instants, kept)
        if self.corners and index is not None:
            self._drop_missing_corners(positions, stacked, index, instants)
        time_name = (
            _written_time(data, roles) if self.dated else _numeric_time(seconds, origin, frames)
        )
        rows = Rows(index, positions, frames, seconds, data.row_name, time_name)
        rows = self._drop_rows(rows, kept, data, names, unit)
        if self.animals is None and not {"x", "y"} & set(self.options.columns):
            _check_other_positions(self.columns, roles, report, path)
        report.ignore_others(self.columns, note=layout == PLAIN)
        groups = None
        if isinstance(self.options.groups, str):
            groups = group_animals(data, "groups", index, len(names), path)
        return RawTable(rows, names, roles, origin, unit, data.skipped, rate, report, groups)

    def _read_cells(self) -> TableData:
        numbers, words = self._columns_to_read()
        words |= {f"flag {column.number}": column for column in self.flags}
        if isinstance(self.options.groups, str):
            words["groups"] = find_given(self.columns, self.options.groups, "groups", self.path)
            self.report.add_used(words["groups"], "group")
        return self.table.read(numbers, words, self.options.skip_bad)

    def _read_tuples(self, data: TableData) -> list[np.ndarray]:
        """Return the axes of positions in one column. Raises TracksError, with the line."""
        words, table = data.words["tuples"], []
        for k, cell in enumerate(words.names):
            numbers = parse_tuple(cell) or []
            is_bad = len(numbers) != self.dims
            if is_bad and not is_missing(cell) and not self.options.skip_bad:
                raise TracksError(
                    f"{self.path}: column {self.roles['x'].title}: got {cell[:40]!r} in "
                    f"{data.row_name(int(np.argmax(words.codes == k)))}; expected {self.dims} "
                    "numbers, such as (1.0, 2.0). --skip-bad leaves such positions out"
                )
            table.append([np.nan] * self.dims if is_bad else numbers)
        return list(np.reshape(table, (-1, self.dims))[words.codes].T)

    def _report_columns(self) -> None:
        """Report the roles of the columns."""
        report, roles = self.report, self.roles
        if self.animals is None:
            for column, role in zip(self.coordinates, self.axes, strict=True):
                report.add_used(column, "position" if self.dims else role)
        for name, of_axes in (self.animals or {}).items():
            for axis in self.axes:
                report.add_used(of_axes[axis], f"{axis} of {name}")
        for role, contents in CONTENTS.items():
            if role in roles:
                report.add_used(roles[role], contents)
        for column in filter(self._is_extra, self.columns):
            is_group = column.name == self.layout.group_column
            report.add_used(column, "part of the animal's name" if is_group else "which rows count")

    def _read_times(
        self, data: TableData, frames: np.ndarray | None
    ) -> tuple[np.ndarray | None, np.ndarray | None, float]:
        """Return frame numbers, seconds, and seconds since 1970 to which they are relative."""
        if "time" not in self.roles:
            return frames, None, 0.0
        options = self.options
        if self.nanoseconds is not None:
            seconds, parts = data.number("time"), data.number("nanoseconds")
            finite = seconds[np.isfinite(seconds)]
            if len(finite) and is_stamp(finite, parts[np.isfinite(parts)]):
                days = float(DAY * np.floor(finite.min() / DAY))
                self.report.add_used(self.nanoseconds, "nanoseconds of the time")
                return frames, seconds - days + 1e-9 * parts, days
            data.numbers["time"] = [seconds]
        in_seconds = (
            self.layout.seconds or "time" in options.columns or options.resample is not None
        )
        times = read_times(
            data, self.dated, self.roles["time"], self.report, self.path, options, in_seconds
        )
        if times.counts:
            return times.values if frames is None else frames, None, 0.0
        return frames, times.values, times.origin

    def _read_unit_and_rate(self, data: TableData) -> tuple[str, tuple[float, str] | None]:
        """Return the unit of lengths, or degrees, and the frame rate with its source."""
        unit = _angle_unit(self.roles, self.options, self.layout, self.path)
        unit = unit or common_unit(self.coordinates, self.path) or self.layout.unit
        rate, text = None, self.preview.text
        if text is not None:
            unit = text.unit if unit == ANGLE and is_geographic(text.unit) else unit or text.unit
            rate = (text.rate, "a comment in the file") if text.rate else None
        return _read_constants(data, self.roles, unit, rate)

    def _drop_missing_corners(
        self, positions: np.ndarray, stacked: Sequence[np.ndarray], index: np.ndarray,
        instants: np.ndarray | None,
    ) -> None:  # fmt: skip
        """Make positions nan where corners of boxes, the numbers of the file, mean not seen."""
        corner = np.where(np.isnan(positions), np.nan, np.stack(stacked[:2], axis=1))
        corner, notes = drop_missing_rows(
            corner, index, np.arange(len(index)) if instants is None else instants,
            self.options.missing, "", self.path,
        )  # fmt: skip
        positions[np.isnan(corner).any(axis=1)] = np.nan
        self.report.notes += notes

    def _read_animals(
        self, data: TableData, instants: np.ndarray | None, kept: np.ndarray
    ) -> tuple[np.ndarray, list[str]]:
        """Return the animal of each row, and the names.

        A column whose values all occur once numbers rows; of others the first is used that has no
        animal twice at one time. A table without ids holds one animal, named like the file.
        """
        self.roles.pop("id", None)
        if not self.ids:
            return np.zeros(len(kept), np.int32), [plain_path(self.path).stem]
        chosen = self._choose_id(data, instants, kept)
        self.roles["id"] = chosen
        self.report.add_used(chosen, "animal")
        words = data.words[f"id {chosen.number}"]
        codes, names = words.codes, words.names
        for other in self.ids:
            others = data.words[f"id {other.number}"]
            if other is chosen or other.title in self.report.ignored or len(others.names) < 2:
                continue
            pairs = len(np.unique(codes.astype(np.int64) * len(others.names) + others.codes))
            if pairs > len(names):
                self.report.notes.append(
                    f"animals are those of the column {chosen.title}, and not {other.title} "
                    f"(--columns id={other.title})"
                )
        groups = data.words.get(self.layout.group_column)
        if groups is not None and len(groups.names) > 1:
            joint, codes = np.unique(
                groups.codes.astype(np.int64) * len(names) + codes, return_inverse=True
            )
            names = [
                f"{groups.names[k // len(names)]}/{names[k % len(names)]}" for k in joint.tolist()
            ]
        return codes, names

    def _choose_id(self, data: TableData, instants: np.ndarray | None, kept: np.ndarray) -> Column:
        """Return the column that names animals. Raises TracksError if each one numbers rows."""
        is_film = instants is not None and bool((instants != instants[:1]).any())
        several = is_film and len(self.ids) > 1
        frames = np.zeros(0, np.int64)
        if several and instants is not None:
            frames = np.unique(instants, return_inverse=True)[1][kept]
        chosen, is_double = None, False
        for column in self.ids:
            codes = data.words[f"id {column.number}"].codes[kept]
            counts = np.bincount(codes)
            is_row_number = is_film and (counts == 1).sum() > max(MAX_SINGLE * len(codes), 1)
            if is_row_number and "id" not in self.options.columns:
                self.report.ignored[column.title] = "its values occur once: it numbers rows"
                continue
            double = several and len(np.unique(frames * len(counts) + codes)) < len(codes)
            if chosen is None or (is_double and not double):
                chosen, is_double = column, double
        if chosen is None:
            titles = ", ".join(column.title for column in self.ids)
            raise TracksError(
                f"{self.path}: column {titles}: got another animal in nearly each row; expected "
                "animals that occur in several frames. Name the column of the animals: --columns "
                "id=NAME"
            )
        return chosen

    def _drop_rows(
        self, rows: Rows, kept: np.ndarray, data: TableData, names: list[str], unit: str
    ) -> Rows:
        """Leave out rows that are not detections.

        Raises TracksError for a row that should have an animal and has none.
        """
        layout, skip_bad = self.layout, self.options.skip_bad
        rows.positions[~kept] = np.nan
        before = _are_frames(rows, kept)

        def drop(rows: np.ndarray, which: str) -> None:
            note_rows(self.report, int((rows & before).sum()), which)
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
            if absent.any() and not (layout.allow_missing_id or skip_bad):
                raise TracksError(
                    f"{self.path}: got no id in {rows.row_name(int(np.argmax(absent)))}; expected "
                    "the animal in each row (--skip-bad leaves such rows out)"
                )
            drop(absent, "of no animal left out")
            if is_geographic(unit):
                drop(~np.isfinite(rows.positions[:, :2]).all(axis=1), "without a position left out")
        for values in (rows.frames, rows.times):
            if skip_bad and values is not None:
                drop(~np.isfinite(values), "without a time left out")
        return rows if before.all() else rows.select(before)


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


def _angle_unit(roles: dict[str, Column], options: ReadOptions, layout: Dialect, path: Path) -> str:
    """Return the unit of longitude and latitude, by the option, columns or program; else ''."""
    if options.unit is not None and is_geographic(options.unit):
        return options.unit
    unit = angle_unit(roles["x"], roles["y"], path) if {"x", "y"} <= {*roles} else ""
    return layout.unit or unit if unit == ANGLE else unit


def _written_time(data: TableData, roles: dict[str, Column]) -> RowName:
    """Return a function that names a row's date or clock time as it is written."""
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


def _read_positions(
    columns: Sequence[np.ndarray], axes: Sequence[str], layout: Dialect, report: Report, path: Path
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


def _are_frames(rows: Rows, kept: np.ndarray) -> np.ndarray:
    """Return (n,) whether each row has a position, or only shows that its frame exists."""
    if kept.all() or rows.animals is None or rows.frames is None:
        return kept | (rows.animals is None)
    frames = np.unique(rows.frames, return_inverse=True)[1]
    pairs = frames * (int(rows.animals.max()) + 1) + rows.animals
    first = np.zeros(len(kept), bool)
    first[np.unique(pairs, return_index=True)[1]] = True
    return kept | (first & ~np.isin(pairs, pairs[kept]))
