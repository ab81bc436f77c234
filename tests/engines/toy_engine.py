"""A third engine, written by the protocol alone: the reference engine's rules, in a thread of their
own, with the state rounded to the precision that is asked for after every step."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import numpy as np

from murmurate.engines.base import EngineBase
from murmurate.engines.options import RunOptions
from murmurate.engines.reference.reference_engine import ReferenceEngine
from murmurate.engines.state import FlightState, FlockState
from murmurate.errors import ModelError
from murmurate.model.model import Model

MAX_BOIDS = 500  # boids


class ToyEngine(EngineBase):
    steps_done: ClassVar[int] = 0  # by all instances, so that tests notice unused ones

    @classmethod
    def check(cls, model: Model, options: RunOptions) -> None:
        boids = sum(flock.count for flock in model.flocks.values())
        if boids > MAX_BOIDS:
            raise ModelError(
                f"engine 'toy' simulates at most {MAX_BOIDS} boids, and the model has {boids}"
            )

    def __init__(self, model: Model, state: FlightState, options: RunOptions) -> None:
        self.options = options
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="toy-engine")
        self._hold(model, state)

    def step(self, steps: int) -> None:
        self._thread.submit(self._advance, steps).result()

    def state(self) -> FlightState:
        return rounded(self._plain.state(), self.options.dtype)

    def set_state(self, flock: str, positions: Any, velocities: Any) -> None:
        self._plain.set_state(flock, positions, velocities)
        self._hold(self.model, self.state())

    def replace_model(self, model: Model) -> None:
        self._plain.replace_model(model)
        self.model = model

    def _hold(self, model: Model, state: FlightState) -> None:
        self.model, self.step_number = model, state.step
        self._plain = ReferenceEngine(model, rounded(state, self.options.dtype), self.options)

    def _advance(self, steps: int) -> None:
        for _ in range(steps):
            try:
                self._plain.step(1)
            finally:
                ToyEngine.steps_done += 1
                self._hold(self.model, self._plain.state())


def rounded(state: FlightState, dtype: str) -> FlightState:
    """The state in a precision."""

    def of(flock: FlockState) -> FlockState:
        floats = (flock.positions, flock.velocities, flock.memory)
        positions, velocities, memory = (np.array(rows, dtype) for rows in floats)
        return FlockState(positions, velocities, flock.timers.copy(), memory)

    return FlightState(state.step, {name: of(flock) for name, flock in state.flocks.items()})
