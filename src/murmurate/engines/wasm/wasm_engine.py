"""An engine that flies a model's module in wasmtime, as a page flies it in a browser.

It is as fast as a page is, not as the processor's engine: it is there so that what holds for every
engine is tested of modules too.
"""

from __future__ import annotations

import atexit
from functools import lru_cache
from typing import Any

import numpy as np

from murmurate.engines.base import EngineBase
from murmurate.engines.bounds import LostBoidError
from murmurate.engines.cpu.model_arguments import array_sizes, count_valid_steps, has_schedules
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.memory import min_array_memory
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import FlightState
from murmurate.engines.state import adapt_state
from murmurate.engines.wasm.flight_memory import FlightMemory
from murmurate.engines.wasm.flight_module import begin, laid_out
from murmurate.engines.wasm.flight_text import flight_text
from murmurate.engines.wasm.memory_layout import ROWS
from murmurate.engines.wasm.module_compiler import FLY, check_model
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.optional import require

BLOCK = 256  # steps flown in one call, where no number changes


class WasmEngine(EngineBase):
    """One flight in WebAssembly: see murmurate.engines.protocol.Engine. Its module is compiled, or
    found in the cache, when it is made, and runs in one thread."""

    family = "wasm"

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        """Raises ModelError for what modules do not fly, and where wasmtime is not installed."""
        check_model(model)
        require("wasmtime", f"engine {options.engine!r}", ModelError)

    @classmethod
    def min_memory(cls, model: Model, options: RunOptions) -> int:
        """Return the bytes of the arrays of boids."""
        return min_array_memory(model, options)

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        """Raises RuleError for a rule that does not compile."""
        self.options = options
        self._build(model, state)

    def _build(self, model: Model, state: FlightState) -> None:
        """All parts for a model, from a state."""
        self.model, self.step_number = model, state.step
        dtype, seed = self.options.dtype, self.options.seed
        counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
        self.layout, self._text = layout_and_source(model, counts, dtype)
        code, places = laid_out(self.layout, dtype)
        self._instance = Instance(code)
        self._memory = FlightMemory(places, self._instance.memory)
        self._state, self._past = begin(self._memory, self.layout, state, seed)

    def step(self, steps: int) -> None:
        """Flies so many steps. Raises RunError for a boid that is lost."""
        if self._state.count == 0:
            self.step_number += steps
            return
        plan, memory = self.layout.plan, self._memory
        most = ROWS if has_schedules(plan) or plan.model.order == "shuffled" else BLOCK
        while steps > 0:
            asked = count_valid_steps(plan, self.step_number, min(steps, most))
            memory.put_rows(plan, self.step_number, asked, self.options.seed)
            flown = self._instance.fly(memory.layout.table)
            self._state.refresh_views()
            self.step_number += flown
            steps -= flown
            if (column := memory.number("lost")) >= 0:
                raise LostBoidError(self.step_number, *self._state.locate_boid(column)).run_error()

    def state(self) -> FlightState:
        """The flight as it is now: copies, in id order."""
        past = self._past.by_boid(self.step_number) if self._past else None
        return self._state.snapshot(self.step_number, past)

    def set_state(
        self, flock: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replaces positions and velocities of a flock, (N, D) each; what is None stays."""
        self._state.set_flock(flock, positions, velocities)

    def replace_model(self, model: Model) -> None:
        """Goes on with another model of the same flocks: new numbers cost nothing, a new structure
        a new module."""
        if self.is_compatible(model):
            self.model = model
            self.layout, _ = layout_and_source(model, self.layout.plan.counts, self.options.dtype)
            self._state.plan, self._state.model = self.layout.plan, model
            self._memory.put_constants(self.layout, self.options.seed)
        else:
            self._build(model, adapt_state(self.model, model, self.state()))

    def is_compatible(self, model: Model) -> bool:
        """Whether another model of the same flocks needs no other module."""
        dtype = self.options.dtype
        layout, text = layout_and_source(model, self.layout.plan.counts, dtype)
        return (
            text == self._text
            and flight_text(layout, dtype) == flight_text(self.layout, dtype)
            and array_sizes(layout) == array_sizes(self.layout)
        )


class Instance:
    """A module in wasmtime.

    memory  (bytes,) uint8: its memory, looked at where it is
    """

    def __init__(self, module: bytes) -> None:
        import wasmtime

        engine, compiled = _compiled(module)
        self._store = wasmtime.Store(engine)
        exports: Any = wasmtime.Instance(self._store, compiled, []).exports(self._store)
        self._fly = exports[FLY]
        buffer: Any = exports["memory"].get_buffer_ptr(self._store)
        self.memory = np.frombuffer(buffer, np.uint8)

    def fly(self, table: int) -> int:
        """The exported function: how many steps were flown with the table at an address."""
        return int(self._fly(self._store, table))


@lru_cache(maxsize=8)
def _compiled(module: bytes) -> tuple[Any, Any]:
    """wasmtime's engine, and a module in it."""
    import wasmtime

    engine = wasmtime.Engine()
    return engine, wasmtime.Module(engine, module)


# wasmtime's objects cannot end after Python's own
atexit.register(_compiled.cache_clear)
