"""Read text tables (CSV and the like).

`preview_text` infers from the first lines how a table is written: its encoding, delimiter, decimal
sign, header, and where its rows begin. `TextTable` then reads columns in blocks: with pandas if all
cells are plain, else cell by cell, so that a message can name the wrong one.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import takewhile
from pathlib import Path

import numpy as np

from murmurate.errors import TracksError
from murmurate.number_text import parse_number
from murmurate.tracks.column_names import Column
from murmurate.tracks.column_words import UNITS
from murmurate.tracks.files import open_binary
from murmurate.tracks.table import TableData, WordColumn, name_of_number

PREVIEW_BYTES = 1 << 22
MAX_PREVIEW_ROWS = 60
MAX_CELLS = 100_000  # of a row
MAX_PREAMBLE = 200  # lines
BLOCK = 1 << 23  # characters that are read at a time
DELIMITERS = ("\t", ";", ",", "|")
COMMENT = ("#", "%")
COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.IGNORECASE)
POINT = re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.IGNORECASE)
GROUPED = {
    ".": re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+"),  # 1.234,5
    ",": re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+"),  # 1,234.5
}
"""Thousands separator -> numbers that have it and a decimal sign."""
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|(\d{1,4}:)?\d{1,2}:\d{1,2}([.,]\d+)?")
MISSING = frozenset(("", "nan", "na", "n/a", "#n/a", "null", "none", "-", "ø", "nil"))
SPELLINGS = sorted({form for word in MISSING for form in (word, word.upper(), word.title())})
"""Cells without a number, as pandas compares them."""
PLAIN_INTEGER = re.compile(
    r"-?(0|[1-9]\d{0,14})(\.0+)?", re.ASCII
)  # of which every spelling is one name
MIN_NUMERIC = 0.5  # a column is numeric if more than this part of its first cells are numbers
RATE = re.compile(
    r"(?:frame\s*rate|sampl\w+ (?:rate|frequency)|fps|frames per second)\D{0,12}"
    r"([0-9]+(?:\.[0-9]+)?)|"
    r"([0-9]+(?:\.[0-9]+)?)\s*(?:fps|frames? (?:per|a) second|frames?/s)", re.I,
)  # fmt: skip
IN_UNIT = re.compile(r"\b(?:x|y|positions?|coordinates?)\b.{0,40}?\bin\s+\[?([a-zµμ]+)",
                     re.IGNORECASE)  # fmt: skip


# --- the format of a table


@dataclass(frozen=True)
class TextPreview:
    """How a table is written.

    encoding   name of the encoding
    delimiter  None: any white space
    comma      whether numbers have a decimal comma
    header     names of the columns; without a header their positions from 1
    named      whether there is a header
    rows       some rows below, as cells
    lines      the line, from 0, of each of these rows
    thousands  the thousands separator; '' for none
    units      the cells of a row of units below the header; empty: there is none
    comments   lines of comments above the header, without their sign
    notes      assumptions
    one_section  whether a blank line ends the table
    """

    encoding: str
    delimiter: str | None
    comma: bool
    header: list[str]
    named: bool
    rows: list[list[str]]
    lines: list[int]
    thousands: str = ""
    units: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    notes: tuple[str, ...] = ()
    one_section: bool = False

    @property
    def first(self) -> str:
        """The first cell."""
        rows = [self.header] if self.named else self.rows
        return next((row[0] for row in rows if row), "")

    @property
    def rate(self) -> float | None:
        """Frames per second of a comment: '# framerate: 25 fps'."""
        matches = [match for line in self.comments if (match := RATE.search(line))]
        return float(matches[0][1] or matches[0][2]) if matches else None

    @property
    def unit(self) -> str:
        """The unit of positions of a comment: '# x and y in cm'."""
        units = [match[1] for line in self.comments if (match := IN_UNIT.search(line))]
        return next((unit for unit in units if unit.lower() in UNITS), "")


def preview_text(path: Path, has_header: bool | None = None) -> TextPreview:
    """Infer from the first lines how a table is written.

    path  the file, compressed or not
    has_header  whether the first row has the names of the columns; None to infer it from its cells
    raises TracksError  if the file is empty, or not text
    """
    lines, encoding = first_lines(path)
    begin, delimiter = 0, ""
    if lines and re.fullmatch(r"sep=[\t;,|]\s*", lines[0], re.IGNORECASE):
        begin, delimiter = 1, lines[0][4]
    notes: tuple[str, ...] = ()
    if preamble := _preamble_length(lines):
        begin, notes = preamble, (f"a preamble of {preamble} lines is left out",)
        has_header = True
    numbered = [(k, line) for k, line in enumerate(lines) if k >= begin and line.strip()]
    above = [*takewhile(lambda line: line[1].lstrip().startswith(COMMENT), numbered)]
    numbered = numbered[len(above) :]
    comments = [line.lstrip().lstrip("#%").strip() for _, line in above]
    if not numbered:
        raise TracksError(f"{path}: got no rows; expected a table with a header and rows")
    sample = [line for _, line in numbered[:MAX_PREVIEW_ROWS]]
    separator = delimiter or _infer_delimiter(sample)
    n_cells = 1 + max(line.count(separator or " ") for line in sample)
    if n_cells > MAX_CELLS:
        raise TracksError(
            f"{path}: got a row of {n_cells:,} cells; expected at most {MAX_CELLS:,}. Write a row "
            "for each animal and frame, with the columns frame, id, x and y"
        )
    try:
        rows = split_cells(sample, separator)
    except csv.Error as error:
        raise TracksError(f"{path}: cannot be read: {error}") from None
    line_numbers = [k for k, _ in numbered[:MAX_PREVIEW_ROWS]]
    return _split_header(rows, line_numbers, comments, encoding, separator, has_header, notes)


def first_lines(path: Path) -> tuple[list[str], str]:
    """Return the complete lines at the beginning of a text file, and its encoding."""
    with open_binary(path) as file:
        data = file.read(PREVIEW_BYTES)
        is_complete = not file.read(1)
    if not data.strip():
        raise TracksError(f"{path}: is empty; expected a table with a header and rows")
    encoding = _infer_encoding(data, path)
    text = codecs.getincrementaldecoder(encoding)().decode(data, final=is_complete)
    if "\0" in text:
        raise TracksError(f"{path}: cannot be read: it is not text")
    lines = split_lines(text)
    if not is_complete and len(lines) > 1:
        lines.pop()
    return lines, encoding


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, divided at \\n, \\r\\n or \\r like Python's text files."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def split_cells(lines: Sequence[str], delimiter: str | None) -> list[list[str]]:
    """Divide lines into cells."""
    if delimiter is None:
        lines, delimiter = [" ".join(line.split()) for line in lines], " "
    rows = csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    return [[cell.strip() for cell in row] for row in rows]


def is_number(cell: str) -> bool:
    """Return whether a cell is a number, with a decimal point or comma."""
    try:
        parse_number(cell.replace(",", ".", 1))
    except ValueError:
        return any(pattern.fullmatch(cell) for pattern in GROUPED.values())
    return True


def is_missing(cell: str) -> bool:
    """Return whether a cell means a missing value."""
    return cell.strip().lower() in MISSING


def classify_cell(cell: str) -> str:
    """Return the kind of a cell: 'missing', 'number', 'time' or 'word'."""
    if is_missing(cell):
        return "missing"
    if is_number(cell):
        return "number"
    if DATE.fullmatch(cell) or _is_iso_date(cell):
        return "time"
    return "word"


def _is_iso_date(cell: str) -> bool:
    try:
        datetime.fromisoformat(cell)
    except ValueError:
        return False
    return True


def _preamble_length(lines: Sequence[str]) -> int:
    """Return the line, from 0, of the header below a preamble that gives its position.

    EthoVision writes 'Number of header lines', which counts the header and a row of units;
    Telonics writes 'Headers Row'. Returns 0 without a preamble.
    """
    for line in lines[:MAX_PREAMBLE]:
        words = [word.strip().strip('"').strip().lower() for word in re.split(r"[;,\t]", line)]
        if len(words) < 2 or not (words[1].isascii() and words[1].isdecimal()):
            continue
        count = int(words[1])
        if words[0].rstrip(":") == "number of header lines" and 2 <= count <= len(lines):
            return count - 2
        if words[0].rstrip(":") == "headers row" and 1 <= count <= len(lines):
            return count - 1
    return 0


def _split_header(
    rows: list[list[str]], lines: list[int], comments: list[str], encoding: str,
    delimiter: str | None, has_header: bool | None, notes: tuple[str, ...],
) -> TextPreview:  # fmt: skip
    """Take the header from the first row or the comment above it, else number the columns."""
    first = rows[0]
    named = has_header if has_header is not None else not _is_data(first, rows[1:])
    if named:
        header, rows, lines = first, rows[1:], lines[1:]
    else:
        header = split_cells(comments[-1:], delimiter)[0] if comments and has_header is None else []
        named = len(header) == len(first)
        header = header if named else [str(k + 1) for k in range(len(first))]
    header = _extend_header(header, rows, delimiter)
    units: list[str] = []
    if rows and named and _are_units(rows[0]):
        units, rows, lines = rows[0], rows[1:], lines[1:]
    cells = [cell for row in rows for cell in row]
    thousands = next(
        (sign for sign, pattern in GROUPED.items() if any(map(pattern.fullmatch, cells))), ""
    )
    comma = thousands == "." or (
        not thousands and delimiter != "," and any(map(COMMA.fullmatch, cells))
        and not any(map(POINT.fullmatch, cells))
    )  # fmt: skip
    if comma:
        notes += ("commas are decimal signs",)
    return TextPreview(encoding, delimiter, comma, header, named, rows, lines, thousands, units,
                       comments, notes)  # fmt: skip


def _extend_header(
    header: list[str], rows: Sequence[Sequence[str]], delimiter: str | None
) -> list[str]:
    """Add an unnamed column if every row has one cell more than the header."""
    if not rows or any(len(row) != len(header) + 1 for row in rows):
        return header
    if all(not row[-1] for row in rows):  # a delimiter at the end of each row
        return [*header, ""]
    if delimiter != ",":  # R's row names have no header
        return ["", *header]
    first = [row[0] for row in rows]
    return ["", *header] if all(map(str.isdecimal, first)) and _counts_rows(first) else header


def _is_data(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row has the same kinds of cells as the others."""
    kinds = [classify_cell(cell) for cell in first]
    if not any(kind in ("number", "time") for kind in kinds):
        return all(kind == "missing" for kind in kinds)
    for k, kind in enumerate(kinds):
        below = [classify_cell(row[k]) for row in others if k < len(row)]
        below = [other for other in below if other != "missing"]
        if kind == "word" and below and "word" not in below:
            return False
    return True


