"""A model as what a page needs to fly it: module, manifest and image, all three plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.codegen.layout import Layout
from murmurate.dtypes import Dtype
from murmurate.engine.cpu import prepared
from murmurate.engine.perception import FlockPerception
from murmurate.engine.protocol import FlightState
from murmurate.engine.state import StateArrays
from murmurate.model.model import Model
from murmurate.wasm.flight_memory import FlightMemory
from murmurate.wasm.memory_layout import ROWS, MemoryLayout
from murmurate.wasm.module_compiler import FLY, check_model, flight_object
from murmurate.wasm.module_file import PAGE, module_file, object_file


@dataclass(frozen=True)
class FlightModule:
    """A flight that is about to begin.

    code      the WebAssembly module; it imports nothing
    manifest  where everything lies, for json.dumps: see murmurate.wasm.memory_layout
    image     what memory holds from manifest["table"] to manifest["filled"]
    """

    code: bytes
    manifest: dict[str, Any]
    image: bytes


def flight_module(
    model: Model, state: FlightState, seed: int, dtype: Dtype = "float32"
) -> FlightModule:
    """The module that flies a model on from a state. Where the model is scheduled, the image holds
    its numbers for the first steps alone: manifest["rows"] rows of them.

    Raises ModelError for a model that modules do not fly, RuleError for a rule that does not
    compile.
    """
    check_model(model)
    counts = {name: len(flock.positions) for name, flock in state.flocks.items()}
    layout, text = prepared(model, counts, dtype)
    code, places = laid_out(layout, text, dtype)
    memory = FlightMemory(places, np.zeros(places.pages * PAGE, np.uint8))
    begin(memory, layout, state, seed)
    memory.put_rows(layout.plan, state.step, ROWS, seed)
    image = memory.buffer[places.table : places.filled].tobytes()
    return FlightModule(code, places.manifest(), image)


def laid_out(layout: Layout, text: str, dtype: str) -> tuple[bytes, MemoryLayout]:
    """The module for kernels of this text, and its memory."""
    found = object_file(flight_object(layout, text, dtype))
    places = MemoryLayout(layout, dtype, found.data_end)
    return module_file(found, places.pages, places.stack_end, [FLY]), places


def begin(
    memory: FlightMemory, layout: Layout, state: FlightState, seed: int
) -> tuple[StateArrays, FlockPerception | None]:
    """Puts a state into memory, and all that stays as it is from step to step: the arrays of the
    state and, where boids sense others late, those of the past."""
    arrays, plan = StateArrays(layout, memory, state), layout.plan
    memory.put_constants(seed, state.step)
    if not plan.perceives:
        return arrays, None
    perception = FlockPerception(plan, arrays.by_id(), seed)
    carried = {name: flock.memory for name, flock in state.flocks.items()}
    perception.restore(state.step, carried, {name: arrays.keeps(name) for name in plan.counts})
    past = memory.array("past")
    past[:] = perception.past
    perception.past = past
    return arrays, perception
