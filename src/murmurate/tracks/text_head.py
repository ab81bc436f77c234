"""TextHead: how a table that is text is written, found from its first lines: its encoding, the
separator of cells, the decimal sign, and where its header and its rows begin."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import UNITS
from murmurate.tracks.compressed import open_binary

FIRST_BYTES = 1 << 22
MOST_ROWS = 60  # that are looked at
MOST_PREAMBLE = 200  # lines of a preamble
DELIMITERS = ("\t", ";", ",", "|")
COMMENT = ("#", "%")
COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.IGNORECASE)
POINT = re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.IGNORECASE)
GROUPED = {
    ".": re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+"),  # 1.234,5
    ",": re.compile(r"[+-]?\d{1,3}(,\d{3})+\.\d+"),  # 1,234.5
}
"""Separator of thousands -> numbers that have it, and a decimal sign."""
DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|(\d{1,4}:)?\d{1,2}:\d{1,2}([.,]\d+)?")
MISSING = frozenset(("", "nan", "na", "n/a", "#n/a", "null", "none", "-", "ø", "nil"))
RATE = re.compile(r"(?:frame\s*rate|fps|frames per second)\D{0,12}(\d+(?:\.\d+)?)", re.IGNORECASE)
IN_UNIT = re.compile(r"\b(?:x|y|positions?|coordinates?)\b.{0,40}?\bin\s+\[?([a-zµμ]+)",
                     re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True)
class TextHead:
    """The beginning of a table.

    delimiter  None: any white space
    comma      whether numbers have a decimal comma
    thousands  the separator of thousands; '' for none
    header     the names of the columns; their positions, from 1, where there is no header
    named      whether there is a header
    rows       some rows below, as cells
    lines      the line, from 0, of each of these rows
    units      the cells of a row of units below the header; empty: there is none
    comments   lines of comments above the header, without their sign
    notes      what was assumed
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

    @property
    def rate(self) -> float | None:
        """Frames per second, if a comment says so: '# framerate: 25 fps'."""
        found = [match for line in self.comments if (match := RATE.search(line))]
        return float(found[0][1]) if found else None

    @property
    def unit(self) -> str:
        """The unit of positions, if a comment says so: '# x and y in cm'."""
        found = [match[1] for line in self.comments if (match := IN_UNIT.search(line))]
        return next((unit for unit in found if unit.lower() in UNITS), "")


def lines_of(text: str) -> list[str]:
    """The lines of a text, as Python's files divide it: \\n, \\r\\n or \\r."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def split(lines: Sequence[str], delimiter: str | None) -> list[list[str]]:
    """Lines as cells."""
    if delimiter is None:
        lines, delimiter = [" ".join(line.split()) for line in lines], " "
    rows = csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    return [[cell.strip() for cell in row] for row in rows]


def is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", ".", 1))
    except ValueError:
        return any(grouped.fullmatch(cell) for grouped in GROUPED.values())
    return True


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no number."""
    return cell.strip().lower() in MISSING


def kind_of(cell: str) -> str:
    """What a cell looks like: missing, number, time, or word."""
    if is_missing(cell):
        return "missing"
    if is_number(cell):
        return "number"
    if DATE.fullmatch(cell) or _is_iso(cell):
        return "time"
    return "word"


def _is_iso(cell: str) -> bool:
    try:
        datetime.fromisoformat(cell)
    except ValueError:
        return False
    return True


def head_of(path: Path, header: bool | None = None) -> TextHead:
    """Look at the first lines.

    header  whether the first row has the names of the columns; None: found from its cells

    Raises RecordingRefused for a file that is empty, or no text.
    """
    with open_binary(path) as file:
        data = file.read(FIRST_BYTES)
        whole = not file.read(1)
    if not data.strip():
        raise RecordingRefused(f"{path}: is empty; a table of tracks has a header and rows")
    encoding = _encoding(data, path)
    text = codecs.getincrementaldecoder(encoding)().decode(data, final=whole)
    if "\0" in text:
        raise RecordingRefused(f"{path}: cannot be read: it is not text")
    lines = lines_of(text)
    if not whole and len(lines) > 1:
        lines.pop()
    begin, delimiter = 0, ""
    if lines and re.fullmatch(r"sep=[\t;,|]\s*", lines[0], re.IGNORECASE):
        begin, delimiter = 1, lines[0][4]
    notes: tuple[str, ...] = ()
    if preamble := _preamble(lines):
        begin, notes = preamble, (f"a preamble of {preamble} lines is left out",)
        header = True
    numbered = [(k, line) for k, line in enumerate(lines) if k >= begin and line.strip()]
    comments = []
    while numbered and numbered[0][1].lstrip().startswith(COMMENT):
        comments.append(numbered.pop(0)[1].lstrip().lstrip("#%").strip())
    if not numbered:
        raise RecordingRefused(f"{path}: has no rows; a table of tracks has a header and rows")
    some = [line for _, line in numbered[:MOST_ROWS]]
    found = delimiter or _delimiter(some)
    try:
        rows = split(some, found)
    except csv.Error as error:
        raise RecordingRefused(f"{path}: cannot be read: {error}") from None
    places = [k for k, _ in numbered[:MOST_ROWS]]
    return _headed(rows, places, comments, encoding, found, header, notes)


