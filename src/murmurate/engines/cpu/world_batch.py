"""WorldBatch: many simulations of one model, advanced together by one compiled call.

A world has the table of arguments and the arrays of a simulation on one thread. All worlds share
kernels and constants; what changes lies in one block of memory per world. Threads take whole
worlds, see templates/worlds.py.j2, and write their states in id order into arrays of all worlds.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from murmurate.activity import KERNELS, doing
from murmurate.codegen.arguments import BY_NAME, OFFSETS, SCRATCH, WORDS
from murmurate.codegen.candidates.search import Memory as Room
from murmurate.codegen.candidates.searches import SWEEPS
from murmurate.codegen.compile_jobs import compile_in_thread
from murmurate.codegen.kernel_cache import worlds_module
from murmurate.codegen.layout import Layout
from murmurate.codegen.phases import CONTROL
from murmurate.codegen.plan import Plan
from murmurate.engines import rng
from murmurate.engines.bounds import wrap_upper_face
from murmurate.engines.cpu.argument_table import ALIGNMENT, ArgumentTable, aligned_zeros
from murmurate.engines.cpu.model_arguments import (
    EVALUATIONS,
    ONE_THREAD,
    array_sizes,
    model_constants,
    numbers_at_times,
)
from murmurate.engines.cpu.model_kernels import ModelKernels, layout_with_numbers
from murmurate.engines.cpu.phase_loop import PhaseLoop
from murmurate.engines.cpu.state_arrays import StateArrays, make_history, past_by_boid
from murmurate.engines.cpu.stepper import MAX_RUN_STEPS, Stepper
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.individual_numbers import individual_rows
from murmurate.engines.options import RunOptions, cores
from murmurate.engines.state import FlightState, first_ids, states_of_flocks
from murmurate.frame import WorldsFlock
from murmurate.model.model import Model
from murmurate.model.obstacles import Wall
from murmurate.model.quantity import is_scheduled

NUMBERS = ("numbers_by_step", "obstacles_by_step", "next_obstacles_by_step", "errors_by_step")
"""Arguments with the numbers of models: worlds with equal numbers share them."""
OUTPUTS = {
    "positions": "world_positions", "velocities": "world_velocities",
    "perch_timers": "world_timers", "memory": "world_memory",
}  # fmt: skip
"""Fields of WorldsFlock -> arguments into which kernels write states."""
Memory = tuple[str, int, np.ndarray]
"""A flock, the first number of its per-boid state that changes, and (M, E, N) values by id."""
OWN_BLOCKS = ("history", "individual_numbers", "update_order")
"""Arguments in blocks of their own, which a world keeps when it is loaded again."""
WINDOW_STEPS = 256  # steps of scheduled numbers that are computed together
MAX_ORDER_BYTES = 2**26  # of the shuffled orders of one call


def find_reasons(model: Model) -> list[str]:
    """Return why worlds of a model cannot be advanced together; [] if they can."""
    reasons = []
    if model.changes_numbers:
        reasons.append("boids join or leave")
    if any(getattr(rule, "neighbours", "") == "voronoi" for rule in model.rules.values()):
        reasons.append("Python finds Voronoi neighbours at each step")
    walls = [shape for shape in model.obstacles.values() if isinstance(shape, Wall)]
    if any(is_scheduled(number) for wall in walls for number in wall.normal):
        reasons.append("Python checks walls that turn at each step")
    return reasons


def layouts_of(
    first: Layout, models: Sequence[Model], thresholds: CpuThresholds | None = None
) -> list[Layout] | None:
    """Return the layout of each model for the kernels of another layout; None if one needs others.

    models  worlds may share one
    thresholds  sizes from which cells pay. The default is that of processors.
    """
    layouts = {id(first.plan.model): first}
    for model in models:
        if id(model) not in layouts:
            layout = layout_with_numbers(first, model, thresholds)
            if layout is None:
                return None
            layouts[id(model)] = layout
    return [layouts[id(model)] for model in models]


class WorldBatch:
    """Worlds of models with the same kernels, and with the same numbers of boids.

    layouts  the layout of each world, (E,): see layouts_of
    source  the source of their kernels
    states  the state of each world
    seeds  (E,)
    options  precision and threads
    room  sizes of arrays. The default suits processors.
    """

    def __init__(
        self,
        layouts: Sequence[Layout],
        source: str,
        states: Sequence[FlightState],
        seeds: Sequence[int],
        options: RunOptions,
        room: Room = ONE_THREAD,
    ) -> None:
        self.count, self.layout = len(seeds), layouts[0]
        self.plan, self._seeds = self.layout.plan, list(seeds)
        self._dtype, self._all = np.dtype(options.dtype), np.arange(self.count)
        self._steps = np.zeros(self.count, np.int64)  # of each world
        ends = np.cumsum([0, *self.plan.counts.values()]).tolist()
        self._parts = {name: slice(*ends[k : k + 2]) for k, name in enumerate(self.plan.counts)}
        self._build_template(source, states[0], room)
        self._sides = array_sizes(self.layout, room) | {
            "columns": self._arrays["state"].shape[-1], "worlds": self.count,
        }  # fmt: skip
        self._build_table(min(options.threads or cores(), self.count))
        self._set_layouts(layouts)
        self.restart(range(self.count), states, seeds)

    @property
    def steps_done(self) -> np.ndarray:
        """Return the steps of each world since its start, (E,)."""
        return self._steps

    # --- memory

    def _build_template(self, source: str, state: FlightState, room: Room) -> None:
        """Make the table and arrays of a simulation, and a copy of them for each world."""
        layout, plan = self.layout, self.plan
        parts = [name for name, needed in layout.step_parts(1).items() if needed]
        self._kernels = ModelKernels(layout, source, self._dtype.name, parts)
        table = ArgumentTable(self._dtype, 1)
        arrays = StateArrays(layout, table, state)
        history = make_history(plan, arrays, state)
        stepper = Stepper(layout, table, arrays, room, 0, self._kernels.kernel, PhaseLoop)
        stepper.load(state.step)
        self._template_table = table  # holds the constants that worlds share
        constants = {*model_constants(layout, room), *(search.addresses for search in SWEEPS)}
        constants = (constants - {"parts"}) | {"step_kernels", *NUMBERS, *OWN_BLOCKS}
        own = {n: a for n, a in table.shared_arrays.items() if n not in constants}
        offsets, size = {}, 0
        for name, array in own.items():
            offsets[name] = size
            size += -(-array.nbytes // 64) * 64
        size += -size % ALIGNMENT
        self._template = np.zeros(size, np.uint8)
        for name, array in own.items():
            part = self._template[offsets[name] : offsets[name] + array.nbytes]
            part[:] = array.reshape(-1).view(np.uint8)
        self._memory = aligned_zeros((self.count, size), np.dtype(np.uint8))
        self._words = aligned_zeros((self.count, WORDS), np.dtype(np.int64))
        self._words[:] = table.words[0]
        base = _address(self._memory) + size * np.arange(self.count)
        self._words[:, OFFSETS["shared"]] = self.table_addresses
        for name, offset in offsets.items():
            self._words[:, OFFSETS[name]] = base + offset
        self._first_words = self._words.copy()
        self._arrays = {name: self._view(offsets[name], array) for name, array in own.items()}
        self._history = None
        if history is not None:
            self._history = self._own_block("history", history.past.shape, self._dtype)
        shape = (sum(plan.counts.values()), plan.individual_columns)
        self._individuals = None
        if plan.individual_rows:
            self._individuals = self._own_block("individual_numbers", shape, self._dtype)

    def _view(self, offset: int, array: np.ndarray) -> np.ndarray:
        """Return the arrays of all worlds, (E, ...), that are at an offset in their memory."""
        block = self._memory[:, offset : offset + array.nbytes].view(array.dtype)
        return block.reshape(self.count, *array.shape)

    def _own_block(self, name: str, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Return (E, ...) arrays of an argument, whose addresses are in the tables."""
        block = aligned_zeros((self.count, *shape), np.dtype(dtype))
        for words in (self._words, self._first_words):
            words[:, OFFSETS[name]] = _addresses(block)
            words[:, OFFSETS[name] + 1 : OFFSETS[name] + 1 + len(shape)] = shape
        return block

    @property
    def staging_room(self) -> int:
        """Return the number of boids that each thread can stage."""
        rooms = self._table.words[:, OFFSETS["stage_ids"] + 1]
        return int(rooms.max())

    @property
    def table_addresses(self) -> np.ndarray:
        """Return the addresses of the tables of worlds, (E,)."""
        return _addresses(self._words)

    def _build_table(self, threads: int) -> None:
        """Make the table of all worlds, and those of threads."""
        table, sides = ArgumentTable(self._dtype, threads), self._sides
        table.allocate(list(SCRATCH), sides)
        self.loop = PhaseLoop(table, threads, lambda room, t: table.make_room(room, sides, t))
        self._table = table
        for thread in range(threads):
            table.set("worlds", table.addresses[0], thread)
        table.put("phases", np.zeros((0, 2), np.int64))  # Python has nothing to do
        table.put("world_tables", self.table_addresses)
        self._world_steps, self._failed = table.allocate(["world_steps", "failed_worlds"], sides)
        self.arrays, self._next_arrays = (self._new_arrays() for _ in range(2))
        table.set("run_kernel", self._kernels.kernel("run_steps").address)
        self._kernel = worlds_module(self._dtype.name).kernels["run_worlds"]
        if not self._kernel.is_compiled:
            with doing(KERNELS):
                compile_in_thread(self._kernel.compile)

    def _new_arrays(self) -> dict[str, np.ndarray]:
        """Return arrays of all boids of all worlds: field of WorldsFlock -> (E, N, ...)."""
        first = first_ids(self.plan.model, self.plan.counts)
        ids = np.concatenate([first[n] + np.arange(size) for n, size in self.plan.counts.items()])
        shape = (self.count, len(ids))
        arrays = self._table.allocate([*OUTPUTS.values()], self._sides)
        return dict(zip(OUTPUTS, arrays, strict=True)) | {
            "ids": np.broadcast_to(ids, shape), "present": np.broadcast_to(True, shape)
        }  # fmt: skip

    # --- numbers

    def set_models(self, models: Sequence[Model]) -> bool:
        """Continue with other numbers; return False, and change nothing, if these need other
        kernels."""
        layouts = layouts_of(self.layout, models)
        if layouts is None:
            return False
        self._set_layouts(layouts)
        self._put_seeds(self._all)
        return True

    def _set_layouts(self, layouts: Sequence[Layout]) -> None:
        """Store the numbers of the layout of each world."""
        plans = {id(layout.plan): layout.plan for layout in layouts}
        order = {key: k for k, key in enumerate(plans)}
        self._plans = list(plans.values())
        self._plan_of = np.array([order[id(layout.plan)] for layout in layouts])
        if self.plan.herds:  # kernels write the numbers of herds among those of the model
            self._plans, self._plan_of = [layout.plan for layout in layouts], self._all
        self._scheduled = any(plan.scheduled for plan in self._plans)
        self._windows: dict[tuple[int, int], dict[str, np.ndarray]] = {}
        dts = np.array([plan.model.dt for plan in self._plans])[self._plan_of]
        for words in (self._words, self._first_words):
            words[:, OFFSETS["dt"]] = dts.view(np.int64)
        if not self._scheduled:
            self._put_numbers(np.zeros(self.count, np.int64))

    def _put_numbers(self, windows: np.ndarray) -> None:
        """Store the addresses of the numbers of the next steps.

        windows  (E,) window of each world, of WINDOW_STEPS steps
        """
        evaluations = len(EVALUATIONS[self.plan.model.integrator])
        keys = np.stack([self._plan_of, windows], axis=1)
        used, inverse = np.unique(keys, axis=0, return_inverse=True)
        before, self._windows = self._windows, {}
        tables = []
        for plan, window in used.tolist():
            key = (plan, window)
            self._windows[key] = before.get(key) or self._numbers(self._plans[plan], window)
            tables.append(self._windows[key])
        inverse = inverse.reshape(-1)
        rows = 0 * windows
        if self._scheduled:
            rows = (self._steps - windows * WINDOW_STEPS) * evaluations
        for name in NUMBERS:
            arrays = [table[name] for table in tables]
            addresses = np.array([_address(array) for array in arrays])[inverse]
            sizes = np.array([array[0].nbytes for array in arrays])[inverse]
            column = OFFSETS[name]
            for words in (self._words, self._first_words):
                words[:, column] = addresses + rows * sizes
                words[:, column + 1] = len(arrays[0]) - rows
                words[:, column + 2 : column + 1 + arrays[0].ndim] = arrays[0].shape[1:]

    def _numbers(self, plan: Plan, window: int) -> dict[str, np.ndarray]:
        """Return the numbers of a plan in the steps of a window and the one after it."""
        first = window * WINDOW_STEPS
        parts = [part for part, _, _ in EVALUATIONS[plan.model.integrator]]
        steps = range(first, first + WINDOW_STEPS + MAX_RUN_STEPS) if self._scheduled else [0]
        times = [(step + part) * plan.model.dt for step in steps for part in parts]
        if not self._scheduled:
            times = times[:1]
        rows = numbers_at_times(plan, times)
        for name, array in rows.items():
            dtype = self._dtype if BY_NAME[name].dtype == "real" else array.dtype
            rows[name] = np.ascontiguousarray(array, dtype)
        return rows

    # --- states

    def restart(
        self, worlds: Sequence[int], states: Sequence[FlightState], seeds: Sequence[int]
    ) -> None:
        """Begin some worlds again, in the starts of their models, with these seeds."""
        rows, arrays = np.array(worlds, np.int64), self.arrays
        for world, seed in zip(worlds, seeds, strict=True):
            self._seeds[world] = seed
        self._steps[rows] = [state.step for state in states]
        for name, part in self._parts.items():
            flocks = [state.flocks[name] for state in states]
            for field in ("positions", "velocities"):
                arrays[field][rows, part] = np.stack([getattr(flock, field) for flock in flocks])
            arrays["perch_timers"][rows, part] = np.stack([flock.timers for flock in flocks])
            columns = len(self.plan.model.memory_of(name))
            memory = [f.memory[:, :columns] if f.memory.size else 0 for f in flocks]
            for world, own in zip(worlds, memory, strict=True):
                arrays["memory"][world, part, :columns] = own
        self._wrap(rows)
        if self._history is not None:
            state = np.concatenate([arrays["positions"][rows], arrays["velocities"][rows]], axis=2)
            self._history[rows] = state.transpose(0, 2, 1)[:, None]
        self._put_seeds(rows)
        self._load(rows)

    def _wrap(self, rows: np.ndarray) -> None:
        """Move boids at the upper face of a periodic axis to the lower one."""
        positions = self.arrays["positions"][rows]
        wrap_upper_face(self.plan.model.space, np.moveaxis(positions, -1, 0))
        self.arrays["positions"][rows] = positions

    def _put_seeds(self, rows: np.ndarray) -> None:
        """Store values that depend on the seeds of some worlds."""
        keys = [rng.split_seed(self._seeds[row]) for row in rows.tolist()]
        for words in (self._words, self._first_words):
            for k, name in enumerate(("key0", "key1")):
                words[rows, OFFSETS[name]] = [int(pair[k]) for pair in keys]
        if self._individuals is not None:
            for row in rows.tolist():
                plan = self._plans[self._plan_of[row]]
                indices = {name: np.arange(size) for name, size in plan.counts.items()}
                self._individuals[row] = individual_rows(
                    plan, self._seeds[row], indices, self._dtype
                )

    def _load(self, rows: np.ndarray) -> None:
        """Let kernels continue some worlds from `arrays` and the stored past."""
        arrays, dims = self.arrays, self.plan.model.space.dims
        self._memory[rows] = self._template
        self._words[rows] = self._first_words[rows]
        state, timers, memory = (self._arrays[n] for n in ("state", "timers", "memory"))
        for name, (column, *_) in self.layout.columns.items():
            ids, part = self._parts[name], slice(column, column + self.plan.counts[name])
            state[rows, :dims, part] = arrays["positions"][rows, ids].transpose(0, 2, 1)
            state[rows, dims:, part] = arrays["velocities"][rows, ids].transpose(0, 2, 1)
            timers[rows, part] = arrays["perch_timers"][rows, ids]
            memory[rows, :, part] = arrays["memory"][rows, ids].transpose(0, 2, 1)

    def set_flock(
        self,
        worlds: Sequence[int],
        flock: str,
        positions: np.ndarray | None,
        velocities: np.ndarray | None,
    ) -> None:
        """Replace positions and velocities of a flock in some worlds, (worlds, N, D) each."""
        rows, part = np.array(worlds, np.int64), self._parts[flock]
        if positions is not None:
            self.arrays["positions"][rows, part] = positions
            self._wrap(rows)
        if velocities is not None:
            self.arrays["velocities"][rows, part] = velocities
        self._load(rows)

    def flock(self, name: str) -> WorldsFlock:
        """Return a flock in all worlds: views."""
        part, names = self._parts[name], self.plan.model.memory_of(name)
        arrays = {field: array[:, part] for field, array in self.arrays.items()}
        arrays["memory"] = arrays["memory"][..., : len(names)]
        return WorldsFlock(name, state_names=names, **arrays)

    def state(self, world: int) -> FlightState:
        """Return a copy of the state of a world."""
        step, past = int(self._steps[world]), None
        if self._history is not None:
            past = past_by_boid(self._history[world], step)
        names = "positions", "velocities", "perch_timers", "memory"
        x, v, timers, memory = (self.arrays[name][world] for name in names)
        counts, vectors = self.plan.counts, np.concatenate([x, v], axis=1)
        flocks = states_of_flocks(
            self.plan.model, counts, vectors, timers.astype(np.int64), memory, past
        )
        return FlightState(step, flocks)

    # --- steps

    def step(self, steps: int, memory: Iterable[Memory] = ()) -> int:
        """Make some steps in every world; return a world that lost a boid, or -1.

        If one did, or an exception ends the call, all worlds are as before it.

        memory  per-boid state to begin with: see Memory
        """
        own_memory = self.arrays["memory"]
        for name, first, values in memory:
            if self.arrays["memory"] is own_memory:
                self.arrays["memory"] = own_memory.copy()
            columns = slice(first, first + len(values))
            self.arrays["memory"][:, self._parts[name], columns] = np.moveaxis(values, 0, -1)
        self._table.set("loads_memory", self.arrays["memory"] is not own_memory)
        self._table.put("new_memory", self.arrays["memory"])
        if not steps:
            self._load(self._all)
            return -1
        before = self._steps.copy()
        past = None if self._history is None else self._history.copy()
        try:
            failed = -1
            while steps > 0 and failed < 0:
                steps -= self._advance(steps)
                self._table.set("loads_memory", 0)
                failed = int(self._failed.argmax()) if self._failed.any() else -1
        except BaseException:
            self.loop.stop()
            self.loop.drop()
            self.arrays["memory"] = own_memory
            self._restore(before, past)
            raise
        if failed >= 0:
            self.arrays["memory"] = own_memory
            self._restore(before, past)
        else:
            self.arrays, self._next_arrays = self._next_arrays, self.arrays
        return failed

    def _restore(self, steps: np.ndarray, past: np.ndarray | None) -> None:
        """Continue all worlds from the state before a call."""
        self._steps[:] = steps
        if self._history is not None:
            self._history[:] = past
        self._load(self._all)

    def _advance(self, steps: int) -> int:
        """Make up to `steps` steps in every world, and return how many."""
        steps = min(steps, MAX_RUN_STEPS)
        if self.plan.model.order == "shuffled":
            steps = self._put_orders(steps)
        if self._scheduled:
            self._put_numbers(self._steps // WINDOW_STEPS)
        table, control = self._table, self.loop.control
        self._world_steps[:] = self._steps
        self._failed[:] = 0
        table.set("steps", steps)
        for field, name in OUTPUTS.items():
            table.put(name, self._next_arrays[field])
        table.set("world", -1)
        while control[CONTROL["INSIDE"]]:  # threads that are about to leave the last call
            time.sleep(0)
        control[[CONTROL["TICKET"], CONTROL["DONE"]]] = 0
        self.loop.begin(self._kernel)
        self.loop.finish()
        self._steps += steps
        return steps

    def _put_orders(self, steps: int) -> int:
        """Draw the orders of update of some shuffled steps; return how many."""
        boids = sum(self.plan.counts.values())
        steps = max(1, min(steps, MAX_ORDER_BYTES // (8 * boids * self.count)))
        self._orders = self._own_block("update_order", (steps, boids), np.int64)
        for world, step in enumerate(self._steps.tolist()):
            self._orders[world] = rng.shuffled_orders(self._seeds[world], step, boids, steps)
        return steps


def _address(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def _addresses(block: np.ndarray) -> np.ndarray:
    """Return the addresses of block[0], block[1] and so on."""
    return _address(block) + block.strides[0] * np.arange(len(block))
