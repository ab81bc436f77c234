"""The changes of a population at the end of one step: which boids leave, and which ones join."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from murmurate.engines.bounds import wrap_and_check
from murmurate.engines.individual_numbers import uniforms
from murmurate.engines.initial_memory import initial_memory
from murmurate.engines.initial_state import draw_start
from murmurate.engines.population_search import nearest_pairs, region_mask
from murmurate.engines.rng import make_generator
from murmurate.engines.state import FlightState, Floats, FlockState
from murmurate.errors import PopulationError
from murmurate.model.model import Model
from murmurate.model.population import (
    RESERVED_IDS,
    Births,
    BoidSource,
    Capture,
    Entry,
    Exit,
    Removal,
    failed_flocks,
    flocks_left,
    joined_flock,
    named,
)
from murmurate.model.quantity import number_at
from murmurate.model.space import Space

Ints = NDArray[np.int64]


# --- boids of an engine


@dataclass(frozen=True, eq=False)
class Columns:
    """The boids of an engine after a step, in any order.

    positions, velocities  (D, N) in the precision of the engine
    memory  (M, N) per-boid state, with the rows of the flock that has most. Handling times and
        failures are written into it.
    ids  (N,) dense numbers 0 to N - 1: the rank of each boid by flock and index
    flock_index  (N,)
    """

    positions: np.ndarray
    velocities: np.ndarray
    memory: np.ndarray
    ids: np.ndarray
    flock_index: np.ndarray


@dataclass(frozen=True, eq=False)
class Numbering:
    """Present boids.

    counts  boids by flock, in the model's order
    indices, births  (N,) index within its flock, and step at which it joined, of each boid by its
        dense number
    n_ever  boids that have ever been in each flock
    """

    counts: Mapping[str, int]
    indices: Ints
    births: Ints
    n_ever: Mapping[str, int]

    @classmethod
    def of_state(cls, state: FlightState) -> Numbering:
        """Return the numbering of a state."""
        flocks = state.flocks.values()
        none = np.zeros(0, np.int64)
        return cls(
            {name: len(flock.positions) for name, flock in state.flocks.items()},
            np.concatenate([none, *(flock.indices for flock in flocks)]),
            np.concatenate([none, *(flock.births for flock in flocks)]),
            {name: flock.n_ever for name, flock in state.flocks.items()},
        )

    @property
    def first(self) -> dict[str, int]:
        """Dense number of the first boid of each flock."""
        return dict(zip(self.counts, accumulate([0, *self.counts.values()]), strict=False))

    def part(self, flock: str) -> slice:
        """Return the dense numbers of a flock."""
        first = self.first[flock]
        return slice(first, first + self.counts[flock])

    def flock_indices(self) -> dict[str, Ints]:
        """Return the indices of the boids of each flock."""
        return {name: self.indices[self.part(name)] for name in self.counts}

    def identities(self) -> dict[str, FlockState]:
        """Return who the boids of each flock are, see engines.state.identities."""
        none, no_timers = np.zeros((0, 0)), np.zeros(0, np.int64)
        return {
            name: FlockState(
                none, none, no_timers, none, self.indices[self.part(name)],
                self.births[self.part(name)], self.n_ever[name],
            )
            for name in self.counts
        }  # fmt: skip

    def identified(self, flocks: Mapping[str, FlockState]) -> dict[str, FlockState]:
        """Return states of flocks with indices, births and numbers of boids."""
        return {
            name: replace(
                flock, indices=self.indices[self.part(name)], births=self.births[self.part(name)],
                n_ever=self.n_ever[name],
            )
            for name, flock in flocks.items()
        }  # fmt: skip

    def after(self, change: Change, step: int) -> Numbering:
        """Return the numbering after a change at the end of a step."""
        stays = ~change.leaves
        counts, indices, births, n_ever = {}, [], [], {}
        for name in self.counts:
            part, joins = self.part(name), len(change.joins[name].positions)
            kept = stays[part]
            begin = self.n_ever[name]
            indices += [self.indices[part][kept], np.arange(begin, begin + joins)]
            births += [self.births[part][kept], np.full(joins, step + 1, np.int64)]
            counts[name], n_ever[name] = int(kept.sum()) + joins, begin + joins
        return Numbering(counts, np.concatenate(indices), np.concatenate(births), n_ever)


@dataclass(frozen=True, eq=False)
class Joins:
    """Boids that join a flock, in the order of their indices.

    positions, velocities  (N, D) float64
    memory                 (N, M) per-boid state, in the order of Model.memory_of
    """

    positions: Floats
    velocities: Floats
    memory: Floats


@dataclass(frozen=True, eq=False)
class Change:
    """Events at the end of a step.

    leaves  (N,) whether a boid leaves, by its dense number
    counts  boids that leave, fail or join, by name of the entry and of the flock
    """

    leaves: NDArray[np.bool_]
    joins: Mapping[str, Joins]
    counts: Mapping[tuple[str, str], int]


@dataclass(frozen=True, eq=False)
class Draws:
    """Events in a step before positions matter, by name of the entry.

    arrivals  number of boids that join by a source
    parents   dense numbers of the parents of newborns, ascending
    deaths    dense numbers of boids that die by chance or age or fail, ascending
    """

    arrivals: Mapping[str, int] = field(default_factory=dict)
    parents: Mapping[str, Ints] = field(default_factory=dict)
    deaths: Mapping[str, Ints] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nothing happens."""
        return not (self.arrivals or self.parents or self.deaths)


