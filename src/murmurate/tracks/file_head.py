"""Head: what the first look at a file or folder shows, by which its format is told."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from murmurate.disk import regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.column_names import Column, columns_of
from murmurate.tracks.compressed import ending_of
from murmurate.tracks.hdf5_file import open_hdf5
from murmurate.tracks.npz_file import header_of
from murmurate.tracks.parquet_table import ParquetTable, names_of
from murmurate.tracks.text_head import TextHead, head_of
from murmurate.tracks.text_table import TextTable

TEXT = (".csv", ".tsv", ".txt", ".dat")
HDF5 = (".h5", ".hdf5", ".nc", ".slp", ".nwb")
XML = (".xml", ".gpx")


class Head:
    """A file of tracks, before it is read."""

    def __init__(self, path: Path, header: bool | None = None) -> None:
        self.path, self._header = path, header
        self.ending = "" if path.is_dir() else ending_of(path)

    @cached_property
    def text(self) -> TextHead | None:
        """How a table that is text is written."""
        return head_of(self.path, self._header) if self.ending in TEXT else None

    @cached_property
    def columns(self) -> list[Column]:
        """Of a table."""
        if self.ending == ".parquet":
            return columns_of(names_of(self.path))
        if self.text is None:
            return []
        columns = columns_of(self.text.header if self.text.named else [""] * self.width)
        units = dict(enumerate(self.text.units))
        return [
            replace(column, unit=column.unit or units.get(column.number, "").strip("()[]"))
            for column in columns
        ]

    @property
    def width(self) -> int:
        """How many columns a table that is text has."""
        return len(self.text.header) if self.text else 0

    @property
    def names(self) -> set[str]:
        """The columns' plain names."""
        return {column.name for column in self.columns}

    def table(self, skip: int = 0) -> TextTable | ParquetTable:
        """The table, to be read; skip: rows below the header that are no data."""
        return TextTable(self.path, self.text, skip) if self.text else ParquetTable(self.path)

    @cached_property
    def pickled(self) -> bool:
        """Whether an .npy holds a Python object, and no plain array."""
        return self.ending == ".npy" and header_of(self.path).hasobject

    @cached_property
    def arrays(self) -> set[str]:
        """Names of the arrays of an .npz."""
        if self.ending != ".npz":
            return set()
        try:
            with zipfile.ZipFile(regular(self.path)) as archive:
                return {name.removesuffix(".npy") for name in archive.namelist()}
        except zipfile.BadZipFile:
            raise RecordingRefused(f"{self.path}: cannot be read: it is no .npz of NumPy's") \
                from None  # fmt: skip

    @cached_property
    def datasets(self) -> set[str]:
        """Names of what is in an HDF5 file, at its root."""
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
        if self.ending not in XML:
            return ""
        from xml.etree import ElementTree

        for _, element in ElementTree.iterparse(regular(self.path), ("start",)):
            return str(element.tag).rpartition("}")[2]
        return ""
