"""A worker for the flocks whose boids are not in the grid: mostly small ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.nearest import sweeps_nearest
from murmurate.codegen.candidates.search import PAD
from murmurate.codegen.candidates.searches import ALL_PAIRS
from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import wrap_upper_face
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.boids import (
    BOID_ARRAYS,
    Arrays,
    Boids,
    HaloBoids,
    UngriddedBoids,
    make_flock_frames,
    select_boids,
    split_by_id,
)
from murmurate.engines.slabs.kernel_table import FlockIndices, KernelTable
from murmurate.engines.state import FlightState
from murmurate.frame import FlockFrame

TWINS = {"state": "next_state", "timers": "next_timers", "memory": "next_memory"}


def ungridded_flocks(layout: Layout) -> tuple[str, ...]:
    """Return the names of the flocks whose boids are not in the grid."""
    return tuple(name for name in layout.plan.counts if name not in layout.gridded)


def needs_all_boids(layout: Layout) -> bool:
    """Return whether an ungridded flock tests all pairs with a gridded one."""
    return any(
        layout.search(flock, sense) == "all_pairs" and sense.flock in layout.gridded
        for flock in layout.plan.flocks
        if flock.flock not in layout.gridded
        for sense in flock.senses
    )


class UngriddedFlocks:
    """The worker of all ungridded flocks; its interface is that of `SlabWorker` where both have it.

    Columns: gridded boids, if an ungridded flock needs all of them | own boids.
    """

    def __init__(
        self, layout: Layout, text: str, options: RunOptions, indices: FlockIndices | None = None
    ) -> None:
        self._begun = text, options
        self.kernel_table = KernelTable(layout, text, options, indices)
        self.names, counts = ungridded_flocks(layout), layout.plan.counts
        self.count = sum(counts[name] for name in self.names)
        self.gridded = sum(counts[n] for n in layout.gridded) if needs_all_boids(layout) else 0
        columns = self.gridded + self.count + PAD
        sides = {**self.kernel_table.sides, "columns": columns}
        if sweeps_nearest(layout):
            sides["room"] = columns
        self.kernel_table.allocate({**sides})
        self.table = self.kernel_table.table
        self.table.allocate([*BOID_ARRAYS, *TWINS.values()], sides)
        self._put_flocks()

    def _put_flocks(self) -> None:
        """Write the columns and ids of each flock to the table."""
        self.table.set("gridded", self.gridded)
        self.table.set("n_boids", self.gridded + self.count)
        flocks, column, first = self.table.array("flocks"), self.gridded, 0
        layout = self.kernel_table.layout
        for flock_index, (name, size) in enumerate(layout.plan.counts.items()):
            if name in layout.gridded:
                flocks[flock_index] = (0, self.gridded, first, size)
            else:
                flocks[flock_index] = (column, size, first, size)
                column += size
            first += size

    def renew(self, layout: Layout, indices: FlockIndices) -> None:
        """Make room for other numbers of boids, which are loaded next; the kernels stay."""
        UngriddedFlocks.__init__(self, layout, *self._begun, indices)

    def compile(self) -> None:
        """Compile all kernels."""
        self.kernel_table.compile(ALL_PAIRS, self._stages)

    @property
    def _stages(self) -> set[int]:
        """The stages in which any of the flocks acts."""
        return {f.stage for f in self.kernel_table.layout.plan.flocks if f.flock in self.names}

    def replace_layout(self, layout: Layout) -> None:
        """Continue with other numbers: `layout` has the same structure."""
        self.kernel_table.replace_layout(layout)
        self._put_flocks()

    @property
    def _shared_rows(self) -> np.ndarray:
        """Rows of the memory that rules read of neighbours."""
        return np.array(self.kernel_table.layout.plan.states.shared_rows, np.intp)

    @property
    def _own(self) -> slice:
        return slice(self.gridded, self.gridded + self.count)

    # --- the state

    def load_state(self, state: FlightState) -> None:
        """Load the boids of a state."""
        layout, dtype = self.kernel_table.layout, self.kernel_table.options.dtype
        self.load(select_boids(layout, state, dtype, gridded=False))

    def load(self, boids: Boids) -> None:
        """Replace the boids."""
        for name in BOID_ARRAYS:
            self.table.array(name)[..., self._own] = getattr(boids, name)

    def boids(self) -> Boids:
        """Return a copy of the boids."""
        return Boids(*(self.table.array(name)[..., self._own].copy() for name in BOID_ARRAYS))

    def set_rows(self, name: str, row: int, first: int, values: np.ndarray) -> None:
        """Set rows of an array for the boids of a flock, see `SlabWorker.set_rows`."""
        ids, array = (self.table.array(each)[..., self._own] for each in ("ids", name))
        begin = int(np.flatnonzero(ids == first)[0])
        array[row : row + len(values), begin : begin + values.shape[1]] = values
        if name == "state":
            wrap_upper_face(self.kernel_table.layout.plan.model.space, array)

    def split_by_id(self, bounds: Sequence[int]) -> list[Arrays]:
        """Split the boids by id, see `boids.split_by_id`."""
        return split_by_id(self.table.array, self._own, bounds)

    def apply(self, function: Callable[[list[FlockFrame]], Any]) -> Any:
        """Apply a function to the boids: to a frame of each flock."""
        return function(make_flock_frames(self.kernel_table.layout, self.table.array, self._own))

    # --- a step

    def copy_for_others(self) -> UngriddedBoids:
        """Return the boids for the other workers."""
        vectors, ids, flock_index = (
            self.table.array(name)[..., self._own].copy()
            for name in ("state", "ids", "flock_index")
        )
        counts, begins, column = self.kernel_table.layout.plan.counts, {}, 0
        for name in self.names:
            begins[name] = column
            column += counts[name]
        memory = self.table.array("memory")[self._shared_rows, self._own]
        return UngriddedBoids(vectors, memory, ids, flock_index, begins)

    def sum_layers(self) -> np.ndarray:
        """Return (1, flocks, 2 dims) float64: sums of positions and velocities."""
        array = self.table.array
        sums = np.zeros_like(array("totals"))
        kernels.sum_flocks(
            array("state"), array("flock_index"), self.kernel_table.dims, 0, self._own.start,
            self._own.stop, np.zeros(1, np.int64), np.zeros(7, np.int64), array("layer_sums"), sums,
        )  # fmt: skip
        return sums[None]

    def compute_stage(
        self, step: int, stage: int, totals: np.ndarray | None, *gridded: HaloBoids
    ) -> None:
        """Compute the next state of the boids from all gridded boids in the order of cells."""
        array, column = self.table.array, 0
        for part in gridded:
            span = slice(column, column + len(part))
            array("state")[:, span] = part.state
            array("memory")[self._shared_rows, span] = part.memory
            if part.identities:
                array("ids")[span] = part.identities.ids
                array("flock_index")[span] = part.identities.flock_index
            column = span.stop
        self.kernel_table.put_step(step, totals)
        if stage in self._stages:
            self.kernel_table.run_search(ALL_PAIRS, stage)

    def finish_stage(self) -> tuple[int, np.ndarray] | None:
        """Make the next state the state. Returns id and position of the first lost boid."""
        for name, twin in TWINS.items():
            self.table.exchange(name, twin)
        return self.kernel_table.find_lost_boid(self._own)
