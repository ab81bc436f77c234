"""FilePreview: the properties of a file or folder by which its format is recognised."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from murmurate.disk import regular
from murmurate.errors import TracksError
from murmurate.tracks.column_names import Column, parse_headers
from murmurate.tracks.files import file_ending, xml_root
from murmurate.tracks.hdf5_file import open_hdf5
from murmurate.tracks.numpy_file import read_dtype
from murmurate.tracks.table import ParquetTable, parquet_names
from murmurate.tracks.text_table import TextPreview, TextTable, preview_text

TEXT = (".csv", ".tsv", ".txt", ".dat")
HDF5 = (".h5", ".hdf5", ".nc", ".slp", ".nwb")
XML = (".xml", ".gpx", ".kml")


class FilePreview:
    """A file of tracks before it is read; each property is computed when first used.

    has_header  whether the first row of a text table has the names of its columns; None to infer it
    """

    def __init__(self, path: Path, has_header: bool | None = None) -> None:
        self.path, self._has_header = path, has_header
        self.ending = "" if path.is_dir() else file_ending(path)

    @cached_property
    def text(self) -> TextPreview | None:
        """How a text table is written; None for other files."""
        return preview_text(self.path, self._has_header) if self.ending in TEXT else None

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of a table."""
        if self.ending == ".parquet":
            return parse_headers(parquet_names(self.path))
        if self.text is None:
            return []
        columns = parse_headers(self.text.header if self.text.named else [""] * self.width)
        units = dict(enumerate(self.text.units))
        return [
            replace(column, unit=column.unit or units.get(column.number, "").strip("()[]"))
            for column in columns
        ]

    @property
    def width(self) -> int:
        """The number of columns of a text table."""
        return len(self.text.header) if self.text else 0

    @property
    def names(self) -> set[str]:
        """The plain names of the columns."""
        return {column.name for column in self.columns}

    def table(self, skip: int = 0) -> TextTable | ParquetTable:
        """Return the table; `skip` rows below the header are not data."""
        return TextTable(self.path, self.text, skip) if self.text else ParquetTable(self.path)

    @cached_property
    def pickled(self) -> bool:
        """Whether an .npy file holds a Python object instead of a plain array."""
        return self.ending == ".npy" and read_dtype(self.path).hasobject

    @cached_property
    def arrays(self) -> set[str]:
        """Names of the arrays in an .npz file."""
        if self.ending != ".npz":
            return set()
        try:
            with zipfile.ZipFile(regular(self.path)) as archive:
                return {name.removesuffix(".npy") for name in archive.namelist()}
        except zipfile.BadZipFile:
            raise TracksError(f"{self.path}: cannot be read: it is not a NumPy .npz file") \
                from None  # fmt: skip

    @cached_property
    def datasets(self) -> set[str]:
        """Names of the objects at the root of an HDF5 file."""
        if self.ending not in HDF5:
            return set()
        import h5py

        if not h5py.is_hdf5(self.path):
            return set()
        with open_hdf5(self.path) as file:
            return set(file)

    @cached_property
    def root(self) -> str:
        """The outermost element of an XML file, without its namespace."""
        return xml_root(self.path) if self.ending in XML else ""
