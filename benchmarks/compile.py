"""How long the first step of a model takes to compile, and what codegen/fast_compile.py gains.

    python benchmarks/compile.py [MODEL ...] [--rounds 1] [--json FILE]

Models are names of the zoo, all of it unless given. Each is flown one step by new processes: with
an empty cache ("first", which also compiles the functions that all models share), with a cache
that holds no kernel of the model ("compiled"), the same without fast_compile (type lookups cached,
collector paused), and with all of it cached. Seconds are of processor time, from making the
simulation to the end of the first step, medians over the rounds; imports, and numba's start (it
imports scipy and lists what it can compile before its first kernel), are not counted. The gain is
the time without fast_compile divided by the time with it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import geometric_mean, median

from child_process import output
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.machine import described

ONE_STEP = """
import contextlib, sys, time
import numba, numpy
import murmurate as mm
import murmurate.runs.simulation
from murmurate.codegen import fast_compile
from numba.core.registry import cpu_target
if sys.argv[2] == "without":
    fast_compile._accelerated = contextlib.nullcontext
model = mm.load(sys.argv[1])
begin = time.process_time()
cpu_target.target_context.refresh()
ready = time.process_time()
mm.Simulation(model, threads=1).step(1)
print(time.process_time() - ready, ready - begin)
"""


def first_step(model: str, cache: str, way: str = "with") -> tuple[float, float]:
    """Processor seconds of the first step and of numba's start, in a process of its own.

    way  'with' fast_compile or 'without'
    """
    said = output(
        [sys.executable, "-c", ONE_STEP, model, way], env={**os.environ, "MURMURATE_CACHE": cache}
    )
    step, start = map(float, said.split())
    return step, start


def forget_kernels(cache: str) -> None:
    """Removes the kernels of models from a cache; what all models share stays."""
    for path in Path(cache).rglob("murmurate_kernel_*"):
        path.unlink()


def times(model: str, rounds: int) -> tuple[float, float, float, float, float]:
    """Medians: compiling all; with fast_compile and without; loading; numba's start."""
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            first, _ = first_step(model, cache)
            forget_kernels(cache)
            slow, _ = first_step(model, cache, "without")
            forget_kernels(cache)
            fast, _ = first_step(model, cache)
            found.append((first, fast, slow, *first_step(model, cache)))
    first, fast, slow, cached, start = (median(column) for column in zip(*found, strict=True))
    return first, fast, slow, cached, start


def command(*words: str, repeats: int = 5) -> float:
    """Seconds that a command takes by the clock, the median of some."""
    took = []
    for _ in range(repeats):
        begin = time.perf_counter()
        output([sys.executable, "-m", "murmurate", *words])
        took.append(time.perf_counter() - begin)
    return median(took)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", metavar="MODEL", help="names of the zoo")
    parser.add_argument("--rounds", type=int, default=1)
    add_json_option(parser)
    options = parser.parse_args()
    zoo = mm.zoo()
    if unknown := [name for name in options.models if name not in zoo]:
        parser.error(f"{', '.join(unknown)}: no model of the zoo; it has {', '.join(zoo)}")
    results = Results("compile", options.json)
    print(described())
    for words in (("--help",), ("models",)):
        took = command(*words)
        print(f"murmurate {words[0]}: {took:.2f} s")
        results.add(f"murmurate {words[0]}", took, "s", "lower")
    heads = f"{'first':>8}{'compiled':>10}{'without':>9}{'gain':>8}{'cached':>8}"
    print(f"{'first step of':24}{heads}   (cpu seconds)")
    starts, gains = [], []
    for name in options.models or zoo:
        first, fast, slow, cached, start = times(name, options.rounds)
        starts.append(start)
        gains.append(slow / fast)
        results.add(f"{name}, first of an installation", first, "cpu s", "lower")
        results.add(f"{name}, compiled", fast, "cpu s", "lower")
        results.add(f"{name}, compiled without fast_compile", slow, "cpu s", "lower")
        results.add(f"{name}, cached", cached, "cpu s", "lower")
        results.write()
        row = f"{first:8.2f}{fast:10.2f}{slow:9.2f}  x {gains[-1]:4.2f}{cached:8.2f}"
        print(f"{name:24}{row}", flush=True)
    print(f"gain, geometric mean: x {geometric_mean(gains):.2f}")
    print(f"numba's start, once a process: {median(starts):.2f} cpu s")
    results.add("gain of fast_compile", geometric_mean(gains), "times", "higher")
    results.write()


if __name__ == "__main__":
    main()
