"""Obstacles in random scenes, on every engine: nobody inside, nobody through, no speed gained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from obstacle_scenes import FACES, Scene, clearance, lengths, scene

import flights
import murmurate as mm
from murmurate.engines.gpu.device import adapters
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.wasm.wasm_engine import WasmEngine

STEPS = 12
BLOCK = 25
BLOCKS = [
    pytest.param(
        block,
        id=f"scenes {BLOCK * block}...",
        marks=pytest.mark.long if block else pytest.mark.slow,
    )
    for block in range(20)
]


def numbers(block: int) -> list[int]:
    """The scenes of a block; those of the first, which is slow, have one kernel, in 2-D.
    rules/test_cylinders.py compiles one in 3-D."""
    if block:
        return list(range(BLOCK * block, BLOCK * (block + 1)))
    first = FACES[2][0]
    return [n for n in range(10 * BLOCK) if scene(n, 1).model.space.boundary == first][:BLOCK]


def cpu(model: mm.Model) -> Any:
    return flights.cpu(model)


def cpu32(model: mm.Model) -> Any:
    return flights.cpu(model, dtype="float32")


def wasm(model: mm.Model) -> Any:
    return WasmEngine(model, initial_state(model, 1), RunOptions("wasm", dtype="float32", seed=1))


def gpu(model: mm.Model) -> Any:
    pytest.importorskip("wgpu")
    if not adapters():
        pytest.skip("no adapter for WebGPU")
    return GpuEngine(model, initial_state(model, 1), RunOptions("gpu", dtype="float32", seed=1))


ENGINES = [
    pytest.param(flights.interpreted, id="interpreted"),
    pytest.param(cpu, id="cpu", marks=pytest.mark.long),
    pytest.param(cpu32, id="cpu32", marks=pytest.mark.slow),
    pytest.param(wasm, id="wasm", marks=pytest.mark.long),
    pytest.param(gpu, id="gpu", marks=pytest.mark.long),
]


def boids(make: Any) -> int:
    """The number of boids in a room: Python is slow."""
    return 4 if make is flights.interpreted else 20


def steps(make: Any) -> int:
    return 4 if make is flights.interpreted else STEPS


def state(engine: Any) -> tuple[np.ndarray, np.ndarray]:
    positions, velocities, _ = flights.arrays(engine)["boids"]
    return np.array(positions, float), np.array(velocities, float)


def assert_sound(
    first: Scene, positions: np.ndarray, velocities: np.ndarray, rounding: float
) -> None:
    """Boids are outside of all obstacles, between closed faces, and no faster than allowed."""
    space = first.model.space
    assert np.isfinite(positions).all() and np.isfinite(velocities).all()
    assert clearance(space, first.model.obstacles.values(), positions).min() >= 0.0
    slack = rounding * first.scale
    for axis, faces in enumerate(space.boundaries):
        if faces != "open":
            assert positions[:, axis].min() >= space.lower[axis] - slack
            assert positions[:, axis].max() <= space.upper[axis] + slack
    assert lengths(velocities).max() <= first.way * (1.0 + 10.0 * rounding)


@pytest.mark.parametrize("number", range(12))
def test_boids_of_the_reference_stay_outside_of_all_obstacles(number: int) -> None:
    first = scene(number, boids=4)
    engine = flights.reference(first.model)
    for _ in range(4):
        engine.step(1)
        assert_sound(first, *state(engine), 1e-9)


@pytest.mark.parametrize("make", ENGINES[1:])
@pytest.mark.parametrize("block", BLOCKS)
def test_boids_stay_outside_of_all_obstacles(make: Any, block: int) -> None:
    for number in numbers(block):
        first = scene(number, boids=20)
        engine = make(first.model)
        for _ in range(STEPS):
            engine.step(1)
            assert_sound(first, *state(engine), 1e-9 if make is cpu else 1e-6)


@pytest.mark.parametrize("block", BLOCKS[:1] + BLOCKS[3:7])
def test_engines_agree(block: int) -> None:
    """The reference moves boids as the kernels do, a step from each state. The last digits may
    decide on which side a boid passes an edge, or how it bounces off a grain: 1 in 100."""
    compared = differ = 0
    for number in numbers(block):
        first = scene(number, boids=5)
        engine = flights.cpu(first.model)
        for _ in range(4):
            positions, velocities = state(engine)
            other = flights.reference(first.model, {"boids": (positions, velocities)})
            engine.step(1)
            other.step(1)
            ends, others = state(engine), state(other)
            assert_sound(first, *others, 1e-9)
            apart = np.abs(ends[0] - others[0]).max(axis=1) / first.scale
            compared += len(apart)
            differ += (apart > 1e-9).sum()
    assert compared > 200 and differ <= 0.01 * compared


def after_a_step(engine: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """The state, or None where a boid is enclosed."""
    try:
        engine.step(1)
    except mm.RunError as error:
        assert "is enclosed in step 1" in str(error)
        return None
    return state(engine)


@pytest.mark.parametrize("block", BLOCKS[:1] + BLOCKS[3:7])
def test_boids_that_start_inside_are_put_out(block: int) -> None:
    """In one step, to the same positions by both engines; only walls can enclose them."""
    compared = differ = 0
    for number in numbers(block):
        first = scene(number, boids=8, inside=True)
        ends, others = after_a_step(cpu(first.model)), after_a_step(flights.reference(first.model))
        kinds = {shape.kind for shape in first.model.obstacles.values()}
        if ends is None or others is None:
            assert ends is others and kinds & {"wall", "tank"}
            continue
        assert_sound(first, *ends, 1e-9)
        apart = np.abs(ends[0] - others[0]).max(axis=1) / first.scale
        compared += len(apart)
        differ += (apart > 1e-9).sum()
    assert compared > 100 and differ <= 0.01 * compared


ROOMS = {
    "sphere": lambda s: {"shell": mm.Tank(centre=(0.0, 0.0), radius=s)},
    "boxes": lambda s: {
        "left": mm.Box(centre=(-s, 0.0), size=(0.01 * s, 2.2 * s)),
        "right": mm.Box(centre=(s, 0.0), size=(0.01 * s, 2.2 * s)),
        "low": mm.Box(centre=(0.0, -s), size=(2.2 * s, 0.01 * s)),
        "high": mm.Box(centre=(0.0, s), size=(2.2 * s, 0.01 * s)),
    },
    "walls": lambda s: {
        f"wall{k}": mm.Wall(
            point=(s * float(np.cos(k)), s * float(np.sin(k))),
            normal=(-float(np.cos(k)), -float(np.sin(k))),
        )
        for k in range(7)
    },
    "discs": lambda s: {
        f"disc{k}": mm.Sphere(
            centre=(1.5 * s * float(np.cos(k / 3.0)), 1.5 * s * float(np.sin(k / 3.0))),
            radius=0.5 * s,
        )
        for k in range(19)
    },
}
"""Closed rooms around the origin, of half width `s`."""


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("way", [0.001, 0.1, 1.0, 500.0])
@pytest.mark.parametrize("room", ROOMS)
def test_nobody_leaves_a_closed_room(room: str, make: Any, way: float) -> None:
    """However fast, and whatever else stands in it: a way through would lead outside."""
    for seed, half in enumerate((0.3, 7.0, 200.0)):
        random = np.random.default_rng(seed)
        space = mm.Space(size=(3.0 * half,) * 2, origin=(-1.5 * half,) * 2)
        rocks = {
            f"rock{k}": mm.Sphere(centre=tuple(random.uniform(-half, half, 2)), radius=0.2 * half)
            for k in range(3)
        }
        obstacles = {**ROOMS[room](half), **rocks}
        positions = random.uniform(-0.6 * half, 0.6 * half, (400, 2))
        free = clearance(space, obstacles.values(), positions) > 1e-3 * half
        positions = positions[free][: boids(make)]
        velocities = way * random.normal(size=positions.shape)
        start = mm.Given(
            positions=tuple(map(tuple, positions.tolist())),
            velocities=tuple(map(tuple, velocities.tolist())),
        )
        flock = mm.Flock(count=len(positions), start=start, motion=mm.Add())
        model = mm.Model(
            space=space,
            flocks={"boids": flock},
            rules={"wind": mm.Wind(vector=tuple((0.3 * way * random.normal(size=2)).tolist()))},
            obstacles=obstacles,
        )
        engine = make(model)
        for _ in range(steps(make)):
            engine.step(1)
            ends, _ = state(engine)
            assert clearance(space, obstacles.values(), ends).min() >= 0.0
            assert lengths(ends).max() < 1.5 * half


@pytest.mark.parametrize("make", ENGINES)
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize(
    ("way", "side"), [(1e6, 20.0), (1e8, 20.0), (1.0, 1e6), (1e-3, 1e6), (1e4, 1e5)]
)
def test_rooms_much_smaller_than_movements_or_the_space(
    make: Any, room: str, way: float, side: float
) -> None:
    """A room of half width 5 far from the corner of an open space: nobody leaves it, and boids
    move as far as it allows."""
    middle = 0.8 * side if side > 100.0 else 10.0
    obstacles = {
        name: shape.model_copy(
            update={
                key: tuple(middle + x for x in getattr(shape, key))
                for key in ("centre", "point")
                if hasattr(shape, key)
            }
        )
        for name, shape in ROOMS[room](5.0).items()
    }
    random = np.random.default_rng(5)
    space = mm.Space(size=(side, side), boundary="open")
    count = boids(make)
    positions = middle + random.uniform(-2.0, 2.0, (count, 2))
    velocities = way * random.normal(size=(count, 2))
    start = mm.Given(
        positions=tuple(map(tuple, positions.tolist())),
        velocities=tuple(map(tuple, velocities.tolist())),
    )
    wind = mm.Wind(vector=tuple((0.1 * way * random.normal(size=2)).tolist()))
    model = mm.Model(
        space=space,
        flocks={"boids": mm.Flock(count=count, start=start, motion=mm.Add())},
        rules={"wind": wind},
        obstacles=obstacles,
    )
    engine = make(model)
    for _ in range(steps(make)):
        engine.step(1)
        ends, _ = state(engine)
        assert clearance(space, obstacles.values(), ends).min() >= 0.0
        assert lengths(ends - middle).max() < 7.5
    if make is gpu and side == 1e6:
        return  # the zones of contact fill the room, so boids rest
    assert np.abs(ends - positions).max() > min(way, 1.0)
