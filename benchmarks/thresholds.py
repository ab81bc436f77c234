"""From when on cells pay: the standard flock through cells beside the same flock swept whole.

    python benchmarks/thresholds.py [--boids 250 500 1000 ...] [--shares 0.1 0.25 ...] [--json FILE]

For boids that move together and for boids that move one after the other, in two and three
dimensions, on a torus that they fill evenly. The share is that of the space which the cells around
a boid cover: three radii to a side. Both flights take turns on one thread; a ratio above 1 says
that cells are faster. SMALL and CROWDED in src/murmurate/engines/cpu/thresholds.py come from
here: boids that clump, as most flocks do sooner or later, leave out fewer of the others than these.
"""

from __future__ import annotations

import argparse
import time
from statistics import median
from unittest.mock import patch

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import RADIUS, uniform
from murmurate.bench.timing import describe_machine
from murmurate.engines.cpu import thresholds as cpu_thresholds

CELLS = cpu_thresholds.CpuThresholds(flock=0, model=0, covered=1.0)
WHOLE = cpu_thresholds.CpuThresholds(flock=10**9, model=10**9)
PAIRS = 4e6  # pairs that a timed flight looks at, swept whole
ROUNDS = 5


def standard(boids: int, dims: int, share: float, order: str) -> mm.Model:
    """The standard flock on a torus of which the cells around a boid cover that share."""
    side = 3.001 * RADIUS / share ** (1 / dims)
    model = uniform(boids, 20, dims).set({"space.size": [side] * dims})
    return model.model_copy(update={"order": order})


def flight(model: mm.Model, thresholds: cpu_thresholds.CpuThresholds) -> mm.Simulation:
    with patch.object(cpu_thresholds, "THRESHOLDS", thresholds):
        return mm.Simulation(model, seed=1, threads=1).step(2)


def timed(simulation: mm.Simulation, steps: int) -> float:
    """Seconds a step."""
    begin = time.perf_counter()
    simulation.step(steps)
    return (time.perf_counter() - begin) / steps


def gain(model: mm.Model, boids: int) -> float:
    """How many times faster cells are: the median over the rounds."""
    cells, whole = flight(model, CELLS), flight(model, WHOLE)
    steps = max(2, int(PAIRS / boids**2))
    return median(timed(whole, steps) / timed(cells, steps) for _ in range(ROUNDS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, nargs="+", default=[100, 250, 500, 1000, 2000, 5000])
    parser.add_argument("--shares", type=float, nargs="+", default=[0.1, 0.25, 0.5, 0.8, 1.0])
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("thresholds", options.json)
    print(describe_machine())
    for order in ("synchronous", "one-by-one"):
        for dims in (2, 3):
            print(f"\n{order}, {dims}-D: times as fast through cells")
            print(
                f"{'boids':>8}" + "".join(f"{f'share {share:g}':>12}" for share in options.shares)
            )
            for boids in options.boids:
                print(f"{boids:8,}", end="", flush=True)
                for share in options.shares:
                    ratio = gain(standard(boids, dims, share, order), boids)
                    print(f"{ratio:12.2f}", end="", flush=True)
                    name = f"{order}, {dims}-D, {boids:,} boids, share {share:g}"
                    results.add(name, ratio, "times", "higher")
                print(flush=True)
                results.write()


if __name__ == "__main__":
    main()
