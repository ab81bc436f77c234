"""Stepper: steps of a simulation as runs of the loop of phases, which threads share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from murmurate.codegen.arguments import BY_NAME, SCRATCH
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.candidates.searches import SWEEPS, arrays_of_searches
from murmurate.codegen.kernel_cache import Kernel
from murmurate.codegen.layout import Layout
from murmurate.codegen.phases import phases_of
from murmurate.codegen.plan import Plan
from murmurate.engines import rng
from murmurate.engines.bounds import Lost
from murmurate.engines.cpu.argument_table import ArgumentTable, put_constants
from murmurate.engines.cpu.model_arguments import (
    changes,
    constants_of,
    evaluations_of,
    rows_of,
    sides_of,
    sound_steps,
    times_of,
)
from murmurate.engines.cpu.phase_loop import Clock, PhaseLoop
from murmurate.engines.cpu.state_arrays import StateArrays
from murmurate.neighbours.voronoi import voronoi_neighbours

BLOCK = 256  # steps in a run at most
MOST_TURNS = 1_000_000  # of which the order is drawn for a run
WORK = (
    "perceived_by_id", "perceived", "state_by_id", "herd_positions", "herd_numbers",
    "initial_state", "initial_timers", "slopes", "mean_slopes", "range_results",
)  # fmt: skip


class Stepper:
    """Makes the steps of one simulation.

    threads  how many may share a step
    kernel   name -> a compiled kernel, which takes the address of a table of arguments
    """

    def __init__(
        self,
        layout: Layout,
        table: ArgumentTable,
        state: StateArrays,
        threads: int,
        seed: int,
        kernel: Callable[[str], Kernel],
        clock: Clock,
    ) -> None:
        self.layout, self.table, self.state, self.threads = layout, table, state, threads
        self.seed, self.kernel, self.memory = seed, kernel, Memory(threads)
        self.plan: Plan = layout.plan
        self._known: Plan | None = None  # the plan whose numbers the table holds, one row of them
        self._tessellations: list[tuple[np.ndarray, np.ndarray]] = []
        self._kernels_known = False  # whether the table holds their addresses
        self._begun = 0  # the step with which a run began
        self.loop = PhaseLoop(table, threads, self._make_room, clock)
        self._allocate()
        self._put_constants()

    def _allocate(self) -> None:
        """Room for what steps work with."""
        table, state, layout, threads = self.table, self.state, self.layout, self.threads
        sides = {
            **sides_of(layout, self.memory), "columns": state.state.shape[1],
            "stretches": 4 * threads,
        }  # fmt: skip
        table.allocate([*SCRATCH, *WORK, *arrays_of_searches(layout)], sides)
        self._sides = sides

    def _put_constants(self) -> None:
        """Put what stays the same from step to step into the table."""
        rows = phases_of(self.layout, evaluations_of(self.plan), self.threads)
        constants = constants_of(self.layout, self.memory)
        constants["phases"] = [n for row in rows for n in row]
        del constants["parts"]  # the kernels write them
        put_constants(self.table, constants, self._sides | {"phases": len(rows)}, self.seed)

    def _make_room(self, room: int, thread: int) -> None:
        """Room for a thread to stage so many boids."""
        self.table.make_room(room, self._sides, thread)

    def replace_layout(self, layout: Layout) -> None:
        """Goes on with other numbers: a layout of the same structure."""
        self.layout, self.plan = layout, layout.plan
        self._put_constants()

    # --- steps

    def fly(self, step: int, steps: int) -> int:
        """Makes some of so many steps, and returns how many. Raises Lost."""
        table, plan, count = self.table, self.plan, self.state.count
        steps = sound_steps(plan, step, min(steps, BLOCK))
        if plan.tessellations:
            self._tessellations = tessellate(plan, self.state.by_id())
            self._put_links()
            steps = 1
        if plan.model.order == "shuffled":
            steps = min(steps, max(1, MOST_TURNS // count))
            table.put("update_order", rng.turns(self.seed, step, count, steps))
        self._put_rows(step, steps)
        self._put_kernels()
        for name, value in (
            ("step", step), ("dt", plan.model.dt), ("steps", steps), ("steps_done", 0), ("lost",
            -1),
        ):  # fmt: skip
            table.set(name, value)
        self._begun = step
        self.loop.begin(self.kernel("fly"))
        return self._finish()

    def _finish(self) -> int:
        self.loop.finish(self._put_links)
        self.state.follow()
        flown, lost = self.table.number("steps_done"), self.table.number("lost")
        if lost >= 0:
            raise Lost(self._begun + flown, *self.state.boid_at(lost))
        return flown

    def settle(self) -> int:
        """Ends the step in whose midst an exception ended `fly`. Returns how many steps that made.
        Raises Lost."""
        if not self.loop.unfinished:
            return 0
        if self.loop.untouched and not self.table.number("steps_done"):
            self.loop.drop()
            return 0
        self.table.set("steps", self.table.number("steps_done") + 1)
        return self._finish()

    # --- what kernels are given

    def _put_kernels(self) -> None:
        """The addresses of kernels."""
        if self._kernels_known:
            return
        table, layout = self.table, self.layout
        for search in SWEEPS:
            table.put(search.addresses, self._addresses(search))
        parts = layout.step_parts(self.threads).items()
        addresses = [self.kernel(f"{name}_alone").address if has else 0 for name, has in parts]
        table.put("step_kernels", np.array(addresses, np.int64))
        if self.plan.integrates:
            table.set("settle_kernel", self.kernel("settle").address)
        self._kernels_known = True

    def _addresses(self, search: Search) -> np.ndarray:
        """The addresses of a search's kernels, one a stage; 0 where it has none to go through."""
        if self.plan.model.order != "synchronous":
            return np.array([self.kernel("fly_in_turn").address], np.int64)
        sweeps = any(search.sweeps(self.layout, flock) for flock in self.plan.flocks)
        names = [f"{search.kernel}_{stage}" for stage in range(self.plan.stages)]
        return np.array([self.kernel(n).address if sweeps else 0 for n in names], np.int64)

    def _put_rows(self, step: int, steps: int) -> None:
        """The model's numbers in so many steps."""
        changing = changes(self.plan)
        if self._known is self.plan and not changing:
            return
        for name, rows in rows_of(self.plan, times_of(self.plan, step, steps)).items():
            real = self.state.state.dtype if BY_NAME[name].dtype == "real" else rows.dtype
            self.table.put(name, rows.astype(real))
        self._known = self.plan

    def _put_links(self) -> None:
        """Voronoi neighbours by column, as boids are sorted now."""
        self.state.follow()
        ids = self.state.ids[: self.state.count]
        offsets, links = by_column(self._tessellations, ids)
        self.table.put("voronoi_offsets", offsets)
        self.table.put("voronoi_links", links)


