"""Slab cells: a worker's own boids sorted into the cells of its layers, in the order (cell, id)."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.grid import Grid
from murmurate.codegen.layout import Layout
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.slabs.boid_columns import BoidColumns

SHARED = 4096
"""Boids from which on threads share the work: to hand over a piece takes as long as for some."""


class SlabCells:
    """The cells of one worker.

    axis         on which layers are counted
    grid         the whole one
    first, last  its layers: first ... last - 1
    """

    grid: Grid

    def __init__(self, layout: Layout, columns: BoidColumns, loop: PhaseLoop) -> None:
        self.columns, self._loop = columns, loop
        self.dims = layout.plan.model.space.dims
        self.axis = 2 if self.dims == 3 else 0
        self.first = self.last = 0
        self._several = len(layout.plan.counts) > 1
        self._rests = any(flock.rests for flock in layout.plan.flocks)
        self._begin = np.zeros(1, np.int64)

    @property
    def in_a_layer(self) -> int:
        """Cells in a layer."""
        nx, ny = int(self.grid.shape[0]), int(self.grid.shape[1])
        return nx * ny if self.dims == 3 else ny

    @property
    def start(self) -> np.ndarray:
        """(cells + 1,) the columns where the boids of its cells begin."""
        return self._begin + self.columns.front

    def start_of(self, first: int, last: int) -> np.ndarray:
        """The same of some of its layers."""
        cells = self.in_a_layer
        part = self._begin[(first - self.first) * cells : (last - self.first) * cells + 1]
        return part + self.columns.front

    def shape(self, first: int, last: int) -> np.ndarray:
        """The shape of the grid whose layers are first ... last - 1 of the whole one's."""
        shape = self.grid.shape.copy()
        shape[self.axis], shape[6] = last - first, first
        return shape

    def tally(self, grid: Grid) -> np.ndarray:
        """(layers,) how many of its boids are in each layer of a grid."""
        self.grid = grid
        columns, own, layers = self.columns, self.columns.own, int(grid.shape[5])
        corner, inverse = self._scale()
        counts = np.zeros(layers, np.int64)
        kernels.count_layers(
            columns.array("state"), self.axis, own.start, own.stop, corner, inverse, layers,
            columns.array("cell"), counts,
        )  # fmt: skip
        return counts

    def take(self, first: int, last: int) -> None:
        """Its layers are first ... last - 1 of the grid that was tallied last."""
        self.first, self.last = first, last

    def elsewhere(self) -> tuple[np.ndarray, np.ndarray]:
        """The columns of its boids that are in none of its layers, and the layers they are in."""
        own = self.columns.own
        layers = self.columns.array("cell")[own]
        gone = np.flatnonzero((layers < self.first) | (layers >= self.last))
        return own.start + gone, layers[gone]

    def sort(self) -> float:
        """Sorts its boids; returns the sum of squared occupancies."""
        shape, own = self.shape(self.first, self.last), self.columns.own
        start = np.zeros(int(shape[0] * shape[1] * shape[2]) + 1, np.int64)
        squares = self._into_order(shape, start)
        self._gather(start)
        self._begin = start - own.start
        return squares

    def _scale(self) -> tuple[np.ndarray, np.ndarray]:
        """The corner of the grid, and cells in a length, as kernels get them."""
        real = self.columns.array("state").dtype
        return self.grid.corner.astype(real), (1.0 / self.grid.size).astype(real)

    def _into_order(self, shape: np.ndarray, start: np.ndarray) -> float:
        """Columns in the order of their cells."""
        columns, own = self.columns, self.columns.own
        threads = min(self._loop.threads, 1 + columns.count // SHARED)
        edges = np.linspace(own.start, own.stop, threads + 1).astype(int)
        places = np.zeros((threads, len(start) - 1), np.int64)
        corner, inverse = self._scale()
        state, cell, order = map(columns.array, ("state", "cell", "column_order"))

        def tally(t: int) -> None:
            kernels.count_cells(
                state, self.dims, edges[t], edges[t + 1], corner, inverse, shape, cell, places[t]
            )

        def put(t: int) -> None:
            kernels.order_cells(edges[t], edges[t + 1], cell, places[t], order)

        self._loop.each(tally, threads)
        squares = float(kernels.place_cells(places, start))
        start += own.start
        places += own.start
        self._loop.each(put, threads)
        return squares

    def _gather(self, start: np.ndarray) -> None:
        """Boids to their new columns, those of a cell in the order of their ids."""
        columns, own = self.columns, self.columns.own
        parts = 4 * self._loop.threads if columns.count > SHARED else 1
        cuts = np.searchsorted(start, np.linspace(own.start, own.stop, parts + 1)[1:-1])
        cuts = np.concatenate([[0], cuts, [len(start) - 1]])
        order, array = columns.array("column_order"), columns.array

        def gather(k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, order, self._several, self._rests,
                array("ids"), array("flock_index"), array("timers"), array("state"),
                array("next_ids"), array("next_flock_index"), array("next_timers"),
                array("next_state"),
            )  # fmt: skip

        self._loop.each(gather, parts)
        for name, twin in (("search_radius2", "search_radius2"), ("memory", "next_memory")):
            if len(array(name)):
                array(twin)[:, own] = array(name)[:, order[own]]
        columns.swap_order()
