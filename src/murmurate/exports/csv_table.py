"""CSV: one row for each boid and frame, with enough digits for the same floats."""

from __future__ import annotations

from pathlib import Path

from murmurate.exports.formats import Options
from murmurate.exports.number_text import text_rows
from murmurate.exports.selection import Selection
from murmurate.exports.table_columns import column_names, quoted, row_blocks


def write(draft: Path, selection: Selection, options: Options) -> None:
    """See murmurate.exports.table_columns."""
    words = {"flock": [quoted(name) for name in selection.flocks]}
    if selection.names and options.layout != "trackpy":
        words["id"] = [quoted(name) for name in selection.names]
    with open(draft, "w", encoding="utf-8", newline="") as file:
        file.write(",".join(column_names(selection, options.layout)) + "\n")
        for part in row_blocks(selection, options.layout):
            columns = [
                [words[name][k] for k in column] if name in words else column
                for name, column in part.items()
            ]
            file.writelines(text_rows(columns, ","))
