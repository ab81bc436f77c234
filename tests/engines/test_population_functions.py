"""Boids join and leave in pages as in engines: the functions of pages, executed by Python.

Random populations of all kinds of entries, starts and regions, on boids that move at random. Full
and empty flocks are among them.
"""

from __future__ import annotations

from functools import reduce
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from scipy import stats

import interpreted
import murmurate as mm
from murmurate.engines.initial_state import initial_state
from murmurate.engines.population import Population, changed_state, events, poisson
from murmurate.engines.population_change import Numbering
from murmurate.engines.rng import make_generator
from murmurate.engines.state import FlightState, FlockState
from murmurate.engines.wasm import (
    population_functions,
    random_functions,
    start_functions,
)
from murmurate.engines.wasm.population_module import population_manifest
from murmurate.model.quantity import number_at
from random_populations import random_model

STEPS = 12


def executed() -> dict[str, Any]:
    """Return the functions of a page, which call Python's versions of intrinsics."""
    modules = start_functions, random_functions, population_functions
    names = {
        name: FunctionType(value.__code__, dict(value.__globals__))
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
    }
    for function in names.values():
        function.__globals__.update(names, array1=interpreted.array1, array2=interpreted.array2)
    return names


FUNCTIONS = executed()


class Page:
    """The arrays of a page's module, and its functions."""

    def __init__(self, model: mm.Model, seed: int) -> None:
        self.model = model
        boids = sum(model.max_boids(name) for name in model.flocks)
        self.manifest = population_manifest(model, boids, 0)
        self.arrays = {
            name: np.zeros(each["shape"], each["dtype"])
            for name, each in self.manifest["arrays"].items()
        }
        for name, numbers in self.manifest["constants"].items():
            self.arrays[name].reshape(-1)[:] = numbers
        self.arrays["generator"][start_functions.LOWER_HALF] = 0xFFFFFFFF
        self.arrays["settings"][population_functions.SEED] = seed
        self.table = np.zeros(population_functions.TABLE_WORDS, np.int64)
        for name, each in self.manifest["arrays"].items():
            row = [self.arrays[name].ctypes.data, *each["shape"]]
            self.table[each["word"] : each["word"] + len(row)] = row
        self.rows = 2 * model.space.dims + self.arrays["initial"].shape[1]

    def call(self, name: str) -> int:
        with np.errstate(over="ignore"):
            return int(FUNCTIONS[name](self.table.ctypes.data))

    def put(self, state: FlightState, step: int) -> None:
        flocks = list(state.flocks.values())
        rows = rows_of(self.model, state, self.rows)
        self.arrays["state"][: rows.size] = rows.ravel()
        who = [np.concatenate([getattr(f, key) for f in flocks]) for key in ("indices", "births")]
        self.arrays["who"][: 2 * rows.shape[1]] = np.concatenate(who)
        for k, flock in enumerate(flocks):
            self.arrays["flocks"][k, :2] = len(flock.positions), flock.n_ever
        self.table[population_functions.TIMERS + 1] = rows.shape[1]
        self.arrays["settings"][population_functions.STEP] = step
        for number in self.manifest["numbers"]:
            value = reduce(_part, number["path"].split("."), self.model)
            time = (step + int(number["end"])) * self.model.dt
            self.arrays["numbers"].reshape(-1)[number["at"]] = number_at(value, time)


def _part(owner: Any, key: str) -> Any:
    if isinstance(owner, dict):
        return owner[key]
    return owner[int(key)] if isinstance(owner, tuple) else getattr(owner, key)


def rows_of(model: mm.Model, state: FlightState, height: int) -> np.ndarray:
    """Return a state as a page has it: (height, boids) float32."""
    parts = []
    for name, flock in state.flocks.items():
        memory = np.zeros((len(flock.positions), height - 2 * model.space.dims))
        width = min(flock.memory.shape[1], len(model.memory_of(name)))
        memory[:, :width] = flock.memory[:, :width]
        parts.append(np.concatenate([flock.positions, flock.velocities, memory], axis=1))
    return np.concatenate(parts).T.astype(np.float32)


