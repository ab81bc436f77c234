"""Columns that mark rows of a table without a position, and the signs of its degrees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.tracks.column_names import (
    Column,
    Report,
    find_flag,
    find_given,
    find_quantity,
    find_value_flag,
    is_geographic,
    words_of,
)
from murmurate.tracks.column_words import FALSE, FIXED, FIXES, FLAG, NOT, SAMPLED, SIGNS, TRUE, VOID
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.table import TableData
from murmurate.tracks.text_table import is_missing, is_number, normalise_name

MAX_VALUES = 12  # different values of a column that marks rows
AXES = ("x", "y", "z")
NO_NAMES = NOT | {"is", "was", "has"}  # of animals, in names of flags
HEMISPHERES = frozenset(("lat", "latitude", "lon", "long", "longitude", "hemisphere", "ns", "ew"))


def may_be_flag(column: Column, sample: Sequence[str]) -> bool:
    """Return whether a column may mark rows, by its name or by its first cells."""
    values = {_plain_value(cell) for cell in sample if not is_missing(cell)}
    if len(values) > MAX_VALUES:
        return False
    words = set(column.words)
    if find_flag(column)[0] or {"datatype", "sensor", "record"} & words:
        return True
    if words & HEMISPHERES and not any(map(is_number, values)):
        return True
    is_gps = any(fix in value for value in values for fix in FIXES[:2])
    in_words = any(find_value_flag(value)[0] for value in values)
    in_words |= values <= set(SIGNS) or values <= set(VOID)
    is_score = find_quantity(column) in ("a score", "an error") and len(values) == 2
    return bool(values) and (
        is_gps or in_words or (values <= SAMPLED and (is_score or not find_quantity(column)))
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
        rows_of = np.bincount(cells.codes, minlength=len(values))
        counts: dict[str, int] = {}
        for value, count in zip(values, rows_of.tolist(), strict=True):
            counts[value] = counts.get(value, 0) + count
        absent = sum(counts.pop(value) for value in [*counts] if is_missing(value))
        present = set(counts)

        def are(marked: set[str], values: list[str] = values, cells: Any = cells) -> np.ndarray:
            return np.array([value in marked for value in values] or [False])[cells.codes]

        if is_geographic(unit) and present and present <= set(SIGNS):
            _apply_signs(positions, column, present, are, report)
            continue
        named, has_position = find_flag(column)
        marked, note = requested.get(column.number, set()), ""
        if options.drop is None:
            marked, note = _find_marked(column, counts, absent > 0)
            if has_position and 0 < absent < len(kept):
                note_rows(report, absent, f"without a value in the column {column.title} and are "
                          f"kept (--drop {column.title}= leaves them out)")  # fmt: skip
        rows = are(marked)
        if marked and rows.all():
            marked, note = set(), f"every row has {column.title} = {min(marked)}: all are kept"
        if marked and not note:
            listed = f"{column.title} = {' or '.join(sorted(marked))}"
            words = words_of(FLAG.sub("", column.key))
            animal = index.get(tuple(word for word in words if word not in NO_NAMES))
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


def _find_marked(column: Column, counts: dict[str, int], has_gaps: bool) -> tuple[set[str], str]:
    """Return the values that mark rows, and a note, '' if such rows have no position.

    counts    value -> its rows
    has_gaps  whether other rows have no value
    """
    named, has_position = find_flag(column)
    title, present = column.title, set(counts)
    fixes = {value for value in present if any(fix in value for fix in FIXES)}
    if any("gps" in value or "gnss" in value for value in fixes) and len(present) > 1:
        return present - fixes, ""
    meanings: dict[str, bool | None] = {}  # of the values that are known
    for value in present:
        is_word, meaning = find_value_flag(value)
        if value in VOID and (has_position or present == set(VOID)):
            meanings[value] = VOID[value]
        elif named and value in TRUE | FALSE:
            meanings[value] = has_position == (value in TRUE) if has_position is not None else (
                None if value in TRUE else True)  # fmt: skip
        elif is_word or (has_position and value in FIXED):
            meanings[value] = meaning if is_word else True
    if marked := {value for value, meaning in meanings.items() if meaning is False}:
        return marked, ""
    if has_position is False and has_gaps and not meanings:  # a reason, or nothing
        return present, ""
    doubtful = {value for value, meaning in meanings.items() if meaning is None}
    rarest = min(counts, key=lambda value: (counts[value], value), default="")
    if doubtful and named:
        value = min(doubtful)
        return {value}, (
            f"# rows have {title} = {value} and are kept (--drop {title}={value} drops them)"
        )
    is_level = bool(has_position) and "1" in present and bool(present & FIXED)  # 1: no fix, or one
    both = bool(present & TRUE and present & FALSE) and present <= TRUE | FALSE
    if doubtful or is_level or (present - set(meanings) and (named or both)):
        return set(), (f"column {title} has the values {', '.join(sorted(present)[:4])} and is not "
                       f"used (--drop {title}={rarest} leaves rows out)")  # fmt: skip
    if set(column.words) & HEMISPHERES and present:
        return set(), (f"column {title} has the values {', '.join(sorted(present)[:4])} and is not "
                       "used: expected N, S, E or W")  # fmt: skip
    return set(), ""


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
