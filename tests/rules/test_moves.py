"""How boids move, by hand: faces of the space, obstacles, perching, turns, stages."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.model.wires import wire_place

# Where the reference engine alone is asked, the parity tests say the same of the fast one.
BOTH = pytest.mark.parametrize(
    "make", [flights.reference, pytest.param(flights.cpu, marks=pytest.mark.long)]
)
REFERENCE = pytest.mark.parametrize("make", [flights.reference])


def model(space: Any, at: Any, moving: Any, **parts: Any) -> mm.Model:
    """Boids given one by one, without rules unless `parts` has some."""
    start = mm.Given(positions=at, velocities=moving)
    flock = mm.Flock(
        count=len(at),
        start=start,
        motion=parts.pop("motion", mm.Add()),
        perching=parts.pop("perching", None),
    )
    return mm.Model(space=space, flocks={"boids": flock}, **parts)


def after(make: Any, model: mm.Model, steps: int = 1) -> tuple[Any, Any, Any]:
    flight = make(model)
    flight.step(steps)
    return flights.arrays(flight)["boids"]


@BOTH
def test_faces(make: Any) -> None:
    """x is a torus, y reflects, z is held; the space is (-1 ... 9) on each axis."""
    space = mm.Space(
        size=(10.0,) * 3, origin=(-1.0,) * 3, boundary=("periodic", "reflecting", "held")
    )
    at, moving = (8.0, 8.0, 8.0), (3.0, 3.0, 3.0)
    low, back = (0.0, 0.0, 0.0), (-3.5, -3.5, -3.5)
    far = (57.0, 32.0, 0.5)  # 65 - 6 sides; 40: over the upper face, the lower, the upper, ...
    positions, velocities, _ = after(make, model(space, [at, low, at], [moving, back, far]))
    # x: 11 - 10; y: 9 - 2; z: cut to 9
    np.testing.assert_allclose(positions[0], [1.0, 7.0, 9.0], atol=1e-12)
    np.testing.assert_allclose(velocities[0], [3.0, -3.0, 3.0], atol=1e-12)
    # x: -3.5 + 10; y: -1 + 2.5; z: cut to -1
    np.testing.assert_allclose(positions[1], [6.5, 1.5, -1.0], atol=1e-12)
    np.testing.assert_allclose(velocities[1], [-3.5, 3.5, -3.5], atol=1e-12)
    # y: 40 = -1 + 4 sides + 1: four reflections, so at 0 and flying as before
    np.testing.assert_allclose(positions[2], [5.0, 0.0, 8.5], atol=1e-12)
    np.testing.assert_allclose(velocities[2], [57.0, 32.0, 0.5], atol=1e-12)


@BOTH
@pytest.mark.parametrize("dims", [2, 3])
def test_obstacles(make: Any, dims: int) -> None:
    """Boids stop at the surface, but for what slides along it."""
    space = mm.Space(size=(20.0,) * dims)
    obstacles = {
        "ball": mm.Sphere(centre=(10.0, 10.0, 0.0)[:dims], radius=2.0),
        "box": mm.Box(centre=(3.0, 10.0, 0.0)[:dims], size=(2.0, 4.0, 2.0)[:dims]),
        "floor": mm.Wall(point=(0.0, 1.0, 0.0)[:dims], normal=(0.0, 3.0, 0.0)[:dims]),
    }
    columns = [
        # place, velocity -> place, velocity
        ((7.0, 10.0), (2.0, 0.0), (8.0, 10.0), (0.0, 0.0)),  # head on into the ball
        ((10.0, 13.0), (1.0, -0.5), (11.0, 12.5), (1.0, -0.5)),  # past it
        ((0.0, 11.0), (4.0, 0.5), (2.0, 11.5), (0.0, 0.5)),  # along the box's left face
        ((3.0, 7.0), (1.0, 2.0), (4.0, 8.0), (1.0, 0.0)),  # along its lower face
        ((15.0, 2.0), (1.0, -2.0), (16.0, 1.0), (1.0, 0.0)),  # along the floor
        ((15.0, 5.0), (1.0, -2.0), (16.0, 3.0), (1.0, -2.0)),  # not there yet
        ((3.5, 10.0), (0.0, 0.0), (4.0, 10.0), (0.0, 0.0)),  # began inside the box: put out
        ((10.0, 9.0), (0.0, 0.0), (10.0, 8.0), (0.0, 0.0)),  # began inside the ball
        ((15.0, 0.5), (0.0, 0.0), (15.0, 1.0), (0.0, 0.0)),  # began below the floor
    ]
    rows = [[(*row[k], 0.0)[:dims] for row in columns] for k in range(4)]
    positions, velocities, _ = after(make, model(space, rows[0], rows[1], obstacles=obstacles))
    # a hundred-thousandth of the coordinates stands between a boid and what it touched
    np.testing.assert_allclose(positions, rows[2], atol=5e-4)
    np.testing.assert_allclose(velocities, rows[3], atol=5e-4)


@BOTH
@pytest.mark.parametrize("dims", [2, 3])
def test_tank(make: Any, dims: int) -> None:
    """Who would leave a round tank slides along its wall, to its place nearest to the way's end."""
    obstacles = {"tank": mm.Tank(centre=(10.0, 10.0, 5.0)[:dims], radius=5.0)}
    columns = [
        # place, velocity -> place, velocity
        ((10.0, 10.0, 9.0), (1.0, 2.0, 3.0), (11.0, 12.0, 12.0), (1.0, 2.0, 3.0)),  # not there yet
        ((13.0, 10.0, 9.0), (4.0, 0.0, 1.0), (15.0, 10.0, 10.0), (0.0, 0.0, 1.0)),  # head on
        # at the end 8 and 6 from the centre: 5 along that way, where (1, 6) is 4.4 outwards
        ((17.0, 10.0, 9.0), (1.0, 6.0, 1.0), (14.0, 13.0, 10.0), (-2.52, 3.36, 1.0)),
        (
            (13.0, 10.0, 0.0),
            (1.9999999, 0.0, 0.0),
            (15.0, 10.0, 0.0),
            (0.0, 0.0, 0.0),
        ),  # just there
        ((6.0, 10.0, 0.0), (99.0, 0.0, 0.0), (15.0, 10.0, 0.0), (0.0, 0.0, 0.0)),  # right across
        ((10.0, 17.0, 0.0), (0.0, -1.0, 0.0), (10.0, 15.0, 0.0), (0.0, -1.0, 0.0)),  # began outside
    ]
    rows = [[row[k][:dims] for row in columns] for k in range(4)]
    space = mm.Space(size=(20.0,) * dims)
    positions, velocities, _ = after(make, model(space, rows[0], rows[1], obstacles=obstacles))
    np.testing.assert_allclose(positions, rows[2], atol=2e-3)
    np.testing.assert_allclose(velocities, rows[3], atol=2e-3)
    # a hundred-thousandth of the coordinates stands between a boid and what it touched
    gaps = 5.0 - np.hypot(*(positions[:, :2] - 10.0).T)
    skins = 1e-5 * np.abs(positions).sum(axis=1)
    assert (gaps[1:] > 0.999 * skins[1:]).all()


