"""The table of arguments that kernels are called with, and the arrays that it points to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.codegen.arguments import BY_NAME, PLACES, WORDS


class ArgumentTable:
    """One table of words a thread; what threads share stands in all of them.

    dtype    of the kernels: what 'real' is
    threads  how many
    """

    def __init__(self, dtype: np.dtype[Any], threads: int) -> None:
        self._dtypes = {"real": dtype}
        self._words = np.zeros((threads, WORDS), np.int64)
        self._arrays: dict[tuple[str, int], np.ndarray] = {}  # holds what the table points to
        self.addresses = [int(row.ctypes.data) for row in self._words]

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
        return np.zeros(shape, self._dtypes.get(argument.dtype, argument.dtype))

    def put(self, name: str, array: np.ndarray, thread: int = 0) -> None:
        """Points the table at an array, of all threads, or of one for a thread's own arguments."""
        argument, place = BY_NAME[name], PLACES[name]
        wanted = np.dtype(self._dtypes.get(argument.dtype, argument.dtype))
        if (
            array.dtype != wanted
            or array.ndim != len(argument.shape)
            or not array.flags.c_contiguous
        ):
            raise TypeError(
                f"argument {name}: {array.dtype} of {array.ndim} dimensions, and it must be a "
                f"contiguous {wanted} of {len(argument.shape)}"
            )
        rows = self._words[thread : thread + 1] if argument.thread else self._words
        rows[:, place] = array.ctypes.data
        rows[:, place + 1 : place + 1 + array.ndim] = array.shape
        self._arrays[name, thread if argument.thread else 0] = array

    def set(self, name: str, number: int | float | np.uint64, thread: int | None = None) -> None:
        """Puts a number into the table of all threads, or of one."""
        word: Any = (
            np.float64(number).view(np.int64) if BY_NAME[name].dtype == "float64" else number
        )
        rows = self._words if thread is None else self._words[thread]
        rows[..., PLACES[name]] = np.uint64(word).view(np.int64) if word > 2**62 else word

    def number(self, name: str, thread: int = 0) -> int:
        """A whole number of the table of a thread, as a kernel left it there."""
        return int(self._words[thread, PLACES[name]])
