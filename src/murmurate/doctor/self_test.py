"""The self-test: does this installation compile, fly what the reference engine flies, share a step
among threads, draw and encode a film, and how fast is it? Ten seconds with kernels in the cache."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.bench.flocks import find, uniform
from murmurate.bench.timing import thread_counts, time_flock
from murmurate.doctor.expected_speed import expected_speed
from murmurate.engines.options import cores
from murmurate.runs.films import film
from murmurate.runs.simulation import Simulation

FEW, STEPS = 200, 5  # boids that are flown in plain Python too
SHARED = 10_000  # boids, enough to be shared among threads
PICTURES = 8
CLOSE = 1e-4  # of a radius: float32 beside float64 after so few steps
TIMED = ("ten-thousand", "hundred-thousand")
SEED = 1


class SelfTestFailed(Exception):
    """A check found something that is not as it must be."""


@dataclass(frozen=True)
class Check:
    """One check.

    said  what was found, or what went wrong
    """

    what: str
    passed: bool
    said: str


@dataclass(frozen=True)
class TimedFlock:
    """The speed of a standard flock.

    speed   boid-steps a second
    lowest, highest  the expected range on one thread
    beside  the speed beside it, in a word; '' on several threads, for which none is known
    """

    flock: str
    what: str
    threads: int
    speed: float
    lowest: float
    highest: float
    beside: str


def checks() -> Iterator[Check]:
    """Runs one check after the other. None of them raises: what goes wrong is said."""
    for what, work in CHECKS.items():
        try:
            said, passed = work(), True
        except Exception as error:  # whatever it is, it belongs into the report
            first = (str(error).strip().splitlines() or [""])[0]
            said, passed = f"{type(error).__name__}: {first}", False
        yield Check(what, passed, said)


def speeds() -> Iterator[TimedFlock]:
    """Times standard flocks, on one thread and on all."""
    for flock in find(TIMED):
        expected = expected_speed(flock.name)
        for threads in thread_counts():
            speed = time_flock(flock, threads).boid_steps_per_second
            beside = expected.compared(speed) if threads == 1 else ""
            yield TimedFlock(
                flock.name, flock.what, threads, speed, expected.lowest, expected.highest, beside
            )


def _compiles() -> str:
    simulation = Simulation(uniform(FEW, 20), seed=SEED)
    cached = simulation.compiled
    simulation.step(1)
    return "a kernel was loaded from the cache" if cached else "a kernel was compiled"


def _is_exact() -> str:
    """The compiled flight beside the slow one in plain Python."""
    model = uniform(FEW, 20)
    fast, slow = (
        Simulation(model, seed=SEED, engine=engine).step(STEPS).frame["boids"]
        for engine in ("cpu", "reference")
    )
    error = float(np.abs(fast.velocities - slow.velocities).max())
    if not error < CLOSE:
        raise SelfTestFailed(f"boids fly otherwise than by the reference engine, by {error:.1e}")
    return f"{FEW} boids fly as by the reference engine, to {error:.0e}"


def _shares() -> str:
    """One flight on one thread and on several."""
    several = max(2, cores())
    one, many = (
        Simulation(uniform(SHARED, 20), seed=SEED, threads=threads).step(STEPS).frame["boids"]
        for threads in (1, several)
    )
    if not np.array_equal(one.positions, many.positions):
        raise SelfTestFailed(f"{several} threads fly another flight than one")
    return f"{several} threads fly what one flies, bit for bit"


def _films() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        made = film(uniform(FEW, 20), path, PICTURES, SEED, every=1, size=(320, 180))
    if made.frames != PICTURES or not made.bytes:
        raise SelfTestFailed(f"the film has {made.frames} pictures, not {PICTURES}")
    return f"{made.frames} pictures were drawn and encoded as mp4"


CHECKS: dict[str, Callable[[], str]] = {
    "compiling": _compiles,
    "exactness": _is_exact,
    "threads": _shares,
    "films": _films,
}
