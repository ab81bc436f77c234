"""One flock in slabs, on Ray workers of this machine, and what that says of many machines.

    python benchmarks/slabs.py [--boids 10000000] [--rounds 5] [--json FILE]
    python benchmarks/slabs.py --model [--cores 32] [--from benchmarks/results/slabs.jsonl]

The first measures the standard flock of 20 neighbours on one, two and four workers of one thread:
seconds a step, bytes that workers hand to each other, and what a step takes beside their work.
The second computes, from these, the time of a step of larger flocks on many machines. It is a
model: it assumes machines as fast as this one, an even flock, and a network that gives what it
promises.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from memory import peak
from result_file import Results, add_json_option, read

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.slab_engine import SlabEngine
from murmurate.engines.slabs.slab_worker import SlabWorker
from murmurate.runs.record_run import record

NEIGHBOURS, SMALL = 20, 20_000
WORK = (
    "sample_positions", "count_per_layer", "remove_leaving", "receive_boids", "compute_stage",
    "finish_stage",
)  # fmt: skip
GBITS, MACHINES, FLOCKS = (10, 100), (1, 8, 64, 512), (10**8, 10**9, 10**10)
CORES = 32
BYTES_PER_BOID = 32  # of a halo: position and velocity in 3-D, id, flock


class Watched(SlabWorker):
    """A worker that measures its busy time, and the bytes of its boids that go to other halos."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.seconds, self.bytes = 0.0, 0

    def read_counters(self) -> tuple[float, int]:
        """Return seconds and bytes since the last call."""
        counters = self.seconds, self.bytes
        self.seconds, self.bytes = 0.0, 0
        return counters

    def copy_layers(self, *args: Any) -> Any:
        halo = self._timed(super().copy_layers, *args)
        ids = halo.identities
        arrays = [halo.state, *([ids.ids, ids.flock_index, ids.counts] if ids else [])]
        self.bytes += sum(array.nbytes for array in arrays)
        return halo

    def _timed(self, method: Callable[..., Any], *args: Any) -> Any:
        begun = time.perf_counter()
        try:
            return method(*args)
        finally:
            self.seconds += time.perf_counter() - begun


def _watched(name: str) -> Callable[..., Any]:
    def method(self: Watched, *args: Any) -> Any:
        return self._timed(getattr(super(Watched, self), name), *args)

    return method


for _name in WORK:
    setattr(Watched, _name, _watched(_name))


class WatchedCoordinator(Coordinator):
    worker_class = Watched
    latest: ClassVar[WatchedCoordinator]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        WatchedCoordinator.latest = self

    def read_counters(self) -> list[tuple[float, int]]:
        """Return seconds and bytes of each worker since the last call."""
        calls = [self.executor.call(worker, "read_counters") for worker in self.workers]
        return self.executor.fetch(calls)


def measured(boids: int, workers: int, rounds: int) -> dict[str, float]:
    """A flight: seconds a step, seconds of the busiest worker in it, bytes handed out."""
    begun = time.perf_counter()
    flight = mm.Simulation(uniform(boids, NEIGHBOURS), seed=1, engine=mm.Slabs(workers), threads=1)
    flight.step(2)
    ready = time.perf_counter() - begun
    coordinator = WatchedCoordinator.latest
    noted: dict[str, list[float]] = defaultdict(list)
    coordinator.read_counters()
    for _ in range(rounds):
        begun = time.perf_counter()
        flight.step(1)
        noted["step"].append(time.perf_counter() - begun)
        seconds, handed = zip(*coordinator.read_counters(), strict=True)
        noted["work"].append(max(seconds))
        noted["bytes"].append(sum(handed))
    return {name: statistics.median(values) for name, values in noted.items()} | {"ready": ready}


def recorded(boids: int, workers: int) -> tuple[float, int]:
    """Seconds that a recorded frame takes beside its step, and the bytes of one on disk."""
    flight = mm.Simulation(uniform(boids, NEIGHBOURS), seed=1, engine=mm.Slabs(workers), threads=1)
    flight.step(2)
    begun = time.perf_counter()
    flight.step(2)
    flown = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flight.zarr"
        times: list[float] = []
        record(flight, path, 2, progress=lambda *_: times.append(time.perf_counter()))
        frames = sum(file.stat().st_size for file in path.glob("[pv]*/c/**/*") if file.is_file())
    return times[1] - times[0] - flown / 2, frames // 3


