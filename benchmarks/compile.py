"""How long the first step of every zoo model takes, compiled and from the cache, and --help.

    python benchmarks/compile.py [--only NAME]

Each model is flown one step by two new processes that share an empty cache: the first compiles, the
second loads. Seconds are those of making the simulation and flying a step; imports, and numba's
start (it imports scipy and lists what it can compile before its first kernel), stand apart.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

import murmurate as mm
from murmurate.bench.machine import described

ONE_STEP = """
import sys, time
import numba, numpy
import murmurate as mm
import murmurate.runs.simulation
from numba.core.registry import cpu_target
model = mm.load(sys.argv[1])
begin = time.perf_counter()
cpu_target.target_context.refresh()
ready = time.perf_counter()
mm.Simulation(model).step(1)
print(time.perf_counter() - ready, ready - begin)
"""


def first_step(name: str, cache: str) -> tuple[float, float]:
    """Seconds of the first step and of numba's start, in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", ONE_STEP, name],
        env={**os.environ, "MURMURATE_CACHE": cache},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    step, start = map(float, ran.stdout.split())
    return step, start


def command(*words: str, times: int = 5) -> float:
    """Seconds that a command takes, the median of some."""
    took = []
    for _ in range(times):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-m", "murmurate", *words], check=True, capture_output=True)
        took.append(time.perf_counter() - begin)
    return median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="models whose name contains this")
    options = parser.parse_args()
    print(described())
    print(
        f"murmurate --help: {command('--help'):.2f} s; murmurate models: {command('models'):.2f} s"
    )
    print(f"{'first step of':24}{'compiling':>10}{'cached':>9}   (seconds)")
    starts = []
    for name in mm.zoo():
        if options.only and options.only not in name:
            continue
        with tempfile.TemporaryDirectory() as cache:
            (cold, _), (warm, start) = first_step(name, cache), first_step(name, cache)
        starts.append(start)
        print(f"{name:24}{cold:10.2f}{warm:9.2f}")
    print(f"numba's start, once a process: {median(starts):.2f} s")


if __name__ == "__main__":
    main()
