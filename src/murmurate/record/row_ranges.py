"""Rows of boids in recordings whose numbers of boids change.

Each flock has a range of rows, as many as it may have boids. A frame stores the boids of a flock
from the start of its range, in id order, so the first rows of a range are occupied and the others
empty:

    rows      0 1 2 3 4 5 6 7 | 8 9 10 11
    flocks    boids           | hawks
    frame 0   a b c . . . . . | h . .  .
    frame 1   a c d e . . . . | h . .  .      b has left; d and e have joined

The numbers of boids of a frame therefore say which rows are occupied, and which blocks of rows are
written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class FlockRows:
    """The ranges of rows of all flocks."""

    sizes: Mapping[str, int]
    first_ids: Mapping[str, int]

    @property
    def starts(self) -> Array:
        """(F,) int64: the first row of each flock."""
        sizes = np.array([*self.sizes.values()], np.int64)
        return np.cumsum(sizes) - sizes

    @property
    def total(self) -> int:
        """The number of rows."""
        return sum(self.sizes.values())

    def occupied(self, numbers: Sequence[int] | Array) -> Array:
        """Return the occupied rows (N,), ascending, for the `numbers` (F,) of boids."""
        parts = [np.arange(start, start + n) for start, n in zip(self.starts, numbers, strict=True)]
        return np.concatenate(parts) if parts else np.zeros(0, np.int64)

    def blocks(self, numbers: Array, size: int) -> list[int]:
        """Return the blocks of `size` rows that hold boids, for the `numbers` (F,) of boids."""
        blocks: set[int] = set()
        for start, count in zip(self.starts.tolist(), np.asarray(numbers).tolist(), strict=True):
            blocks.update(range(start // size, -(-(start + count) // size)) if count else ())
        return sorted(blocks)


def rows_of(header: Mapping[str, Any]) -> FlockRows | None:
    """Return the ranges of rows of a recording; None if its numbers do not change."""
    if not header.get("rows"):
        return None
    counts = header["counts"]  # in the order of the model; JSON sorts by name
    return FlockRows(
        *({name: header[key][name] for name in counts} for key in ("rows", "first_ids"))
    )
