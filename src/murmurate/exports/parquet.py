"""Write a Parquet table, typed and compressed, for pandas, polars, DuckDB and R."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow
from pyarrow import parquet

from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.exports.tables import columns_of, row_blocks


def write(draft: Path, selection: Selection, options: Options) -> None:
    """Write a Parquet file.

    The name of a flock is a dictionary column (a pandas category). The metadata of the file have
    the model, the seed and the description of columns (murmurate_columns).
    """
    words = {"flock": pyarrow.array(selection.flocks, pyarrow.string())}
    metadata = _metadata(draft, selection, options.layout)
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
            table = pyarrow.table(columns, metadata=metadata)
            if writer is None:
                floats = [f.name for f in table.schema if pyarrow.types.is_floating(f.type)]
                exact = [name for name in columns if name not in floats]
                writer = parquet.ParquetWriter(
                    draft, table.schema, compression="zstd",
                    use_dictionary=exact, use_byte_stream_split=floats,
                )  # fmt: skip
            writer.write_table(table)
    finally:
        if writer is not None:
            writer.close()


def _metadata(draft: Path, selection: Selection, layout: str) -> dict[str, str]:
    """Return the metadata of the file."""
    header = selection.recording.header
    description = columns_of(draft, selection, layout)
    del description["file"]
    return {
        "murmurate_model": header["model"],
        "murmurate_seed": str(header["seed"]),
        "murmurate_columns": json.dumps(description, ensure_ascii=False),
    }
