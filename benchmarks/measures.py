"""What each measure costs, at 1,000, 100,000 and 1,000,000 boids.

    python benchmarks/measures.py [--dims 3] [--sizes 1000 100000 1000000] [--json FILE]
                                  [--costs FILE] [--only MEASURE ...]

The flock is an evenly filled ball (a disc in 2-D) that flies one way with noise, in open space;
uneven flocks cost more where neighbours are searched for. Seconds of processor time of all cores
together, and of the clock, each for one frame: the least of five where a frame takes less than a
tenth of a second, of three below a second, else of one. At the end is the exponent a of time ~ N^a
between the two largest sizes: about 1 is linear, 2 quadratic. What a measure refuses is said with
its reason. Fails unless polarization, milling and nearest-neighbour distance of the largest flock
take less than half a second of processor time each.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.measures import Measure
from murmurate.measures.flock_data import CACHE

FAST = ("polarization", "milling", "nearest_neighbour_distance")
MAX_SECONDS = 0.5  # of processor time, for each of FAST
OPTIONS: dict[str, dict[str, Any]] = {
    "collisions": {"radius": 0.001},
    "captures": {"radius": 0.01},
    "approaches": {"radius": 0.01},
    "time_in_zone": {"zone": "circle 0 0 2"},
    "share_in_zone": {"zone": "circle 0 0 2"},
    **{
        f"zone_{what}": {"zone": "circle 0 0 2"}
        for what in ("visits", "entries", "exits", "first_entry")
    },
    "wall_distance": {"wall": "box -5 -5 5 5"},
}


def ball(count: int, dims: int) -> list[mm.FlockFrame]:
    """Three moments of a flock, so that measures over time have something to compare."""
    random = np.random.default_rng(1)
    away = random.normal(size=(count, dims))
    away /= np.linalg.norm(away, axis=1, keepdims=True)
    radius = 5 * random.uniform(size=(count, 1)) ** (1 / dims)
    positions = (away * radius).astype(np.float32)
    velocities = (random.normal(size=(count, dims)) * 0.5 + np.eye(dims)[0]).astype(np.float32)
    space = mm.Space(size=(10.0,) * dims, origin=(-5.0,) * dims)
    trajectory = [positions + np.float32(0.01 * time) * velocities for time in range(3)]
    return [mm.measures.of_arrays(x, velocities, space) for x in trajectory]


def work_of(measure: Measure, flocks: list[mm.FlockFrame]) -> Any:
    """What is to be timed: the measure of one frame."""
    options = OPTIONS.get(measure.name, {})
    if measure.kind not in ("frames", "per animal", "hunt"):
        return lambda: measure.function(flocks[0], **options)
    few = mm.measures.of_arrays(
        flocks[0].positions[:10], flocks[0].velocities[:10], flocks[0].space
    )

    def over_frames() -> None:
        assert measure.collector is not None
        taker = measure.collector(**options)
        for number, flock in enumerate(flocks):
            taker.add(*((flock, few) if measure.kind == "hunt" else (flock,)), float(number))
        taker.result()

    return over_frames


def timed(work: Any, frames: int) -> tuple[float, float]:
    """Processor seconds and clock seconds of one frame."""
    best = (math.inf, math.inf)
    done = 0
    while done < (5 if best[0] < 0.1 else 3 if best[0] < 1 else 1):
        CACHE.clear()  # no measure reuses results of another one
        cpu, clock = time.process_time(), time.perf_counter()
        work()
        took = time.process_time() - cpu, time.perf_counter() - clock
        best = min(best[0], took[0] / frames), min(best[1], took[1] / frames)
        done += 1
    return best


def cost(measure: Measure, flocks: list[mm.FlockFrame]) -> dict[str, Any]:
    if measure.kind == "per animal":
        flocks = 10 * flocks  # what is worked out once an animal needs some frames, and is shared
    work = work_of(measure, flocks)
    try:
        cpu, clock = timed(work, len(flocks) if measure.collector else 1)
    except mm.MeasureError as error:
        return {"refused": str(error)}
    return {"cpu": cpu, "clock": clock}


def growth(small: dict[str, Any], large: dict[str, Any], times: float) -> str:
    if "cpu" not in small or "cpu" not in large or small["cpu"] < 1e-3:
        return ""
    return f"{math.log(large['cpu'] / small['cpu']) / math.log(times):.1f}"


def write(path: Path, dims: int, all_costs: dict[str, Any]) -> None:
    """Adds costs to what is in the file, new measures at its end."""
    before = json.loads(path.read_text())["seconds"] if path.exists() else {}
    new = {name: costs for name, costs in all_costs.items() if costs}
    seconds = {k: v for k, v in (before | new).items() if k in mm.measures.MEASURES}
    path.write_text(json.dumps({"dims": dims, "seconds": seconds}, indent=1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dims", type=int, default=3, choices=(2, 3))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 100_000, 1_000_000])
    add_json_option(parser)
    parser.add_argument("--costs", type=Path, help="the file that docs/make_measures.py reads")
    every = list(mm.measures.MEASURES)
    about = "measures; those that are not named keep their costs in the file"
    parser.add_argument("--only", nargs="+", default=every, metavar="MEASURE", help=about)
    options = parser.parse_args()
    print(describe_machine())
    results = Results("measures", options.json)
    chosen = [mm.measures.MEASURES[name] for name in options.only]
    all_costs: dict[str, dict[int, dict[str, Any]]] = {measure.name: {} for measure in chosen}
    for size in options.sizes:
        flocks = ball(size, options.dims)
        for name in ("polarization", "nearest_neighbour_distance"):  # compiles, loads libraries
            mm.measures.MEASURES[name].function(flocks[0])
        print(f"\n{size:,} boids: seconds of processor time a frame (of the clock)", flush=True)
        for measure in chosen:
            name = measure.name
            entry = all_costs[name][size] = cost(measure, flocks)
            text = (
                f"{entry['cpu']:9.4f} ({entry['clock']:.4f})"
                if "cpu" in entry
                else entry["refused"]
            )
            print(f"  {name:28} {text}", flush=True)
            if "cpu" in entry:
                results.add(f"{options.dims}-D, {size:,}: {name}", entry["cpu"], "cpu s", "lower")
                results.write()
            if options.costs:
                write(options.costs, options.dims, all_costs)
    if len(options.sizes) > 1:
        small, large = options.sizes[-2:]
        print(f"\na of time ~ N^a between {small:,} and {large:,}:")
        for name, costs in all_costs.items():
            if grown := growth(costs[small], costs[large], large / small):
                print(f"  {name:28} {grown}")
    slow = [
        name
        for name in FAST
        if name in all_costs and all_costs[name][options.sizes[-1]]["cpu"] > MAX_SECONDS
    ]
    if slow:
        print(f"above {MAX_SECONDS} s of processor time: {', '.join(slow)}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
