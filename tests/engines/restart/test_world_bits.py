"""A world equals a simulation with its seed, bit for bit, whatever is done to it and the others."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from murmurate.codegen.candidates.search import Memory
from murmurate.engines.cpu import world_batch
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions


class Mirror:
    """Worlds, and a simulation for each of them to which the same is done."""

    def __init__(
        self, model: mm.Model, seeds: list[int], threads: int, room: int = 4096, **options: Any
    ) -> None:
        self.model, self.seeds, self.options = model, seeds, options
        states = [initial_state(model, seed) for seed in seeds]
        counts = {name: flock.count for name, flock in model.flocks.items()}
        layout, source = layout_and_source(model, counts, options["dtype"], options["thresholds"])
        run = RunOptions(dtype=options["dtype"], threads=threads)
        self.worlds = world_batch.WorldBatch(
            [layout] * len(seeds), source, states, seeds, run, Memory(initial_room=room)
        )
        self.runs = [flights.cpu(model, seed=seed, **options) for seed in seeds]

    def step(self, steps: int) -> None:
        assert self.worlds.step(steps) == -1
        for run in self.runs:
            run.step(steps)

    def restart(self, rows: list[int], seeds: list[int]) -> None:
        states = [initial_state(self.model, seed) for seed in seeds]
        self.worlds.restart(rows, states, seeds)
        for row, seed in zip(rows, seeds, strict=True):
            self.runs[row] = flights.cpu(self.model, seed=seed, **self.options)

    def move(self, rows: list[int], flock: str) -> None:
        """Give boids of some worlds other positions."""
        states = [initial_state(self.model, 99 + row).flocks[flock] for row in rows]
        positions = np.stack([state.positions for state in states])
        self.worlds.set_flock(rows, flock, positions, None)
        for row, own in zip(rows, positions, strict=True):
            self.runs[row].set_state(flock, own, None)

    def compare(self) -> None:
        for world, run in enumerate(self.runs):
            state = self.worlds.state(world)
            assert state.step == run.step_number
            for name, flock in run.state().flocks.items():
                for field in ("positions", "velocities", "timers", "memory"):
                    own, other = getattr(state.flocks[name], field), getattr(flock, field)
                    assert own.dtype == other.dtype and np.array_equal(own, other), (name, field)


@pytest.mark.parametrize("name", pairwise.as_params())
def test_a_world_equals_a_simulation(name: str) -> None:
    row = pairwise.row_of(name)
    draw = random.Random(name)
    model = pairwise.model_of(row, count=draw.choice([9, 25, 60]))
    if world_batch.find_reasons(model):
        assert {row["population"], row["search"]} & {"changing", "voronoi"}
        return
    threads = draw.randint(1, 4)
    seeds = [draw.getrandbits(63) for _ in range(5)]
    both = Mirror(model, seeds, threads, dtype="float64", thresholds=pairwise.thresholds(row))
    for action in ("step", "restart", "step", "move", "step"):
        rows = sorted(draw.sample(range(5), 2))
        if action == "step":
            both.step(draw.choice([1, 2, 5, 9]))
        elif action == "restart":
            both.restart(rows, [draw.getrandbits(63) for _ in rows])
        else:
            both.move(rows, draw.choice(list(model.flocks)))
        both.compare()
    both.step(270)  # more than one run, and than one window of scheduled numbers
    both.compare()


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_make_room_for_crowded_cells(threads: int) -> None:
    model = pairwise.model_of(pairwise.ROWS["metric"], count=80)
    options = {"dtype": "float64", "thresholds": pairwise.CELLS}
    both = Mirror(model, [1, 2, 3], threads, room=32, **options)
    both.step(4)
    both.compare()
    assert both.worlds.staging_room > 32


class Interrupt:
    """A clock that raises KeyboardInterrupt when it is read for the n-th time."""

    def __init__(self, reads: int) -> None:
        self.reads = reads

    def __call__(self) -> float:
        self.reads -= 1
        if self.reads == 0:
            raise KeyboardInterrupt
        return 1000.0 - self.reads


@pytest.mark.parametrize("threads", [1, 3])
def test_an_interrupted_call_leaves_all_worlds_as_before(threads: int) -> None:
    model = pairwise.model_of(pairwise.ROWS["metric-all"], count=12)
    both = Mirror(model, [1, 2, 3, 4], threads, dtype="float64", thresholds=pairwise.ALL_PAIRS)
    both.step(3)
    batch, clock = both.worlds, both.worlds.loop.clock
    for reads in range(1, 6):
        batch.loop.clock = Interrupt(reads)
        with pytest.raises(KeyboardInterrupt):
            batch.step(200)
        both.compare()
    batch.loop.clock = clock
    both.step(5)
    both.compare()
