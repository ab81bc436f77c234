"""The table of arguments that kernels are called with, and the arrays that it points to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from murmurate.codegen.arguments import ARGUMENTS, BY_NAME, PLACES, STAGED, WORDS
from murmurate.engines import rng

LINES = 128  # bytes: two cache lines, since processors fetch them in pairs


class ArgumentTable:
    """One table of words a thread, for what is its own; that of the first thread is the one that
    all share as well.

    dtype    of the kernels: what 'real' is
    threads  how many
    """

    def __init__(self, dtype: np.dtype[Any], threads: int) -> None:
        kinds = {"real": dtype}
        self._dtypes = {a.name: np.dtype(kinds.get(a.dtype, a.dtype)) for a in ARGUMENTS}
        self._words = np.zeros((threads, WORDS), np.int64)
        self._arrays: dict[tuple[str, int], np.ndarray] = {}  # holds what the table points to
        self.addresses = [int(row.ctypes.data) for row in self._words]
        self._words[:, PLACES["shared"]] = self.addresses[0]

    def allocate(self, names: list[str], sides: Mapping[str, int]) -> list[np.ndarray]:
        """New arrays of zeros for these arguments, put into the table: shapes are written in words,
        whose sizes `sides` says. Of a thread's own arguments each thread gets one, and the first
        thread's is given back."""
        return [self._allocate(name, sides) for name in names]

    def _allocate(self, name: str, sides: Mapping[str, int]) -> np.ndarray:
        for thread in range(len(self._words)) if BY_NAME[name].thread else (0,):
            self.put(name, self.made(name, sides), thread)
        return self._arrays[name, 0]

    def made(self, name: str, sides: Mapping[str, int]) -> np.ndarray:
        """An array of zeros of an argument's dtype and shape."""
        argument = BY_NAME[name]
        shape = [int(side) if side.isdigit() else sides[side] for side in argument.shape]
        return _zeros(shape, self._dtypes[name])

    def put(self, name: str, array: np.ndarray, thread: int = 0) -> None:
        """Points the table at an array, of all threads, or of one for a thread's own arguments."""
        argument, place = BY_NAME[name], PLACES[name]
        thread = thread if argument.thread else 0
        wanted = self._dtypes[name]
        if (
            array.dtype != wanted
            or array.ndim != len(argument.shape)
            or not array.flags.c_contiguous
        ):
            raise TypeError(
                f"argument {name}: {array.dtype} of {array.ndim} dimensions, and it must be a "
                f"contiguous {wanted} of {len(argument.shape)}"
            )
        row = self._words[thread]
        row[place] = array.__array_interface__["data"][0]
        row[place + 1 : place + 1 + array.ndim] = array.shape
        self._arrays[name, thread] = array

    def make_room(self, room: int, sides: Mapping[str, int], thread: int) -> None:
        """Room for a thread to stage so many boids; `sides` are those of other arrays."""
        for name in STAGED:
            self.put(name, self.made(name, {**sides, "room": room}), thread)

    def exchange(self, one: str, other: str) -> None:
        """Exchanges two shared arrays of the same dtype and sides."""
        words, a, b = self._words[0], PLACES[one], PLACES[other]
        words[a], words[b] = words[b], words[a]
        self.follow(one, other)

    def array(self, name: str) -> np.ndarray:
        """An array of all threads."""
        return self._arrays[name, 0]

    def follow(self, one: str, other: str) -> None:
        """After kernels may have exchanged two arrays in the table."""
        arrays = self._arrays
        address = arrays[one, 0].__array_interface__["data"][0]
        if int(self._words[0, PLACES[one]]) != address:
            arrays[one, 0], arrays[other, 0] = arrays[other, 0], arrays[one, 0]

    def set(self, name: str, number: int | float | np.uint64, thread: int | None = None) -> None:
        """Puts a number into the table; of a thread's own arguments, into that of each thread or of
        one."""
        word: Any = (
            np.float64(number).view(np.int64) if BY_NAME[name].dtype == "float64" else number
        )
        own = BY_NAME[name].thread
        rows = self._words[0] if not own else self._words if thread is None else self._words[thread]
        rows[..., PLACES[name]] = np.uint64(word).view(np.int64) if word > 2**62 else word

    def number(self, name: str, thread: int = 0) -> int:
        """A whole number of the table, or of that of a thread, as a kernel left it there."""
        return int(self._words[thread, PLACES[name]])


def _zeros(shape: list[int], dtype: np.dtype[Any]) -> np.ndarray:
    """An array of zeros in cache lines of its own: threads that write into neighbouring arrays must
    not wait for each other."""
    size = math.prod(shape) * dtype.itemsize
    buffer = np.zeros(size + 2 * LINES, np.uint8)
    first = -buffer.__array_interface__["data"][0] % LINES
    return buffer[first : first + size].view(dtype).reshape(shape)


class Table(Protocol):
    """A table of arguments: an ArgumentTable, or the memory of a WebAssembly module."""

    def allocate(self, names: list[str], sides: Mapping[str, int]) -> list[np.ndarray]:
        """The arrays of these arguments, of these sides."""
        ...

    def set(self, name: str, number: Any) -> None:
        """Puts a number into the table."""
        ...


def put_constants(
    table: Table, constants: Mapping[str, Sequence[float]], sides: Mapping[str, int], seed: int
) -> None:
    """Put what stays the same from step to step into a table: constants, and the keys of a seed.

    constants  argument -> its numbers, row after row; a number by itself is a list of one
    sides      sizes of the sides of arrays, by the words of their shapes
    """
    for name, values in constants.items():
        if BY_NAME[name].shape:
            (array,) = table.allocate([name], sides)
            array.reshape(-1)[: len(values)] = values
        else:
            table.set(name, values[0])
    for name, key in zip(("key0", "key1"), rng.keys(seed), strict=True):
        table.set(name, key)
