"""Files with a number for each boid, which model files name: `weight = { from = "weights.csv" }`.

They are read together with the model file, and become values of kind 'each' of the model. So a
model never contains a path, and texts from pages and recordings cannot read files.
"""

from __future__ import annotations

import csv
import io
import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown, format_value
from murmurate.model.named_files import file_in, read_file
from murmurate.number_text import parse_number

ID = "id"  # the column with the indices of boids
MAX_BYTES = 64 << 20  # of a file: numbers of some million boids
MAX_ROW = 1 << 16  # characters of a row, with the empty rows before it
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
            count = _boid_count(path, data.get("flocks"))
            parent[key] = {"kind": "each", "values": _numbers(table, path, folder, count)}
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


def _boid_count(path: str, flocks: Any) -> float:
    """Return the largest number of boids of a flock that a path may be about."""
    flocks = flocks if isinstance(flocks, dict) else {}
    name = path.split(".")[1] if path.startswith("flocks.") else ""
    tables = [flocks.get(name)] if name else flocks.values()
    counts = [table.get("count") for table in tables if isinstance(table, dict)]
    return max((n for n in counts if isinstance(n, int)), default=math.inf)


def _numbers(table: dict[str, Any], path: str, folder: Path, count: float) -> list[float]:
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
    head, first = next(rows, (0, []))
    has_names = not all(map(_is_number, first))
    names = first if has_names else []
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise ModelError(f"{file.name}: got two columns {twice!r}; expected different names")
    at = _column(names, column, path, file.name)
    by_id = names.index(ID) if ID in names else None
    values, ids, lines = array("d"), array("d"), array("q")
    for line, row in rows if has_names or not first else chain([(head, first)], rows):
        if len(values) == count:
            raise ModelError(
                f"{file.name}: got more than {count:,} rows; expected one for each boid. Remove "
                "the others, or change count"
            )
        _check_row(names, row, line, file.name)
        values.append(_number(row, at, line, file.name))
        if by_id is not None:
            ids.append(_number(row, by_id, line, file.name))
            lines.append(line)
    if not values:
        raise ModelError(f"{file.name}: got no numbers; expected one for each boid")
    return _by_id(values, ids, lines, file.name) if by_id is not None else values.tolist()


def _rows(file: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells) of the rows that are not empty. Raises ModelError."""
    data = read_file(file, MAX_BYTES, "Write numbers with fewer digits", name=file.name)
    n_bytes = 0

    def lines() -> Iterator[str]:
        nonlocal n_bytes
        for line in io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline=""):
            n_bytes += len(line)
            if n_bytes > MAX_ROW:
                raise ModelError(
                    f"{file.name}: got a row of more than {MAX_ROW:,} characters; expected less. "
                    "Write a row for each boid, with one number or a few"
                )
            yield line

    reader = csv.reader(lines(), strict=True)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                n_bytes = 0
                yield reader.line_num, cells
    except UnicodeDecodeError:
        raise ModelError(f"{file.name}: got other bytes; expected text in UTF-8") from None
    except csv.Error as error:
        raise ModelError(f"{file.name}: not a CSV file: {error}") from None


def _is_number(cell: str) -> bool:
    try:
        parse_number(cell)
    except ValueError:
        return False
    return True


def _check_row(names: list[str], row: list[str], line: int, file: str) -> None:
    """Check that a row has a cell for each column: one more is a decimal comma. Raises
    ModelError."""
    if not names and len(row) > 1:
        raise ModelError(
            f"{file}, line {line}: got {len(row)} cells without names of columns; expected a first "
            "row with names, such as id,weight. Write decimal points, not commas"
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
    values: Sequence[float], ids: Sequence[float], lines: Sequence[int], file: str
) -> list[float]:
    """Return the values in the order of their ids, which are 0 to N - 1. Raises ModelError."""
    result = [math.nan] * len(values)
    for value, number, line in zip(values, ids, lines, strict=True):
        if not number.is_integer() or not 0 <= number < len(values):
            raise ModelError(
                f"{file}, line {line}: got id {number:g}; expected whole numbers from 0 to "
                f"{len(values) - 1:,}, one row for each boid"
            )
        if not math.isnan(result[int(number)]):
            raise ModelError(f"{file}, line {line}: got id {number:g} twice; expected it once")
        result[int(number)] = value
    return result
