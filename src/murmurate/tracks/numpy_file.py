"""Read .npy, .npz and the pickles in them without running code.

No more memory is allocated than the file has bytes. A pickle names functions and their arguments.
The functions that pickle NumPy arrays are replaced by ones that only take data from the file; all
others are refused. A pickle is also measured before it is loaded: lists that contain one another
several times are short in a pickle, but unbounded when they are expanded.
"""

from __future__ import annotations

import io
import math
import pickle
import pickletools
import re
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import IO, Any

import numpy as np

from murmurate.disk import open_regular, regular
from murmurate.errors import TracksError
from murmurate.tracks.files import check_numbers

MAX_HEADER_BYTES = 1 << 16  # NumPy itself reads up to 10,000
MAX_LABEL_GAP = 256  # by which a memo label may exceed the number of opcodes so far
MAX_EXPANSION = 16  # expanded items per byte of a pickle, beyond FREE_ITEMS
FREE_ITEMS = 1_000_000  # items that any pickle may expand to
MODIFIERS = {"APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "BUILD"}
"""Opcodes that add to an object already on the stack."""


# --- arrays


def read_npy(path: Path) -> Any:
    """Return the array of an .npy file, or the object that it pickles.

    Raises TracksError, before any allocation, for an array larger than the file.
    """
    with open_regular(path) as file:
        return _read_array(file, path.stat().st_size, path)


def read_dtype(path: Path) -> np.dtype:
    """Return the dtype of an .npy file."""
    with open_regular(path) as file:
        return _read_header(file)[1]


def read_npz(path: Path, names: Iterable[str]) -> dict[str, np.ndarray]:
    """Return those of the named arrays that an .npz file has; pickled ones are skipped."""
    arrays = {}
    with zipfile.ZipFile(regular(path)) as archive:
        members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
        for name in names:
            if name not in members:
                continue
            size = members[name].file_size
            check_numbers(size // 8, f"the array {name}", path)
            with archive.open(members[name]) as member:
                data = member.read(size)
            array = _read_array(io.BytesIO(data), len(data), path, allow_pickle=False)
            if isinstance(array, np.ndarray):
                arrays[name] = array
    return arrays


def _read_header(file: IO[bytes]) -> tuple[tuple[int, ...], np.dtype]:
    """Return the shape and dtype that the header of an .npy file gives."""
    version, begin = np.lib.format.read_magic(file), file.tell()
    # check the length first: NumPy allocates as many bytes as it says
    length = int.from_bytes(file.read(2 if version[0] == 1 else 4), "little")
    if length > MAX_HEADER_BYTES:
        raise ValueError(
            f"its header has {length:,} bytes; expected at most {MAX_HEADER_BYTES:,}, as NumPy "
            "writes"
        )
    file.seek(begin)
    read = np.lib.format.read_array_header_1_0 if version[0] == 1 else (
        np.lib.format.read_array_header_2_0
    )  # fmt: skip
    shape, _, dtype = read(file)
    return shape, dtype


def _read_array(file: IO[bytes], size: int, path: Path, allow_pickle: bool = True) -> Any:
    shape, dtype = _read_header(file)
    available = size - file.tell()
    if dtype.hasobject:
        return read_pickle(file.read(), path) if allow_pickle else None
    if math.prod(shape) * dtype.itemsize > available:
        raise TracksError(
            f"{path}: got {available:,} bytes for an array of shape {shape}; expected "
            f"{math.prod(shape):,} numbers. The file was cut short: take it from a copy"
        )
    file.seek(0)
    return np.lib.format.read_array(file, allow_pickle=False)


# --- pickles


def read_pickle(data: bytes, path: object) -> Any:
    """Return the contents of a pickle of numbers, arrays and dictionaries.

    Raises TracksError for anything else, and ValueError or another error of the unpickler for
    damaged data.
    """
    check_pickle_size(data)
    return _Unpickler(data, path).load()


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, path: object) -> None:
        super().__init__(io.BytesIO(data))
        self._path = path

    def find_class(self, module: str, name: str) -> Any:
        if replacement := _REPLACEMENTS.get((module.split(".")[0], name)):
            return replacement
        raise TracksError(
            f"{self._path}: got {module}.{name} in its pickle; expected numbers and arrays. "
            "Nothing else is loaded: save the trajectories as a plain array"
        )


class _Dtype:
    """Stand-in for a pickled dtype."""

    def __init__(self, code: str, *_: Any) -> None:
        if not re.fullmatch(r"[?biufcOSU][0-9]{0,6}", code):
            raise ValueError(f"it has numbers of type {code[:20]!r}")
        self.dtype = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in ("<", ">"):
            self.dtype = self.dtype.newbyteorder(state[1])


class _Array(np.ndarray):
    """An array that stays empty until the pickle supplies its numbers."""

    def __setstate__(self, state: Any) -> None:
        _, shape, kind, order, values = state
        dtype = kind.dtype
        item_size = 1 if dtype.hasobject else dtype.itemsize
        if min(shape, default=0) < 0 or math.prod(shape) * item_size != len(values):
            raise ValueError(f"it has an array of shape {shape} without the numbers for it")
        super().__setstate__((1, shape, dtype, order, values))


def _make_array(*_: Any) -> _Array:
    return np.ndarray.__new__(_Array, (0,), "b")


def _from_buffer(data: Any, kind: _Dtype, shape: tuple[int, ...], order: str) -> np.ndarray:
    return np.frombuffer(data, kind.dtype).reshape(shape, order=order)  # type: ignore[call-overload, no-any-return]


def _make_scalar(kind: _Dtype, data: bytes) -> Any:
    dtype = kind.dtype
    if dtype.hasobject or len(data) != dtype.itemsize:
        raise ValueError("it has a number whose length does not match its type")
    return np.frombuffer(data, dtype)[0]


def _encode_latin1(text: str, encoding: str) -> bytes:
    return text.encode("latin1")


def _empty_bytes() -> bytes:
    return b""


def _refuse_bare_array(*_: Any) -> None:
    raise ValueError("it has an array without its numbers")


_REPLACEMENTS: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "_reconstruct"): _make_array,
    ("numpy", "ndarray"): _refuse_bare_array,
    ("numpy", "dtype"): _Dtype,
    ("numpy", "scalar"): _make_scalar,
    ("numpy", "_frombuffer"): _from_buffer,
    ("_codecs", "encode"): _encode_latin1,
    ("__builtin__", "bytes"): _empty_bytes,
    ("collections", "OrderedDict"): OrderedDict,
    **{("pathlib", name): PurePosixPath for name in ("PosixPath", "PurePosixPath", "Path")},
}


