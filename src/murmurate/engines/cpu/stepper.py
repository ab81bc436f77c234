"""Stepper: steps of a simulation as runs of the loop of phases, which threads share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from murmurate.codegen.arguments import BY_NAME, SCRATCH
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.candidates.searches import SWEEPS, arrays_of_searches
from murmurate.codegen.kernel_cache import Kernel
from murmurate.codegen.layout import Layout
from murmurate.codegen.phases import phases_of
from murmurate.codegen.plan import Plan
from murmurate.engines import rng
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.argument_table import ArgumentTable, aligned_zeros, put_constants
from murmurate.engines.cpu.model_arguments import (
    array_sizes,
    count_evaluations,
    count_valid_steps,
    evaluation_times,
    model_constants,
    numbers_at_times,
    sizes_by_count,
)
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.cpu.state_arrays import StateArrays
from murmurate.engines.individual_numbers import individual_rows
from murmurate.engines.population_change import Joins
from murmurate.neighbours.voronoi import voronoi_neighbours

MAX_RUN_STEPS = 256
MAX_RUN_UPDATES = 1_000_000  # boids whose shuffled order is drawn for one run
WORK = (
    "sent_steps", "perceived_by_id", "perceived", "state_by_id", "herd_positions", "herd_numbers",
    "initial_state", "initial_timers", "slopes", "mean_slopes", "range_results",
)  # fmt: skip
"""Arguments with arrays that kernels work in."""


STATE = ("search_radius2", "next_search_radius2")
"""Arrays of the searches that StateArrays rearranges with the boids."""


class Stepper:
    """Advances one simulation.

    table  arguments of the kernels
    state  state that the steps advance
    memory  number of threads that may share a step, and sizes of arrays
    kernel  kernel(name) returns a compiled kernel, which takes the address of a table
    make_loop  make_loop(table, threads, make_room) returns a PhaseLoop
    """

    def __init__(
        self,
        layout: Layout,
        table: ArgumentTable,
        state: StateArrays,
        memory: Memory,
        seed: int,
        kernel: Callable[[str], Kernel],
        make_loop: Callable[[ArgumentTable, int, Callable[[int, int], None]], PhaseLoop],
    ) -> None:
        self.layout, self.table, self.state = layout, table, state
        self.seed, self.kernel = seed, kernel
        self.memory, self.threads = memory, memory.threads
        self.plan: Plan = layout.plan
        self.steps_done = 0
        self._loaded_plan: Plan | None = None  # the plan whose numbers, in one row, are loaded
        self._tessellations: list[tuple[np.ndarray, np.ndarray]] = []
        self._has_kernels = False  # whether the table has the addresses of kernels
        self._first_step = 0  # of the present run
        self.loop = make_loop(table, memory.threads, self._make_room)
        self._allocate()
        self._put_constants()

    def _allocate(self) -> None:
        """Allocate the arrays that kernels work in."""
        table, state, layout, threads = self.table, self.state, self.layout, self.threads
        self._sides = {
            **array_sizes(layout, self.memory), "columns": state.state.shape[1],
            "ranges": 4 * threads,
        }  # fmt: skip
        table.allocate([*SCRATCH, *WORK, *arrays_of_searches(layout)], self._sides)

    def _put_constants(self) -> None:
        """Store arguments that stay the same from step to step."""
        rows = phases_of(self.layout, count_evaluations(self.plan), self.threads)
        constants = model_constants(self.layout, self.memory)
        constants["phases"] = [n for row in rows for n in row]
        del constants["parts"]  # the kernels write them
        put_constants(self.table, constants, self._sides | {"phases": len(rows)}, self.seed)

    def _make_room(self, room: int, thread: int) -> None:
        """Allocate room in which a thread can stage `room` boids."""
        self.table.make_room(room, self._sides, thread)

    def replace_layout(self, layout: Layout) -> None:
        """Continue with other numbers: a layout of the same structure."""
        self.layout, self.plan = layout, layout.plan

    def resize(self, layout: Layout, leaves: np.ndarray, joins: Mapping[str, Joins]) -> None:
        """Continue with other numbers of boids, whose state arrays have their sizes already."""
        if self._loaded_plan is self.plan:
            self._loaded_plan = layout.plan
            if layout.plan.individual_rows:
                self._rearrange_individuals(layout.plan, leaves, joins)
        before, self.layout, self.plan = self._sides, layout, layout.plan
        self._sides = {
            **before, **sizes_by_count(layout, self.memory),
            "columns": self.state.state.shape[1],
        }  # fmt: skip
        room = max(self._sides["room"], self.table.array("stage").shape[1])
        self._sides["room"] = room
        changed = {side for side in self._sides if self._sides[side] != before.get(side)}
        names = [*SCRATCH, *WORK, *arrays_of_searches(layout)]
        resized = [n for n in names if changed & set(BY_NAME[n].shape) and n not in STATE]
        self.table.resize(resized, self._sides)
        self.table.set("n_boids", layout.n_boids)
        self.table.set("gridded", layout.n_gridded)
        self.table.set("max_chunks", self._sides["chunks + 1"] - 1)

    # --- steps

    def advance(self, step: int, steps: int) -> int:
        """Make up to `steps` steps; return how many are done. Raises LostBoidError."""
        table, plan, count = self.table, self.plan, self.state.count
        steps = count_valid_steps(plan, step, min(steps, MAX_RUN_STEPS))
        if plan.tessellations:
            self._tessellations = tessellate(plan, self.state.by_id())
            self._put_links()
            steps = 1
        if plan.model.order == "shuffled":
            steps = min(steps, max(1, MAX_RUN_UPDATES // count))
            table.put("update_order", rng.shuffled_orders(self.seed, step, count, steps))
        self._put_numbers(step, steps)
        self._put_kernels()
        for name, value in (
            ("step", step), ("steps", steps), ("steps_done", 0),
            ("lost", -1),
        ):  # fmt: skip
            table.set(name, value)
        self._first_step = step
        self.loop.begin(self.kernel("run_steps"), self._useful_threads())
        return self._finish()

    def _useful_threads(self) -> int:
        """Return the number of threads that may share the next run, by its work.

        The work of a sequential step is counted in candidates: an update costs as much as 50, and
        tests those in the cells around, at the mean density of the last grid.
        """
        if self.plan.model.order == "synchronous":
            return self.threads
        candidates = 0.0
        if self.layout.gridded:
            nx, ny, nz, radius_x, radius_y = self.table.array("grid").tolist()[:5]
            around = (2 * radius_x + 1) * (2 * radius_y + 1) * min(nz, 3)
            candidates = self.layout.n_gridded * around / max(nx * ny * nz, 1)
        work = self.state.count * (50.0 + candidates)
        return max(1, min(self.threads, int(work / self.memory.min_thread_work)))

    def finish_step(self) -> int:
        """Finish a run that an exception interrupted in `advance`, and return its number of
        steps."""
        if not self.loop.unfinished:
            return 0
        if self.loop.untouched and not self.table.number("steps_done"):
            self.loop.drop()
            return 0
        self.table.set("steps", self.table.number("steps_done") + 1)
        return self._finish()

    def _finish(self) -> int:
        """Finish the present run, and return its number of steps."""
        self.loop.finish(self._put_links)
        self.state.swapped = True
        steps, lost = self.table.number("steps_done"), self.table.number("lost")
        self.steps_done += steps
        if lost >= 0:
            raise LostBoidError(self._first_step + steps, *self.state.locate_boid(lost))
        return steps

    # --- arguments

    def load(self, step: int) -> None:
        """Store the kernels, and the numbers of a step."""
        self._put_numbers(step, 1)
        self._put_kernels()

    def _put_kernels(self) -> None:
        """Store the addresses of kernels."""
        if self._has_kernels:
            return
        table, layout = self.table, self.layout
        for search in SWEEPS:
            table.put(search.addresses, self._addresses(search))
        parts = layout.step_parts(self.threads).items()
        addresses = [self.kernel(f"{name}_alone").address if has else 0 for name, has in parts]
        table.put("step_kernels", np.array(addresses, np.int64))
        if self.plan.integrates:
            table.set("settle_kernel", self.kernel("settle").address)
        self._has_kernels = True

    def _addresses(self, search: Search) -> np.ndarray:
        """Return the addresses of a search's kernels, one per stage; 0 for stages without boids."""
        if self.plan.model.order != "synchronous":
            return np.array([self.kernel("update_in_order").address], np.int64)
        sweeps = any(search.sweeps(self.layout, flock) for flock in self.plan.flocks)
        names = [f"{search.kernel}_{stage}" for stage in range(self.plan.stages)]
        return np.array([self.kernel(n).address if sweeps else 0 for n in names], np.int64)

    def _put_numbers(self, step: int, steps: int) -> None:
        """Store the model's numbers in some steps."""
        changing = self.plan.scheduled
        if self._loaded_plan is self.plan and not changing:
            return
        self.table.set("dt", self.plan.model.dt)
        times = evaluation_times(self.plan, step, steps)
        for name, rows in numbers_at_times(self.plan, times).items():
            dtype = self.state.state.dtype if BY_NAME[name].dtype == "real" else rows.dtype
            self.table.put(name, rows.astype(dtype))
        loaded, own = self._loaded_plan, self.plan.individual_slots
        if own and (loaded is None or loaded.individual_slots != own):
            self._put_individuals()
        self._loaded_plan = self.plan

    def _put_individuals(self) -> None:
        """Store the numbers that differ between boids."""
        dtype, indices = self.state.state.dtype, self.state.indices
        rows = individual_rows(self.plan, self.seed, indices, dtype)
        self.table.put("individual_numbers", rows)

    def _rearrange_individuals(
        self, plan: Plan, leaves: np.ndarray, joins: Mapping[str, Joins]
    ) -> None:
        """Keep the individual numbers of boids that stay, and draw those of boids that join."""
        dtype, numbers = self.state.state.dtype, self.table.array("individual_numbers")
        rows, first = [], 0
        for name, size in self.plan.counts.items():
            stays = ~leaves[first : first + size]
            rows.append(numbers[first : first + size][stays])
            own = self.state.indices[name]
            joined = {name: own[len(own) - len(joins[name].positions) :]}
            rows.append(individual_rows(plan, self.seed, joined, dtype))
            first += size
        together = aligned_zeros((sum(map(len, rows)), plan.individual_columns), dtype)
        np.concatenate(rows, out=together)
        self.table.put("individual_numbers", together)

    def _put_links(self) -> None:
        """Store Voronoi neighbours by column, in the present order of boids."""
        self.state.swapped = True
        ids = self.state.ids[: self.state.count]
        offsets, links = links_by_column(self._tessellations, ids)
        self.table.put("voronoi_offsets", offsets)
        self.table.put("voronoi_links", links)


