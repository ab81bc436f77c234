"""Population: which boids leave at the end of a step, and which ones join.

`Population` applies the tables [population.NAME] of a model to the arrays of an engine. All engines
but the reference use it, so they agree bit for bit. All random numbers follow from the seed, the
step and the indices of boids, so a run that continues from a frame continues bit for bit.

What is known before boids move, `Draws`, is drawn first: arrivals, parents of newborns, deaths by
chance and by age. An engine may therefore make several steps at once while nothing can happen. Then
come the entries that depend on positions and per-boid state: exits, removals and captures.

The cost of a step in which nothing happens is that of a few comparisons of columns.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from murmurate.engines import rng
from murmurate.engines.base import EngineBase
from murmurate.engines.individual_numbers import uniform
from murmurate.engines.population_change import (
    Change,
    Columns,
    Draws,
    Ints,
    Numbering,
    PopulationStep,
)
from murmurate.engines.state import FlightState, FlockState, join_flock
from murmurate.errors import PopulationError
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.population import (
    RESERVED_IDS,
    Births,
    BoidSource,
    Capture,
    Deaths,
    Exit,
    Failure,
    Lifetime,
    Removal,
    joined_flock,
    named,
)
from murmurate.model.quantity import number_at
from murmurate.model.rng_streams import rng_stream_id, trait_stream

NEVER = np.iinfo(np.int64).max


class Generators:
    """Generators of random numbers for whole flocks, by stream and step.

    Setting the state of a generator is faster than making one for each step.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._generators: dict[str, tuple[np.random.Generator, Any]] = {}

    def at(self, stream: str, step: int) -> np.random.Generator:
        """Return the generator of a stream at a step."""
        if stream not in self._generators:
            generator = rng.make_generator(self._seed, stream)
            self._generators[stream] = generator, generator.bit_generator.state
        generator, state = self._generators[stream]
        state["state"]["counter"][3] = step
        generator.bit_generator.state = state
        return generator


def poisson(random: np.random.Generator, mean: float, max_count: int) -> int:
    """Return the number of events of a Poisson process, up to `max_count`."""
    count, total = 0, -math.log1p(-random.random())
    while total < mean and count < max_count:
        count += 1
        total -= math.log1p(-random.random())
    return count


def events(random: np.random.Generator, count: int, hazard: float) -> Iterator[int]:
    """Yield the boids of `count` to which something happens, ascending.

    It happens to each with probability 1 - exp(-hazard), so that gaps between them are exponential.
    """
    k = 0
    while k < count:
        gap = -math.log1p(-random.random()) / hazard
        k += math.floor(min(gap, float(count - k)))
        if k < count:
            yield k
        k += 1


# --- the population of a simulation


@dataclass
class Pending:
    """A step at whose end boids may join and leave.

    step    its number
    draws   what was drawn for it
    before  the state before it, if more boids may join than a flock can hold
    after   the state after its movement, if the engine has read it
    """

    step: int
    draws: Draws
    before: FlightState | None
    after: FlightState | None = None


