"""Engine 'gpu' simulates on a graphics card. The state stays there until it is read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.codegen.candidates.cell_functions import max_cells
from murmurate.codegen.plan import FAR, Plan
from murmurate.codegen.planner import make_plan
from murmurate.engines import rng
from murmurate.engines.base import Diagnostics, EngineBase
from murmurate.engines.bounds import MAX_DISTANCE_FACTOR, LostBoidError, wrap_upper_face
from murmurate.engines.cpu.model_arguments import EVALUATIONS, has_schedules, numbers_at_times
from murmurate.engines.cpu.state_arrays import StateHistory
from murmurate.engines.gpu.device import Device, choose_adapter, groups_of
from murmurate.engines.gpu.gpu_options import Gpu
from murmurate.engines.gpu.model_text import BINDINGS, ModelText
from murmurate.engines.gpu.sensing_text import MAX_NEAREST, radius_slots, uses_cells
from murmurate.engines.individuals import individual_rows
from murmurate.engines.options import RunOptions
from murmurate.engines.state import FlightState, FlockState, adapt_state, past_depth
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule

BLOCK, RANGES = 1024, 64  # as in grid.wgsl
MAX_STEPS = 64  # of a submission: watchdogs of drivers end long ones
MAX_FLOCKS = 32  # bits of a word, see perceive.wgsl
NOBODY = 0xFFFFFFFF
CONTROL = ("step_low", "step_high", "steps_done", "lost", "stopped")
SETTINGS = np.dtype(
    [
        ("n_boids", "u4"), ("max_cells", "u4"), ("blocks", "u4"), ("n_radii", "u4"),
        ("key", "u4", 2), ("slots", "u4"), ("scheduled", "u4"), ("lower", "f4", 4),
        ("upper", "f4", 4), ("centre", "f4", 4), ("periodic", "u4", 4), ("closed", "u4", 4),
        ("max_distance", "f4"), ("boids_per_cell", "f4"), ("first_row", "u4"),
        ("first_individual", "u4"),
        ("radii", "u4", (16, 4)), ("flocks", "u4", (64, 4)),
    ]
)  # fmt: skip


class GpuEngine(EngineBase):
    """One simulation on a graphics card: see murmurate.engines.protocol.Engine."""

    Options = Gpu
    dtype = "float32"

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Refuse a model that this engine cannot simulate, and a machine without an adapter."""
        for problem in _problems(model):
            raise ModelError(f"engine 'gpu': got {problem}. Use engine 'cpu'")
        choose_adapter(getattr(options.own, "adapter", None))

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        self.options = replace(options, dtype="float32", threads=1)
        self._device = Device(choose_adapter(getattr(options.own, "adapter", None)))
        self.family = f"gpu on {self._device.adapter.name}"
        self._steps_before = 0
        self._loaded_plan: Plan | None = None  # whose individual numbers the device has
        self._build(model, state)

    # --- building

    def _build(self, model: Model, state: FlightState) -> None:
        self.model, self.step_number = model, state.step
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self._plan = make_plan(model, counts)
        self._n = sum(counts.values())
        self._steps_done = 0
        self._modules = ModelText(self._plan).modules()
        self._evaluations = len(EVALUATIONS[model.integrator])
        self._cells = max_cells(self._n)
        self._blocks = -(-self._cells // BLOCK)
        self._groups: dict[Any, Any] = {}
        self._loaded_plan = None
        self._put_state(state)
        self._allocate(state)
        self._compile()

    def _put_state(self, state: FlightState) -> None:
        """Write the state of all boids, in id order, into the first buffer."""
        dims, first = self.model.space.dims, 0
        boids = np.zeros((self._n, 2, 4), np.float32)
        words = boids.view(np.uint32)
        memory = np.zeros((self._plan.memory_rows, self._n), np.float32)
        for index, (name, flock) in enumerate(state.flocks.items()):
            rows = slice(first, first + len(flock.positions))
            boids[rows, 0, :dims], boids[rows, 1, :dims] = flock.positions, flock.velocities
            words[rows, 0, 3] = np.arange(rows.start, rows.stop)
            words[rows, 1, 3] = index + (flock.timers << 8)
            columns = len(self.model.memory_of(name))
            if flock.memory.shape[1] >= columns:
                memory[:columns, rows] = flock.memory[:, :columns].T
            first = rows.stop
        positions = boids[:, 0, :dims].T.copy()
        wrap_upper_face(self.model.space, positions)
        boids[:, 0, :dims] = positions.T
        self._device.put("boids0", boids)
        self._device.put("memory0", memory)
        self._state_buffer = 0  # boids0 or boids1
        self._groups.clear()

    def _allocate(self, state: FlightState) -> None:
        device, n, plan = self._device, self._n, self._plan
        device.allocate("boids1", 32 * n)
        device.allocate("memory1", 4 * n * plan.memory_rows)
        device.allocate("cells", 4 * (16 + self._cells + 2))
        device.allocate("work", 4 * (self._cells + 2 * n + self._blocks + 6 * RANGES))
        needs_ids = plan.perceives or plan.integrates
        device.allocate("by_id", 32 * n if needs_ids else 0)
        device.allocate("perceived", 32 * n * len(plan.sensor_flocks))
        device.allocate("slopes", 32 * n * self._evaluations if plan.integrates else 0)
        self._first_row = MAX_STEPS * self._evaluations
        self._slots = len(plan.slots) + 2 * len(plan.sensor_flocks)
        rows = self._first_row if has_schedules(plan) else 1
        self._first_individual = self._first_row + rows * self._slots
        count = self._first_individual + len(plan.individual_rows) * n
        device.allocate("numbers", 4 * count)
        device.put("settings", self._settings(), uniform=True)
        self._put_control()
        self._put_history(state)

    def _put_history(self, state: FlightState) -> None:
        """Write the past states that flocks sense."""
        depth, dims = past_depth(self.model), self.model.space.dims
        past = np.zeros((depth, self._n, 2, 4), np.float32)
        if depth:
            memory = {name: flock.memory for name, flock in state.flocks.items()}
            columns = {name: len(self.model.memory_of(name)) for name in state.flocks}
            present = np.concatenate(
                [np.concatenate([f.positions, f.velocities], axis=1) for f in state.flocks.values()]
            )
            rows = np.zeros((depth, 2 * dims, self._n), np.float32)
            history = StateHistory(self._plan, rows, present.T)
            history.restore(state.step, memory, columns)
            past[..., :dims] = rows.transpose(0, 2, 1).reshape(depth, self._n, 2, dims)
        self._device.put("history", past)

    def _put_control(self) -> None:
        step = self.step_number
        words = [step & 0xFFFFFFFF, step >> 32, 0, NOBODY, 0, 0, 0, 0]
        self._device.put("control", np.array(words, np.uint32))

    def _settings(self) -> np.ndarray:
        plan, space = self._plan, self.model.space
        dims, settings = space.dims, np.zeros((), SETTINGS)
        radii = radius_slots(plan)
        nearest = max((rule.nearest for flock in plan.flocks for rule in flock.rules), default=0)
        settings["n_boids"], settings["max_cells"] = self._n, self._cells
        settings["blocks"], settings["n_radii"] = self._blocks, len(radii)
        settings["key"] = [int(key) for key in rng.split_seed(self.options.seed)]
        settings["slots"], settings["scheduled"] = self._slots, has_schedules(plan)
        settings["lower"][:dims], settings["upper"][:dims] = space.lower, space.upper
        settings["centre"][:dims] = np.add(space.lower, np.divide(space.size, 2))
        settings["periodic"][:dims] = space.periodic
        settings["closed"][:dims] = [boundary != "open" for boundary in space.boundaries]
        settings["max_distance"] = MAX_DISTANCE_FACTOR * max(space.size)
        settings["boids_per_cell"] = 1.0 if radii else max(1.0, 0.6 * nearest)
        settings["first_row"] = self._first_row
        settings["first_individual"] = self._first_individual
        settings["radii"].reshape(-1)[: len(radii)] = radii
        first = 0
        for k, size in enumerate(plan.counts.values()):
            settings["flocks"][k, :2] = first, size
            first += size
        return settings

    def _put_numbers(self, step: int, steps: int) -> None:
        """Write the times of some steps, and the model's numbers where they change."""
        plan, device = self._plan, self._device
        parts = [part for part, _, _ in EVALUATIONS[self.model.integrator]]
        times = [(step + k + part) * self.model.dt for k in range(steps) for part in parts]
        device.write("numbers", 0, np.array(times, np.float32))
        scheduled = has_schedules(plan)
        if scheduled or self._loaded_plan is not plan:
            columns = numbers_at_times(plan, times if scheduled else times[:1])
            errors = columns["errors_by_step"].reshape(len(columns["numbers_by_step"]), -1)
            rows = np.concatenate([columns["numbers_by_step"], errors], axis=1)
            device.write("numbers", self._first_row, np.clip(rows, -FAR, FAR).astype(np.float32))
        if plan.individual_rows and self._loaded_plan is not plan:
            indices = {name: np.arange(size) for name, size in plan.counts.items()}
            values = individual_rows(plan, self.options.seed, indices, np.float32).T
            own = np.ascontiguousarray(values[: len(plan.individual_rows)])
            device.write("numbers", self._first_individual, np.clip(own, -FAR, FAR))
        self._loaded_plan = plan

    # --- passes

    def _compile(self) -> None:
        """Compile all passes: name -> (pipeline, module, workgroups)."""
        n, plan = self._n, self._plan
        boids = groups_of(n)
        cells = groups_of(self._cells + 1)
        grid = {
            "measure_bounds": (RANGES, 1), "count": boids,
            "scan_blocks": groups_of(self._blocks, 1), "scan_sums": (1, 1), "add_sums": cells,
            "scatter": boids, "rank": boids, "end_step": (1, 1),
            **{f"make_grid_{e}": (1, 1) for e in range(self._evaluations)},
        }  # fmt: skip
        passes = {name: ("grid", size) for name, size in grid.items()}
        if plan.integrates:
            passes |= {f"evaluate_{e}": ("stages", boids) for e in range(self._evaluations)}
            place_passes = [f"place_{e}" for e in range(1, self._evaluations)]
            passes |= {name: ("integrate", boids) for name in (*place_passes, "settle")}
        else:
            passes |= {f"stage_{k}": ("stages", boids) for k in range(plan.stages)}
        if plan.perceives or plan.integrates:
            passes |= {"save_by_id": ("perceive", boids), "perceive": ("perceive", boids)}
            passes["measure_herds"] = ("perceive", (max(1, len(plan.herds)), 1))
        self._passes = {
            name: (self._device.pipeline(self._modules[module], name), module, size)
            for name, (module, size) in passes.items()
        }

    def _step_passes(self) -> list[tuple[str, int, int]]:
        """Return the passes of a step: name, and the buffers of boids that it reads and writes.

        Buffer 0 is that of the state before the step, and buffer 1 the other one.
        """
        plan, passes = self._plan, list[tuple[str, int, int]]()
        sort = [
            "measure_bounds", "make_grid_{e}", "count", "scan_blocks", "scan_sums", "add_sums",
            "scatter", "rank",
        ]  # fmt: skip
        current = 0

        def add(name: str) -> None:
            passes.append((name, current, 1 - current))

        if plan.perceives or plan.integrates:
            add("save_by_id")
        if plan.sensor_flocks:
            add("perceive")
        if plan.herds:
            add("measure_herds")
        for e in range(self._evaluations):
            if e > 0:
                passes.append((f"place_{e}", 1, 0))
                current = 0
            if uses_cells(plan):
                for name in sort:
                    add(name.format(e=e))
                current = 1 - current
            if plan.integrates:
                add(f"evaluate_{e}")
        for k in range(0 if plan.integrates else plan.stages):
            add(f"stage_{k}")
            current = 1 - current
        if plan.integrates:
            passes.append(("settle", 1, 0))
            current = 0
        add("end_step")
        return passes

    def _buffers(self, module: str, reads: int, writes: int) -> dict[int, str]:
        """Return the buffers of a pass, by the numbers of their bindings."""
        names = {
            "boids": f"boids{reads}", "next_boids": f"boids{writes}",
            "memory": f"memory{reads}", "next_memory": f"memory{writes}",
        }  # fmt: skip
        access = self._modules[module].access
        return {0: "settings", **{BINDINGS[k][0]: names.get(k, k) for k in access}}

    # --- steps

    def step(self, steps: int) -> None:
        """Advance by `steps` steps. Raises RunError for a lost boid, or a lost device."""
        if self._n == 0:
            self.step_number += steps
            return
        while steps > 0:
            count = min(steps, MAX_STEPS)
            self._run(count)
            steps -= count

    def _run(self, steps: int) -> None:
        self._put_numbers(self.step_number, steps)
        self._put_control()
        template, passes, current = self._step_passes(), [], self._state_buffer
        ends = [current]
        for _ in range(steps):
            for name, reads, writes in template:
                key = name, reads ^ current, writes ^ current
                if key not in self._groups:
                    (pipeline, layout), module, size = self._passes[name]
                    buffers = self._buffers(module, *key[1:])
                    self._groups[key] = pipeline, self._device.bind(layout, buffers), size
                passes.append(self._groups[key])
            current ^= template[-1][1]
            ends.append(current)
        self._device.run(passes)
        control = dict(zip(CONTROL, self._device.read("control", np.uint32, 8), strict=False))
        completed = int(control["steps_done"])
        self._state_buffer = ends[completed]
        self.step_number += completed
        self._steps_done += completed
        if control["stopped"]:
            raise self._lost(int(control["lost"])).run_error()

    def _lost(self, boid: int) -> LostBoidError:
        first = 0
        for name, size in self._plan.counts.items():
            if boid < first + size:
                position = self.state().flocks[name].positions[boid - first]
                return LostBoidError(self.step_number, name, boid - first, position)
            first += size
        raise AssertionError(boid)

    # --- state

    def state(self) -> FlightState:
        """Return the present state: copies, in id order."""
        dims, plan, n = self.model.space.dims, self._plan, self._n
        boids = self._device.read(f"boids{self._state_buffer}", np.float32, 8 * n)
        boids = boids.reshape(n, 2, 4)
        order = np.empty(n, np.int64)
        order[boids.view(np.uint32)[:, 0, 3]] = np.arange(n)
        rows = plan.memory_rows
        memory = self._device.read(f"memory{self._state_buffer}", np.float32, rows * n)
        boids, memory = boids[order], memory.reshape(rows, n)[:, order].T
        timers = (boids.view(np.uint32)[:, 1, 3] >> 8).astype(np.int64)
        past = self._past()
        flocks, first = {}, 0
        for name, size in plan.counts.items():
            part = slice(first, first + size)
            columns = [memory[part, : len(self.model.memory_of(name))], past[part]]
            flocks[name] = FlockState(
                boids[part, 0, :dims].copy(), boids[part, 1, :dims].copy(), timers[part],
                np.concatenate(columns, axis=1),
            )  # fmt: skip
            first += size
        return FlightState(self.step_number, flocks)

    def _past(self) -> np.ndarray:
        """Return (boids, depth * 2 D) past states in id order, the most recent one first."""
        depth, dims, n = past_depth(self.model), self.model.space.dims, self._n
        past = self._device.read("history", np.float32, depth * n * 8)
        rows = past.reshape(depth, n, 2, 4)[..., :dims].reshape(depth, n, 2 * dims)
        order = [(self.step_number - 1 - k) % depth for k in range(depth)]
        return rows[order].transpose(1, 0, 2).reshape(n, depth * 2 * dims)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replace positions and velocities of a flock, (N, D) each; None keeps the present ones."""
        state = self.state()
        old = state.flocks[flock]
        new = replace(
            old,
            positions=old.positions if positions is None else positions.astype(np.float32),
            velocities=old.velocities if velocities is None else velocities.astype(np.float32),
        )
        self._put_state(FlightState(state.step, {**state.flocks, flock: new}))

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks; a new structure compiles."""
        plan = make_plan(model, self._plan.counts)
        same_rows = has_schedules(plan) == has_schedules(self._plan)
        if same_rows and ModelText(plan).modules() == self._modules:
            self.model, self._plan = model, plan
            self._device.put("settings", self._settings(), uniform=True)
        else:
            self._steps_before += self._steps_done
            self._build(model, adapt_state(self.model, model, self.state(), seed=self.options.seed))

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks needs no other kernels."""
        return ModelText(make_plan(model, self._plan.counts)).modules() == self._modules

    def diagnostics(self) -> Diagnostics:
        """Return the number of steps done, and the bytes of buffers on the device."""
        return Diagnostics(
            steps_done=self._steps_before + self._steps_done,
            state_bytes=2 * (32 + 4 * self._plan.memory_rows) * self._n,
            array_bytes=self._device.nbytes,
        )


def _problems(model: Model) -> list[str]:
    """Return what this engine cannot simulate in a model, in words."""
    problems = []
    if model.order != "synchronous":
        problems.append(f"order {model.order!r}; expected 'synchronous'")
    if model.obstacles:
        problems.append("obstacles; expected none")
    if len(model.flocks) > MAX_FLOCKS:
        problems.append(f"{len(model.flocks)} flocks; expected at most {MAX_FLOCKS}")
    for name, rule in model.rules.items():
        if not isinstance(rule, NeighbourRule):
            continue
        if rule.neighbours != "all":
            problems.append(f"rules.{name}.neighbours {rule.neighbours!r}; expected 'all'")
        if rule.nearest > MAX_NEAREST:
            problems.append(f"rules.{name}.nearest {rule.nearest}; expected at most {MAX_NEAREST}")
    if model.changes_numbers:
        problems.append("a population; expected constant numbers of boids")
    return problems
