"""A motion that promises a speed, or a least one, keeps it whatever steers the boid.

Engine slabs runs the kernels of cpu.
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.rules.motions import limit_turn

ENGINES = [
    ("reference", "float64"),
    pytest.param("cpu", "float32", marks=pytest.mark.slow),
    pytest.param("cpu", "float64", marks=pytest.mark.long),
    pytest.param("wasm", "float32", marks=pytest.mark.long),
]
engines = pytest.mark.parametrize(("engine", "dtype"), ENGINES)
LONG = [ENGINES[0], *(pytest.param(*e.values, marks=pytest.mark.long) for e in ENGINES[1:])]
few = pytest.mark.parametrize(("engine", "dtype"), LONG)
"""Slow tests compile the motions of the first test alone."""
PROMISES: dict[str, dict[str, Any]] = {
    "add": {"kind": "add"},
    "replace": {"kind": "replace"},
    "constant": {"kind": "constant-speed"},
    "propelled": {"kind": "self-propelled"},
    "gaussian": {"kind": "self-propelled", "noise_law": "gaussian"},
    "spinning": {"kind": "inertial-spin"},
    "turning": {"kind": "turning", "rotational_diffusion": 0.5},
    "brownian": {"kind": "active-brownian"},
    "bursting": {
        "kind": "burst-and-coast",
        "length": 1.0,
        "duration": 0.3,
        "decay": 0.2,
        "max_force": 7.0,  # radians, more than a whole turn
    },
}
WITH_MIN_SPEED = ("add", "replace", "brownian", "bursting")
COUNT = 40


class PushAnyWay(mm.Rule):
    """Steering of every size and direction, exactly against the boid's velocity among them."""

    def alone(self, me, random):  # type: ignore[no-untyped-def]
        case = int(random.a * 8.0)
        if case == 0:
            return 0.0, 0.0, 0.0
        if case < 3:  # the next velocity of motion add or constant-speed is exactly 0
            k = -1.0 / me.dt
            return k * me.u, k * me.v, k * me.w
        k = 1.0
        if case == 3:
            k = 1e12
        if case == 4:
            k = 1e-21
        if case == 5:
            k = 1e-17
        z = 0.0
        if me.dims == 3:
            z = k * (random.d - 0.5)
        return k * (random.b - 0.5), k * (random.c - 0.5), z


def simulation(engine: str, dtype: str, model: mm.Model, **options: Any) -> mm.Simulation:
    if engine == "wasm":
        pytest.importorskip("wasmtime")
    return mm.Simulation(model, engine=engine, dtype=dtype, threads=1, **options)


def velocities_of_every_size(random: np.random.Generator, dims: int) -> np.ndarray:
    """(COUNT, dims): zeros, and lengths from 1e-21 to 1e6."""
    velocities = random.normal(size=(COUNT, dims)) * 10.0 ** random.uniform(-1, 1, (COUNT, 1))
    velocities[:8] = 0.0
    velocities[8:12] *= 1e-21
    velocities[12:16] *= 1e6
    return velocities


@engines
@pytest.mark.parametrize("dims", [pytest.param(2, marks=pytest.mark.long), 3])
def test_speeds_hold_whatever_steers(engine: str, dtype: str, dims: int) -> None:
    """Numbers of the motions are drawn at random, and so is what steers."""
    for seed in range(2 if engine == "reference" else 12):
        random = np.random.default_rng(100 * dims + seed)
        speeds = {name: float(10.0 ** random.uniform(-2, 2)) for name in PROMISES}
        rates = {name: float(random.choice([np.inf, random.uniform(5, 400)])) for name in PROMISES}
        flocks: dict[str, Any] = {}
        for name, motion in PROMISES.items():
            options = {**motion, "turn_rate": rates[name]}
            options["min_speed" if name in WITH_MIN_SPEED else "speed"] = speeds[name]
            if motion["kind"] == "self-propelled":
                options["noise"] = float(random.choice([0.0, random.uniform(0, 6)]))
            flocks[name] = {"count": COUNT, "motion": options}
        model = mm.Model(
            space={"size": [20.0] * dims, "boundary": "periodic"},
            flocks=flocks,
            rules={"push-any-way": {"kind": "push-any-way", "moves": list(flocks)}},
            dt=0.1,
        )
        start = {
            name: (random.random((COUNT, dims)) * 20.0, velocities_of_every_size(random, dims))
            for name in flocks
        }
        run = simulation(engine, dtype, model, seed=seed, start=start)
        # to turn almost about, float32 leaves the components across the heading inexact
        tolerance = 3e-4 if dtype == "float32" else 1e-9
        for _ in range(8):
            for flock in run.step().frame.values():
                assert np.isfinite(flock.positions).all() and np.isfinite(flock.velocities).all()
                speed = np.linalg.norm(flock.velocities.astype(float), axis=1)
                promised = speeds[flock.name]
                assert (speed >= promised * (1 - tolerance)).all(), (seed, flock.name)
                if flock.name not in WITH_MIN_SPEED:
                    assert (speed <= promised * (1 + tolerance)).all(), (seed, flock.name)


# motion, the speed it promises
MEETING = [
    ({"kind": "constant-speed", "speed": 1.0}, 1.0),
    ({"kind": "add", "min_speed": 0.5}, 0.5),
    ({"kind": "replace", "min_speed": 0.5}, 0.5),
    ({"kind": "self-propelled", "speed": 1.0}, 1.0),
]