class Population:
    """The population of one simulation: its tables, applied to the boids of an engine.

    numbering  the boids at present
    totals  boids that joined or left before
    numbering  the boids after the last change
    totals  boids that have joined or left so far, by name of the entry and of the flock
    """

    def __init__(
        self,
        model: Model,
        seed: int,
        numbering: Numbering,
        totals: Mapping[tuple[str, str], int] | None = None,
    ) -> None:
        self.seed = seed
        self.totals: dict[tuple[str, str], int] = dict(totals or {})
        self._generators = Generators(seed)
        self._pending: Pending | None = None
        self._load(model, numbering)

    def _load(self, model: Model, numbering: Numbering) -> None:
        self.model, self.numbering = model, numbering
        self._last_draws: tuple[int, Draws] | None = None
        entries = model.population
        self._groups = {
            n: e.groups(model.dt) for n, e in entries.items() if isinstance(e, BoidSource)
        }
        self._geometric = any(isinstance(e, Exit | Removal | Capture) for e in entries.values())
        self._age()

    def _age(self) -> None:
        """Note the step at whose end each boid dies of age, and forget draws for other boids."""
        self._last_draws = None
        self._ends = {
            name: self._end_steps(name, entry)
            for name, entry in self.model.population.items()
            if isinstance(entry, Lifetime)
        }

    def renumber(self, numbering: Numbering) -> None:
        """Continue with other boids."""
        self.numbering = numbering
        self._age()

    def replace_model(self, model: Model) -> None:
        """Continue with another model of the same flocks."""
        self._load(model, self.numbering)

    def _end_steps(self, name: str, entry: Lifetime) -> Ints:
        """Return the step after which each boid dies of age, by dense number."""
        numbering, model = self.numbering, self.model
        ends = np.full(len(numbering.indices), NEVER)
        for flock in named(entry.flocks, model.flocks):
            part = numbering.part(flock)
            ages = lifetimes(model, self.seed, name, entry, flock, numbering.indices[part])
            ends[part] = numbering.births[part] + ages
        return ends

    # --- steps

    def advance(self, engine: PopulatedEngine, step: int, end: int) -> None:
        """Make some steps from `step` on, at most until `end`.

        They are the next ones in which nothing can change, or else one at whose end boids may join
        and leave. Raises PopulationError.
        """
        if quiet := self.quiet_steps(step, end - step):
            engine.move_boids(quiet)
            return
        draws = self.draw(step)
        before = engine.read_state() if self.may_overflow(draws) else None
        self._pending = Pending(step, draws, before)
        engine.move_boids(1)
        self.finish(engine, step + 1)

    def finish(self, engine: PopulatedEngine, step: int) -> None:
        """Let boids join and leave at the end of the pending step, if its movement is complete.

        An exception such as Ctrl-C may end this: the next call begins again with the state after
        the movement. After a PopulationError the engine has the state before the step.

        step  the number of steps made
        """
        pending = self._pending
        if pending is None or step == pending.step:
            self._pending = None  # the movement has not begun
            return
        numbering, totals = self.numbering, dict(self.totals)
        try:
            engine.change_boids(pending)
            self._pending = None
        except PopulationError:
            assert pending.before is not None
            self._pending = None
            engine.load_state(pending.before)
            raise
        finally:
            if self._pending is not None:
                self.totals = totals
                self.renumber(numbering)

    def forget_step(self) -> None:
        """Forget the pending step, which will not be completed."""
        self._pending = None

    # --- before boids move

    def draw(self, step: int) -> Draws:
        """Return the events of a step before positions matter."""
        if self._last_draws is None or self._last_draws[0] != step:
            self._last_draws = step, self._draw(step)
        return self._last_draws[1]

    def _draw(self, step: int) -> Draws:
        draws = Draws({}, {}, {})
        for name, entry in self.model.population.items():
            if isinstance(entry, BoidSource):
                if arrivals := self._arrivals(name, entry, step):
                    draws.arrivals[name] = arrivals  # type: ignore[index]
            elif isinstance(entry, Births):
                parents = self._parents(name, entry, step)
                if len(parents):
                    draws.parents[name] = parents  # type: ignore[index]
            elif isinstance(entry, Deaths | Failure | Lifetime):
                deaths = self._deaths(name, entry, step)
                if len(deaths):
                    draws.deaths[name] = deaths  # type: ignore[index]
        return draws

    def quiet_steps(self, step: int, steps: int) -> int:
        """Return the number of next steps that can change nothing, at most `steps`."""
        if self._geometric:
            return 0
        for k in range(steps):
            if not self.draw(step + k).empty:
                return k
        return steps

    def _arrivals(self, name: str, entry: BoidSource, step: int) -> int:
        """Return how many boids join by a source at the end of a step."""
        if entry.rate is None:
            return self._groups[name].get(step + 1, 0)
        mean = number_at(entry.rate, step * self.model.dt) * self.model.dt
        generator = self._generators.at(f"population/{name}", step)
        return poisson(generator, mean, self._max_joins(entry)) if mean else 0

    def _max_joins(self, entry: BoidSource | Births) -> int:
        """Return a number of boids that the flock has no room for: more are not counted."""
        return self.model.max_boids(joined_flock(entry, self.model.flocks)) + 1

    def _parents(self, name: str, entry: Births, step: int) -> Ints:
        """Return the dense numbers of boids that give birth, once for each newborn."""
        flock = joined_flock(entry, self.model.flocks)
        count = self.numbering.counts[flock]
        mean = number_at(entry.rate, step * self.model.dt) * self.model.dt * count
        if not mean:
            return np.zeros(0, np.int64)
        generator = self._generators.at(f"population/{name}", step)
        number = poisson(generator, mean, self._max_joins(entry))
        parents = (generator.random(number) * count).astype(np.int64)
        return np.sort(parents) + self.numbering.first[flock]

    def _deaths(self, name: str, entry: Deaths | Failure | Lifetime, step: int) -> Ints:
        """Return the dense numbers of boids that die or fail at the end of a step."""
        if isinstance(entry, Lifetime):
            return np.flatnonzero(self._ends[name] <= step + 1)
        hazard = number_at(entry.rate, step * self.model.dt) * self.model.dt
        dead = [np.zeros(0, np.int64)]
        for flock in named(entry.flocks, self.model.flocks) if hazard else ():
            generator = self._generators.at(f"population/{name}/{flock}", step)
            chosen = list(events(generator, self.numbering.counts[flock], hazard))
            dead.append(np.array(chosen, np.int64) + self.numbering.first[flock])
        return np.concatenate(dead)

    def may_overflow(self, draws: Draws) -> bool:
        """Return whether the boids that join may be more than a flock can hold."""
        joins: dict[str, int] = {}
        for name, entry in self.model.population.items():
            flock = joined_flock(entry, self.model.flocks)
            if flock:
                number = draws.arrivals.get(name, 0) + len(draws.parents.get(name, ()))
                joins[flock] = joins.get(flock, 0) + number
        counts, n_ever = self.numbering.counts, self.numbering.n_ever
        return any(
            counts[flock] + number > self.model.max_boids(flock)
            or n_ever[flock] + number > RESERVED_IDS
            for flock, number in joins.items()
            if number
        )

    # --- after boids have moved

    def change(self, step: int, draws: Draws, boids: Columns) -> Change | None:
        """Return the events at the end of a step, or None.

        Handling times are written into the memory of predators.

        step  number of the step, which is made: boids that join do so at step + 1
        draws  what `draw` returned for the step
        boids  the boids after their movement
        raises PopulationError  a flock would have more boids than it can hold
        """
        if draws.empty and not self._geometric:
            return None
        return PopulationStep(self.model, self.seed, self.numbering, step, draws, boids).result()

    def commit(self, change: Change, step: int) -> None:
        """Take over a change at the end of a step, once the engine has made it."""
        self.numbering = self.numbering.after(change, step)
        self._age()
        for key, number in change.counts.items():
            self.totals[key] = self.totals.get(key, 0) + number


