"""Tables of rows (column -> value) as CSV, as HTML, and as a pandas DataFrame."""

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


def to_html(
    columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str, remarks: Iterable[str] = ()
) -> str:
    """Return cells of text as an HTML table with a caption above and remarks below."""

    def cells(tag: str, texts: Iterable[str]) -> str:
        row = "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts)
        return f"<tr>{row}</tr>"

    body = "".join(cells("td", row) for row in rows)
    below = "".join(f"<p>{html.escape(text)}</p>" for text in remarks)
    head = f"<caption>{html.escape(caption)}</caption>{cells('th', columns)}"
    return f"<table>{head}{body}</table>{below}"


def to_dataframe(
    rows: Any, columns: Sequence[str] | None = None, *, error: type[MurmurateError]
) -> pandas.DataFrame:
    """Return rows, or a mapping of columns, as a DataFrame. Raises `error` if pandas is missing."""
    with optional("a table in Python", error, "sweep"):
        import pandas
    return pandas.DataFrame(rows, columns=columns)
