"""Engine 'gpu' simulates on a graphics card. The state stays there until it is read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.codegen.mesh_data import single_words
from murmurate.codegen.plan import FAR, Plan
from murmurate.codegen.planner import make_plan
from murmurate.codegen.structure import same_structure
from murmurate.engines.base import Diagnostics
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.model_arguments import count_valid_steps, numbers_at_times
from murmurate.engines.gpu.buffer_limits import check_buffers, plan_of
from murmurate.engines.gpu.device import Adapter, Device, adapters, choose_adapter
from murmurate.engines.gpu.gpu_options import Gpu
from murmurate.engines.gpu.program import (
    CONTROL_WORDS,
    MAX_STEPS,
    NOBODY,
    Pass,
    Program,
    amounts_of,
    buffer_sizes,
    groups_of,
    size_of,
)
from murmurate.engines.gpu.state_words import (
    boid_words,
    flocks_of,
    history_words,
    past_states,
)
from murmurate.engines.gpu.wgsl_modules import BINDINGS, CONTROL, WgslModules
from murmurate.engines.gpu.wgsl_views import arcs_size
from murmurate.engines.individual_numbers import individual_rows
from murmurate.engines.memory import min_array_memory
from murmurate.engines.options import RunOptions
from murmurate.engines.population import PopulatedEngine
from murmurate.engines.state import FlightState, adapt_state, past_depth
from murmurate.errors import DeviceError
from murmurate.model.model import Model

SHARE_MEMORY = ("CPU", "IntegratedGPU")
"""Kinds of adapters whose buffers are in this machine's memory."""
MAX_SECONDS = 0.25  # of steps between two reads of `control`


