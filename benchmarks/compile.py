"""How long the first step of a model takes to compile, what `faster_compilation` of
codegen/kernel_compiler.py gains, and how long a start takes.

    python benchmarks/compile.py [MODEL ...] [--rounds 1] [--json FILE]

Models are names of the zoo, all of it unless given. New processes simulate one step of each: with
an empty cache ("first", which also compiles the functions that all models share), with a cache
that holds no kernel of the model ("compiled"), the same without it, and with all of it cached.
These are seconds of processor time of the process, from making the simulation to the end of the
first step, medians over the rounds; imports, and numba's start (it imports scipy and lists what it
can compile before its first kernel), are not counted. The gain is the time without it divided by
the time with it.

The last two columns are seconds by the clock of the whole process, from its start to its end, with
imports: in a new installation, and with all kernels cached (the median of five).
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
from murmurate.bench.timing import describe_machine

ONE_STEP = """
import contextlib, sys, time
import numba, numpy
import murmurate as mm
import murmurate.runs.simulation
from murmurate.codegen import kernel_compiler
from numba.core.registry import cpu_target
if sys.argv[2] == "without":
    kernel_compiler.faster_compilation = contextlib.nullcontext
model = mm.load(sys.argv[1])
begin = time.process_time()
cpu_target.target_context.refresh()
ready = time.process_time()
mm.Simulation(model, threads=1).step(1)
print(time.process_time() - ready, ready - begin)
"""


def first_step(model: str, cache: str, way: str = "with") -> tuple[float, float]:
    """Processor seconds of the first step and of numba's start, in a process of its own.

    way  'with' faster_compilation or 'without'
    """
    printed = output(
        [sys.executable, "-c", ONE_STEP, model, way], env={**os.environ, "MURMURATE_CACHE": cache}
    )
    step, start = map(float, printed.split())
    return step, start


def start(model: str, cache: str, repeats: int = 1) -> float:
    """Seconds by the clock that a process takes to simulate one step, the median of some."""
    code = "import sys, murmurate as mm; mm.Simulation(sys.argv[1]).step(1)"
    took = []
    for _ in range(repeats):
        begin = time.perf_counter()
        output([sys.executable, "-c", code, model], env={**os.environ, "MURMURATE_CACHE": cache})
        took.append(time.perf_counter() - begin)
    return median(took)


def starts(model: str) -> tuple[float, float]:
    """Seconds of a start in a new installation, and of one with all kernels cached."""
    with tempfile.TemporaryDirectory() as cache:
        return start(model, cache), start(model, cache, 5)


def forget_kernels(cache: str) -> None:
    """Removes the kernels of models from a cache; what all models share stays."""
    for path in Path(cache).rglob("murmurate_kernel_*"):
        path.unlink()


def times(model: str, rounds: int) -> tuple[float, float, float, float, float]:
    """Medians: compiling all; with faster_compilation and without; loading; numba's start."""
    rounds_of_times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as cache:
            first, _ = first_step(model, cache)
            forget_kernels(cache)
            slow, _ = first_step(model, cache, "without")
            forget_kernels(cache)
            fast, _ = first_step(model, cache)
            rounds_of_times.append((first, fast, slow, *first_step(model, cache)))
    first, fast, slow, cached, start = (
        median(column) for column in zip(*rounds_of_times, strict=True)
    )
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
    print(describe_machine())
    for words in (("--help",), ("models",)):
        took = command(*words)
        print(f"murmurate {words[0]}: {took:.2f} s")
        results.add(f"murmurate {words[0]}", took, "s", "lower")
    heads = f"{'first':>8}{'compiled':>10}{'without':>9}{'gain':>8}{'cached':>8}"
    print(f"{'':24}{'cpu seconds':>43}{'seconds by the clock':>24}")
    print(f"{'first step of':24}{heads}{'new':>12}{'cached':>12}")
    numba_starts, gains = [], []
    for name in options.models or zoo:
        first, fast, slow, cached, numba_start = times(name, options.rounds)
        new, warm = starts(name)
        numba_starts.append(numba_start)
        gains.append(slow / fast)
        results.add(f"{name}, first of an installation", first, "cpu s", "lower")
        results.add(f"{name}, compiled", fast, "cpu s", "lower")
        results.add(f"{name}, compiled without fast_compile", slow, "cpu s", "lower")
        results.add(f"{name}, cached", cached, "cpu s", "lower")
        results.add(f"{name}, start in a new installation", new, "s", "lower")
        results.add(f"{name}, start with kernels cached", warm, "s", "lower")
        results.write()
        row = f"{first:8.2f}{fast:10.2f}{slow:9.2f}  x {gains[-1]:4.2f}{cached:8.2f}"
        print(f"{name:24}{row}{new:12.2f}{warm:12.2f}", flush=True)
    print(f"gain, geometric mean: x {geometric_mean(gains):.2f}")
    print(f"numba's start, once a process: {median(numba_starts):.2f} cpu s")
    results.add("gain of fast_compile", geometric_mean(gains), "times", "higher")
    results.write()


if __name__ == "__main__":
    main()
