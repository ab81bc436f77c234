"""Test an installation: compile, compare engines and threads, make a film, and measure the speed.

It takes about ten seconds if kernels are in the cache.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import murmurate as mm
from murmurate.bench.flocks import select_flocks, uniform
from murmurate.bench.timing import default_thread_counts, time_flock
from murmurate.engines.base import EngineChoice
from murmurate.engines.gpu.gpu_options import Gpu
from murmurate.engines.options import cores
from murmurate.errors import DeviceError
from murmurate.runs.film import film
from murmurate.runs.simulation import Simulation

if TYPE_CHECKING:
    from murmurate.engines.gpu.device import Adapter

EXACTNESS_BOIDS, STEPS = 200, 5  # few: the reference engine simulates them too
GPU_STEPS = 10
THREAD_BOIDS = 10_000  # enough for several threads
FILM_FRAMES = 8
TOLERANCE = 1e-4  # radii: float32 compared with float64 after these steps
TIMED_FLOCKS = ("ten-thousand", "hundred-thousand")
SEED = 1
MUCH_SLOWER_RATIO = 2.0
"""Processors differ. A speed below the range by more than this ratio has a cause to look for."""


class SelfTestError(Exception):
    """A check has an unexpected result."""


@dataclass(frozen=True)
class Check:
    """The result of a check.

    report  the result, or what failed
    """

    name: str
    passed: bool
    report: str


@dataclass(frozen=True)
class ExpectedSpeed:
    """The range of speeds of a standard flock on one thread, in the committed benchmarks.

    lowest, highest  boid-steps per second
    """

    lowest: float
    highest: float

    def compare(self, speed: float) -> str:
        """Return 'faster', 'as expected', 'slower' or 'much slower'."""
        if speed > self.highest:
            return "faster"
        if speed >= self.lowest:
            return "as expected"
        return "slower" if speed * MUCH_SLOWER_RATIO >= self.lowest else "much slower"


@dataclass(frozen=True)
class MeasuredSpeed:
    """The speed of a standard flock.

    speed  boid-steps per second
    comparison  of the speed with the expected one; '' on several threads, for which none is known
    """

    description: str
    threads: int
    speed: float
    expected: ExpectedSpeed
    comparison: str


@cache
def _expected_speeds() -> dict[str, Any]:
    """Return the table that `python benchmarks/history.py expected` writes."""
    text = (resources.files("murmurate.doctor") / "expected_speeds.json").read_text("utf-8")
    table: dict[str, Any] = json.loads(text)
    return table


def describe_source() -> str:
    """Return a line that states where the expected speeds come from."""
    table = _expected_speeds()
    first, last = table["releases"][0], table["releases"][-1]
    return f"murmurate {first} to {last} on {' and '.join(table['machines'])}, {table['source']}"


def expected_speed(flock: str) -> ExpectedSpeed:
    """Return the range of a standard flock. Raises KeyError for a flock without one."""
    return ExpectedSpeed(*_expected_speeds()["boid_steps_per_second"][flock])


def run_checks() -> Iterator[Check]:
    """Run the checks in order. None of them raises: the report has the error."""
    for name, check in {**CHECKS, **_adapter_checks()}.items():
        try:
            report, passed = check(), True
        except Exception as error:  # any error belongs into the report
            first_line = (str(error).strip().splitlines() or [""])[0]
            report, passed = f"{type(error).__name__}: {first_line}", False
        yield Check(name, passed, report)


def measure_speeds() -> Iterator[MeasuredSpeed]:
    """Time standard flocks, on one thread and on all."""
    for flock in select_flocks(TIMED_FLOCKS):
        expected = expected_speed(flock.name)
        for threads in default_thread_counts():
            speed = time_flock(flock, threads).boid_steps_per_second
            comparison = expected.compare(speed) if threads == 1 else ""
            yield MeasuredSpeed(flock.description, threads, speed, expected, comparison)


def _check_compiling() -> str:
    simulation = Simulation(uniform(EXACTNESS_BOIDS, 20), seed=SEED)
    cached = simulation.compiled
    simulation.step(1)
    return "a kernel was loaded from the cache" if cached else "a kernel was compiled"


def _check_exactness(engine: EngineChoice = "cpu", steps: int = STEPS) -> str:
    """Compare an engine with the reference engine."""
    model = uniform(EXACTNESS_BOIDS, 20)
    other, reference = (
        Simulation(model, seed=SEED, engine=choice).step(steps).frame["boids"]
        for choice in (engine, "reference")
    )
    error = float(np.abs(other.velocities - reference.velocities).max())
    if not error < TOLERANCE:
        raise SelfTestError(f"velocities differ from those of the reference engine by {error:.1e}")
    return f"{EXACTNESS_BOIDS} boids move as by the reference engine, to {error:.0e}"


def _adapter_checks() -> dict[str, Callable[[], str]]:
    """Return a check of engine gpu on each graphics card; none without the extra gpu.

    Without a card the check passes, and its report states what is needed.
    """
    if find_spec("wgpu") is None:
        return {}
    from murmurate.engines.gpu.device import adapters, install_text

    def fail(error: DeviceError) -> str:
        raise error

    try:
        available = adapters()
    except DeviceError as error:
        return {"gpu": partial(fail, error)}
    if not available:
        return {"gpu": lambda: f"no graphics card that WebGPU can use. {install_text()}"}

    def check_adapter(adapter: Adapter) -> str:
        report = _check_exactness(Gpu(adapter.name), GPU_STEPS)
        return f"{adapter.label}, buffers of up to {adapter.max_bytes:,} bytes: {report}"

    names = [f"gpu {k}" if k > 1 else "gpu" for k in range(1, len(available) + 1)]
    pairs = zip(names, available, strict=True)
    return {name: partial(check_adapter, adapter) for name, adapter in pairs}


def _check_threads() -> str:
    """Compare one thread with several."""
    n_threads = max(2, cores())
    serial, parallel = (
        Simulation(uniform(THREAD_BOIDS, 20), seed=SEED, threads=threads).step(STEPS).frame["boids"]
        for threads in (1, n_threads)
    )
    if not np.array_equal(serial.positions, parallel.positions):
        raise SelfTestError(f"{n_threads} threads give other positions than one thread")
    return f"{n_threads} threads give the positions of one thread, bit for bit"


def _check_films() -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        result = film(
            uniform(EXACTNESS_BOIDS, 20), path, seed=SEED,
            view=mm.View(steps=FILM_FRAMES, size=(320, 180), every=1),
        )  # fmt: skip
    if result.frames != FILM_FRAMES or not result.bytes:
        raise SelfTestError(f"the film has {result.frames} pictures; expected {FILM_FRAMES}")
    return f"{result.frames} pictures were drawn and encoded as mp4"


CHECKS: dict[str, Callable[[], str]] = {
    "compiling": _check_compiling,
    "exactness": _check_exactness,
    "threads": _check_threads,
    "films": _check_films,
}