def lifetimes(
    model: Model, seed: int, name: str, entry: Lifetime, flock: str, indices: Ints
) -> Ints:
    """Return the lifetimes in steps of boids with these indices: (N,) int64, at least 1."""
    duration: Any = entry.duration
    if is_individual(duration):
        word = duration.draw or f"population.{name}.duration"
        stream = rng_stream_id(trait_stream(flock, word))
        ages = duration.quantiles(uniform(indices, seed, stream))
    else:
        ages = np.full(len(indices), float(duration))
    steps: Ints = np.maximum(1, np.ceil(ages / model.dt * (1 - 1e-12))).astype(np.int64)
    return steps


# --- states in id order


def columns_of(state: FlightState, memory_rows: int) -> Columns:
    """Return the boids of a state as columns, in the order of their dense numbers."""
    flocks = list(state.flocks.values())
    counts = [len(flock.positions) for flock in flocks]
    memory = np.zeros((memory_rows, sum(counts)), flocks[0].positions.dtype)
    first = 0
    for flock, count in zip(flocks, counts, strict=True):
        rows = min(memory_rows, flock.memory.shape[1])
        memory[:rows, first : first + count] = flock.memory[:, :rows].T
        first += count
    return Columns(
        np.concatenate([flock.positions for flock in flocks]).T,
        np.concatenate([flock.velocities for flock in flocks]).T,
        memory,
        np.arange(sum(counts)),
        np.repeat(np.arange(len(flocks)), counts),
    )


