"""Where boids stop and slide when obstacles meet each other, or faces of the space, by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from cases import cases
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.wasm.wasm_engine import WasmEngine


def cpu32(model: mm.Model) -> Any:
    return flights.cpu(model, dtype="float32")


def interpreted32(model: mm.Model) -> Any:
    return flights.interpreted(model, dtype="float32")


def wasm(model: mm.Model) -> Any:
    return WasmEngine(model, initial_state(model, 1), RunOptions("wasm", dtype="float32", seed=1))


ENGINES = pytest.mark.parametrize(
    "make",
    [
        flights.reference,
        pytest.param(flights.cpu, marks=pytest.mark.long),
        pytest.param(cpu32, marks=pytest.mark.long),
        pytest.param(wasm, marks=pytest.mark.long),
    ],
)

ROCK = mm.Sphere(centre=(50.0, 5.0), radius=8.0)
FLOOR = mm.Wall(point=(0.0, 0.0), normal=(0.0, 1.0))
WEDGE = 50.0 - math.sqrt(8.0**2 - 5.0**2)
NOTCH = 50.0 - math.sqrt(8.0**2 - 6.0**2)


def one_boid(at: Any, velocity: Any, wind: Any, **parts: Any) -> mm.Model:
    dims = len(at)
    space = parts.pop("space", mm.Space(size=(100.0,) * dims))
    flock = mm.Flock(
        count=1,
        start=mm.Given(positions=(at,), velocities=(velocity,)),
        motion=parts.pop("motion", mm.Add()),
        perching=parts.pop("perching", None),
    )
    rules = {"wind": mm.Wind(vector=wind)}
    return mm.Model(space=space, flocks={"boids": flock}, rules=rules, **parts)


def sliding(**parts: Any) -> mm.Model:
    """A boid that wind presses onto the floor and against what stands on it."""
    return one_boid((20.0, 1.0), (1.0, -0.3), (0.2, -0.06), motion=mm.Add(max_speed=1.0), **parts)


def end(make: Any, model: mm.Model, steps: int) -> tuple[np.ndarray, np.ndarray]:
    flight = make(model)
    flight.step(steps)
    positions, velocities, _ = flights.arrays(flight)["boids"]
    return positions[0], velocities[0]


@ENGINES
@pytest.mark.parametrize(
    "parts",
    [
        {"obstacles": {"floor": FLOOR, "rock": ROCK}},
        {"obstacles": {"rock": ROCK, "floor": FLOOR}},
        {
            "obstacles": {"rock": ROCK},
            "space": mm.Space(size=(100.0, 100.0), boundary="reflecting"),
        },
        {"obstacles": {"rock": ROCK}, "space": mm.Space(size=(100.0, 100.0), boundary="held")},
    ],
    ids=["floor first", "rock first", "reflecting face", "held face"],
)
def test_a_boid_stops_in_the_wedge_of_a_floor_and_a_rock(make: Any, parts: Any) -> None:
    position, velocity = end(make, sliding(**parts), 60)
    np.testing.assert_allclose(position, (WEDGE, 0.0), atol=3e-3)
    # a held face leaves velocities as they are
    expected = velocity if parts.get("space", mm.Space(size=(1, 1))).boundary == "held" else 0.0
    np.testing.assert_allclose(velocity, expected, atol=1e-6)


@ENGINES
def test_a_boid_stops_in_the_notch_of_two_discs(make: Any) -> None:
    discs = {"left": (44.0, 50.0), "right": (56.0, 50.0)}
    obstacles = {name: mm.Sphere(centre=centre, radius=8.0) for name, centre in discs.items()}
    model = one_boid(
        (50.0, 30.0), (0.1, 1.0), (0.02, 0.2), motion=mm.Add(max_speed=1.0), obstacles=obstacles
    )
    position, velocity = end(make, model, 60)
    np.testing.assert_allclose(position, (50.0, NOTCH), atol=5e-3)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-6)


@ENGINES
@pytest.mark.parametrize("wind", [0.05, 1.0, 500.0])
def test_a_boid_stops_in_the_corner_of_two_thin_walls(make: Any, wind: float) -> None:
    obstacles = {
        "right": mm.Box(centre=(100.0, 50.0), size=(0.2, 100.4)),
        "top": mm.Box(centre=(50.0, 100.0), size=(100.4, 0.2)),
    }
    model = one_boid((80.0, 90.0), (1.0, 1.0), (wind, wind), obstacles=obstacles)
    position, velocity = end(make, model, 30)
    assert (position < 99.9).all()
    np.testing.assert_allclose(position, (99.9, 99.9), atol=2e-2 if wind == 500.0 else 6e-3)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-6)


@ENGINES
def test_a_boid_slides_along_the_crease_of_two_walls(make: Any) -> None:
    """The floor z = 0 and the wall x = 50, in 3-D: only y goes on."""
    obstacles = {
        "floor": mm.Wall(point=(0.0, 0.0, 0.0), normal=(0.0, 0.0, 1.0)),
        "wall": mm.Wall(point=(50.0, 0.0, 0.0), normal=(-1.0, 0.0, 0.0)),
    }
    model = one_boid((49.5, 10.0, 0.5), (1.0, 0.5, -1.0), (0.3, 0.0, -0.3), obstacles=obstacles)
    position, velocity = end(make, model, 20)
    np.testing.assert_allclose(position, (50.0, 20.0, 0.0), atol=3e-3)
    np.testing.assert_allclose(velocity, (0.0, 0.5, 0.0), atol=1e-5)


@ENGINES
def test_a_boid_slides_along_an_oblique_crease(make: Any) -> None:
    """Two walls whose crease points along (0, 1, 1): of a speed along y half is left,
    (0, 1/2, 1/2). The wedge is acute: pushing out of one and then of the other would not do."""
    half = math.sqrt(0.5)
    obstacles = {
        "one": mm.Wall(point=(50.0, 50.0, 50.0), normal=(0.0, half, -half)),
        "other": mm.Wall(point=(50.0, 50.0, 50.0), normal=(-0.5, -half, half)),
    }
    model = one_boid(
        (48.0, 51.0, 50.5), (1.0, 0.5, 0.0), (1.0, 0.0, 0.0), obstacles=obstacles,
        motion=mm.Add(max_speed=1.0),
    )  # fmt: skip
    flight = make(model)
    flight.step(40)
    before = flights.arrays(flight)["boids"][0][0].copy()
    flight.step(1)
    position, velocity, _ = (array[0] for array in flights.arrays(flight)["boids"])
    np.testing.assert_allclose(position - before, velocity, atol=1e-4)
    np.testing.assert_allclose(velocity[0], 0.0, atol=1e-4)
    np.testing.assert_allclose(velocity[1], velocity[2], atol=1e-4)


@ENGINES
def test_a_boid_stops_in_the_corner_of_a_tank_with_a_floor(make: Any) -> None:
    """3-D: a tank, its floor and a rock against the wall of the tank."""
    obstacles = {
        "tank": mm.Tank(centre=(50.0, 50.0, 0.0), radius=40.0),
        "floor": mm.Wall(point=(0.0, 0.0, 10.0), normal=(0.0, 0.0, 1.0)),
        "rock": mm.Box(centre=(80.0, 50.0, 10.0), size=(40.0, 20.0, 20.0)),
    }
    # along the wall, down onto the floor, and against the rock
    model = one_boid(
        (60.0, 20.0, 12.0), (1.0, 0.0, 0.0), (0.5, 0.5, -0.5), obstacles=obstacles,
        motion=mm.Add(max_speed=1.0),
    )  # fmt: skip
    position, velocity = end(make, model, 200)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-5)
    x = 50.0 + math.sqrt(40.0**2 - 10.0**2)
    np.testing.assert_allclose(position, (x, 40.0, 10.0), atol=1e-2)


@ENGINES
@pytest.mark.parametrize("speed", [30.0, 99.0, 230.0])
def test_no_image_of_a_thin_wall_is_jumped_over(make: Any, speed: float) -> None:
    """On a torus: a boid that flies once or twice round in a step stops at the next image."""
    obstacles = {"sheet": mm.Box(centre=(50.0, 50.0), size=(0.02, 1000.0))}
    space = mm.Space(size=(100.0, 100.0), boundary="periodic")
    model = one_boid((60.0, 50.0), (speed, 0.0), (0.0, 0.0), obstacles=obstacles, space=space)
    position, velocity = end(make, model, 4)
    np.testing.assert_allclose(position, (49.99, 50.0), atol=1e-2)
    assert position[0] < 49.99
    np.testing.assert_allclose(velocity, 0.0, atol=1e-6)


@ENGINES
@pytest.mark.parametrize("boundary", ["reflecting", "held"])
def test_faces_act_as_without_obstacles(make: Any, boundary: Any) -> None:
    """A far rock changes nothing, however often a boid bounces in a step."""
    space = mm.Space(size=(10.0, 10.0), boundary=boundary)
    rock = {"rock": mm.Sphere(centre=(1000.0, 1000.0), radius=1.0)}
    wide = {"rock": mm.Sphere(centre=(5.0, 5.0), radius=1e-3)}
    ends = [
        end(make, one_boid((2.0, 1.0), (31.0, -27.5), (0.0, 0.0), space=space, **parts), 3)
        for parts in ({}, {"obstacles": rock}, {"obstacles": wide})
    ]
    for position, velocity in ends[1:]:
        np.testing.assert_allclose(position, ends[0][0], atol=1e-4)
        np.testing.assert_allclose(velocity, ends[0][1], atol=1e-6)


@ENGINES
def test_a_wall_across_a_periodic_axis(make: Any) -> None:
    """A boid that crosses the seam is behind the wall's next image, and is put onto the wall at
    once: nobody is behind a wall at the end of a step."""
    model = one_boid(
        (5.0, 9.9), (0.0, 0.2), (0.0, 0.0),
        space=mm.Space(size=(10.0, 10.0), boundary=("open", "periodic")),
        obstacles={"floor": mm.Wall(point=(0.0, 5.0), normal=(0.0, 1.0))},
    )  # fmt: skip
    position, _ = end(make, model, 1)
    np.testing.assert_allclose(position, (5.0, 5.0), atol=1e-3)


@ENGINES
@pytest.mark.parametrize(
    "integrator",
    [
        "euler",
        pytest.param("verlet", marks=pytest.mark.long),
        pytest.param("rk4", marks=pytest.mark.slow),
    ],
)
def test_a_boid_that_lies_on_the_floor_gains_no_speed(make: Any, integrator: Any) -> None:
    """Gravity presses it down; what it slides with stays."""
    model = one_boid(
        (20.0, 1.0), (0.5, 0.0), (0.0, -1.0), obstacles={"floor": FLOOR}, dt=0.1,
        integrator=integrator,
    )  # fmt: skip
    position, velocity = end(make, model, 100)
    np.testing.assert_allclose(position, (25.0, 0.0), atol=2e-3)
    np.testing.assert_allclose(velocity, (0.5, 0.0), atol=1e-5)


def sweeping(**parts: Any) -> mm.Model:
    """A box that moves to the right with speed 1, from x = 20; a boid at x = 30."""
    centre = (mm.Ramp(start=20.0, stop=120.0, begin=0.0, end=100.0), 50.0)
    return one_boid(
        (30.0, 50.0), (0.0, 0.0), (0.0, 0.0),
        obstacles={"box": mm.Box(centre=centre, size=(4.0, 60.0))}, **parts,
    )  # fmt: skip


@ENGINES
def test_a_moving_obstacle_pushes_a_boid_along(make: Any) -> None:
    """At the end of a step it is in front of the obstacle as it is then."""
    for steps in (8, 9, 40):
        position, _ = end(make, sweeping(), steps)
        face = 20.0 + steps + 2.0
        np.testing.assert_allclose(position, (max(30.0, face), 50.0), atol=3e-3)
        assert position[0] >= face


@ENGINES
@pytest.mark.parametrize("integrator", ["euler", pytest.param("verlet", marks=pytest.mark.long)])
def test_a_boid_on_the_ground_is_pushed_along_too(make: Any, integrator: Any) -> None:
    perching = mm.Perching(ground=50.5, shortest=1000, longest=1000)
    position, _ = end(make, sweeping(perching=perching, integrator=integrator), 40)
    np.testing.assert_allclose(position[0], 62.0, atol=3e-3)


@ENGINES
def test_obstacles_that_close_around_a_boid_are_an_error(make: Any) -> None:
    """Two walls that come towards each other leave no free position between closed faces."""
    left, right = mm.Ramp(start=40.0, stop=60.0, end=10.0), mm.Ramp(start=60.0, stop=40.0, end=10.0)
    model = one_boid(
        (50.0, 50.0), (0.0, 0.0), (0.0, 0.0),
        space=mm.Space(size=(100.0, 100.0), boundary="held"),
        obstacles={
            "left": mm.Wall(point=(left, 0.0), normal=(1.0, 0.1)),
            "right": mm.Wall(point=(right, 0.0), normal=(-1.0, 0.1)),
            "lid": mm.Wall(point=(0.0, 60.0), normal=(0.0, -1.0)),
        },
    )  # fmt: skip
    with pytest.raises(mm.RunError, match=r"boid 0 of flock 'boids' is enclosed in step \d+: "):
        make(model).step(12)


@ENGINES
@pytest.mark.parametrize("at", [(9.6, 50.0), (9.4, 50.0), (50.0, 51.0)])
def test_a_boid_that_starts_inside_of_two_boxes_is_put_out_of_both(make: Any, at: Any) -> None:
    """Each box's nearest face is inside the other."""
    obstacles = {
        "left": mm.Box(centre=(5.0, 50.0), size=(10.0, 20.0)),
        "right": mm.Box(centre=(14.0, 50.0), size=(10.0, 20.0)),
        "long": mm.Box(centre=(50.0, 50.0), size=(70.0, 4.0)),
        "disc": mm.Sphere(centre=(50.0, 50.0), radius=2.5),
    }
    model = one_boid(at, (0.0, 0.0), (0.0, 0.0), obstacles=obstacles)
    (x, y), _ = end(make, model, 1)
    assert not (0.0 < x < 19.0 and 40.0 < y < 60.0)
    assert not (15.0 < x < 85.0 and 48.0 < y < 52.0)
    assert math.hypot(x - 50.0, y - 50.0) > 2.5
    assert math.hypot(x - at[0], y - at[1]) < 15.0


