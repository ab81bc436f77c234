"""Tracks in MATLAB files (see mat_file).

A variable with tracks is an array with an axis of 2 or 3 coordinates; matrices or vectors x and y,
alone or in a struct; or a struct array with an element per animal, whose fields are x and y, or
points (n, 2 or 3). Vectors are read as columns of a table, by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import TracksError
from murmurate.tracks import long_table
from murmurate.tracks.array_axes import order_axes
from murmurate.tracks.column_names import (
    PLAIN,
    Column,
    Report,
    angle_unit,
    common_unit,
    parse_headers,
    role_of,
)
from murmurate.tracks.file_preview import FilePreview
from murmurate.tracks.frame_table import row_names
from murmurate.tracks.mat_file import Struct, load
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table import TableData, WordColumn, name_of_number
from murmurate.tracks.table_frames import RawTable, Rows, assign_frames
from murmurate.tracks.timestamps import read_times

FIRST = ("firstframe", "first_frame", "startframe", "start_frame")
"""Fields with the number of an animal's first frame."""


# --- choose the variable with tracks


@dataclass(frozen=True)
class _Candidate:
    """A variable that may hold tracks.

    value     an array, a struct, or a list of structs
    siblings  the variables or fields around it, such as fps
    """

    value: Any
    siblings: Struct


def _candidates(level: Struct, prefix: str = "") -> Iterator[tuple[str, _Candidate]]:
    """Yield (name, candidate) of the variables, and of the fields of structs."""
    if {"x", "y"} <= {*_roles(level)}:
        name = prefix.rstrip(".") or ",".join(_roles(level)[axis].written for axis in "xy")
        yield name, _Candidate(level, level)
    for name, value in level.items():
        if isinstance(value, np.ndarray) and value.ndim == 3 and {2, 3} & {*value.shape}:
            yield prefix + name, _Candidate(value, level)
        elif _is_struct(value) and len(value) == 1:
            yield from _candidates(value[0], f"{prefix}{name}.")
        elif _is_struct(value) and (_points(value) or _has_xy(value)):
            yield prefix + name, _Candidate(value, level)


