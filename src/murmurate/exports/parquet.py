"""Parquet: the table of table_columns.py, typed and packed; pandas, polars, DuckDB and R read
it."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
from pyarrow import parquet

from murmurate.exports.columns_file import columns_of
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.exports.table_columns import row_blocks


def write(draft: Path, selection: Selection, options: Options) -> None:
    """See murmurate.exports.table_columns. A flock's name is a dictionary column (a pandas
    category). The file's metadata have the model, the seed, and all that the file beside it says
    (murmurate_columns)."""
    words = {"flock": pyarrow.array(selection.flocks, pyarrow.string())}
    about = _about(draft, selection, options.layout)
    if selection.names and options.layout != "trackpy":
        words["id"] = pyarrow.array(selection.names, pyarrow.string())
    writer = None
    try:
        for part in row_blocks(selection, options.layout):
            columns = {
                name: pyarrow.DictionaryArray.from_arrays(
                    pyarrow.array(column, "int32"), words[name]
                )
                if name in words
                else pyarrow.array(column)
                for name, column in part.items()
            }
            table = pyarrow.table(columns, metadata=about)
            if writer is None:
                floats = [f.name for f in table.schema if pyarrow.types.is_floating(f.type)]
                whole = [name for name in columns if name not in floats]
                writer = parquet.ParquetWriter(
                    draft, table.schema, compression="zstd",
                    use_dictionary=whole, use_byte_stream_split=floats,
                )  # fmt: skip
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def _about(draft: Path, selection: Selection, layout: str) -> dict[str, str]:
    header = selection.recording.header
    said = columns_of(draft, selection, layout)
    del said["file"]
    return {
        "murmurate_model": header["model"],
        "murmurate_seed": str(header["seed"]),
        "murmurate_columns": json.dumps(said, ensure_ascii=False),
    }