def _are_units(cells: Sequence[str]) -> bool:
    """Return whether the cells of a row are units, such as s, cm and cm/s."""
    words = [cell.strip("()[]").lower() for cell in cells if not is_missing(cell)]
    stems = [re.sub(r"[²³]|\^?[23]$", "", re.split(r"[/·*]", word)[0].strip()) for word in words]
    return bool(words) and all(stem in UNITS for stem in stems)


def _counts_rows(cells: Sequence[str]) -> bool:
    """Return whether cells are consecutive whole numbers."""
    numbers = [int(cell) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _infer_encoding(data: bytes, path: Path) -> str:
    for mark, encoding in ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"),
                           (codecs.BOM_UTF16_BE, "utf-16")):  # fmt: skip
        if data.startswith(mark):
            return encoding
    for encoding in ("utf-8", "cp1252"):
        try:
            codecs.getincrementaldecoder(encoding)().decode(data)
        except UnicodeDecodeError:
            continue
        return encoding
    raise TracksError(f"{path}: cannot be read: it is not text")


def _infer_delimiter(lines: list[str]) -> str | None:
    """Return the delimiter that divides most lines into the same number of cells as the first."""
    best: tuple[int, int] = (1, 0)
    delimiter: str | None = None
    for candidate in DELIMITERS:
        try:
            counts = [len(row) for row in split_cells(lines, candidate)]
        except csv.Error:
            continue
        usual = max(set(counts), key=counts.count)
        if min(counts[0], usual) < 2:
            continue
        score = (counts.count(usual), min(counts[0], usual))
        if score > best or delimiter is None:
            best, delimiter = score, candidate
    return delimiter