def tessellate(plan: Plan, state: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the Voronoi neighbours of every boid in each tessellation, by id: (offsets, links).

    plan  its `tessellations` list the flocks of each
    state  (2 D, boids) positions and velocities in id order
    """
    space, result = plan.model.space, []
    first, ranges = 0, {}
    for name, size in plan.counts.items():
        ranges[name], first = np.arange(first, first + size), first + size
    for flocks in plan.tessellations:
        ids = np.concatenate([ranges[name] for name in flocks])
        offsets, links = voronoi_neighbours(state[: space.dims, ids].T.astype(float), space)
        counts = np.zeros(state.shape[1], np.int64)
        counts[ids] = np.diff(offsets)
        result.append((np.concatenate([[0], np.cumsum(counts)]), ids[links]))
    return result


def links_by_column(
    tessellations: list[tuple[np.ndarray, np.ndarray]], ids: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return neighbours by column instead of by id.

    tessellations  (offsets, links) neighbours by id, see `tessellate`
    ids  (columns,)
    offsets  (tessellations, columns + 1) where the links of each column begin
    links  columns of neighbours. Those of one boid are in the order of their ids.
    """
    count = len(ids)
    column_of = np.empty(count, np.int64)
    column_of[ids] = np.arange(count)
    offsets = np.zeros((len(tessellations), count + 1), np.int64)
    links, total = [np.zeros(0, np.int64)], 0
    for k, (begins, neighbours) in enumerate(tessellations):
        sizes = np.diff(begins)[ids]
        ends = np.cumsum(sizes)
        offsets[k] = total + np.concatenate([[0], ends])
        order = np.repeat(begins[:-1][ids] - (ends - sizes), sizes) + np.arange(sizes.sum())
        links.append(column_of[neighbours[order]])
        total += len(neighbours)
    return offsets, np.concatenate(links)
