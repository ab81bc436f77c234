"""Engine gpu agrees with engine cpu as well as float32 allows, gives the same bits again, and
refuses what it cannot simulate. The tests need wgpu and an adapter; a software adapter will do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from toy_engine import rounded

import flights
import murmurate as mm
import pairwise
from interpreted import InterpretedKernels
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.cpu_engine import CpuEngine
from murmurate.engines.gpu import device
from murmurate.engines.gpu.gpu_engine import SHARE_MEMORY, GpuEngine
from murmurate.engines.gpu.program import Program
from murmurate.engines.initial_state import initial_state
from murmurate.engines.memory import min_array_memory
from murmurate.engines.options import RunOptions
from murmurate.engines.state import make_frame
from populations import peopled

pytest.importorskip("wgpu")
if not device.adapters():
    pytest.skip("no adapter for WebGPU", allow_module_level=True)

MAX_BOIDS = 300
PUBLISHED = ("starlings", "vicsek-1995", "couzin-2005")
DIFFERING = pairwise.ROWS["metric"] | {"numbers": "differ"}


def small(name: str) -> mm.Model:
    """Return a published model with at most MAX_BOIDS boids in a flock."""
    model = mm.load(name)
    large = {k: f for k, f in model.flocks.items() if f.count > MAX_BOIDS}
    return model.set({f"flocks.{name}.count": MAX_BOIDS for name in large})


def growing_little(model: mm.Model) -> mm.Model:
    """Return a model whose flocks grow to MAX_BOIDS at most, since views need room for pairs."""
    growing = [name for name, count in model.max_counts.items() if count > MAX_BOIDS]
    return model.set({f"flocks.{name}.max_boids": MAX_BOIDS for name in growing})


def models() -> dict[str, mm.Model]:
    """Return some published models, and all of pairwise.py that the engine simulates."""
    rows = {name: growing_little(pairwise.model_of(row)) for name, row in pairwise.ROWS.items()}
    published = {name: small(name) for name in PUBLISHED}
    return published | {
        name: m for name, m in rows.items() if not GpuEngine.problems(m, RunOptions("gpu"))
    }


def run(model: mm.Model, steps: int, **options: Any) -> dict[str, np.ndarray]:
    """Return position, velocity and per-boid state of each flock after some steps."""
    simulation = mm.Simulation(model, seed=3, **options)
    return numbers_of(simulation.step(steps).frame)


def numbers_of(frame: mm.Frame) -> dict[str, np.ndarray]:
    return {
        name: np.concatenate([flock.positions, flock.velocities, flock.memory], axis=1)
        for name, flock in frame.items()
    }


def run_double(model: mm.Model, steps: int) -> dict[str, np.ndarray]:
    """Return what `run` does, of engine cpu in float64."""
    engine = flights.interpreted(model, seed=3)
    engine.step(steps)
    return numbers_of(make_frame(model, engine.state(), 3))


def run_rounded(model: mm.Model, steps: int) -> dict[str, np.ndarray]:
    """Return what `run` does, of engine cpu whose state is rounded to float32 after each step."""
    state = rounded(initial_state(model, 3), "float32")
    for _ in range(steps):
        options = RunOptions("cpu", "float64", seed=3)
        engine = CpuEngine(model, state, options, make_kernels=InterpretedKernels)
        engine.step(1)
        state = rounded(engine.state(), "float32")
    return numbers_of(make_frame(model, state, 3))


@pytest.mark.parametrize("name", models())
def test_models_agree_with_engine_cpu(name: str) -> None:
    """After 5 steps the difference is that of rounding.

    It is compared with the difference that results from rounding the state after each step, since a
    neighbour at the edge of a radius may count or not.
    """
    model = models()[name]
    results = run(model, 5, engine="gpu")
    single, double = run_rounded(model, 5), run_double(model, 5)
    for flock, numbers in results.items():
        expected = double[flock]
        if not expected.size:
            continue
        size = np.abs(expected).max(axis=0) + 1e-3
        error = (np.abs(numbers - expected) / size).max(axis=1)
        if single[flock].shape != expected.shape:  # rounding decides who joins or leaves
            assert np.quantile(error, 0.9) <= 1e-5, flock
            continue
        rounding = (np.abs(single[flock] - expected) / size).max(axis=1)
        for share in (0.5, 0.9):
            limit = 1e-5 + 8.0 * np.quantile(rounding, share)
            assert np.quantile(error, share) <= limit, (flock, share)


@pytest.mark.parametrize(
    "name",
    [
        "starlings",
        "inertial-spin",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("couzin-2005", "pearce-2014", "ucl")
        ),
    ],
)
def test_the_same_bits_again(name: str) -> None:
    """However steps are divided, and from a frame on."""
    model = small(name)
    together = run(model, 12, engine="gpu")
    simulation = mm.Simulation(model, seed=3, engine="gpu")
    for steps in (1, 4, 0, 2):
        simulation.step(steps)
    continued = mm.Simulation.from_frame(model, simulation.frame, seed=3, engine="gpu")
    continued.step(5)
    for flock, numbers in together.items():
        state = continued.frame[flock]
        parts = [state.positions, state.velocities, state.memory]
        assert np.array_equal(numbers, np.concatenate(parts, axis=1))


@pytest.mark.parametrize("name", ["row", "starlings", "couzin-2002", "vicsek-1995"])
def test_all_ways_to_make_steps_give_the_same_bits(name: str) -> None:
    """However many dispatches a step has."""
    model = small(name) if name in mm.zoo() else peopled(pairwise.model_of(DIFFERING))
    state, options = initial_state(model, 3), RunOptions("gpu", "float32", seed=3)
    states = []
    for path in Program.of(make_plan(model)).paths:
        engine = GpuEngine(model, state, options, path=path.name)
        for steps in (1, 9, 2):
            engine.step(steps)
        states.append(engine.state())
    assert len(states) >= 2
    for other in states[1:]:
        for flock, boids in states[0].flocks.items():
            for part in ("positions", "velocities", "memory", "timers", "indices"):
                own, expected = getattr(other.flocks[flock], part), getattr(boids, part)
                assert np.array_equal(own, expected), (flock, part)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=pytest.mark.long if k % 3 else pytest.mark.slow)
        for k, n in enumerate(sorted(mm.zoo()))
        if not GpuEngine.problems(mm.load(n), RunOptions("gpu"))
    ],
)
def test_published_models_agree_with_the_reference(name: str) -> None:
    """After 10 steps nine boids in ten are within 1e-4 of the longest side of the space.

    `ucl` is chaotic: there float32 itself, on engine cpu, is farther from float64.
    """
    model = mm.load(name)
    large = {k for k, flock in model.flocks.items() if flock.count > 100}
    model = model.set({f"flocks.{name}.count": 100 for name in large})
    limits = {flock: 1e-4 for flock in model.flocks}
    gpu, reference = (mm.Simulation(model, seed=3, engine=e) for e in ("gpu", "reference"))
    for simulation in (gpu, reference):
        simulation.step(10)
    if name == "ucl":
        single = mm.Simulation(model, seed=3).step(10)
        limits = {k: 2.0 * np.quantile(errors(single, reference, k), 0.9) for k in limits}
    for flock, limit in limits.items():
        if len(reference.frame[flock].positions):
            error = errors(gpu, reference, flock)
            assert np.quantile(error, 0.75) < 1e-4
            assert np.quantile(error, 0.9) < limit


def errors(simulation: mm.Simulation, expected: mm.Simulation, flock: str) -> np.ndarray:
    """Return how far each boid is from its expected position, per longest side of the space."""
    difference = simulation.frame[flock].positions - expected.frame[flock].positions
    return np.abs(difference).max(axis=1) / max(simulation.model.space.size)


def test_random_numbers_have_the_bits_of_engine_cpu() -> None:
    text = """
        space.size = [9, 9]
        flocks.boids = { count = 50, motion = { kind = "set" } }
        [rules.random-steering]
    """
    model = mm.parse(text.replace('kind = "set"', 'kind = "add"'))
    gpu, cpu = mm.Simulation(model, seed=2**40 + 7, engine="gpu"), mm.Simulation(model, 2**40 + 7)
    for simulation in (gpu, cpu):
        simulation.step(1)
    assert np.array_equal(gpu.frame["boids"].velocities, cpu.frame["boids"].velocities)


def test_a_lost_boid_ends_the_run_before_its_step() -> None:
    model = mm.parse("""
        space = { size = [9, 9] }
        dt = 1.0
        flocks.boids = { count = 5 }
        [rules.wind]
        vector = [1e6, 0.0]
    """)
    gpu, cpu = mm.Simulation(model, engine="gpu"), mm.Simulation(model)
    errors = []
    for simulation in (gpu, cpu):
        with pytest.raises(mm.RunError, match="left the space") as error:
            simulation.step(50)
        errors.append((error.value.step, error.value.flock, error.value.boid))
        assert simulation.step_number == error.value.step - 1
    assert errors[0] == errors[1]
    assert gpu.frame["boids"].positions == pytest.approx(cpu.frame["boids"].positions)


def obstacle_course(**obstacles: Any) -> mm.Model:
    """Return boids in wind, with obstacles in a box of 10 by 10."""
    random = np.random.default_rng(2)
    positions = random.uniform((3.2, 0.5), (6.5, 9.5), (30, 2)).tolist()
    start = mm.Given(positions=positions, velocities=random.normal(size=(30, 2)).tolist())
    return mm.Model(
        space=mm.Space(size=(10, 10), boundary=("held", "reflecting")),
        dt=0.1,
        flocks={"boids": mm.Flock(count=30, start=start, motion=mm.Add(max_speed=3.0))},
        rules={"wind": mm.Wind(vector=(0.5, 0.2))},
        obstacles=obstacles,
    )


@pytest.mark.slow
def test_boids_stay_outside_of_obstacles_that_move() -> None:
    """They slide along a disc, the faces and a plate, and a piston pushes them."""
    piston = mm.Ramp(start=1.0, stop=3.0, end=4.0)
    model = obstacle_course(
        piston=mm.Box(centre=(piston, 5.0), size=(2.0, 10.0)),
        disc=mm.Sphere(centre=(8.0, 5.0), radius=1.0),
        plate=mm.Box(centre=(7.0, 2.0), size=(0.05, 4.0)),
    )
    gpu, cpu = mm.Simulation(model, engine="gpu"), mm.Simulation(model, dtype="float64")
    for step in range(1, 41):
        gpu.step(1)
        x, y = gpu.frame["boids"].positions.astype(float).T
        assert (np.hypot(x - 8.0, y - 5.0) > 1.0).all()
        assert (x > 2.0 + min(2.0 * step * 0.1 / 4.0, 2.0) - 1e-6).all()
        assert not ((abs(x - 7.0) < 0.025) & (y < 4.0)).any()
        assert ((x <= 10.0) & (y >= 0.0) & (y <= 10.0)).all()
    cpu.step(40)
    expected = cpu.frame["boids"].positions
    error = np.abs(gpu.frame["boids"].positions - expected).max(axis=1)
    assert np.quantile(error, 0.8) < 1e-4
    continued = mm.Simulation.from_frame(model, gpu.frame, seed=0, engine="gpu")
    for simulation in (gpu, continued):
        simulation.step(5)
    assert np.array_equal(gpu.frame["boids"].positions, continued.frame["boids"].positions)


@pytest.mark.slow
def test_boids_land_on_wires_among_obstacles() -> None:
    model = mm.Model(
        space=mm.Space(size=(9, 9), boundary="periodic"),
        flocks={"boids": mm.Flock(count=60, motion=mm.Add(max_speed=2.0), perching=mm.Perching())},
        rules={
            "wire": mm.Perch(start=(1.0, 4.0), end=(8.0, 4.0), reach=0.4),
            "wind": mm.Wind(vector=(0.3, -1.0)),
        },
        obstacles={
            "rock": mm.Sphere(centre=(2.0, 4.0), radius=1.0),
            "box": mm.Box(centre=(6.0, 1.0), size=(2.0, 1.0)),
        },
        dt=0.1,
    )
    frames = [mm.Simulation(model, seed=3, engine=e).step(20).frame for e in ("gpu", "reference")]
    rests, expected = (frame["boids"].perch_timers for frame in frames)
    assert rests.tolist() == expected.tolist() and 0 < expected.sum() < 60
    assert frames[0]["boids"].positions == pytest.approx(frames[1]["boids"].positions, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("traits", [False, True])
def test_an_inner_radius_of_0_is_no_limit(traits: bool) -> None:
    """Boids at one position sense each other, whether time or the boid decides their radius."""
    inner = mm.Each(values=(0.0, 1.5, 0.0)) if traits else mm.Ramp(start=0.0, stop=2.0, end=3.0)
    model = mm.parse("""
