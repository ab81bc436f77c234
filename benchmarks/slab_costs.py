"""Measure the constants of `slab_messages.Costs`: the work of a slab, and what Ray adds to it.

Both in processor time where threads work, so that other programs hardly change them.
"""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, ClassVar

import numpy as np
from slab_messages import METHODS, Costs, Work

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.codegen.candidates.grid import Grid
from murmurate.engines.options import cores
from murmurate.engines.slabs.boids import BoidIdentities, HaloBoids
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.executors import connect_to_ray
from murmurate.engines.slabs.slab_engine import SlabEngine
from murmurate.engines.slabs.slab_worker import SlabWorker

NEIGHBOURS = 20
SIZES = (1_000, 4_000, 20_000, 100_000, 1_000_000, 10_000_000)
PER_BURST, CALLS, BURSTS = 4, 2, 60
"""Actors that are called at once, calls of each (a step has 7 in 3 bursts), and repeats."""
CACHE, CROWD = 2**21, 2_000_000
"""Bytes that an actor writes between calls, and boids of a flock that each core simulates."""
HALO_BYTES = 32  # of a boid of Echo.make


class Watched(SlabWorker):
    """A worker that measures its busy time by method, and the bytes of its boids in other halos."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.counters: Counter[str] = Counter()

    def read_counters(self) -> Counter[str]:
        """Return processor seconds of each method, 'busy' seconds of all, 'bytes' and numbers of
        boids since the last call."""
        counters, self.counters = self.counters, Counter()
        counters["boids"], counters["memory"] = self.columns.count, self.table.nbytes
        return counters

    def copy_layers(self, *args: Any) -> Any:
        halo = self._timed("copy_layers", super().copy_layers, *args)
        ids = halo.identities
        arrays = [halo.state, *([ids.ids, ids.flock_index, ids.counts] if ids else [])]
        self.counters["bytes"] += sum(array.nbytes for array in arrays)
        self.counters["halo"] += len(halo)
        return halo

    def _place_halo(self, *args: Any) -> None:
        self._timed("place_halo", super()._place_halo, *args)

    def _timed(self, name: str, method: Callable[..., Any], *args: Any) -> Any:
        begun, worked = time.perf_counter(), time.thread_time()
        try:
            return method(*args)
        finally:
            self.counters[name] += time.thread_time() - worked
            if name != "place_halo":  # within another method
                self.counters["busy"] += time.perf_counter() - begun


def _watched(name: str) -> Callable[..., Any]:
    def method(self: Watched, *args: Any) -> Any:
        return self._timed(name, getattr(super(Watched, self), name), *args)

    return method


for _name in ("sample_positions", *METHODS):
    if _name not in ("copy_layers", "place_halo"):
        setattr(Watched, _name, _watched(_name))


class WatchedCoordinator(Coordinator):
    worker_class = Watched
    latest: ClassVar[WatchedCoordinator]

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        WatchedCoordinator.latest = self

    def read_counters(self) -> list[Counter[str]]:
        """Return the counters of each worker since the last call."""
        return self._call_all(self.workers, "read_counters")


def watched_flock(boids: int, workers: int, address: str | None = None) -> mm.Simulation:
    """Return the standard flock in slabs of one thread, after two steps."""
    SlabEngine.coordinator_class = WatchedCoordinator
    slabs = mm.Slabs(workers, address)
    return mm.Simulation(uniform(boids, NEIGHBOURS), seed=1, engine=slabs, threads=1).step(2)


def counters_of_steps(simulation: mm.Simulation, steps: int) -> list[list[Counter[str]]]:
    """Return the counters of the workers for each of some steps."""
    WatchedCoordinator.latest.read_counters()
    return [
        (simulation.step(1), WatchedCoordinator.latest.read_counters())[1] for _ in range(steps)
    ]


# --- work


def work_rows(largest: int) -> Iterator[dict[str, Any]]:
    """Yield processor seconds of each method in a step, and bytes: of one worker, and of four."""
    for boids, workers in [*((n, 1) for n in SIZES if n <= largest), (largest, 4)]:
        simulation = watched_flock(boids, workers, "here")
        steps = counters_of_steps(simulation, 5 if boids > 10**6 else 15)
        sums = [sum(workers_of_step, Counter()) for workers_of_step in steps]
        middle = {name: statistics.median(c[name] for c in sums) for name in sums[0]}
        yield {"work_of": boids, "workers": workers, **middle}
        del simulation


def work_costs(rows: list[dict[str, Any]]) -> tuple[dict[str, Work], float]:
    """Return the work of each method, and the seconds to place a boid of the halo.

    A line through the two smallest flocks gives the seconds of a call without boids. `copy_layers`
    is called twice in a step, for the boids of a halo.
    """
    alone = [row for row in rows if row["workers"] == 1]
    more = {name: rows[-1][name] - alone[-1][name] for name in ("halo", "place_halo")}
    halo_boid = max(0.0, more["place_halo"] / more["halo"])
    work = {}
    for name in METHODS:
        calls = 2.0 if name == "copy_layers" else 1.0
        boids = [row["halo" if name == "copy_layers" else "boids"] / calls for row in alone]
        seconds = [row[name] / calls for row in alone]
        if name == "compute_stage":
            seconds = [row[name] - row["place_halo"] for row in alone]
        elif name == "place_halo":
            seconds = [max(0.0, row[name] - halo_boid * row["halo"]) for row in alone]
        slope = (seconds[1] - seconds[0]) / (boids[1] - boids[0])
        call = min(max(seconds[0] - slope * boids[0], 0.0), seconds[0])
        work[name] = Work(
            call, tuple(boids), tuple((s - call) / n for s, n in zip(seconds, boids, strict=True))
        )
    return work, halo_boid


# --- Ray


class Echo:
    """An actor of these measurements, which is called as workers are."""

    def call(self, method: str, *args: Any) -> Any:
        return getattr(self, method)(*args)

    def nothing(self, *args: Any) -> None:
        pass

    def use_caches(self) -> float:
        """Use the processor's caches, as a step does: calls take longer after that."""
        return float(np.ones(CACHE // 8).sum())

    def times(self) -> tuple[float, float]:
        return time.thread_time(), time.process_time()

    def make(self, boids: int) -> HaloBoids:
        ids = np.zeros(boids, np.int32)
        state, memory = np.zeros((6, boids), np.float32), np.zeros((0, boids), np.float32)
        return HaloBoids(state, memory, BoidIdentities(ids, ids.copy(), np.zeros(1, np.int32)))

    def many(self, count: int) -> tuple[None, ...]:
        return (None,) * count

    def simulate(self, boids: int, steps: int) -> float:
        """Return the processor seconds of steps of the standard flock on one thread."""
        simulation = mm.Simulation(uniform(boids, NEIGHBOURS), seed=1, threads=1).step(2)
        begin = time.thread_time()
        simulation.step(steps)
        return time.thread_time() - begin


class Calls:
    """Measures calls of some actors."""

    def __init__(self) -> None:
        self.ray = connect_to_ray()
        self.actors = [self.ray.remote(num_cpus=0)(Echo).remote() for _ in range(PER_BURST)]
        self.ray.get([self.call(actor) for actor in self.actors for _ in range(100)])

    def call(self, actor: Any, *args: Any) -> Any:
        return actor.call.remote("nothing", 3, 4, 0, *args)

    def seconds(self, action: Callable[[], Any], repeats: int = 60) -> float:
        """Return the seconds of an action and of fetching its result: of the faster ones."""
        took = []
        for _ in range(repeats):
            self._use_caches()
            begin = time.perf_counter()
            self.ray.get(action())
            took.append(time.perf_counter() - begin)
        return float(np.quantile(took, 0.25))

    def hand_over(self, boids: int) -> float:
        """Return the seconds to give boids of one worker to another."""
        first, second = self.actors[:2]
        return self.seconds(lambda: self.call(second, first.call.remote("make", boids)), 30)

    def _use_caches(self) -> None:
        self.ray.get([actor.use_caches.remote() for actor in self.actors])
        Echo().use_caches()

    def _times(self) -> np.ndarray:
        times = self.ray.get([actor.times.remote() for actor in self.actors])
        return np.array(times).sum(axis=0)

    def threads(self) -> dict[str, float]:
        """Return the processor seconds of the threads of driver and workers for a call."""
        sums = np.zeros(5)  # submitting, fetching, all of the driver; main and all of workers
        for _ in range(BURSTS):
            self._use_caches()
            workers, driver, first = self._times(), time.process_time(), time.thread_time()
            futures = [self.call(actor) for actor in self.actors for _ in range(CALLS)]
            second = time.thread_time()
            self.ray.get(futures)
            third, end = time.thread_time(), time.process_time()
            used = (self._times() - workers) * CALLS / (CALLS + 1)  # with a call of `times` each
            sums += [second - first, third - second, end - driver, *used]
        submit, get, driver, main, worker = sums / (BURSTS * CALLS * len(self.actors))
        messages = (driver - submit - get + worker - main) / 4.0  # two each, at both ends
        return {"submit": submit, "get": get, "serve": main, "send": messages,
                "receive": messages}  # fmt: skip

    def crowd(self) -> float:
        """Return how much longer work takes while all cores work."""

        def mean(count: int) -> float:
            actors = self.actors[:count]
            seconds = self.ray.get([actor.simulate.remote(CROWD, 3) for actor in actors])
            return float(np.mean(seconds))

        alone = mean(1)
        return max(1.0, mean(min(cores(), len(self.actors))) / alone)


def ray_row() -> dict[str, float]:
    """Return what calls cost in Ray, as the fields of `Costs`; 'single': the seconds of one."""
    calls = Calls()
    call, seconds, hand_over = calls.call, calls.seconds, calls.hand_over
    first, second = calls.actors[:2]
    row = calls.threads()
    single = row["single"] = seconds(lambda: call(first))
    path = row["submit"] + row["get"] + row["serve"] + 2 * (row["send"] + row["receive"])
    row["latency"] = max(0.0, single - path) / 2.0
    grid = Grid(np.zeros(3), np.ones(3), np.ones(7, np.int64))
    row["argument"] = max(0.0, seconds(lambda: call(first, grid)) - single) / 2.0
    after = seconds(lambda: call(second, call(first)))
    row["resolve"] = max(0.0, after - 2.0 * single + row["submit"] + row["get"])
    small, inline, large, larger = map(hand_over, (3, 2_800, 62_500, 1_250_000))
    row["pack"] = max(0.0, small - after) / 2.0
    row["byte"] = max(0.0, inline - small) / (2_797 * HALO_BYTES) / 4.0  # four messages carry it
    row["stored_byte"] = max(0.0, larger - large) / (1_187_500 * HALO_BYTES)
    row["stored"] = max(0.0, large - small - 62_500 * HALO_BYTES * row["stored_byte"])
    many = first.many.options(num_returns=101)
    row["part"] = max(0.0, seconds(lambda: many.remote(101)) - single) / 200.0
    row["crowd"] = calls.crowd()
    for actor in calls.actors:
        calls.ray.kill(actor)
    return row


def costs_of(rows: list[dict[str, Any]]) -> Costs:
    """Return the constants of measured rows: medians of those of Ray."""
    work, halo_boid = work_costs([row for row in rows if "work_of" in row])
    rays = [row for row in rows if "submit" in row]
    names = asdict(Costs()).keys() - {"work", "halo_boid"}
    medians = {name: statistics.median(row[name] for row in rays) for name in names}
    return Costs(work=work, halo_boid=halo_boid, **medians)
