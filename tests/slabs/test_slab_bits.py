"""A flock in slabs has the bits of engine 'cpu', at any number of workers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import flights
import murmurate as mm
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.protocol import Engine
from murmurate.engines.slabs import cuts
from murmurate.engines.slabs.limits import reasons_against
from murmurate.engines.slabs.slab_engine import SlabEngine
from structures import IN_CELLS, STRUCTURES, as_params

COUNT, STEPS = 300, 50

few = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def in_slabs(model: mm.Model, workers: int, state: Any = None, **options: Any) -> SlabEngine:
    options = {"dtype": "float64", "threads": 1, "seed": 11, **options}
    asked = RunOptions("slabs", own=mm.Slabs(workers, "here"), **options)
    return SlabEngine(model, state or initial_state(model, asked.seed), asked)


def on_cpu(model: mm.Model, state: Any = None, **options: Any) -> CpuEngine:
    options = {"dtype": "float64", "threads": 1, "seed": 11, **options}
    asked = RunOptions("cpu", **options)
    return CpuEngine(model, state or initial_state(model, asked.seed), asked)


def assert_all_same(one: Engine, other: Engine) -> None:
    flights.assert_same_bits(one, other)
    for flock, kept in flights.memory(one).items():
        np.testing.assert_array_equal(kept, flights.memory(other)[flock])


def fly_both(model: mm.Model, workers: int, steps: int = STEPS, **options: Any) -> SlabEngine:
    """Flown in slabs and on one machine, and compared on the way."""
    with flights.in_cells():
        one, other = on_cpu(model, **options), in_slabs(model, workers, **options)
    for part in (1, steps // 2, steps - steps // 2 - 1):
        one.step(part)
        other.step(part)
        assert_all_same(one, other)
    return other


def allowed(names: list[str]) -> list[str]:
    with flights.in_cells():
        return [n for n in names if not reasons_against(STRUCTURES[n][0](count=COUNT))]


FLOWN = allowed(IN_CELLS)


def numbers(ranges: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A value for each of a structure's numbers but the count, whole where the range is whole."""

    def one(low: Any, high: Any) -> st.SearchStrategy[Any]:
        if isinstance(low, int) and isinstance(high, int):
            return st.integers(low, high)
        return st.floats(low, high).map(lambda x: round(x, 3))

    kept = {name: one(*ends) for name, ends in ranges.items() if name != "count"}
    return st.fixed_dictionaries(kept)


@pytest.mark.parametrize("name", as_params(FLOWN))
@few
@given(data=st.data())
def test_random_models(name: str, data: Any) -> None:
    make, ranges = STRUCTURES[name]
    model = make(count=COUNT, **data.draw(numbers(ranges)))
    with flights.in_cells():
        if reasons_against(model):  # its numbers leave no room for three cells round a torus
            return
    workers = data.draw(st.sampled_from((1, 2, 3, 5)))
    fly_both(model, workers, STEPS // 2, seed=data.draw(st.integers(0, 2**64 - 1)))


def test_enough_structures_fly_in_slabs() -> None:
    """What is refused is few, and for a reason."""
    assert len(FLOWN) >= 10
    assert {"torus", "two-flocks", "nearest-open", "nearest-torus"} <= set(FLOWN)


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "name",
    [
        "nearest-open",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("torus", "two-flocks", "nearest-torus", "mixed")
        ),
    ],
)
def test_any_number_of_workers(name: str, workers: int) -> None:
    fly_both(STRUCTURES[name][0](count=COUNT), workers, dtype="float32")


def zoo_flock(name: str, boids: int) -> mm.Model:
    model = mm.load(name)
    largest = max(model.flocks, key=lambda flock: model.flocks[flock].count)
    return model.set({f"flocks.{largest}.count": boids})


@pytest.mark.parametrize(
    ("name", "boids"),
    [
        ("vicsek-1995", 1500),
        ("starlings", 900),
        pytest.param("couzin-2002", 900, marks=pytest.mark.slow),
        pytest.param("ucl", 900, marks=pytest.mark.slow),
        pytest.param("gregoire-chate", 600, marks=pytest.mark.slow),
        pytest.param("couzin-2005", 900, marks=pytest.mark.long),
        pytest.param("gregoire-chate-angular", 600, marks=pytest.mark.long),
        pytest.param("heppner-grenander", 900, marks=pytest.mark.long),
        pytest.param("inertial-spin", 900, marks=pytest.mark.slow),
        pytest.param("olfati-saber-2006", 900, marks=pytest.mark.long),
        pytest.param("topological", 900, marks=pytest.mark.long),
    ],
)
def test_published_flocks(name: str, boids: int) -> None:
    """With predators that cross slabs, and boids that leave and come back round a torus."""
    for workers in (2, 5):
        one, other = (
            mm.Simulation(zoo_flock(name, boids), seed=3, threads=1, engine=engine)
            for engine in ("cpu", mm.Slabs(workers, "here"))
        )
        for steps in (1, 49):
            flock, same = one.step(steps).frame, other.step(steps).frame
            for a, b in zip(flock, same, strict=True):
                np.testing.assert_array_equal(a.positions, b.positions)
                np.testing.assert_array_equal(a.velocities, b.velocities)
                np.testing.assert_array_equal(a.perch_timers, b.perch_timers)
                np.testing.assert_array_equal(a.memory, b.memory)


