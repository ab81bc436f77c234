"""A worker holds the boids of some layers of the grid, and runs the kernels of engine 'cpu'.

Workers do not know each other. The coordinator asks a worker for boids that leave it and for halo
layers of others, and passes it the same. Methods take and return arrays, so a worker may run
anywhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.cell_functions import MAX_CELLS_PER_AXIS
from murmurate.codegen.candidates.cells import CHUNKS_PER_THREAD
from murmurate.codegen.candidates.grid import Grid
from murmurate.codegen.candidates.searches import CELLS
from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import wrap_upper_face
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.boid_columns import BoidColumns, SlabCells
from murmurate.engines.slabs.boids import (
    Arrays,
    BoidIdentities,
    Boids,
    HaloBoids,
    UngriddedBoids,
    make_flock_frames,
    merge_id_range,
    select_boids,
    split_by_id,
)
from murmurate.engines.slabs.decomposition import DomainDecomposition
from murmurate.engines.slabs.kernel_table import FlockIndices, KernelTable
from murmurate.engines.state import FlightState
from murmurate.frame import FlockFrame


class SlabWorker:
    """The boids of one slab.

    layout, text  of the model with all boids, as `prepared` returns them
    options       dtype, threads and seed are used
    indices       indices of the boids of each flock; 0 to N - 1 unless given
    """

    table_class: ClassVar[type[KernelTable]] = KernelTable

    def __init__(
        self, layout: Layout, text: str, options: RunOptions, indices: FlockIndices | None = None
    ) -> None:
        self._begun = text, options
        self.kernel_table = self.table_class(layout, text, options, indices)
        self.dims, self.table = self.kernel_table.dims, self.kernel_table.table
        self.threads = self.kernel_table.threads
        self.kernel_table.allocate({})
        self.columns = BoidColumns(self.table, self.kernel_table.sides)
        self.cells = SlabCells(layout, self.columns, self.kernel_table.loop)

    @property
    def _shared_rows(self) -> np.ndarray:
        """Rows of the memory that rules read of neighbours."""
        return np.array(self.kernel_table.layout.plan.states.shared_rows, np.intp)

    def renew(self, layout: Layout, indices: FlockIndices) -> None:
        """Make room for other numbers of boids, which are loaded next; the kernels stay."""
        SlabWorker.__init__(self, layout, *self._begun, indices)

    def compile(self) -> None:
        """Compile all kernels; other workers of the machine find them in the cache."""
        self.kernel_table.compile(CELLS, range(self.kernel_table.layout.plan.stages))

    def replace_layout(self, layout: Layout) -> None:
        """Continue with other numbers: `layout` has the same structure."""
        self.kernel_table.replace_layout(layout)

    # --- the state

    def load_state(self, state: FlightState, share: int, shares: int) -> None:
        """Load part `share` of `shares` of a state's boids, of any layers."""
        layout, dtype = self.kernel_table.layout, self.kernel_table.options.dtype
        self.load(select_boids(layout, state, dtype, gridded=True, share=share, shares=shares))

    def load(self, *parts: Boids) -> None:
        """Replace the boids, with any layers."""
        self.columns.count = 0
        for boids in parts:
            self.columns.append(boids)

    def boids(self) -> Boids:
        """Return a copy of the boids."""
        return self.columns.copy(self.columns.own)

    def store_copy(self, boids: Boids) -> None:
        """Store a copy of another worker's boids, in case that worker dies."""
        self._copy = boids

    def set_rows(self, name: str, row: int, first: int, values: np.ndarray) -> None:
        """Set rows of an array for the boids of a flock.

        row     of 'state' or 'memory', from which on they are set
        first   id of the flock's first boid
        values  (rows, boids of the flock), by id
        """
        own, array = self.columns.own, self.columns.array(name)
        ids = self.columns.array("ids")[own]
        selected = np.flatnonzero((ids >= first) & (ids < first + values.shape[1]))
        columns = selected + own.start
        array[row : row + len(values), columns] = values[:, ids[selected] - first]
        if name == "state":
            wrap_upper_face(self.kernel_table.layout.plan.model.space, array[:, own])

    def split_by_id(self, bounds: Sequence[int]) -> list[Arrays]:
        """Split the boids by id, see `boids.split_by_id`."""
        return split_by_id(self.columns.array, self.columns.own, bounds)

    def map_id_ranges(
        self,
        bounds: Sequence[int],
        first: int,
        function: Callable[[int, Arrays], Any],
        *parts: Arrays,
    ) -> list[Any]:
        """Merge parts, and apply `function` to each of their id ranges.

        Range k has the ids bounds[k] to bounds[k + 1] - 1; its result is
        function(first + k, arrays).
        """
        boids = merge_id_range(parts, bounds[0], bounds[-1])
        edges = [bound - bounds[0] for bound in bounds]
        return [
            function(first + k, {name: values[low:high] for name, values in boids.items()})
            for k, (low, high) in enumerate(itertools.pairwise(edges))
        ]

    def apply(self, function: Callable[[list[FlockFrame]], Any]) -> Any:
        """Apply a function to the boids: to a frame of each flock that has boids here."""
        layout = self.kernel_table.layout
        return function(make_flock_frames(layout, self.columns.array, self.columns.own))

    # --- the first part of a step: boids move to the workers that hold their layers

    def sample_positions(self, every: int) -> np.ndarray:
        """Return (dims, samples) positions of the boids whose id is a multiple of `every`."""
        own = self.columns.own
        selected = own.start + np.flatnonzero(self.columns.array("ids")[own] % every == 0)
        return self.columns.array("state")[: self.dims, selected].astype(float)

    def count_per_layer(self, grid: Grid) -> tuple[np.ndarray, int, int]:
        """Return the number of boids in each layer, and the range of layers with boids."""
        counts = self.cells.count_per_layer(grid)
        layers = np.flatnonzero(counts)
        return counts, *((int(layers[0]), int(layers[-1]) + 1) if len(layers) else (0, 0))

    def remove_leaving(
        self, slabs: DomainDecomposition, worker: int, owners: Sequence[int]
    ) -> list[Boids]:
        """Remove the boids that are now in layers of other workers; return those of each owner."""
        edges = slabs.edges
        self.cells.set_layers(edges[worker], edges[worker + 1])
        columns, layers = self.cells.find_leaving()
        leaving = [
            self.columns.copy(columns[(layers >= edges[w]) & (layers < edges[w + 1])])
            for w in owners
        ]
        self.columns.remove(columns)
        return leaving

    def receive_boids(self, *arrivals: Boids) -> float:
        """Add boids, and sort all into cells; return the sum of squared cell occupancies."""
        for boids in arrivals:
            self.columns.append(boids)
        return self.cells.sort()

    # --- the second part of a step: its stages

    def copy_layers(self, first: int, last: int, image: int, send_identities: bool) -> HaloBoids:
        """Return the boids of some layers for the halo of another worker.

        image            shift positions by this number of sides of the space
        send_identities  False if the other worker has ids, flocks and counts already
        """
        start = self.cells.start_of(first, last)
        columns = slice(int(start[0]), int(start[-1]))
        vectors = self.columns.array("state")[:, columns].copy()
        if image:
            axis = self.cells.axis
            shift = image * self.kernel_table.layout.plan.model.space.size[axis]
            vectors[axis] += vectors.dtype.type(shift)
        memory = self.columns.array("memory")[self._shared_rows, columns]
        if not send_identities:
            return HaloBoids(vectors, memory, None)
        ids, flock_index = (
            self.columns.array(name)[columns].copy() for name in ("ids", "flock_index")
        )
        counts = np.diff(start).astype(np.int32)
        return HaloBoids(vectors, memory, BoidIdentities(ids, flock_index, counts))

    def compute_stage(
        self,
        step: int,
        stage: int,
        widths: tuple[int, int],
        ungridded: UngriddedBoids | None,
        totals: np.ndarray | None,
        *halo: HaloBoids,
    ) -> int:
        """Compute the next state of the boids.

        Returns 0 on success, else the halo width needed; the caller must retry with it.

        widths  number of halo layers before and after the slab
        halo    their boids, in the order of layers: those before, then those after
        """
        if not self.columns.count:
            return 0
        if stage == 0 or any(part.identities for part in halo):
            self._place_halo(widths, ungridded, halo)
        else:
            self._update_halo(ungridded, halo)
        table = self.table
        self.kernel_table.put_step(step, totals)
        table.set("missing_halo_layers", 0)
        self.kernel_table.run_search(CELLS, stage)
        return max(table.number("missing_halo_layers", t) for t in range(self.threads))

    def _place_halo(
        self,
        widths: tuple[int, int],
        ungridded: UngriddedBoids | None,
        halo: Sequence[HaloBoids],
    ) -> None:
        """Write halo and ungridded boids to their columns, and divide the work among threads."""
        columns = self.columns
        identities = [part.identities for part in halo if part.identities]
        before = self._parts_before(widths, identities)
        low, high = (sum(map(len, parts)) for parts in (halo[:before], halo[before:]))
        columns.make_room(columns.count, low, high + (len(ungridded.ids) if ungridded else 0))
        self._spans = []
        column = columns.front - low
        for k, (part, part_ids) in enumerate(zip(halo, identities, strict=True)):
            if k == before:
                column = columns.own.stop
            span = slice(column, column + len(part))
            self._spans.append(span)
            columns.array("state")[:, span] = part.state
            columns.array("memory")[self._shared_rows, span] = part.memory
            columns.array("ids")[span] = part_ids.ids
            columns.array("flock_index")[span] = part_ids.flock_index
            column = span.stop
        self._put_ungridded(ungridded, columns.own.stop + high)
        counts = [part.counts for part in identities]
        start_before = np.concatenate([[0], *counts[:before]]).cumsum()[:-1] + columns.front - low
        start_after = np.concatenate([[0], *counts[before:]]).cumsum()[1:] + columns.own.stop
        start = np.concatenate([start_before, self.cells.start, start_after])
        shape = self.cells.shape(self.cells.first - widths[0], self.cells.last + widths[1])
        self._put_grid(start, shape)
        self._divide_work(start, shape)

    def _parts_before(self, widths: tuple[int, int], identities: Sequence[BoidIdentities]) -> int:
        """Return the number of halo parts that lie before the slab."""
        cells, before = widths[0] * self.cells.cells_per_layer, 0
        while cells > 0:
            cells -= len(identities[before].counts)
            before += 1
        return before

    def _put_grid(self, start: np.ndarray, shape: np.ndarray) -> None:
        """Write the grid of slab and halo to the table."""
        table, grid = self.table, self.cells.grid
        real = self.columns.array("state").dtype
        table.put("start", start)
        table.put("grid", shape)
        table.put("corner", grid.corner.astype(real))
        table.put("cell_size", grid.size.astype(real))
        table.put("inverse", (1.0 / grid.size).astype(real))
        width = min(int(shape[0]), MAX_CELLS_PER_AXIS) + 64
        if width > self.kernel_table.sides["width"]:
            self.kernel_table.sides["width"] = width
            table.allocate(["slab_starts", "own_starts"], self.kernel_table.sides)

    def _divide_work(self, start: np.ndarray, shape: np.ndarray) -> None:
        """Write the chunks of cells that threads process, without the halo's."""
        own, table = self.columns.own, self.table
        own_start = np.clip(start, own.start, own.stop)
        sides = {
            "runs": len(start) + 64 * self.threads,
            "chunks + 1": (CHUNKS_PER_THREAD + 4) * self.threads + 2,
        }
        runs, chunks = table.zeros_for("runs", sides), table.zeros_for("chunks", sides)
        count = kernels.plan_runs(
            own_start, shape, float(CHUNKS_PER_THREAD * self.threads), runs, chunks
        )
        table.put("runs", runs)
        table.put("chunks", chunks[: count + 1].copy())

    def _update_halo(self, ungridded: UngriddedBoids | None, halo: Sequence[HaloBoids]) -> None:
        """Write positions, velocities and states of halo and ungridded boids after a stage."""
        vectors, memory = self.columns.array("state"), self.columns.array("memory")
        for span, part in zip(self._spans, halo, strict=True):
            vectors[:, span] = part.state
            memory[self._shared_rows, span] = part.memory
        if ungridded:
            first = self._first_ungridded
            span = slice(first, first + len(ungridded.ids))
            vectors[:, span] = ungridded.state
            memory[self._shared_rows, span] = ungridded.memory

    def _put_ungridded(self, ungridded: UngriddedBoids | None, column: int) -> None:
        """Write ungridded boids to the columns from `column` on."""
        self._first_ungridded = column
        flocks, layout = self.table.array("flocks"), self.kernel_table.layout
        begins = ungridded.begins if ungridded else {}
        first = 0
        for flock_index, (name, size) in enumerate(layout.plan.counts.items()):
            begin, count = (column + begins[name], size) if name in begins else (0, 0)
            flocks[flock_index] = (begin, count, first, size)
            first += size
        if ungridded is not None:
            span = slice(column, column + len(ungridded.ids))
            for name in ("state", "ids", "flock_index"):
                self.columns.array(name)[..., span] = getattr(ungridded, name)
            self.columns.array("memory")[self._shared_rows, span] = ungridded.memory

    def finish_stage(self) -> tuple[int, np.ndarray] | None:
        """Make the next state the state. Returns id and position of the first lost boid."""
        if not self.columns.count:
            return None
        self.columns.swap()
        return self.kernel_table.find_lost_boid(self.columns.own)

    def sum_layers(self) -> np.ndarray:
        """Return (layers, flocks, 2 dims) float64: sums of positions and velocities by layer."""
        columns, cells = self.columns, self.cells
        totals, part = (self.table.array(name) for name in ("totals", "layer_sums"))
        sums = np.zeros((cells.last - cells.first, *totals.shape))
        for k, layer in enumerate(range(cells.first, cells.last)):
            start = cells.start_of(layer, layer + 1)
            kernels.sum_flocks(
                columns.array("state"), columns.array("flock_index"), self.dims, 0,
                start[0], start[-1], start, cells.grid.shape, part, sums[k],
            )  # fmt: skip
        return sums
