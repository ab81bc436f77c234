"""TableData: columns that are read from a table, and the reader of Parquet files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import regular
from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.column_names import Column
from murmurate.tracks.files import check_numbers

MAX_SAMPLE = 60  # rows
TUPLES = ("pos", "position", "location", "coordinates", "coords", "xy", "point")
"""Plain names of columns of positions such as (1.0, 2.0), which Mesa and Agents.jl write."""


class WordColumn:
    """A column of names, stored as an integer code per row.

    Names are those of the file. Whole numbers are one name, however they are written.

    codes_by_name  name -> code, in order of appearance
    """

    def __init__(self) -> None:
        self.codes_by_name: dict[str, int] = {}
        self._pieces: list[np.ndarray] = []

    def add(self, cells: np.ndarray) -> None:
        """Append rows: (n,) float64 of whole numbers, or (n,) objects of text."""
        if cells.dtype.kind == "f":
            values, inverse = np.unique(cells, return_inverse=True)
            names = [name_of_number(value) for value in values.tolist()]
            codes = np.array([self._code(name) for name in names], np.int32)
            self._pieces.append(codes[inverse] if len(codes) else np.zeros(0, np.int32))
            return
        code = self._code
        self._pieces.append(np.array([code(text.strip()) for text in cells.tolist()], np.int32))

    def _code(self, name: str) -> int:
        return self.codes_by_name.setdefault(name, len(self.codes_by_name))

    @property
    def codes(self) -> np.ndarray:
        """(n,) int32: the code of each row, an index into `names`."""
        return np.concatenate(self._pieces) if self._pieces else np.zeros(0, np.int32)

    @property
    def names(self) -> list[str]:
        return [" ".join(name.split()) for name in self.codes_by_name]


class TableData:
    """The columns of a table that were read.

    numbers  name -> pieces of the column, nan for an empty cell
    words  columns of names
    name_row  returns the name of a row in messages, from its number below the header, from 1
    skipped  number of rows that were left out
    """

    def __init__(
        self, numbers: dict[str, list[np.ndarray]], words: dict[str, WordColumn],
        name_row: Callable[[int], str] = "row {} below the header".format,
    ) -> None:  # fmt: skip
        self.numbers, self.words, self.skipped, self._name_row = numbers, words, 0, name_row
        self._pieces: list[tuple[int, list[int] | None]] = []

    def add_piece(self, rows: int, kept: list[int] | None = None) -> None:
        """Record that `rows` rows were read, of which only the numbers `kept` are stored."""
        self._pieces.append((rows, kept))

    def number(self, name: str) -> np.ndarray:
        """Return a column as (n,) float64, and release its pieces."""
        pieces = self.numbers.pop(name)
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def row_number(self, index: int) -> int:
        """Return the number, from 1 below the header, of the row with an index in the arrays."""
        before = 0
        for rows, kept in self._pieces:
            stored = rows if kept is None else len(kept)
            if index < stored:
                return before + index + 1 if kept is None else kept[index]
            index, before = index - stored, before + rows
        return before + index + 1

    def row_name(self, index: int) -> str:
        """Return the same in words, for messages: 'line 7'."""
        return self._name_row(self.row_number(index))


def name_of_number(value: float) -> str:
    """Return a number as a name: '3' for 3.0."""
    return str(int(value)) if value == int(value) else repr(value)


def find_tuples(columns: Sequence[Column], table: Any) -> tuple[Column | None, int]:
    """Return the first column of positions such as (1.0, 2.0), and their number of axes, 2 or 3."""
    for column in columns:
        if column.name in TUPLES:
            sizes = [
                len(numbers) for cell in table.sample(column) if (numbers := parse_tuple(cell))
            ]
            if sizes and sizes[0] in (2, 3):
                return column, sizes[0]
    return None, 0


def parse_tuple(cell: str) -> list[float] | None:
    """Return the numbers of (1.0, 2.0), [1.0 2.0] or (np.float64(1.0), ...); None for others."""
    match = re.fullmatch(r"[(\[](.*)[)\]]", re.sub(r"np\.\w+\(([^()]*)\)", r"\1", cell.strip()))
    try:
        return [parse_number(x) for x in re.split(r"[,;\s]+", match[1].strip())] if match else None
    except ValueError:
        return None


def parquet_names(path: Path) -> list[str]:
    """Return the names of a Parquet file's columns."""
    from pyarrow import parquet

    return list(map(str, parquet.read_schema(regular(path)).names))


