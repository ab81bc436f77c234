"""Columns: what is read of a table, whatever file it is in."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


class Words:
    """A column of names: each row has the number of one of them.

    Names are those of the file; whole numbers, however they are written, are one name.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._codes: list[np.ndarray] = []

    def add(self, cells: np.ndarray) -> None:
        """Further rows: (n,) float64 of whole numbers, or text."""
        if cells.dtype.kind == "f":
            found, inverse = np.unique(cells, return_inverse=True)
            texts = [name_of(value) for value in found.tolist()]
            codes = np.array([self._number(text) for text in texts], np.int32)
            self._codes.append(codes[inverse] if len(codes) else np.zeros(0, np.int32))
            return
        known = self._number
        self._codes.append(np.array([known(text.strip()) for text in cells.tolist()], np.int32))

    def _number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    @property
    def codes(self) -> np.ndarray:
        """(n,) which name each row has."""
        return np.concatenate(self._codes) if self._codes else np.zeros(0, np.int32)

    @property
    def names(self) -> list[str]:
        return [" ".join(name.split()) for name in self.numbers]


class Columns:
    """Columns of a table.

    numbers  name -> pieces of float64, nan for an empty cell
    words    name -> Words
    bad      rows that were left out
    called   what a row is called, by its number, from 1, below the header
    """

    def __init__(
        self, numbers: dict[str, list[np.ndarray]], words: dict[str, Words],
        called: Callable[[int], str] = "row {} below the header".format,
    ) -> None:  # fmt: skip
        self.numbers, self.words, self.bad, self._called = numbers, words, 0, called
        self._pieces: list[tuple[int, list[int] | None]] = []

    def count(self, rows: int, kept: list[int] | None = None) -> None:
        """A piece of so many rows was read; of some only those of the numbers `kept`."""
        self._pieces.append((rows, kept))

    def number(self, name: str) -> np.ndarray:
        """(n,) float64. What it was made of is let go."""
        pieces = self.numbers.pop(name)
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def row(self, place: int) -> int:
        """The number, from 1, of the row below the header that stands at a place here."""
        before = 0
        for rows, kept in self._pieces:
            have = rows if kept is None else len(kept)
            if place < have:
                return before + place + 1 if kept is None else kept[place]
            place, before = place - have, before + rows
        return before + place + 1

    def place(self, place: int) -> str:
        """The same in words, for messages: 'line 7'."""
        return self._called(self.row(place))


def name_of(value: float) -> str:
    """A number as a name: 3.0 is 3."""
    return str(int(value)) if value == int(value) else repr(value)
