"""Measure the gain of a sweep with two processes over one, and its memory.

    python benchmarks/sweeping.py [--runs 160] [--rounds 3] [--json FILE]

The model is a small flock, as sweeps have; compiling is done before the clock starts. Rounds of one
and of two processes alternate, and medians are compared. The limit of the machine is
printed too: the same runs in two independent programs.
"""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from memory import peak
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.sweeps.run import run_sweep
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan
from murmurate.sweeps.workers import Processes

ALONE = """
import time
from benchmarks_sweeping import the_plan
tasks = list(the_plan(20).tasks())
tasks[0].run()
begin = time.perf_counter()
for task in tasks:
    task.run()
print(time.perf_counter() - begin)
"""


def the_plan(runs: int) -> SweepPlan:
    model = mm.load("ucl").set({"flocks.boids.count": 300})
    vary = {"rules.alignment.weight": (0.1, 0.2)}
    return make_plan(model, vary, mm.RunSpec(seeds=runs // 2, steps=3000, every=50))


def side_by_side(programs: int) -> float:
    """Return the seconds of some programs that run at once, each with the same runs."""
    code = ALONE.replace("benchmarks_sweeping", Path(__file__).stem)
    began = [
        subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parent,
                         stdout=subprocess.PIPE)
        for _ in range(programs)
    ]  # fmt: skip
    return max(float(program.communicate()[0]) for program in began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=160)
    parser.add_argument("--rounds", type=int, default=3)
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("sweeping", options.json)
    plan = the_plan(options.runs)
    next(plan.tasks()).run()  # kernels are compiled
    print(describe_machine())
    took: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(options.rounds):
        for processes, times in took.items():
            with tempfile.TemporaryDirectory() as folder:
                begin = time.perf_counter()
                run_sweep(plan, Path(folder) / "sweep", Processes(processes))
                times.append(time.perf_counter() - begin)
    single, double = median(took[1]), median(took[2])
    print(f"{len(plan)} runs of 300 boids x 3000 steps")
    print(f"one process:   {60 * len(plan) / single:7.0f} runs a minute")
    print(f"two processes: {60 * len(plan) / double:7.0f} runs a minute, {single / double:.2f} x")
    limits = [2 * side_by_side(1) / side_by_side(2) for _ in range(options.rounds)]
    print(f"two programs side by side, which is what the machine allows: {median(limits):.2f} x")
    results.add("one process", 60 * len(plan) / single, "runs/min", "higher")
    results.add("two processes", 60 * len(plan) / double, "runs/min", "higher")
    results.add("two programs side by side", median(limits), "times one", "higher")
    if math.isfinite(peak()):
        print(f"peak memory of the process that gives out the work: {1e3 * peak():.0f} MB")
        results.add("peak memory", 1e3 * peak(), "MB", "lower")
    results.write()


if __name__ == "__main__":
    main()
