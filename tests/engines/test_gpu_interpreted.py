"""Engine gpu agrees with engine cpu: Python interprets its passes (interpreted_wgsl.py)."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import pytest

import flights
import murmurate as mm
import pairwise
from flights import interpreted_gpu as interpreted
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.program import buffer_sizes, largest_buffer
from murmurate.engines.options import RunOptions
from murmurate.engines.refusals import check_engine
from murmurate.engines.state import FlightState
from murmurate.model.rule_arguments import Me, Other, Parameters, Vector3
from populations import peopled

ROWS = {name: pairwise.model_of(row, count=16) for name, row in pairwise.ROWS.items()}
SUPPORTED = [
    name for name, model in ROWS.items() if not GpuEngine.problems(model, RunOptions("gpu"))
]
LARGE = (
    "11-visible", "12-visible", "13-visible", "21-totals", "23-totals", "27-nearest", "28-nearest",
    "31-nearest", "36-metric",
)  # fmt: skip
"""Rows that take a second or more: test_interpreted.py has them among the default tests."""
MEDIUM = ("30-nearest", "35-metric", "38-visible", "39-visible")
"""Rows whose searches other rows of default tests have."""
slow = pytest.mark.slow


def both_after(model: mm.Model, steps: int) -> tuple[Any, Any]:
    """Return the state of both engines after some steps."""
    gpu, cpu = interpreted(model), flights.interpreted(model, seed=3)
    for engine in (gpu, cpu):
        engine.step(steps)
    return gpu.state(), cpu.state()


def check_equal(
    state: FlightState, expected: FlightState, atol: float = 1e-4, rtol: float = 1e-4
) -> None:
    assert state.step == expected.step
    for name, flock in expected.flocks.items():
        own = state.flocks[name]
        for part in ("positions", "velocities", "memory"):
            numbers = getattr(own, part), getattr(flock, part)
            np.testing.assert_allclose(*numbers, rtol=rtol, atol=atol, err_msg=f"{name} {part}")
        for part in ("timers", "indices"):
            assert getattr(own, part).tolist() == getattr(flock, part).tolist(), part


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=slow if LARGE.index(n) % 2 else pytest.mark.long)
        if n in LARGE
        else pytest.param(n, marks=slow if n in MEDIUM else ())
        for n in SUPPORTED
    ],
)
def test_all_pairs_of_features(name: str) -> None:
    """The passes of a small and of a large flock give the same bits."""
    state, expected = both_after(ROWS[name], 2)
    check_equal(state, expected)
    engine = interpreted(ROWS[name], path="any number")
    engine.step(2)
    check_equal(engine.state(), state, 0.0, 0.0)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("strombom-2014", marks=slow),
        "inertial-spin",
        "couzin-2005",
        pytest.param("bastien-2020", marks=slow),
    ],
)
def test_published_models(name: str) -> None:
    """Herds; spins; boids that perceive all others by sums; views."""
    model = mm.load(name)
    model = model.set({f"flocks.{k}.count": min(f.count, 20) for k, f in model.flocks.items()})
    check_equal(*both_after(model, 2))


@pytest.mark.parametrize("name", [pytest.param("27-nearest", marks=slow), "visible"])
def test_steps_may_be_divided_and_continue_from_a_state(name: str) -> None:
    model = ROWS[name]
    together = interpreted(model)
    together.step(5)
    engine = interpreted(model)
    for steps in (1, 0, 2):
        engine.step(steps)
    continued = interpreted(model, state=engine.state())
    for each in (engine, continued):
        each.step(2)
        check_equal(each.state(), together.state(), 0.0, 0.0)
    assert engine.diagnostics().steps_done == 5
    assert continued.diagnostics().steps_done == 2


@pytest.mark.long
def test_more_candidates_than_a_batch() -> None:
    """The nearest, and boids as discs, which come in several batches; one boid senses late."""
    late, both = mm.Sensing(delay=0.1), ("late", "few")
    model = mm.Model(
        space=mm.Space(size=(40, 40)),
        flocks={
            "late": mm.Flock(count=1, sensing=late),
            "few": mm.Flock(count=2),
            "many": mm.Flock(count=70, diameter=0.5),
        },
        rules={
            "nearest": mm.Cohesion(nearest=66, moves=both, senses="many"),
            "visible": mm.Alignment(neighbours="visible", moves=both, senses="many"),
        },
    )
    check_equal(*both_after(model, 1))


@slow
def test_a_radius_has_room_for_all_arcs_that_are_apart() -> None:
    """Discs at the radius leave gaps as small as can be, and one is across the x axis."""
    diameter, radius, around = 0.5, 3.0, 37
    angles = 2.0 * math.pi * np.arange(around) / around
    ring = 0.9999 * radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    far = [(50.0 + 9.0 * k, 50.0) for k in range(5)]
    positions = [(0.0, 0.0), *map(tuple, ring), *far]
    start = mm.Given(positions=positions, velocities=((1.0, 0.0),) * len(positions))
    rule = mm.VisualField(radius=radius, acceleration_by_edges=0.3, turning_by_edges=0.2)
    flock = mm.Flock(count=len(positions), start=start, diameter=diameter)
    space = mm.Space(size=(100, 100), origin=(-50, -50))
    model = mm.Model(space=space, flocks={"boids": flock}, rules={"sight": rule})
    engine = interpreted(model)
    assert engine._program.buffers["arcs"] == {"boids": 6 * 40}
    check_equal(*both_after(model, 1))
    wider = model.set({"rules.sight.radius": 9.0})
    assert engine.is_compatible(wider)
    engine.replace_model(wider)
    assert engine._program.buffers["arcs"] == {"pairs": 6, "boids": 6}


def test_flocks_and_boids_that_share_a_place() -> None:
    """An empty flock; boids at one position; and an inner radius of 0."""
    start = mm.Given(positions=((5, 5), (5, 5), (5, 6)), velocities=((1, 0), (0, 1), (-1, 0)))
    inner = mm.Each(values=(0.0, 1.5, 0.0))
    rule = mm.Alignment(radius=3.0, inner_radius=inner, moves="boids", senses="boids")
    model = mm.Model(
        space=mm.Space(size=(20, 20), boundary="periodic"),
        flocks={"nobody": mm.Flock(count=0), "boids": mm.Flock(count=3, start=start)},
        rules={
            "alignment": rule,
            "cohesion": mm.Cohesion(radius=3.0, moves="boids", senses="nobody"),
            "follow": mm.Cohesion(radius=3.0, moves="nobody", senses="boids"),
        },
    )
    check_equal(*both_after(model, 3))


def test_the_most_influential_neighbours() -> None:
    """In a field of view; two boids have equal influence."""
    positions = ((5.0, 5.0), (5.0, 5.0), (5.0, 6.0), (7.0, 5.5), (4.0, 4.2), (8.0, 8.0))
    start = mm.Given(positions=positions, velocities=tuple((1.0, 0.1 * k) for k in range(6)))
    model = mm.Model(
        space=mm.Space(size=(20, 20), boundary="periodic"),
        flocks={"boids": mm.Flock(count=6, start=start)},
        rules={"two": mm.Attraction(law="inverse", most_influential=2, field_of_view=150.0)},
    )
    check_equal(*both_after(model, 1))


class UndefinedNear(mm.NeighbourRule):
    """A rule whose vector is undefined for the first neighbour."""

    formula: ClassVar = "sqrt(dx - 2), dx"

    def pair(self: Parameters, me: Me, other: Other) -> Vector3:
        return math.sqrt(other.dx - 2.0), other.dx, 0.0

    def finish(self: Parameters, sums: Vector3, me: Me) -> Vector3:
        return sums


def test_an_undefined_influence_loses_the_boid() -> None:
    start = mm.Given(positions=((1, 5), (2, 5), (6, 5), (8, 5)), velocities=((1, 0),) * 4)
    model = mm.Model(
        space=mm.Space(size=(9, 9)),
        flocks={"boids": mm.Flock(count=4, start=start)},
        rules={"one": UndefinedNear(most_influential=1)},
    )
    with pytest.raises(mm.RunError, match="boid 0 of flock 'boids'"):
        interpreted(model).step(1)


def test_each_search_tests_few_candidates() -> None:
    """Cells for the nearest hold a few boids, however far away boids sense a predator."""
    model = mm.Model(
        space=mm.Space(size=(40, 40)),
        flocks={"boids": mm.Flock(count=150), "predators": mm.Flock(count=1)},
        rules={
            "nearest": mm.Cohesion(nearest=3, moves="boids", senses=("boids", "predators")),
            "flee": mm.Separation(radius=30, moves="boids", senses="predators"),
            "hunt": mm.Cohesion(radius=30, moves="predators", senses="boids"),
        },
    )
    gpu = interpreted(model, path="sorted at once")
    cpu = flights.interpreted(model, seed=3)
    for engine in (gpu, cpu):
        engine.step(1)
    check_equal(gpu.state(), cpu.state())
    (stage,) = (m for m, entry in gpu._device.process.pipelines if entry == "stage_0")  # type: ignore[attr-defined]
    assert 3 < stage.turns["j"].sum() / 150 < 30


@pytest.mark.parametrize(
    ("boundary", "dims", "radius"), [("periodic", 2, 2.0), ("open", 2, 2.0), ("periodic", 3, 9.0)]
)
def test_cells_of_a_space_away_from_the_origin(boundary: str, dims: int, radius: float) -> None:
    """They begin at its corner, or at that of the boids; searches of dense flocks meet more strips
    of cells than a thread notes at a time."""
    model = mm.Model(
        space=mm.Space(size=(20,) * dims, origin=(5, 3, 4)[:dims], boundary=boundary),
        flocks={"boids": mm.Flock(count=100)},
        rules={"cohesion": mm.Cohesion(radius=radius)},
    )
    check_equal(*both_after(model, 1))


def test_boids_join_and_leave() -> None:
    model = peopled(ROWS["metric"])
    gpu, cpu = interpreted(model, seed=5), flights.interpreted(model, seed=5)
    for engine in (gpu, cpu):
        engine.step(6)
    check_equal(gpu.state(), cpu.state(), atol=1e-3)
    assert gpu.population_counts() == cpu.population_counts() != {}
    assert gpu.sizes() == {name: len(f.positions) for name, f in gpu.state().flocks.items()}


def obstacle_course(**obstacles: Any) -> mm.Model:
    """Return boids in wind, with obstacles in a box of 10 by 10."""
    random = np.random.default_rng(2)
    positions = random.uniform((3.2, 0.5), (6.5, 9.5), (20, 2)).tolist()
    start = mm.Given(positions=positions, velocities=random.normal(size=(20, 2)).tolist())
    return mm.Model(
        space=mm.Space(size=(10, 10), boundary=("held", "reflecting")),
        dt=0.2,
        flocks={"boids": mm.Flock(count=20, start=start, motion=mm.Add(max_speed=3.0))},
        rules={"wind": mm.Wind(vector=(0.5, 0.2))},
        obstacles=obstacles,
    )


@pytest.mark.slow
def test_obstacles_that_move_and_stand() -> None:
    model = obstacle_course(
        piston=mm.Box(centre=(mm.Ramp(start=1.0, stop=3.0, end=4.0), 5.0), size=(2.0, 10.0)),
        disc=mm.Sphere(centre=(8.0, 5.0), radius=1.0),
        plate=mm.Box(centre=(7.0, 2.0), size=(0.05, 4.0)),
        wall=mm.Wall(point=(9.5, 0.0), normal=(-1.0, 0.0)),
    )
    check_equal(*both_after(model, 8))


@pytest.mark.slow
def test_boids_land_on_wires_among_obstacles() -> None:
    model = mm.Model(
        space=mm.Space(size=(9, 9), boundary="periodic"),
        flocks={"boids": mm.Flock(count=20, motion=mm.Add(max_speed=2.0), perching=mm.Perching())},
        rules={
            "wire": mm.Perch(start=(1.0, 4.0), end=(8.0, 4.0), reach=0.4),
            "wind": mm.Wind(vector=(0.3, -1.0)),
        },
        obstacles={"rock": mm.Sphere(centre=(2.0, 4.0), radius=1.0)},
        dt=0.2,
    )
    state, expected = both_after(model, 10)
    check_equal(state, expected, atol=1e-3)
    assert 0 < np.count_nonzero(state.flocks["boids"].timers) < 20


def test_random_numbers_have_the_bits_of_engine_cpu() -> None:
    model = mm.parse("""
        space.size = [9, 9]
        flocks.boids = { count = 20 }
        [rules.random-steering]
    """)
    seed = 2**40 + 7
    gpu, cpu = interpreted(model, seed), flights.interpreted(model, seed=seed, dtype="float32")
    for engine in (gpu, cpu):
        engine.step(1)
    velocities = [engine.state().flocks["boids"].velocities for engine in (gpu, cpu)]
    assert np.array_equal(*velocities)


def wind(speed: float = 1e6) -> mm.Model:
    rules = {"wind": mm.Wind(vector=(speed, 0.0), moves="boids")}
    flocks = {"few": mm.Flock(count=2), "boids": mm.Flock(count=3)}
    return mm.Model(space=mm.Space(size=(9, 9)), dt=1.0, flocks=flocks, rules=rules)


def test_a_lost_boid_ends_the_run_before_its_step() -> None:
    errors = []
    for engine in (interpreted(wind()), flights.interpreted(wind(), seed=3, dtype="float32")):
        with pytest.raises(mm.RunError, match="left the space") as error:
            engine.step(50)
        raised = error.value
        errors.append((raised.step, raised.flock, raised.boid, engine.step_number))
    assert errors[0] == errors[1]


def test_an_enclosed_boid_ends_the_run() -> None:
    model = obstacle_course(
        piston=mm.Box(centre=(mm.Ramp(start=-5.0, stop=8.0, end=1.0), 5.0), size=(10.0, 12.0)),
        wall=mm.Wall(point=(9.0, 0.0), normal=(-1.0, 0.0)),
    )
    errors = []
    for engine in (interpreted(model), flights.interpreted(model, seed=3)):
        with pytest.raises(mm.RunError, match="is enclosed in step") as error:
            engine.step(50)
        errors.append(error.value.step)
    assert errors[0] == errors[1]


def test_too_many_boids_end_the_run_with_the_state_before_the_step() -> None:
    model = mm.parse("""
        space.size = [9, 9]
        flocks.boids = { count = 4, max_boids = 6 }
        population.crowd = { kind = "births", rate = 3.0, distance = 0.1 }
        [rules.wind]
        vector = [0.1, 0.0]
    """)
    states = []
    for engine in (interpreted(model, 1), flights.interpreted(model, seed=1)):
        with pytest.raises(mm.PopulationError, match="max_boids: got") as error:
            engine.step(50)
        states.append((error.value.step, engine.step_number, engine.sizes()))
    assert states[0] == states[1]


def test_another_model_compiles_only_what_differs() -> None:
    model = ROWS["metric"]
    gpu, cpu = interpreted(model), flights.interpreted(model, seed=3)
    rule = next(iter(model.rules))
    compiled = []
    for change in (
        {f"rules.{rule}.weight": 0.25},
        {f"rules.{rule}.weight": mm.Ramp(start=0.0, stop=1.0, end=0.2)},
        {f"rules.{rule}.weight": mm.Ramp(start=1.0, stop=0.0, end=0.3)},
    ):
        changed = gpu.model.set(change)
        compatible = gpu.is_compatible(changed)
        for engine in (gpu, cpu):
            engine.replace_model(changed)
            engine.step(2)
        check_equal(gpu.state(), cpu.state())
        assert compatible  # its kernels serve both
        compiled.append(len(gpu._device.process.pipelines))  # type: ignore[attr-defined]
    assert compiled[0] < compiled[1] == compiled[2]  # room for numbers that change in time
    assert gpu.diagnostics().steps_done == 6
    assert not gpu.is_compatible(gpu.model.set({"integrator": "rk4"}))


def test_positions_and_velocities_may_be_replaced() -> None:
    gpu, cpu = interpreted(wind(0.1)), flights.interpreted(wind(0.1), seed=3)
    for positions, velocities in ((np.ones((3, 2)), None), (None, np.full((3, 2), 0.5))):
        for engine in (gpu, cpu):
            engine.set_state("boids", positions, velocities)
            engine.step(1)
        check_equal(gpu.state(), cpu.state())


def test_sizes_of_buffers() -> None:
    """What is stated of them."""
    model = ROWS["metric"]
    engine = interpreted(model)
    before = engine.diagnostics()
    engine.state()
    after = engine.diagnostics()
    dims, boids = model.space.dims, sum(engine.sizes().values())
    buffers = engine._device.process.buffers  # type: ignore[attr-defined]
    sizes = {name: len(buffer) for name, buffer in buffers.items()}
    assert after.array_bytes == sum(sizes.values())
    sizes.pop("settings")  # of constant size, so it is not stated
    assert largest_buffer(buffer_sizes(make_plan(model)), boids)[0] == max(sizes.values())
    rows = sum(len(model.memory_of(name)) for name in model.flocks)
    assert after.bytes_read - before.bytes_read == 4 * boids * (2 * dims + rows)
    assert after.state_bytes == 2 * boids * (32 + 4 * rows)


def test_what_the_engine_refuses() -> None:
    """Before it looks for an adapter."""
    for name, part in (("in-turn", "order: got 'one-by-one'"), ("voronoi", "got 'voronoi'")):
        with pytest.raises(mm.ModelError, match=f"{part}; expected .*Use engine 'cpu'"):
            check_engine(ROWS[name], RunOptions("gpu", "float32"))
    with pytest.raises(mm.ModelError, match="got 'float64'; expected 'float32'"):
        check_engine(ROWS["metric"], RunOptions("gpu", "float64"))
