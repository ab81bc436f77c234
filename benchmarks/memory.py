"""Measure the memory of a large flock: the standard flock of 10,000,000 boids, and its frame.

    python benchmarks/memory.py [--boids 10000000] [--steps 3] [--at-most 4] [--json FILE]

Exits with 1 if the peak exceeds --at-most, in GB.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine


def peak() -> float:
    """Return the peak memory of this process in GB; nan where the system does not report it."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux getrusage counts the process that started this one, too
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024 / 1e9
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=10_000_000)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--at-most", type=float, default=4.0, help="GB")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("memory", options.json)
    print(describe_machine())
    simulation = mm.Simulation(uniform(options.boids, 20), seed=1)
    print(f"{options.boids:,} boids at the start: peak {peak():.2f} GB")
    simulation.step(1)
    begin = time.perf_counter()
    simulation.step(options.steps)
    took = (time.perf_counter() - begin) / options.steps
    print(f"{took:.2f} s a step, {options.boids / took / 1e6:.2f} million boid-steps a second")
    print(f"simulated: peak {peak():.2f} GB")
    frame = simulation.frame
    print(f"with a frame of {frame.n_boids:,} boids: peak {peak():.2f} GB")
    results.add(f"{options.boids:,} boids, step", took, "s", "lower")
    if math.isfinite(peak()):
        results.add(f"{options.boids:,} boids, peak memory", peak(), "GB", "lower")
    results.write()
    if peak() > options.at_most:
        print(f"more than {options.at_most:g} GB")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
