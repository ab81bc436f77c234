"""Engine 'wasm' simulates with a model's module in wasmtime, as a page does in a browser.

It is as fast as a page, which is slower than engine 'cpu'. It exists so that tests of engines
cover modules.
"""

from __future__ import annotations

import atexit
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.model_arguments import array_sizes, count_valid_steps
from murmurate.engines.cpu.model_kernels import layout_and_source, layout_with_numbers
from murmurate.engines.cpu.state_arrays import StateArrays, make_history
from murmurate.engines.memory import min_array_memory
from murmurate.engines.options import RunOptions
from murmurate.engines.population import PopulatedEngine
from murmurate.engines.state import FlightState, adapt_state
from murmurate.engines.wasm.module_compiler import (
    REFUSES,
    STEP_FUNCTION,
    build_module,
    steps_text,
)
from murmurate.engines.wasm.module_memory import ROWS, ModuleMemory
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.optional import require

STEPS_PER_CALL = 256  # if numbers stay constant


class WasmEngine(PopulatedEngine):
    """Simulates in WebAssembly on one thread; see murmurate.engines.base.EngineBase.

    The constructor compiles the module, or loads it from the cache.
    """

    family = "wasm"
    refuses = REFUSES

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Raise ModelError without wasmtime."""
        require("wasmtime", f"engine {options.engine!r}", ModelError)

    @classmethod
    def min_memory(cls, model: Model, options: RunOptions) -> int:
        """Return the bytes of the arrays of boids."""
        return min_array_memory(model, options)

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        """Raise RuleError for a rule that does not compile."""
        self.options = options
        self._build(model, state)

    def _build(self, model: Model, state: FlightState) -> None:
        """Build the module of a model, and load a state."""
        self.model, dtype = model, self.options.dtype
        sizes = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self.layout, self._text = layout_and_source(model, sizes, dtype)
        if model.changes_numbers:
            sizes = {name: model.max_boids(name) for name in model.flocks}
        code, self._memory_layout = build_module(self.layout.with_counts(sizes), dtype)
        self._instance = Instance(code)
        self.begin_population(model, state)
        self.load_state(state)

    def load_state(self, state: FlightState) -> None:
        """Continue from a state, which may have other boids."""
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self.step_number = state.step
        self.layout = self.layout.with_counts(counts)
        self._instance.memory[self._memory_layout.table :] = 0
        self._memory = ModuleMemory(self._memory_layout, self._instance.memory)
        self._state = StateArrays(self.layout, self._memory, state)
        self._put_constants()
        self._past = make_history(self.layout.plan, self._state, state)

    def _put_constants(self) -> None:
        """Write the constants of all steps."""
        self._memory.put_constants(self.layout, self.options.seed)
        plan, indices = self.layout.plan, self._state.indices
        self._memory.put_individuals(plan, indices, self.options.seed)
        if self._population is not None:
            all_indices = np.concatenate(list(indices.values()))
            self._memory.array("boid_index")[: len(all_indices)] = all_indices

    def step(self, steps: int) -> None:
        """Simulate some steps. Raises RunError for a lost boid, PopulationError."""
        population, last = self._population, self.step_number + steps
        if population is None:
            self.move_boids(steps)
            return
        population.finish(self, self.step_number)
        while self.step_number < last:
            end = min(last, self.step_number + STEPS_PER_CALL)
            population.advance(self, self.step_number, end)

    def move_boids(self, steps: int) -> None:
        """Move boids for some steps, in which no boid joins or leaves."""
        if self._state.count == 0:
            self.step_number += steps
            return
        plan, memory = self.layout.plan, self._memory
        has_rows = plan.scheduled or plan.model.order == "shuffled"
        max_steps = ROWS if has_rows else STEPS_PER_CALL
        while steps > 0:
            count = count_valid_steps(plan, self.step_number, min(steps, max_steps))
            memory.put_rows(plan, self.step_number, count, self.options.seed)
            completed = self._instance.run(memory.layout.table)
            self.step_number += completed
            steps -= completed
            if (column := memory.number("lost")) >= 0:
                raise self._lost(column).run_error()

    def _lost(self, column: int) -> LostBoidError:
        flock, boid, position = self._state.locate_boid(column)
        if self._population is not None:
            self._population.forget_step()
            boid = int(self._state.indices[flock][boid])
        return LostBoidError(self.step_number, flock, boid, position)

    def read_state(self) -> FlightState:
        """Return the present state."""
        return self.state()

    def sizes(self) -> dict[str, int]:
        """Return the present number of boids of each flock."""
        return dict(self.layout.plan.counts)

    def state(self) -> FlightState:
        """Return a copy of the state, in the order of ids."""
        past = self._past.by_boid(self.step_number) if self._past else None
        return self._state.snapshot(self.step_number, past)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Set positions and velocities of a flock, (N, D) each; None leaves them unchanged."""
        self._state.set_flock(flock, positions, velocities)

    def set_memory(self, flock: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from `first` on, by id."""
        self._state.set_memory(flock, first, values)

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks."""
        layout = self._layout_with_numbers(model)
        if layout is not None:
            self.model, self.layout = model, layout
            self._state.plan, self._state.model = layout.plan, model
            if self._population is not None:
                self._population.replace_model(model)
            self._memory.put_individuals(layout.plan, self._state.indices, self.options.seed)
        else:
            self._build(model, adapt_state(self.model, model, self.state(), seed=self.options.seed))

    def is_compatible(self, model: Model) -> bool:
        """Return whether another model of the same flocks has the same module."""
        if self._layout_with_numbers(model) is not None:
            return True
        dtype = self.options.dtype
        layout, text = layout_and_source(model, self.layout.plan.counts, dtype)
        return (
            text == self._text
            and steps_text(layout, dtype) == steps_text(self.layout, dtype)
            and array_sizes(layout) == array_sizes(self.layout)
            and _mesh_bytes(layout) == _mesh_bytes(self.layout)
        )

    def _layout_with_numbers(self, model: Model) -> Layout | None:
        """Return the layout of a model with other numbers for the same module; else None."""
        layout = layout_with_numbers(self.layout, model)
        if layout is None or layout.plan.meshes is self.layout.plan.meshes:
            return layout
        return layout if _mesh_bytes(layout) == _mesh_bytes(self.layout) else None


def _mesh_bytes(layout: Layout) -> list[bytes]:
    """Return the words of meshes, which a module contains."""
    return [words.tobytes() for words in layout.plan.meshes.values()]


class Instance:
    """A module in wasmtime.

    exports  its exports by name
    memory   (bytes,) uint8: a view of its memory
    """

    def __init__(self, module: bytes) -> None:
        import wasmtime

        engine, compiled = _compile(module)
        self.store = wasmtime.Store(engine)
        exports: Any = wasmtime.Instance(self.store, compiled, []).exports(self.store)
        self.exports = exports
        self._run = exports[STEP_FUNCTION]
        buffer: Any = exports["memory"].get_buffer_ptr(self.store)
        self.memory = np.frombuffer(buffer, np.uint8)

    def run(self, table: int) -> int:
        """Run steps with the table at an address; return the number of completed steps."""
        return int(self._run(self.store, table))


@lru_cache(maxsize=8)
def _compile(module: bytes) -> tuple[Any, Any]:
    """Return an engine of wasmtime, and a module compiled for it."""
    import wasmtime

    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, module)


# objects of wasmtime must not outlive the interpreter
atexit.register(_compile.cache_clear)
