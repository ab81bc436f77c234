"""Births, deaths, entries and exits of the reference engine, one boid at a time.

Python executes the functions of pages, which all engines but this one have with numpy: see
engines/wasm/population_functions.py. Arrays are in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from types import FunctionType
from typing import Any

import numpy as np

from murmurate.engines.individual_numbers import uniform
from murmurate.engines.population_change import check_number
from murmurate.engines.reference.sensing import Boid
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.population import Lifetime, named
from murmurate.model.quantity import number_at
from murmurate.model.rng_streams import rng_stream_id, trait_stream

Table = dict[int, np.ndarray]
"""Arrays by their words, see population_functions.py."""


@dataclass
class Newcomer:
    """A boid that joins a flock at the end of a step."""

    position: np.ndarray
    velocity: np.ndarray


@dataclass
class PopulationChange:
    """Numbers of boids that leave, and boids that join each flock in the order of indices."""

    leaving: set[int]
    joins: dict[str, list[Newcomer]]
    counts: dict[tuple[str, str], int] = field(default_factory=dict)


@cache
def functions() -> dict[str, Callable[..., Any]]:
    """Return the functions of pages for tables of arrays."""
    from murmurate.engines.wasm import population_functions, random_functions, start_functions

    names = {
        name: FunctionType(value.__code__, dict(value.__globals__))
        for module in (start_functions, random_functions, population_functions)
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
    }
    access: dict[str, Any] = dict.fromkeys(
        ("integers", "integer_rows", "rows", "floats", "shorts"), dict.get
    )
    access["generator_of"] = lambda table: table[population_functions.GENERATOR]
    for function in names.values():
        function.__globals__.update(names | access, real=float)
    return names  # type: ignore[return-value]


class ReferencePopulation:
    """The entries of a model, applied to the boids at the end of a step.

    step  the number of the step
    flocks  the boids of each flock after their movement
    n_ever  boids that have ever been in each flock
    """

    def __init__(
        self,
        model: Model,
        seed: int,
        step: int,
        flocks: Mapping[str, list[Boid]],
        n_ever: Mapping[str, int],
    ) -> None:
        from murmurate.engines.wasm import population_functions as words
        from murmurate.engines.wasm.population_module import population_manifest

        self.model, self.seed, self.step = model, seed, step
        self.flocks, self.n_ever, self.words = flocks, n_ever, words
        self.boids = [boid for boids in flocks.values() for boid in boids]
        manifest = population_manifest(model, sum(map(model.max_boids, flocks)), 0)
        self.table: Table = {}
        for name, array in manifest["arrays"].items():
            dtype = (
                np.float64 if name == "state" else object if name == "settings" else array["dtype"]
            )
            self.table[array["word"]] = np.zeros(array["shape"], dtype)
            if name in manifest["constants"]:
                self.table[array["word"]].reshape(-1)[:] = manifest["constants"][name]
        self._put_boids()
        for number in manifest["numbers"]:
            value = reduce(_part, number["path"].split("."), model)
            if not is_individual(value):
                time = (step + number["end"]) * model.dt
                self.table[words.NUMBERS].reshape(-1)[number["at"]] = number_at(value, time)

    def _put_boids(self) -> None:
        from murmurate.engines.wasm.start_functions import LOWER_HALF

        words, table, count = self.words, self.table, len(self.boids)
        settings, begin = table[words.SETTINGS], 0
        settings[words.SEED], settings[words.STEP] = self.seed, self.step
        table[words.GENERATOR][LOWER_HALF] = 0xFFFFFFFF
        table[words.TIMERS] = np.zeros(count, np.int32)
        table[words.WHO] = np.array(
            [boid.own_index for boid in self.boids] + [boid.birth for boid in self.boids], np.int64
        )
        table[words.STATE] = np.zeros(
            (table[words.INITIAL].shape[1] + 2 * self.model.space.dims) * count
        )
        state = self._rows()
        for name, row in zip(self.flocks, table[words.FLOCKS], strict=True):
            boids, names = self.flocks[name], self.model.memory_of(name)
            for k, boid in enumerate(boids, begin):
                numbers = [*boid.position, *boid.velocity, *(boid.memory[key] for key in names)]
                state[: len(numbers), k] = numbers
            row[[words.COUNT, words.N_EVER, words.BEGIN]] = len(boids), self.n_ever[name], begin
            begin += len(boids)

    def apply(self) -> PopulationChange:
        """Apply all entries in their order. Raises PopulationError."""
        words, table = self.words, self.table
        counts: dict[tuple[str, str], int] = {}
        for e, (name, entry) in enumerate(self.model.population.items()):
            before = self._numbers()
            if isinstance(entry, Lifetime) and is_individual(entry.duration):
                self._age(name, entry)
            else:
                with np.errstate(over="ignore"):
                    functions()["apply"](table, e)
            for flock, was, number in zip(self.flocks, before, self._numbers(), strict=True):
                if number > was:
                    counts[name, flock] = number - was
        dims, joins = self.model.space.dims, {name: list[Newcomer]() for name in self.flocks}
        for *vector, flock in table[words.JOINS][: table[words.SETTINGS][words.N_JOINS]].tolist():
            name = list(self.flocks)[int(flock)]
            joins[name].append(Newcomer(np.array(vector[:dims]), np.array(vector[dims:])))
        leaving = set(np.flatnonzero(table[words.LEAVES][: len(self.boids)]).tolist())
        self._check()
        self._put_memory()
        return PopulationChange(leaving, joins, counts)

    def _numbers(self) -> list[int]:
        """Return how many boids have joined, left or failed so far, by flock."""
        words, numbers, rows = self.words, [], self._rows()
        leaves = self.table[words.LEAVES]
        for name, flock in zip(self.flocks, self.table[words.FLOCKS].tolist(), strict=True):
            part = slice(flock[words.BEGIN], flock[words.BEGIN] + flock[words.COUNT])
            failed = [
                rows[2 * self.model.space.dims + row, part]
                for row, key in enumerate(self.model.memory_of(name))
                if key.startswith("population.") and key.endswith(".failed")
            ]
            numbers.append(flock[words.JOINED] + int(leaves[part].sum()) + int(np.sum(failed)))
        return numbers

    def _rows(self) -> np.ndarray:
        """Return positions, velocities and stored numbers, (numbers, boids)."""
        height = self.table[self.words.INITIAL].shape[1] + 2 * self.model.space.dims
        rows: np.ndarray = self.table[self.words.STATE].reshape(height, len(self.boids))
        return rows

    def _age(self, name: str, entry: Lifetime) -> None:
        """Let boids die of age whose lifetimes differ; pages refuse them."""
        duration: Any = entry.duration
        for flock in named(entry.flocks, self.flocks):
            stream = rng_stream_id(
                trait_stream(flock, duration.draw or f"population.{name}.duration")
            )
            for boid in self.flocks[flock]:
                age = float(
                    duration.quantiles(uniform(np.array([boid.own_index]), self.seed, stream))[0]
                )
                steps = max(1, math.ceil(age / self.model.dt * (1 - 1e-12)))
                if self.step + 1 >= boid.birth + steps:
                    self.table[self.words.LEAVES][boid.number] = 1

    def _check(self) -> None:
        """Raise PopulationError if a flock has too many boids."""
        words = self.words
        for name, flock in zip(self.flocks, self.table[words.FLOCKS].tolist(), strict=True):
            joined, begin = flock[words.JOINED], flock[words.BEGIN]
            left = int(self.table[words.LEAVES][begin : begin + flock[words.COUNT]].sum())
            if joined:
                count = flock[words.COUNT] - left + joined
                check_number(self.model, self.step + 1, name, count, self.n_ever[name] + joined)

    def _put_memory(self) -> None:
        """Take over the per-boid state of entries: handling times and failures."""
        rows = self._rows()
        for k, boid in enumerate(self.boids):
            stored = rows[2 * self.model.space.dims :, k].tolist()
            own = zip(self.model.memory_of(boid.flock), stored, strict=False)
            boid.memory = dict(own)


def _part(owner: Any, key: str) -> Any:
    """Return a part of a model by its key in a path."""
    if isinstance(owner, Mapping):
        return owner[key]
    return owner[int(key)] if isinstance(owner, tuple) else getattr(owner, key)
