"""Stepper: kernels called in turn: many steps in one call on one thread, one step by all threads
where sharing it pays, or a step that evaluates the forces more than once."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from murmurate.codegen.arguments import PAD
from murmurate.codegen.kernel_compiler import Kernel
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import Plan
from murmurate.engine import cell_kernels, rng
from murmurate.engine.argument_table import ArgumentTable
from murmurate.engine.cell_sort import CellSort
from murmurate.engine.integrators import METHODS
from murmurate.engine.perception import FlockPerception, in_slots
from murmurate.engine.state import StateArrays
from murmurate.engine.thread_team import PAYS, ThreadTeam
from murmurate.errors import RunError

BLOCK = 256  # steps flown in one call at most
LONGEST = 0.05  # seconds that a call of many steps should take at most
AWAY = 1e6  # a boid so many times the space's largest side from its middle is lost
FIRST_ROOM = 4096  # boids that a thread can stage, to begin with


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
        perception: FlockPerception | None,
        kernel: Callable[[str], Kernel],
    ) -> None:
        self.layout, self.table, self.state, self.team = layout, table, state, team
        self.seed, self.perception, self.kernel = seed, perception, kernel
        self.plan: Plan = layout.plan
        self.cells = CellSort(layout, state, team) if layout.gridded else None
        self._known: Plan | None = None  # the plan whose numbers the table holds, one row of them
        self._shared_from = -1  # the first column of the parts that the table holds
        self._herds: dict[int, np.ndarray] = {}
        self._tessellations: list[tuple[np.ndarray, np.ndarray]] = []
        self._synchronous = self.plan.model.order == "synchronous"
        self._span = 0.0  # seconds that a step takes on one thread
        self._overhead = 250e-6  # seconds a step takes more than its share when threads share it
        self._put_constants()

    def _put_constants(self) -> None:
        """What of the table stays as it is from step to step."""
        table, state, space = self.table, self.state, self.plan.model.space
        sides = {
            "2 axes": 2 * state.dims, "axes": state.dims, "flocks": len(self.plan.counts),
            "lookers": len(self.plan.lookers), "columns": state.now.shape[1],
            "boids": state.count, "room": FIRST_ROOM,
            "nearest": max((r.nearest for f in self.plan.flocks for r in f.rules), default=0) or 1,
        }  # fmt: skip
        self._sides = sides
        lower, upper, centre, faces, periodic = table.allocate(
            ["lower", "upper", "centre", "faces", "periodic"], sides
        )
        self.totals, self.perceived, self._counter = table.allocate(
            ["totals", "perceived", "counter"], sides
        )
        lower[:], upper[:] = space.lower, space.upper
        faces[:] = space.lower, space.upper
        periodic[: state.dims] = space.periodic
        centre[:] = np.array(space.lower) + np.array(space.size) / 2
        self._limit = AWAY * max(space.size)
        self._centre = centre
        key0, key1 = rng.keys(self.seed)
        for name, value in (("limit", self._limit), ("key0", key0), ("key1", key1)):
            table.set(name, value)
        table.set("first_chunk", -1)
        table.set("gridded", state.gridded)
        table.set("in_turn", int(not self._synchronous))
        scratch = ["near_distance2", "near_id", "near_slot", "near_view"]
        staged = ["stage", "stage_ids", "stage_kinds", "candidates", "picked"]
        if self.cells and not self._synchronous:
            sides["room"] = state.gridded + len(table.allocate(["gone"], sides)[0]) + 2 * PAD
            table.allocate(["column_of"], sides)
        table.allocate(scratch + staged, sides)

    def replace_layout(self, layout: Layout) -> None:
        """Goes on with other numbers: a layout of the same structure."""
        self.layout, self.plan = layout, layout.plan
        if self.cells:
            self.cells.layout = layout

    # --- steps

    def fly(self, step: int, steps: int) -> int:
        """Flies some of so many steps, and returns how many. Raises Lost."""
        if self.plan.integrates:
            self._integrate(step)
            return 1
        if self._synchronous and (self.perception or self._sharing_pays()):
            self._one_step(step)
            return 1
        most = min(BLOCK, max(1, int(LONGEST / self._span))) if self._span else 1
        return self._many_steps(step, min(steps, 1 if self.perception else most))

    def _sharing_pays(self) -> bool:
        """Whether threads that share each step are faster than one that flies many steps in one
        call: by what both were measured to take. The result is the same."""
        saved = self._span * (1.0 - 1.0 / self.team.size)
        return self.team.size > 1 and (self.team.always or saved > PAYS * self._overhead)

    def _many_steps(self, step: int, steps: int) -> int:
        """Steps in one call, on one thread."""
        table, model = self.table, self.plan.model
        self._perceive(step)
        times = [(step + k) * model.dt for k in range(steps)]
        # where nothing is scheduled, one reading holds for all steps
        self._put_numbers(times if self.plan.scheduled else times[:1], steps)
        self._known = None
        if model.order == "shuffled":
            table.put("turns", rng.turns(self.seed, step, self.state.count, steps))
        for name, value in (("step", step), ("time", times[0]), ("dt", model.dt), ("steps", steps)):
            table.set(name, value)
        table.put("parts", np.array([self.state.gridded, self.state.count], np.int64))
        self._shared_from = -1
        some_whole = self.state.gridded < self.state.count
        table.put("stage_kernels", self._addresses("whole_{}", some_whole))
        table.put("cell_kernels", self._addresses("cells_{}", self.cells is not None))
        table.set("sums", self.plan.has_totals)
        table.set("first_stage", -1)
        table.set("flown", 0)
        fly = self.kernel("fly_many_steps")
        begun, done = perf_counter(), fly(table.addresses[0])
        while need := table.number("room_needed"):
            # the step in whose midst it ended goes on
            self._make_room(2 * need, 0)
            table.set("first_chunk", table.number("chunk"), 0)
            table.set("flown", done)
            done = fly(table.addresses[0])
        self._span = (perf_counter() - begun) / max(done, 1)
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

    def _one_step(self, step: int) -> None:
        """A step that threads share."""
        self._perceive(step)
        begun, worked = perf_counter(), self.team.worked
        self._fly_stages(step, step * self.plan.model.dt)
        self._end_step(step)
        self._span = self.team.worked - worked
        overhead = perf_counter() - begun - self._span / self.team.size
        self._overhead += 0.1 * (overhead - self._overhead)

    def _end_step(self, step: int) -> None:
        state = self.state
        lost = cell_kernels.find_stray(
            state.now, state.dims, state.count, self._centre, self._limit
        )
        self._check_lost(step + 1, lost)

    def _check_lost(self, step: int, column: int) -> None:
        if column >= 0:
            raise Lost(step, *self.state.boid_at(column))

    def _integrate(self, step: int) -> None:
        """A step that evaluates the forces more than once."""
        state, dims, model = self.state, self.state.dims, self.plan.model
        self._perceive(step)
        before, timers = state.by_id(), state.timers_by_id()
        flying = timers == 0
        periodic = np.flatnonzero(model.space.periodic)

        def accelerations(x: np.ndarray, v: np.ndarray, at: float) -> np.ndarray:
            """Of the boids at these places, with these velocities."""
            x, v = np.where(flying, x, before[:dims]), np.where(flying, v, before[dims:])
            for axis in periodic:
                lower, upper = np.array([model.space.lower[axis], model.space.upper[axis]], x.dtype)
                x[axis] -= np.floor((x[axis] - lower) / (upper - lower)) * (upper - lower)
            state.put(np.concatenate([x, v]), timers)
            self._fly_stages(step, at)
            return state.by_id()[dims:]

        method, dt = METHODS[model.integrator], before.dtype.type(model.dt)
        push, way = method(before[:dims], before[dims:], step * model.dt, dt, accelerations)
        state.put(before, timers)
        pushes = np.zeros_like(state.now)
        pushes[:, : state.count] = np.concatenate([push, way])[:, state.ids[: state.count]]
        self.table.put("pushes", pushes)
        self._begin_stage(step, step * model.dt)
        self._put_parts(0)
        self._each("settle")
        state.swap()
        self._end_step(step)

    # --- one stage after the other

    def _fly_stages(self, step: int, time: float) -> None:
        state = self.state
        grid = self.cells.sort(time) if self.cells else None
        if grid is not None and self._tessellations:
            self._put_links()
        for stage in range(self.plan.stages):
            if self.plan.has_totals:
                cell_kernels.sum_flocks(state.now, state.kinds, state.count, self.totals)
            self._begin_stage(step, time)
            if grid is not None:
                self._each(f"cells_{stage}")
            if state.gridded < state.count:
                self._put_parts(state.gridded)
                self._each(f"whole_{stage}")
            state.swap()

    def _begin_stage(self, step: int, time: float) -> None:
        if self.plan.scheduled or self._herds or self._known is not self.plan:
            self._put_numbers([time], 1)
            self._known = self.plan
        for name, value in (("step", step), ("time", time), ("moment", 0)):
            self.table.set(name, value)

    def _each(self, name: str) -> None:
        """A kernel called by each thread, until no chunk of work is left."""
        kernel, table = self.kernel(name), self.table
        self._counter[0] = 0

        def work(thread: int) -> None:
            while need := kernel(table.addresses[thread]):
                # a chunk holds more boids than there is room to stage: it is flown again
                self._make_room(2 * need, thread)
                table.set("first_chunk", table.number("chunk", thread), thread)
            table.set("first_chunk", -1, thread)

        self.team.each(name, work)

    def _make_room(self, room: int, thread: int) -> None:
        for name in ("stage", "stage_ids", "stage_kinds", "candidates", "picked"):
            self.table.put(name, self.table.made(name, {**self._sides, "room": room}), thread)

    # --- what kernels are given

    def _put_numbers(self, times: list[float], steps: int) -> None:
        real = self.state.now.dtype
        numbers = np.array([self.plan.numbers(t, self._herds) for t in times], real)
        obstacles = np.array([self.plan.obstacle_table(t) for t in times], real)
        if len(times) < steps:
            numbers = np.repeat(numbers, steps, axis=0)
            obstacles = np.repeat(obstacles, steps, axis=0)
        self.table.put("numbers_by_step", numbers)
        self.table.put("obstacles_by_step", obstacles)

    def _put_parts(self, first: int) -> None:
        """Columns from `first` on, in stretches that threads take."""
        if first == self._shared_from:
            return
        self._shared_from = first
        count, size = self.state.count, self.team.size
        parts = min(8 * size, max(1, (count - first) // 64)) if size > 1 else 1
        self.table.put("parts", np.linspace(first, count, parts + 1).astype(np.int64))

    def _perceive(self, step: int) -> None:
        """What boids sense of others beside the state, at the beginning of a step."""
        perception = self.perception
        if perception is None:
            return
        state, perceived = self.state.by_id(), self.perceived
        perception.perceive(step, state, perceived)
        self._herds = perception.herds(state, perceived)
        self._tessellations = perception.tessellate(state)
        if self._tessellations:
            self._put_links()

    def _put_links(self) -> None:
        """Voronoi neighbours by column, as boids are sorted now."""
        ids = self.state.ids[: self.state.count]
        offsets, links = in_slots(self._tessellations, ids)
        self.table.put("voronoi_offsets", offsets)
        self.table.put("voronoi_links", links)


class Lost(Exception):
    """A boid is at no finite place, or has left the space by very far.

    step, flock, boid, place  where it was seen: after which step, which boid of which flock
    """

    def __init__(self, step: int, flock: str, boid: int, place: np.ndarray) -> None:
        super().__init__(flock, boid)
        self.step, self.flock, self.boid, self.place = step, flock, boid, place

    def run_error(self) -> RunError:
        """The same for users."""
        place = ", ".join(f"{x:g}" for x in self.place)
        return RunError(
            f"boid {self.boid} of flock {self.flock!r} is at ({place}) after step {self.step}: it "
            f"left the space by more than {AWAY:g} of its sides, or its numbers are not finite. "
            "Limit its speed (motion.max_speed), lower the weights, or make dt smaller",
            step=self.step,
            flock=self.flock,
            boid=self.boid,
        )