def _is_struct(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _has_xy(structs: Sequence[Struct]) -> bool:
    return all({"x", "y"} <= {*_roles(struct)} for struct in structs)


def _points(structs: Sequence[Struct]) -> tuple[str, int] | None:
    """Return the only field of points, and its axis of coordinates, if there are no x and y."""
    if _has_xy(structs):
        return None
    candidates = [
        (name, axis) for name in structs[0] for axis in (0, 1)
        if all(isinstance(a := s.get(name), np.ndarray) and a.ndim == 2 and a.shape[axis] in (2, 3)
               and a.dtype.kind in "iuf" for s in structs)
        and max(s[name].shape[1 - axis] for s in structs) > 3
    ]  # fmt: skip
    return candidates[0] if len(candidates) == 1 else None


def _roles(level: Struct) -> dict[str, Column]:
    """Return role -> column of the fields that are arrays of numbers."""
    names = [k for k, v in level.items() if isinstance(v, np.ndarray) and v.dtype.kind in "iufb"]
    roles: dict[str, Column] = {}
    for column in sorted(parse_headers(names), key=lambda column: role_of(column)[1]):
        role = role_of(column)[0]
        roles.setdefault({"longitude": "x", "latitude": "y"}.get(role, role), column)
    return roles


def _choose(variables: Struct, options: ReadOptions, path: Path) -> tuple[str, _Candidate]:
    """Return the chosen or the only variable with tracks, with its name, or raise TracksError."""
    candidates = dict(_candidates(variables))
    if options.columns and options.variable in variables:
        matrix = variables[str(options.variable)]
        if isinstance(matrix, np.ndarray) and matrix.ndim == 2:
            candidates[str(options.variable)] = _Candidate(matrix, variables)
    requested = options.variable
    if requested is None and len(candidates) == 1:
        return next(iter(candidates.items()))
    if requested in candidates:
        return str(requested), candidates[str(requested)]
    got = ", ".join(
        f"{name} {'x'.join(map(str, v.shape))}" if isinstance(v, np.ndarray) else name
        for name, v in list(variables.items())[:20]
    )
    if not candidates:
        raise TracksError(
            f"{path}: got {f'the variables {got}' if got else 'no variables'}; expected tracks: "
            "an array of frames, animals and 2 or 3 coordinates; x and y, alone or in a struct; or "
            "a struct array with an element per animal. A matrix with a row per detection: "
            "--variable NAME --columns x=1,y=2,frame=3,id=4"
        )
    got = "several variables with tracks" if requested is None else f"the variable {requested}"
    raise TracksError(
        f"{path}: variable: got {got}; expected one of {', '.join(candidates)}. Choose one: "
        f"--variable {next(iter(candidates))}"
    )


# --- read the tracks


def read(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the tracks of a MATLAB file."""
    path = preview.path
    name, chosen = _choose(load(path), options, path)
    value, report = chosen.value, Report(decided={"variable": name})
    if isinstance(value, np.ndarray) and value.ndim == 3:
        return _read_array(value, chosen.siblings, report, options, path)
    if isinstance(value, np.ndarray):
        columns = {str(k): column for k, column in enumerate(value.T)}
        table = _ArrayPreview(path, columns, named=False)
        return long_table.read(table, options, PLAIN, report=report)
    if isinstance(value, dict):
        roles = _roles(value)
        axes = [value[roles[axis].written] for axis in "xyz" if axis in roles]
        if min(axes[0].shape) > 1:
            if any(axis.shape != axes[0].shape or axis.ndim != 2 for axis in axes):
                raise TracksError(
                    f"{path}: {name}: got x and y of the shapes "
                    f"{', '.join(str(axis.shape) for axis in axes)}; expected equal matrices"
                )
            x, y = roles["x"], roles["y"]
            unit = angle_unit(x, y, path) or common_unit([x, y], path)
            array = np.stack(axes, axis=2)
            return _read_array(array, chosen.siblings, report, options, path, unit)
        columns = _columns(value, axes[0].size)
        if (counts := value.get("ntargets")) is not None and counts.sum() == axes[0].size:
            columns["frame"] = np.repeat(np.arange(counts.size), counts.ravel().astype(np.int64))
    else:
        columns = _join(value, name, report, path)
    return long_table.read(_ArrayPreview(path, columns), options, PLAIN, report=report)


def _read_array(
    array: np.ndarray, siblings: Struct, report: Report, options: ReadOptions, path: Path,
    unit: str | None = None,
) -> RawTracks:  # fmt: skip
    """Read an array of positions, with the frame rate or times of variables around it.

    unit  of positions whose axis of coordinates is the last; None: both are unknown
    """
    positions, notes = order_axes(array, options.axes, path, None if unit is None else 2)
    report.notes += notes
    frames, animals, _ = positions.shape
    roles, times, rate = _roles(siblings), None, None
    if "rate" in roles and siblings[roles["rate"].written].size == 1:
        number = float(siblings[roles["rate"].written].item())
        rate = (number, f"the variable {roles['rate'].written}") if number > 0 else None
    column = roles.get("time")
    if column is not None and siblings[column.written].size == frames:
        data = TableData({"time": [siblings[column.written].ravel().astype(np.float64)]}, {})
        times = read_times(data, False, column, report, path, options, False)
    is_count = times is not None and times.counts
    rows = Rows(
        None, np.asarray(positions, np.float64),
        np.arange(float(frames)) if times is None else times.values if is_count else None,
        None if times is None or is_count else times.values, row_names("row"),
    )  # fmt: skip
    names = [str(k) for k in range(animals)]
    used = {"time": column} if times is not None and column is not None else {}
    origin = 0.0 if times is None else times.origin
    return assign_frames(
        RawTable(rows, names, used, origin, unit or "", 0, rate, report), options, PLAIN, path
    )


def _columns(struct: Struct, count: int) -> dict[str, np.ndarray]:
    """Return the fields with `count` entries, and single numbers and words, repeated."""
    columns: dict[str, np.ndarray] = {}
    for name, value in struct.items():
        if isinstance(value, str):
            columns[name] = np.full(count, value, object)
        elif isinstance(value, list) and len(value) == count and all(
            isinstance(cell, str) for cell in value
        ):  # fmt: skip
            columns[name] = np.array(value, object)
        elif isinstance(value, np.ndarray) and value.dtype.kind in "iufb":
            if value.size == count and max(value.shape, default=0) == count:
                columns[name] = value.ravel().astype(np.float64)
            elif value.size == 1:
                columns[name] = np.full(count, float(value.item()))
    return columns


def _join(
    structs: Sequence[Struct], name: str, report: Report, path: Path
) -> dict[str, np.ndarray]:
    """Return the columns of a struct array, whose elements are animals."""
    field, lengths, tables = _points(structs), [], []
    for k, struct in enumerate(structs):
        if field is not None:
            points = np.moveaxis(struct[field[0]], field[1], 0)
            struct = struct | dict(zip("xyz", points, strict=False))
        roles = _roles(struct)
        if not {"x", "y"} <= {*roles}:
            raise TracksError(
                f"{path}: {name}({k + 1}): got the fields {', '.join(struct)}; expected one x and "
                "one y, or points, in each element"
            )
        x, y = (struct[roles[axis].written].size for axis in "xy")
        if x != y:
            raise TracksError(
                f"{path}: {name}({k + 1}): got {x:,} entries of x and {y:,} of y; expected equal "
                "numbers"
            )
        columns = _columns(struct, x)
        if not any(role_of(column)[0] == "id" for column in parse_headers(list(columns))):
            columns["id"] = np.full(x, float(k + 1))
        first = next((columns.pop(field) for field in FIRST if field in columns), None)
        if not {"frame", "time"} & {*roles}:
            columns["frame"] = np.arange(float(x)) + (0 if first is None else first)
            lengths += [x] * (first is None)
        tables.append(columns)
    if lengths and len({*lengths}) > 1:
        raise TracksError(
            f"{path}: {name}: got animals of {min(lengths):,} to {max(lengths):,} entries without "
            f"times; expected a field frame, time or {FIRST[0]}"
        )
    if lengths:
        report.notes.append("without frames or times: entries of animals are read as frames")
    common = [name for name in tables[0] if all(name in table for table in tables)]
    return {name: np.concatenate([table[name] for table in tables]) for name in common}


class _ArrayPreview(FilePreview):
    """Columns in memory, read as a table: arrays of numbers, or of text (dtype object)."""

    def __init__(self, path: Path, columns: Mapping[str, np.ndarray], named: bool = True) -> None:
        super().__init__(path)
        self.arrays_by_number = list(columns.values())
        self.columns = parse_headers(list(columns) if named else [""] * len(columns))

    def table(self, skip: int = 0) -> Any:
        return self

    def numeric(self, column: Column) -> bool:
        return self.arrays_by_number[column.number].dtype.kind != "O"

    def sample(self, column: Column) -> list[str]:
        return list(map(_text, self.arrays_by_number[column.number][:60].tolist()))

    def read(
        self, numbers: dict[str, Column], words: dict[str, Column], skip_bad: bool
    ) -> TableData:
        """Read columns as TextTable.read does."""
        data = TableData({}, {name: WordColumn() for name in words}, "row {}".format)
        for name, column in numbers.items():
            if not self.numeric(column):
                raise TracksError(f"{self.path}: column {column.title}: got text; expected numbers")
            data.numbers[name] = [self.arrays_by_number[column.number].astype(np.float64)]
        for name, column in words.items():
            cells = map(_text, self.arrays_by_number[column.number].tolist())
            data.words[name].add(np.array([*cells], object))
        data.add_piece(len(self.arrays_by_number[0]))
        return data


def _text(cell: Any) -> str:
    return cell if isinstance(cell, str) else "" if cell != cell else name_of_number(float(cell))
