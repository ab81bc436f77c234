"""Engine 'slabs' is bit-identical to engine 'cpu', for any number of workers."""

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
from murmurate.engines.slabs.decomposition import MAX_IMBALANCE
from murmurate.engines.slabs.slab_engine import SlabEngine
from structures import IN_CELLS, SLOW, STRUCTURES, as_params

COUNT, STEPS = 300, 50
# slow flocks of the zoo have predators that cross slabs, and boids that cross periodic faces
ZOO = [
    ("vicsek-1995", 1500),
    ("gregoire-chate", 600),
    *(
        pytest.param(name, boids, marks=pytest.mark.long)
        for name, boids in (
            ("starlings", 900), ("couzin-2002", 900), ("couzin-2005", 900),
            ("gregoire-chate-angular", 600), ("heppner-grenander", 900), ("inertial-spin", 900),
            ("olfati-saber-2006", 900), ("topological", 900), ("ucl", 900),
        )
    ),
]  # fmt: skip

few = settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def slab_engine(model: mm.Model, workers: int, state: Any = None, **options: Any) -> SlabEngine:
    options = {"dtype": "float64", "threads": 1, "seed": 11, **options}
    run_options = RunOptions("slabs", engine_options=mm.Slabs(workers, "here"), **options)
    return SlabEngine(model, state or initial_state(model, run_options.seed), run_options)


def cpu_engine(model: mm.Model, state: Any = None, **options: Any) -> CpuEngine:
    run_options = RunOptions("cpu", **{"dtype": "float64", "threads": 1, "seed": 11, **options})
    return CpuEngine(model, state or initial_state(model, run_options.seed), run_options)


