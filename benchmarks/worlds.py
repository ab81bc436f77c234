"""Measure worlds that one call advances, beside a loop over simulations.

    python benchmarks/worlds.py [--boids 65536] [--json FILE]

Each row is a flock of N boids in E worlds, with E * N boids together, and steps of one call each,
after which positions and velocities of all worlds are at hand. Numbers are millions of boids times
steps per second: medians of five blocks of calls. The last columns are loops that call `step(1)` of
64 simulations on one thread each, without reading a state, and with a frame of each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.engines.options import cores

MODELS = ("vicsek-1995", "couzin-2002")
SIZES = (16, 64, 256, 1024)
WAYS = ("one thread", "all threads", "ten steps", "loop", "frames")
BLOCKS = 5
BLOCK_SECONDS = 0.2


def seconds_per_call(call: Callable[[], object]) -> float:
    """Return the median duration of a call."""
    begin = time.perf_counter()
    call()
    calls = max(1, int(BLOCK_SECONDS / max(time.perf_counter() - begin, 1e-6)))
    blocks = []
    for _ in range(BLOCKS):
        begin = time.perf_counter()
        for _ in range(calls):
            call()
        blocks.append((time.perf_counter() - begin) / calls)
    return median(blocks)


def rates(name: str, size: int, boids: int) -> dict[str, float]:
    """Return millions of boids times steps per second, by way of simulating them."""
    model = mm.load(name)
    (flock,) = model.flocks
    model = model.set({f"flocks.{flock}.count": size})
    worlds = {n: mm.Worlds(model, boids // size, threads=n).step(20) for n in (1, cores())}
    simulations = [mm.Simulation(model, seed, threads=1).step(20) for seed in range(64)]
    seconds = {
        "one thread": seconds_per_call(lambda: worlds[1].step(1)),
        "all threads": seconds_per_call(lambda: worlds[cores()].step(1)),
        "ten steps": seconds_per_call(lambda: worlds[cores()].step(10)) / 10,
    }
    result = {way: boids / duration / 1e6 for way, duration in seconds.items()}
    loop = seconds_per_call(lambda: [simulation.step(1) for simulation in simulations])
    result["loop"] = size * len(simulations) / loop / 1e6
    frames = seconds_per_call(lambda: [simulation.step(1).frame for simulation in simulations])
    result["frames"] = size * len(simulations) / frames / 1e6
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=65536, help="boids of all worlds together")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("worlds", options.json)
    print(describe_machine())
    print("million boids x steps per second; calls of one step, or of ten")
    print(f"{'model':14}{'boids':>6}{'worlds':>8}", *(f"{way:>12}" for way in WAYS))
    for name in MODELS:
        for size in SIZES:
            row = rates(name, size, options.boids)
            for way, rate in row.items():
                results.add(f"{name}, {size} boids, {way}", rate, "million boid steps/s", "higher")
            numbers = (f"{row[way]:12.2f}" for way in WAYS)
            print(f"{name:14}{size:6}{options.boids // size:8}", *numbers, flush=True)
    results.write()


if __name__ == "__main__":
    main()
