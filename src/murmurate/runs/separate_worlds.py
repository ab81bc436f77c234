"""Worlds that are simulated separately, and the interface of worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np

from murmurate.engines.cpu.world_batch import Memory
from murmurate.engines.state import FlightState, FlockState, first_ids
from murmurate.errors import DeviceError, RunError
from murmurate.frame import WorldsFlock
from murmurate.model.model import Model
from murmurate.runs.simulation import Simulation

Array = np.ndarray


class WorldSet(Protocol):
    """The worlds of a Worlds: a WorldBatch, or SeparateWorlds."""

    @property
    def steps_done(self) -> Array:
        """Return the steps of each world since its start, (E,)."""

    def step(self, steps: int, memory: Iterable[Memory] = ()) -> int:
        """Make some steps in every world; return a world that cannot make them, or -1.

        If there is one, or an exception ends the call, all worlds are as before it.

        memory  per-boid state to begin with: see Memory
        """

    def state(self, world: int) -> FlightState:
        """Return a copy of the state of a world."""

    def set_models(self, models: Sequence[Model]) -> bool:
        """Continue with other numbers; return False, and change nothing, if these need other
        kernels."""

    def restart(
        self, worlds: Sequence[int], states: Sequence[FlightState], seeds: Sequence[int]
    ) -> None:
        """Begin some worlds again, in the starts of their models, with these seeds."""

    def set_flock(
        self, worlds: Sequence[int], flock: str, positions: Array | None, velocities: Array | None
    ) -> None:
        """Replace positions and velocities of a flock in some worlds, (worlds, N, D) each."""

    def flock(self, name: str) -> WorldsFlock:
        """Return a flock in all worlds."""


class SeparateWorlds:
    """Worlds that are simulations of their own.

    begin  begin(world, state, seed) returns the simulation of a world, from a state
    """

    def __init__(
        self, begin: Callable[[int, FlightState, int], Simulation],
        states: Sequence[FlightState], seeds: Sequence[int],
    ) -> None:  # fmt: skip
        pairs = enumerate(zip(states, seeds, strict=True))
        self._simulations = [begin(world, state, seed) for world, (state, seed) in pairs]
        self._begin = begin
        self._read: list[FlightState] = []  # states, after they were read

    @property
    def steps_done(self) -> Array:
        return np.array([simulation.step_number for simulation in self._simulations])

    def step(self, steps: int, memory: Iterable[Memory] = ()) -> int:
        changes = list(memory)
        before = [simulation.checkpoint() for simulation in self._simulations]
        self._read = []
        stepped = []
        try:
            for world, simulation in enumerate(self._simulations):
                stepped.append(simulation)
                sizes = simulation.sizes()
                for flock, first, values in changes:
                    simulation.set_memory(flock, first, values[:, world, : sizes[flock]])
                simulation.step(steps)
        except BaseException as error:
            for simulation, checkpoint in zip(stepped, before, strict=False):
                simulation.restore(checkpoint)
            if isinstance(error, DeviceError) or not isinstance(error, RunError):
                raise
            return len(stepped) - 1
        return -1

    def state(self, world: int) -> FlightState:
        return self._states()[world]

    def _states(self) -> list[FlightState]:
        if not self._read:
            self._read = [simulation.flight_state() for simulation in self._simulations]
        return self._read

    def set_models(self, models: Sequence[Model]) -> bool:
        self._read = []
        for simulation, model in zip(self._simulations, models, strict=True):
            simulation.replace_model(model)
        return True

    def restart(
        self, worlds: Sequence[int], states: Sequence[FlightState], seeds: Sequence[int]
    ) -> None:
        self._read = []
        for world, state, seed in zip(worlds, states, seeds, strict=True):
            self._simulations[world] = self._begin(world, state, seed)

    def set_flock(
        self, worlds: Sequence[int], flock: str, positions: Array | None, velocities: Array | None
    ) -> None:
        self._read = []
        for k, world in enumerate(worlds):
            size = self._simulations[world].sizes()[flock]
            new = (None if array is None else array[k, :size] for array in (positions, velocities))
            self._simulations[world].set_state(flock, *new)

    def flock(self, name: str) -> WorldsFlock:
        states = self._states()
        flocks = [state.flocks[name] for state in states]
        models = [simulation.model for simulation in self._simulations]
        rooms = [model.max_boids(name) for model in models if model.changes_numbers]
        room = max([*rooms, *(len(own.positions) for own in flocks)])
        names = models[0].memory_of(name)

        def stacked(arrays: Iterable[Array], empty: float) -> Array:
            return np.stack([_padded(array, room, empty) for array in arrays])

        ids = []
        for model, state, own in zip(models, states, flocks, strict=True):
            n_ever = {flock: own.n_ever for flock, own in state.flocks.items()}
            ids.append(own.indices + first_ids(model, n_ever)[name])
        ids_of_rows = stacked(ids, -1)
        return WorldsFlock(
            name,
            stacked((own.positions for own in flocks), np.nan),
            stacked((own.velocities for own in flocks), np.nan),
            ids_of_rows,
            ids_of_rows >= 0,
            stacked((own.timers for own in flocks), 0),
            stacked((_memory(own, len(names)) for own in flocks), np.nan),
            names,
        )


def _memory(state: FlockState, columns: int) -> Array:
    """Return the (N, columns) per-boid state of motions and rules."""
    if state.memory.shape[1] < columns:
        return np.zeros((len(state.positions), columns), state.positions.dtype)
    return state.memory[:, :columns]


def _padded(array: Array, rows: int, empty: float) -> Array:
    """Return an array with rows of `empty` at its end."""
    result = np.full((rows, *array.shape[1:]), empty, array.dtype)
    result[: len(array)] = array
    return result
