"""Shared turns: threads that fly the turns of a step together, and leave the bits that one thread
would leave.

A boid that takes its turn sees those before it as they have become; but whom it does not see need
not have moved. So each thread flies the boids of a slab of the space, some layers of cells, in
turn. Only boids at the edge of a slab wait: until those at the edge beside it have had the turns
before. The kernel does the waiting: codegen/templates/in_turn.py.j2.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable

import numpy as np

from murmurate.engine import cell_kernels as kernels
from murmurate.engine.argument_table import ArgumentTable
from murmurate.engine.grid import Grid, even_edges
from murmurate.engine.state import PAIRS, StateArrays
from murmurate.engine.thread_team import ThreadTeam

APART = 4
"""A slab is at least so many times as thick as its boids see: thinner ones are edges throughout."""
OVER = 2**62  # a turn after all turns
LET_OTHERS_RUN = getattr(os, "sched_yield", lambda: time.sleep(0.0))


class SharedTurns:
    """The turns of one flight's steps, shared by its threads.

    kernel  the model's kernel `fly_in_turn`
    """

    def __init__(
        self,
        table: ArgumentTable,
        state: StateArrays,
        team: ThreadTeam,
        kernel: Callable[[int], int],
    ) -> None:
        self.table, self.state, self.team, self.kernel = table, state, team, kernel
        sides = {"16 sharers": 16 * team.size, "shared turns": state.count + 1}
        (self._reached,) = table.allocate(["reached"], sides)
        table.allocate(["own_turns", "edge_turns", "own_slab"], sides)
        self._before = [np.empty_like(getattr(state, name)) for name, _ in PAIRS]

    def fly(self, grid: Grid, turns: np.ndarray) -> bool:
        """Flies all turns of a step whose boids are sorted into cells. Returns whether threads
        could share it; if not, all is as it was.

        turns  (boids,) whose turn it is, turn by turn; empty: boid after boid
        """
        threads = self._deal(grid, turns)
        if threads < 2:
            return False
        state, table = self.state, self.table
        for name, number in (("sharers", threads), ("first_turn", 0), ("nth", 0)):
            table.set(name, number)
        shared = False
        try:
            shared = self._fly_together(threads)
        finally:
            table.set("sharers", 1)
            if not shared:
                for (name, _), before in zip(PAIRS, self._before, strict=True):
                    getattr(state, name)[:] = before
        if state.model.positions == "at-end":
            state.now[: state.dims] = state.new[: state.dims]
        return shared

    def _fly_together(self, threads: int) -> bool:
        """Whether all turns were flown; if not, some boid saw or got farther than was reckoned."""
        ends = [0] * threads

        def work(thread: int) -> None:
            try:
                while (end := self.kernel(self.table.addresses[thread])) < 0:
                    LET_OTHERS_RUN()
                ends[thread] = end
            except BaseException:  # an interrupt: nobody is to wait for this thread
                self._reached[:] = OVER
                raise

        self._reached[:] = 0
        self.team.together(work, threads)
        return all(ends)

    def _deal(self, grid: Grid, turns: np.ndarray) -> int:
        """Deals out slabs and turns to threads, and keeps what boids are; returns to how many."""
        state, table = self.state, self.table
        axis = 2 if state.dims == 3 else 0
        starts = layer_starts(grid, table.array("start"), state.dims)
        thick = 1 if axis == 2 else int(grid.shape[3])
        round_ = state.model.space.periodic[axis]
        threads = min(self.team.size, (len(starts) - 1) // (APART * thick))
        if threads < 2:
            return 1
        edges = even_edges(starts, threads, APART * thick)
        columns = np.linspace(0, state.count, threads + 1).astype(int)

        def keep(thread: int) -> None:
            first, last = columns[thread], columns[thread + 1]
            kernels.put_columns(state.ids, first, last, table.array("column_of"))
            for (name, _), before in zip(PAIRS, self._before, strict=True):
                before[..., first:last] = getattr(state, name)[..., first:last]

        def deal(thread: int) -> None:
            layers = edges[thread], edges[thread + 1]
            first, last = (int(starts[layer]) for layer in layers)
            inner, outer = 0, state.gridded
            if round_ or thread > 0:
                inner = int(starts[layers[0] + thick])
            if round_ or thread < threads - 1:
                outer = int(starts[layers[1] - thick])
            here = kernels.deal_turns(
                turns, table.array("column_of"), state.count, state.gridded,
                first, last, inner, outer,
                table.own("own_turns", thread), table.own("edge_turns", thread),
            )  # fmt: skip
            beside = (thread - 1) % threads, (thread + 1) % threads
            table.own("own_slab", thread)[:] = (inner, outer, *layers, *beside, thick)
            for name, value in (("sharer", thread), ("own_column", first), ("turns_here", here)):
                table.set(name, value, thread)

        self.team.together(keep, threads)
        self.team.together(deal, threads)
        return threads


def layer_starts(grid: Grid, start: np.ndarray, dims: int) -> np.ndarray:
    """(layers + 1,): the columns in which layers begin, and the one after the last."""
    nx, ny, nz = (int(n) for n in grid.shape[:3])
    layers, cells = (nz, nx * ny) if dims == 3 else (nx, ny)
    starts: np.ndarray = start[: layers * cells + 1 : cells]
    return starts