@few
@pytest.mark.parametrize(("motion", "promised"), MEETING)
def test_two_that_meet_keep_their_headings(
    engine: str, dtype: str, motion: dict[str, Any], promised: float
) -> None:
    """Alignment with the mean velocity of two that fly at each other is the velocity zero."""
    weight = 0.0 if motion["kind"] in ("replace", "self-propelled") else 0.5
    model = mm.Model(
        space={"size": [10.0, 10.0]},
        flocks={"a": {"count": 2, "motion": motion}},
        rules={"alignment": {"radius": 5.0, "weight": weight}},
    )
    start = {"a": ([[4.0, 5.0], [5.0, 5.0]], [[1.0, 0.0], [-1.0, 0.0]])}
    run = simulation(engine, dtype, model, start=start)
    velocities = run.step().frame["a"].velocities
    assert velocities.tolist() == [[promised, 0.0], [-promised, 0.0]]


@few
@pytest.mark.parametrize("dims", [2, pytest.param(3, marks=pytest.mark.long)])
def test_boids_that_a_wall_stopped_go_on_along_it(engine: str, dtype: str, dims: int) -> None:
    """Straight at a wall, which takes the whole velocity: within three steps each is on its way."""
    motions: dict[str, dict[str, Any]] = {
        "constant": {"kind": "constant-speed", "speed": 1.0},
        "least": {"kind": "add", "min_speed": 1.0, "max_speed": 1.0},
        "propelled": {"kind": "self-propelled", "speed": 1.0},
        "spinning": {"kind": "inertial-spin", "speed": 1.0},
    }
    normal = [1.0, 0.0, 0.0][:dims]
    model = mm.Model(
        space={"size": [10.0] * dims},
        flocks={name: {"count": COUNT, "motion": motion} for name, motion in motions.items()},
        rules={"wind": {"vector": [0.0] * dims, "moves": list(motions)}},
        obstacles={"wall": {"kind": "wall", "point": [0.0] * dims, "normal": normal}},
        dt=0.1,
    )
    rows = np.arange(COUNT)[:, None]
    positions = np.where(np.arange(dims) == 0, 0.05, 2.0 + 0.1 * rows)
    start = {name: (positions, -np.ones((COUNT, 1)) * normal) for name in motions}
    run = simulation(engine, dtype, model, start=start)
    stopped = run.step().frame
    for flock in stopped.values():
        assert (np.linalg.norm(flock.velocities, axis=1) < 1e-6).all()
    run.step(4)
    for flock in run.step(10).frame.values():
        assert np.linalg.norm(flock.velocities, axis=1) == pytest.approx(1.0, abs=1e-3)
        moved = np.linalg.norm(flock.positions - stopped[flock.name].positions, axis=1)
        assert (moved > 0.9).all()


@few
def test_a_boid_that_is_set_to_stand_stands(engine: str, dtype: str) -> None:
    motion = {"kind": "self-propelled", "speed": 1.0, "idle": "stand"}
    model = mm.Model(
        space={"size": [10.0, 10.0]},
        flocks={"a": {"count": 5, "motion": motion}, "b": {"count": 5, "motion": {"kind": "add"}}},
        rules={"wind": {"vector": [0.0, 0.0], "moves": ["a", "b"]}},
    )
    run = simulation(engine, dtype, model)
    for flock in run.step(3).frame.values():
        assert not flock.velocities.any()


class PushNowhere(mm.Rule):
    """Steering that is not a number, for one boid, if `lost` is 1."""

    lost: mm.Scalar = mm.quantity(0.0)

    def alone(self, me):  # type: ignore[no-untyped-def]
        x = 0.0
        if self.lost == 1.0 and me.index == 3:
            x = math.sqrt(me.x - 100.0)
        return x, 0.0, 0.0


@pytest.mark.parametrize(
    ("engine", "names"),
    [
        pytest.param("cpu", PROMISES, marks=pytest.mark.long),
        pytest.param("wasm", PROMISES, marks=pytest.mark.long),
    ],
)
def test_numbers_that_are_not_finite_are_not_covered_up(engine: str, names: Any) -> None:
    """Neither by a promised speed nor by a heading that stays."""
    motions = {name: PROMISES[name] for name in names if name != "bursting"}
    model = mm.Model(
        space={"size": [20.0, 20.0]},
        flocks={
            name: {"count": 5, "motion": {**motion, "min_speed": 0.5}}
            for name, motion in motions.items()
        },
        rules={name: {"kind": "push-nowhere", "moves": [name]} for name in motions},
    )
    for name in motions:
        run = simulation(engine, "float32", model.set({f"rules.{name}.lost": 1.0}))
        with pytest.raises(mm.RunError, match=f"boid 3 of flock '{name}'.* of rule {name} "):
            run.step(1)


@pytest.mark.parametrize(
    ("heading", "beside"),
    [((1, 0, 0), (0, 1, 0)), ((0.6, 0, 0.8), (0, 1, 0)), ((0, 0, 1), (1, 0, 0))],
)
def test_a_reversal_turns_about_the_axis_nearest_to_z(
    heading: tuple[float, ...], beside: tuple[float, ...]
) -> None:
    """By the largest angle of a step, at the speed of the reversed velocity."""
    me = SimpleNamespace(dt=0.5, speed=2.0, u=2 * heading[0], v=2 * heading[1], w=2 * heading[2])
    turned = limit_turn(me, *(-3 * np.array(heading)), turn_rate=60.0)  # type: ignore[arg-type]
    expected = 3 * (math.sqrt(0.75) * np.array(heading) + 0.5 * np.array(beside))
    np.testing.assert_allclose(turned, expected, atol=1e-12)