# --- entries


class PopulationStep:
    """The entries of a population, applied to the boids of one step."""

    def __init__(
        self,
        model: Model,
        seed: int,
        numbering: Numbering,
        step: int,
        draws: Draws,
        boids: Columns,
    ) -> None:
        self.model, self.seed, self.numbering = model, seed, numbering
        self.step, self.draws, self.boids = step, draws, boids
        self.time = (step + 1) * self.model.dt
        self.leaves = np.zeros(boids.positions.shape[1], bool)  # by dense number
        self.counts: dict[tuple[str, str], int] = {}
        self.names = list(self.model.flocks)
        self.joins: dict[str, list[tuple[Floats, Floats]]] = {name: [] for name in self.names}
        self._column_of: np.ndarray | None = None

    def result(self) -> Change | None:
        """Apply all entries in their order."""
        for name, entry in self.model.population.items():
            if isinstance(entry, BoidSource):
                self._arrive(name, entry)
            elif isinstance(entry, Births):
                self._give_birth(name, entry)
            elif isinstance(entry, Exit):
                self._exit(name, entry)
            elif isinstance(entry, Removal):
                self._remove(name, entry)
            elif isinstance(entry, Capture):
                self._capture(name, entry)
            elif name in self.draws.deaths and failed_flocks(entry, self.names):
                self._fail(name, entry, self.draws.deaths[name])
            elif name in self.draws.deaths:
                self._leave(name, self.draws.deaths[name])
        if not self.counts:
            return None
        dims = self.model.space.dims
        joins = {name: self._all_joins(name, dims) for name in self.names}
        change = Change(self.leaves, joins, self.counts)
        self._check(change)
        return change

    def _all_joins(self, flock: str, dims: int) -> Joins:
        """Return all boids that join a flock, with the state that they begin with."""
        parts, none = self.joins[flock], np.zeros((0, dims))
        positions = np.concatenate([none, *(positions for positions, _ in parts)])
        velocities = np.concatenate([none, *(velocities for _, velocities in parts)])
        begin = self.numbering.n_ever[flock]
        indices = np.arange(begin, begin + len(positions))
        memory = initial_memory(self.model, self.seed, flock, indices)
        if not memory.shape[1]:  # it stands for zeros
            memory = np.zeros((len(indices), len(self.model.memory_of(flock))))
        return Joins(positions, velocities, memory)

    def _check(self, change: Change) -> None:
        """Raise PopulationError if a flock has too many boids."""
        for name in self.names:
            joins, part = len(change.joins[name].positions), self.numbering.part(name)
            if not joins:
                continue
            count = int(np.count_nonzero(~change.leaves[part])) + joins
            check_number(
                self.model, self.step + 1, name, count, self.numbering.n_ever[name] + joins
            )

    # --- boids that join

    def _next_indices(self, flock: str, count: int) -> Ints:
        """Return the indices of boids that join a flock after those of earlier entries."""
        begin = self.numbering.n_ever[flock] + sum(len(x) for x, _ in self.joins[flock])
        return np.arange(begin, begin + count)

    def _join(self, name: str, flock: str, positions: Floats, velocities: Floats) -> None:
        wrap_and_check(f"population.{name}", self.model.space, positions)
        self.joins[flock].append((positions, velocities))
        self.counts[name, flock] = len(positions)

    def _arrive(self, name: str, entry: BoidSource) -> None:
        if name not in self.draws.arrivals:
            return
        flock = joined_flock(entry, self.names)
        start = entry.start or self.model.flocks[flock].start
        number = self.draws.arrivals[name]
        first = self._next_indices(flock, 1)[0]
        random = make_generator(self.seed, f"{flock}/population/{name}", self.step)
        rows = slice(0, number)
        self._join(name, flock, *draw_start(start, number, self.model.space, random, rows, first))

    def _give_birth(self, name: str, entry: Births) -> None:
        parents = self.draws.parents.get(name, np.zeros(0, np.int64))
        parents = parents[~self.leaves[parents]]
        if not len(parents):
            return
        flock, columns = joined_flock(entry, self.names), self._columns(parents)
        indices = self._next_indices(flock, len(parents))
        distance = number_at(entry.distance, self.step * self.model.dt)
        positions = place_newborns(
            self.boids.positions[:, columns].T, distance, self.model.space, self.seed,
            f"{flock}/population/{name}", indices,
        )  # fmt: skip
        velocities = self.boids.velocities[:, columns].T.astype(float)
        self._join(name, flock, positions, velocities)

    # --- boids that leave

    def _columns(self, ids: Ints) -> np.ndarray:
        """Return the columns of boids by their dense numbers."""
        if self._column_of is None:
            self._column_of = np.empty(len(self.boids.ids), np.int64)
            self._column_of[self.boids.ids] = np.arange(len(self.boids.ids))
        return self._column_of[ids]

    def _leave(self, name: str, ids: Ints) -> None:
        """Let boids leave, by dense numbers, unless they have left."""
        ids = ids[~self.leaves[ids]]
        self.leaves[ids] = True
        for flock in flocks_left(self.model.population[name], self.names):
            part = self.numbering.part(flock)
            if number := int(np.count_nonzero((ids >= part.start) & (ids < part.stop))):
                self.counts[name, flock] = number

    def _fail(self, name: str, entry: Entry, ids: Ints) -> None:
        """Let boids fail, by dense numbers, unless they have left or failed."""
        for flock in failed_flocks(entry, self.names):
            part, names = self.numbering.part(flock), self.model.memory_of(flock)
            row = self.boids.memory[names.index(f"population.{name}.failed")]
            own = ids[(ids >= part.start) & (ids < part.stop) & ~self.leaves[ids]]
            columns = self._columns(own)
            if number := int(np.count_nonzero(row[columns] == 0)):
                self.counts[name, flock] = number
            row[columns] = 1

    def _of_flocks(self, columns: np.ndarray, flocks: Sequence[str]) -> np.ndarray:
        """Return those columns whose boids are of some flocks."""
        if len(flocks) == len(self.names):
            return columns
        own = self.boids.flock_index[columns]
        mask = np.zeros(len(columns), bool)
        for flock in flocks:
            mask |= own == self.names.index(flock)
        return columns[mask]

    def _exit(self, name: str, entry: Exit) -> None:
        inside = region_mask(entry.region, self.model.space, self.time, self.boids.positions)
        columns = np.flatnonzero(inside)
        if len(columns):
            columns = self._of_flocks(columns, named(entry.flocks, self.names))
            self._leave(name, self.boids.ids[columns].astype(np.int64))

    def _remove(self, name: str, entry: Removal) -> None:
        for flock in named(entry.flocks, self.names):
            values = self.boids.memory[self.model.memory_of(flock).index(entry.state)]
            mask = np.zeros(len(values), bool)
            if entry.below is not None:
                mask |= values < number_at(entry.below, self.time)
            if entry.above is not None:
                mask |= values > number_at(entry.above, self.time)
            columns = self._of_flocks(np.flatnonzero(mask), (flock,))
            if len(columns):
                self._leave(name, self.boids.ids[columns].astype(np.int64))

    # --- captures

    def _capture(self, name: str, entry: Capture) -> None:
        """Let free predators capture; then count down the handling times of the others."""
        predators, rows = self._free_predators(name, entry)
        radius = number_at(entry.radius, self.step * self.model.dt)

        def select_prey(columns: np.ndarray) -> np.ndarray:
            columns = self._of_flocks(columns, named(entry.prey, ()))
            present: np.ndarray = columns[~self.leaves[self.boids.ids[columns]]]
            return present

        pairs = nearest_pairs(
            self.model.space, self.boids.positions, self.boids.ids, predators, select_prey, radius
        )
        captors, captured = self._take(name, entry, *pairs)
        self._count_down(name, entry)
        steps = math.ceil(
            number_at(entry.handling_time, self.step * self.model.dt)
            / self.model.dt * (1 - 1e-12)
        )  # fmt: skip
        for column in captors:
            self.boids.memory[rows[int(self.boids.flock_index[column])], column] = steps
        if len(captured):
            self._leave(name, np.sort(self.boids.ids[captured].astype(np.int64)))

    def _rows(self, name: str, entry: Capture) -> dict[int, int]:
        """Return the row of memory with the handling time, by index of the predators' flock."""
        path = f"population.{name}.handling"
        return {
            self.names.index(flock): self.model.memory_of(flock).index(path)
            for flock in named(entry.predators, ())
        }

    def _free_predators(self, name: str, entry: Capture) -> tuple[np.ndarray, dict[int, int]]:
        """Return the columns of predators that handle nothing, in the order of their ids."""
        rows, free = self._rows(name, entry), []
        for kind, row in rows.items():
            columns = np.flatnonzero(self.boids.flock_index == kind)
            free.append(columns[self.boids.memory[row, columns] <= 0])
        columns = np.concatenate(free)
        columns = columns[~self.leaves[self.boids.ids[columns]]]
        return columns[np.argsort(self.boids.ids[columns])], rows

    def _count_down(self, name: str, entry: Capture) -> None:
        for kind, row in self._rows(name, entry).items():
            columns = np.flatnonzero(self.boids.flock_index == kind)
            values = self.boids.memory[row, columns]
            self.boids.memory[row, columns] = np.maximum(values - 1, 0)

    def _take(
        self, name: str, entry: Capture, predators: np.ndarray, prey: np.ndarray
    ) -> tuple[list[int], list[int]]:
        """Return the columns of predators that capture, and of their prey.

        predators, prey  (K,) columns of pairs within the radius, in the order of the predators'
            ids, and the nearest prey of each first
        """
        captors: list[int] = []
        captured: list[int] = []
        if not len(predators):
            return captors, captured
        chance = number_at(entry.probability, self.step * self.model.dt)
        luck = self._luck(name, predators) if chance < 1.0 else np.zeros(len(predators))
        attempted, removed = -1, set()
        for predator, target, u in zip(
            predators.tolist(), prey.tolist(), luck.tolist(), strict=True
        ):
            if predator == attempted or target in removed or predator in removed:
                continue
            attempted = predator
            if u < chance:
                removed.add(target)
                captors.append(predator)
                captured.append(target)
        return captors, captured

    def _luck(self, name: str, predators: np.ndarray) -> Floats:
        """Return a uniform random number of each predator in this step: (K,)."""
        ids, kinds = self.boids.ids[predators], self.boids.flock_index[predators]
        luck = np.empty(len(predators))
        for kind in np.unique(kinds):
            mask, flock = kinds == kind, self.names[kind]
            indices = self.numbering.indices[ids[mask]]
            stream = f"{flock}/population/{name}"
            luck[mask] = uniforms(self.seed, stream, indices, self.step)[:, 0]
        return luck