@REFERENCE
def test_perching(make: Any) -> None:
    """A boid that sinks below the ground stands on it for two steps, then goes on as it came."""
    space = mm.Space(size=(10.0, 10.0))
    example = model(
        space,
        [(1.0, 1.5), (1.0, 9.0)],
        [(0.25, -1.0), (0.25, -1.0)],
        perching=mm.Perching(ground=1.0, shortest=2, longest=2),
    )
    flight = make(example)
    seen = []
    for _ in range(4):
        flight.step(1)
        positions, velocities, timers = flights.arrays(flight)["boids"]
        seen.append((*positions[0], timers[0]))
        assert (velocities == [0.25, -1.0]).all()
    assert seen == [(1.25, 1.0, 2), (1.25, 1.0, 1), (1.25, 1.0, 0), (1.5, 1.0, 2)]
    assert (positions[1] == [2.0, 5.0]).all()
    assert timers[1] == 0


@BOTH
@pytest.mark.parametrize("dims", [2, 3])
def test_a_wire(make: Any, dims: int) -> None:
    """A boid that passes its place lands there, sits across the wire, and leaves for a while."""
    ends = ((0.0, 6.0), (10.0, 6.0)) if dims == 2 else ((0.0, 5.0, 6.0), (10.0, 5.0, 6.0))
    x = 0.4 + 9.2 * 0.5 / 17711  # of boid 0
    example = model(
        mm.Space(size=(20.0,) * dims, boundary="open"),
        [(x - 3.0, 6.4) if dims == 2 else (x - 3.0, 2.0, 6.4)],
        [(2.0, 0.0) if dims == 2 else (2.0, 2.0, 0.0)],
        perching=mm.Perching(ground=-9.0, shortest=2, longest=2),
        rules={"wire": mm.Perch(start=ends[0], end=ends[1], reach=0.5, weight=0.0)},
    )
    flight, seen = make(example), []
    for _ in range(5):
        flight.step(1)
        positions, velocities, timers = flights.arrays(flight)["boids"]
        seen.append((positions[0], velocities[0], timers[0]))
    place = (x, 6.0) if dims == 2 else (x, 5.0, 6.0)
    speed = math.sqrt(8.0) if dims == 3 else 2.0
    away = (speed, 0.0) if dims == 2 else (0.0, speed, 0.0)
    assert [timer for *_, timer in seen] == [0, 2, 1, 0, 0]
    for position, velocity, _ in seen[1:4]:
        np.testing.assert_allclose(position, place, atol=1e-6)
        np.testing.assert_allclose(velocity, away, atol=1e-6)
    np.testing.assert_allclose(seen[4][0], np.add(place, away), atol=1e-6)


