"""CSV: one row for each boid and frame, with enough digits for the same floats."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from murmurate.exports.formats import Options
from murmurate.exports.number_text import text_rows
from murmurate.exports.selection import Selection
from murmurate.exports.table_columns import column_names, row_blocks


def write(draft: Path, selection: Selection, options: Options) -> None:
    """See murmurate.exports.table_columns."""
    flocks = [_quoted(name) for name in selection.flocks]
    with open(draft, "w", encoding="utf-8", newline="") as file:
        file.write(",".join(column_names(selection, options.layout)) + "\n")
        for part in row_blocks(selection, options.layout):
            words = [
                [flocks[k] for k in column] if name == "flock" else column
                for name, column in part.items()
            ]
            file.writelines(text_rows(words, ","))


def _quoted(name: str) -> str:
    """A name as a CSV file has it: in quotes where it has a comma in it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow([name])
    return text.getvalue()
