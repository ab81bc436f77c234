"""A flight in a module's memory: arrays that are looked at where they lie, and what is written into
them, at the start and before each call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.codegen.layout import HIDDEN
from murmurate.codegen.plan import Plan
from murmurate.engine import rng
from murmurate.model.schedule import is_scheduled, number_at
from murmurate.wasm.flight_arguments import FLIGHT_WORDS
from murmurate.wasm.memory_layout import PARTS_OF_A_STEP, MemoryLayout, constants


class FlightMemory:
    """The arguments of a flight in a module's memory, (bytes,) uint8. All is zero at first."""

    def __init__(self, places: MemoryLayout, buffer: np.ndarray) -> None:
        self.layout, self.buffer = places, buffer
        end = places.table + 8 * FLIGHT_WORDS
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

    def put_constants(self, seed: int, step: int) -> None:
        """Writes what stays as it is from step to step; the state is in its arrays already."""
        plan = self.layout.layout.plan
        count = sum(plan.counts.values())
        gridded = sum(plan.counts[name] for name in self.layout.layout.gridded)
        for name, values in constants(self.layout.layout).items():
            if self.layout.places[name].shape:
                self.array(name).reshape(-1)[: len(values)] = values
            else:
                self.set(name, values[0])
        self.array("parts")[:] = gridded, count
        self.array("guesses")[:] = HIDDEN**2  # as far as what is hidden: nothing is known yet
        key0, key1 = rng.keys(seed)
        numbers = {
            "key0": key0, "key1": key1, "gridded": gridded, "step": step, "steps": 1,
            "first_chunk": -1, "probe": -1, "lost": -1,
        }  # fmt: skip
        for name, value in numbers.items():
            self.set(name, value)

    def put_rows(self, plan: Plan, step: int, steps: int, seed: int) -> None:
        """Writes what the model's numbers are in so many steps: a row for each evaluation of the
        forces or, where nothing changes, one for all."""
        model, scheduled = plan.model, changes(plan)
        parts = PARTS_OF_A_STEP[model.integrator]
        asked = range(steps) if scheduled else range(1)
        times = [(step + k + part) * model.dt for k in asked for part in parts]
        times = times if scheduled else times[:1]
        self.set("dt", model.dt)
        self._put("number_rows", np.array([plan.numbers(t) for t in times]))
        self._put("obstacle_rows", np.array([plan.obstacle_table(t) for t in times]))
        errors = np.array([_errors(plan, t) for t in times])
        self._put("error_rows", errors.reshape(len(times), len(plan.lookers), 2))
        if model.order == "shuffled":
            count = sum(plan.counts.values())
            self._put("turn_rows", rng.turns(seed, step, count, steps))

    def _put(self, name: str, rows: np.ndarray) -> None:
        self.array(name)[: len(rows)] = rows
        self._words[self.layout.places[name].word + 1] = len(rows)


def changes(plan: Plan) -> bool:
    """Whether numbers differ from step to step."""
    return plan.scheduled or any(_scheduled_errors(plan))


def _errors(plan: Plan, time: float) -> list[list[float]]:
    found = []
    for name in plan.lookers:
        sensing = plan.model.flocks[name].sensing
        assert sensing is not None
        found.append([number_at(e, time) for e in (sensing.position_error, sensing.velocity_error)])
    return found


def _scheduled_errors(plan: Plan) -> list[bool]:
    sensings = [plan.model.flocks[name].sensing for name in plan.lookers]
    return [
        is_scheduled(error)
        for sensing in sensings
        if sensing
        for error in (sensing.position_error, sensing.velocity_error)
    ]
