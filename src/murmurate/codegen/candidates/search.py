"""What a search for candidates is: the boids that a boid may sense, before rules add them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import FlockPlan

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


@dataclass(frozen=True)
class Memory:
    """Where arrays are made.

    threads  how many may share a step
    fixed    whether arrays are laid out once, with room for all that may come, as in a page
    """

    threads: int = 1
    fixed: bool = False


class Search(Protocol):
    """One kind of search for candidates. All kinds are asked, in the order of `searches.SEARCHES`.

    page       the template whose macro `candidates(flock, accumulate)` goes through the candidates
               of a boid, and hands each to a macro of accumulate.py.j2
    kernel     names its kernels, one a stage, which go through the boids of flocks: cells_0, of the
               template sweep_cells, in the phase SWEEP_CELLS; '' where it has none
    addresses  the argument that holds where they are
    boids_are  what is said of flocks that they go through
    arguments  of the kernels, in the order of the table
    scratch    those of a thread
    """

    page: str
    kernel: str = ""
    addresses: str = ""
    boids_are: str = ""
    arguments: tuple[Argument, ...] = ()
    scratch: tuple[Argument, ...] = ()

    def sweeps(self, layout: Layout, flock: FlockPlan) -> bool:
        """Return whether its kernels go through the boids of a flock."""
        return False

    def phases(self, layout: Layout) -> tuple[str, ...]:
        """Return the phases of a step that prepare it, once boids have moved."""
        return ()

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        """Return the sides of its arrays, by the words of their shapes."""
        return {}

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        """Return what holds throughout a run: argument -> its numbers, row after row."""
        return {}

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        """Return the arrays, beside scratch, that are made before the first step."""
        return ()