def moved(model: mm.Model, state: FlightState, rng: np.random.Generator) -> FlightState:
    """Return a state whose boids have moved at random within closed and periodic faces."""
    space, flocks = model.space, {}
    low, size, high = (np.array(each) for each in (space.lower, space.size, space.upper))
    for name, flock in state.flocks.items():
        x = flock.positions + rng.normal(0.0, 0.02 * size.min(), flock.positions.shape)
        wrapped = low + (x - low) % size
        bounded = np.clip(x, low, high)
        kinds = np.array(space.boundaries)
        x = np.where(kinds == "periodic", wrapped, np.where(kinds == "open", x, bounded))
        memory = flock.memory
        if not memory.shape[1]:
            memory = np.zeros((len(x), len(model.memory_of(name))))
        memory = memory.copy()
        memory[:, : space.dims] = rng.uniform(-1.0, 1.0, (len(x), space.dims))  # the heading
        flocks[name] = FlockState(
            x.astype(np.float32), np.asarray(flock.velocities, np.float32), flock.timers,
            memory.astype(np.float32), flock.indices, flock.births, flock.n_ever,
        )  # fmt: skip
    return FlightState(state.step + 1, flocks)


def compare(number: int) -> None:
    """Compare a page with engines on a random model."""
    rng = np.random.default_rng(number)
    model, seed = mm.Model(**random_model(rng)), int(rng.integers(0, 2**50))
    state, page = initial_state(model, seed), Page(model, seed)
    population = Population(model, seed, Numbering.of_state(state))
    for step in range(STEPS):
        draws = population.draw(step)
        expected = int(population.quiet_steps(step, 1) == 0)
        page.put(state, step)
        assert page.call("happens") == (2 if population.may_overflow(draws) else expected)
        state = moved(model, state, rng)
        page.put(state, step)
        try:
            changed = changed_state(model, state, population, draws)
        except mm.PopulationError as error:
            assert page.call("change") == -1
            count = page.arrays["settings"][population_functions.FULL_COUNT]
            assert f"got {count:,} boids" in str(error)
            return
        answer = page.call("change")
        rows = rows_of(model, changed or state, page.rows)
        assert answer == (rows.shape[1] if population_changed(state, changed) else -2)
        where = "state" if answer == -2 else "next_state"
        assert np.array_equal(page.arrays[where][: rows.size].reshape(rows.shape), rows)
        state = changed or state
        if answer != -2:
            flocks = list(state.flocks.values())
            who = np.array([np.concatenate([getattr(f, key) for f in flocks])
                            for key in ("indices", "births")])  # fmt: skip
            assert np.array_equal(page.arrays["next_who"][: who.size].reshape(who.shape), who)
            assert page.arrays["flocks"][:, 1].tolist() == [f.n_ever for f in flocks]


def population_changed(before: FlightState, after: FlightState | None) -> bool:
    """Return whether boids joined or left, rather than only counted down a handling time."""
    return after is not None and any(
        not np.array_equal(flock.indices, after.flocks[name].indices)
        for name, flock in before.flocks.items()
    )


def test_random_populations_of_pages() -> None:
    for number in range(6):
        compare(number)


@pytest.mark.long
def test_many_random_populations_of_pages() -> None:
    for number in range(100, 500):
        compare(number)


@pytest.mark.parametrize("mean", [0.3, 12.0])
def test_numbers_of_events_are_poisson_distributed(mean: float) -> None:
    random = make_generator(1, "x")
    numbers = np.array([poisson(random, mean, 1000) for _ in range(20_000)])
    counts = np.bincount(numbers, minlength=40)[:40]
    expected = stats.poisson(mean).pmf(np.arange(40)) * len(numbers)
    large = expected > 5
    assert (
        stats.chisquare(
            [*counts[large], len(numbers) - counts[large].sum()],
            [*expected[large], len(numbers) - expected[large].sum()],
        ).pvalue
        > 1e-4
    )


@pytest.mark.parametrize("hazard", [0.01, 0.5, 3.0, 1e-300, 1e300])
def test_events_happen_to_each_boid_with_the_same_chance(hazard: float) -> None:
    random, counts, runs = make_generator(2, "x"), np.zeros(50), 4000
    for _ in range(runs):
        counts[list(events(random, 50, hazard))] += 1
    share = -np.expm1(-hazard)
    error = np.sqrt(runs * share * (1 - share))
    assert (abs(counts - runs * share) <= 5 * error).all()
    assert abs(counts.sum() - 50 * runs * share) <= 4 * np.sqrt(50) * error


def test_a_flood_of_events_ends_at_once() -> None:
    """It is counted up to what no flock can hold: more would take minutes."""
    assert poisson(make_generator(1, "x"), 1e12, 101) == 101
