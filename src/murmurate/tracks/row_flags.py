"""Columns that say which rows of a table have a position, and the signs of its degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.tracks.column_names import (
    FALSE,
    FIXES,
    NO_FIX,
    SAMPLED,
    SIGNS,
    TRUE,
    VOID,
    Column,
    Report,
    find_flag,
    find_given,
    find_quantity,
)
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.table import TableData
from murmurate.tracks.text_table import is_missing

MAX_VALUES = 12  # different values of a column that marks rows
AXES = ("x", "y", "z")


def may_be_flag(column: Column, sample: Sequence[str]) -> bool:
    """Return whether a column may mark rows, by its name or by its first cells."""
    values = {cell.lower() for cell in sample if not is_missing(cell)}
    if find_flag(column)[0] or {"datatype", "sensor", "record"} & set(column.words):
        return len(values) <= MAX_VALUES
    if not values or len(values) > MAX_VALUES:
        return False
    by_values = values <= SAMPLED or any(fix in value for value in values for fix in FIXES[:2])
    return (by_values and not find_quantity(column)) or values <= set(SIGNS)


def given_flags(
    columns: Sequence[Column], flags: Sequence[Column], options: ReadOptions, path: Path
) -> list[Column]:
    """Return the columns of the option drop that are not in `flags`."""
    requested = [find_given(columns, name, "drop", path) for name in options.drop or ()]
    return [column for column in requested if column not in flags]


def read_flags(
    data: TableData, flags: Sequence[Column], positions: np.ndarray, unit: str,
    options: ReadOptions, report: Report, columns: Sequence[Column], path: Path,
) -> np.ndarray:  # fmt: skip
    """Return (n,) whether each row has a position; give positions in degrees their signs."""
    kept = np.ones(len(positions), bool)
    requested = {find_given(columns, name, "drop", path).number: {value.lower() for value in values}
             for name, values in (options.drop or {}).items()}  # fmt: skip
    for column in flags:
        cells = data.words[f"flag {column.number}"]
        values = [name.lower() for name in cells.names]
        present = {value for value in values if not is_missing(value)}

        def are(marked: set[str], values: list[str] = values, cells: Any = cells) -> np.ndarray:
            return np.array([value in marked for value in values] or [False])[cells.codes]

        if unit == "degrees" and present and present <= set(SIGNS):
            _apply_signs(positions, column, present, are, report)
            continue
        marked, note = requested.get(column.number, set()), ""
        if options.drop is None:
            marked, note = _find_marked(column, present)
        rows = are(marked)
        if marked and rows.all():
            marked, note = set(), f"every row has {column.title} = {min(marked)}: all are kept"
        listed = " or ".join(sorted(marked))
        if marked and not note:
            kept &= ~rows
            report.add_used(column, f"rows with {listed} have no position")
            text = f"with {column.title} = {listed}: no position (--drop none keeps them)"
            note_rows(report, rows, text)
        elif note:
            count = f"{int(rows.sum()):,} rows have" if marked else ""
            report.notes.append(note.format(count=count))
            report.ignored[column.title] = "may mark rows"
        elif find_flag(column)[0]:
            report.ignored[column.title] = "marks no rows"
    if not kept.all():
        report.decided["rows"] = f"{int((~kept).sum()):,} of {len(kept):,} have no position"
    return kept


def _find_marked(column: Column, present: set[str]) -> tuple[set[str], str]:
    """Return the values that mark rows, and a note, '' if such rows have no position."""
    named, has_position = find_flag(column)
    title = column.title
    unsure = (f"column {title} has the values {', '.join(sorted(present)[:4])} and is not used "
              f"(--drop {title}={min(present, default='')} leaves rows out)")  # fmt: skip
    placed = {value for value in present if any(fix in value for fix in FIXES)}
    if any("gps" in value or "gnss" in value for value in placed) and len(present) > 1:
        return present - placed, ""
    if present == set(VOID):
        return {"v"}, ""
    truths = present <= TRUE | FALSE
    if named and has_position and len(present) <= MAX_VALUES:
        marked = {
            value for value in present if value in NO_FIX or value.startswith(("no ", "not "))
        }
        if not marked and "1" in present and present & {"2", "3", "2d", "3d"}:
            return set(), unsure
        return marked, ""
    if named and has_position is False:
        return (present & TRUE, "") if truths else (set(), unsure)
    if named and truths and present & TRUE:
        value = min(present & TRUE)
        note = f"{{count}} {title} = {value} and are kept (--drop {title}={value} leaves them out)"
        return present & TRUE, note
    return set(), unsure if truths and present & TRUE and present & FALSE else ""


def _apply_signs(
    positions: np.ndarray, column: Column, present: set[str],
    are: Callable[[set[str]], np.ndarray], report: Report,
) -> None:  # fmt: skip
    """Give latitudes or longitudes the sign of their hemisphere."""
    axes = {SIGNS[value][0] for value in present}
    if len(axes) > 1:
        return
    axis = AXES.index(axes.pop())
    negative = are({value for value in present if SIGNS[value][1] < 0})
    name = ("longitude", "latitude")[axis]
    if (positions[~negative, ..., axis] < 0).any():
        report.notes.append(f"column {column.title} is not used, since the {name} has signs")
        return
    positions[negative, ..., axis] = -np.abs(positions[negative, ..., axis])
    report.add_used(column, f"sign of the {name}")


def note_rows(report: Report, rows: np.ndarray, which: str) -> None:
    if count := int(rows.sum()):
        noun = "row" if count == 1 else "rows"
        report.notes.append(f"{count:,} {noun} {which}")
