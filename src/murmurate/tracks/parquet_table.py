"""Columns of a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column
from murmurate.tracks.file_size import check_numbers
from murmurate.tracks.table import Columns, Words


def names_of(path: Path) -> list[str]:
    """The names of its columns."""
    from pyarrow import parquet

    return list(map(str, parquet.read_schema(regular(path)).names))


class ParquetTable:
    """A table that is Parquet; see murmurate.tracks.table."""

    def __init__(self, path: Path) -> None:
        from pyarrow import parquet

        self.path = path
        about = parquet.read_metadata(regular(path))
        check_numbers(about.num_rows * about.num_columns, "its table", path)
        groups = [about.row_group(k) for k in range(about.num_row_groups)]
        sizes = [g.column(k).total_uncompressed_size for g in groups for k in range(g.num_columns)]
        check_numbers(sum(max(0, size) for size in sizes) // 8, "its table", path)
        self._file: Any = parquet.ParquetFile(regular(path))

    def numeric(self, column: Column) -> bool:
        """Whether a column holds numbers."""
        import pyarrow

        kind = self._file.schema_arrow.types[column.number]
        return bool(pyarrow.types.is_integer(kind) or pyarrow.types.is_floating(kind))

    def read(self, numbers: dict[str, Column], words: dict[str, Column], skip_bad: bool) -> Columns:
        """See TextTable.read: here no row can be bad."""
        out = Columns({name: [] for name in numbers}, {name: Words() for name in words})
        wanted = sorted({c.written for c in (*numbers.values(), *words.values())})
        table = self._file.read(columns=wanted)
        for name, column in numbers.items():
            if not self.numeric(column):
                raise RecordingRefused(
                    f"{self.path}: column {column.written} holds "
                    f"{self._file.schema_arrow.types[column.number]}; it must hold numbers"
                )
            values = table[column.written].to_numpy(zero_copy_only=False)
            out.numbers[name].append(values.astype(np.float64))
        for name, column in words.items():
            cells = table[column.written]
            if self.numeric(column) and not cells.null_count:
                values = cells.to_numpy(zero_copy_only=False)
                if np.isfinite(values).all() and (np.abs(values) < 1e15).all():
                    out.words[name].add(values.astype(np.float64))
                    continue
            texts = ["" if cell is None else str(cell) for cell in cells.to_pylist()]
            out.words[name].add(np.array(texts, object))
        out.count(table.num_rows)
        return out