def _preamble(lines: Sequence[str]) -> int:
    """The line, from 0, of the header below a preamble that says where it is: EthoVision's 'Number
    of header lines', which counts the header and a row of units, and Telonics' 'Headers Row'. 0 if
    there is none."""
    for line in lines[:MOST_PREAMBLE]:
        words = [word.strip().strip('"').strip().lower() for word in re.split(r"[;,\t]", line)]
        if len(words) < 2 or not words[1].isdecimal():
            continue
        count = int(words[1])
        if words[0].rstrip(":") == "number of header lines" and 2 <= count <= len(lines):
            return count - 2
        if words[0].rstrip(":") == "headers row" and 1 <= count <= len(lines):
            return count - 1
    return 0


def _headed(
    rows: list[list[str]], lines: list[int], comments: list[str], encoding: str,
    delimiter: str | None, asked: bool | None, notes: tuple[str, ...],
) -> TextHead:  # fmt: skip
    """The header: the first row, or the comment above it; else the positions of the columns."""
    first = rows[0]
    named = asked if asked is not None else not _is_data(first, rows[1:])
    if named:
        header, rows, lines = first, rows[1:], lines[1:]
    else:
        header = split(comments[-1:], delimiter)[0] if comments and asked is None else []
        named = len(header) == len(first)
        header = header if named else [str(k + 1) for k in range(len(first))]
    longer = rows and all(len(row) == len(header) + 1 for row in rows)
    if longer and all(not row[-1] for row in rows):  # a separator at the end of each row
        header = [*header, ""]
    elif longer and delimiter != ",":  # R's row names have no header
        header = ["", *header]
    elif longer and all(row[0].isdecimal() for row in rows):
        header = ["", *header] if _counts([row[0] for row in rows]) else header
    units: list[str] = []
    if rows and named and _are_units(rows[0]):
        units, rows, lines = rows[0], rows[1:], lines[1:]
    cells = [cell for row in rows for cell in row]
    thousands = next(
        (sign for sign, grouped in GROUPED.items() if any(map(grouped.fullmatch, cells))), ""
    )
    comma = thousands == "." or (
        not thousands and delimiter != "," and any(map(COMMA.fullmatch, cells))
        and not any(map(POINT.fullmatch, cells))
    )  # fmt: skip
    if comma:
        notes += ("commas are decimal signs",)
    return TextHead(encoding, delimiter, comma, header, named, rows, lines, thousands, units,
                    comments, notes)  # fmt: skip


def _is_data(first: Sequence[str], others: Sequence[Sequence[str]]) -> bool:
    """Whether a first row is of the kind of the others: numbers, times and words in the same
    columns. A header has words above numbers."""
    kinds = [kind_of(cell) for cell in first]
    if not any(kind in ("number", "time") for kind in kinds):
        return all(kind == "missing" for kind in kinds)
    for k, kind in enumerate(kinds):
        below = [kind_of(row[k]) for row in others if k < len(row)]
        below = [one for one in below if one != "missing"]
        if kind == "word" and below and "word" not in below:
            return False
    return True


def _are_units(cells: Sequence[str]) -> bool:
    """Whether the cells of a row are units, such as s, cm and cm/s."""
    said = [cell.strip("()[]").lower() for cell in cells if not is_missing(cell)]
    known = [re.sub(r"[²³]|\^?[23]$", "", re.split(r"[/·*]", one)[0].strip()) for one in said]
    return bool(said) and all(one in UNITS for one in known)


def _counts(cells: list[str]) -> bool:
    """Whether cells count rows: 1, 2, 3, ..."""
    numbers = [int(cell) for cell in cells]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _encoding(data: bytes, path: Path) -> str:
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
    raise RecordingRefused(f"{path}: cannot be read: it is not text")


def _delimiter(lines: list[str]) -> str | None:
    """The separator of the cells of most lines: one that divides the first line, and as many as
    most; of several the one that makes more cells."""
    best: tuple[int, int] = (1, 0)
    found: str | None = None
    for one in DELIMITERS:
        try:
            counts = [len(row) for row in split(lines, one)]
        except csv.Error:
            continue
        usual = max(set(counts), key=counts.count)
        if min(counts[0], usual) < 2:
            continue
        score = (counts.count(usual), min(counts[0], usual))
        if score > best or found is None:
            best, found = score, one
    return found