class GpuEngine(PopulatedEngine):
    """One simulation on a graphics card: see murmurate.engines.base.EngineBase."""

    Options = Gpu
    dtype = "float32"
    refuses = ("order", "voronoi", "many flocks")

    @classmethod
    def problems(cls, model: Model, options: RunOptions) -> list[str]:
        """Return the parts of a model that this engine cannot simulate."""
        if options.dtype != cls.dtype:
            return [f"dtype: got {options.dtype!r}; expected {cls.dtype!r}"]
        return super().problems(model, options)

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Refuse a machine without an adapter, and buffers that the adapter does not allow."""
        check_buffers(model, _adapter_of(options))

    @classmethod
    def min_memory(cls, model: Model, options: RunOptions) -> int:
        """Return the bytes that a simulation needs at least of this machine's memory.

        They include the buffers of an adapter that has no memory of its own.
        """
        required = min_array_memory(model, options)
        if _adapter_of(options).kind in SHARE_MEMORY:
            amounts = amounts_of(sum(flock.count for flock in model.flocks.values()))
            sizes = buffer_sizes(plan_of(model)).values()
            required += 4 * sum(size_of(size, amounts) for size in sizes)
        return required

    @classmethod
    def options_of_family(cls, family: str) -> Gpu | None:
        """Return the options that select the adapter of a family; None if it is not here."""
        names = [adapter.name for adapter in adapters() if family == _family(adapter.name)]
        return Gpu(names[0]) if names else None

    def __init__(
        self,
        model: Model,
        state: FlightState,
        options: RunOptions,
        device: Device | None = None,
        path: str = "",
    ) -> None:
        """Write a state into the buffers of a device.

        path  name of the program's path; by default the number of boids decides
        """
        self._path_name = path
        self.options = replace(options, dtype="float32", threads=1)
        self._device = device or Device(_adapter_of(options))
        self.family = _family(self._device.adapter.name)
        self._steps_before = 0
        self._fitting = 1  # steps that take at most MAX_SECONDS
        self._loaded_plan: Plan | None = None  # whose individual numbers the device has
        self._build(model, state)

    # --- building

    def _build(self, model: Model, state: FlightState) -> None:
        self.model, self.step_number = model, state.step
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self._plan = plan_of(model).with_counts(counts)
        self._program = Program.of(self._plan)
        self._steps_done = 0
        self.begin_population(model, state)
        self._kernels: dict[str, int] = {}
        self.load_state(state)

    def load_state(self, state: FlightState) -> None:
        """Write a state of any number of boids into buffers of its size."""
        self.step_number = state.step
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        if counts != dict(self._plan.counts):
            self._plan = self._plan.with_counts(counts)
        self._n = sum(counts.values())
        self._begun = False  # whether steps have begun that `_finish` does not know
        self._groups: dict[Any, Any] = {}
        self._frame_pipeline = -1  # compiled when a frame is first read
        self._loaded_plan = None
        self._put_state(state)
        self._allocate(state)
        paths = {path.name: path for path in self._program.paths}
        self._path = paths.get(self._path_name) or self._program.path(self._n)
        for each in (*self._path.passes, *self._path.end):
            if each.entry not in self._kernels:
                module = self._program.modules[each.module]
                self._kernels[each.entry] = self._device.pipeline(module, each.entry)

    def _put_state(self, state: FlightState) -> None:
        """Write the state of all boids, in id order, into the first buffer."""
        boids, memory = boid_words(self._plan, state)
        self._device.put("boids0", boids)
        self._device.put("memory0", memory)
        self._state_buffer = 0  # boids0 or boids1
        self._groups.clear()

    def _allocate(self, state: FlightState) -> None:
        device, amounts = self._device, amounts_of(self._n)
        filled = {"boids0", "memory0", "history", "control"}
        for name, size in self._program.buffers.items():
            if name not in filled:
                device.allocate(name, 4 * size_of(size, amounts))
        self._put_settings()
        self._put_control()
        device.put("history", history_words(self._plan, state))

    def _put_settings(self) -> None:
        plan, seed = self._plan, self.options.seed
        uniform = self._program.uniform(plan.counts, seed, plan.scheduled)
        self._device.put("settings", uniform, uniform=True)

    def _put_control(self, steps: int = 0) -> None:
        """Write the step, and the number of steps of a run."""
        step = self.step_number
        words = [step & 0xFFFFFFFF, step >> 32, 0, NOBODY, 0, 0, 0, steps]
        self._device.put("control", np.array(words, np.uint32))

    def _put_numbers(self, step: int, steps: int) -> None:
        """Write the times of some steps, and the model's numbers where they change."""
        plan, device, settings = self._plan, self._device, self._program.settings
        parts = self._program.parts
        times = [(step + k + part) * self.model.dt for k in range(steps) for part in parts]
        device.write("numbers", 0, np.array(times, np.float32))
        scheduled = plan.scheduled
        if scheduled or self._loaded_plan is not plan:
            meshes = self._program.meshes
            columns = numbers_at_times(plan, times if scheduled else times[:1], meshes)
            names = "numbers", "obstacles", "next_obstacles", "errors"
            arrays = [columns[f"{name}_by_step"] for name in names]
            rows = np.concatenate([a.reshape(len(a), -1) for a in arrays], axis=1)
            row = np.clip(rows, -FAR, FAR).astype(np.float32)
            device.write("numbers", int(settings["first_row"][0]), row)
        if self._loaded_plan is not plan:
            for name, at in self._program.meshes.items():
                device.write("numbers", at, single_words(plan.meshes[name]))
            own = self._individual_numbers()
            device.write("numbers", int(settings["first_individual"][0]), np.clip(own, -FAR, FAR))
        self._loaded_plan = plan

    def _individual_numbers(self) -> np.ndarray:
        """Return the rows of numbers that differ between boids, and of their indices."""
        plan, population = self._plan, self._population
        indices = {name: np.arange(size) for name, size in plan.counts.items()}
        rows = []
        if population is not None:
            numbering = population.numbering
            indices = {name: numbering.indices[numbering.part(name)] for name in indices}
            rows = [numbering.indices & 0xFFFF, numbering.indices >> 16]
        if plan.individual_rows:
            values = individual_rows(plan, self.options.seed, indices, np.float32).T
            rows = [*values[: len(plan.individual_rows)], *rows]
        return np.array(rows, np.float32).reshape(len(rows), self._n)

    # --- steps

    def step(self, steps: int) -> None:
        """Advance by `steps` steps. Raises RunError for a lost boid, DeviceError for the device."""
        self._finish()
        last = self.step_number + steps
        while self.step_number < last:
            if self._population is None:
                self.move_boids(last - self.step_number)
            else:
                end = min(last, self.step_number + MAX_STEPS)
                self._population.advance(self, self.step_number, end)

    def move_boids(self, steps: int) -> None:
        """Move boids for some steps, in which no boid joins or leaves."""
        if self._n == 0:
            self.step_number += steps
            return
        last = self.step_number + steps
        while self.step_number < last:
            count = min(last - self.step_number, self._fitting)
            count = count_valid_steps(self._plan, self.step_number, count)
            begin = time.perf_counter()
            self._run(count)
            seconds = max(time.perf_counter() - begin, 1e-6)
            self._fitting = max(1, min(4 * count, int(count * MAX_SECONDS / seconds), MAX_STEPS))

    def _run(self, steps: int) -> None:
        self.request_steps(steps)
        self._finish()

    def request_steps(self, steps: int) -> None:
        """Request some steps of the device, at most MAX_STEPS, and do not wait for them."""
        self._put_numbers(self.step_number, steps)
        self._put_control(steps)
        path, current = self._path, self._state_buffer
        buffers = (current, 1 - current) if path.flips else (current,)
        cycle = [self._bound_passes(path.passes, k) for k in buffers]
        self._begun = True
        self._device.run(cycle, -(-steps // path.steps), self._bound_passes(path.end, current))

    def _finish(self) -> None:
        """Wait for the steps that have begun. Ctrl-C may have ended the wait before."""
        if not self._begun:
            self._finish_population()
            return
        words = self._read("control", np.uint32, CONTROL_WORDS)
        control = dict(zip(CONTROL, words, strict=False))
        completed = int(control["steps_done"])
        # one statement, which Ctrl-C cannot divide
        self._begun, self._state_buffer, self.step_number, self._steps_done = (
            False,
            self._state_buffer ^ int(self._path.flips) * (completed % 2),
            self.step_number + completed,
            self._steps_done + completed,
        )
        if control["stopped"]:
            if self._population is not None:
                self._population.forget_step()
            raise self._lost(int(control["lost"])).run_error()
        self._finish_population()

    # --- boids that join and leave

    def _finish_population(self) -> None:
        if self._population is not None:
            self._population.finish(self, self.step_number)

    def _bound_passes(self, passes: Sequence[Pass], current: int) -> list[Any]:
        """Return passes of a step whose state is in buffer `current`, with their buffers and
        workgroups."""
        key = tuple(p.entry for p in passes), current
        if key not in self._groups:
            amounts = amounts_of(self._n)
            self._groups[key] = [
                (self._kernels[p.entry], self._group(p, p.reads ^ current),
                 groups_of(size_of(p.threads, amounts), p.group))
                for p in passes
            ]  # fmt: skip
        bound: list[Any] = self._groups[key]
        return bound

    def _group(self, dispatch: Pass, reads: int) -> Any:
        """Return the group of buffers of a pass."""
        buffers = self._program.bindings(dispatch.module, reads, 1 - reads)
        return self._device.bind(self._program.modules[dispatch.module], buffers)

    def _read(self, name: str, dtype: Any, count: int) -> np.ndarray:
        """Return the first numbers of a buffer. Raises DeviceError with the step."""
        try:
            return self._device.read(name, dtype, count)
        except DeviceError as error:
            error.step = self.step_number
            raise

    def _lost(self, boid: int) -> LostBoidError:
        first = 0
        for name, size in self._plan.counts.items():
            if boid < first + size:
                flock, row = self.read_state().flocks[name], boid - first
                index = int(flock.indices[row])
                return LostBoidError(self.step_number, name, index, flock.positions[row])
            first += size
        raise AssertionError(boid)

    # --- state

    def state(self) -> FlightState:
        """Return the present state: copies, in id order."""
        self._finish()
        return self.read_state()

    def read_state(self) -> FlightState:
        """Return the present state, once no step is unfinished."""
        plan, n = self._plan, self._n
        words = self._write_frame(n * (2 * self.model.space.dims + plan.perches))
        memory = self._read("frame_memory", np.float32, plan.memory_rows * n)
        history = self._read("history", np.float32, past_depth(self.model) * n * 8)
        past = past_states(plan, history, self.step_number)
        flocks = flocks_of(plan, words, memory, past)
        if self._population is not None:
            flocks = self._population.numbering.identified(flocks)
        return FlightState(self.step_number, flocks)

    def _write_frame(self, words: int) -> np.ndarray:
        """Let the device write a frame, and return its words."""
        if not words:
            return np.zeros(0, np.uint32)
        device = self._device
        if self._frame_pipeline < 0:
            module = WgslModules(self._plan).frame()
            device.allocate("frame", 4 * words)
            device.allocate("frame_memory", 4 * self._plan.memory_rows * self._n)
            self._frame_pipeline = device.pipeline(module, "write_frame")
            self._frame_module = module
        names = {"boids": f"boids{self._state_buffer}", "memory": f"memory{self._state_buffer}"}
        buffers = {BINDINGS[k][0]: names.get(k, k) for k in self._frame_module.access}
        group = device.bind(self._frame_module, {0: "settings", **buffers})
        device.run([[(self._frame_pipeline, group, groups_of(self._n))]])
        return self._read("frame", np.uint32, words)

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

    def set_memory(self, flock: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from `first` on, by id."""
        state = self.state()
        memory = state.flocks[flock].memory.copy()
        memory[:, first : first + len(values)] = values.T
        own = replace(state.flocks[flock], memory=memory)
        self._put_state(FlightState(state.step, {**state.flocks, flock: own}))

    def restart(self, state: FlightState, options: RunOptions) -> None:
        """Continue from another state of the same model, with any seed, on the same device."""
        self._finish()
        GpuEngine.__init__(self, self.model, state, options, self._device)

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks; a new structure compiles."""
        self._finish()
        plan, program = self._plan_and_program(model)
        same = ("rows", "modules", "buffers")
        if all(getattr(program, name) == getattr(self._program, name) for name in same):
            self.model, self._plan, self._program = model, plan, program
            if self._population is not None:
                self._population.replace_model(model)
            self._put_settings()
        else:
            self._steps_before += self._steps_done
            self._build(model, adapt_state(self.model, model, self.state(), seed=self.options.seed))

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks needs no other kernels."""
        return self._plan_and_program(model)[1].modules == self._program.modules

    def _plan_and_program(self, model: Model) -> tuple[Plan, Program]:
        """Return plan and program of another model of the same flocks."""
        if same_structure(self.model, model):
            plan = self._plan.with_numbers(model)
            same_sizes = arcs_size(plan) == self._program.buffers["arcs"]
            same_rows = same_sizes and plan.scheduled == self._plan.scheduled
            if same_rows and (plan.meshes is self._plan.meshes or not plan.meshes):
                return plan, self._program
        plan = make_plan(model, self._plan.counts)
        return plan, Program.of(plan)

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        self._finish()
        return dict(self._plan.counts)

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return how many boids joined and left, by name of the entry and of the flock."""
        self._finish()
        return super().population_counts()

    def diagnostics(self) -> Diagnostics:
        """Return the steps done, and the bytes of buffers on the device and of data read."""
        return Diagnostics(
            steps_done=self._steps_before + self._steps_done,
            state_bytes=2 * (32 + 4 * self._plan.memory_rows) * self._n,
            array_bytes=self._device.nbytes,
            bytes_read=self._device.bytes_read,
        )


def _family(adapter: str) -> str:
    return f"gpu on {adapter}"


def _adapter_of(options: RunOptions) -> Adapter:
    """Return the adapter that options select, or raise ModelError."""
    return choose_adapter(getattr(options.engine_options, "adapter", None))
