"""The variables of MATLAB files: version 5 to 7, and 7.3, which is HDF5.

scipy reads version 5 too, but its compiled code ends the process for some damaged files.

Source: MathWorks, MAT-File Format (matfile_format.pdf)
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.disk import read_bytes
from murmurate.errors import TracksError
from murmurate.tracks.files import FREE_EXPANSION, MAX_EXPANSION
from murmurate.tracks.hdf5_file import open_hdf5, read_dataset

Struct = dict[str, Any]
"""Field -> its value: an array, text, a list (cell array) or a list of structs (struct array)."""
NUMBERS = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8",
           13: "u8"}  # fmt: skip
"""Type of an element -> type of its numbers."""
TEXTS = {4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
MATRIX, COMPRESSED = 14, 15
COMPLEX = 0x0800
CELL, STRUCT, CHAR, DOUBLE, LAST = 1, 2, 4, 6, 15
"""Classes of arrays; numbers from DOUBLE to LAST."""


def load(path: Path) -> Struct:
    """Return variable -> value; None unless it has numbers, text, cells or structs."""
    data = read_bytes(path)
    if data[512:520] == b"\x89HDF\r\n\x1a\n":
        with open_hdf5(path) as file:
            values: dict[int, Any] = {}
            return {name: _from_hdf5(item, values, path) for name, item in file.items()
                    if "#" not in name}  # fmt: skip
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None:
        raise TracksError(
            f"{path}: cannot be read: it is not a MATLAB file of version 5 to 7.3. Save it again: "
            "save('NAME.mat', '-v7')"
        )
    try:
        return dict(_variables(data[128:], order))
    except (KeyError, RecursionError, StopIteration, ValueError, struct.error, zlib.error) as error:
        reason = f" ({error})" if isinstance(error, ValueError) else ""
        raise TracksError(
            f"{path}: cannot be read: it is damaged{reason}. Take it from a copy"
        ) from None


def _variables(data: bytes, order: str) -> Iterator[tuple[str, Any]]:
    limit = FREE_EXPANSION + MAX_EXPANSION * len(data)
    for kind, content in _elements(data, order):
        if kind == COMPRESSED:
            unpacker = zlib.decompressobj()
            content = unpacker.decompress(content, max(limit, 1))
            limit -= len(content)
            if not unpacker.eof:
                raise ValueError("a variable is cut short, or expands too far")
            kind, content = next(_elements(content, order), (0, b""))
        if kind == MATRIX:
            yield _read_matrix(content, order)


def _elements(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Yield the type and the bytes of each element. Raises ValueError for one that is cut short."""
    at = 0
    while at < len(data):
        if len(data) < at + 8:
            raise ValueError("it was cut short")
        kind, size = struct.unpack_from(order + "II", data, at)
        begin = at + 8
        if kind >> 16:  # up to four bytes, within the tag
            kind, size, begin = kind & 0xFFFF, kind >> 16, at + 4
        if begin + size > len(data):
            raise ValueError("it was cut short")
        yield kind, data[begin : begin + size]
        at = begin + size
        if kind != COMPRESSED:
            at += -at % 8


def _read_matrix(data: bytes, order: str) -> tuple[str, Any]:
    """Return the name and the value of an array."""
    parts = _elements(data, order)
    head = next(parts, None)
    if head is None:
        return "", np.zeros((0, 0))
    flags = struct.unpack_from(order + "I", head[1])[0]
    kind = flags & 0xFF
    if kind > LAST:  # functions, and objects of MATLAB's own classes
        return "", None
    shape = np.frombuffer(next(parts)[1], order + "i4").tolist()
    name = next(parts)[1].decode("latin1")
    count = math.prod(shape)
    if min(shape, default=-1) < 0:
        raise ValueError(f"it has an array of shape {shape}")
    if kind == CELL:
        return name, [_read_matrix(content, order)[1] for _, content in parts]
    if kind == STRUCT:
        width = int(np.frombuffer(next(parts)[1], order + "i4")[0])
        text = next(parts)[1]
        names = [text[k : k + width].split(b"\0")[0].decode("latin1")
                 for k in range(0, len(text), max(width, 1))]  # fmt: skip
        values = [_read_matrix(content, order)[1] for _, content in parts]
        if len(values) != count * len(names):
            raise ValueError(f"it has {len(values)} values for a struct array of shape {shape}")
        return name, [dict(zip(names, values[k * len(names) :], strict=False))
                      for k in range(count if names else 0)]  # fmt: skip
    if kind != CHAR and (kind < DOUBLE or flags & COMPLEX):
        return name, None
    number, content = next(parts)
    if kind == CHAR:
        coding = TEXTS.get(number, "latin1")
        ending = "" if coding in ("latin1", "utf-8") else "-le" if order == "<" else "-be"
        return name, _texts(content.decode(coding + ending), shape)
    array = np.frombuffer(content, order + NUMBERS[number])
    return name, array.astype(np.float64).reshape(shape, order="F")


def _texts(text: str, shape: list[int]) -> str | list[str]:
    """Return the text of one row, or of each row of a matrix of characters."""
    height = shape[0] if len(shape) == 2 else 1
    return [text[k::height].rstrip() for k in range(height)] if height > 1 else text


def _from_hdf5(item: Any, values: dict[int, Any], path: Path) -> Any:
    """Convert an object of version 7.3, each once: objects may refer to one another."""
    import h5py

    address = h5py.h5o.get_info(item.id).addr
    if address not in values:
        values[address] = None
        values[address] = _convert_hdf5(item, values, path)
    return values[address]


def _convert_hdf5(item: Any, values: dict[int, Any], path: Path) -> Any:
    """Convert an object of version 7.3, in which the order of axes is reversed."""
    import h5py

    if isinstance(item, h5py.Group):
        fields = {name: _from_hdf5(item[name], values, path) for name in item}
        is_array = [isinstance(item[name], h5py.Dataset) and item[name].dtype.kind == "O"
                    and "MATLAB_class" not in item[name].attrs for name in item]  # fmt: skip
        if is_array and all(is_array):
            return [dict(zip(fields, values, strict=True))
                    for values in zip(*fields.values(), strict=True)]  # fmt: skip
        return [fields]
    data, kind = read_dataset(item, path), item.attrs.get("MATLAB_class", b"")
    if item.attrs.get("MATLAB_empty", 0):
        return "" if kind == b"char" else np.zeros(0)
    if item.dtype.kind == "O":
        return [_from_hdf5(item.file[ref], values, path) for ref in data.T.ravel(order="F")]
    if kind == b"char":
        return _texts("".join(map(chr, data.ravel().tolist())), [*data.shape[::-1]])
    return data.T
