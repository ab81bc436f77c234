"""Time simulations: warmed up, the median of five blocks of steps; and describe the machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from murmurate.bench.flocks import StandardFlock

if TYPE_CHECKING:
    from murmurate.engines.base import EngineChoice
    from murmurate.runs.simulation import Simulation

BLOCKS = 5
BLOCK_SECONDS = 0.2


@dataclass(frozen=True)
class Timing:
    """The speed of a standard flock.

    steps  steps per block
    boid_steps_per_second  boids times steps per second, the median of the blocks
    """

    flock: str
    description: str
    boids: int
    threads: int
    steps: int
    boid_steps_per_second: float


def default_thread_counts() -> tuple[int, ...]:
    """Return one thread, and all of them."""
    n_cores = os.cpu_count() or 1
    return (1, n_cores) if n_cores > 1 else (1,)


def time_flock(flock: StandardFlock, threads: int, engine: EngineChoice = "cpu") -> Timing:
    """Compile and warm up a standard flock, and time it."""
    from murmurate.runs.simulation import Simulation

    model = flock.model()
    simulation = Simulation(model, seed=1, start=flock.start(model), engine=engine, threads=threads)
    boids = simulation.frame.n_boids
    seconds, steps = time_steps(simulation, BLOCK_SECONDS)
    return Timing(flock.name, flock.description, boids, threads, steps, boids / seconds)


def time_steps(
    simulation: Simulation,
    block_seconds: float = BLOCK_SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[float, int]:
    """Time the steps of a simulation.

    simulation  it is advanced
    block_seconds  approximate duration of each of the five blocks, in seconds
    clock  returns the time in seconds
    returns  seconds per step, the median of the blocks; and steps per block
    """

    def time_block(steps: int) -> float:
        begin = clock()
        simulation.step(steps)
        return clock() - begin

    simulation.step(2)
    steps, seconds = 1, time_block(1)
    while seconds < block_seconds / 4:
        steps *= 4
        seconds = time_block(steps)
    steps = max(1, round(steps * block_seconds / seconds))
    return median(time_block(steps) for _ in range(BLOCKS)) / steps, steps


def machine_info() -> dict[str, str | int]:
    """Return processor, cores, system, and versions of the libraries that affect speed."""
    import llvmlite
    import numba
    import numpy

    from murmurate.version import __version__

    return {
        "processor": processor_name(),
        "cores": os.cpu_count() or 1,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "murmurate": __version__,
    }


def describe_machine() -> str:
    """Return a line with processor, cores, system and versions."""
    info = machine_info()
    return (
        f"{info['processor']}, {info['cores']} cores, {info['system']}; Python {info['python']}, "
        f"numpy {info['numpy']}, numba {info['numba']}"
    )


def processor_name() -> str:
    """Return the name of the processor."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    if sys.platform == "darwin":
        with suppress(OSError):
            command = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    return platform.processor() or platform.machine()


def count_lanes() -> int:
    """Return how many float32 numbers an instruction processes: 16 (AVX-512), 8 (AVX) or 4."""
    from llvmlite import binding

    try:
        features = binding.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know the features on this system
        return 4
    return 16 if features.get("avx512f") else 8 if features.get("avx") else 4
