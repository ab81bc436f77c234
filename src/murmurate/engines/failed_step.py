"""Find the state before a failed step, and the rule that caused it.

Kernels only notice that a boid is lost. The reference engine then computes the boid's rules from
the state before the step, and names the function, its line and what it gave.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from murmurate.engines.base import EngineBase
from murmurate.engines.state import FlightState
from murmurate.errors import RunError

MAX_STEPS = 256
"""Steps between copies of the state."""
MAX_COMMAND_BYTES = 2**25
"""Bytes of commands between copies of the state."""
MAX_BOIDS = 500
"""Boids up to which the reference engine computes a whole step to find the first that fails."""


@dataclass(frozen=True, eq=False)
class Checkpoint:
    """A copy of a simulation's state, from which it computes the state before a failed step.

    state   the copy; None for an engine that restores its state itself
    step    its step
    counts  boids that had joined and left, by entry of the population and flock
    commands  arguments of set_memory since then, each with its step
    """

    state: FlightState | None
    step: int
    counts: dict[tuple[str, str], int]
    commands: list[tuple[int, str, int, np.ndarray]] = field(default_factory=list)

    @classmethod
    def of(cls, engine: EngineBase, counts: dict[tuple[str, str], int]) -> Checkpoint:
        """Return a copy of the state of an engine."""
        return cls(engine.checkpoint(), engine.step_number, counts)

    def add(self, step: int, flock: str, first: int, values: np.ndarray) -> bool:
        """Add the changes of commands at a step; return False if a new copy takes less memory."""
        self.commands.append((step, flock, first, values))
        return sum(values.nbytes for *_, values in self.commands) <= MAX_COMMAND_BYTES

    def restored(self, engine: EngineBase, step: int) -> EngineBase:
        """Return an engine at a step before the failure: its steps are the same bit for bit."""
        if self.state is None:
            return engine
        while True:
            other = type(engine)(engine.model, self.state, engine.options)
            try:
                for at, flock, first, values in self.commands:
                    if at < step:
                        other.step(at - other.step_number)
                        other.set_memory(flock, first, values)
                other.step(step - other.step_number)
                return other
            except RunError as error:  # it failed earlier: an interrupt had hidden it
                step = error.step - 1


def find_cause(engine: EngineBase, error: RunError) -> RunError:
    """Return the error that names the rule which lost a boid, or `error` if rules are finite."""
    from murmurate.engines.reference.reference_engine import ReferenceEngine

    reference = ReferenceEngine(engine.model, engine.state(), engine.options)
    try:
        reference.find_cause(error.flock, error.boid, MAX_BOIDS)
    except RunError as cause:
        return cause
    return error
