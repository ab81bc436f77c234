"""The columns of a worker's boids, and their sorting into the cells of its layers."""

from __future__ import annotations

import numpy as np

from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.cell_functions import FIRST_LAYER, LAYERS
from murmurate.codegen.candidates.grid import Grid
from murmurate.codegen.candidates.search import PAD
from murmurate.codegen.layout import Layout
from murmurate.engines.cpu.argument_table import ArgumentTable
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.slabs.boids import BOID_ARRAYS, Boids

TWINS = {
    "state": "next_state", "timers": "next_timers", "memory": "next_memory", "ids": "next_ids",
    "flock_index": "next_flock_index",
}  # fmt: skip
WORK = ("cell", "column_order")
MIN_BOIDS_PER_THREAD = 4096
"""Below this number, passing work to another thread costs as much as doing it."""


class BoidColumns:
    """The columns of a worker: halo | own boids, from `front` on | halo | ungridded boids.

    table  holds the arrays
    sides  sides of arrays by the words of their shapes, without 'columns'
    """

    def __init__(self, table: ArgumentTable, sides: dict[str, int]) -> None:
        self.table, self._sides = table, sides
        self.front = self.count = 0
        self.columns = 0
        self._allocate(1024, 256)

    def array(self, name: str) -> np.ndarray:
        """Return an array of all columns."""
        return self.table.array(name)

    @property
    def own(self) -> slice:
        """The columns of the worker's own boids."""
        return slice(self.front, self.front + self.count)

    def append(self, boids: Boids) -> None:
        """Append boids to the own ones."""
        self.make_room(self.count + len(boids), 0, 0)
        end = self.front + self.count
        for name in BOID_ARRAYS:
            self.table.array(name)[..., end : end + len(boids)] = getattr(boids, name)
        self.count += len(boids)

    def copy(self, columns: np.ndarray | slice) -> Boids:
        """Return a copy of some columns."""
        return Boids(*(self.table.array(name)[..., columns].copy() for name in BOID_ARRAYS))

    def remove(self, columns: np.ndarray) -> None:
        """Remove some own columns, in ascending order; boids from the end fill the gaps."""
        end = self.front + self.count
        new_end = end - len(columns)
        gaps = columns[columns < new_end]
        remains = np.ones(end - new_end, bool)
        remains[columns[columns >= new_end] - new_end] = False
        fill = new_end + np.flatnonzero(remains)
        for name in BOID_ARRAYS:
            array = self.table.array(name)
            array[..., gaps] = array[..., fill]
        self.count -= len(columns)

    def make_room(self, own: int, before: int, after: int) -> None:
        """Make room for `own` own boids, and for other boids before and after them."""
        if before <= self.front and self.front + own + after + PAD <= self.columns:
            return
        front = self.front if before <= self.front else before + before // 4
        self._allocate(front + (own + after) * 9 // 8 + 1024, front)

    def _allocate(self, columns: int, front: int) -> None:
        """Allocate larger arrays, and copy the own boids to the columns from `front` on."""
        old_columns, own = self.columns, self.own
        self.columns = columns + PAD
        target = slice(front, front + self.count)
        for name in (*BOID_ARRAYS, *TWINS.values(), *WORK):  # in sequence, to save memory
            array = self.table.zeros_for(name, {**self._sides, "columns": self.columns})
            if old_columns:
                array[..., target] = self.table.array(name)[..., own]
            self.table.put(name, array)
        self.front = front

    def swap(self) -> None:
        """Exchange the state and the next state."""
        for name in ("state", "timers", "memory"):
            self.table.exchange(name, TWINS[name])

    def swap_order(self) -> None:
        """Exchange the unsorted and the sorted columns."""
        for name, twin in TWINS.items():
            self.table.exchange(name, twin)


class SlabCells:
    """Sorts a worker's own boids into the cells of its layers, in the order (cell, id).

    A layer is all cells of one z, or in 2-D of one x.

    axis         the axis across layers
    grid         the grid of all workers
    first, last  the worker's layers: `first` to `last` - 1
    """

    grid: Grid

    def __init__(self, layout: Layout, columns: BoidColumns, loop: PhaseLoop) -> None:
        self.columns, self._loop = columns, loop
        self.dims = layout.plan.model.space.dims
        self.axis = 2 if self.dims == 3 else 0
        self.first = self.last = 0
        self._has_flocks = len(layout.plan.counts) > 1
        self._has_timers = layout.plan.perches
        self._begin = np.zeros(1, np.int64)

    @property
    def cells_per_layer(self) -> int:
        """The number of cells in a layer."""
        nx, ny = int(self.grid.shape[0]), int(self.grid.shape[1])
        return nx * ny if self.dims == 3 else ny

    @property
    def start(self) -> np.ndarray:
        """(cells + 1,) the first column of each cell, and the end of the last one."""
        return self._begin + self.columns.front

    def start_of(self, first: int, last: int) -> np.ndarray:
        """Return `start` of the layers `first` to `last` - 1."""
        cells = self.cells_per_layer
        part = self._begin[(first - self.first) * cells : (last - self.first) * cells + 1]
        return part + self.columns.front

    def shape(self, first: int, last: int) -> np.ndarray:
        """Return the shape of the grid of the layers `first` to `last` - 1."""
        shape = self.grid.shape.copy()
        shape[self.axis], shape[FIRST_LAYER] = last - first, first
        return shape

    def count_per_layer(self, grid: Grid) -> np.ndarray:
        """Set the grid, and return (layers,) the number of own boids in each of its layers."""
        self.grid = grid
        columns, own, layers = self.columns, self.columns.own, int(grid.shape[LAYERS])
        corner, inverse = self._scale()
        counts = np.zeros(layers, np.int64)
        kernels.count_layers(
            columns.array("state"), self.axis, own.start, own.stop, corner, inverse, layers,
            columns.array("cell"), counts,
        )  # fmt: skip
        return counts

    def set_layers(self, first: int, last: int) -> None:
        """Set the worker's layers to `first` to `last` - 1."""
        self.first, self.last = first, last

    def find_leaving(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the columns of own boids in layers of other workers, and these layers."""
        own = self.columns.own
        layers = self.columns.array("cell")[own]
        leaving = np.flatnonzero((layers < self.first) | (layers >= self.last))
        return own.start + leaving, layers[leaving]

    def sort(self) -> float:
        """Sort the own boids into cells; return the sum of squared cell occupancies."""
        shape, own = self.shape(self.first, self.last), self.columns.own
        start = np.zeros(int(shape[0] * shape[1] * shape[2]) + 1, np.int64)
        squares = self._order_columns(shape, start)
        self._gather(start)
        self._begin = start - own.start
        return squares

    def _scale(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the corner of the grid and the inverse cell size, in the kernels' precision."""
        real = self.columns.array("state").dtype
        return self.grid.corner.astype(real), (1.0 / self.grid.size).astype(real)

    def _order_columns(self, shape: np.ndarray, start: np.ndarray) -> float:
        """Fill 'order' with the own columns in the order of cells, and `start`."""
        columns, own = self.columns, self.columns.own
        threads = min(self._loop.threads, 1 + columns.count // MIN_BOIDS_PER_THREAD)
        edges = np.linspace(own.start, own.stop, threads + 1).astype(int)
        offsets = np.zeros((threads, len(start) - 1), np.int64)
        corner, inverse = self._scale()
        vectors, cell, order = map(columns.array, ("state", "cell", "column_order"))

        def count(t: int) -> None:
            kernels.count_cells(
                vectors, self.dims, edges[t], edges[t + 1], corner, inverse, shape, cell, offsets[t]
            )

        def fill(t: int) -> None:
            kernels.order_cells(edges[t], edges[t + 1], cell, offsets[t], order)

        self._loop.each(count, threads)
        squares = float(kernels.prefix_sums(offsets, start))
        start += own.start
        offsets += own.start
        self._loop.each(fill, threads)
        return squares

    def _gather(self, start: np.ndarray) -> None:
        """Move boids to their new columns, in the order of ids within a cell."""
        columns, own = self.columns, self.columns.own
        parts = 4 * self._loop.threads if columns.count > MIN_BOIDS_PER_THREAD else 1
        cuts = np.searchsorted(start, np.linspace(own.start, own.stop, parts + 1)[1:-1])
        cuts = np.concatenate([[0], cuts, [len(start) - 1]])
        order, array = columns.array("column_order"), columns.array

        def gather(k: int) -> None:
            kernels.gather_cells(
                cuts[k], cuts[k + 1], start, order, self._has_flocks, self._has_timers,
                array("ids"), array("flock_index"), array("timers"), array("state"),
                array("next_ids"), array("next_flock_index"), array("next_timers"),
                array("next_state"),
            )  # fmt: skip

        self._loop.each(gather, parts)
        for name, twin in (("search_radius2", "search_radius2"), ("memory", "next_memory")):
            if len(array(name)):
                array(twin)[:, own] = array(name)[:, order[own]]
        columns.swap_order()