# --- its columns


class TextTable:
    """A text table.

    path  the file, compressed or not
    preview  how it is written
    skip  rows below the header that are not data
    block  number of characters that are read at a time
    """

    def __init__(self, path: Path, preview: TextPreview, skip: int = 0, block: int = BLOCK) -> None:
        self.path, self.preview, self.block = path, preview, block
        self._first = preview.lines[skip] if skip < len(preview.lines) else None
        self._rows = preview.rows[skip:]

    def has_words(self, column: Column) -> bool:
        """Return whether some cell of a column's first rows is not a plain whole number."""
        return not all(
            is_missing(cell) or PLAIN_INTEGER.fullmatch(cell) for cell in self.sample(column)
        )

    def numeric(self, column: Column) -> bool:
        """Return whether most cells of a column's first rows are numbers, or all are empty."""
        kinds = [classify_cell(cell) for cell in self.sample(column)]
        filled = [kind for kind in kinds if kind != "missing"]
        return not filled or filled.count("number") > MIN_NUMERIC * len(filled)

    def sample(self, column: Column) -> list[str]:
        """Return the cells of a column in the first rows."""
        return [row[column.number] for row in self._rows if column.number < len(row)]

    def read(
        self, numbers: dict[str, Column], words: dict[str, Column], skip_bad: bool
    ) -> TableData:
        """Read columns.

        numbers, words  name in the result -> column to read as numbers, or as names
        skip_bad  leave out rows that cannot be read
        raises TracksError  for a cell that is not a number, or a row with too few or too many
            cells, naming the line; not with `skip_bad`
        """
        data = TableData({name: [] for name in numbers}, {name: WordColumn() for name in words},
                         self.line_name)  # fmt: skip
        for first, lines in self._blocks():
            if not self._read_plain(lines, numbers, words, data):
                self._read_cells(first, lines, numbers, words, skip_bad, data)
        return data

    def line_name(self, row: int) -> str:
        """Return 'line 7' for a row's number, from 1 below the header, as an editor counts."""
        count = 0
        for number, line in enumerate(self._lines(), 1):
            if number <= (self._first or 0) or not line.strip():
                continue
            if line.count('"') % 2:  # a cell of several lines
                return f"row {row} below the header"
            count += 1
            if count == row:
                return f"line {number}"
        return f"row {row} below the header"

    def _lines(self) -> Iterator[str]:
        with self._open() as file:
            yield from file

    def _open(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(open_binary(self.path), encoding=self.preview.encoding, newline="")

    def _blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of the first row of each block, and its lines that are not blank."""
        if self._first is None:
            return
        row = 1
        with self._open() as file:
            for _ in range(self._first):
                file.readline()
            while text := file.read(self.block):
                text += file.readline()
                while text.count('"') % 2 and (more := file.readline()):  # a cell of several lines
                    text += more
                lines = split_lines(text)
                ends = self.preview.one_section and not all(map(str.strip, lines[:-1]))
                if ends:
                    lines = [*takewhile(str.strip, lines)]
                lines = [line for line in lines if line and not line.isspace()]
                yield row, lines
                if ends:
                    return
                row += len(lines)

    def _read_plain(
        self, lines: Sequence[str], numbers: dict[str, Column], words: dict[str, Column],
        data: TableData,
    ) -> bool:  # fmt: skip
        """Read lines with pandas; return False if it cannot, or a row is not complete."""
        delimiter, cells = self.preview.delimiter, len(self.preview.header)
        if not lines:
            return True
        if delimiter is None:
            if any(len(line.split()) != cells for line in lines):
                return False
        elif any('"' in line for line in lines):  # pandas does not report missing cells
            try:
                if any(len(row) != cells for row in csv.reader(lines, delimiter=delimiter)):
                    return False
            except csv.Error:
                return False
        elif any(line.count(delimiter) != cells - 1 for line in lines):
            return False
        return self._read_with_pandas(lines, numbers, words, data)

    def _read_with_pandas(
        self, lines: Sequence[str], numbers: dict[str, Column], words: dict[str, Column],
        data: TableData,
    ) -> bool:  # fmt: skip
        import pandas

        preview, width = self.preview, len(self.preview.header)
        integers = {name for name in words if not self.has_words(words[name])}
        columns = numbers | words
        kinds: dict[int, type] = {
            column.number: np.float64 if name in numbers or name in integers else str
            for name, column in columns.items()
        }
        try:
            frame = pandas.read_csv(
                io.StringIO("\n".join(lines)), sep=preview.delimiter or r"\s+", header=None,
                names=list(range(width)), index_col=False, usecols=sorted(kinds), dtype=kinds,
                skipinitialspace=True, na_values=SPELLINGS, keep_default_na=False,
                decimal="," if preview.comma else ".", thousands=preview.thousands or None,
                engine="c", **_exact_floats(pandas.__version__),
            )  # fmt: skip
        except (ValueError, OverflowError):  # the former includes pandas' ParserError
            return False
        if len(frame) != len(lines):
            return False
        pieces: dict[str, np.ndarray] = {}
        for name, column in columns.items():
            cells = frame[column.number]
            if name in words and name not in integers:
                pieces[name] = cells.fillna("").to_numpy(object)
                continue
            values = cells.to_numpy(np.float64)
            if name in integers and not (np.isfinite(values).all() and np.abs(values).max() < 1e15):
                return False
            pieces[name] = values
        for name, piece in pieces.items():
            if name in numbers:
                data.numbers[name].append(piece)
            else:
                data.words[name].add(piece)
        data.add_piece(len(lines))
        return True

    def _read_cells(
        self, first: int, lines: Sequence[str], numbers: dict[str, Column],
        words: dict[str, Column], skip_bad: bool, data: TableData,
    ) -> None:  # fmt: skip
        """Read lines cell by cell, and report or skip bad rows."""
        try:
            rows = split_cells(lines, self.preview.delimiter)
        except csv.Error as error:
            raise TracksError(f"{self.path}: cannot be read: {error}") from None
        width = len(self.preview.header)
        values_of: dict[str, list[float]] = {name: [] for name in numbers}
        texts_of: dict[str, list[str]] = {name: [] for name in words}
        kept = []
        for row, cells in enumerate(rows, first):
            values: dict[str, float | None] = {}
            is_complete = len(cells) >= width and not any(cells[width:])
            if is_complete:
                values = {n: self._parse_number(cells[c.number]) for n, c in numbers.items()}
            bad = next((name for name, value in values.items() if value is None), "")
            if bad or not is_complete:
                if not skip_bad:
                    raise self._bad_row(row, cells, numbers.get(bad))
                data.skipped += 1
                continue
            for name, value in values.items():
                values_of[name].append(value)  # type: ignore[arg-type]
            for name, column in words.items():
                texts_of[name].append(normalise_name(cells[column.number]))
            kept.append(row)
        for name, numeric in values_of.items():
            data.numbers[name].append(np.array(numeric, np.float64))
        for name, texts in texts_of.items():
            data.words[name].add(np.array(texts, object))
        data.add_piece(len(rows), kept)

    def _parse_number(self, cell: str) -> float | None:
        """Return a cell's number, nan for a missing one, None for a word."""
        thousands = self.preview.thousands
        text = cell.replace(thousands, "") if thousands else cell
        text = text.replace(",", ".") if self.preview.comma else text
        try:
            return parse_number(text)
        except ValueError:
            return float("nan") if is_missing(cell) else None

    def _bad_row(self, row: int, cells: Sequence[str], column: Column | None) -> TracksError:
        """Return the error for a row: a cell that is not a number, or a wrong number of cells."""
        preview, width = self.preview, len(self.preview.header)
        line = self.line_name(row)
        if column is not None:
            name = column.written or str(column.number + 1)
            text = (
                f"column {name}: got {cells[column.number][:40]!r} in {line}; expected a number, "
                "or nothing"
            )
        else:
            text = f"{line}: got {len(cells)} cells; expected {width}, as in the header"
            if not preview.comma and preview.delimiter == "," and len(cells) > width:
                text += ". If numbers have decimal commas, separate the cells by ;"
        return TracksError(f"{self.path}: {text}. --skip-bad leaves such rows out")


def _exact_floats(version: str) -> dict[str, str]:
    """Return the option with which this version of pandas reads floats exactly: none since 3.1."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return {} if (major, minor) >= (3, 1) else {"float_precision": "round_trip"}


def normalise_name(cell: str) -> str:
    """Return a name, a whole number in its shortest spelling."""
    return name_of_number(float(cell)) if PLAIN_INTEGER.fullmatch(cell) else cell