@ENGINES
@pytest.mark.parametrize("away", [0.0, -1e4, -1e6])
def test_any_point_of_a_wall_may_stand_for_it(make: Any, away: float) -> None:
    """A boid comes as near to it, however far along the wall the point lies."""
    model = one_boid(
        (8.0, 5.0), (-0.3, 0.0), (0.0, 0.0), space=mm.Space(size=(10.0, 10.0), boundary="held"),
        obstacles={"wall": mm.Wall(point=(5.0, away), normal=(1.0, 0.0))},
    )  # fmt: skip
    position, velocity = end(make, model, 15)
    np.testing.assert_allclose(position, (5.0, 5.0), atol=5e-4)
    np.testing.assert_allclose(velocity, 0.0, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "origin"),
    [
        (flights.reference, (0.0, 0.0)),
        (flights.reference, (500_000.0, 5_000_000.0)),
        pytest.param(flights.cpu, (0.0, 0.0), marks=pytest.mark.long),
        pytest.param(flights.interpreted, (500_000.0, 5_000_000.0), marks=pytest.mark.slow),
        pytest.param(flights.cpu, (500_000.0, 5_000_000.0), marks=pytest.mark.long),
        # not farther: float32 is too coarse there
        pytest.param(cpu32, (0.0, 0.0), marks=pytest.mark.long),
        pytest.param(interpreted32, (500.0, -900.0), marks=pytest.mark.slow),
        pytest.param(cpu32, (500.0, -900.0), marks=pytest.mark.long),
        pytest.param(wasm, (0.0, 0.0), marks=pytest.mark.long),
        pytest.param(wasm, (500.0, -900.0), marks=pytest.mark.long),
    ],
)
def test_skins_are_the_same_wherever_the_space_is(make: Any, origin: Any) -> None:
    low = np.array(origin)
    begin = tuple((low + 50.0).tolist())
    model = one_boid(
        begin, (0.0, -3.0), (0.0, 0.0),
        space=mm.Space(size=(200.0, 200.0), origin=origin, boundary="held"),
        obstacles={"wall": mm.Wall(point=(0.0, origin[1] + 20.0), normal=(0.0, 1.0))},
    )  # fmt: skip
    position, _ = end(make, model, 15)
    np.testing.assert_allclose(position - low, (50.0, 20.0), atol=5e-3)


