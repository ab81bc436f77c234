"""The table of arguments that kernels are called with, and the arrays that it points to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from murmurate.codegen.arguments import ARGUMENTS, BY_NAME, OFFSETS, STAGED, WORDS
from murmurate.engines import rng

ALIGNMENT = 128  # bytes: two cache lines, since processors fetch them in pairs
SHARED_INTEGERS = {a.name for a in ARGUMENTS if a.dtype != "float64" and not a.thread}
"""Numbers that are stored most often, in each call of a step."""


class ArgumentStore(Protocol):
    """A table of arguments: an ArgumentTable, or the memory of a WebAssembly module."""

    def allocate(self, names: list[str], sides: Mapping[str, int]) -> list[np.ndarray]:
        """Return the arrays of these arguments."""
        ...

    def set(self, name: str, number: Any) -> None:
        """Store a number."""
        ...


class ArgumentTable:
    """Tables of words: one for each thread. The first thread's table also has shared arguments.

    An argument is a number, or an array as its address and its shape. codegen/arguments.py lists
    all arguments; those with `thread` have a value for each thread.

    dtype  precision of the kernels, which replaces 'real' in the list of arguments
    """

    def __init__(self, dtype: np.dtype[Any], threads: int) -> None:
        real = {"real": dtype}
        self._dtypes = {a.name: np.dtype(real.get(a.dtype, a.dtype)) for a in ARGUMENTS}
        self._words = np.zeros((threads, WORDS), np.int64)
        self._arrays: dict[tuple[str, int], np.ndarray] = {}  # keeps them alive for the kernels
        self.addresses = [int(row.ctypes.data) for row in self._words]
        self._words[:, OFFSETS["shared"]] = self.addresses[0]

    @property
    def words(self) -> np.ndarray:
        """Return (threads, WORDS) the words themselves."""
        return self._words

    @property
    def shared_arrays(self) -> dict[str, np.ndarray]:
        """Return the arrays that threads share, by argument."""
        return {name: a for (name, _), a in self._arrays.items() if not BY_NAME[name].thread}

    @property
    def nbytes(self) -> int:
        """Return the bytes of all arrays."""
        return sum(array.nbytes for array in self._arrays.values())

    def allocate(self, names: list[str], sides: Mapping[str, int]) -> list[np.ndarray]:
        """Allocate arrays of zeros for some arguments, and return them.

        names  arguments. A thread's own argument gets an array for each thread, of which this
            method returns the first.
        sides  lengths of the sides that shapes state as words
        """
        return [self._allocate(name, sides) for name in names]

    def _allocate(self, name: str, sides: Mapping[str, int]) -> np.ndarray:
        for thread in range(len(self._words)) if BY_NAME[name].thread else (0,):
            self.put(name, self.zeros_for(name, sides), thread)
        return self._arrays[name, 0]

    def zeros_for(self, name: str, sides: Mapping[str, int]) -> np.ndarray:
        """Return an array of zeros with an argument's dtype and shape."""
        argument = BY_NAME[name]
        shape = [int(side) if side.isdigit() else sides[side] for side in argument.shape]
        return aligned_zeros(shape, self._dtypes[name])

    def resize(self, names: list[str], sides: Mapping[str, int]) -> None:
        """Give arrays other sides, and any finite contents, in place if there is room."""
        for name in names:
            shape = [int(side) if side.isdigit() else sides[side] for side in BY_NAME[name].shape]
            for thread in range(len(self._words)) if BY_NAME[name].thread else (0,):
                if (name, thread) in self._arrays:
                    old = self._arrays[name, thread]
                    self.put(name, _resized(old, shape), thread)

    def put(self, name: str, array: np.ndarray, thread: int = 0) -> None:
        """Store an array as an argument of all threads, or of one if the argument is its own."""
        argument, word = BY_NAME[name], OFFSETS[name]
        thread = thread if argument.thread else 0
        dtype, ndim = self._dtypes[name], len(argument.shape)
        if array.dtype != dtype or array.ndim != ndim or not array.flags.c_contiguous:
            raise TypeError(
                f"argument {name}: got an array of {array.dtype} with {array.ndim} dimensions; "
                f"expected a contiguous one of {dtype} with {ndim}"
            )
        row = self._words[thread]
        row[word] = array.__array_interface__["data"][0]
        row[word + 1 : word + 1 + array.ndim] = array.shape
        self._arrays[name, thread] = array

    def make_room(self, room: int, sides: Mapping[str, int], thread: int) -> None:
        """Allocate arrays in which a thread can stage `room` boids."""
        for name in STAGED:
            self.put(name, self.zeros_for(name, {**sides, "room": room}), thread)

    def exchange(self, first: str, second: str) -> None:
        """Exchange two shared arrays of the same dtype and shape."""
        words, a, b = self._words[0], OFFSETS[first], OFFSETS[second]
        words[a], words[b] = words[b], words[a]
        self.sync_after_swap(first, second)

    def array(self, name: str) -> np.ndarray:
        """Return an argument's array: the shared one, or that of the first thread."""
        return self._arrays[name, 0]

    def sync_after_swap(self, first: str, second: str) -> None:
        """Update two arrays that kernels may have exchanged in the table."""
        arrays = self._arrays
        address = arrays[first, 0].__array_interface__["data"][0]
        if int(self._words[0, OFFSETS[first]]) != address:
            arrays[first, 0], arrays[second, 0] = arrays[second, 0], arrays[first, 0]

    def set(self, name: str, number: int | float | np.uint64, thread: int | None = None) -> None:
        """Store a number. A thread's own argument is set for one thread, or by default for all."""
        if type(number) is int and number < 2**62 and name in SHARED_INTEGERS:
            self._words[0, OFFSETS[name]] = number
            return
        word: Any = (
            np.float64(number).view(np.int64) if BY_NAME[name].dtype == "float64" else number
        )
        own = BY_NAME[name].thread
        rows = self._words[0] if not own else self._words if thread is None else self._words[thread]
        rows[..., OFFSETS[name]] = np.uint64(word).view(np.int64) if word > 2**62 else word

    def number(self, name: str, thread: int = 0) -> int:
        """Return an integer of a thread's table, or a shared one, as kernels left it."""
        return int(self._words[thread, OFFSETS[name]])