class _Item:
    """An object on the pickle's stack; `size` counts its contents, once per mention."""

    def __init__(self, size: int) -> None:
        self.size = size


def check_pickle_size(data: bytes) -> None:
    """Raise ValueError for a damaged pickle, or one that expands too far; nothing is loaded."""
    limit = FREE_ITEMS + MAX_EXPANSION * len(data)
    stack: list[_Item] = []
    marks: list[int] = []  # lengths of the stack at each MARK
    memo: dict[int, _Item] = {}
    argument: Any
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            name = opcode.name
            if "PUT" in name or name == "MEMOIZE":
                label = len(memo) if argument is None else int(argument)
                # the unpickler allocates as many labels as the largest one
                if label > count + MAX_LABEL_GAP:
                    raise ValueError(f"it asks to memoize {label:,} objects")
                memo[label] = stack[-1]
            elif name == "MARK":
                marks.append(len(stack))
            elif name == "DUP":
                stack.append(stack[-1])
            elif "GET" in name:
                stack.append(memo[int(argument)])
            else:
                _apply_opcode(opcode, argument, stack, marks)
                if stack and stack[-1].size > limit:
                    raise ValueError("its lists contain one another too often")
    except (IndexError, KeyError):
        raise ValueError("it is a damaged pickle") from None


def _apply_opcode(
    opcode: pickletools.OpcodeInfo, argument: Any, stack: list[_Item], marks: list[int]
) -> None:
    """Pop the arguments of the opcode from the stack, and push its result."""
    before = opcode.stack_before
    if pickletools.markobject in before:
        first = marks.pop() - before.index(pickletools.markobject)
    else:
        first = len(stack) - len(before)
    if first < 0:
        raise IndexError
    popped = stack[first:]
    del stack[first:]
    if not opcode.stack_after:
        return
    size = sum(item.size for item in popped)
    if opcode.name in MODIFIERS:
        popped[0].size = size
        stack.append(popped[0])
    else:
        characters = len(argument) if isinstance(argument, str | bytes | bytearray) else 0
        stack.append(_Item(1 + characters + size))
