"""The coordinator runs the steps of one flock on several workers.

Each worker holds some layers of the grid. In each step boids first move to the workers that hold
their layers. Before each stage, every worker receives its halo: the layers next to its own, from
the workers that hold them. The grid, the order of boids in cells and the order of all sums are
those of engine 'cpu', so results are bit-identical for any number of workers.

    grid layers    |  0  1  2  |  3  4  5  6  |  7  8  |
    workers        | worker 0  |   worker 1   |worker 2|
    halo of 1            [2]                  [7]            width 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from murmurate.codegen.candidates.cell_functions import RADIUS_X, sample_interval
from murmurate.codegen.candidates.grid import Grid, Grids
from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.initial_state import Start
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.boids import Arrays, Boids, select_boids
from murmurate.engines.slabs.decomposition import DomainDecomposition, rebalance
from murmurate.engines.slabs.executors import Executor
from murmurate.engines.slabs.kernel_table import FlockIndices
from murmurate.engines.slabs.slab_worker import SlabWorker
from murmurate.engines.slabs.ungridded_flocks import (
    UngriddedFlocks,
    needs_all_boids,
    ungridded_flocks,
)
from murmurate.engines.state import FlightState

SHRINK_EVERY = 32
"""Steps after which the halo shrinks by one layer, if a search for the nearest had widened it."""


@dataclass(frozen=True, eq=False)
class SlabCheckpoint:
    """A copy of all boids, to continue from after a worker is lost.

    step        of the copy
    boundaries  coordinates between slabs
    start       the initial state, in place of copies
    boids       futures of the boids of each worker
    ungridded   future of the ungridded boids
    """

    step: int
    boundaries: np.ndarray
    start: Start | None = None
    boids: Sequence[Any] = ()
    ungridded: Any = None


class Coordinator:
    """Starts workers and runs steps on them.

    layout, text  of the model, as `prepared` returns them
    options       dtype, threads and seed are used
    workers       number of workers; None for one per machine
    executor      calls workers
    indices       indices of the boids of each flock; 0 to N - 1 unless given
    worker_class  the class of workers
    """

    worker_class: ClassVar[type[SlabWorker]] = SlabWorker

    def __init__(
        self,
        layout: Layout,
        text: str,
        options: RunOptions,
        workers: int | None,
        executor: Executor,
        indices: FlockIndices | None = None,
    ) -> None:
        self.layout, self.executor, plan = layout, executor, layout.plan
        options, workers = executor.share_cores(options, workers)
        self.axis = 2 if plan.model.space.dims == 3 else 0  # the axis across layers
        self._periodic = bool(plan.model.space.periodic[self.axis])
        self._dtype = np.dtype(options.dtype)
        self._count = sum(plan.counts.values())
        self._grids = Grids(layout, sum(plan.counts[name] for name in layout.gridded))
        self._boundaries = np.full(workers - 1, np.nan)
        self._extra_width = [0] * workers  # halo layers of a worker beyond the radii of rules
        args = (layout, text, options) if indices is None else (layout, text, options, indices)
        self.workers = [executor.start(self.worker_class, *args) for _ in range(workers)]
        self.ungridded = (
            executor.start(UngriddedFlocks, *args, reserve_cores=False)
            if ungridded_flocks(layout)
            else None
        )
        try:
            self._compile()
        except BaseException:
            self.stop()
            raise

    @property
    def _all_workers(self) -> list[Any]:
        return [*self.workers, *([] if self.ungridded is None else [self.ungridded])]

    def _call_all(self, workers: Sequence[Any], method: str, *args: Any) -> list[Any]:
        """Call a method of some workers, and return its results."""
        return self.executor.fetch([self.executor.call(w, method, *args) for w in workers])

    def _compile(self) -> None:
        """Compile kernels on one worker of each machine; the others find them in the cache."""
        first: dict[str, Any] = {}
        for worker in self._all_workers:
            first.setdefault(self.executor.machine_of(worker), worker)
        self._call_all(list(first.values()), "compile")

    def stop(self) -> None:
        """Stop all workers."""
        self.executor.stop(self._all_workers)

    # --- the state

    def load_state(self, state: FlightState) -> None:
        """Load a state. Workers draw their own parts of an initial state."""
        executor, shares = self.executor, len(self.workers)
        if isinstance(state, Start):
            futures = [
                executor.call(worker, "load_state", state, k, shares)
                for k, worker in enumerate(self.workers)
            ]
            if self.ungridded:
                futures.append(executor.call(self.ungridded, "load_state", state))
        else:
            name = self._dtype.name
            futures = [  # part by part: this process never holds a whole recorded state
                executor.call(
                    worker,
                    "load",
                    select_boids(self.layout, state, name, gridded=True, share=k, shares=shares),
                )
                for k, worker in enumerate(self.workers)
            ]
            if self.ungridded:
                boids = select_boids(self.layout, state, name, gridded=False)
                futures.append(executor.call(self.ungridded, "load", boids))
        executor.fetch(futures)

    def make_checkpoint(self, step: int) -> SlabCheckpoint:
        """Copy all boids; the next worker stores a second copy of each worker's boids."""
        executor = self.executor
        boids = [executor.call(worker, "boids") for worker in self.workers]
        next_workers = [*self.workers[1:], self.workers[0]]
        stored = [
            executor.call(worker, "store_copy", copy)
            for worker, copy in zip(next_workers, boids, strict=True)
        ]
        ungridded = executor.call(self.ungridded, "boids") if self.ungridded else None
        if self.ungridded:
            stored.append(executor.call(self.workers[0], "store_copy", ungridded))
        executor.fetch(stored)
        return SlabCheckpoint(step, self._boundaries, None, boids, ungridded)

    def restore(self, checkpoint: SlabCheckpoint) -> None:
        """Restore from a checkpoint that any number of workers wrote."""
        if checkpoint.start is not None:
            self.load_state(checkpoint.start)
            return
        executor, shares = self.executor, len(self.workers)
        if len(checkpoint.boundaries) == shares - 1:
            self._boundaries = checkpoint.boundaries
        futures = [
            executor.call(worker, "load", *_select_share(checkpoint.boids, k, shares))
            for k, worker in enumerate(self.workers)
        ]
        if self.ungridded:
            futures.append(executor.call(self.ungridded, "load", checkpoint.ungridded))
        executor.fetch(futures)

    def boids(self) -> Iterator[Boids]:
        """Yield the boids of each worker."""
        for worker in self._all_workers:
            yield from self._call_all([worker], "boids")

    def apply(self, function: Any) -> list[Any]:
        """Apply a function to the boids of each worker; return its results."""
        return self._call_all(self._all_workers, "apply", function)

    def gather_by_id(
        self, bounds: Sequence[int], function: Callable[[int, Arrays], Any]
    ) -> Iterator[Any]:
        """Gather each id range on one worker, and yield function(k, arrays) in the order of k."""
        executor, shares = self.executor, len(self.workers)
        edges = [(len(bounds) - 1) * k // shares for k in range(shares + 1)]
        cuts = [bounds[edge] for edge in edges]
        parts = [executor.call_for_list(w, "split_by_id", shares, cuts) for w in self._all_workers]
        futures: list[Any] = []
        for k, (worker, first, last) in enumerate(
            zip(self.workers, edges, edges[1:], strict=False)
        ):
            if first < last:
                own = bounds[first : last + 1]
                futures += executor.call_for_list(
                    worker, "map_id_ranges", last - first, own, first, function,
                    *(p[k] for p in parts),
                )  # fmt: skip
        del parts  # each result is freed after it is fetched
        futures.reverse()
        while futures:
            yield executor.fetch([futures.pop()])[0]

    def set_rows(self, flock: str, name: str, row: int, values: np.ndarray) -> None:
        """Set rows of 'state' or 'memory', from `row` on, for a flock: (rows, N) values, by id."""
        counts = list(self.layout.plan.counts.items())
        first = sum(count for _, count in counts[: [name for name, _ in counts].index(flock)])
        workers = self.workers if flock in self.layout.gridded else [self.ungridded]
        self._call_all(workers, "set_rows", name, row, first, values)

    def replace_layout(self, layout: Layout) -> None:
        """Continue with other numbers: `layout` has the same structure."""
        self.layout = self._grids.layout = layout
        self._call_all(self._all_workers, "replace_layout", layout)

    def renew(self, layout: Layout, indices: FlockIndices) -> None:
        """Make room for other numbers of boids of the same structure, which are loaded next."""
        self.layout = layout
        self._count = sum(layout.plan.counts.values())
        self._grids = Grids(layout, sum(layout.plan.counts[name] for name in layout.gridded))
        self._call_all(self._all_workers, "renew", layout, indices)

    # --- steps

    def step(self, step: int) -> None:
        """Simulate a step. Raises Lost for a lost boid, and WorkerLost."""
        executor = self.executor
        reach = float(self._dtype.type(self.layout.reach(step * self.layout.plan.model.dt)))
        grid = self._grids.next(reach, self._sample_positions())
        slabs, squares = self._migrate_boids(grid)
        width = 1 if self.axis == 2 else int(grid.shape[RADIUS_X])  # layers within radii of rules
        for stage in range(self.layout.plan.stages):
            lost_boids = self._run_stage(step, stage, slabs, width)
        if reach == 0:
            self._grids.adapt(sum(executor.fetch(squares)) / self._grids.count, grid)
        if step % SHRINK_EVERY == 0:
            self._extra_width = [max(0, extra - 1) for extra in self._extra_width]
        for lost_boid in executor.fetch(lost_boids):
            if lost_boid is not None:
                raise LostBoidError(step + 1, *self._find_flock(*lost_boid))

    def _sample_positions(self) -> np.ndarray | None:
        """Return positions of some boids, from which a grid in open space is made."""
        if not self._grids.follows:
            return None
        samples = self._call_all(self.workers, "sample_positions", sample_interval(self._count))
        return np.concatenate(samples, axis=1)

    def _migrate_boids(self, grid: Grid) -> tuple[DomainDecomposition, list[Any]]:
        """Move boids to the workers that hold their layers, which sort them into cells.

        Returns the slabs, and futures of the sums of squared cell occupancies.
        """
        executor, workers = self.executor, self.workers
        layers = self._call_all(workers, "count_per_layer", grid)
        corner, size = float(grid.corner[self.axis]), float(grid.size[self.axis])
        slabs = rebalance(self._boundaries, corner, size, sum(counts for counts, _, _ in layers))
        self._boundaries = slabs.boundaries(corner, size)
        arrivals: list[list[Any]] = [[] for _ in workers]
        for k, (worker, (_, first, last)) in enumerate(zip(workers, layers, strict=True)):
            owners = [w for w in slabs.owners(first, last) if w != k]
            leaving = executor.call_for_list(
                worker, "remove_leaving", len(owners), slabs, k, owners
            )
            for owner, boids in zip(owners, leaving, strict=True):
                arrivals[owner].append(boids)
        squares = [
            executor.call(worker, "receive_boids", *arrivals[k]) for k, worker in enumerate(workers)
        ]
        return slabs, squares

    def _run_stage(
        self, step: int, stage: int, slabs: DomainDecomposition, width: int
    ) -> list[Any]:
        """Compute a stage of all boids. Returns futures of the first lost boid of each worker."""
        executor, workers = self.executor, self.workers
        totals = self._sum_flocks() if self.layout.plan.has_totals else None
        ungridded = executor.call(self.ungridded, "copy_for_others") if self.ungridded else None
        if self.ungridded:
            gridded = self._request_all_boids(slabs, stage)
            executor.call(self.ungridded, "compute_stage", step, stage, totals, *gridded)
        pending, send_identities = list(range(len(workers))), stage == 0
        while pending:
            # request all halos before any worker starts to compute, which takes long
            halos = [
                self._request_halo(slabs, k, width + self._extra_width[k], send_identities)
                for k in pending
            ]
            futures = [
                executor.call(
                    workers[k], "compute_stage", step, stage, widths, ungridded, totals, *halo
                )
                for k, (widths, halo) in zip(pending, halos, strict=True)
            ]
            missing = dict(zip(pending, executor.fetch(futures), strict=True))
            pending, send_identities = [k for k in pending if missing[k]], True
            for k in pending:
                self._extra_width[k] = max(self._extra_width[k] + 1, missing[k] - width)
        return [executor.call(worker, "finish_stage") for worker in self._all_workers]

    def _request_halo(
        self, slabs: DomainDecomposition, worker: int, width: int, send_identities: bool
    ) -> tuple[tuple[int, int], list[Any]]:
        """Return the numbers of halo layers before and after a slab, and futures of their boids."""
        sides = slabs.halo(worker, width, self._periodic)
        futures = [
            self.executor.call(
                self.workers[r.owner], "copy_layers", r.first, r.last, r.image, send_identities
            )
            for side in sides
            for r in side
        ]
        before, after = (sum(r.last - r.first for r in side) for side in sides)
        return (before, after), futures

    def _request_all_boids(self, slabs: DomainDecomposition, stage: int) -> list[Any]:
        """Return futures of all gridded boids, if an ungridded flock needs all of them."""
        if not needs_all_boids(self.layout):
            return []
        return [
            self.executor.call(worker, "copy_layers", first, last, 0, stage == 0)
            for worker, first, last in zip(self.workers, slabs.edges, slabs.edges[1:], strict=False)
            if first < last
        ]

    def _sum_flocks(self) -> np.ndarray:
        """Return (flocks, 2 dims) float64: sums of positions and velocities, in layer order."""
        totals = np.zeros((len(self.layout.plan.counts), 2 * self.layout.plan.model.space.dims))
        for layers in self._call_all(self._all_workers, "sum_layers"):
            for layer in layers:
                totals += layer
        return totals

    def _find_flock(self, boid: int, position: np.ndarray) -> tuple[str, int, np.ndarray]:
        """Return the flock of a boid, its number in the flock, and its position."""
        for name, size in self.layout.plan.counts.items():
            if boid < size:
                return name, boid, position
            boid -= size
        raise AssertionError(boid)


def _select_share(parts: Sequence[Any], share: int, shares: int) -> Sequence[Any]:
    """Return part `share` of `shares` of a sequence."""
    return parts[len(parts) * share // shares : len(parts) * (share + 1) // shares]
