"""One argument of the kernels: see arguments.py."""

from __future__ import annotations

from dataclasses import dataclass

PAD = 16
"""Columns past the last boid that kernels may read and write."""


@dataclass(frozen=True)
class Argument:
    """One argument of the kernels.

    name    its name in the kernels' text
    dtype   real (the kernels' precision), float64, int32, int64 or uint64
    shape   the sides of an array, as words or numbers that `ArgumentTable` knows; () for a number
    about   what it holds
    thread  whether each thread has one of its own
    out     whether kernels write it for whoever called them, and never read it
    """

    name: str
    dtype: str
    shape: tuple[str, ...]
    about: str
    thread: bool = False
    out: bool = False

    @property
    def constant(self) -> str:
        """The name of its place in the table."""
        return self.name.upper()

    @property
    def words(self) -> int:
        """How many words it takes in the table."""
        return 1 + len(self.shape)
