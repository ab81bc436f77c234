"""What a search for candidates declares: its template, arguments, arrays and phases."""

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

    name    in the kernels' text
    dtype   real (the kernels' precision), float64, int32, int64 or uint64
    shape   sides of an array, as numbers or words that `ArgumentTable` replaces; () for a number
    about   contents, for the comment in the kernel
    thread  whether each thread has its own
    out     whether kernels only write it, for their caller
    """

    name: str
    dtype: str
    shape: tuple[str, ...]
    about: str
    thread: bool = False
    out: bool = False

    @property
    def constant(self) -> str:
        """Name of its offset in the table."""
        return self.name.upper()

    @property
    def words(self) -> int:
        """Number of words in the table."""
        return 1 + len(self.shape)


@dataclass(frozen=True)
class Memory:
    """How arrays are allocated.

    threads            number of threads that may share a step
    fixed              whether arrays never grow, as in a page
    initial_room       boids that a thread can stage at first
    min_slab_radii     least thickness of a slab, in radii: thinner slabs are all edge
    retry_after_steps  steps until threads share updates again, after a step where they could not
    min_thread_work    work of a sequential step from which another thread takes part, in candidates
                       that are tested: less than a millisecond is lost in waiting for each other
    """

    threads: int = 1
    fixed: bool = False
    initial_room: int = 4096
    min_slab_radii: int = 4
    retry_after_steps: int = 20
    min_thread_work: float = 5e5


class Search(Protocol):
    """One kind of search for candidates. `searches.SEARCHES` lists all kinds in order.

    template   name of a template: its macro `candidates(flock, accumulate)` loops over the
               candidates of a boid and hands each to a macro of accumulate.py.j2
    kernel     prefix of its kernels, one for each stage, such as cells_0 of the template
               sweep_cells in the phase SWEEP_CELLS; '' where it has none
    addresses  argument that holds the addresses of these kernels
    boids_are  words for flocks that its kernels loop over, in the header of a text
    arguments  of the kernels, in the order of the table
    scratch    arguments of a thread
    """

    template: str
    kernel: str = ""
    addresses: str = ""
    boids_are: str = ""
    arguments: tuple[Argument, ...] = ()
    scratch: tuple[Argument, ...] = ()

    def sweeps(self, layout: Layout, flock: FlockPlan) -> bool:
        """Return whether its kernels loop over the boids of a flock."""
        return False

    def phases(self, layout: Layout) -> tuple[str, ...]:
        """Return the phases of a step that prepare the search after boids have moved."""
        return ()

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        """Return the sides of its arrays: word of a shape -> size."""
        return {}

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        """Return constants of a run: argument -> numbers, row after row."""
        return {}

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        """Return the arrays, besides scratch, that are allocated before the first step."""
        return ()