def test_places_on_a_wire_are_spread() -> None:
    """Any number of boids: no two are nearer than 38 % of an even distance."""
    for count in (2, 13, 100, 1000):
        ends = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
        parts = sorted(wire_place(i, 2, *ends, 0.0)[0] for i in range(count))
        assert parts[0] > 0.04 and parts[-1] < 0.96
        assert np.diff(parts).min() > 0.38 * 0.92 / count


ORDERS = {
    # three boids in a row at 0, 1, 3; each turns to the mean of the others' velocities, and then
    # moves by its own
    ("synchronous", "in-turn"): [(2 + 3) / 2, (1 + 3) / 2, (1 + 2) / 2],
    ("one-by-one", "in-turn"): [2.5, (2.5 + 3) / 2, (2.5 + 2.75) / 2],
}


@REFERENCE
@pytest.mark.parametrize("order", ["synchronous", "one-by-one"])
def test_orders(make: Any, order: Any) -> None:
    space = mm.Space(size=(10.0, 10.0))
    row = [(0.0, 0.0), (1.0, 0.0), (3.0, 0.0)]
    example = model(
        space,
        row,
        [(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)],
        order=order,
        rules={"alignment": mm.Alignment()},
    )
    positions, velocities, _ = after(make, example)
    expected = np.array(ORDERS[order, "in-turn"])
    np.testing.assert_allclose(velocities[:, 0], expected, atol=1e-12)
    np.testing.assert_allclose(positions[:, 0], np.array([0.0, 1.0, 3.0]) + expected, atol=1e-12)


@REFERENCE
@pytest.mark.parametrize("positions", ["in-turn", "at-end"])
def test_when_positions_move(make: Any, positions: Any) -> None:
    """Two boids, the first flies to the second; where the second sees it hangs on when it moves."""
    example = model(
        mm.Space(size=(10.0, 10.0)),
        [(0.0, 0.0), (4.0, 0.0)],
        [(1.0, 0.0), (0.0, 0.0)],
        order="one-by-one",
        positions=positions,
        rules={"cohesion": mm.Cohesion(weight=0.5)},
    )
    points, velocities, _ = after(make, example)
    # the first: 1 + 0.5 * 4 = 3; it is at 3 or still at 0 when the second looks
    push = 0.5 * (3.0 - 4.0) if positions == "in-turn" else 0.5 * (0.0 - 4.0)
    np.testing.assert_allclose(velocities[:, 0], [3.0, push], atol=1e-12)
    np.testing.assert_allclose(points[:, 0], [3.0, 4.0 + push], atol=1e-12)


