"""Cell sort: boids of gridded flocks into the cells of a grid, before each step."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.cell_functions import SAMPLES, WIDEST, most_cells, sampled_every
from murmurate.codegen.layout import Layout
from murmurate.engine import cell_kernels as kernels
from murmurate.engine.flight_arguments import CHUNKS
from murmurate.engine.grid import Grid, Grids
from murmurate.engine.state import StateArrays
from murmurate.engine.thread_team import ThreadTeam


class CellSort:
    """Sorts the first columns of a flight's arrays into cells, in the order (cell, id).

    What it does with threads, the kernel `sort_cells` does in one call; both leave the same bits.
    """

    def __init__(self, layout: Layout, state: StateArrays, team: ThreadTeam) -> None:
        self.layout, self.state, self.team = layout, state, team
        self.dims, self.count = state.dims, state.gridded
        self.grids = Grids(layout, self.count)
        self._rests = any(flock.rests for flock in layout.plan.flocks)
        self._allocate()

    def _allocate(self) -> None:
        cells = most_cells(self.count)
        chunks = (CHUNKS + 4) * self.team.size + 2
        sides = {
            "columns": self.state.now.shape[1], "axes": self.dims,
            "teams": self.team.size, "cells": cells, "cells + 1": cells + 1,
            "runs": cells + 64 * self.team.size, "chunks + 1": chunks,
            "samples": min(self.state.count, 2 * SAMPLES) + 1, "width": min(cells, WIDEST) + 64,
        }  # fmt: skip
        table = self.state.table
        self._guesses = table.array("guesses")
        self._cell, self._order, self._places, self._start, self._runs = table.allocate(
            ["cell", "order", "places", "start", "runs"], sides
        )
        (self._chunks,) = table.allocate(["chunks"], sides)
        table.allocate(["guessed", "samples", "extent", "sides", "slabs", "own"], sides)
        table.allocate(["grid", "corner", "cell_size", "inverse"], sides)
        table.set("most_chunks", chunks - 1)

    def sort(self, time: float) -> Grid:
        """Boids into cells; the table then holds the grid, and chunks of equal work."""
        reach = self._reach(time)
        grid = self.grids.next(reach, self._samples() if self.grids.follows else None)
        start = self._start[: grid.cells + 1]
        squares = self._into_order(grid, start)
        self._gather(grid.cells, start)
        made = kernels.plan_runs(
            start, grid.shape, float(CHUNKS * self.team.size), self._runs, self._chunks
        )
        table, real = self.state.table, self.state.now.dtype
        table.put("grid", grid.shape)
        table.put("corner", grid.corner.astype(real))
        table.put("cell_size", grid.size.astype(real))
        table.put("inverse", (1.0 / grid.size).astype(real))
        table.put("chunks", self._chunks[: made + 1])
        if reach == 0:
            self.grids.adapt(squares / self.count, grid)
        return grid

    def _reach(self, time: float) -> float:
        """How far boids look through cells; 0 where they only look for the nearest."""
        reach, state = float(self.state.now.dtype.type(self.layout.reach(time))), self.state
        if self.layout.ahead:
            fastest = float(kernels.fastest(state.now, state.dims, self.count))
            skin = self.layout.ahead * self.layout.plan.model.dt * fastest
            state.table.set("skin", skin)
            reach = reach + skin if reach > 0 else reach
        if self.layout.view is None:
            return reach
        known, faces, periodic = map(state.table.array, ("known", "faces", "periodic"))
        view = known[self.layout.view]
        return reach + float(
            kernels.farthest_known(
                view, state.now, state.ids, self.dims, self.count, faces, periodic
            )
        )

    def _into_order(self, grid: Grid, start: np.ndarray) -> float:
        """Columns in the order of their cells; returns the sum of squared occupancies."""
        state, real = self.state, self.state.now.dtype
        threads = self.team.size if self.team.shares("order") else 1
        edges = np.linspace(0, self.count, threads + 1).astype(int)
        places = self._places[:threads, : grid.cells]
        corner, inverse = grid.corner.astype(real), (1.0 / grid.size).astype(real)

        def tally(t: int) -> None:
            kernels.count_cells(
                state.now, self.dims, edges[t], edges[t + 1], corner, inverse, grid.shape,
                self._cell, places[t],
            )  # fmt: skip

        def order(t: int) -> None:
            kernels.order_cells(edges[t], edges[t + 1], self._cell, places[t], self._order)

        self.team.share("tally", tally, threads)
        squares = float(kernels.place_cells(places, start))
        self.team.share("order", order, threads)
        return squares

    def _gather(self, cells: int, start: np.ndarray) -> None:
        """Boids to their new columns, those of a cell in the order of their ids."""
        state, count, every = self.state, self.count, self.state.count
        parts = 4 * self.team.size if self.team.shares("gather") else 1
        cuts = np.searchsorted(start, np.linspace(0, count, parts + 1)[1:-1])
        cuts = np.concatenate([[0], cuts, [cells]])
        several = len(self.layout.gridded) > 1

        def gather(k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, self._order, several, self._rests,
                state.ids, state.kinds, state.timers, state.now,
                state.other_ids, state.other_kinds, state.new_timers, state.new,
            )  # fmt: skip

        self.team.share("gather", gather, parts)
        order = self._order[:count]
        if count < every:
            rest = slice(count, every)
            state.new[:, rest] = state.now[:, rest]
            state.new_timers[rest] = state.timers[rest]
            state.new_memory[:, rest] = state.memory[:, rest]
        if len(self._guesses):
            self._guesses[:, :count] = self._guesses[:, order]
        if len(state.memory):
            state.new_memory[:, :count] = state.memory[:, order]
        state.swap_order()

    def _samples(self) -> np.ndarray:
        state, every = self.state, sampled_every(self.state.count)
        samples = np.full((self.dims, state.count // every + 1), np.nan)
        kernels.sample(state.now, state.ids, self.dims, self.count, every, samples)
        return samples
