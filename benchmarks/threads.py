"""What two threads gain over one, by the size of the flock.

    python benchmarks/threads.py [MODEL] [--boids 1000 4000 10000 50000] [--rounds 9] [--json FILE]

Both simulations of a size fly in turns, so that other work on the machine meets both alike; times
are medians over the rounds, the gain is the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.machine import described

WARM = 30  # steps before the first that is timed
WORK = 300_000  # boid-steps a round


def timed(simulation: mm.Simulation, steps: int) -> float:
    """Seconds a step."""
    begin = time.perf_counter()
    simulation.step(steps)
    return (time.perf_counter() - begin) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default="starlings", help="a name of the zoo")
    parser.add_argument("--boids", type=int, nargs="+", default=[1_000, 4_000, 10_000, 50_000])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("threads", options.json)
    model = mm.load(options.model)
    main_flock = max(model.flocks, key=lambda name: model.flocks[name].count)
    print(described())
    print(f"{options.model:12}{'1 thread':>12}{f'{options.threads} threads':>12}{'gain':>8}")
    for boids in options.boids:
        changed = model.set({f"flocks.{main_flock}.count": boids})
        one, many = (
            mm.Simulation(changed, threads=threads).step(WARM) for threads in (1, options.threads)
        )
        steps = max(4, WORK // boids)
        rounds = [(timed(one, steps), timed(many, steps)) for _ in range(options.rounds)]
        single, shared = (median(column) for column in zip(*rounds, strict=True))
        gain = median(a / b for a, b in rounds)
        print(f"{boids:12,}{1e3 * single:9.3f} ms{1e3 * shared:9.3f} ms  x {gain:4.2f}", flush=True)
        results.add(f"{boids:,} boids, one thread", 1e3 * single, "ms", "lower")
        results.add(f"{boids:,} boids, {options.threads} threads", 1e3 * shared, "ms", "lower")
        results.add(f"{boids:,} boids, gain", gain, "times", "higher")
        results.write()


if __name__ == "__main__":
    main()