def test_a_clump_is_cut_evenly() -> None:
    """Nine of ten boids in a hundredth of the space: no worker has much more than its share, and
    that changes no bit."""
    model = STRUCTURES["torus"][0](count=900, side=40.0, radius=1.0)
    random = np.random.default_rng(5)
    places = random.random((900, 3)) * 40.0
    places[:800] = places[:800] * 0.2 + 3.0
    velocities = random.standard_normal((900, 3))
    start = {"boids": (places, velocities)}
    state = initial_state(model, 1, start)
    with flights.in_cells():
        one, other = on_cpu(model, state), in_slabs(model, 3, state)
    one.step(20)
    other.step(20)
    assert_all_same(one, other)
    workers = other._flight.workers
    held = [len(worker.boids()) for worker in workers]
    thickest = max(int(sum(w.tally(w.cells.grid)[0] for w in workers).max()), 900 // 20)
    assert sum(held) == 900
    assert max(held) <= max(cuts.UNEVEN * 300, 300 + thickest)


def test_numbers_and_states_change_in_flight() -> None:
    model = STRUCTURES["two-flocks"][0](count=COUNT)
    other_numbers = model.set({"rules.flee.weight": 0.9})
    other_rules = other_numbers.set({"rules.spring": None})
    with flights.in_cells():
        one, other = on_cpu(model), in_slabs(model, 3)
        flown = []
        for engine in (one, other):
            engine.step(5)
            engine.replace_model(other_numbers)
            engine.step(5)
            state = engine.state()
            engine.set_state("boids", state.flocks["boids"].positions[::-1].copy(), None)
            engine.set_state("hawks", None, -state.flocks["hawks"].velocities)
            engine.step(5)
            engine.replace_model(other_rules)
            engine.step(5)
            flown.append(engine.copy())
    assert_all_same(one, other)
    for engine in flown:
        engine.step(5)
    assert_all_same(*flown)


@pytest.mark.parametrize(("first", "second"), [("cpu", "slabs"), ("slabs", "cpu")])
def test_one_engine_goes_on_where_the_other_ended(first: str, second: str, tmp_path: Any) -> None:
    model = zoo_flock("ucl", 900)
    asked: dict[str, Any] = {"cpu": "cpu", "slabs": mm.Slabs(workers=3, address="here")}
    whole = mm.run(model, 40, 10, seed=2, to=tmp_path / "whole.zarr")
    mm.run(model, 20, 10, seed=2, to=tmp_path / "parts.zarr", engine=asked[first])
    parts = mm.resume(tmp_path / "parts.zarr", 40, engine=asked[second])
    for a, b in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(a["boids"].positions, b["boids"].positions)
        np.testing.assert_array_equal(a["boids"].velocities, b["boids"].velocities)
    with pytest.raises(mm.ModelError, match="leaves other bits"):
        mm.resume(tmp_path / "parts.zarr", 60, engine="reference")


def test_a_boid_that_gets_lost_is_named_as_on_cpu() -> None:
    model = STRUCTURES["nearest-open"][0](count=COUNT)
    errors = []
    for engine in ("cpu", mm.Slabs(workers=3, address="here")):
        with flights.in_cells():
            flight = mm.Simulation(model, seed=1, dtype="float64", engine=engine)
            positions = flight.frame["boids"].positions.copy()
            positions[17] = 2e7
            flight.set_state("boids", positions)
            with pytest.raises(mm.RunError) as found:
                flight.step(30)
        errors.append((str(found.value), found.value.step, found.value.boid))
    assert errors[0] == errors[1]


def test_a_start_is_drawn_a_part_at_a_time() -> None:
    """What a worker draws of a start is that part of the whole."""
    for name in ("ucl", "starlings", "couzin-2002", "olfati-saber-2006", "heppner-grenander"):
        model = zoo_flock(name, 700)
        for flock in model.flocks:
            whole = initial_state(model, 4).flocks[flock]
            part = initial_state(model, 4).rows(flock, slice(3, len(whole.positions) - 1))
            np.testing.assert_array_equal(part.positions, whole.positions[3:-1])
            np.testing.assert_array_equal(part.velocities, whole.velocities[3:-1])
