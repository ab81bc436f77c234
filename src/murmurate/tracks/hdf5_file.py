"""HDF5 files as they come from elsewhere: opened to be read, and nothing but them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.file_size import check_numbers


@contextmanager
def open_hdf5(path: Path) -> Iterator[Any]:
    """The file, as h5py has it. Raises RecordingRefused where parts of it are in other files, which
    it may name at will."""
    import h5py

    def is_link(name: str, link: Any) -> str | None:
        return name if isinstance(link, h5py.ExternalLink) else None

    def is_elsewhere(name: str, one: Any) -> str | None:
        return name if isinstance(one, h5py.Dataset) and (one.external or one.is_virtual) else None

    with h5py.File(path) as file:
        if elsewhere := file.visititems_links(is_link) or file.visititems(is_elsewhere):
            raise RecordingRefused(
                f"{path}: its {elsewhere} is in another file, which is not read; save all of it in "
                "one file"
            )
        yield file


def check_hdf5(path: Path) -> None:
    """Raises what h5py says of a damaged file. h5netcdf's file would fail in the same place, and
    once more when it is deleted, which Python prints. Raises RecordingRefused for arrays that are
    too large: coordinates are read when a file is opened."""
    import h5py

    if h5py.is_hdf5(path):
        with open_hdf5(path) as file:
            file.attrs.get("_nc3_strict")
            for name in sorted(file, key="position".__ne__):  # the one that matters most is first
                check_numbers(getattr(file[name], "size", 0) or 0, name, path)