def check_number(model: Model, step: int, flock: str, count: int, n_ever: int) -> None:
    """Raise PopulationError if a flock has too many boids after a step.

    step  step at whose end boids join
    count, n_ever  boids that it would have, and that have ever been in it
    """
    limit = model.max_boids(flock)
    if count > limit:
        raise PopulationError(
            f"flocks.{flock}.max_boids: got {count:,} boids at the end of step {step}; expected at "
            f"most {limit:,}. State a larger max_boids, or let fewer boids join",
            step=step,
            flock=flock,
        )
    if n_ever > RESERVED_IDS:
        raise PopulationError(
            f"flocks.{flock}: got {n_ever:,} boids so far at the end of step {step}; expected at "
            f"most {RESERVED_IDS:,}, the ids of a flock. Begin a new simulation",
            step=step,
            flock=flock,
        )


# --- newborns


def draw_directions(dims: int, u: Floats) -> Floats:
    """Return (N, D) unit vectors in uniform directions from (N, 2) uniform numbers."""
    angle = 2.0 * np.pi * u[:, 0]
    if dims == 2:
        return np.stack([np.cos(angle), np.sin(angle)], axis=1)
    z = 2.0 * u[:, 1] - 1.0
    radius = np.sqrt(1.0 - z * z)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=1)


def place_newborns(
    positions: Floats, distance: float, space: Space, seed: int, stream: str, indices: Ints
) -> Floats:
    """Return (N, D) positions of newborns at a distance from those of their parents.

    Beyond a closed face they are reflected into the space.
    """
    u = uniforms(seed, stream, indices)
    placed = positions.astype(float) + distance * draw_directions(space.dims, u)
    for axis, boundary in enumerate(space.boundaries):
        if boundary in ("reflecting", "held"):
            low, high, column = space.lower[axis], space.upper[axis], placed[:, axis]
            column[:] = np.where(column < low, 2 * low - column, column)
            column[:] = np.where(column > high, 2 * high - column, column)
            np.clip(column, low, high, out=column)
    return np.asarray(placed)