@REFERENCE
def test_shuffled_orders_are_uniform(make: Any) -> None:
    """Over many steps either of two boids goes first about as often."""
    example = model(
        mm.Space(size=(10.0, 10.0)),
        [(0.0, 0.0), (1.0, 0.0)],
        [(1.0, 0.0), (3.0, 0.0)],
        order="shuffled",
        rules={"alignment": mm.Alignment()},
    )
    # the one that goes first takes the other's velocity, and the second then keeps its own
    first = []
    for seed in range(60):
        flight = make(example, seed=seed)
        flight.step(1)
        velocities = flights.arrays(flight)["boids"][1]
        assert velocities[0, 0] == velocities[1, 0]
        first.append(velocities[0, 0] == 3.0)
    assert 15 <= sum(first) <= 45


@REFERENCE
def test_stages(make: Any) -> None:
    """The second stage aligns to the velocities that the first left, and only then boids move."""
    example = model(
        mm.Space(size=(10.0, 10.0)),
        [(1.0, 1.0), (2.0, 1.0)],
        [(0.0, 0.0), (4.0, 0.0)],
        rules={
            "alignment": mm.Alignment(stage=2, weight=0.5),
            "wind": mm.Borders(stage=1, lower=(1.5, 0.0), upper=(9.0, 9.0), weight=2.0),
        },
    )
    positions, velocities, _ = after(make, example)
    # stage 1: the first boid is pushed to 2; stage 2: 2 + (4 - 2) / 2, 4 + (2 - 4) / 2
    np.testing.assert_allclose(velocities[:, 0], [3.0, 3.0], atol=1e-12)
    np.testing.assert_allclose(positions[:, 0], [4.0, 5.0], atol=1e-12)


@REFERENCE
def test_priority(make: Any) -> None:
    """The first rule takes what it needs of the largest force, the second what is left."""
    start = mm.Given(positions=((0.0, 0.0),), velocities=((0.0, 0.0),))
    flock = mm.Flock(count=1, start=start, motion=mm.Add(max_force=2.0), combine="priority")
    rules = {
        "first": mm.Wind(vector=(1.5, 0.0)),
        "second": mm.Wind(vector=(0.0, 4.0)),
        "third": mm.Wind(vector=(9.0, 9.0)),
    }
    example = mm.Model(space=mm.Space(size=(9.0, 9.0)), flocks={"boids": flock}, rules=rules)
    _, velocities, _ = after(make, example)
    np.testing.assert_allclose(velocities[0], [1.5, 0.5], atol=1e-12)


@BOTH
def test_lost(make: Any) -> None:
    """A boid that leaves the space by far ends the run, by name; the flock stays as it was then."""
    example = model(
        mm.Space(size=(10.0, 10.0)),
        [(1.0, 1.0), (2.0, 1.0)],
        [(0.0, 0.0), (0.0, 6e6)],
        rules={"cohesion": mm.Cohesion(weight=0.0)},
    )
    flight = make(example)
    flight.step(1)
    with pytest.raises(mm.RunError, match=r"boid 1 of flock 'boids'.*after step 2") as caught:
        flight.step(5)
    assert (caught.value.step, caught.value.flock, caught.value.boid) == (2, "boids", 1)
    assert flight.step_number == 2
    assert flights.arrays(flight)["boids"][0][1, 1] == 12e6 + 1


@BOTH
def test_not_a_number_is_lost(make: Any) -> None:
    """A push beyond all numbers is found out, too."""
    example = model(
        mm.Space(size=(10.0, 10.0)),
        [(1.0, 1.0), (2.0, 1.0)],
        [(0.0, 0.0), (0.0, 0.0)],
        rules={"cohesion": mm.Cohesion(weight=1e9)},
    )
    with pytest.raises(mm.RunError, match="not finite"):
        make(example).step(99)
