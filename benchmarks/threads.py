"""Measure the gain of two threads over one, by the size of the flock.

    python benchmarks/threads.py [MODEL ...] [--boids 1000 4000 10000 100000 1000000] [--threads 2]
        [--rounds 9] [--json FILE]

Flocks grow at constant density, as in growth.py. The two simulations of a size run alternately, so
that other work on the machine slows both down alike. Times are medians over the rounds; the gain is
the median of the ratios of rounds.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from growth import grown
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine

MODELS = ("starlings", "vicsek-1995", "p5", "agentpy-2d", "agentpy-3d")
BOIDS = (1_000, 4_000, 10_000, 100_000, 1_000_000)
WARM_UP = 40  # steps before the first timed step
WORK = 300_000  # boid-steps a round


def timed(simulation: mm.Simulation, steps: int) -> float:
    """Return seconds per step."""
    begin = time.perf_counter()
    simulation.step(steps)
    return (time.perf_counter() - begin) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=MODELS, metavar="MODEL", help="of the zoo")
    parser.add_argument("--boids", type=int, nargs="+", default=BOIDS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("threads", options.json)
    rows = results.content["rows"] = []
    print(describe_machine())
    for name in options.models:
        model = mm.load(name)
        print(f"{name:14}{'1 thread':>12}{f'{options.threads} threads':>15}{'gain':>8}")
        for boids in options.boids:
            large, start = grown(model, boids)
            single_thread, several_threads = (
                mm.Simulation(large, start=start, threads=threads).step(WARM_UP)
                for threads in (1, options.threads)
            )
            steps = max(1, WORK // boids)
            rounds = [
                (timed(single_thread, steps), timed(several_threads, steps))
                for _ in range(options.rounds)
            ]
            single, shared = (median(column) for column in zip(*rounds, strict=True))
            gain = median(a / b for a, b in rounds)
            print(
                f"{boids:14,}{1e3 * single:9.3f} ms{1e3 * shared:12.3f} ms  x {gain:4.2f}",
                flush=True,
            )
            rows.append({"name": name, "order": model.order, "boids": boids, "alone": single,
                         "shared": shared, "threads": options.threads, "gain": gain})  # fmt: skip
            results.add(f"{name}, {boids:,} boids, gain", gain, "times", "higher")
            results.write()


if __name__ == "__main__":
    main()
