"""State arrays: a column for each boid, and the past states of flocks that sense with delay."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.codegen.candidates.search import PAD
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import Plan
from murmurate.engines.bounds import put_below_upper
from murmurate.engines.protocol import FlightState, FlockState

PAIRS = (("state", "next_state"), ("timers", "next_timers"), ("memory", "next_memory"))
SORTED = (
    *PAIRS, ("ids", "next_ids"), ("flock_index", "next_flock_index"), ("search_radius2",
    "next_search_radius2"),
)  # fmt: skip
STATE = (
    "state", "next_state", "timers", "next_timers", "memory", "next_memory", "ids", "flock_index",
    "next_ids", "next_flock_index", "flocks",
)  # fmt: skip


class StateArrays:
    """The state of a flight, as its kernels see it.

    state    (2 dims, columns) positions and velocities; next_state: those after a stage
    timers   (columns,) int32, steps left on the ground
    memory   (kept, columns) what the motion and the rules of a boid keep; as many rows as the flock
             needs of which most is kept
    ids      (columns,) int32, counted through all flocks; flock_index: the index of its flock
    table    what allocates them: an ArgumentTable, or the memory of a WebAssembly module
    """

    def __init__(self, layout: Layout, table: Any, state: FlightState) -> None:
        plan = layout.plan
        self.plan, self.model, self.table = plan, plan.model, table
        self.dims = self.model.space.dims
        self.count = sum(plan.counts.values())
        columns = self.count + PAD
        table_sides = {"2 axes": 2 * self.dims, "columns": columns, "flocks": len(plan.counts)}
        table_sides["kept"] = plan.kept
        (
            self.state, self.next_state, self.timers, self.next_timers, self.memory,
            self.next_memory,
            self.ids, self.flock_index, self.next_ids, self.next_flock_index, self.flocks,
        ) = table.allocate(list(STATE), table_sides)  # fmt: skip
        self._names = list(plan.counts)
        self._first = dict(
            zip(self._names, np.cumsum([0, *plan.counts.values()]).tolist(), strict=False)
        )
        self._fill(layout, state)

    def _fill(self, layout: Layout, state: FlightState) -> None:
        """Put flocks into columns, in the order of the layout."""
        dims = self.dims
        for name, (column, *swept) in layout.columns.items():
            size, kind, flock = self.plan.counts[name], self._names.index(name), state.flocks[name]
            part = slice(column, column + size)
            self.state[:dims, part] = np.asarray(flock.positions).T
            self.state[dims:, part] = np.asarray(flock.velocities).T
            self.timers[part] = flock.timers
            rows = self.keeps(name)
            if flock.memory.shape[1] >= rows:
                self.memory[:rows, part] = flock.memory[:, :rows].T
            self.ids[part] = self._first[name] + np.arange(size)
            self.flock_index[part] = kind
            self.flocks[kind] = (*swept, self._first[name], size)
        self.next_ids[:], self.next_flock_index[:] = self.ids, self.flock_index
        put_below_upper(self.model.space, self.state[:, : self.count])

    def keeps(self, name: str) -> int:
        """How many numbers are kept of each boid of a flock."""
        return len(self.model.memory_of(name))

    def by_id(self) -> np.ndarray:
        """(2 dims, boids): places and velocities in id order."""
        state = np.empty((len(self.state), self.count), self.state.dtype)
        state[:, self.ids[: self.count]] = self.state[:, : self.count]
        return state

    def timers_by_id(self) -> np.ndarray:
        """(boids,) int32: steps left on the ground, in id order."""
        timers = np.empty(self.count, np.int32)
        timers[self.ids[: self.count]] = self.timers[: self.count]
        return timers

    def follow(self) -> None:
        """After kernels exchanged arrays, they are where the table says."""
        for one, other in SORTED:
            self.table.follow(one, other)
        self.look_again()

    def look_again(self) -> None:
        """After whole steps were flown elsewhere, arrays are where the table says."""
        for name in STATE:
            setattr(self, name, self.table.array(name))

    def taken(self, step: int, past: np.ndarray | None) -> FlightState:
        """The state, copied, in id order.

        past  (boids, numbers) what boids carry beside what is kept of them
        """
        places, timers = self.by_id().T, self.timers_by_id().astype(np.int64)
        memory = np.empty((self.count, len(self.memory)), self.state.dtype)
        memory[self.ids[: self.count]] = self.memory[:, : self.count].T
        flocks = {}
        for name, size in self.plan.counts.items():
            part = slice(self._first[name], self._first[name] + size)
            kept = memory[part, : self.keeps(name)]
            flocks[name] = FlockState(
                places[part, : self.dims].copy(),
                places[part, self.dims :].copy(),
                timers[part],
                kept.copy() if past is None else np.concatenate([kept, past[part]], axis=1),
            )
        return FlightState(step, flocks)

    def set(self, name: str, positions: np.ndarray | None, velocities: np.ndarray | None) -> None:
        """Puts a flock's boids elsewhere, or gives them other velocities: (N, D) each, None for as
        they are."""
        first, size = self._first[name], self.plan.counts[name]
        ids = self.ids[: self.count]
        columns = np.flatnonzero((ids >= first) & (ids < first + size))
        rows = ids[columns] - first
        if positions is not None:
            self.state[: self.dims, columns] = positions[rows].T
            put_below_upper(self.model.space, self.state[:, : self.count])
        if velocities is not None:
            self.state[self.dims :, columns] = velocities[rows].T

    def boid_at(self, column: int) -> tuple[str, int, np.ndarray]:
        """(flock, number in it, place) of the boid in a column."""
        name = self._names[self.flock_index[column]]
        return name, int(self.ids[column]) - self._first[name], self.state[: self.dims, column]


def depth_of(plan: Plan) -> int:
    """How many past steps are remembered of every boid."""
    model = plan.model
    depths = [f.sensing.depth(model.dt) for f in model.flocks.values() if f.sensing]
    return max(depths, default=0)


def remembered(plan: Plan, arrays: StateArrays, state: FlightState) -> Past | None:
    """The past of a flight that goes on from a state, in its table; None where nobody senses late.

    arrays  those of the same state
    """
    if depth_of(plan) == 0:
        return None
    sides = {"depth": depth_of(plan), "2 axes": 2 * arrays.dims, "by id": arrays.count}
    (array,) = arrays.table.allocate(["history"], sides)
    past = Past(plan, array, arrays.by_id())
    carried = {name: flock.memory for name, flock in state.flocks.items()}
    past.restore(state.step, carried, {name: arrays.keeps(name) for name in plan.counts})
    return past


class Past:
    """The past of one flight.

    past  (depth, 2 dims, boids): the state at step t stands in row t modulo depth
    """

    def __init__(self, plan: Plan, past: np.ndarray, state: np.ndarray) -> None:
        """state  (2 dims, boids), in id order: what the past is at first"""
        self.plan, self.past = plan, past
        past[:] = state

    def restore(
        self, step: int, memory: Mapping[str, np.ndarray], columns: Mapping[str, int]
    ) -> None:
        """Restores the past from what boids carry: after `columns` other numbers, their states one
        step ago, two steps ago, ..."""
        first, (depth, rows, _) = 0, self.past.shape
        for name, size in self.plan.counts.items():
            own = memory.get(name)
            if own is not None and own.shape[1] >= columns[name] + depth * rows:
                for k in range(depth):
                    begin = columns[name] + k * rows
                    row = (step - 1 - k) % depth
                    self.past[row, :, first : first + size] = own[:, begin : begin + rows].T
            first += size

    def by_boid(self, step: int) -> np.ndarray:
        """(boids, depth * 2 dims): the past as boids carry it, one step ago first."""
        depth, width, boids = self.past.shape
        rows = [(step - 1 - k) % depth for k in range(depth)]
        return self.past[rows].transpose(2, 0, 1).reshape(boids, depth * width)
