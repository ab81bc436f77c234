"""How fast each published flock flies, as it is in its file, on one thread.

    python benchmarks/zoo.py [NAME ...] [--json FILE]

A boid-step is one boid, one step; times are medians of five. What makes a flock slow, where it is,
stands in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine, time_steps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="published flocks; all")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("zoo", options.json)
    rows = results.content["rows"] = []
    heads = f"{'':<24}{'boids':>8}{'us a step':>12}{'M boid-steps/s':>16}"
    print(describe_machine(), "", heads, sep="\n")
    for name in options.names or mm.zoo():
        model = mm.load(name)
        boids = sum(flock.count for flock in model.flocks.values())
        seconds = time_steps(mm.Simulation(model, seed=1, threads=1).step(50))[0]
        rate = boids / seconds / 1e6
        rows.append({"name": name, "boids": boids, "seconds": seconds, "rate": rate})
        results.add(name, rate, "M boid-steps/s", "higher")
        results.write()
        print(f"{name:<24}{boids:>8,}{1e6 * seconds:>12.1f}{rate:>16.2f}", flush=True)


if __name__ == "__main__":
    main()