@pytest.mark.parametrize(
    ("shape", "at"),
    [
        (mm.Sphere(centre=(-1000.0, 5.0), radius=1000.0), (0.004, 5.0)),
        (mm.Wall(point=(5.0, 0.0), normal=(1.0, 0.0)), (5.00015, 5.0)),
        (mm.Box(centre=(3.0, 5.0), size=(4.0, 4.0)), (5.0003, 5.0)),
    ],
)
@cases("speed", [1e-6, 1e-4])
@pytest.mark.slow
def test_engines_agree_in_the_zone_of_an_obstacle(shape: Any, at: Any, speed: float) -> None:
    """Slow boids, which do not reach the obstacle in a step."""
    model = one_boid(
        at, (-speed, speed), (0.0, 0.0), space=mm.Space(size=(10.0, 10.0)), obstacles={"one": shape}
    )
    for steps in (1, 3):
        ends = [end(make, model, steps) for make in (flights.reference, flights.cpu)]
        np.testing.assert_allclose(ends[0], ends[1], atol=1e-12)


def turning_wall(*normal: Any) -> dict[str, mm.Wall]:
    return {"gate": mm.Wall(point=(0.0, 0.0), normal=normal)}


@ENGINES
@pytest.mark.parametrize("integrator", ["euler", pytest.param("rk4", marks=pytest.mark.slow)])
def test_a_normal_that_passes_through_zero_ends_the_run(make: Any, integrator: Any) -> None:
    """In the step at whose end it is zero, by the name of the obstacle."""
    model = one_boid(
        (50.0, 50.0), (0.1, 0.2), (0.0, 0.0), integrator=integrator,
        obstacles=turning_wall(0.0, mm.Ramp(start=1.0, stop=-1.0, end=14.0)),
    )  # fmt: skip
    flight = make(model)
    words = r"^obstacles\.gate\.normal: got a vector of zeros at time 7, in step 7; expected one"
    with pytest.raises(mm.RunError, match=words) as failed:
        flight.step(20)
    assert failed.value.step == 7
    positions, _, _ = flights.arrays(flight)["boids"]
    np.testing.assert_allclose(positions[0], (50.6, 51.2), atol=1e-4)  # six steps are made


