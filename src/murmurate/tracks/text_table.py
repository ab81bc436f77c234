"""Columns of a table that is text, read in blocks: quickly by numpy where the cells are plain,
cell by cell where they are not."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from murmurate.disk import open_regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column
from murmurate.tracks.table import Columns, Words, name_of
from murmurate.tracks.text_head import TextHead, is_missing, lines_of, split

BLOCK = 1 << 23  # characters that are read at a time
LONGEST = 64  # characters of a name that numpy reads
PLAIN = re.compile(r"-?(0|[1-9]\d{0,14})(\.0+)?")  # a whole number that stands for itself


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
        cells = [row[column.number] for row in self._rows if column.number < len(row)]
        return not all(is_missing(cell) or PLAIN.fullmatch(cell) for cell in cells)

    def numeric(self, column: Column) -> bool:
        """Whether the first rows of a column are numbers, or empty."""
        cells = [row[column.number] for row in self._rows if column.number < len(row)]
        comma = self.head.comma
        return all(is_missing(c) or _number(c, comma) is not None for c in cells)

    def read(self, numbers: dict[str, Column], words: dict[str, Column], skip_bad: bool) -> Columns:
        """Those columns, by the names that are given to them. Raises RecordingRefused, naming the
        row, for cells that are no numbers and rows that have too few cells or too many; with
        skip_bad they are left out."""
        out = Columns({name: [] for name in numbers}, {name: Words() for name in words})
        for first, lines in self._blocks():
            if not self._quick(lines, numbers, words, out):
                self._slow(first, lines, numbers, words, skip_bad, out)
        return out

    def _blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Number of the first row, and lines that are not blank."""
        if self._first is None:
            return
        row = 1
        with open_regular(self.path, "r", encoding=self.head.encoding, newline="") as file:
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
        """Whether numpy could read them, all cells being plain and all rows alike."""
        delimiter = self.head.delimiter
        if not lines:
            return True
        plain = [name for name in words if not self.words(words[name])]
        kinds = {name: "f8" if name in numbers or name in plain else f"U{LONGEST}"
                 for name in (*numbers, *words)}  # fmt: skip
        both = numbers | words
        order = sorted(both, key=lambda name: both[name].number)
        if len({both[name].number for name in order}) < len(order):
            return False
        if delimiter is not None:
            cells = len(self.head.header) - 1
            quoted = f'{delimiter} "'  # which numpy takes for a part of the cell
            if any(line.count(delimiter) != cells or quoted in line for line in lines):
                return False
        source = [line.replace(",", ".") for line in lines] if self.head.comma else lines
        kind = np.dtype([(name, kinds[name]) for name in order])
        load: Callable[..., np.ndarray] = partial(
            np.loadtxt, dtype=kind, delimiter=delimiter, comments=None, quotechar='"', ndmin=1,
            usecols=[both[name].number for name in order],
        )  # fmt: skip
        try:
            found = load(source)
        except ValueError:
            try:
                found = load(_filled(source, delimiter))
            except ValueError:
                return False
        if len(found) != len(lines):
            return False
        for name in words:
            cells_of = found[name]
            if name in plain:
                if not np.isfinite(cells_of).all() or np.abs(cells_of).max() >= 1e15:
                    return False
            elif (np.char.str_len(cells_of) == LONGEST).any():
                return False
            elif self.head.comma and (np.char.find(cells_of, ".") >= 0).any():
                return False  # which may have been a comma
        for name in order:
            if name in numbers:
                out.numbers[name].append(np.ascontiguousarray(found[name]))
            else:
                out.words[name].add(found[name])
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
        wide, comma = len(self.head.header), self.head.comma
        taken: dict[str, list[float]] = {name: [] for name in numbers}
        said: dict[str, list[str]] = {name: [] for name in words}
        where = []
        for row, cells in enumerate(rows, first):
            if not any(cells):
                continue
            wrong = ""
            if len(cells) < wide or any(cells[wide:]):
                wrong = f"row {row} below the header has {len(cells)} cells, and the header {wide}"
                if comma is False and self.head.delimiter == "," and len(cells) > wide:
                    wrong += "; where numbers have decimal commas, cells must be divided by ;"
            else:
                values = {n: _number(cells[c.number], comma) for n, c in numbers.items()}
                bad = next((name for name, value in values.items() if value is None), "")
                if bad:
                    wrong = (
                        f"column {numbers[bad].written} has {cells[numbers[bad].number][:40]!r} in "
                        f"row {row} below the header; it must be a number, or empty where there is "
                        "none"
                    )
            if wrong and not skip_bad:
                raise RecordingRefused(f"{self.path}: {wrong}; --skip-bad leaves such rows out")
            if wrong:
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


def _filled(lines: Sequence[str], delimiter: str | None) -> list[str]:
    """Lines with nan in empty cells and in those of NA, which numpy does not read. Raises
    ValueError where whole lines are empty."""
    if delimiter is None or any(not line.strip(delimiter) for line in lines):
        raise ValueError
    text = "\n" + "\n".join(lines) + "\n"
    for word in ("", "NA"):
        for before, after in ((delimiter, delimiter), (delimiter, "\n"), ("\n", delimiter)):
            for _ in range(2):  # a cell's end is the next one's beginning
                text = text.replace(f"{before}{word}{after}", f"{before}nan{after}")
    return text[1:-1].split("\n")


def _name(cell: str) -> str:
    return name_of(float(cell)) if PLAIN.fullmatch(cell) else cell


def _number(cell: str, comma: bool) -> float | None:
    """A cell's number, nan where there is none; None for a word."""
    text = cell.replace(",", ".") if comma else cell
    try:
        return float(text)
    except ValueError:
        return float("nan") if is_missing(cell) else None
