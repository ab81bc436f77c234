"""Measure what a loop of a controller costs: single steps, commands, and changed numbers.

    python benchmarks/control.py [--boids 100000] [--threads 2] [--rounds 7] [--json FILE]

Each round makes the same steps in one call, in a call each, and in a call each with new commands
for all boids. The rounds alternate, so that other work on the machine slows all down alike. Times
are of the processor, medians over the rounds. The small flock is vicsek-1995 with 50 boids.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine

STEPS = 60


def commanded(boids: int) -> mm.Model:
    """Return a flock that has no other rule than commands."""
    side = float(np.sqrt(10.0 * boids))
    return mm.Model(
        name=f"{boids:,} commanded boids",
        space=mm.Space(size=(side, side)),
        flocks={"boids": mm.Flock(count=boids, motion=mm.Add(max_speed=2.0))},
        rules={"command": mm.Command(form="velocity")},
    )


def milliseconds(work: Callable[[], object]) -> float:
    """Return the time of the processor in milliseconds."""
    begin = time.process_time()
    work()
    return 1000 * (time.process_time() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    add_json_option(parser)
    options = parser.parse_args()
    print(describe_machine())
    large = mm.Simulation(commanded(options.boids), threads=options.threads)
    small = mm.Simulation(mm.load("vicsek-1995").set({"flocks.boids.count": 50}), threads=1)
    random = np.random.default_rng(1)
    commands = [random.normal(size=(options.boids, 2)).astype(np.float32) for _ in range(4)]
    path = f"rules.{next(iter(small.model.rules))}.weight"

    def each(change: Callable[[int], object]) -> None:
        for k in range(STEPS):
            change(k)

    cases: dict[str, Callable[[], object]] = {
        "large, one call": lambda: large.step(STEPS),
        "large, a call each": lambda: each(lambda k: large.step()),
        "large, a call each with commands": lambda: each(
            lambda k: large.step(1, controls={"boids": commands[k % 4]})
        ),
        "small, one call": lambda: small.step(STEPS),
        "small, a call each": lambda: each(lambda k: small.step()),
        "small, set of a number": lambda: each(
            lambda k: small.set({path: 1.0 + k * random.random() / 1000})
        ),
    }
    times: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(options.rounds + 1):
        for name, work in cases.items():
            times[name].append(milliseconds(work) / STEPS)
    results = Results("control", options.json)
    for name, values in times.items():
        value = median(values[1:])
        print(f"{name:34s} {value:9.4f} ms")
        results.add(name, value, "ms", "lower")
    results.write()


if __name__ == "__main__":
    main()
