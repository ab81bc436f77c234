"""Columns of a table that is text, read in blocks: by pandas where the cells are plain, cell by
cell where one is wrong, so that it can be named."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column
from murmurate.tracks.compressed import open_binary
from murmurate.tracks.table import Columns, Words, name_of
from murmurate.tracks.text_head import MISSING, TextHead, is_missing, kind_of, lines_of, split

BLOCK = 1 << 23  # characters that are read at a time
PLAIN = re.compile(r"-?(0|[1-9]\d{0,14})(\.0+)?")  # a whole number that stands for itself
SPELLINGS = sorted({form for word in MISSING for form in (word, word.upper(), word.title())})
"""Cells without a number, as pandas is given them."""
MOSTLY = 0.5  # of the first cells: the kind of a column is that of more than this part of them


class TextTable:
    """A table that is text; see murmurate.tracks.table.

    skip  rows below the header that are no data
    """

    def __init__(self, path: Path, head: TextHead, skip: int = 0) -> None:
        self.path, self.head = path, head
        self._first = head.lines[skip] if skip < len(head.lines) else None
        self._rows = head.rows[skip:]

    def words(self, column: Column) -> bool:
        """Whether a column holds words: some cell of the first rows is no plain number."""
        return not all(is_missing(cell) or PLAIN.fullmatch(cell) for cell in self._cells(column))

    def numeric(self, column: Column) -> bool:
        """Whether most cells of the first rows of a column are numbers, or all are empty."""
        kinds = [kind_of(cell) for cell in self._cells(column)]
        known = [kind for kind in kinds if kind != "missing"]
        return not known or known.count("number") > MOSTLY * len(known)

    def _cells(self, column: Column) -> list[str]:
        return [row[column.number] for row in self._rows if column.number < len(row)]

    def read(self, numbers: dict[str, Column], words: dict[str, Column], skip_bad: bool) -> Columns:
        """Those columns, by the names that are given to them. Raises RecordingRefused, naming the
        line, for cells that are no numbers and rows that have too few cells or too many; with
        skip_bad they are left out."""
        out = Columns({name: [] for name in numbers}, {name: Words() for name in words}, self.line)
        for first, lines in self._blocks():
            if not self._quick(lines, numbers, words, out):
                self._slow(first, lines, numbers, words, skip_bad, out)
        return out

    def line(self, row: int) -> str:
        """What a row is called, which is the row-th, from 1, below the header: 'line 7', as an
        editor counts lines."""
        seen = 0
        for number, line in enumerate(self._lines(), 1):
            if number <= (self._first or 0) or not line.strip():
                continue
            if line.count('"') % 2:  # a cell of several lines
                return f"row {row} below the header"
            seen += 1
            if seen == row:
                return f"line {number}"
        return f"row {row} below the header"

    def _lines(self) -> Iterator[str]:
        with self._opened() as file:
            yield from file

    def _opened(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(open_binary(self.path), encoding=self.head.encoding, newline="")

    def _blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Number of the first row, and lines that are not blank."""
        if self._first is None:
            return
        row = 1
        with self._opened() as file:
            for _ in range(self._first):
                file.readline()
            while text := file.read(BLOCK):
                text += file.readline()
                while text.count('"') % 2 and (more := file.readline()):  # a cell of several lines
                    text += more
                lines = [line for line in lines_of(text) if line and not line.isspace()]
                yield row, lines
                row += len(lines)

    def _quick(
        self, lines: Sequence[str], numbers: dict[str, Column], words: dict[str, Column],
        out: Columns,
    ) -> bool:  # fmt: skip
        """Whether pandas could read them, all rows having as many cells as the header."""
        delimiter, cells = self.head.delimiter, len(self.head.header)
        if not lines:
            return True
        if delimiter is None:
            if any(len(line.split()) != cells for line in lines):
                return False
        elif any('"' in line for line in lines):  # pandas would not say that cells are lacking
            try:
                if any(len(row) != cells for row in csv.reader(lines, delimiter=delimiter)):
                    return False
            except csv.Error:
                return False
        elif any(line.count(delimiter) != cells - 1 for line in lines):
            return False
        return self._by_pandas(lines, numbers, words, out)

    def _by_pandas(
        self, lines: Sequence[str], numbers: dict[str, Column], words: dict[str, Column],
        out: Columns,
    ) -> bool:  # fmt: skip
        import pandas

        head, width = self.head, len(self.head.header)
        plain = {name for name in words if not self.words(words[name])}
        both = numbers | words
        kinds: dict[int, type] = {
            column.number: np.float64 if name in numbers or name in plain else str
            for name, column in both.items()
        }
        try:
            found = pandas.read_csv(
                io.StringIO("\n".join(lines)), sep=head.delimiter or r"\s+", header=None,
                names=list(range(width)), index_col=False, usecols=sorted(kinds), dtype=kinds,
                skipinitialspace=True, na_values=SPELLINGS, keep_default_na=False,
                decimal="," if head.comma else ".", thousands=head.thousands or None,
                engine="c", **_exact(pandas.__version__),
            )  # fmt: skip
        except (ValueError, OverflowError):  # of which pandas' ParserError is one
            return False
        if len(found) != len(lines):
            return False
        pieces: dict[str, np.ndarray] = {}
        for name, column in both.items():
            cells = found[column.number]
            if name in words and name not in plain:
                pieces[name] = cells.fillna("").to_numpy(object)
                continue
            values = cells.to_numpy(np.float64)
            if name in plain and not (np.isfinite(values).all() and np.abs(values).max() < 1e15):
                return False
            pieces[name] = values
        for name, piece in pieces.items():
            if name in numbers:
                out.numbers[name].append(piece)
            else:
                out.words[name].add(piece)
        out.count(len(lines))
        return True

    def _slow(
        self, first: int, lines: Sequence[str], numbers: dict[str, Column],
        words: dict[str, Column], skip_bad: bool, out: Columns,
    ) -> None:  # fmt: skip
        try:
            rows = split(lines, self.head.delimiter)
        except csv.Error as error:
            raise RecordingRefused(f"{self.path}: cannot be read: {error}") from None
        wide, head = len(self.head.header), self.head
        taken: dict[str, list[float]] = {name: [] for name in numbers}
        said: dict[str, list[str]] = {name: [] for name in words}
        where = []
        for row, cells in enumerate(rows, first):
            values: dict[str, float | None] = {}
            fits = len(cells) >= wide and not any(cells[wide:])
            if fits:
                values = {n: _number(cells[c.number], head) for n, c in numbers.items()}
            bad = next((name for name, value in values.items() if value is None), "")
            if bad or not fits:
                if not skip_bad:
                    raise self._wrong(row, cells, numbers.get(bad))
                out.bad += 1
                continue
            for name, value in values.items():
                taken[name].append(value)  # type: ignore[arg-type]
            for name, column in words.items():
                said[name].append(_name(cells[column.number]))
            where.append(row)
        for name, found in taken.items():
            out.numbers[name].append(np.array(found, np.float64))
        for name, texts in said.items():
            out.words[name].add(np.array(texts, object))
        out.count(len(rows), where)

    def _wrong(self, row: int, cells: Sequence[str], column: Column | None) -> RecordingRefused:
        """The error for a row: of the column whose cell is no number, or of their count."""
        head, wide = self.head, len(self.head.header)
        if column is not None:
            text = (
                f"column {_called(column)} has {cells[column.number][:40]!r} in {self.line(row)}; "
                "it must be a number, or empty where there is none"
            )
        else:
            text = f"{self.line(row)} has {len(cells)} cells, and the header {wide}"
            if not head.comma and head.delimiter == "," and len(cells) > wide:
                text += "; where numbers have decimal commas, cells must be divided by ;"
        return RecordingRefused(f"{self.path}: {text}; --skip-bad leaves such rows out")


def _exact(version: str) -> dict[str, str]:
    """The option with which this version of pandas reads every float exactly: since 3.1 none."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def _called(column: Column) -> str:
    return column.written or str(column.number + 1)


def _name(cell: str) -> str:
    return name_of(float(cell)) if PLAIN.fullmatch(cell) else cell


def _number(cell: str, head: TextHead) -> float | None:
    """A cell's number, nan where there is none; None for a word."""
    text = cell.replace(head.thousands, "") if head.thousands else cell
    text = text.replace(",", ".") if head.comma else text
    try:
        return float(text)
    except ValueError:
        return float("nan") if is_missing(cell) else None