@ENGINES
@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e-160, 1e9])
def test_the_length_of_a_normal_does_not_matter(make: Any, size: float) -> None:
    parts = {"obstacles": {"rock": ROCK}}
    ends = [
        end(make, sliding(obstacles={**parts["obstacles"], **turning_wall(0.0, y)}), 60)
        for y in (1.0, size)
    ]
    np.testing.assert_array_equal(ends[0], ends[1])


@pytest.mark.slow
@cases("turned", [1e-9, 1e-300, 1.0])
def test_a_normal_may_change_its_sign(turned: float) -> None:
    """Only one of its parts passes through 0."""
    part = mm.Ramp(start=turned, stop=-turned, end=14.0)
    model = one_boid((50.0, 50.0), (0.1, 0.2), (0.0, 0.0), obstacles=turning_wall(part, turned))
    ends = [end(make, model, 20) for make in (flights.reference, flights.cpu)]
    np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


@ENGINES
@pytest.mark.parametrize("rounds", [3.0, 260.0, 5000.0, 20_000.0])
def test_a_boid_goes_round_a_torus_many_times_in_a_step(make: Any, rounds: float) -> None:
    """In a space with an obstacle that it does not meet: the whole way, however long."""
    model = one_boid(
        (10.0, 10.0), (20.0 * rounds + 3.0, 0.0), (0.0, 0.0),
        space=mm.Space(size=(20.0, 20.0), boundary="periodic"),
        obstacles={"grain": mm.Sphere(centre=(3.0, 3.0), radius=0.1)},
    )  # fmt: skip
    position, velocity = end(make, model, 1)
    np.testing.assert_allclose(position, (13.0, 10.0), atol=1e-6 * rounds)
    np.testing.assert_array_equal(velocity, (20.0 * rounds + 3.0, 0.0))


