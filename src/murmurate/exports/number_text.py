"""Numbers as text, exactly: read back they are the same floats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

Array = np.ndarray
ROWS = 1 << 14  # made into text at a time

EXACT = {np.dtype("float32"): "%.9g", np.dtype("float64"): "%.17g"}


def number_format(column: Array) -> str:
    """The format of its numbers, with enough digits for the same float."""
    return EXACT.get(column.dtype, "%d")


def text_rows(columns: Sequence[Array | list[str]], separator: str) -> Iterator[str]:
    """Lines of one value a column, some thousand a piece of text. Words stand as they are."""
    forms = ["%s" if isinstance(column, list) else number_format(column) for column in columns]
    line = separator.join(forms) + "\n"
    wide = len(columns)
    for first in range(0, len(columns[0]), ROWS):
        some = [column[first : first + ROWS] for column in columns]
        flat: list[object] = [None] * (wide * len(some[0]))
        for k, part in enumerate(some):
            flat[k::wide] = part if isinstance(part, list) else part.tolist()
        yield (line * len(some[0])) % tuple(flat)
