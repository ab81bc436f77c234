"""Functions of kernels for obstacles, in Python: reach, ways out and in, edges, by geometry."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.codegen import obstacle_shapes
from murmurate.codegen.obstacle_contact import bend_into_tanks, contact_planes
from murmurate.codegen.obstacle_movement import exit_direction, lift, press_out, shortest_exit
from murmurate.codegen.obstacle_path import nearest_edge
from murmurate.codegen.plan import obstacle_table
from murmurate.model.shapes.geometry import NEVER

SIDES, EXTENT = (0.0, 0.0, 0.0), (1.0, 1e-12, 1e-14, 0.0)
OPEN_FACES = ((obstacle_shapes.OPEN, -20.0, 20.0),) * 3
SHAPES = {
    "sphere": mm.Sphere(centre=(0.0, 0.0, 0.0), radius=3.0),
    "box": mm.Box(centre=(0.0, 0.0, 0.0), size=(2.0, 4.0, 6.0)),
    "wall": mm.Wall(point=(0.0, 0.0, 0.0), normal=(1.0, -2.0, 0.5)),
    "tank": mm.Tank(centre=(0.0, 0.0, 0.0), radius=5.0),
    "cylinder": mm.Cylinder(centre=(0.0, 0.0, 0.0), radius=3.0, height=5.0),
}


def row(name: str, dims: int) -> np.ndarray:
    shape = SHAPES[name]
    cut = {key: value[:dims] for key, value in shape if isinstance(value, tuple)}
    space = mm.Space(size=(9.0,) * dims)
    model = mm.Model(
        space=space,
        flocks={"boids": mm.Flock(count=1)},
        obstacles={name: shape.model_copy(update=cut)},
    )
    return obstacle_table(model, 0.0)[0]


@pytest.mark.parametrize("name", SHAPES)
def test_kernels_know_of_a_shape_what_its_class_says(name: str) -> None:
    shape, obstacle = SHAPES[name], row(name, 3)
    assert obstacle_shapes.encloses(obstacle) == shape.encloses
    assert obstacle_shapes.unbounded(obstacle) == shape.unbounded


@pytest.mark.parametrize(
    ("name", "dims"),
    [(name, dims) for name in SHAPES for dims in (2, 3) if (name, dims) != ("cylinder", 2)],
)
def test_what_is_beyond_is_farther_than_the_way(name: str, dims: int) -> None:
    """And most that is twice as far is found to be beyond."""
    obstacle = row(name, dims)
    random = np.random.default_rng(4)
    far = result = 0
    for point in random.uniform(-9.0, 9.0, (2000, 3)):
        x, y, z = point[0], point[1], point[2] if dims == 3 else 0.0
        way = random.uniform(0.0, 3.0)
        *_, distance = obstacle_shapes.surface(obstacle, x, y, z)
        beyond = obstacle_shapes.is_beyond(obstacle, x, y, z, way)
        assert not beyond or distance > way
        if not obstacle_shapes.is_out_of_reach(obstacle, x, y, z, way):
            beyond = False
        far += distance > 2.0 * way + 0.01
        result += beyond
    assert far > 100 and result > 0.8 * far


def test_a_boid_far_from_all_obstacles_is_clear_of_them() -> None:
    """In 2-D too, where boxes have no faces across z; round a torus, by the nearest image."""
    table = np.array([row(name, 2) for name in ("sphere", "box")])
    for x, sides, expected in ((20.0, 0.0, True), (3.5, 0.0, False), (20.0, 21.0, False)):
        axis = (obstacle_shapes.PERIODIC if sides else obstacle_shapes.OPEN, 0.0, sides)
        faces = axis, axis, (obstacle_shapes.NO_AXIS, 0.0, 0.0)
        clear = obstacle_shapes.is_clear(table, x, 0.0, 0.0, 0.4, 0.3, 0.0, faces, 1e-14)
        assert clear == expected


@pytest.mark.parametrize("x", [0.0, 4.98, -4.98, 5.01, -5.01, 14.0, -26.0])
def test_the_nearest_image(x: float) -> None:
    expected = min((x + 10.0 * k for k in range(-3, 4)), key=abs)
    assert obstacle_shapes.nearest_image(x, 10.0) == pytest.approx(expected)
    assert obstacle_shapes.nearest_image(x, 0.0) == x


def test_a_path_ends_in_a_tank_at_the_nearest_point() -> None:
    tank = row("tank", 3)
    p, d = np.array([3.0, 1.0, 2.0]), np.array([4.0, 2.0, -0.5])
    q = p + bend_into_tanks(np.array([tank]), tuple(p), tuple(d), SIDES, EXTENT)
    assert q == pytest.approx([*(p + d)[:2] * 5.0 / np.hypot(7.0, 3.0), 1.5], abs=1e-3)
    beside = tank.copy()
    beside[1] = 8.0  # both tanks meet at (4, 3)
    q = bend_into_tanks(np.array([tank, beside]), (4.0, 0.0, 0.0), (0.0, 9.0, 0.0), SIDES, EXTENT)
    assert q == pytest.approx((0.0, 3.0, 0.0), abs=5e-3)


def test_a_boid_leaves_a_sphere_that_moved_over_it() -> None:
    table = np.array([row("sphere", 3)])
    table[0, 4] = 2.5
    for wall, expected in ((20.0, (1.5, 2.0)), (1.2, (1.2, 2.1932))):  # along a face
        faces = ((obstacle_shapes.REFLECTING, -20.0, wall), *OPEN_FACES[1:])
        q = press_out(table, (0.6, 0.8, 0.0), SIDES, faces, EXTENT, table)
        assert q[:2] == pytest.approx(expected, abs=1e-3)
    blocked = np.repeat(table, 2, axis=0)
    blocked[1, 1:3] = 3.0, 3.0
    q = press_out(blocked, (0.6, 0.8, 0.0), SIDES, OPEN_FACES, EXTENT, blocked)
    assert np.hypot(*q[:2]) == pytest.approx(2.5, abs=1e-3)
    assert q[1] - q[0] > 1.0  # beside the sphere that blocks the way, which it never enters


@pytest.mark.parametrize("h", [(0.6, 0.8, 0.0), (0.0, 1.0, 0.0), (0.48, 0.6, 0.64)])
def test_a_path_that_meets_a_tank_turns_across_it(h: tuple[float, float, float]) -> None:
    x, h = np.array([1.0, -2.0, 0.5]), np.array(h)
    q = x + 3.0 * h
    inwards = np.array([-q[0], -q[1], 0.0])
    across = inwards - (inwards @ h) * h
    beside, gap = nearest_edge(row("tank", 3), tuple(x), tuple(h), 3.0, False)
    assert beside == pytest.approx(across / np.linalg.norm(across)) and gap == 3.0


def test_contacts_and_lifts() -> None:
    none = (0.0, 0.0, 0.0)
    tank, sphere = row("tank", 3)[None], row("sphere", 3)
    for with_tanks, expected in ((False, none), (True, (-1.0, 0.0, 0.0))):
        planes = contact_planes(tank, (4.99999, 0.0, 0.0), SIDES, EXTENT, with_tanks)
        assert planes == (expected, none, none, none)
    both, near = np.array([sphere, tank[0]]), (0.0, 3.0, 0.0)
    skin = obstacle_shapes.skin_of(sphere, near, EXTENT)
    for part, expected in ((0.4, 1.0), (0.6, 0.6)):  # not from more than half a skin
        x, y, z = lift(both, (0.0, 3.0 + part * skin, 0.0), SIDES, OPEN_FACES, EXTENT)
        assert (x, z) == (0.0, 0.0) and y - 3.0 == pytest.approx(expected * skin, rel=1e-3)


def test_the_side_to_which_a_boid_leaves() -> None:
    """That from which the obstacle came; else the nearest, along axes and normals."""
    before, sphere = row("box", 3), row("sphere", 3)
    after = before.copy()
    after[1] = 1.9  # it moved over a boid at 1.2, whose nearest face is the left one
    assert exit_direction(after, before, (1.2, 0.0, 0.0), SIDES) == (1.0, 0.0, 0.0)
    assert exit_direction(after, after, (1.2, 0.0, 0.0), SIDES) == (-1.0, 0.0, 0.0)
    both = np.array([sphere, before])  # to leave the box at its nearest face is a longer way
    q = shortest_exit(both, (0.0, 0.5, 0.0), SIDES, OPEN_FACES, EXTENT, both, False)
    assert q == pytest.approx((0.0, 3.0, 0.0), abs=1e-3)


@pytest.mark.parametrize(
    ("x", "d", "out", "expected"),
    [
        ((3.0005, 0.0, 0.0), (-1e-4, 1.0, 0.0), False, 0.0),  # in contact, and into it
        ((3.0005, 0.0, 0.0), (0.0, 1.0, 0.0), False, NEVER),  # along it
        ((2.0, 0.0, 0.0), (-1.0, 0.0, 0.0), False, 0.0),
        ((2.0, 0.0, 0.0), (-1.0, 0.0, 0.0), True, NEVER),  # out of what contains it
        ((5.0, 0.0, 0.0), (-4.0, 0.0, 0.0), True, (2.0 - 1e-3) / 4.0),
    ],
)
def test_when_a_sphere_is_entered(x: tuple, d: tuple, out: bool, expected: float) -> None:
    t = obstacle_shapes.entry_time(row("sphere", 3), x, d, 1e-3, 0.0, out)
    assert t == pytest.approx(expected, abs=1e-12)
