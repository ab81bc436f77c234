"""State arrays: a column for each boid, and past states for flocks that sense with a delay.

Flocks in cells come first, in the order of their cells. Other flocks follow in id order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from murmurate.codegen.candidates.search import PAD
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import Plan
from murmurate.engines.bounds import wrap_upper_face
from murmurate.engines.population_change import Joins
from murmurate.engines.state import (
    FlightState,
    FlockState,
    identities,
    past_depth,
    states_of_flocks,
)

ARGUMENTS = (
    "state", "next_state", "timers", "next_timers", "memory", "next_memory", "ids", "next_ids",
    "flock_index", "next_flock_index", "flocks",
)  # fmt: skip
"""Arguments of the kernels that are attributes of StateArrays."""
SWAPPED = (
    ("state", "next_state"), ("timers", "next_timers"), ("memory", "next_memory"),
    ("ids", "next_ids"), ("flock_index", "next_flock_index"),
    ("search_radius2", "next_search_radius2"),
)  # fmt: skip
"""Pairs of arguments that kernels exchange."""


class _Array:
    """An array of the table, after kernels may have exchanged it with another."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, arrays: StateArrays, owner: type | None = None) -> np.ndarray:
        if arrays.swapped:
            arrays.sync_after_swap()
        array: np.ndarray = arrays.table.array(self.name)
        return array


