"""Tables of numbers: parameters of rules with many numbers, which are passed to kernels.

A table is a list of numbers, or a text that packs them: float32, little-endian, in base64. The
number of its rows is part of a model's structure, and the numbers are not.
"""

from __future__ import annotations

import base64
import binascii
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from murmurate.model.number import MAX_NUMBER
from murmurate.model.value import Value

MAX_ROWS = 100_000


def pack_table(numbers: Any) -> str:
    """Return the text of a table.

    Parameters
    ----------
    numbers : (N,) of float
        They are rounded to float32.
    """
    import numpy as np

    return base64.b64encode(np.asarray(numbers, "<f4").tobytes()).decode()


@lru_cache(maxsize=64)
def table_numbers(table: str | tuple[float, ...]) -> tuple[float, ...]:
    """Return the numbers of a table. Raises ValueError for numbers that no table can hold."""
    numbers = _unpacked(table) if isinstance(table, str) else table
    if not 1 <= len(numbers) <= MAX_ROWS:
        raise ValueError(f"got {len(numbers):,} numbers; expected 1 to {MAX_ROWS:,}")
    for row, number in enumerate(numbers):
        if not abs(number) <= MAX_NUMBER:
            raise ValueError(
                f"got {number:g} in row {row}; expected numbers from -{MAX_NUMBER:,.0f} to "
                f"{MAX_NUMBER:,.0f}"
            )
    return numbers


def _unpacked(text: str) -> tuple[float, ...]:
    import numpy as np

    try:
        data = base64.b64decode(text, validate=True)
        return tuple(np.frombuffer(data, "<f4").astype(float).tolist())
    except (ValueError, binascii.Error):
        raise ValueError(
            f"got {len(text):,} characters that are no table; expected a list of numbers, or "
            "float32 numbers in base64, as pack_table writes them"
        ) from None


def _parse_table(value: Any) -> Any:
    """Return a table as a text or a tuple of numbers. Raises ValueError."""
    if hasattr(value, "__array__"):
        if len(value.shape) != 1:
            raise ValueError(f"got an array of shape {tuple(value.shape)}; expected shape (N,)")
        value = value.tolist()
    if not isinstance(value, str | list | tuple):
        raise ValueError(f"got {value!r}; expected a list of numbers")
    if not isinstance(value, str):
        wrong = [x for x in value if isinstance(x, bool) or not isinstance(x, int | float)]
        if wrong:
            raise ValueError(f"got {wrong[0]!r} in a table; expected numbers only")
        value = tuple(map(float, value))
    table_numbers(value)
    return value


class _IsTable:
    """Marks the type of a table."""


_NUMBERS = {"type": "array", "items": {"type": "number"}}
Table = Annotated[
    str | tuple[float, ...],
    BeforeValidator(_parse_table),
    WithJsonSchema({"anyOf": [_NUMBERS, {"type": "string"}]}),
    _IsTable(),
]
"""A table of numbers: a list of them, or a text of `pack_table`."""


@lru_cache(maxsize=512)
def table_fields(part: type[Value]) -> tuple[str, ...]:
    """Return the names of the fields of a part that are tables."""
    return tuple(
        name
        for name, info in part.model_fields.items()
        if any(isinstance(mark, _IsTable) for mark in info.metadata)
    )
