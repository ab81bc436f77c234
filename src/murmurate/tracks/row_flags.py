"""Columns that say which rows of a table have a position, and the signs of its degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.tracks.column_names import (
    FALSE,
    FIXES,
    FLAGS,
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
    words_of,
)
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.table import TableData
from murmurate.tracks.text_table import is_missing, normalise_name

MAX_VALUES = 12  # different values of a column that marks rows
AXES = ("x", "y", "z")
NO_NAMES = frozenset((*FLAGS, "is", "was", "has", "not"))  # of animals, in names of flags


def may_be_flag(column: Column, sample: Sequence[str]) -> bool:
    """Return whether a column may mark rows, by its name or by its first cells."""
    values = {_plain_value(cell) for cell in sample if not is_missing(cell)}
    if len(values) > MAX_VALUES:
        return False
    if find_flag(column)[0] or {"datatype", "sensor", "record"} & set(column.words):
        return True
    is_gps = any(fix in value for value in values for fix in FIXES[:2])
    in_words = bool(values & set(FLAGS)) or values <= set(SIGNS) or values <= set(VOID)
    return bool(values) and (
        is_gps or in_words or (values <= SAMPLED and not find_quantity(column))
    )


def given_flags(
    columns: Sequence[Column], flags: Sequence[Column], options: ReadOptions, path: Path
) -> list[Column]:
    """Return the columns of the option drop that are not in `flags`."""
    requested = [find_given(columns, name, "drop", path) for name in options.drop or ()]
    return [column for column in requested if column not in flags]


def read_flags(
    data: TableData, flags: Sequence[Column], positions: np.ndarray, animals: Sequence[str],
    unit: str, options: ReadOptions, report: Report, columns: Sequence[Column], path: Path,
) -> np.ndarray:  # fmt: skip
    """Return (n,) whether each row has a position; give positions in degrees their signs.

    Of rows with several animals, a flag such as fish2_lost is that of one, whose positions become
    nan.
    """
    kept = np.ones(len(positions), bool)
    index = {tuple(words_of(name)): k for k, name in enumerate(animals)}
    requested = {find_given(columns, name, "drop", path).number: set(map(_plain_value, values))
             for name, values in (options.drop or {}).items()}  # fmt: skip
    for column in flags:
        cells = data.words[f"flag {column.number}"]
        values = [_plain_value(name) for name in cells.names]
        present = {value for value in values if not is_missing(value)}

        def are(marked: set[str], values: list[str] = values, cells: Any = cells) -> np.ndarray:
            return np.array([value in marked for value in values] or [False])[cells.codes]

        if unit == "degrees" and present and present <= set(SIGNS):
            _apply_signs(positions, column, present, are, report)
            continue
        named, has_position = find_flag(column)
        marked, note = requested.get(column.number, set()), ""
        if options.drop is None:
            marked, note = _find_marked(column, present)
            count = int(are({value for value in values if is_missing(value)}).sum())
            if has_position and 0 < count < len(kept):
                note_rows(report, count, f"without a value in the column {column.title} and are "
                          f"kept (--drop {column.title}= leaves them out)")  # fmt: skip
        rows = are(marked)
        if marked and rows.all():
            marked, note = set(), f"every row has {column.title} = {min(marked)}: all are kept"
        if marked and not note:
            listed = f"{column.title} = {' or '.join(sorted(marked))}"
            animal = index.get(tuple(word for word in column.words if word not in NO_NAMES))
            if animal is None:
                kept &= ~rows
            else:
                positions[rows, animal] = np.nan
            report.add_used(column, f"rows with {listed} have no position")
            note_rows(report, int(rows.sum()),
                      f"with {listed}: no position (--drop none keeps them)")  # fmt: skip
        elif note:
            report.notes.append(note.replace("#", f"{int(rows.sum()):,}"))
            report.ignored[column.title] = "may mark rows"
        elif named:
            report.ignored[column.title] = "marks no rows"
    if not kept.all():
        report.decided["rows"] = f"{int((~kept).sum()):,} of {len(kept):,} have no position"
    return kept


def _plain_value(cell: str) -> str:
    return normalise_name(cell.strip().replace(",", ".")).lower()


def _find_marked(column: Column, present: set[str]) -> tuple[set[str], str]:
    """Return the values that mark rows, and a note, '' if such rows have no position."""
    named, has_position = find_flag(column)
    title, truths = column.title, present <= TRUE | FALSE
    unsure = (f"column {title} has the values {', '.join(sorted(present)[:4])} and is not used "
              f"(--drop {title}={min(present, default='')} leaves rows out)")  # fmt: skip
    fixes = {value for value in present if any(fix in value for fix in FIXES)}
    if any("gps" in value or "gnss" in value for value in fixes) and len(present) > 1:
        return present - fixes, ""
    if present == set(VOID):
        return {"v"}, ""
    if named and has_position:
        marked = {x for x in present if x in NO_FIX or x.startswith(("no ", "not "))}
        is_unsure = not marked and "1" in present and bool(present & {"2", "3", "2d", "3d"})
        return (set(), unsure) if is_unsure else (marked, "")
    if named and (has_position is False or truths):
        marked, note = present & TRUE, "" if truths else unsure
    else:
        marked, note = {value for value in present if FLAGS.get(value, True) is False}, ""
        doubtful = {value for value in present if FLAGS.get(value, True) is None}
        if not marked and (doubtful or (truths and present & TRUE and present & FALSE)):
            return set(), unsure
    if marked and named and has_position is None:
        value = min(marked)
        note = f"# rows have {title} = {value} and are kept (--drop {title}={value} drops them)"
    return (set() if note == unsure else marked), note


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


def note_rows(report: Report, count: int, which: str) -> None:
    """Note a number of rows, unless it is 0."""
    if count:
        report.notes.append(f"{count:,} {'row' if count == 1 else 'rows'} {which}")