def tessellate(plan: Plan, state: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The Voronoi neighbours of every boid in each tessellation, by id: (offsets, links).

    state  (2 dims, boids), in id order
    """
    space, out = plan.model.space, []
    first, starts = 0, {}
    for name, size in plan.counts.items():
        starts[name], first = (first, size), first + size
    for flocks in plan.tessellations:
        ids = np.concatenate([np.arange(a, a + n) for a, n in (starts[f] for f in flocks)])
        offsets, links = voronoi_neighbours(state[: space.dims, ids].T.astype(float), space)
        counts = np.zeros(state.shape[1], np.int64)
        counts[ids] = np.diff(offsets)
        out.append((np.concatenate([[0], np.cumsum(counts)]), ids[links]))
    return out


def by_column(
    tessellations: list[tuple[np.ndarray, np.ndarray]], ids: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Neighbours by id -> by column, where column k holds boid ids[k]: (tessellations, columns + 1)
    offsets into one array of links. Within a boid's, links stay in the order of ids."""
    count = len(ids)
    column_of = np.empty(count, np.int64)
    column_of[ids] = np.arange(count)
    offsets = np.zeros((len(tessellations), count + 1), np.int64)
    links, before = [np.zeros(0, np.int64)], 0
    for k, (begins, found) in enumerate(tessellations):
        sizes = np.diff(begins)[ids]
        ends = np.cumsum(sizes)
        offsets[k] = before + np.concatenate([[0], ends])
        places = np.repeat(begins[:-1][ids] - (ends - sizes), sizes) + np.arange(sizes.sum())
        links.append(column_of[found[places]])
        before += len(found)
    return offsets, np.concatenate(links)
