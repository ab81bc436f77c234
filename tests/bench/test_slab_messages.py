"""The simulator of the messages of slabs: closed forms, and the messages of the engine itself."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))
import slab_messages
from slab_messages import METHODS, PARALLEL, Cluster, Costs, Prediction, Work

from murmurate.bench.flocks import uniform
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.boids import Boids, HaloBoids
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.executors import LocalExecutor

BOIDS, LAYERS, CALLS = 20_000, 16, 7
SECONDS = {name: (k + 1) * 1e-7 for k, name in enumerate(METHODS)}
ALL_WORK = Costs(work={name: Work(1e-3, (1.0,), (s,)) for name, s in SECONDS.items()})


def predict(workers: int, costs: Costs, cluster: Cluster, **options: Any) -> Prediction:
    """Simulate steps in which the Coordinator's own work takes no time."""
    boids = options.pop("boids", BOIDS)
    return slab_messages.predict(boids, workers, costs, cluster, clock=lambda: 0.0, **options)


def work_of(workers: int, threads: int = 1) -> float:
    """Return the seconds of a worker's calls in a step: two of `copy_layers`, one of the others."""
    seconds = 0.0
    for name, boid in SECONDS.items():
        boids, calls = (BOIDS / LAYERS, 2) if name == "copy_layers" else (BOIDS / workers, 1)
        seconds += calls * (1e-3 + boids * boid / (threads if name in PARALLEL else 1))
    return seconds


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_workers_with_a_core_each(workers: int) -> None:
    """Without messages a step takes the work of one worker."""
    run = predict(workers, ALL_WORK, Cluster(cores=4), steps=3)
    assert run.step == pytest.approx(work_of(workers))
    assert run.busy["worker"] == pytest.approx(work_of(workers))
    assert run.first == 0


def test_threads_divide_the_work_that_they_can() -> None:
    run = predict(2, ALL_WORK, Cluster(cores=8, threads=4))
    assert run.step == pytest.approx(work_of(2, threads=4))


def test_four_workers_share_two_cores() -> None:
    """Each gets half a core; a crowd slows all cores."""
    assert predict(4, ALL_WORK, Cluster(cores=2)).step == pytest.approx(2 * work_of(4))
    crowded = Costs(work=ALL_WORK.work, crowd=1.25)
    assert predict(4, crowded, Cluster(cores=2)).step == pytest.approx(2.5 * work_of(4))
    machines = Cluster(cores=2, machines=2)
    assert predict(4, ALL_WORK, machines).step == pytest.approx(work_of(4))


def test_the_limit_of_a_slow_network() -> None:
    """The worker of the other machine waits for eight messages: there and back for the layers, for
    boids that move, for the halo, and at the end. Halos of more packets than TCP sends at first
    wait for another round trip."""
    far = Cluster(cores=2, machines=2, delay=0.1)
    assert predict(2, Costs(), far, boids=1000).step == pytest.approx(0.8)
    assert predict(2, Costs(), far).step == pytest.approx(1.0)
    shared = Cluster(cores=2, machines=2, delay=0.1, shared=True)
    assert predict(2, Costs(), shared).step == pytest.approx(1.0)
    assert predict(2, Costs(), Cluster(delay=0.1)).step == 0  # one machine


def test_the_limit_of_a_driver_that_submits_calls() -> None:
    """The driver makes seven calls for each worker, in sequence."""
    for workers in (1, 3, 40):
        run = predict(workers, Costs(submit=1e-3), Cluster(cores=2, machines=workers))
        if workers <= LAYERS:
            assert run.step == pytest.approx(CALLS * workers * 1e-3)
        assert run.busy["driver"] == pytest.approx(sum(run.calls.values()) * 1e-3)


