"""Cell sort: boids of gridded flocks into the cells of a grid, before each step."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.layout import HIDDEN, Layout, nearest_groups
from murmurate.engine import cell_kernels as kernels
from murmurate.engine.grid import Grid, bounds, make_grid, most_cells
from murmurate.engine.state import StateArrays
from murmurate.engine.thread_team import ThreadTeam

CHUNKS = 24  # a thread: enough that all end at about the same time


class CellSort:
    """Sorts the first columns of a flight's arrays into cells, in the order (cell, id)."""

    def __init__(self, layout: Layout, state: StateArrays, team: ThreadTeam) -> None:
        self.layout, self.state, self.team = layout, state, team
        self.dims, self.count = state.dims, state.gridded
        cells = most_cells(self.count)
        self._other_ids, self._other_kinds = state.ids.copy(), state.kinds.copy()
        self._cell = np.zeros(self.count, np.int32)
        self._order = np.zeros(self.count, np.uint32)
        self._places = np.zeros((team.size, cells), np.int64)
        self._start = np.zeros(cells + 1, np.int64)
        self._runs = np.zeros((cells + 64 * team.size, 3), np.int64)
        self._chunks = np.zeros((CHUNKS + 4) * team.size + 2, np.int64)
        self._side = 0.0  # of a cell, where only nearest neighbours are looked for
        self._several = len(layout.gridded) > 1
        self._rests = any(flock.rests for flock in layout.plan.flocks)
        self._sums_follow_cells = layout.sums_follow_cells
        searches = max(len(nearest_groups(flock)) for flock in layout.plan.flocks)
        sides = {"searches": searches, "columns": state.now.shape[1]}
        (self._guesses,) = state.table.allocate(["guesses"], sides)
        self._guesses[:] = HIDDEN**2  # as far as what is hidden: searches know nothing yet
        state.table.put("runs", self._runs)

    def sort(self, time: float) -> Grid:
        """Boids into cells; the table then holds the grid, and chunks of equal work."""
        reach = self._reach(time)
        grid = self._grid(reach)
        start = self._start[: grid.cells + 1]
        squares = self._into_order(grid, start)
        self._gather(grid.cells, start)
        made = kernels.plan_runs(
            start, grid.shape, float(CHUNKS * self.team.size), self._runs, self._chunks
        )
        table, real = self.state.table, self.state.now.dtype
        table.put("start", start)
        table.put("grid", grid.shape)
        table.put("corner", grid.corner.astype(real))
        table.put("cell_size", grid.size.astype(real))
        table.put("inverse", (1.0 / grid.size).astype(real))
        table.put("chunks", self._chunks[: made + 1])
        if reach == 0:
            self._adapt(squares / self.count, grid)
        return grid

    def _reach(self, time: float) -> float:
        """How far boids look through cells; 0 where they only look for the nearest."""
        reach = self.layout.reach(time)
        if not self.layout.ahead:
            return reach
        model, state = self.state.model, self.state
        speed = kernels.fastest(state.now, self.dims, self.count)
        skin = self.layout.ahead * model.dt * float(speed)
        state.table.set("skin", skin)
        return reach + skin if reach > 0 else reach

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

        def gather(k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, self._order, self._several, self._rests,
                state.ids, state.kinds, state.timers, state.now,
                self._other_ids, self._other_kinds, state.new_timers, state.new,
            )  # fmt: skip

        self.team.share("gather", gather, parts)
        if count < every:
            rest = slice(count, every)
            state.new[:, rest] = state.now[:, rest]
            state.new_timers[rest] = state.timers[rest]
            state.new_memory[:, rest] = state.memory[:, rest]
        if len(self._guesses):
            self._guesses[:, :count] = self._guesses[:, self._order[:count]]
        if len(state.memory):
            state.new_memory[:, :count] = state.memory[:, self._order[:count]]
        state.ids, self._other_ids = self._other_ids, state.ids
        state.kinds, self._other_kinds = self._other_kinds, state.kinds
        state.table.put("ids", state.ids)
        state.table.put("kinds", state.kinds)
        state.swap()

    def _grid(self, reach: float) -> Grid:
        state, count = self.state, self.count
        space = state.model.space
        if all(space.periodic):
            lower, upper = np.array(space.lower), np.array(space.upper)
        else:
            every = max(1, state.count // 2000)
            samples = np.full((self.dims, state.count // every + 1), np.nan)
            kernels.sample(state.now, state.ids, self.dims, count, every, samples)
            lower, upper = bounds(samples)
        if reach == 0 and (self._side == 0 or self._sums_follow_cells):
            volume = float(np.prod(np.maximum(upper - lower, 1e-9)))
            self._side = (volume * self._crowd() / count) ** (1.0 / self.dims)
        return make_grid(space, lower, upper, count, reach, self._side)

    def _crowd(self) -> float:
        """How many boids a cell should hold where only nearest neighbours are looked for."""
        return max(1.0, 0.6 * self.layout.most_nearest)

    def _adapt(self, met: float, grid: Grid) -> None:
        """Cells for nearest neighbours follow the flock's density, of which `met`, the mean
        occupancy of a boid's own cell, tells. What is found does not depend on them."""
        factor = ((self._crowd() + 1.0) / met) ** (1.0 / self.dims)
        side = float(np.prod(grid.size[: self.dims])) ** (1.0 / self.dims)
        self._side = side * min(1.25, max(0.8, factor))
