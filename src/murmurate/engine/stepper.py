"""Stepper: kernels called in turn: many steps in one call on one thread, or one step by all threads
where sharing it pays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from murmurate.codegen.arguments import BY_NAME, PAD
from murmurate.codegen.kernel_cache import Kernel
from murmurate.codegen.layout import HIDDEN, Layout
from murmurate.codegen.plan import Plan
from murmurate.engine import cell_kernels, rng
from murmurate.engine.argument_table import ArgumentTable
from murmurate.engine.cell_sort import CellSort
from murmurate.engine.flight_arguments import (
    changes,
    constants_of,
    rows_of,
    sides_of,
    sound_steps,
    sweeps_nearest,
    times_of,
)
from murmurate.engine.integrators import EVALUATIONS
from murmurate.engine.kernel_calls import STAGED, KernelCalls
from murmurate.engine.lost import AWAY, Lost
from murmurate.engine.shared_turns import SharedTurns
from murmurate.engine.state import StateArrays
from murmurate.engine.tessellations import by_column, tessellate
from murmurate.engine.thread_team import PAYS, ThreadTeam, TypicalCost

BLOCK = 256  # steps flown in one call at most
LONGEST = 0.05  # seconds that a call of many steps should take at most
ALONE = 20  # steps before threads try again to share turns that they could not share
FIRST_ROOM = 4096  # boids that a thread can stage, to begin with
SUMMED = ("start", "grid", "layer_sums", "totals")
SCRATCH = (
    "guesses", "distances", "near_distance2", "near_id", "near_slot", "near_view",
    "totals", "layer_sums", "known", "perceived", "counter", "state", "herd_places", "herd_numbers",
    "before", "resting", "slopes", "pushes", *STAGED,
)  # fmt: skip


class Stepper:
    """Flies the steps of one flight.

    kernel  name -> a compiled kernel, which takes the address of a table of arguments
    """

    def __init__(
        self,
        layout: Layout,
        table: ArgumentTable,
        state: StateArrays,
        team: ThreadTeam,
        seed: int,
        kernel: Callable[[str], Kernel],
    ) -> None:
        self.layout, self.table, self.state, self.team = layout, table, state, team
        self.seed, self.kernel = seed, kernel
        self.plan: Plan = layout.plan
        self._span = 0.0  # seconds that a step takes on one thread
        self._overhead = TypicalCost(250e-6)  # of a step that threads share, beyond their shares
        self._known: Plan | None = None  # the plan whose numbers the table holds, one row of them
        self._shared_from = -1  # the first column of the parts that the table holds
        self._tessellations: list[tuple[np.ndarray, np.ndarray]] = []
        self._synchronous = self.plan.model.order == "synchronous"
        self._turns_alone = 0  # before this step
        self._allocate()
        self.calls = KernelCalls(table, team, kernel, self._sides)
        self.cells = CellSort(layout, state, team) if layout.gridded else None
        self._turns: SharedTurns | None = None
        self._put_constants()

    def _allocate(self) -> None:
        """Room for what steps work with."""
        table, state = self.table, self.state
        sides = {**sides_of(self.layout), "columns": state.now.shape[1], "room": FIRST_ROOM}
        if self.layout.gridded and not self._synchronous:
            sides["room"] = state.gridded + len(table.allocate(["gone"], sides)[0]) + 2 * PAD
            table.allocate(["column_of"], sides)
        if not self.layout.gridded:
            table.allocate(["start", "grid"], {"cells + 1": 1})
        if sweeps_nearest(self.layout):
            sides["room"] = max(sides["room"], sides["columns"])
        table.allocate(list(SCRATCH), sides)
        table.array("guesses")[:] = HIDDEN**2  # as far as what is hidden: nothing is known yet
        self._sides = sides

    def _put_constants(self) -> None:
        """What of the table stays as it is from step to step."""
        table = self.table
        self._shared_from = -1
        for name, values in constants_of(self.layout).items():
            if BY_NAME[name].shape:
                table.put(name, table.made(name, {**self._sides, "parts + 1": 2}))
                table.array(name).reshape(-1)[: len(values)] = values
            else:
                table.set(name, values[0])
        key0, key1 = rng.keys(self.seed)
        table.set("key0", key0)
        table.set("key1", key1)

    def replace_layout(self, layout: Layout) -> None:
        """Goes on with other numbers: a layout of the same structure."""
        self.layout, self.plan = layout, layout.plan
        if self.cells:
            self.cells.layout = self.cells.grids.layout = layout
        self._put_constants()

    # --- steps

    def fly(self, step: int, steps: int) -> int:
        """Flies some of so many steps, and returns how many. Raises Lost."""
        if self.plan.tessellations:
            self._tessellate()
        if self._synchronous and (self.plan.tessellations or self._sharing_pays()):
            self._one_step(step)
            return 1
        may_share = self.layout.shares_turns and step >= self._turns_alone
        if may_share and self._sharing_pays() and self._turns_together(step):
            return 1
        self._overhead.forget()
        most = min(BLOCK, max(1, int(LONGEST / self._span))) if self._span else 1
        return self._many_steps(step, min(steps, 1 if self.plan.tessellations else most))

    def _sharing_pays(self) -> bool:
        """Whether threads that share each step are faster than one that flies many steps in one
        call: by what both were measured to take. The result is the same."""
        saved = self._span * (1.0 - 1.0 / self.team.size)
        return self.team.size > 1 and (self.team.always or saved > PAYS * self._overhead.seconds)

    def _many_steps(self, step: int, steps: int) -> int:
        """Steps in one call, on one thread."""
        table, model = self.table, self.plan.model
        steps = sound_steps(self.plan, step, steps)
        self._put_rows(step, steps)
        if model.order == "shuffled":
            table.put("turns", rng.turns(self.seed, step, self.state.count, steps))
        for name, value in (("step", step), ("dt", model.dt), ("steps", steps), ("flown", 0)):
            table.set(name, value)
        table.put("parts", np.array([self.state.gridded, self.state.count], np.int64))
        self._shared_from = -1
        some_whole = self.state.gridded < self.state.count
        table.put("stage_kernels", self._addresses("whole_{}", some_whole))
        table.put("cell_kernels", self._addresses("cells_{}", self.cells is not None))
        parts = self.layout.step_parts.items()
        addresses = [self.kernel(f"{name}_alone").address if has else 0 for name, has in parts]
        table.put("step_kernels", np.array(addresses, np.int64))
        if self.plan.integrates:
            table.set("settle_kernel", self.kernel("settle").address)
        fly = self.kernel("fly")
        begun, done = self.team.clock(), fly(table.addresses[0])
        while need := table.number("room_needed"):
            # the step in whose midst it ended goes on
            self.calls.make_room(2 * need, 0)
            table.set("first_chunk", table.number("chunk"), 0)
            table.set("flown", done)
            done = fly(table.addresses[0])
        self._span = (self.team.clock() - begun) / max(done, 1)
        self.state.follow()
        self._check_lost(step + done, table.number("lost"))
        return done

    def _addresses(self, name: str, there: bool) -> np.ndarray:
        """Of the kernels of all stages, where there are such."""
        if not self._synchronous:
            return np.array([self.kernel("fly_in_turn").address], np.int64)
        stages = range(self.plan.stages)
        found = [self.kernel(name.format(k)).address if there else 0 for k in stages]
        return np.array(found, np.int64)

    # --- a step that threads share

    def _turns_together(self, step: int) -> bool:
        """A step of boids that take turns; returns whether threads could share it: if not, it is
        still to be flown."""
        if self._turns is None:
            kernel = self.kernel("fly_in_turn")
            self._turns = SharedTurns(self.table, self.state, self.team, kernel)
        begun, model = self.team.clock(), self.plan.model
        self._put_rows(step, 1)
        for name, value in (("step", step), ("dt", model.dt)):
            self.table.set(name, value)
        time = self._put_moment(step, 0)
        turns = np.empty((0, 0), np.int64)
        if model.order == "shuffled":
            turns = rng.turns(self.seed, step, self.state.count)
            self.table.put("turns", turns)
        assert self.cells
        shared = self._turns.fly(self.cells.sort(time), turns.reshape(-1))
        if shared:
            self._check_lost(step + 1, self._find_stray())
        else:
            self._turns_alone = step + ALONE
        self._overhead.note(self.team.clock() - begun - self._span / self.team.size)
        return shared

    def _one_step(self, step: int) -> None:
        begun, worked = self.team.clock(), self.team.worked
        self._put_rows(step, 1)
        for name, value in (("step", step), ("nth", 0), ("dt", self.plan.model.dt)):
            self.table.set(name, value)
        self._put_moment(step, 0)
        if self.plan.perceives:
            self.calls.alone("perceive")
        if self.plan.integrates:
            self._integrate(step)
        else:
            self._fly_stages(step * self.plan.model.dt)
        self._check_lost(step + 1, self._find_stray())
        self._span = self.team.worked - worked
        self._overhead.note(self.team.clock() - begun - self._span / self.team.size)

    def _find_stray(self) -> int:
        """The first column of a boid that got lost, or -1."""
        state, centre, size = self.state, self.table.array("centre"), self.team.size
        limit = AWAY * max(self.plan.model.space.size)
        edges = np.linspace(0, state.count, size + 1).astype(int)
        found = [-1] * size

        def look(part: int) -> None:
            found[part] = cell_kernels.find_stray(
                state.now, state.dims, edges[part], edges[part + 1], centre, limit
            )

        self.team.share("stray", look, size)
        return next((column for column in found if column >= 0), -1)

    def _check_lost(self, step: int, column: int) -> None:
        if column >= 0:
            raise Lost(step, *self.state.boid_at(column))

    def _integrate(self, step: int) -> None:
        """A step that evaluates the forces more than once."""
        for k, (part, _, _) in enumerate(EVALUATIONS[self.plan.model.integrator]):
            self.table.set("evaluation", k)
            time = self._put_moment(step, k, part)
            self.calls.alone("begin_evaluation")
            self._fly_stages(time)
            self.calls.alone("end_evaluation")
        self._put_moment(step, 0)
        self.calls.alone("mean_of_evaluations")
        self._put_parts(0)
        self.calls.each("settle")
        self.state.swap()

    def _put_moment(self, step: int, evaluation: int, part: float = 0.0) -> float:
        """The row of numbers that holds, and the time, which is returned."""
        time = (step + part) * self.plan.model.dt
        rows = len(self.table.array("numbers_by_step"))
        self.table.set("moment", min(evaluation, rows - 1))
        self.table.set("time", time)
        return time

    def _fly_stages(self, time: float) -> None:
        state = self.state
        if self.cells:
            self.cells.sort(time)
            if self._tessellations:
                self._put_links()
        if self.plan.lookers:
            self.calls.alone("arrange_perceived")
        for stage in range(self.plan.stages):
            if self.plan.has_totals:
                start, grid, part, totals = map(self.table.array, SUMMED)
                cell_kernels.sum_flocks(
                    state.now, state.kinds, state.dims, state.gridded, 0, state.count, start,
                    grid, part, totals,
                )  # fmt: skip
            if self.cells:
                self.calls.each(f"cells_{stage}")
            if state.gridded < state.count:
                self._put_parts(state.gridded)
                self.calls.each(f"whole_{stage}")
            state.swap()

    # --- what kernels are given

    def _put_rows(self, step: int, steps: int) -> None:
        """The model's numbers in so many steps."""
        changing = changes(self.plan)
        if self._known is self.plan and not changing:
            return
        for name, rows in rows_of(self.plan, times_of(self.plan, step, steps)).items():
            real = self.state.now.dtype if BY_NAME[name].dtype == "real" else rows.dtype
            self.table.put(name, rows.astype(real))
        self._known = self.plan

    def _put_parts(self, first: int) -> None:
        """Columns from `first` on, in stretches that threads take."""
        if first == self._shared_from:
            return
        self._shared_from = first
        count, size = self.state.count, self.team.size
        parts = min(8 * size, max(1, (count - first) // 64)) if size > 1 else 1
        self.table.put("parts", np.linspace(first, count, parts + 1).astype(np.int64))

    def _tessellate(self) -> None:
        """Who touches whom, at the beginning of a step."""
        self._tessellations = tessellate(self.plan, self.state.by_id())
        self._put_links()

    def _put_links(self) -> None:
        """Voronoi neighbours by column, as boids are sorted now."""
        ids = self.state.ids[: self.state.count]
        offsets, links = by_column(self._tessellations, ids)
        self.table.put("voronoi_offsets", offsets)
        self.table.put("voronoi_links", links)
