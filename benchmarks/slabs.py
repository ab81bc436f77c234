"""One flock in slabs, on Ray workers of this machine.

    python benchmarks/slabs.py [--boids 10000000] [--rounds 5] [--json FILE]

Measures the standard flock of 20 neighbours on one, two and four workers of one thread: seconds a
step, bytes that workers hand to each other, and what a step takes beside their work. It also
measures the constants with which `scaling.py` simulates the messages of these and other runs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from memory import peak
from result_file import Results, add_json_option
from slab_costs import (
    WatchedCoordinator,
    ray_row,
    watched_flock,
    work_rows,
)

from murmurate.bench.timing import describe_machine
from murmurate.runs.record_run import record

SMALL, MIDDLE = 20_000, 300_000
WORKERS = (1, 2, 4)


def measured(boids: int, workers: int, rounds: int) -> dict[str, float]:
    """A flight: seconds a step, seconds of the busiest worker in it, bytes handed out, and seconds
    from the model to the third step."""
    begun = time.perf_counter()
    flight = watched_flock(boids, workers)
    noted: dict[str, list[float]] = defaultdict(list)
    ready = time.perf_counter() - begun
    WatchedCoordinator.latest.read_counters()
    for _ in range(rounds):
        begun = time.perf_counter()
        flight.step(1)
        noted["step"].append(time.perf_counter() - begun)
        counters = WatchedCoordinator.latest.read_counters()
        noted["work"].append(max(one["busy"] for one in counters))
        noted["bytes"].append(sum(one["bytes"] for one in counters))
    WatchedCoordinator.latest.stop()  # the next workers need its cores
    return {name: statistics.median(values) for name, values in noted.items()} | {"ready": ready}


def recorded(boids: int, workers: int) -> tuple[float, float, int]:
    """Seconds that a recorded frame takes beside its step, processor seconds of this process for
    it, and its bytes on disk."""
    flight = watched_flock(boids, workers)
    begun, worked = time.perf_counter(), time.process_time()
    flight.step(2)
    wall, used = time.perf_counter() - begun, time.process_time() - worked
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flight.zarr"
        times: list[tuple[float, float]] = []
        record(
            flight, path, 2,
            progress=lambda *_: times.append((time.perf_counter(), time.process_time())),
        )  # fmt: skip
        frames = sum(file.stat().st_size for file in path.glob("[pv]*/c/**/*") if file.is_file())
    WatchedCoordinator.latest.stop()
    seconds, processor = (b - a for a, b in zip(*times[:2], strict=True))
    return seconds - wall / 2, max(processor - used / 2, 0.0), frames // 3


def measure_runs(results: Results, boids: int, rounds: int) -> dict[int, float]:
    """Measure steps of three sizes on one to four workers, and what calls cost between them.

    Returns the seconds of a step of the largest, by workers.
    """
    found: dict[int, float] = {}
    for size, repeats in ((SMALL, 40), (MIDDLE, 20), (boids, rounds)):
        results.content["rows"].append(ray_row())
        for workers in WORKERS:
            one = measured(size, workers, repeats)
            found[workers] = one["step"]
            beside = one["step"] - one["work"]
            print(
                f"{size:,} boids, {workers} workers: {1e3 * one['step']:.1f} ms a step, of which "
                f"{1e3 * beside:.1f} beside the work of the busiest; {one['bytes'] / 1e6:.2f} MB "
                f"handed over; the third step began after {one['ready']:.1f} s",
                flush=True,
            )
            name = f"{size:,} boids, {workers} workers"
            results.add(f"{name}, step", one["step"], "s", "lower")
            results.add(f"{name}, beside the work", max(beside, 0.0), "s", "lower")
            results.add(f"{name}, handed over", one["bytes"], "bytes", "lower")
            results.add(f"{name}, ready", one["ready"], "s", "lower")
            results.write()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("slabs", options.json)
    print(describe_machine())
    rows = results.content["rows"] = []
    found = measure_runs(results, options.boids, options.rounds)
    gain, burden = found[1] / found[2], found[4] / found[2]
    print(f"two workers are {gain:.2f} times as fast as one; four take {burden:.2f} of their time")
    seconds, processor, size = recorded(options.boids, 2)
    print(
        f"a recorded frame of {options.boids:,} boids takes two workers {seconds:.2f} s, this "
        f"process {processor:.2f} s of a core, and {size / 1e6:.0f} MB; this process held "
        f"{peak():.2f} GB at most"
    )
    results.add("two workers over one", gain, "times", "higher")
    results.add("four workers on two cores over two", burden, "times", "lower")
    name = f"{options.boids:,} boids, 2 workers, a recorded frame"
    results.add(name, seconds, "s", "lower")
    results.add(f"{name} in this process", processor, "s", "lower")
    results.add(f"{name} on disk", size, "bytes", "lower")
    results.add("memory of the driver", peak(), "GB", "lower")
    rows += work_rows(options.boids)  # last: in this process, whose memory they need
    results.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())
