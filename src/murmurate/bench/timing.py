"""Timing: warmed up, then the median of five blocks of steps."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from murmurate.bench.flocks import Standard

if TYPE_CHECKING:
    from murmurate.engines.base import EngineChoice
    from murmurate.runs.simulation import Simulation

BLOCKS = 5
BLOCK_SECONDS = 0.2


@dataclass(frozen=True)
class Timing:
    """The speed of one flock on so many threads."""

    flock: str
    what: str
    boids: int
    threads: int
    steps: int
    boid_steps_per_second: float


def thread_counts() -> tuple[int, ...]:
    """One thread, and all of them."""
    cores = os.cpu_count() or 1
    return (1, cores) if cores > 1 else (1,)


def time_flock(flock: Standard, threads: int, engine: EngineChoice = "cpu") -> Timing:
    """The speed of one flock: compiled and flown a little first, then the median of five blocks."""
    from murmurate.runs.simulation import Simulation

    model = flock.model()
    simulation = Simulation(model, seed=1, start=flock.start(model), engine=engine, threads=threads)
    boids = simulation.frame.n_boids
    seconds, steps = time_steps(simulation)
    return Timing(flock.name, flock.what, boids, threads, steps, boids / seconds)


def time_steps(simulation: Simulation) -> tuple[float, int]:
    """(seconds a step, steps in each block)."""
    simulation.step(2)
    steps, took = 1, _took(simulation, 1)
    while took < BLOCK_SECONDS / 4:
        steps *= 4
        took = _took(simulation, steps)
    steps = max(1, round(steps * BLOCK_SECONDS / took))
    return median(_took(simulation, steps) for _ in range(BLOCKS)) / steps, steps


def _took(simulation: Simulation, steps: int) -> float:
    begin = time.perf_counter()
    simulation.step(steps)
    return time.perf_counter() - begin
