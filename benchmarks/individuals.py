"""Measure what numbers that differ between boids cost, beside the same flock with equal ones.

    python benchmarks/individuals.py [--boids 100000] [--threads 1] [--rounds 9] [--json FILE]

The standard flock with 20 neighbours in 3-D and 8 in 2-D, and a flock that senses its nearest 7.
Three numbers differ between boids, two weights and the largest speed, by a millionth, so that both
simulations do the same work. They run alternately, so that other work on the machine slows both
down alike. Times are of the processor, medians over the rounds; the factor is the median of the
ratios of rounds. A factor above MAX_FACTOR ends the script with status 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from statistics import median

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine

MAX_FACTOR = 1.15
SPREAD = 1e-6  # of the numbers that differ, relative to their mean
WARM_UP = 20  # steps before the first timed step
WORK = 2_500_000  # boid-steps a round


def flocks(boids: int) -> dict[str, mm.Model]:
    """Return the plain flocks."""
    nearest = {"rules.cohesion.nearest": 7, "rules.alignment.nearest": 7}
    return {
        "3-D, 20 neighbours": uniform(boids, 20, 3),
        "2-D, 8 neighbours": uniform(boids, 8, 2),
        "3-D, nearest 7": uniform(boids, 8, 3).set(nearest),
    }


def differing(model: mm.Model) -> mm.Model:
    """Return a flock with three numbers that differ between boids, around those of a plain one."""
    speed = model.flocks["boids"].motion.max_speed
    weights = {
        f"rules.{name}.weight": mm.Normal(mean=weight, sd=SPREAD * weight)
        for name in ("cohesion", "alignment")
        for weight in [model.rules[name].weight]
    }
    motion = {
        "flocks.boids.motion.max_speed": mm.Uniform(
            min=(1 - SPREAD) * speed, max=(1 + SPREAD) * speed
        )
    }
    return model.set(weights | motion)


def timed(simulation: mm.Simulation, steps: int) -> float:
    """Return seconds of the processor per step."""
    begin = time.process_time()
    simulation.step(steps)
    return (time.process_time() - begin) / steps


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    add_json_option(parser)
    options = parser.parse_args()
    results, slow = Results("individuals", options.json), False
    rows = results.content["rows"] = []
    print(describe_machine())
    print(f"{'flock':22}{'equal':>12}{'differing':>14}{'times':>8}")
    for name, model in flocks(options.boids).items():
        equal, different = (
            mm.Simulation(flock, threads=options.threads).step(WARM_UP)
            for flock in (model, differing(model))
        )
        steps = max(1, WORK // options.boids)
        rounds = [(timed(equal, steps), timed(different, steps)) for _ in range(options.rounds)]
        plain, own = (median(column) for column in zip(*rounds, strict=True))
        factor = median(b / a for a, b in rounds)
        slow = slow or factor > MAX_FACTOR
        print(f"{name:22}{1e3 * plain:9.3f} ms{1e3 * own:11.3f} ms{factor:8.2f}", flush=True)
        rows.append({"name": name, "boids": options.boids, "equal": plain, "differing": own,
                     "threads": options.threads, "factor": factor})  # fmt: skip
        results.add(f"{name}, {options.boids:,} boids, factor", factor, "times", "lower")
        results.write()
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
