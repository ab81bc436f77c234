"""Tables as CSV, as aligned text, as HTML, and as a pandas DataFrame."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from murmurate.errors import MurmurateError
from murmurate.optional import optional

if TYPE_CHECKING:
    import pandas


def finite(value: Any) -> float | None:
    """Return a number as a float, and None for nan and infinity, which JSON does not have."""
    return float(value) if math.isfinite(value) else None


def to_csv(rows: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> str:
    """Return rows as CSV. A cell with None is empty.

    `columns` are those of the first row by default; without rows the text is empty then.
    """
    text = io.StringIO()
    writer: Any = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, columns or list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    if writer is None and columns is not None:
        csv.writer(text, lineterminator="\n").writerow(columns)
    return text.getvalue()


def to_lines(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return cells of text as lines with aligned columns, the names of the columns first."""
    table = [columns, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return [
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]


def to_html(
    columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str, remarks: Iterable[str] = ()
) -> str:
    """Return cells of text as an HTML table with a caption above and remarks below.

    Columns of numbers are aligned to the right, other columns to the left.
    """
    rows = list(rows)
    sides = ["right" if _has_numbers(column) else "left" for column in zip(*rows, strict=True)]

    def cells(tag: str, texts: Sequence[str]) -> str:
        row = "".join(
            f'<{tag} style="text-align: {side}">{html.escape(text)}</{tag}>'
            for text, side in zip(texts, sides or ["left"] * len(texts), strict=True)
        )
        return f"<tr>{row}</tr>"

    body = "".join(cells("td", row) for row in rows)
    below = "".join(f"<p>{html.escape(text)}</p>" for text in remarks)
    title = (
        f'<caption style="text-align: left; white-space: nowrap">{html.escape(caption)}</caption>'
    )
    return f"<table>{title}{cells('th', columns)}{body}</table>{below}"


def _has_numbers(column: Sequence[str]) -> bool:
    """Return whether all texts that are not empty begin like a number."""
    texts = [text.lstrip("+-±<=>≤≥ ") for text in column if text.strip()]
    return bool(texts) and all(text[:1].isdigit() or text in ("", "nan") for text in texts)


def to_dataframe(
    rows: Any, columns: Sequence[str] | None = None, *, error: type[MurmurateError]
) -> pandas.DataFrame:
    """Return rows, or a mapping of columns, as a DataFrame. Raises `error` if pandas is missing."""
    with optional("a table in Python", error, "sweep"):
        import pandas
    return pandas.DataFrame(rows, columns=columns)
