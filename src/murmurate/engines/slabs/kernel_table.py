"""A model's kernels and their table of arguments, without the arrays of boids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from murmurate.codegen.arguments import BY_NAME, SCRATCH
from murmurate.codegen.candidates import cell_kernels as kernels
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.candidates.searches import SWEEPS
from murmurate.codegen.layout import Layout
from murmurate.codegen.phases import PHASES
from murmurate.engines.bounds import MAX_DISTANCE_FACTOR
from murmurate.engines.cpu.argument_table import ArgumentTable, put_constants
from murmurate.engines.cpu.model_arguments import (
    array_sizes,
    evaluation_times,
    model_constants,
    numbers_at_times,
)
from murmurate.engines.cpu.model_kernels import ModelKernels
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.individual_numbers import individual_rows
from murmurate.engines.options import RunOptions, cores

WORK = (
    "totals", "layer_sums", "perceived_by_id", "perceived", "flocks", "parts",
    *(search.addresses for search in SWEEPS),
)  # fmt: skip


FlockIndices = Mapping[str, NDArray[np.int64]]
"""Name of a flock -> (N,) indices of its boids."""


class KernelTable:
    """The kernels and arguments of one worker.

    layout, text  of the model with all boids, as `prepared` returns them
    options       dtype, threads and seed are used
    indices       indices of the boids of each flock; 0 to N - 1 unless given
    """

    kernels_class: ClassVar[type[ModelKernels]] = ModelKernels

    def __init__(
        self, layout: Layout, text: str, options: RunOptions, indices: FlockIndices | None = None
    ) -> None:
        self.layout, self.options, self.dims = layout, options, layout.plan.model.space.dims
        sizes = layout.plan.counts.items()
        self._indices = indices or {name: np.arange(size) for name, size in sizes}
        self.threads = options.threads or cores()
        self.table = ArgumentTable(np.dtype(options.dtype), self.threads)
        self.kernels = self.kernels_class(layout, text, options.dtype)
        self.sides = {
            **array_sizes(self.layout), "room": Memory().initial_room, "width": 64, "columns": 0,
            "kernels": layout.plan.stages,
        }  # fmt: skip
        self.loop = PhaseLoop(
            self.table, self.threads,
            lambda room, thread: self.table.make_room(room, self.sides, thread),
        )  # fmt: skip

    def allocate(self, sides: Mapping[str, int]) -> None:
        """Allocate the kernels' work arrays, and write constants of all steps."""
        self.sides.update(sides)
        self.table.allocate([*SCRATCH, *WORK], self.sides)
        self._put_constants()

    def _put_constants(self) -> None:
        constants = model_constants(self.layout)
        for name in ("parts", "phases"):  # kernels write the first, and `loop` the second
            del constants[name]
        put_constants(self.table, constants, self.sides, self.options.seed)
        plan = self.layout.plan
        if plan.individual_rows:  # those of all boids, since any may come to this worker
            real = np.dtype(self.options.dtype)
            rows = individual_rows(plan, self.options.seed, self._indices, real)
            self.table.put("individual_numbers", rows)
        if plan.model.changes_numbers:
            self.table.put(
                "boid_index", np.concatenate(list(self._indices.values())).astype(np.int32)
            )

    def replace_layout(self, layout: Layout) -> None:
        """Continue with other numbers: `layout` has the same structure."""
        self.layout = layout
        self._put_constants()

    def compile(self, search: Search, stages: Iterable[int]) -> None:
        """Compile the kernels of a search for some stages."""
        self.kernels.kernel("run_steps")
        for stage in stages:
            self.kernels.kernel(f"{search.kernel}_{stage}")

    def run_search(self, search: Search, stage: int) -> None:
        """Run the kernel of a search for a stage, on all threads."""
        kernel = self.kernels.kernel(f"{search.kernel}_{stage}")
        self.table.array(search.addresses)[stage] = kernel.address
        phase = PHASES[f"SWEEP_{search.kernel.upper()}"]
        self.loop.run(self.kernels.kernel("run_steps"), [(phase, stage)])

    def put_step(self, step: int, totals: np.ndarray | None) -> None:
        """Write the model's numbers of a step, and the sums over flocks."""
        table, plan = self.table, self.layout.plan
        for name, rows in numbers_at_times(plan, evaluation_times(plan, step, 1)).items():
            real = self.options.dtype if BY_NAME[name].dtype == "real" else rows.dtype
            table.put(name, rows.astype(real))
        for name, value in (("step", step), ("dt", plan.model.dt), ("parameter_row", 0)):
            table.set(name, value)
        table.set("time", step * plan.model.dt)
        if totals is not None:
            table.array("totals")[:] = totals

    def find_lost_boid(self, columns: slice) -> tuple[int, np.ndarray] | None:
        """Return id and position of the first lost boid of some columns."""
        vectors, table = self.table.array("state"), self.table
        limit = MAX_DISTANCE_FACTOR * max(self.layout.plan.model.space.size)
        column = kernels.find_lost_boid(
            vectors, self.dims, columns.start, columns.stop, table.array("centre"), limit
        )
        if column < 0:
            return None
        return int(table.array("ids")[column]), vectors[: self.dims, column].copy()