def put_constants(
    table: ArgumentStore, constants: Mapping[str, Sequence[float]], sides: Mapping[str, int],
    seed: int,
) -> None:  # fmt: skip
    """Store arguments that stay the same from step to step: constants, and the keys of a seed.

    table  table to fill
    constants  values of each argument, row by row. A number is a sequence of length 1.
    sides  lengths of the sides that shapes state as words
    """
    for name, values in constants.items():
        if BY_NAME[name].shape:
            (array,) = table.allocate([name], sides)
            array.reshape(-1)[: len(values)] = values
        else:
            table.set(name, values[0])
    for name, key in zip(("key0", "key1"), rng.split_seed(seed), strict=True):
        table.set(name, key)


def _resized(old: np.ndarray, shape: list[int]) -> np.ndarray:
    """Return an array of another shape, in the memory of an old one if it is large enough."""
    size, buffer = math.prod(shape) * old.dtype.itemsize, old.base
    if buffer is None or size + 2 * ALIGNMENT > buffer.nbytes:
        return aligned_zeros(shape, old.dtype, size // 4)
    first = -buffer.__array_interface__["data"][0] % ALIGNMENT
    return buffer[first : first + size].view(old.dtype).reshape(shape)


def aligned_zeros(shape: Sequence[int], dtype: np.dtype[Any], spare: int = 0) -> np.ndarray:
    """Return an array of zeros that shares no cache line with others.

    Otherwise threads that write into neighbouring arrays would slow each other down. It has `spare`
    bytes into which it may grow.
    """
    size = math.prod(shape) * dtype.itemsize
    buffer = np.zeros(size + spare + 2 * ALIGNMENT, np.uint8)
    first = -buffer.__array_interface__["data"][0] % ALIGNMENT
    return buffer[first : first + size].view(dtype).reshape(shape)
