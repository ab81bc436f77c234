"""How fast murmurate simulates the standard flocks, beside a plain cell sweep in C++.

    python benchmarks/sweep.py [--only NAME] [--rounds 5] [--json FILE]

Both fly the same flocks in the same run, turn by turn; the numbers are medians over the rounds. The
yardstick is the best of three layouts of the boids in memory.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from child_process import ChildFailed, output
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import clumped_start, uniform
from murmurate.bench.timing import describe_machine

SOURCE = Path(__file__).parent / "cpp" / "sweep.cpp"
FLAGS = ("-O3", "-march=native", "-ffast-math", "-std=c++17")
LAYOUTS = ("structs", "rows", "staged")  # of the boids in C++; the last is murmurate's own
CORES = os.cpu_count() or 1


@dataclass(frozen=True)
class Case:
    """One flock on so many threads."""

    name: str
    boids: int
    neighbours: float
    dims: int = 3
    threads: int = CORES
    clumped: bool = False
    steps: int = 3


CASES = (
    Case("3-D, 20 neighbours", 1_000_000, 20),
    Case("3-D, 20, 1 thread", 1_000_000, 20, threads=1),
    Case("3-D, 8 neighbours", 1_000_000, 8),
    Case("3-D, 75 neighbours", 1_000_000, 75),
    Case("2-D, 20 neighbours", 1_000_000, 20, dims=2),
    Case("clumped", 200_000, 8, clumped=True),
    Case("clumped, 1 thread", 200_000, 8, clumped=True, threads=1),
)


def built(folder: Path) -> Path | None:
    """The yardstick, built with the system's compiler; None where there is none."""
    compiler = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
    program = folder / "sweep"
    if compiler is None:
        print("no C++ compiler found")
        return None
    for extra in (("-fopenmp",), ()):
        try:
            output([compiler, *FLAGS, *extra, SOURCE, "-o", program])
        except ChildFailed as error:
            print(error, file=sys.stderr)
            continue
        version = output([compiler, "--version"])
        print(f"yardstick: {version.splitlines()[0]}, {' '.join([*FLAGS, *extra])}")
        return program
    return None


def run_baseline(program: Path, case: Case, layout: str) -> tuple[float, float]:
    """(seconds a step, the flock's mean speed at the end): the first step warms up."""
    words = [case.boids, case.neighbours, case.dims, case.threads, case.steps + 1, layout]
    words += ["clumped"] if case.clumped else []
    *steps, speed = map(float, output([program, *words]).split())
    return median(steps[1:]), speed


class Ours:
    """murmurate's flight of a case."""

    def __init__(self, case: Case) -> None:
        model = uniform(case.boids, case.neighbours, case.dims)
        start = clumped_start(model) if case.clumped else None
        self._steps = case.steps
        self._simulation = mm.Simulation(model, seed=1, start=start, threads=case.threads).step(2)

    def time_step(self) -> float:
        took = []
        for _ in range(self._steps):
            begin = time.perf_counter()
            self._simulation.step(1)
            took.append(time.perf_counter() - begin)
        return median(took)

    def speed(self, case: Case) -> float:
        """The flock's mean speed after as many steps as the yardstick flew."""
        model = self._simulation.model
        start = clumped_start(model) if case.clumped else None
        again = mm.Simulation(model, seed=1, start=start, threads=case.threads).step(case.steps + 1)
        return mm.measures.speed(again.frame["boids"])


def compare(program: Path | None, case: Case, rounds: int) -> dict[str, object]:
    ours = Ours(case)
    layouts = LAYOUTS if program else ()
    took: dict[str, list[float]] = {name: [] for name in ("murmurate", *layouts)}
    speeds = {}
    for _ in range(rounds):
        took["murmurate"].append(ours.time_step())
        for layout in layouts:
            seconds, speeds[layout] = run_baseline(program, case, layout)  # type: ignore[arg-type]
            took[layout].append(seconds)
    if layouts:
        mine = ours.speed(case)
        for layout, speed in speeds.items():
            if abs(speed / mine - 1) > 0.02:
                raise SystemExit(f"{case.name}: not the same flight: {layout} {speed}, ours {mine}")
    rates = {name: case.boids / median(values) / 1e6 for name, values in took.items()}
    best = max((rates[layout] for layout in layouts), default=None)
    return {
        "case": case.name,
        "threads": case.threads,
        "million_boid_steps_per_second": rates,
        "times_best": rates["murmurate"] / best if best else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="cases whose name contains this")
    parser.add_argument("--rounds", type=int, default=5)
    add_json_option(parser)
    options = parser.parse_args()
    print(describe_machine())
    results = Results("sweep", options.json)
    rows = results.content["rows"] = []
    with tempfile.TemporaryDirectory() as folder:
        program = built(Path(folder))
        if program is None:
            print("no yardstick: murmurate alone")
        print("million boid-steps a second, and times the best of the three layouts in C++")
        print(f"{'':22}{'murmurate':>10}{'structs':>9}{'rows':>9}{'staged':>9}{'x C++':>9}")
        for case in CASES:
            if options.only and options.only not in case.name:
                continue
            result = compare(program, case, options.rounds)
            rates: dict[str, float] = result["million_boid_steps_per_second"]  # type: ignore[assignment]
            cells = [f"{rates.get(layout, float('nan')):9.2f}" for layout in LAYOUTS]
            times = f"{result['times_best'] or float('nan'):9.2f}"
            rows.append(result)
            for program_name, rate in rates.items():
                unit = "M boid-steps/s"
                results.add(f"{case.name}, {program_name}", rate, unit, "higher")
            results.write()
            print(f"{case.name:22}{rates['murmurate']:10.2f}{''.join(cells)}{times}")


if __name__ == "__main__":
    main()
