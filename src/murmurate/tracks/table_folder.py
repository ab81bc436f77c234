"""A folder of tables, or several that a pattern names, with one animal each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import found_roles
from murmurate.tracks.compressed import ending_of, plain_path
from murmurate.tracks.file_head import TEXT, Head
from murmurate.tracks.grid import Named
from murmurate.tracks.layouts import PLAIN
from murmurate.tracks.long_table import framed, joined, table_of
from murmurate.tracks.options import ReadOptions
from murmurate.tracks.reading import Reading

PATTERN = re.compile(r"[*?\[]")
MOST_FILES = 10_000


def table_files(path: Path) -> list[Path]:
    """The tables in a folder, or those that a pattern such as folder/*.csv names, by name. Files
    whose name begins with a point are not looked at."""
    if path.is_dir():
        found = [one for one in path.iterdir() if ending_of(one) in TEXT]
    elif PATTERN.search(path.name) and not path.exists():
        found = list(path.parent.glob(path.name))
    else:
        return []
    return sorted(one for one in found if one.is_file() and not one.name.startswith("."))


def are_tracks(path: Path) -> bool:
    """Whether every table in a folder has positions under usual names."""
    try:
        files = table_files(path)[:MOST_FILES]
        return bool(files) and all(
            {"x", "y"} <= set(found_roles(Head(file).columns, {}, {}, file)) for file in files
        )
    except (RecordingRefused, OSError, UnicodeDecodeError):
        return False


def read(head: Head, options: ReadOptions) -> Reading:
    """Each table is read alike, and all of them are put into the same frames."""
    return read_files(table_files(head.path), head.path, options)


def _of_file(row: Named, name: str) -> Named:
    return lambda place: f"{row(place)} of {name}"


def read_files(files: Sequence[Path], path: Path, options: ReadOptions) -> Reading:
    """Several tables. A table without a column of animals is that of one animal, which is called as
    its file. Raises RecordingRefused."""
    if not files:
        raise RecordingRefused(f"{path}: there are no such files")
    if len(files) > MOST_FILES:
        raise RecordingRefused(f"{path}: got {len(files):,} files; expected up to {MOST_FILES:,}")
    tables = []
    for file in files:
        table = table_of(Head(file, options.header), options, PLAIN)
        table.rows.row = _of_file(table.rows.row, file.name)
        tables.append(table)
    table = joined(tables, path)
    alone = all("id" not in one.roles for one in tables)
    table.notes.append(
        f"{len(files):,} files of one animal each: {plain_path(files[0]).stem}, ..."
        if alone
        else f"{len(files):,} files, whose animals are told by their column of names"
    )
    return framed(table, options, PLAIN, path)
