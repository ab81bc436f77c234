"""Obstacles that move press boids against others: no boid comes to the far side of any."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from obstacle_scenes import clearance
from test_obstacle_scenes import cpu, cpu32, state, wasm

import flights
import murmurate as mm
from murmurate.model.obstacles import shape_at

REFERENCE = pytest.param(flights.reference, id="reference")
TWO_ENGINES = pytest.mark.parametrize(
    "make", [pytest.param(cpu, id="cpu", marks=pytest.mark.long), REFERENCE]
)
ENGINES = pytest.mark.parametrize(
    "make",
    [
        pytest.param(cpu, id="cpu", marks=pytest.mark.long),
        REFERENCE,
        pytest.param(cpu32, id="cpu32", marks=pytest.mark.long),
        pytest.param(wasm, id="wasm", marks=pytest.mark.long),
    ],
)

IN_PYTHON = 8
"""Boids of the reference engine, which takes milliseconds for each."""
HELD = mm.Space(size=(20.0, 10.0), boundary="held")
OPEN = mm.Space(size=(20.0, 20.0), origin=(-10.0, -10.0), boundary="open")


def ramp(start: float, stop: float, steps: int) -> mm.Ramp:
    return mm.Ramp(start=start, stop=stop, end=float(steps))


def moving(
    space: mm.Space, obstacles: dict[str, Any], positions: np.ndarray, velocities: np.ndarray
) -> mm.Model:
    start = mm.Given(
        positions=tuple(map(tuple, positions.tolist())),
        velocities=tuple(map(tuple, velocities.tolist())),
    )
    flock = mm.Flock(count=len(positions), start=start, motion=mm.Add(max_speed=1.0))
    wind = {"wind": mm.Wind(vector=(0.0,) * space.dims)}
    return mm.Model(space=space, flocks={"boids": flock}, rules=wind, obstacles=obstacles)


def run(make: Any, model: mm.Model, steps: int, check: Any) -> bool:
    """Advance, and check positions after each step; whether a boid is enclosed in the end."""
    engine = make(model)
    for step in range(1, steps + 1):
        try:
            engine.step(1)
        except mm.RunError as error:
            assert f"is enclosed in step {step}: " in str(error)
            return True
        positions, velocities = state(engine)
        shapes = [shape_at(shape, float(step)) for shape in model.obstacles.values()]
        assert clearance(model.space, shapes, positions).min() >= 0.0
        assert np.isfinite(velocities).all()
        check(positions)
    return False


def in_front_of_plate(positions: np.ndarray) -> None:
    assert (positions[:, 0] < 11.0).all()


@TWO_ENGINES
@pytest.mark.parametrize(
    ("steps", "thickness"),
    [
        (20, 0.01),
        *(
            pytest.param(steps, thickness, marks=pytest.mark.slow)
            for steps, thickness in ((20, 0.1), (20, 0.5), (100, 0.01), (100, 0.1), (100, 0.5))
        ),
    ],
)
def test_a_piston_does_not_push_boids_through_a_plate(
    make: Any, thickness: float, steps: int
) -> None:
    """It closes the room in front of the plate: nobody may pass."""
    obstacles = {
        "piston": mm.Box(centre=(ramp(1.0, 10.0, steps), 5.0), size=(2.0, 10.0)),
        "plate": mm.Box(centre=(11.0 + thickness / 2, 5.0), size=(thickness, 10.0)),
    }
    random = np.random.default_rng(0)
    count = IN_PYTHON if make is flights.reference else 30
    positions = random.uniform((3.0, 0.5), (10.5, 9.5), (count, 2))
    model = moving(HELD, obstacles, positions, 0.02 * random.normal(size=(count, 2)))
    assert run(make, model, steps, in_front_of_plate)


def cage(half: float, thickness: float) -> dict[str, mm.Box]:
    sides = 2.0 * half + 2.0 * thickness
    return {
        "left": mm.Box(centre=(-half, 0.0), size=(thickness, sides)),
        "right": mm.Box(centre=(half, 0.0), size=(thickness, sides)),
        "low": mm.Box(centre=(0.0, -half), size=(sides, thickness)),
        "high": mm.Box(centre=(0.0, half), size=(sides, thickness)),
    }


def in_cage(positions: np.ndarray) -> None:
    assert (np.abs(positions) < 5.0).all()


@pytest.mark.slow
@ENGINES
@pytest.mark.parametrize("thickness", [0.5, 0.02])
@pytest.mark.parametrize("end", [5.5, 7.5])
def test_a_ball_that_grows_keeps_boids_in_their_cage(
    make: Any, thickness: float, end: float
) -> None:
    """Up to radius 5.5 there is room for them in the corners, and none beyond 7.1."""
    obstacles = {
        **cage(5.0, thickness),
        "ball": mm.Sphere(centre=(0.0, 0.0), radius=ramp(1.0, end, 60)),
    }
    random = np.random.default_rng(1)
    positions = random.uniform(-4.5, 4.5, (60, 2))
    positions = positions[np.hypot(*positions.T) > 1.2]
    if make is flights.reference:
        positions = positions[:IN_PYTHON]
    # on the axes: the nearest way out is straight through a box
    positions = np.vstack([positions, [[4.0, 0.0], [0.0, -4.0], [-4.0, 1e-9]]])
    model = moving(OPEN, obstacles, positions, 0.01 * random.normal(size=positions.shape))
    enclosed = run(make, model, 60, in_cage)
    assert enclosed == (end > 7.1)


def pusher(random: np.random.Generator, dims: int, steps: int) -> Any:
    """An obstacle that moves through the left half of the space, or grows there."""
    across = [float(x) for x in random.uniform(2.0, 8.0, dims - 1)]
    kinds = ["piston", "ball", "growing", "tank", "wall", "shrinking"]
    kind = random.choice(kinds + ["pillar"] * (dims == 3))
    speed = random.uniform(0.02, 0.25)
    start, stop = 1.0, 1.0 + float(speed * steps)
    if kind == "piston":
        size = [float(x) for x in random.uniform(2.0, 12.0, dims - 1)]
        return mm.Box(centre=(ramp(start, stop, steps), *across), size=(2.0, *size))
    if kind == "ball":
        return mm.Sphere(centre=(ramp(start, stop, steps), *across), radius=1.0)
    if kind == "pillar":
        height = float(random.uniform(0.5, 8.0))
        return mm.Cylinder(centre=(ramp(start, stop, steps), *across), radius=1.0, height=height)
    if kind == "growing":
        return mm.Sphere(centre=(3.0, *across), radius=ramp(0.5, min(stop, 8.0), steps))
    if kind == "tank":
        return mm.Tank(centre=(ramp(5.0, 5.0 + stop, steps), *([5.0] * (dims - 1))), radius=6.0)
    if kind == "shrinking":
        return mm.Tank(centre=(6.0, *([5.0] * (dims - 1))), radius=ramp(8.0, 3.0, steps))
    tilt = [float(x) for x in random.normal(size=dims - 1)]
    return mm.Wall(point=(ramp(start, stop, steps), *([5.0] * (dims - 1))), normal=(1.0, *tilt))


def separators(random: np.random.Generator, dims: int) -> tuple[dict[str, Any], float]:
    """Obstacles that divide the space at x, from face to face; and that x."""
    x = float(random.uniform(8.0, 12.0))
    middle = (5.0,) * (dims - 1)
    if dims == 2 and random.random() < 0.4:  # a row of discs, which overlap a little or much
        gap = float(random.uniform(0.3, 0.99))
        ys = np.arange(-1.0, 12.0, 2.0 * gap)
        return {
            f"disc{k}": mm.Sphere(centre=(x, float(y)), radius=1.0) for k, y in enumerate(ys)
        }, x
    thickness = float(10.0 ** random.uniform(-3.0, 0.0))
    return {"plate": mm.Box(centre=(x, *middle), size=(thickness, *((10.0,) * (dims - 1))))}, x


@ENGINES
@pytest.mark.parametrize(
    "block",
    [
        pytest.param(0, marks=pytest.mark.slow),
        *(pytest.param(k, marks=pytest.mark.long) for k in range(1, 12)),
    ],
)
def test_no_boid_is_pushed_past_what_divides_the_space(make: Any, block: int) -> None:
    """Random pushers and separators: each boid stays on its side, or the run ends."""
    steps, ended = 40, 0
    in_python = make is flights.reference  # slow: fewer scenes and boids
    numbers = range(30 * block, 30 * block + (3 if in_python else 30))
    for number in numbers:
        random = np.random.default_rng(number)
        dims = 2 if number % 3 else 3
        space = mm.Space(size=(20.0, *((10.0,) * (dims - 1))), boundary="held")
        fixed, x = separators(random, dims)
        obstacles = {**fixed, **{f"p{k}": pusher(random, dims, steps) for k in range(2)}}
        if random.random() < 0.5:
            obstacles = dict(reversed(obstacles.items()))
        if random.random() < 0.5:
            at = tuple(float(c) for c in random.uniform((5.0,) + (1.0,) * (dims - 1), 9.0))
            obstacles["rock"] = mm.Sphere(centre=at, radius=float(random.uniform(0.1, 2.0)))
        positions = random.uniform(0.2, (19.8, *((9.8,) * (dims - 1))), (80, dims))
        shapes = [shape_at(shape, 0.0) for shape in obstacles.values()]
        positions = positions[clearance(space, shapes, positions) > 1e-3]
        positions = positions[: IN_PYTHON if in_python else 40]
        if not len(positions):
            continue
        speed = 10.0 ** random.uniform(-3.0, -0.5)
        model = moving(space, obstacles, positions, speed * random.normal(size=positions.shape))
        right = positions[:, 0] > x

        def on_its_side(ends: np.ndarray, right: np.ndarray = right, x: float = x) -> None:
            np.testing.assert_array_equal(ends[:, 0] > x, right)

        ended += run(make, model, steps, on_its_side)
    assert in_python or ended < 0.7 * len(numbers)
