"""Files with a number for each boid, which model files name: `weight = { from = "weights.csv" }`.

They are read together with the model file, and become values of kind 'each' of the model. So a
model never contains a path, and texts from pages and recordings cannot read files.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown, format_value
from murmurate.model.named_files import file_in, read_file
from murmurate.number_text import parse_number

ID = "id"  # the column with the indices of boids
MAX_BYTES = 64 << 20  # of a file: numbers of some million boids
KEYS = ("kind", "from", "column")


def read_number_files(data: dict[str, Any], folder: Path) -> list[str]:
    """Replace tables of rules and motions that name a file by tables with its numbers.

    data    the tables of a model, which are changed
    folder  the folder of the model file: files must be in it

    Returns error messages. Tables with errors are replaced by the number 1, so that all other parts
    can be checked.
    """
    problems: list[str] = []
    for path, parent, key in _file_tables(data):
        table = parent[key]
        try:
            parent[key] = {"kind": "each", "values": _numbers(table, path, folder)}
        except ModelError as error:
            problems.append(f"{path}: {error}")
            parent[key] = 1.0
    return problems


def _file_tables(data: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield (path, parent, key) of each table that names a file."""
    owners: list[tuple[str, Any]] = []
    if isinstance(rules := data.get("rules"), dict):
        owners += [(f"rules.{name}", rule) for name, rule in rules.items()]
    if isinstance(flocks := data.get("flocks"), dict):
        owners += [
            (f"flocks.{name}.motion", flock["motion"])
            for name, flock in flocks.items()
            if isinstance(flock, dict) and "motion" in flock
        ]
    for path, owner in owners:
        for key, value in owner.items() if isinstance(owner, dict) else ():
            if isinstance(value, dict) and "from" in value:
                yield f"{path}.{key}", owner, key
            for k, item in enumerate(value) if isinstance(value, list) else ():
                if isinstance(item, dict) and "from" in item:
                    yield f"{path}.{key}.{k}", value, k


def _numbers(table: dict[str, Any], path: str, folder: Path) -> list[float]:
    """Return the numbers that a table names, in the order of the boids' indices."""
    if others := [key for key in table if key not in KEYS]:
        raise ModelError(f"got {others[0]} beside from; expected from, column and kind 'each' only")
    if table.get("kind", "each") != "each":
        raise ModelError(f"got kind {format_value(table['kind'])} with from; expected kind 'each'")
    column = table.get("column", "")
    if not isinstance(column, str):
        raise ModelError(f"column: got {format_value(column)}; expected the name of a column")
    file = file_in(folder, "from", table["from"], "a CSV file")
    rows = _rows(file)
    names, rows = _header(rows)
    if not rows:
        raise ModelError(f"{file.name}: got no numbers; expected one for each boid")
    _check_rows(names, rows, file.name)
    at = _column(names, column, path, file.name)
    values = [_number(row, at, line, file.name) for line, row in rows]
    return _by_id(values, names, rows, file.name)


def _rows(file: Path) -> list[tuple[int, list[str]]]:
    """Return (line number, cells) of the rows that are not empty. Raises ModelError."""
    data = read_file(file, MAX_BYTES, "Write numbers with fewer digits", name=file.name)
    try:
        text = data.decode("utf-8-sig")
        reader = csv.reader(io.StringIO(text, newline=""), strict=True)
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except UnicodeDecodeError:
        raise ModelError(f"{file.name}: got other bytes; expected text in UTF-8") from None
    except csv.Error as error:
        raise ModelError(f"{file.name}: not a CSV file: {error}") from None
    return [(line, row) for line, row in rows if any(row)]


def _header(rows: list[tuple[int, list[str]]]) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Return the names of the columns, none if the first row has numbers only, and the data."""
    if rows and not all(_is_number(cell) for cell in rows[0][1]):
        return rows[0][1], rows[1:]
    return [], rows


def _is_number(cell: str) -> bool:
    try:
        parse_number(cell)
    except ValueError:
        return False
    return True


def _check_rows(names: list[str], rows: list[tuple[int, list[str]]], file: str) -> None:
    """Check that rows have a cell for each column. Raises ModelError.

    One cell more is a decimal comma, of which the first part would be read as the number.
    """
    if twice := [name for k, name in enumerate(names) if name in names[:k]]:
        raise ModelError(f"{file}: got two columns {twice[0]!r}; expected different names")
    for line, row in rows:
        if not names and len(row) > 1:
            raise ModelError(
                f"{file}, line {line}: got {len(row)} cells without names of columns; expected a "
                "first row with names, such as id,weight. Write decimal points, not commas"
            )
        if names and len(row) != len(names):
            raise ModelError(
                f"{file}, line {line}: got {len(row)} cells; expected {len(names)}, one for each "
                "column. Separate them by commas, and write decimal points"
            )


def _column(names: list[str], column: str, path: str, file: str) -> int:
    """Return the index of the column with the numbers. Raises ModelError.

    It is the one that is named; else the one with the name of the field; else the only one.
    """
    if column:
        if not names:
            raise ModelError(
                f"{file}: got column {column!r} of a file whose first row has no names; expected "
                "names in the first row"
            )
        if column not in names:
            raise ModelError(f"{file}: {format_unknown('column', column, names)}")
        return names.index(column)
    if not names:
        return 0
    fields = [word for word in path.split(".") if word in names and word != ID]
    others = [k for k, name in enumerate(names) if name != ID]
    if fields:
        return names.index(fields[-1])
    if len(others) != 1:
        raise ModelError(
            f"{file}: got columns {', '.join(names)}; expected one with numbers. Name it: "
            'column = "..."'
        )
    return others[0]


def _number(row: list[str], at: int, line: int, file: str) -> float:
    """Return the number of a row. Raises ModelError."""
    cell = row[at] if at < len(row) else ""
    if not _is_number(cell) or not math.isfinite(parse_number(cell)):
        remedy = ". Separate columns by commas" if ";" in cell or "\t" in cell else ""
        raise ModelError(
            f"{file}, line {line}: got {format_value(cell)}; expected a finite number{remedy}"
        )
    return parse_number(cell)


def _by_id(
    values: list[float], names: list[str], rows: list[tuple[int, list[str]]], file: str
) -> list[float]:
    """Return the values in the order of a column 'id', or in that of the rows without one."""
    if ID not in names:
        return values
    at, result = names.index(ID), [math.nan] * len(values)
    for value, (line, row) in zip(values, rows, strict=True):
        number = _number(row, at, line, file)
        if not number.is_integer() or not 0 <= number < len(values):
            raise ModelError(
                f"{file}, line {line}: got id {number:g}; expected whole numbers from 0 to "
                f"{len(values) - 1:,}, one row for each boid"
            )
        if not math.isnan(result[int(number)]):
            raise ModelError(f"{file}, line {line}: got id {number:g} twice; expected it once")
        result[int(number)] = value
    return result
