"""Several tables, such as those of a folder, in the same frames."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from murmurate.errors import OpenError, TracksError
from murmurate.tracks.column_names import PLAIN, find_roles
from murmurate.tracks.file_preview import TEXT, FilePreview
from murmurate.tracks.files import file_ending, plain_path
from murmurate.tracks.frame_table import RowName
from murmurate.tracks.long_table import TableReader
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.raw_tracks import RawTracks
from murmurate.tracks.table_frames import RawTable, Rows, assign_frames

MAX_FILES = 10_000  # of a folder
PATTERN = re.compile(r"[*?\[]")


def table_files(path: Path) -> list[Path]:
    """Return the tables in a folder, or those that a pattern such as folder/*.csv matches, sorted.

    Files whose name begins with a point are left out.
    """
    if path.is_dir():
        files = [file for file in path.iterdir() if file_ending(file) in TEXT]
    elif PATTERN.search(path.name) and not path.exists():
        files = list(path.parent.glob(path.name))
    else:
        return []
    return sorted(file for file in files if file.is_file() and not file.name.startswith("."))


def has_tracks(folder: Path) -> bool:
    """Return whether every table in a folder has columns of positions."""
    try:
        files = table_files(folder)[:MAX_FILES]
        return bool(files) and all(
            {"x", "y"} <= set(find_roles(FilePreview(file).columns, {}, {}, file)[0])
            for file in files
        )
    except (OpenError, OSError, UnicodeDecodeError):
        return False


def read_folder(preview: FilePreview, options: ReadOptions) -> RawTracks:
    """Read the tables of a folder into the same frames."""
    return read_files(table_files(preview.path), preview.path, options)


def read_files(files: Sequence[Path], path: Path, options: ReadOptions) -> RawTracks:
    """Read several tables into the same frames.

    A table without a column of animals holds one animal, named like the file. Raises
    TracksError.
    """
    if not files:
        raise TracksError(f"{path}: got no files; expected at least one that matches")
    if len(files) > MAX_FILES:
        raise TracksError(f"{path}: got {len(files):,} files; expected up to {MAX_FILES:,}")
    tables = []
    for file in files:
        table = TableReader(FilePreview(file, options.header), options, PLAIN).read()
        table.rows.row_name = _add_file_name(table.rows.row_name, file.name)
        tables.append(table)
    joined = _join_tables(tables, path)
    without_ids = all("id" not in table.roles for table in tables)
    joined.report.notes.append(
        f"{len(files):,} files of one animal each: {plain_path(files[0]).stem}, ..."
        if without_ids
        else f"{len(files):,} files, whose animals are identified by their column of names"
    )
    return assign_frames(joined, options, PLAIN, path)


def _add_file_name(row_name: RowName, file: str) -> RowName:
    return lambda k: f"{row_name(k)} of {file}"


def _join_tables(tables: Sequence[RawTable], path: Path) -> RawTable:
    """Join tables; animals with the same name are one animal."""
    first = tables[0]
    for table in tables[1:]:
        alike = (table.unit, set(table.roles)) == (first.unit, set(first.roles))
        alike &= (table.rows.times is None) == (first.rows.times is None)
        alike &= (table.origin > 0) == (first.origin > 0)
        if not alike or table.rows.positions.shape[1] != first.rows.positions.shape[1]:
            raise TracksError(
                f"{path}: got tables with different columns or units; expected the same in all "
                "tables of a folder. Read them one by one"
            )
    names = list(dict.fromkeys(name for table in tables for name in table.names))
    ends = np.cumsum([0, *(len(table.rows.positions) for table in tables)])

    def name_row(k: int, attribute: str) -> str:
        number = int(np.searchsorted(ends, k, side="right")) - 1
        return str(getattr(tables[number].rows, attribute)(k - int(ends[number])))

    def concatenate(attribute: str) -> np.ndarray | None:
        arrays = [getattr(table.rows, attribute) for table in tables]
        return None if any(array is None for array in arrays) else np.concatenate(arrays)

    for table in tables:
        if table.rows.times is not None:
            table.rows.times += table.origin - first.origin

    animals = [
        np.array([names.index(name) for name in table.names] or [0])[table.rows.animals]
        for table in tables
    ]
    positions = concatenate("positions")
    assert positions is not None
    rows = Rows(
        np.concatenate(animals), positions, concatenate("frames"), concatenate("times"),
        lambda k: name_row(k, "row_name"),
        None if first.rows.time_name is None else lambda k: name_row(k, "time_name"),
    )  # fmt: skip
    first.report.notes[:] = dict.fromkeys(note for table in tables for note in table.report.notes)
    skipped = sum(table.skipped for table in tables)
    return RawTable(rows, names, first.roles, first.origin, first.unit, skipped, first.rate,
                 first.report)  # fmt: skip