class StateArrays:
    """State of a simulation in the order of its kernels.

    layout  columns of each flock
    table  allocates the arrays
    state  state to copy
    state  (2 D, columns) positions and velocities; `next_state` receives the result of a stage
    timers  (columns,) steps that a boid remains on the ground
    memory  (rows, columns) per-boid state of motions and rules, with the rows of the flock that has
        most
    ids  (columns,) boid numbers, counted through all flocks
    flock_index  (columns,)
    """

    state = _Array()
    next_state = _Array()
    timers = _Array()
    next_timers = _Array()
    memory = _Array()
    next_memory = _Array()
    ids = _Array()
    next_ids = _Array()
    flock_index = _Array()
    next_flock_index = _Array()
    flocks = _Array()
    swapped = False
    """Whether kernels may have exchanged arrays in the table since one was read."""

    def __init__(self, layout: Layout, table: Any, state: FlightState) -> None:
        plan = layout.plan
        self.layout, self.plan, self.model, self.table = layout, plan, plan.model, table
        self.dims = self.model.space.dims
        self.count = sum(plan.counts.values())
        sides = {
            "2 axes": 2 * self.dims, "columns": self.count + PAD, "flocks": len(plan.counts),
            "memory rows": plan.memory_rows,
        }  # fmt: skip
        table.allocate(list(ARGUMENTS), sides)
        self._identities = {name: identities(state.flocks[name]) for name in plan.counts}
        self._names = list(plan.counts)
        self._first = dict(
            zip(self._names, np.cumsum([0, *plan.counts.values()]).tolist(), strict=False)
        )
        self._fill(layout, state)

    def rearrange(
        self,
        layout: Layout,
        leaves: np.ndarray,
        joins: Mapping[str, Joins],
        who: Mapping[str, FlockState],
    ) -> None:
        """Remove boids and add others; the remaining ones keep the order of their columns."""
        self.sync_after_swap()
        self._identities = dict(who)
        stays, numbers = ~leaves, {name: len(join.positions) for name, join in joins.items()}
        renumbered = np.cumsum(stays) - 1
        shift, first = 0, {}
        for name, size in self.plan.counts.items():
            part = slice(self._first[name], self._first[name] + size)
            first[name] = shift + int(np.count_nonzero(stays[: part.start]))
            renumbered[part] += shift
            shift += numbers[name]
        sources, targets = self._new_columns(layout, stays, numbers)
        self.layout, self.plan, self.model = layout, layout.plan, layout.plan.model
        old_ids = self.ids[sources].copy()
        count = sum(layout.plan.counts.values())
        self._move_columns(sources, targets, count)
        ids, flocks = self.ids, self.flock_index
        for source, target in targets:
            ids[target] = renumbered[old_ids[source]]
        column_of_first = self._first_joined(layout, numbers)
        for index, (name, join) in enumerate(joins.items()):
            size = layout.plan.counts[name]
            part = slice(column_of_first[name], column_of_first[name] + numbers[name])
            self.state[: self.dims, part] = join.positions.T
            self.state[self.dims :, part] = join.velocities.T
            for array in (self.timers, self.memory, self.table.array("search_radius2")):
                array[..., part] = 0
            self.memory[: self.memory_rows(name), part] = join.memory.T
            ids[part] = first[name] + size - numbers[name] + np.arange(numbers[name])
            flocks[part] = index
        self.count, self._first = count, first
        for index, name in enumerate(self._names):
            _, *sweep = layout.columns[name]
            self.flocks[index] = (*sweep, first[name], layout.plan.counts[name])
        for name, copy in SWAPPED[1:5]:
            self.table.array(copy)[:] = self.table.array(name)
        wrap_upper_face(self.model.space, self.state[:, :count])

    def _groups(self, layout: Layout) -> list[tuple[str, ...]]:
        """Return the flocks that share columns: those in cells, then each other one."""
        groups = [layout.gridded] if layout.gridded else []
        return [*groups, *((name,) for name in self._names if name not in layout.gridded)]

    def _new_columns(
        self, layout: Layout, stays: np.ndarray, numbers: Mapping[str, int]
    ) -> tuple[np.ndarray, list[tuple[slice, slice]]]:
        """Return the present columns of boids that stay, and where they go.

        The second result are pairs of ranges: of the first result, and of columns of `layout`.
        """
        sources: list[np.ndarray] = []
        targets: list[tuple[slice, slice]] = []
        begin = end = first = 0
        for group in self._groups(self.layout):
            size = sum(self.plan.counts[name] for name in group)
            kept = np.flatnonzero(stays[self.ids[begin : begin + size]]) + begin
            sources.append(kept)
            targets.append((slice(first, first + len(kept)), slice(end, end + len(kept))))
            first += len(kept)
            begin += size
            end += len(kept) + sum(numbers[name] for name in group)
        return np.concatenate(sources), targets

    def _first_joined(self, layout: Layout, numbers: Mapping[str, int]) -> dict[str, int]:
        """Return the first column of the boids that join each flock, at the end of its group."""
        columns, end = {}, 0
        for group in self._groups(layout):
            end += sum(layout.plan.counts[name] for name in group)
            column = end - sum(numbers[name] for name in group)
            for name in group:
                columns[name] = column
                column += numbers[name]
        return columns

    def _move_columns(
        self, sources: np.ndarray, targets: list[tuple[slice, slice]], count: int
    ) -> None:
        """Move boids to other columns of arrays for another number of boids."""
        names = ["state", "timers", "memory", "ids", "flock_index", "search_radius2"]
        contents = [np.take(self.table.array(name), sources, axis=-1) for name in names]
        sides = {
            "2 axes": 2 * self.dims, "columns": -(-count // PAD) * PAD + PAD,
            "memory rows": len(self.memory),
            "searches": len(self.table.array("search_radius2")),
        }  # fmt: skip
        self.table.resize([name for pair in SWAPPED for name in pair], sides)
        for name, values in zip(names, contents, strict=True):
            array = self.table.array(name)
            for source, target in targets:
                array[..., target] = values[..., source]
            array[..., count:] = 0

    def _fill(self, layout: Layout, state: FlightState) -> None:
        """Copy flocks into columns, in the order of the layout."""
        dims = self.dims
        for name, (column, *sweep) in layout.columns.items():
            size, index, flock = self.plan.counts[name], self._names.index(name), state.flocks[name]
            part = slice(column, column + size)
            self.state[:dims, part] = np.asarray(flock.positions).T
            self.state[dims:, part] = np.asarray(flock.velocities).T
            self.timers[part] = flock.timers
            rows = self.memory_rows(name)
            if flock.memory.shape[1] >= rows:
                self.memory[:rows, part] = flock.memory[:, :rows].T
            self.ids[part] = self._first[name] + np.arange(size)
            self.flock_index[part] = index
            self.flocks[index] = (*sweep, self._first[name], size)
        self.next_ids[:], self.next_flock_index[:] = self.ids, self.flock_index
        wrap_upper_face(self.model.space, self.state[:, : self.count])

    @property
    def indices(self) -> dict[str, np.ndarray]:
        """Return the indices of the boids of each flock, (N,), in the order of ids."""
        return {name: flock.indices for name, flock in self._identities.items()}

    @property
    def nbytes(self) -> int:
        """Return the bytes of the state before and after a step."""
        return sum(getattr(self, name).nbytes for name in ARGUMENTS)

    def memory_rows(self, name: str) -> int:
        """Return the number of values of per-boid state in a flock."""
        return len(self.model.memory_of(name))

    def by_id(self) -> np.ndarray:
        """Return (2 D, boids) positions and velocities in id order."""
        state = np.empty((len(self.state), self.count), self.state.dtype)
        state[:, self.ids[: self.count]] = self.state[:, : self.count]
        return state

    def sync_after_swap(self) -> None:
        """Update the arrays after kernels may have exchanged them in the table."""
        self.swapped = False
        for first, second in SWAPPED:
            self.table.sync_after_swap(first, second)

    def snapshot(self, step: int, past: np.ndarray | None) -> FlightState:
        """Return a copy of the state in id order, with `past` states, (boids, M), in its memory."""
        state, timers = self.by_id().T, np.empty(self.count, np.int64)
        timers[self.ids[: self.count]] = self.timers[: self.count]
        memory = np.empty((self.count, len(self.memory)), self.state.dtype)
        memory[self.ids[: self.count]] = self.memory[:, : self.count].T
        flocks = states_of_flocks(self.model, self.plan.counts, state, timers, memory, past)
        for name, who in self._identities.items():
            flocks[name] = replace(
                flocks[name], indices=who.indices, births=who.births, n_ever=who.n_ever
            )
        return FlightState(step, flocks)

    def set_flock(
        self, name: str, positions: np.ndarray | None, velocities: np.ndarray | None
    ) -> None:
        """Replace positions and velocities of a flock, (N, D) each; None keeps the present ones."""
        first, size = self._first[name], self.plan.counts[name]
        ids = self.ids[: self.count]
        columns = np.flatnonzero((ids >= first) & (ids < first + size))
        rows = ids[columns] - first
        if positions is not None:
            self.state[: self.dims, columns] = positions[rows].T
            wrap_upper_face(self.model.space, self.state[:, : self.count])
        if velocities is not None:
            self.state[self.dims :, columns] = velocities[rows].T

    def set_memory(self, name: str, first: int, values: np.ndarray) -> None:
        """Replace numbers of the per-boid state of a flock, (M, N) from row `first` on, by id."""
        ids, rows = self.ids[: self.count], self.memory[first : first + len(values), : self.count]
        values = values.astype(rows.dtype, copy=False)
        if len(self._names) == 1:
            for row, own in zip(rows, values, strict=True):
                np.take(own, ids, out=row, mode="clip")
            return
        begin, size = self._first[name], self.plan.counts[name]
        columns = np.flatnonzero((ids >= begin) & (ids < begin + size))
        rows[:, columns] = values[:, ids[columns] - begin]

    def locate_boid(self, column: int) -> tuple[str, int, np.ndarray]:
        """Return flock, index within it, and position of the boid in a column."""
        name = self._names[self.flock_index[column]]
        return name, int(self.ids[column]) - self._first[name], self.state[: self.dims, column]


def make_history(plan: Plan, arrays: StateArrays, state: FlightState) -> StateHistory | None:
    """Return past states for a simulation that continues from a state; None without delays.

    arrays  arrays with the same state
    state  the state, whose memory may include past states
    """
    depth = past_depth(plan.model)
    if depth == 0:
        return None
    sides = {"depth": depth, "2 axes": 2 * arrays.dims, "by id": arrays.count}
    (past,) = arrays.table.allocate(["history"], sides)
    history = StateHistory(plan, past, arrays.by_id())
    memory = {name: flock.memory for name, flock in state.flocks.items()}
    history.restore(state.step, memory, {name: arrays.memory_rows(name) for name in plan.counts})
    return history


def renew_history(before: StateHistory, arrays: StateArrays, stays: np.ndarray) -> StateHistory:
    """Return past states after boids left and joined. Those who joined begin their past.

    before  past states of the boids before that
    arrays  arrays of the boids after it
    stays  (N,) whether a boid remains, by its number before
    """
    sides = {"depth": len(before.past), "2 axes": 2 * arrays.dims, "by id": arrays.count}
    (past,) = arrays.table.allocate(["history"], sides)
    history = StateHistory(arrays.plan, past, arrays.by_id())
    history.keep(before, stays)
    return history


class StateHistory:
    """Past states of a simulation in which a flock senses with a delay.

    past  (depth, 2 D, boids) row t modulo depth receives the state at step t, in id order
    state  (2 D, boids) state in id order, with which all rows are filled
    """

    def __init__(self, plan: Plan, past: np.ndarray, state: np.ndarray) -> None:
        self.plan, self.past = plan, past
        past[:] = state

    def keep(self, before: StateHistory, stays: np.ndarray) -> None:
        """Copy the past of boids that remain, see renew_history."""
        first, begin = 0, 0
        for name, size in before.plan.counts.items():
            kept = begin + np.flatnonzero(stays[begin : begin + size])
            self.past[:, :, first : first + len(kept)] = before.past[:, :, kept]
            begin += size
            first += self.plan.counts[name]

    def restore(
        self, step: int, memory: Mapping[str, np.ndarray], columns: Mapping[str, int]
    ) -> None:
        """Copy past states from the memory of boids, if it has them.

        step  present step
        memory  (N, M) memory by flock, see FlockState
        columns  columns of per-boid state, after which past states begin
        """
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
        """Return (boids, depth * 2 D) past states in id order, the most recent one first."""
        return past_by_boid(self.past, step)


def past_by_boid(past: np.ndarray, step: int) -> np.ndarray:
    """Return the same from (depth, 2 D, boids) past states, see StateHistory."""
    depth, width, boids = past.shape
    rows = [(step - 1 - k) % depth for k in range(depth)]
    return past[rows].transpose(2, 0, 1).reshape(boids, depth * width)
