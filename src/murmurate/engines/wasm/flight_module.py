"""A layout -> its module, and a flight that begins in its memory."""

from __future__ import annotations

from murmurate.codegen.layout import Layout
from murmurate.engines.cpu.state_arrays import StateArrays, StateHistory, make_history
from murmurate.engines.protocol import FlightState
from murmurate.engines.wasm.flight_memory import FlightMemory
from murmurate.engines.wasm.memory_layout import MemoryLayout
from murmurate.engines.wasm.module_compiler import FLY, flight_object
from murmurate.engines.wasm.module_file import module_file, object_file


def laid_out(layout: Layout, dtype: str) -> tuple[bytes, MemoryLayout]:
    """The module of a layout, and its memory. Raises RuleError for a rule that does not compile."""
    found = object_file(flight_object(layout, dtype))
    places = MemoryLayout(layout, dtype, found.data_end)
    return module_file(found, places.pages, places.stack_end, [FLY]), places


def begin(
    memory: FlightMemory, layout: Layout, state: FlightState, seed: int
) -> tuple[StateArrays, StateHistory | None]:
    """Puts a state into memory, and all that stays as it is from step to step: the arrays of the
    state and, where boids sense others late, those of the past."""
    arrays = StateArrays(layout, memory, state)
    memory.put_constants(layout, seed)
    return arrays, make_history(layout.plan, arrays, state)
