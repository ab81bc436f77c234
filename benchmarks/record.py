"""Measure what recording costs (time, disk space, memory), and the speed of reading back.

python benchmarks/record.py [--boids N] [--steps N] [--json FILE]
python benchmarks/record.py --sizes [--json FILE]

A flock of `starlings` runs alternately with and without a recorder; the medians are compared.
With --sizes, flocks of the zoo are recorded exactly and with a precision, and their size is
compared.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.runs import record_run

Cost = tuple[float, float]
"""Seconds per step: of the clock, and of processor time of all cores. The second is more
reliable on a busy machine."""


def time_plain(model: mm.Model, steps: int) -> Cost:
    """Return the cost of a step without a recording."""
    simulation = mm.Simulation(model, 1).step(3)
    begin, work = time.perf_counter(), time.process_time()
    simulation.step(steps)
    return (time.perf_counter() - begin) / steps, (time.process_time() - work) / steps


def recorded(model: mm.Model, steps: int, every: int, path: Path, **recording_options: Any) -> Cost:
    """Return the cost of a step with a recording, until all frames are on disk."""
    simulation = mm.Simulation(model, 1).step(3)
    begin, work = time.perf_counter(), time.process_time()
    record_run.record(simulation, path, steps, every, force=True, **recording_options)
    return (time.perf_counter() - begin) / steps, (time.process_time() - work) / steps


def median(costs: list[Cost]) -> Cost:
    return statistics.median(c[0] for c in costs), statistics.median(c[1] for c in costs)


class Memory:
    """Measure the peak memory of this process within a `with` block, above that before it."""

    def __enter__(self) -> Memory:
        self._process, self._on = psutil.Process(), True
        self.before = self.peak = self._process.memory_info().rss
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def _look(self) -> None:
        while self._on:
            self.peak = max(self.peak, self._process.memory_info().rss)
            time.sleep(0.01)

    def __exit__(self, *_: object) -> None:
        self._on = False
        self._thread.join()

    @property
    def megabytes(self) -> float:
        return (self.peak - self.before) / 1e6


def array_bytes(path: Path) -> int:
    names = ("position", "velocity", "perch_timer")
    files = [file for name in names for file in (path / name).rglob("*")]
    return sum(file.stat().st_size for file in files if file.is_file())


def read_back(path: Path) -> tuple[float, float]:
    """Return MB of array data per second with warm caches: by `read`, and frame by frame."""
    rates = []
    for way in (lambda rec: rec.read(), lambda rec: [frame.step for frame in rec]):
        best = 0.0
        for _ in range(5):
            rec = mm.open(path)
            boids, dims = sum(rec.header["counts"].values()), rec.header["dims"]
            size = len(rec) * boids * dims * 2 * (4 if rec.dtype == "float32" else 8)
            begin = time.perf_counter()
            way(rec)
            best = max(best, size / (time.perf_counter() - begin) / 1e6)
        rates.append(best)
    return rates[0], rates[1]


# flock, boids (its own unless given), steps a frame, precision
SIZES: tuple[tuple[str, int | None, int, float], ...] = (
    ("starlings", 2000, 1, 0.01),
    ("starlings", 2000, 10, 0.01),
    ("parker", None, 1, 0.01),
    ("parker", None, 1, 0.1),
    ("ucl", None, 1, 0.01),
    ("vicsek-1995", None, 1, 0.01),
)


def sizes(folder: Path, results: Results, frames: int = 512) -> None:
    """Bytes a boid and frame: as plain floats, exact, and with a precision."""
    print(f"{'flock':12} {'boids':>6} {'every':>5} {'precision':>9} {'floats':>7} {'exact':>7}"
          f" {'rounded':>7} {'floats /':>8} {'exact /':>7}  read, MB/s")  # fmt: skip
    for name, boids, every, precision in SIZES:
        model = mm.load(name)
        model = model.set({"flocks.boids.count": boids}) if boids else model
        room = []
        for bound in (None, precision):
            path = folder / f"{name}.zarr"
            rec = mm.run(
                model, frames * every, every=every, seed=1, output=path, precision=bound, force=True
            )
            count = sum(rec.header["counts"].values())
            room.append(array_bytes(path) / len(rec) / count)
        plain = 8 * rec.header["dims"]
        case = f"{name}, {count} boids, every {every}"
        if f"{case}, exact" not in results.content["results"]:
            results.add(f"{case}, exact", room[0], "bytes/boid/frame", "lower")
        results.add(f"{case}, precision {precision:g}", room[1], "bytes/boid/frame", "lower")
        results.write()
        print(
            f"{name:12} {count:6} {every:5} {precision:9g} {plain:7} {room[0]:7.2f} {room[1]:7.2f}"
            f" {plain / room[1]:8.1f} {room[0] / room[1]:7.1f}  {read_back(path)[0]:.0f}"
        )


WAYS: dict[str, dict[str, Any]] = {
    "every 10th step": {"every": 10},
    "every step": {"every": 1},
    "every step, precision 0.01": {"every": 1, "precision": 0.01},
}


def measure_costs(
    model: mm.Model, steps: int, rounds: int, folder: Path
) -> tuple[Cost, dict[str, Cost], dict[str, float]]:
    """Return the cost of plain steps, and the cost and the megabytes of each way to record."""
    time_plain(model, 5)
    plain: list[Cost] = []
    costs: dict[str, list[Cost]] = {name: [] for name in WAYS}
    memory = dict.fromkeys(WAYS, 0.0)
    for _ in range(rounds):
        plain.append(time_plain(model, steps))
        for name, options in WAYS.items():
            with Memory() as used:
                path = folder / f"{name}.zarr"
                costs[name].append(recorded(model, steps, path=path, **options))
            memory[name] = max(memory[name], used.megabytes)
    return median(plain), {name: median(values) for name, values in costs.items()}, memory


def compare(boids: int, steps: int, rounds: int, folder: Path, results: Results) -> None:
    """Time steps with and without a recording, and reading it back."""
    model = mm.load("starlings").set({"flocks.boids.count": boids})
    print(describe_machine())
    print(f"{boids:,} boids of starlings, {steps} steps, {rounds} rounds")
    base, costs, memory = measure_costs(model, steps, rounds, folder)
    results.add("not recorded", 1e3 * base[0], "ms/step", "lower")
    print(f"{'not recorded':28} {1e3 * base[0]:6.1f} ms a step, work {1e3 * base[1]:.1f} ms")
    for name, cost in costs.items():
        path = folder / f"{name}.zarr"
        room = array_bytes(path) / len(mm.open(path)) / (boids + 1)
        results.add(name, 1e3 * cost[0], "ms/step", "lower")
        results.add(f"{name}, processor", 1e3 * cost[1], "cpu ms/step", "lower")
        results.add(f"{name}, size", room, "bytes/boid/frame", "lower")
        results.add(f"{name}, memory", memory[name], "MB", "lower")
        print(
            f"{name:28} {1e3 * cost[0]:6.1f} ms a step, x {cost[0] / base[0]:.2f}; work x "
            f"{cost[1] / base[1]:.2f}; "
            f"{room:.2f} bytes a boid and frame; memory + {memory[name]:.0f} MB"
        )
    for name in ("every step", "every step, precision 0.01"):
        by_read, by_frame = read_back(folder / f"{name}.zarr")
        results.add(f"{name}, read", by_read, "MB/s", "higher")
        results.add(f"{name}, read frame by frame", by_frame, "MB/s", "higher")
        print(f"{name:28} read {by_read:,.0f} MB/s, frame by frame {by_frame:,.0f} MB/s")
    results.write()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boids", type=int, default=100_000)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", type=Path, help="on the disk that is to be measured")
    parser.add_argument("--sizes", action="store_true")
    add_json_option(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        folder = Path(temporary)
        if options.sizes:
            sizes(folder, Results("record sizes", options.json))
            return
        results = Results("record", options.json)
        compare(options.boids, options.steps, options.rounds, folder, results)


if __name__ == "__main__":
    main()
