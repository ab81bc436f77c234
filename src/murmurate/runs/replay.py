"""Replay: a simulation that repeats the inputs of a recorded one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from murmurate.runs.commands import controls_of_input

if TYPE_CHECKING:
    from murmurate.record.input_log import Input
    from murmurate.runs.simulation import Simulation


class Replay:
    """Steps a simulation with recorded inputs, each after the step after which it was given.

    inputs   oldest first, from the present step of the simulation on
    changes  numbers of the model that hold whatever an input changes
    """

    def __init__(
        self,
        simulation: Simulation,
        inputs: Iterator[Input],
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        self.simulation, self._inputs, self._changes = simulation, inputs, changes or {}
        self._next = next(inputs, None)

    @property
    def step_number(self) -> int:
        """Steps since the start."""
        return self.simulation.step_number

    def step(self, steps: int) -> None:
        """Simulate some steps. Inputs after the last of them follow with the next."""
        simulation, end = self.simulation, self.step_number + steps
        while self._next is not None and self._next.step < end:
            simulation.step(self._next.step - self.step_number)
            self._give(self._next)
            self._next = next(self._inputs, None)
        simulation.step(end - self.step_number)

    def _give(self, entry: Input) -> None:
        simulation, arrays = self.simulation, entry.arrays
        if entry.kind == "controls":
            simulation.step(0, {entry.text: controls_of_input(arrays)})
        elif entry.kind == "state":
            simulation.set_state(entry.text, arrays.get("positions"), arrays.get("velocities"))
        else:
            simulation.replace_model(entry.changed(simulation.model).set(self._changes))
