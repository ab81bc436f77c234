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
from murmurate.engines.cpu.model_arguments import evaluation_times, has_schedules
from murmurate.engines.gpu.device import Device, choose_adapter, groups_of
from murmurate.engines.gpu.gpu_options import Gpu
from murmurate.engines.gpu.model_text import (
    MAX_NEAREST,
    ModelText,
    radius_slots,
    uses_cells,
)
from murmurate.engines.individuals import individual_rows
from murmurate.engines.options import RunOptions
from murmurate.engines.state import FlightState, FlockState, adapt_state, past_depth
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule

BLOCK, RANGES = 1024, 64  # as in grid.wgsl
MAX_STEPS = 64  # of a submission: watchdogs of drivers end long ones
MAX_FLOCKS, MAX_RADII = 64, 64
NOBODY = 0xFFFFFFFF
CONTROL = ("step_low", "step_high", "steps_done", "lost", "stopped")
SETTINGS = np.dtype(
    [
        ("n_boids", "u4"), ("max_cells", "u4"), ("blocks", "u4"), ("n_radii", "u4"),
        ("key", "u4", 2), ("slots", "u4"), ("scheduled", "u4"), ("lower", "f4", 4),
        ("upper", "f4", 4), ("centre", "f4", 4), ("periodic", "u4", 4), ("closed", "u4", 4),
        ("max_distance", "f4"), ("boids_per_cell", "f4"), ("dt", "f4"), ("spare", "u4"),
        ("radii", "u4", (16, 4)), ("flocks", "u4", (64, 4)),
    ]
)  # fmt: skip
UNIFORM, READ, WRITE = "uniform", "read-only-storage", "storage"
GRID_BINDINGS = {0: UNIFORM, 1: READ, 2: WRITE, 3: READ, 4: WRITE, 5: WRITE, 6: READ, 7: WRITE,
                 8: WRITE}  # fmt: skip