def changed_state(
    model: Model, state: FlightState, population: Population, draws: Draws
) -> FlightState | None:
    """Return a state after the population's entries of the step that led to it; None if unchanged.

    state  state after the movement of step `state.step` - 1
    population  the population, which takes over the change
    draws  what it drew for that step
    raises PopulationError  a flock would have more boids than it can hold
    """
    names = {flock: model.memory_of(flock) for flock in model.flocks}
    boids = columns_of(state, max(map(len, names.values())))
    memory = boids.memory.copy()
    change = population.change(state.step - 1, draws, boids)
    if change is None and np.array_equal(memory, boids.memory):
        return None
    flocks: dict[str, FlockState] = {}
    for name, flock in state.flocks.items():
        part, columns = population.numbering.part(name), len(names[name])
        own = flock.memory.copy()
        if own.shape[1] < columns:
            own = np.zeros((len(own), columns), flock.positions.dtype)
        own[:, :columns] = boids.memory[:columns, part].T
        flock = replace(flock, memory=own)
        if change is not None:
            joins = change.joins[name]
            flock = join_flock(
                flock.rows(~change.leaves[part]),
                joins.positions.astype(flock.positions.dtype),
                joins.velocities.astype(flock.positions.dtype), columns, state.step,
                joins.memory,
            )  # fmt: skip
        flocks[name] = flock
    if change is not None:
        population.commit(change, state.step - 1)
    return FlightState(state.step, flocks)


# --- engines


class PopulatedEngine(EngineBase):
    """Base class of engines whose boids join and leave between steps.

    `options` are set before `begin_population`.
    """

    _population: Population | None = None

    @abstractmethod
    def move_boids(self, steps: int) -> None:
        """Make steps in which no boid joins or leaves."""

    @abstractmethod
    def read_state(self) -> FlightState:
        """Return the present state."""

    @abstractmethod
    def load_state(self, state: FlightState) -> None:
        """Continue from a state with other boids."""

    def begin_population(self, model: Model, state: FlightState) -> None:
        """Begin with the boids of a state. Totals continue."""
        totals = self._population.totals if self._population else {}
        self._population = None
        if model.changes_numbers:
            numbering = Numbering.of_state(state)
            self._population = Population(model, self.options.seed, numbering, totals)

    def change_boids(self, pending: Pending) -> None:
        """Let boids join and leave at the end of a step. Raises PopulationError."""
        assert self._population is not None
        if pending.after is None:
            pending.after = self.read_state()
        changed = changed_state(self.model, pending.after, self._population, pending.draws)
        if changed is not None:
            self.load_state(changed)

    def population_counts(self) -> dict[tuple[str, str], int]:
        """Return how many boids joined and left, by name of the entry and of the flock."""
        return dict(self._population.totals) if self._population else {}

    def copy(self, threads: int | None = None) -> Self:
        """Return another engine that continues from the same state and totals."""
        other = super().copy(threads)
        other.take_totals(self.population_counts())
        return other

    def take_totals(self, totals: Mapping[tuple[str, str], int]) -> None:
        """Continue with the totals of another engine."""
        if self._population is not None:
            self._population.totals = dict(totals)
