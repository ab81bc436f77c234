"""A flight in a module's memory: arrays that are looked at where they lie, and what is written into
them, at the start and before each call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.codegen.arguments import WORDS
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import Plan
from murmurate.engines import rng
from murmurate.engines.cpu.argument_table import put_constants
from murmurate.engines.cpu.model_arguments import evaluation_times, numbers_at_times
from murmurate.engines.wasm.memory_layout import MemoryLayout


class FlightMemory:
    """The arguments of a flight in a module's memory, (bytes,) uint8. All is zero at first."""

    def __init__(self, places: MemoryLayout, buffer: np.ndarray) -> None:
        self.layout, self.buffer = places, buffer
        end = places.table + 8 * WORDS
        self._words = buffer[places.table : end].view(np.int64)
        for place in places.places.values():
            if place.shape:
                row = (place.address, *place.shape)
                self._words[place.word : place.word + len(row)] = row

    def array(self, name: str) -> np.ndarray:
        """An array, where the table says that it lies now."""
        place = self.layout.places[name]
        address = int(self._words[place.word])
        return self.buffer[address : address + place.size].view(place.dtype).reshape(place.shape)

    def allocate(self, names: list[str], sides: Mapping[str, int]) -> list[np.ndarray]:
        """These arrays. Their sides are known."""
        return [self.array(name) for name in names]

    def number(self, name: str) -> int:
        """A whole number of the table."""
        return int(self._words[self.layout.places[name].word])

    def set(self, name: str, value: Any) -> None:
        """Puts a number into the table."""
        place = self.layout.places[name]
        self._words[place.word] = np.array(value, place.dtype).view(np.int64)

    def put_constants(self, layout: Layout, seed: int) -> None:
        """Put what stays the same from step to step into the table."""
        put_constants(self, self.layout.constants(layout), self.layout.sides, seed)

    def put_rows(self, plan: Plan, step: int, steps: int, seed: int) -> None:
        """Writes what the model's numbers are in so many steps, and in which order boids take their
        turns."""
        self.set("dt", plan.model.dt)
        self.set("step", step)
        self.set("steps", steps)
        for name, rows in numbers_at_times(plan, evaluation_times(plan, step, steps)).items():
            self._put(name, rows)
        if plan.model.order == "shuffled":
            count = sum(plan.counts.values())
            self._put("update_order", rng.shuffled_orders(seed, step, count, steps))

    def _put(self, name: str, rows: np.ndarray) -> None:
        self.array(name)[: len(rows)] = rows
        self._words[self.layout.places[name].word + 1] = len(rows)