@ENGINES
@pytest.mark.parametrize("bounces", [100, 5000])
def test_a_boid_bounces_many_times_in_a_step(make: Any, bounces: int) -> None:
    """Between the faces, past a rock that it does not meet."""
    model = one_boid(
        (2.0, 1.0), (10.0 * bounces + 3.0, 0.0), (0.0, 0.0),
        space=mm.Space(size=(10.0, 10.0), boundary="reflecting"),
        obstacles={"rock": mm.Sphere(centre=(5.0, 5.0), radius=1.0)},
    )  # fmt: skip
    position, velocity = end(make, model, 1)
    np.testing.assert_allclose(position, (5.0, 1.0), atol=1e-5 * bounces)
    np.testing.assert_allclose(velocity, (10.0 * bounces + 3.0, 0.0))


@ENGINES
@pytest.mark.parametrize("boundary", ["periodic", "reflecting"])
def test_a_movement_that_is_too_long_is_an_error(make: Any, boundary: Any) -> None:
    """It names the boid, the step and the remedy; nothing is cut."""
    model = one_boid(
        (2.0, 1.0), (1e7, 0.0), (0.0, 0.0),
        space=mm.Space(size=(20.0, 20.0), boundary=boundary),
        obstacles={"rock": mm.Sphere(centre=(5.0, 5.0), radius=1.0)},
    )  # fmt: skip
    words = (
        r"boid 0 of flock 'boids' does not finish its movement in step 1: it meets obstacles, "
        r"closed faces or whole periods of the space more than 8192 times. Limit its speed "
        r"\(motion.max_speed\), or make dt smaller"
    )
    with pytest.raises(mm.RunError, match=words):
        make(model).step(1)
