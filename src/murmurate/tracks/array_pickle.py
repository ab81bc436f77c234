"""Pickled dictionaries of numbers and arrays, as idtracker.ai saves them, read without running code
and without more memory than the file is long.

A pickle names functions and what to call them with. Those that NumPy's arrays are pickled with are
stood in for by functions that take what is there already; all others are refused, and so is what
`pickle_size` finds too much.
"""

from __future__ import annotations

import io
import math
import pickle
import re
from collections import OrderedDict
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from murmurate.record.errors import RecordingRefused
from murmurate.tracks.pickle_size import check_size


def read_pickle(data: bytes, path: object) -> Any:
    """What a pickle holds. Raises RecordingRefused for what is neither number nor array, and
    ValueError, or another error of the unpickler's, for what is damaged."""
    check_size(data)
    return _Reader(data, path).load()


class _Reader(pickle.Unpickler):
    def __init__(self, data: bytes, path: object) -> None:
        super().__init__(io.BytesIO(data))
        self._path = path

    def find_class(self, module: str, name: str) -> Any:
        if found := _KNOWN.get((module.split(".")[0], name)):
            return found
        raise RecordingRefused(
            f"{self._path}: it holds {module}.{name}, which is neither number nor array, and is "
            "not loaded: save the trajectories as a plain array"
        )


class _Dtype:
    """The type of an array's numbers."""

    def __init__(self, code: str, *_: Any) -> None:
        if not re.fullmatch(r"[?biufcOSU][0-9]{0,6}", code):
            raise ValueError(f"it has numbers of type {code[:20]!r}")
        self.found = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in ("<", ">"):
            self.found = self.found.newbyteorder(state[1])


class _Array(np.ndarray):
    """An array whose numbers follow; without numbers of its own until then."""

    def __setstate__(self, state: Any) -> None:
        _, shape, kind, order, values = state
        dtype = kind.found
        one = 1 if dtype.hasobject else dtype.itemsize
        if min(shape, default=0) < 0 or math.prod(shape) * one != len(values):
            raise ValueError(f"it has an array of shape {shape}, and not the numbers for it")
        super().__setstate__((1, shape, dtype, order, values))


def _array(*_: Any) -> _Array:
    return np.ndarray.__new__(_Array, (0,), "b")


def _from_buffer(data: Any, kind: _Dtype, shape: tuple[int, ...], order: str) -> np.ndarray:
    return np.frombuffer(data, kind.found).reshape(shape, order=order)  # type: ignore[call-overload, no-any-return]


def _scalar(kind: _Dtype, data: bytes) -> Any:
    dtype = kind.found
    if dtype.hasobject or len(data) != dtype.itemsize:
        raise ValueError("it has a number of another length than its type")
    return np.frombuffer(data, dtype)[0]


def _bytes(text: str, encoding: str) -> bytes:
    return text.encode("latin1")


def _no_bytes() -> bytes:
    return b""


def _class_only(*_: Any) -> None:
    raise ValueError("it has an array that is not followed by its numbers")


_KNOWN: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "_reconstruct"): _array,
    ("numpy", "ndarray"): _class_only,
    ("numpy", "dtype"): _Dtype,
    ("numpy", "scalar"): _scalar,
    ("numpy", "_frombuffer"): _from_buffer,
    ("_codecs", "encode"): _bytes,
    ("__builtin__", "bytes"): _no_bytes,
    ("collections", "OrderedDict"): OrderedDict,
    **{("pathlib", name): PurePosixPath for name in ("PosixPath", "PurePosixPath", "Path")},
}