def test_large_results_use_the_network_of_their_worker() -> None:
    """A halo above the limit does not travel with calls: a worker sends two of them."""
    boids, gbit = 10**6, 0.8
    run = predict(2, Costs(), Cluster(machines=2, gbit=gbit), boids=boids)
    size = run.bytes["copy_layers"] / 4
    assert size > slab_messages.INLINE
    assert run.step == pytest.approx(2 * size * 8e-9 / gbit, rel=0.2)
    assert run.busy["network"] == pytest.approx(run.step, rel=0.1)


def test_losses_are_drawn_by_seed() -> None:
    far = Cluster(machines=2, delay=0.01, loss=0.05)
    steps = [predict(2, Costs(), far, steps=5, seed=seed).step for seed in (1, 1, 2)]
    assert steps[0] == steps[1] != steps[2]
    assert min(steps) > predict(2, Costs(), Cluster(machines=2, delay=0.01)).step


def test_more_workers_than_layers() -> None:
    """Workers without layers are called, but have no halo."""
    run = predict(20, Costs(), Cluster(machines=20))
    assert run.calls == {name: 20 for name in METHODS[:-1]} | {"copy_layers": 2 * LAYERS}


# --- the messages of the engine


class Counting(LocalExecutor):
    """Notes the calls of a step: worker, method, number of boids' messages in it and of results."""

    def __init__(self) -> None:
        self.calls: Counter[Any] = Counter()
        self.bytes: Counter[str] = Counter()
        self.workers: list[Any] = []

    def start(self, *args: Any, **options: Any) -> Any:
        self.workers.append(super().start(*args, **options))
        return self.workers[-1]

    def _note(self, worker: Any, method: str, args: Sequence[Any], results: Sequence[Any]) -> None:
        arguments = sum(isinstance(arg, Boids | HaloBoids) for arg in args)
        self.calls[self.workers.index(worker), method, arguments, len(results)] += 1
        self.bytes[method] += sum(map(size_of, results))

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        result = super().call(worker, method, *args)
        self._note(worker, method, args, [result])
        return result

    def call_for_list(self, worker: Any, method: str, length: int, *args: Any) -> list[Any]:
        results = super().call_for_list(worker, method, length, *args)
        self._note(worker, method, args, results)
        return results


class CountingSimulated(slab_messages.SimulatedExecutor):
    """Notes the same of the simulator."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.noted: Counter[Any] = Counter()

    def call_for_list(self, worker: Any, method: str, length: int, *args: Any) -> list[Any]:
        results = super().call_for_list(worker, method, length, *args)
        arguments = sum(isinstance(arg, slab_messages.Future) for arg in args)
        self.noted[worker.index, method, arguments, length] += 1
        return results


def size_of(value: Any) -> int:
    """Return the bytes of the arrays of a result."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, tuple):
        return sum(map(size_of, value))
    if is_dataclass(value):
        return sum(size_of(getattr(value, field.name)) for field in fields(value))
    return 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 5])
def test_the_messages_are_those_of_the_engine(workers: int) -> None:
    """Also of the first step, in which all boids move. Sizes of halos differ by chance."""
    model, options = uniform(BOIDS, 20), RunOptions("slabs", threads=1, seed=1)
    layout, text = layout_and_source(model, model.max_counts, options.dtype)
    flock = slab_messages.UniformFlock(model, options.dtype)
    real, simulated = Counting(), CountingSimulated(flock, ALL_WORK, Cluster(), 1, lambda: 0.0)
    coordinators = [
        Coordinator(layout, text, options, workers, executor) for executor in (real, simulated)
    ]
    coordinators[0].load_state(initial_state(model, 1))
    for step in range(3):
        for executor in (real.calls, real.bytes, simulated.noted, simulated.bytes):
            executor.clear()
        for coordinator in coordinators:
            coordinator.step(step)
        assert real.calls == simulated.noted
        tolerances = {"copy_layers": 0.03, "count_per_layer": 0.0}
        tolerances["remove_leaving"] = 0.3 if step else 0.03
        for name, tolerance in tolerances.items():
            assert real.bytes[name] == pytest.approx(simulated.bytes[name], rel=tolerance), name
