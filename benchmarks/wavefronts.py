"""Count the wavefronts of sequential steps: how many boids could be updated at the same time.

    python benchmarks/wavefronts.py [NAME ...] [--boids 1000 10000] [--radius 25] [--json FILE]

In a sequential step a boid senses new states of boids before it and old states of those after it,
within the largest radius R of its rules. In one update a boid moves at most d = max_speed * dt. So
only boids whose distance at the start of the step is at most R + d can sense each other: the update
of a boid has to wait for those of smaller index among them, and for no others. Its wavefront is one
more than the last of theirs. Boids of one wavefront can be updated in any order or at the same
time, and the bits stay those of the sequential step. A rule without a radius, or one that senses
the nearest, reads every boid, so each boid is a wavefront of its own; `--radius` gives such rules a
radius instead.

The models grow at constant density, as in growth.py, and have made 20 steps.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from itertools import pairwise

import numpy as np
import result_file
from growth import grown, longest
from scipy.spatial import cKDTree

import murmurate as mm
from murmurate.model.quantity import extent
from murmurate.model.rule import NeighbourRule

STEPS = 20


def senses_all(model: mm.Model) -> list[str]:
    """Return the names of rules that read every boid of a flock."""
    return [
        name
        for name, rule in model.rules.items()
        if isinstance(rule, NeighbourRule)
        and rule.weight
        and (rule.nearest or math.isinf(extent(rule.radius)[1]))
    ]


def wavefronts(model: mm.Model, frame: mm.Frame) -> list[int]:
    """Return the number of boids in each wavefront of the next step, in order."""
    space = model.space
    positions = np.concatenate([flock.positions for flock in frame.values()])
    speed = max(extent(flock.motion.max_speed)[1] for flock in model.flocks.values())
    reach = longest(model) + (speed * model.dt if model.positions == "in-turn" else 0.0)
    box = [side if around else 0.0 for side, around in zip(space.size, space.periodic, strict=True)]
    places = positions.astype(float) - space.lower
    places = np.where(space.periodic, np.mod(places, space.size), places)
    pairs = cKDTree(places, boxsize=box).query_pairs(reach, output_type="ndarray")
    pairs.sort(axis=1)
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    fronts = np.zeros(len(places), int)
    starts = np.searchsorted(pairs[:, 0], np.arange(len(places) + 1))
    for boid, (first, last) in enumerate(pairwise(starts)):
        later = pairs[first:last, 1]
        fronts[later] = np.maximum(fronts[later], fronts[boid] + 1)
    return [n for _, n in sorted(Counter(fronts.tolist()).items())]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="sequential flocks")
    parser.add_argument("--boids", nargs="+", type=int, default=(1_000, 10_000), metavar="N")
    parser.add_argument("--radius", type=float, help="for rules that sense all boids")
    result_file.add_json_option(parser)
    options = parser.parse_args()
    results = result_file.Results("wavefronts", options.json)
    print(f"{'':<24}{'boids':>8}{'wavefronts':>12}{'boids in one':>14}")
    sequential = [name for name in mm.zoo() if mm.load(name).order != "synchronous"]
    for name in options.names or sequential:
        model = mm.load(name)
        everyone = senses_all(model)
        if everyone and options.radius is None:
            print(f"{name:<24}{'':>8}{'all':>12}{1:>14}  {', '.join(everyone)}: no radius")
            continue
        model = model.set({f"rules.{rule}.radius": options.radius for rule in everyone})
        model = model.set({f"rules.{rule}.nearest": 0 for rule in senses_all(model)})
        for boids in options.boids:
            large, start = grown(model, boids)
            frame = mm.Simulation(large, seed=1, start=start, threads=1).step(STEPS).frame
            fronts = wavefronts(large, frame)
            print(f"{name:<24}{boids:>8,}{len(fronts):>12,}{boids / len(fronts):>14.1f}")
            results.add(f"{name}, {boids}", len(fronts), "wavefronts", "lower")
    results.write()


if __name__ == "__main__":
    main()
