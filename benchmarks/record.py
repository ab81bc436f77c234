"""What recording costs: time, disk space, memory; and how fast a recording is read back.

python benchmarks/record.py [--boids N] [--steps N] [--json FILE]
python benchmarks/record.py --sizes [--json FILE]

A flock of `starlings` flies with and without a recorder, in turn, and the medians are compared.
With --sizes, flocks of the zoo are recorded exactly and with a precision, and their size is
compared.
"""

from __future__ import annotations

import argparse
import shutil
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
"""Seconds a step: by the clock, and of all cores' work. Where others use the machine too, trust the
second."""


def flown(model: mm.Model, steps: int) -> Cost:
    """Without a recording."""
    simulation = mm.Simulation(model, 1).step(3)
    begin, work = time.perf_counter(), time.process_time()
    simulation.step(steps)
    return (time.perf_counter() - begin) / steps, (time.process_time() - work) / steps


def recorded(model: mm.Model, steps: int, every: int, path: Path, **options: Any) -> Cost:
    """While every so many steps are recorded, until all is on disk."""
    simulation = mm.Simulation(model, 1).step(3)
    begin, work = time.perf_counter(), time.process_time()
    record_run.record(simulation, path, steps, every, force=True, **options)
    return (time.perf_counter() - begin) / steps, (time.process_time() - work) / steps


def median(costs: list[Cost]) -> Cost:
    return statistics.median(c[0] for c in costs), statistics.median(c[1] for c in costs)


class Memory:
    """The most memory that this process takes meanwhile, beyond what it took before."""

    def __enter__(self) -> Memory:
        self._process, self._on = psutil.Process(), True
        self.before = self.most = self._process.memory_info().rss
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def _look(self) -> None:
        while self._on:
            self.most = max(self.most, self._process.memory_info().rss)
            time.sleep(0.01)

    def __exit__(self, *_: object) -> None:
        self._on = False
        self._thread.join()

    @property
    def megabytes(self) -> float:
        return (self.most - self.before) / 1e6


def array_bytes(path: Path) -> int:
    names = ("position", "velocity", "perch_timer")
    files = [file for name in names for file in (path / name).rglob("*")]
    return sum(file.stat().st_size for file in files if file.is_file())


def read_back(path: Path) -> tuple[float, float]:
    """MB of array data a second, warm: (by read, frame by frame)."""
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


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--boids", type=int, default=100_000)
    asked.add_argument("--steps", type=int, default=60)
    asked.add_argument("--rounds", type=int, default=5)
    asked.add_argument("--folder", type=Path, help="on the disk that is to be measured")
    asked.add_argument("--sizes", action="store_true")
    add_json_option(asked)
    given = asked.parse_args()
    if given.sizes:
        with tempfile.TemporaryDirectory(dir=given.folder) as temporary:
            sizes(Path(temporary), Results("record sizes", given.json))
        return
    model = mm.load("starlings").set({"flocks.boids.count": given.boids})
    folder = Path(tempfile.mkdtemp(dir=given.folder))
    print(describe_machine())
    print(f"{given.boids:,} boids of starlings, {given.steps} steps, {given.rounds} rounds")
    ways: dict[str, dict[str, Any]] = {
        "every 10th step": {"every": 10},
        "every step": {"every": 1},
        "every step, precision 0.01": {"every": 1, "precision": 0.01},
    }
    try:
        flown(model, 5)
        plain: list[Cost] = []
        slow: dict[str, list[Cost]] = {name: [] for name in ways}
        memory = dict.fromkeys(ways, 0.0)
        for _ in range(given.rounds):
            plain.append(flown(model, given.steps))
            for name, options in ways.items():
                with Memory() as most:
                    path = folder / f"{name}.zarr"
                    slow[name].append(recorded(model, given.steps, path=path, **options))
                memory[name] = max(memory[name], most.megabytes)
        base = median(plain)
        results = Results("record", given.json)
        results.add("not recorded", 1e3 * base[0], "ms/step", "lower")
        print(f"{'not recorded':28} {1e3 * base[0]:6.1f} ms a step, work {1e3 * base[1]:.1f} ms")
        for name in ways:
            path = folder / f"{name}.zarr"
            cost = median(slow[name])
            frames = len(mm.open(path))
            room = array_bytes(path) / frames / (given.boids + 1)
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
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