def measure(options: argparse.Namespace) -> int:
    results = Results("slabs", options.json)
    SlabEngine.coordinator_class = WatchedCoordinator
    print(describe_machine())
    found: dict[tuple[int, int], dict[str, float]] = {}
    for boids, rounds in ((SMALL, 20), (options.boids, options.rounds)):
        for workers in (1, 2, 4):
            one = found[boids, workers] = measured(boids, workers, rounds)
            beside = one["step"] - one["work"]
            print(
                f"{boids:,} boids, {workers} workers: {1e3 * one['step']:.1f} ms a step, of which "
                f"{1e3 * beside:.1f} beside the work of the busiest; "
                f"{one['bytes'] / 1e6:.2f} MB handed over"
            )
            name = f"{boids:,} boids, {workers} workers"
            results.add(f"{name}, step", one["step"], "s", "lower")
            results.add(f"{name}, beside the work", max(beside, 0.0), "s", "lower")
            results.add(f"{name}, handed over", one["bytes"], "bytes", "lower")
            results.write()
    large = {w: found[options.boids, w]["step"] for w in (1, 2, 4)}
    gain, burden = large[1] / large[2], large[4] / large[2]
    print(f"two workers are {gain:.2f} times as fast as one; four take {burden:.2f} of their time")
    print(f"this process held {peak():.2f} GB at most")
    seconds, size = recorded(options.boids, 2)
    print(
        f"a recorded frame of {options.boids:,} boids takes two workers {seconds:.2f} s, and "
        f"{size / 1e6:.0f} MB; this process held {peak():.2f} GB at most"
    )
    results.add(f"{options.boids:,} boids, 2 workers, a recorded frame", seconds, "s", "lower")
    results.add("two workers over one", gain, "times", "higher")
    results.add("four workers on two cores over two", burden, "times", "lower")
    results.add("memory of the driver", peak(), "GB", "lower")
    results.write()
    return 0


# --- many machines


def constants(path: Path) -> dict[str, float]:
    """What was measured: seconds of a core for a boid's step, and of a step beside the work, for
    each worker."""
    results = read(path)["results"]

    def of(name: str) -> float:
        return float(results[name]["value"])

    boids = max(int(n.split(" boids")[0].replace(",", "")) for n in results if " boids," in n)
    work = of(f"{boids:,} boids, 1 workers, step") - of(
        f"{boids:,} boids, 1 workers, beside the work"
    )
    beside = {w: of(f"{SMALL:,} boids, {w} workers, beside the work") for w in (1, 2, 4)}
    return {
        "boid": work / boids,
        "worker": max((beside[4] - beside[1]) / 3.0, 0.0),
        "step": max(beside[1] - (beside[4] - beside[1]) / 3.0, 0.0),
    }


def step_time(known: dict[str, float], boids: int, machines: int, cores: int, gbit: int) -> float:
    """Seconds a step: a worker a machine, its cores as its threads; both layers beside it come in
    over the network; the driver calls one worker after the other."""
    density = NEIGHBOURS / (4.0 / 3.0 * math.pi)  # boids in a cube of a radius
    layer = density * (boids / density) ** (2.0 / 3.0)
    halo = 2.0 * layer * BYTES_PER_BOID if machines > 1 else 0.0
    work = known["boid"] * boids / machines
    return work / cores + halo * 8.0 / (gbit * 1e9) + known["step"] + known["worker"] * machines


def table(known: dict[str, float], cores: int) -> Iterator[str]:
    """The model as a table in Markdown."""
    head = [f"{machines} machines" if machines > 1 else "1 machine" for machines in MACHINES]
    yield f"| boids | Gbit/s | {' | '.join(head)} |"
    yield f"|---|---|{'---|' * len(head)}"
    for boids in FLOCKS:
        for gbit in GBITS:
            times = [step_time(known, boids, machines, cores, gbit) for machines in MACHINES]
            words = [
                f"{seconds:.2g} s ({times[0] / seconds / machines:.0%})"
                for seconds, machines in zip(times, MACHINES, strict=True)
            ]
            yield f"| {boids:,} | {gbit} | {' | '.join(words)} |"


def pays_until(known: dict[str, float], boids: int, cores: int, gbit: int) -> int:
    """The most machines of which at least half is gained."""
    alone, machines = step_time(known, boids, 1, cores, gbit), 2
    while alone / step_time(known, boids, machines, cores, gbit) > machines / 2:
        machines += 1
    return machines - 1


def model(options: argparse.Namespace) -> int:
    known = constants(options.measured)
    print(
        f"a model, of {known['boid'] * 1e9:.0f} ns a boid and core, {known['step'] * 1e3:.1f} ms a "
        f"step and {known['worker'] * 1e3:.2f} ms a worker, as measured; {options.cores} cores a "
        "machine, all of use\n"
    )
    print("\n".join(table(known, options.cores)))
    print("\nin brackets: of what so many machines could gain at most")
    for boids in FLOCKS:
        most = [pays_until(known, boids, options.cores, gbit) for gbit in GBITS]
        print(
            f"{boids:,} boids: half of it is gained with up to {most[0]} "
            f"machines at {GBITS[0]} Gbit/s, {most[1]} at {GBITS[1]}"
        )
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--model", action="store_true", help="of many machines; measures nothing")
    parser.add_argument("--cores", type=int, default=CORES, help="of each machine of the model")
    parser.add_argument(
        "--from", dest="measured", type=Path, metavar="FILE",
        default=Path(__file__).parent / "results" / "slabs.jsonl",
        help="what was measured, for --model",
    )  # fmt: skip
    add_json_option(parser)
    options = parser.parse_args()
    return model(options) if options.model else measure(options)


if __name__ == "__main__":
    sys.exit(main())
