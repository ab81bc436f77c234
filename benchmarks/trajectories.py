"""Print values of the reference engine after a few steps, as [[expect]] tables.

    python benchmarks/trajectories.py NAME ... [--steps 20] [--seed 1]

The reference engine computes each rule for each boid in plain Python, in double precision. It
shares no kernel with the engine that `murmurate verify` uses. The tables have the kind
"trajectory" and belong into the file of a model. The error of the cpu engine is printed on stderr.
It must be far below the tolerance; otherwise use fewer steps, since rounding errors grow with each
step.
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
            print('why = "the same first steps as in the reference engine"\n')


if __name__ == "__main__":
    main()