STAGE_BINDINGS = {**GRID_BINDINGS, 8: READ}


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
        text = ModelText.of(self._plan)
        self._uses_cells = uses_cells(self._plan)
        self._texts = (text.grid(), text.stages())
        self._cells = max_cells(self._n)
        self._blocks = -(-self._cells // BLOCK)
        self._put_state(state)
        self._allocate()
        self._put_numbers(0, 1)
        self._compile()

    def _put_state(self, state: FlightState) -> None:
        """Write the state of all boids, in id order."""
        dims, first = self.model.space.dims, 0
        boids = np.zeros((self._n, 2, 4), np.float32)
        words = boids.view(np.uint32)
        memory = np.zeros((self._plan.memory_rows, self._n), np.float32)
        for index, (name, flock) in enumerate(state.flocks.items()):
            rows = slice(first, first + len(flock.positions))
            boids[rows, 0, :dims], boids[rows, 1, :dims] = flock.positions, flock.velocities
            words[rows, 0, 3] = np.arange(rows.start, rows.stop)
            words[rows, 1, 3] = index
            columns = len(self.model.memory_of(name))
            if flock.memory.shape[1] >= columns:
                memory[:columns, rows] = flock.memory[:, :columns].T
            first = rows.stop
        positions = boids[:, 0, :dims].T.copy()
        wrap_upper_face(self.model.space, positions)
        boids[:, 0, :dims] = positions.T
        self._device.put("boids0", boids)
        self._device.put("memory0", memory)

    def _allocate(self) -> None:
        device, n = self._device, self._n
        device.allocate("boids1", 32 * n)
        device.allocate("memory1", 4 * n * self._plan.memory_rows)
        device.allocate("cells", 4 * (16 + self._cells + 2))
        device.allocate("work", 4 * (self._cells + 2 * n + self._blocks + 6 * RANGES))
        self._state_buffer = 0  # boids0 or boids1
        self._put_control()

    def _put_control(self) -> None:
        step = self.step_number
        words = [step & 0xFFFFFFFF, step >> 32, 0, NOBODY, 0, 0, 0, 0]
        self._device.put("control", np.array(words, np.uint32))

    def _settings(self, scheduled: bool) -> np.ndarray:
        plan, space = self._plan, self.model.space
        dims, settings = space.dims, np.zeros((), SETTINGS)
        radii = radius_slots(plan)
        nearest = max((rule.nearest for flock in plan.flocks for rule in flock.rules), default=0)
        settings["n_boids"], settings["max_cells"] = self._n, self._cells
        settings["blocks"], settings["n_radii"] = self._blocks, len(radii)
        settings["key"] = [int(key) for key in rng.split_seed(self.options.seed)]
        settings["slots"], settings["scheduled"] = len(plan.slots) + 1, scheduled
        settings["lower"][:dims], settings["upper"][:dims] = space.lower, space.upper
        settings["centre"][:dims] = np.add(space.lower, np.divide(space.size, 2))
        settings["periodic"][:dims] = space.periodic
        settings["closed"][:dims] = [boundary != "open" for boundary in space.boundaries]
        settings["max_distance"] = MAX_DISTANCE_FACTOR * max(space.size)
        settings["boids_per_cell"] = 1.0 if radii else max(1.0, 0.6 * nearest)
        settings["dt"] = self.model.dt
        settings["radii"].reshape(-1)[: len(radii)] = radii
        first = 0
        for k, size in enumerate(plan.counts.values()):
            settings["flocks"][k, :2] = first, size
            first += size
        return settings

    def _put_numbers(self, step: int, steps: int) -> None:
        """Write the model's numbers: a row for each step if they change in time."""
        plan, scheduled = self._plan, has_schedules(self._plan)
        times = [(step + k) * self.model.dt for k in range(steps if scheduled else 1)]
        rows = [[*plan.numbers(time), (step + k) * self.model.dt] for k, time in enumerate(times)]
        self._device.put("numbers", np.clip(rows, -FAR, FAR).astype(np.float32))
        self._device.put("settings", self._settings(scheduled), uniform=True)
        if self._loaded_plan is not plan:
            indices = {name: np.arange(size) for name, size in plan.counts.items()}
            values = individual_rows(plan, self.options.seed, indices, np.float32)
            self._device.put("individual_numbers", np.clip(values, -FAR, FAR))
            self._loaded_plan = plan

    def _compile(self) -> None:
        grid, stages = self._texts
        device, n = self._device, self._n
        boids, wide = groups_of(n), groups_of(self._blocks, 1)
        names = [
            ("measure_bounds", (RANGES, 1)), ("make_grid", (1, 1)), ("count", boids),
            ("scan_blocks", wide), ("scan_sums", (1, 1)), ("add_sums", groups_of(self._cells + 1)),
            ("scatter", boids), ("rank", boids),
        ]  # fmt: skip
        self._sort = [(*device.pipeline(grid, name, GRID_BINDINGS), size) for name, size in names]
        self._end = (*device.pipeline(grid, "end_step", GRID_BINDINGS), (1, 1))
        self._stages = [
            (*device.pipeline(stages, f"stage_{k}", STAGE_BINDINGS), boids)
            for k in range(self._plan.stages)
        ]

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
        scheduled = has_schedules(self._plan)
        evaluation_times(self._plan, self.step_number, steps)  # raises for invalid obstacles
        self._put_numbers(self.step_number, steps)
        self._put_control()
        passes, buffers, current = [], [self._state_buffer], self._state_buffer
        for _ in range(steps):
            done, current = self._passes_of_step(current)
            passes += done
            buffers.append(current)
        self._device.run(passes)
        control = dict(zip(CONTROL, self._device.read("control", np.uint32, 8), strict=False))
        completed = int(control["steps_done"])
        self._state_buffer = buffers[completed]
        self.step_number += completed
        self._steps_done += completed
        if control["stopped"]:
            raise self._lost(int(control["lost"])).run_error()
        assert completed == steps, f"{completed} of {steps} steps; scheduled: {scheduled}"

    def _passes_of_step(self, current: int) -> tuple[list[Any], int]:
        """Return the passes of a step, and the buffer that its state ends in.

        current  the buffer that its state begins in
        """
        passes = []

        def add(pipeline: Any, layout: Any, size: tuple[int, int], last: str) -> None:
            names = {
                0: "settings", 1: f"boids{current}", 2: f"boids{1 - current}",
                3: f"memory{current}", 4: f"memory{1 - current}", 5: "cells", 6: "numbers",
                7: "control", 8: last,
            }  # fmt: skip
            passes.append((pipeline, self._device.bind(layout, names), size))

        if self._uses_cells:
            for pipeline, layout, size in self._sort:
                add(pipeline, layout, size, "work")
            current = 1 - current
        for pipeline, layout, size in self._stages:
            add(pipeline, layout, size, "individual_numbers")
            current = 1 - current
        pipeline, layout, size = self._end
        add(pipeline, layout, size, "work")
        return passes, current

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
        flocks, first = {}, 0
        for name, size in plan.counts.items():
            part = slice(first, first + size)
            flocks[name] = FlockState(
                boids[part, 0, :dims].copy(), boids[part, 1, :dims].copy(),
                np.zeros(size, np.int64), memory[part, : len(self.model.memory_of(name))].copy(),
            )  # fmt: skip
            first += size
        return FlightState(self.step_number, flocks)

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
        self._state_buffer = 0

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks; a new structure compiles."""
        plan = make_plan(model, self._plan.counts)
        text = ModelText.of(plan)
        if (text.grid(), text.stages()) == self._texts:
            self.model, self._plan = model, plan
        else:
            self._steps_before += self._steps_done
            self._build(model, adapt_state(self.model, model, self.state(), seed=self.options.seed))

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks needs no other kernels."""
        return ModelText.of(make_plan(model, self._plan.counts)).stages() == self._texts[1]

    def diagnostics(self) -> Diagnostics:
        """Return the number of steps done."""
        return Diagnostics(steps_done=self._steps_before + self._steps_done)


def _problems(model: Model) -> list[str]:
    """Return what this engine cannot simulate in a model, in words."""
    problems = []
    if model.order != "synchronous":
        problems.append(f"order {model.order!r}; expected 'synchronous'")
    if model.integrator != "euler":
        problems.append(f"integrator {model.integrator!r}; expected 'euler'")
    if model.obstacles:
        problems.append("obstacles; expected none")
    for name, flock in model.flocks.items():
        if flock.sensing or flock.perching:
            problems.append(f"sensing or perching of flock {name!r}; expected neither")
    if past_depth(model):
        problems.append("delays; expected none")
    if len(model.flocks) > MAX_FLOCKS:
        problems.append(f"{len(model.flocks)} flocks; expected at most {MAX_FLOCKS}")
    for name, rule in model.rules.items():
        if not isinstance(rule, NeighbourRule):
            continue
        if rule.neighbours != "all":
            problems.append(f"rules.{name}.neighbours {rule.neighbours!r}; expected 'all'")
        if rule.nearest > MAX_NEAREST:
            problems.append(f"rules.{name}.nearest {rule.nearest}; expected at most {MAX_NEAREST}")
        if "herd" in type(rule).finish.__code__.co_varnames:  # type: ignore[attr-defined]
            problems.append(f"rule {name!r}, which senses herds; expected none")
    if model.changes_numbers:
        problems.append("a population; expected constant numbers of boids")
    return problems
