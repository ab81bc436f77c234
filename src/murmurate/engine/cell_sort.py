"""Sorting: boids into cells, before each step."""

from __future__ import annotations

import numpy as np

from murmurate.engine import state
from murmurate.engine.grid import Grid, bounds, make_grid
from murmurate.engine.state import Slots


class Sorting(Slots):
    """Sorts boids into the cells of a grid that follows them."""

    _cell_side: float
    _order_counts: bool

    def _sort(self, time: float) -> Grid:
        """Boids into cells, in the order (cell, id)."""
        kernels, count, dims = self._kernels_cells, self._gridded, self._dims
        grid = self._grid(time)
        cells = grid.cells
        corner = grid.corner.astype(self.dtype)
        inverse = (1.0 / grid.size).astype(self.dtype)
        threads = self.threads if self._pool and count >= 4 * state.SHARED else 1
        edges = np.linspace(0, count, threads + 1).astype(int)
        places, start = self._places[:threads, :cells], self._start[: cells + 1]

        def tally(_: int, t: int) -> None:
            kernels.count_cells(
                self._now, dims, edges[t], edges[t + 1], corner, inverse, grid.shape,
                self._cell, places[t],
            )  # fmt: skip

        def order(_: int, t: int) -> None:
            kernels.order_cells(edges[t], edges[t + 1], self._cell, places[t], self._order)

        self._share(tally, threads)
        squares = kernels.place_cells(places, start)
        self._share(order, threads)
        cuts = np.searchsorted(start, np.linspace(0, count, 4 * threads + 1)[1:-1])
        cuts = np.concatenate([[0], cuts, [cells]])

        several = len(self.plan.gridded) > 1
        resting = any(flock.perching for flock in self.model.flocks.values())

        def gather(_: int, k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, self._order, several, resting,
                self._ids, self._kinds, self._timers, self._now,
                self._other_ids, self._other_kinds, self._new_timers, self._new,
            )  # fmt: skip

        self._share(gather, len(cuts) - 1)
        rest = slice(count, self._count)
        if count < self._count:
            self._new[:, rest] = self._now[:, rest]
            self._new_timers[rest] = self._timers[rest]
        if len(self._kept):
            self._new_kept[:, :count] = self._kept[:, self._order[:count]]
            self._new_kept[:, rest] = self._kept[:, rest]
        self._ids, self._other_ids = self._other_ids, self._ids
        self._kinds, self._other_kinds = self._other_kinds, self._kinds
        self._swap()
        chunks = np.zeros(16 * self.threads + 2, np.int64)
        self._chunk_count = kernels.plan_runs(
            start, grid.shape, 12.0 * self.threads, self._runs, chunks
        )
        self._chunks = chunks
        if self.plan.reach(time) == 0:
            self._adapt(squares / count, grid)
        return grid

    def _grid(self, time: float) -> Grid:
        space, dims, count = self.model.space, self._dims, self._gridded
        if all(space.periodic):
            lower, upper = np.array(space.lower), np.array(space.upper)
        else:
            every = max(1, self._count // 2000)
            samples = np.full((dims, self._count // every + 1), np.nan)
            self._kernels_cells.sample(self._now, self._ids, dims, count, every, samples)
            lower, upper = bounds(samples)
        reach = self.plan.reach(time)
        if reach == 0 and (self._cell_side == 0 or self._order_counts):
            volume = float(np.prod(np.maximum(upper - lower, 1e-9)))
            self._cell_side = (volume * self._crowd() / count) ** (1.0 / dims)
        return make_grid(space, lower, upper, count, reach, self._cell_side)

    def _crowd(self) -> float:
        """How many boids a cell should hold where only nearest neighbours are looked for."""
        most = max(s.rule.nearest for f in self.plan.flocks for s in f.senses if s.how == "cells")
        return max(1.0, 0.6 * most)

    def _adapt(self, met: float, grid: Grid) -> None:
        """Cells for nearest neighbours follow the flock's density, of which `met`, the mean
        occupancy of a boid's own cell, tells. What is found does not depend on them."""
        factor = ((self._crowd() + 1.0) / met) ** (1.0 / self._dims)
        side = float(np.prod(grid.size[: self._dims])) ** (1.0 / self._dims)
        self._cell_side = side * min(1.25, max(0.8, factor))
