"""Boids that join and leave in slabs: the same bits as engine 'cpu'."""

from __future__ import annotations

from typing import Any

import pytest

import flights
import murmurate as mm
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.executors import WorkerLost
from murmurate.engines.slabs.slab_engine import SlabEngine
from populations import peopled
from structures import STRUCTURES, as_params

STEPS = 12


def both(model: mm.Model, workers: int) -> tuple[CpuEngine, SlabEngine]:
    options = {"dtype": "float64", "threads": 1, "seed": 3}
    with flights.in_cells():
        cpu = CpuEngine(model, initial_state(model, 3), RunOptions("cpu", **options))
        own = RunOptions("slabs", engine_options=mm.Slabs(workers, "here"), **options)
        return cpu, SlabEngine(model, initial_state(model, 3), own)


def assert_same(cpu: CpuEngine, slabs: SlabEngine) -> None:
    flights.assert_same_bits(cpu, slabs)
    first, second = cpu.state().flocks, slabs.state().flocks
    for name, flock in first.items():
        assert flock.indices.tolist() == second[name].indices.tolist()
        assert flock.n_ever == second[name].n_ever
    assert cpu.population_counts() == slabs.population_counts()


@pytest.mark.parametrize(
    "name",
    as_params(["torus", "two-flocks", "nearest-open", "mixed"], ["nearest-open", "mixed"]),
)
def test_bits_are_those_of_cpu(name: str) -> None:
    model = peopled(STRUCTURES[name][0](count=80))
    cpu, slabs = both(model, 3)
    with flights.in_cells():
        for _ in range(STEPS):
            cpu.step(1)
            slabs.step(1)
            assert_same(cpu, slabs)


def test_a_flock_that_is_empty_for_a_while() -> None:
    model = peopled(STRUCTURES["torus"][0](count=0), rate=0.2)
    cpu, slabs = both(model, 2)
    with flights.in_cells():
        for _ in range(25):
            cpu.step(1)
            slabs.step(1)
            assert_same(cpu, slabs)
    assert sum(cpu.sizes().values()) > 0


def test_too_many_boids_leave_the_state_as_it_was() -> None:
    model = peopled(STRUCTURES["torus"][0](count=40)).set({"flocks.boids.max_boids": 45})
    cpu, slabs = both(model, 2)
    with flights.in_cells():
        errors: list[Any] = []
        for engine in (cpu, slabs):
            with pytest.raises(mm.PopulationError) as error:
                engine.step(50)
            errors.append((error.value.step, error.value.flock, str(error.value)))
        assert errors[0] == errors[1]
        assert cpu.step_number == slabs.step_number == errors[0][0] - 1
        assert_same(cpu, slabs)


def test_an_interrupted_step_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model = peopled(STRUCTURES["two-flocks"][0](count=60))
    cpu, slabs = both(model, 2)
    with flights.in_cells():
        slabs.step(4)
        with monkeypatch.context() as patch:

            def interrupt() -> None:
                raise KeyboardInterrupt

            patch.setattr(slabs, "read_state", interrupt)
            with pytest.raises(KeyboardInterrupt):
                slabs.step(3)
        cpu.step(slabs.state().step)
        assert_same(cpu, slabs)
        slabs.step(9 - slabs.step_number)
        cpu.step(9 - cpu.step_number)
        assert_same(cpu, slabs)


def test_a_lost_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker is lost in the middle of a step: the run continues from the last state."""
    model = peopled(STRUCTURES["two-flocks"][0](count=60))
    cpu, slabs = both(model, 2)
    with flights.in_cells():
        slabs.step(5)
        step, calls = slabs._coordinator.step, []

        def lose(number: int) -> None:
            calls.append(number)
            if len(calls) == 2:
                raise WorkerLost("worker 1 is lost")
            step(number)

        monkeypatch.setattr(slabs._coordinator, "step", lose)
        slabs.step(3)

        def lose_boids() -> Any:
            raise WorkerLost("worker 0 is lost")

        monkeypatch.setattr(slabs._coordinator, "boids", lose_boids)
        slabs.step(2)
        cpu.step(10)
        assert_same(cpu, slabs)