def simulate_both(model: mm.Model, workers: int, steps: int = STEPS, **options: Any) -> None:
    """Simulate on both engines, and compare three states."""
    with flights.in_cells():
        cpu, slabs = cpu_engine(model, **options), slab_engine(model, workers, **options)
    for part in (1, steps // 2, steps - steps // 2 - 1):
        cpu.step(part)
        slabs.step(part)
        flights.assert_same_bits(cpu, slabs)


def supported(names: list[str]) -> list[str]:
    with flights.in_cells():
        models = {name: STRUCTURES[name][0](count=COUNT) for name in names}
        options = RunOptions("slabs")
        return [name for name, model in models.items() if not SlabEngine.problems(model, options)]


SUPPORTED = supported(IN_CELLS)
LONG = (*(name for name in SLOW if name not in ("landing", "sights")), "differing", "stages")
"""Python executes the workers of all rows of pairwise.py in test_slabs_here.py."""


def numbers(ranges: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw each number of a structure except the count; integers from ranges of integers."""

    def draw(low: Any, high: Any) -> st.SearchStrategy[Any]:
        if isinstance(low, int) and isinstance(high, int):
            return st.integers(low, high)
        return st.floats(low, high).map(lambda x: round(x, 3))

    return st.fixed_dictionaries(
        {name: draw(*bounds) for name, bounds in ranges.items() if name != "count"}
    )


@pytest.mark.parametrize("name", as_params(SUPPORTED, LONG))
@few
@given(data=st.data())
def test_random_models(name: str, data: Any) -> None:
    make, ranges = STRUCTURES[name]
    model = make(count=COUNT, **data.draw(numbers(ranges)))
    with flights.in_cells():
        # a radius may leave fewer than three cells on a periodic axis
        if SlabEngine.problems(model, RunOptions("slabs")):
            return
    workers = data.draw(st.sampled_from((1, 2, 3, 5)))
    simulate_both(model, workers, STEPS // 2, seed=data.draw(st.integers(0, 2**64 - 1)))


def test_most_structures_are_supported() -> None:
    assert len(SUPPORTED) >= 10
    assert {"torus", "two-flocks", "nearest-open", "nearest-torus"} <= set(SUPPORTED)


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
@pytest.mark.parametrize(
    "name",
    [
        "nearest-open",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("two-flocks", "mixed")),
    ],
)
def test_any_number_of_workers(name: str, workers: int) -> None:
    """With the kernels of `test_random_models`."""
    simulate_both(STRUCTURES[name][0](count=COUNT), workers)


def zoo_flock(name: str, boids: int) -> mm.Model:
    model = mm.load(name)
    largest = max(model.flocks, key=lambda flock: model.flocks[flock].count)
    return model.set({f"flocks.{largest}.count": boids})


@pytest.mark.parametrize(("name", "boids"), ZOO)
def test_published_flocks(name: str, boids: int) -> None:
    for workers in (2, 5):
        cpu, slabs = (
            mm.Simulation(zoo_flock(name, boids), seed=3, threads=1, engine=engine)
            for engine in ("cpu", mm.Slabs(workers, "here"))
        )
        for steps in (1, 49):
            frames = cpu.step(steps).frame, slabs.step(steps).frame
            for flock, a in frames[0].flocks.items():
                b = frames[1][flock]
                np.testing.assert_array_equal(a.positions, b.positions)
                np.testing.assert_array_equal(a.velocities, b.velocities)
                np.testing.assert_array_equal(a.perch_timers, b.perch_timers)
                np.testing.assert_array_equal(a.memory, b.memory)


def test_slabs_of_a_clump_are_balanced() -> None:
    """Most boids are in a hundredth of the space; no worker has much more than its share."""
    model = STRUCTURES["torus"][0](count=900, side=40.0, radius=1.0)
    random = np.random.default_rng(5)
    positions = random.random((900, 3)) * 40.0
    positions[:800] = positions[:800] * 0.2 + 3.0
    velocities = random.standard_normal((900, 3))
    state = initial_state(model, 1, {"boids": (positions, velocities)})
    with flights.in_cells():
        cpu, slabs = cpu_engine(model, state), slab_engine(model, 3, state)
    cpu.step(20)
    slabs.step(20)
    flights.assert_same_bits(cpu, slabs)
    z = [
        np.concatenate(part) for part in slabs.map_parts(lambda fs: [f.positions[:, 2] for f in fs])
    ]
    loads = [len(part) for part in z]
    assert sum(loads) == 900
    # a slab ends at a whole layer, whose cells are at most twice as thick as the radius
    all_z = np.sort(np.concatenate(z))
    thickest_layer = int((np.searchsorted(all_z, all_z + 2.0) - np.arange(900)).max())
    assert max(loads) <= max(MAX_IMBALANCE * 300, 300 + thickest_layer)


def test_numbers_and_states_change_during_a_simulation() -> None:
    model = STRUCTURES["two-flocks"][0](count=COUNT)
    other_numbers = model.set({"rules.flee.weight": 0.9})
    other_rules = other_numbers.set({"rules.spring": None})
    with flights.in_cells():
        engines = cpu_engine(model), slab_engine(model, 3)
        copies = []
        for engine in engines:
            engine.step(5)
            engine.replace_model(other_numbers)
            engine.step(5)
            state = engine.state()
            engine.set_state("boids", state.flocks["boids"].positions[::-1].copy(), None)
            engine.set_state("hawks", None, -state.flocks["hawks"].velocities)
            engine.step(5)
            engine.replace_model(other_rules)
            engine.step(5)
            copies.append(engine.copy())
    flights.assert_same_bits(*engines)
    for engine in copies:
        engine.step(5)
    flights.assert_same_bits(*copies)


@pytest.mark.parametrize(("first", "second"), [("cpu", "slabs"), ("slabs", "cpu")])
def test_each_engine_resumes_a_recording_of_the_other(
    first: str, second: str, tmp_path: Any
) -> None:
    model = zoo_flock("ucl", 900)
    engines: dict[str, Any] = {"cpu": "cpu", "slabs": mm.Slabs(workers=3, address="here")}
    single = mm.run(model, 40, every=10, seed=2, output=tmp_path / "single.zarr")
    mm.run(
        model,
        20,
        every=10,
        seed=2,
        output=tmp_path / "parts.zarr",
        options=mm.RunOptions(engine=engines[first]),
    )
    parts = mm.resume(tmp_path / "parts.zarr", 40, engine=engines[second])
    for a, b in zip(single, parts, strict=True):
        np.testing.assert_array_equal(a["boids"].positions, b["boids"].positions)
        np.testing.assert_array_equal(a["boids"].velocities, b["boids"].velocities)
    with pytest.raises(mm.ModelError, match="leaves other bits"):
        mm.resume(tmp_path / "parts.zarr", 60, engine="reference")


def test_a_lost_boid_has_the_error_of_engine_cpu() -> None:
    model = STRUCTURES["nearest-open"][0](count=COUNT)
    errors = []
    for engine in ("cpu", mm.Slabs(workers=3, address="here")):
        with flights.in_cells():
            simulation = mm.Simulation(model, seed=1, dtype="float64", engine=engine)
            positions = simulation.frame["boids"].positions.copy()
            positions[17] = 2e7
            simulation.set_state("boids", positions)
            with pytest.raises(mm.RunError) as error:
                simulation.step(30)
        errors.append((str(error.value), error.value.step, error.value.boid))
    assert errors[0] == errors[1]


def test_a_part_of_an_initial_state() -> None:
    """The rows that a worker draws are those of the complete initial state."""
    for name in ("ucl", "starlings", "couzin-2002", "olfati-saber-2006", "heppner-grenander"):
        model = zoo_flock(name, 700)
        for flock in model.flocks:
            complete = initial_state(model, 4).flocks[flock]
            part = initial_state(model, 4).rows(flock, slice(3, len(complete.positions) - 1))
            np.testing.assert_array_equal(part.positions, complete.positions[3:-1])
            np.testing.assert_array_equal(part.velocities, complete.velocities[3:-1])
