"""TextHead: how a table that is text is written, found from its first lines: its encoding, what
stands between cells, the decimal sign, and where its header and its rows begin."""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from murmurate.disk import open_regular
from murmurate.record.errors import RecordingRefused

FIRST_BYTES = 1 << 22
MOST_ROWS = 60  # that are looked at
DELIMITERS = ("\t", ";", ",", "|")
COMMENT = ("#", "%")
COMMA = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.IGNORECASE)
POINT = re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.IGNORECASE)
MISSING = frozenset(("", "nan", "na", "n/a", "#n/a", "null", "none", "-", "ø", "nil"))


@dataclass(frozen=True)
class TextHead:
    """The beginning of a table.

    delimiter  None: any white space
    comma      whether numbers have a decimal comma
    header     the names of the columns; their numbers, from 1, where the first row has numbers
    rows       some rows below, as cells
    lines      the line, from 0, on which each of these rows stands
    """

    encoding: str
    delimiter: str | None
    comma: bool
    header: list[str]
    named: bool
    rows: list[list[str]]
    lines: list[int]


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
        return False
    return True


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no number."""
    return cell.strip().lower() in MISSING


def head_of(path: Path) -> TextHead:
    """Looks at the first lines. Raises RecordingRefused for a file that is empty, or no text."""
    with open_regular(path) as file:
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
    return _headed(rows, [k for k, _ in numbered[:MOST_ROWS]], comments, encoding, found)


def _headed(
    rows: list[list[str]], lines: list[int], comments: list[str], encoding: str,
    delimiter: str | None,
) -> TextHead:  # fmt: skip
    """The header: the first row, or the comment above it; else the numbers of the columns."""
    first = rows[0]
    named = not all(is_number(cell) or is_missing(cell) for cell in first)
    if named:
        header, rows, lines = first, rows[1:], lines[1:]
    else:
        header = split(comments[-1:], delimiter)[0] if comments else []
        named = len(header) == len(first)
        header = header if named else [str(k + 1) for k in range(len(first))]
    longer = rows and all(len(row) == len(header) + 1 for row in rows)
    if longer and all(not row[-1] for row in rows):  # a separator at the end of each row
        header = [*header, ""]
    elif longer and delimiter != ",":  # R's row names have no header
        header = ["", *header]
    elif longer and all(row[0].isdecimal() for row in rows):
        header = ["", *header] if _counts([row[0] for row in rows]) else header
    cells = [cell for row in rows for cell in row]
    comma = delimiter != "," and any(map(COMMA.fullmatch, cells)) \
        and not any(map(POINT.fullmatch, cells))  # fmt: skip
    return TextHead(encoding, delimiter, comma, header, named, rows, lines)


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
    """What stands between the cells of most lines: what divides the first line, and as many as
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
