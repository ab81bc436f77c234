"""Trajectories: what the reference engine gives after a few steps, as [[expect]] tables.

    python benchmarks/trajectories.py NAME ... [--steps 20] [--seed 1]

The reference engine flies rule after rule and boid after boid in plain Python, in double precision,
and shares no kernel with the engine that `murmurate verify` flies. Printed are tables of kind
"trajectory" for a model's file, and on stderr how far the cpu engine is from them: it must be far
below the tolerance, or the steps are too many. A rounding error grows with each step until no boid
is where it would have been.
"""

from __future__ import annotations

import argparse
import sys

import murmurate as mm
from murmurate.verify.statistics import frame_statistic, select_flock

MEASURES = ("polarization", "nearest_neighbour_distance")
TOLERANCE = 1e-8  # a part of the value


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="NAME")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for name in options.names:
        model = mm.load(name)
        flock = "all" if len(model.flocks) > 1 else "boids"
        frames = [
            mm.Simulation(model, options.seed, dtype="float64", engine=engine)
            .step(options.steps)
            .frame
            for engine in ("reference", "cpu")
        ]
        for measure in MEASURES:
            value, other = (
                frame_statistic(measure)(select_flock(frame, flock)) for frame in frames
            )
            print(f"{name} {measure}: cpu is {abs(other / value - 1):.0e} away", file=sys.stderr)
            print("[[expect]]")
            print(f'measure = "{measure}"')
            if flock != "boids":
                print(f'flock = "{flock}"')
            print('kind = "trajectory"')
            print(f"step = {options.steps}")
            if options.seed != 1:
                print(f"seeds = [{options.seed}]")
            print(f"value = {value:.10g}")
            print(f"tolerance = {TOLERANCE * abs(value):.1g}")
            print('why = "the first steps, as the reference engine flies them"\n')


if __name__ == "__main__":
    main()
