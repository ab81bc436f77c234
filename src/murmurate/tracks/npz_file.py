"""Arrays of .npy and .npz files, read without running code and within the length of the file."""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.record.errors import RecordingRefused
from murmurate.tracks.array_pickle import read_pickle
from murmurate.tracks.file_size import check_numbers

LONGEST_HEADER = 1 << 16  # bytes; NumPy itself reads 10,000


def read_npy(path: Path) -> Any:
    """The array, or what it pickles. Raises RecordingRefused for one that says that it has more
    numbers than are in the file, before there is room made for them."""
    with open_regular(path) as file:
        return _array(file, path.stat().st_size, path)


def header_of(path: Path) -> np.dtype:
    """The type of the numbers in an .npy."""
    with open_regular(path) as file:
        return _header(file)[1]


def read_npz(path: Path, names: Iterable[str]) -> dict[str, np.ndarray]:
    """Those arrays of an archive that are there; what is pickled is left out."""
    found = {}
    with zipfile.ZipFile(regular(path)) as archive:
        there = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        for name in names:
            if name not in there:
                continue
            size = there[name].file_size
            check_numbers(size // 8, f"its array {name}", path)
            with archive.open(there[name]) as member:
                data = member.read(size)
            one = _array(io.BytesIO(data), len(data), path, pickled=False)
            if isinstance(one, np.ndarray):
                found[name] = one
    return found


def _header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    version, begin = np.lib.format.read_magic(file), file.tell()
    # its length is read first: room is made for as many bytes as it says
    length = int.from_bytes(file.read(2 if version[0] == 1 else 4), "little")
    if length > LONGEST_HEADER:
        raise ValueError(f"its header is {length:,} bytes long; NumPy's are at most "
                         f"{LONGEST_HEADER:,}")  # fmt: skip
    file.seek(begin)
    header = np.lib.format.read_array_header_1_0 if version[0] == 1 else (
        np.lib.format.read_array_header_2_0
    )  # fmt: skip
    shape, _, dtype = header(file)
    return shape, dtype


def _array(file: IO[bytes], size: int, path: Path, pickled: bool = True) -> Any:
    shape, dtype = _header(file)
    left = size - file.tell()
    if dtype.hasobject:
        return read_pickle(file.read(), path) if pickled else None
    if math.prod(shape) * dtype.itemsize > left:
        raise RecordingRefused(
            f"{path}: its array should be of shape {shape}, {math.prod(shape):,} numbers, "
            f"and {left:,} bytes of them are there: it was cut short"
        )
    file.seek(0)
    return np.lib.format.read_array(file, allow_pickle=False)
