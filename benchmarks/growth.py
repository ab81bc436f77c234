"""How the time of a step grows with the number of boids: published flocks, at constant density.

    python benchmarks/growth.py [NAME ...] [--boids 1000 10000 ...] [--threads 1] [--json FILE]

Of each model the largest flock grows; the others stay as many as they are. Boids begin spread
evenly, as far apart as the model's own start has them, but for those that would sense more than 50
others: they stand as far apart as to sense 50. The space grows with them. The exponent is the slope
of the line through the times, both as logarithms: 1 where twice the boids take twice the time. A
step that would take longer than a minute, if it grew with the square of the number, is left out.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
import result_file

import murmurate as mm
from murmurate.bench.timing import describe_machine, time_steps
from murmurate.model.quantity import extent
from murmurate.model.rule import NeighbourRule

BOIDS = (1_000, 10_000, 100_000, 1_000_000)
LONGEST = 60.0  # seconds a step
SENSED = 50  # at most, of those within a radius
BALL = {2: math.pi / 4, 3: math.pi / 6}  # of the cube around it


def grown(model: mm.Model, boids: int) -> tuple[mm.Model, dict[str, tuple[np.ndarray, np.ndarray]]]:
    """The model with so many boids in all, in a space that holds them as its own start does, and
    where they begin."""
    name = max(model.flocks, key=lambda flock: model.flocks[flock].count)
    rest = sum(flock.count for flock in model.flocks.values()) - model.flocks[name].count
    dims = model.space.dims
    own = mm.Simulation(model).frame[name]
    volume = float(np.prod(np.ptp(own.positions, axis=0)))
    if model.flocks[name].start.kind == "ball":
        volume *= BALL[dims]
    each = max(volume / len(own), BALL[dims] * (2 * longest(model)) ** dims / SENSED)
    side = (each * boids) ** (1 / dims)
    factor = side / float(np.prod(model.space.size)) ** (1 / dims)
    bounded = any(boundary != "open" for boundary in model.space.boundaries)
    size = np.array(model.space.size) * factor if bounded else np.full(dims, side)
    space = model.space.model_copy(update={"size": tuple(size.tolist())})
    large = model.model_copy(update={"space": space})
    large = large.set({f"flocks.{name}.count": boids - rest})
    random = np.random.default_rng(1)
    start = {}
    for flock in model.flocks:
        count = large.flocks[flock].count
        velocities = mm.Simulation(model).frame[flock].velocities
        positions = np.array(space.lower) + size * random.random((count, dims))
        start[flock] = (positions, velocities[random.integers(len(velocities), size=count)])
    return large, start


def longest(model: mm.Model) -> float:
    """The longest finite radius of rules that sense all within it; 0 if there is none."""
    rules = [rule for rule in model.rules.values() if isinstance(rule, NeighbourRule)]
    reach = [extent(rule.radius)[1] for rule in rules if not rule.nearest]
    return max((r for r in reach if math.isfinite(r)), default=0.0)


def reaches(model: mm.Model) -> str:
    """What a model's boids sense: 'within a radius', 'the nearest', or 'everyone'."""
    rules = [rule for rule in model.rules.values() if isinstance(rule, NeighbourRule)]
    if any(r.nearest for r in rules):
        return "the nearest"
    if any(math.isfinite(extent(r.radius)[1]) for r in rules):
        return "within a radius"
    return "everyone"


def slope(boids: list[int], seconds: list[float]) -> float:
    """The exponent of the time in the number of boids."""
    return float(np.polyfit(np.log(boids), np.log(seconds), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="published flocks; all")
    parser.add_argument("--boids", nargs="+", type=int, default=BOIDS, metavar="N")
    parser.add_argument("--threads", type=int, default=1)
    result_file.add_json_option(parser)
    options = parser.parse_args()
    results = result_file.Results("growth", options.json and Path(options.json))
    rows = results.content["rows"] = []
    print(describe_machine(), f"threads: {options.threads}", "", sep="\n")
    sizes = "".join(f"{n:>14,}" for n in options.boids)
    print(f"{'ms a step':<24}{'order':<14}{'senses':<18}{sizes}{'exponent':>10}")
    stay = [name for name in mm.zoo() if not mm.load(name).changes_numbers]
    for name in options.names or stay:
        model = mm.load(name)
        done: list[int] = []
        took: list[float] = []
        for boids in options.boids:
            if took and took[-1] * (boids / done[-1]) ** 2 > LONGEST:
                break
            large, start = grown(model, boids)
            flight = mm.Simulation(large, seed=1, start=start, threads=options.threads)
            took.append(time_steps(flight)[0])
            done.append(boids)
            results.add(f"{name}, {boids}", took[-1], "s/step", "lower")
        exponent = slope(done, took) if len(took) > 1 else None
        rows.append({"name": name, "order": model.order, "senses": reaches(model), "boids": done,
                     "seconds": took, "exponent": exponent})  # fmt: skip
        results.write()
        times = "".join(f"{1e3 * s:>14.3f}" for s in took).ljust(14 * len(options.boids))
        exponent_text = "" if exponent is None else f"{exponent:>10.2f}"
        print(f"{name:<24}{model.order:<14}{reaches(model):<18}{times}{exponent_text}", flush=True)


if __name__ == "__main__":
    main()