[space]
size = [20, 20]
[flocks.boids]
count = 3
motion = { kind = "constant-speed", speed = 0.4 }
[flocks.boids.start]
kind = "given"
positions = [[5, 5], [5, 5], [5, 6]]
velocities = [[0.4, 0], [0, 0.4], [-0.4, 0]]
[rules.alignment]
radius = 3
weight = 0.3
""").set({"rules.alignment.inner_radius": inner})
    for name, numbers in run(model, 2, engine="reference").items():
        np.testing.assert_allclose(run(model, 2, engine="gpu")[name], numbers, atol=1e-5)


def test_an_enclosed_boid_ends_the_run() -> None:
    model = obstacle_course(
        piston=mm.Box(centre=(mm.Ramp(start=-5.0, stop=8.0, end=4.0), 5.0), size=(10.0, 12.0)),
        wall=mm.Wall(point=(9.0, 0.0), normal=(-1.0, 0.0)),
        last=mm.Sphere(centre=(20.0, 5.0), radius=1.0),
    )
    errors = []
    for engine in ("gpu", "cpu"):
        simulation = mm.Simulation(model, engine=engine)
        with pytest.raises(mm.RunError, match="is enclosed in step") as error:
            simulation.step(50)
        errors.append(error.value.step)
    assert errors[0] == errors[1]


@pytest.mark.parametrize("name", ["row", "river"])
def test_boids_join_and_leave_as_on_engine_cpu(name: str) -> None:
    """The same boids, which keep their indices and random numbers; a frame continues."""
    model = mm.load(name) if name in mm.zoo() else peopled(pairwise.model_of(DIFFERING))
    gpu, cpu = (mm.Simulation(model, seed=5, engine=e) for e in ("gpu", "cpu"))
    for simulation in (gpu, cpu):
        simulation.step(10)
    assert gpu.population_counts() == cpu.population_counts()
    for flock in model.flocks:
        boids, expected = gpu.frame[flock], cpu.frame[flock]
        assert boids.ids.tolist() == expected.ids.tolist()
        error = np.abs(boids.positions - expected.positions).max(axis=1)
        assert np.quantile(error, 0.9) < 1e-4
    continued = mm.Simulation.from_frame(model, gpu.frame, seed=5, engine="gpu")
    continued.step(6)
    for steps in (2, 4):
        gpu.step(steps)
    for flock in model.flocks:
        assert np.array_equal(continued.frame[flock].positions, gpu.frame[flock].positions)


def test_too_many_boids_end_the_run_with_the_state_before_the_step() -> None:
    model = mm.parse("""
        space.size = [9, 9]
        flocks.boids = { count = 4, max_boids = 6 }
        population.crowd = { kind = "births", rate = 3.0, distance = 0.1 }
        [rules.wind]
        vector = [0.1, 0.0]
    """)
    states = []
    for engine in ("gpu", "cpu"):
        simulation = mm.Simulation(model, seed=1, engine=engine)
        with pytest.raises(mm.PopulationError, match="max_boids: got") as error:
            simulation.step(50)
        states.append((error.value.step, simulation.step_number, simulation.frame["boids"].ids))
    assert str(states[0]) == str(states[1])


def test_numbers_change_without_compiling() -> None:
    model = small("couzin-2005")
    simulation = mm.Simulation(model, engine="gpu")
    simulation.step(2)
    changed = model.set({"rules.preference.weight": 2.0})
    simulation.replace_model(changed)
    simulation.step(3)
    other = mm.Simulation(model)
    other.step(2)
    other.replace_model(changed)
    other.step(3)
    for name in model.flocks:
        expected = other.frame[name].positions
        assert simulation.frame[name].positions == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "word"),
    [("parker", "one-by-one"), ("in-turn", "one-by-one"), ("voronoi", "voronoi")],
)
def test_other_models_are_refused(name: str, word: str) -> None:
    model = mm.load(name) if name in mm.zoo() else pairwise.model_of(pairwise.ROWS[name])
    with pytest.raises(mm.ModelError, match=f"{word}'; expected .*Use engine 'cpu'"):
        mm.Simulation(model, engine="gpu")


def test_an_unknown_adapter_is_an_error_that_lists_the_others() -> None:
    with pytest.raises(mm.ModelError, match="got 'Voodoo'; expected part of the name"):
        mm.Simulation("vicsek-1995", engine=mm.Gpu(adapter="Voodoo"))


def test_buffers_of_an_adapter_without_memory_of_its_own_count_as_memory() -> None:
    model = mm.load("vicsek-1995").set({"flocks.boids.count": 50_000})
    options = RunOptions("gpu", "float32")
    buffers = GpuEngine.min_memory(model, options) - min_array_memory(model, options)
    if device.choose_adapter(None).kind in SHARE_MEMORY:
        engine = GpuEngine(model, initial_state(model, 3), options)
        assert 0.99 < buffers / engine.diagnostics().array_bytes <= 1.0
    else:
        assert buffers == 0
