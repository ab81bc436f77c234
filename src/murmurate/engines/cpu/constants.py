"""Constants of a simulation in the table of arguments that its kernels take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from murmurate.codegen.arguments import BY_NAME
from murmurate.engines import rng


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