class ParquetTable:
    """A Parquet file, with the interface of TextTable."""

    def __init__(self, path: Path) -> None:
        """Raises TracksError for a table that is too large for its file."""
        from pyarrow import parquet

        self.path = path
        metadata = parquet.read_metadata(regular(path))
        check_numbers(metadata.num_rows * metadata.num_columns, "the table", path)
        groups = [metadata.row_group(k) for k in range(metadata.num_row_groups)]
        sizes = [g.column(k).total_uncompressed_size for g in groups for k in range(g.num_columns)]
        check_numbers(sum(max(0, size) for size in sizes) // 8, "the table", path)
        self._file: Any = parquet.ParquetFile(regular(path))

    def numeric(self, column: Column) -> bool:
        """Return whether a column holds numbers."""
        import pyarrow

        kind = self._file.schema_arrow.types[column.number]
        return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind))

    def sample(self, column: Column) -> list[str]:
        """Return some cells of a column."""
        rows = next(self._file.iter_batches(MAX_SAMPLE, columns=[column.written]), None)
        return ["" if c is None else str(c) for c in rows[0].to_pylist()] if rows else []

    def read(
        self, numbers: dict[str, Column], words: dict[str, Column], skip_bad: bool
    ) -> TableData:
        """Read columns as TextTable.read does; no row of a Parquet file can be bad."""
        data = TableData({name: [] for name in numbers}, {name: WordColumn() for name in words})
        names = sorted({c.written for c in (*numbers.values(), *words.values())})
        table = self._file.read(columns=names)
        for name, column in numbers.items():
            if not self.numeric(column):
                raise TracksError(
                    f"{self.path}: column {column.written}: got "
                    f"{self._file.schema_arrow.types[column.number]}; expected numbers"
                )
            values = table[column.written].to_numpy(zero_copy_only=False)
            data.numbers[name].append(values.astype(np.float64))
        for name, column in words.items():
            cells = table[column.written]
            if self.numeric(column) and not cells.null_count:
                values = cells.to_numpy(zero_copy_only=False)
                if np.isfinite(values).all() and (np.abs(values) < 1e15).all():
                    data.words[name].add(values.astype(np.float64))
                    continue
            texts = ["" if cell is None else str(cell) for cell in cells.to_pylist()]
            data.words[name].add(np.array(texts, object))
        data.add_piece(table.num_rows)
        return data


def group_animals(
    data: TableData, role: str, animals: np.ndarray | None, count: int, path: Path
) -> list[str]:
    """Return the group of each of `count` animals, the words of a column.

    Raises TracksError for an animal in two groups, and for rows that have all `animals`, None.
    """
    if animals is None:
        raise TracksError(
            f"{path}: groups: got a column of a table with a frame per row; expected one with a "
            "detection per row. Name the tracks of each group, such as --groups sheep=0,1,dog=2"
        )
    codes, names = data.words[role].codes, data.words[role].names
    group_of = np.full(count, -1)
    group_of[animals] = codes
    if (wrong := group_of[animals] != codes).any():
        row = int(wrong.argmax())
        raise TracksError(
            f"{path}: {role}: got {names[codes[row]]!r} in {data.row_name(row)}, and "
            f"{names[group_of[animals[row]]]!r} for the same animal in another row; expected one "
            "for each animal"
        )
    return [names[k] if k >= 0 else "" for k in group_of]
