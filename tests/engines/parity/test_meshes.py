"""Meshes: distances in closed form and by brute force, and movements past them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mesh_body import body_of

import flights
import murmurate as mm
from meshes import OPEN_FACES, ball, box, corner, ring, row
from murmurate.codegen import mesh_contact, mesh_shapes, obstacle_movement, obstacle_shapes
from murmurate.codegen.shape_functions import NUMBERS

SHAPES = {"box": box((2.0, 3.0, 4.0)), "corner": corner(), "ring": ring(), "ball": ball(2)}
vectors = st.tuples(*[st.floats(-5.0, 5.0)] * 3).map(np.array)


def points(number: int, count: int = 40) -> np.ndarray:
    return np.random.default_rng(number).uniform(-4.0, 4.0, (count, 3))


def test_a_mesh_of_a_box_has_the_distances_of_a_box() -> None:
    mesh, solid = row(SHAPES["box"]), np.array([NUMBERS["BOX"], 0, 0, 0, 1.0, 1.5, 2.0])
    for p in points(1, 200):
        expected = obstacle_shapes.clearance(solid, *p)
        assert mesh_shapes.mesh_clearance(mesh, *p) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_a_fine_ball_approaches_the_sphere() -> None:
    errors = []
    for levels in (1, 2, 3):
        mesh = row(ball(levels))
        distances = [mesh_shapes.mesh_clearance(mesh, *p)[0] for p in points(2)]
        errors.append(np.abs(distances - (np.linalg.norm(points(2), axis=1) - 1.0)).max())
    assert errors[1] < 0.4 * errors[0] and errors[2] < 0.4 * errors[1]


def test_sides_of_a_concave_mesh() -> None:
    mesh = row(SHAPES["corner"])
    inside = mesh_shapes.mesh_clearance(mesh, -0.5, -0.25, 0.0)
    assert inside[0] == pytest.approx(-np.hypot(0.5, 0.25))  # the inner edge is nearest
    assert inside[1:] == pytest.approx((0.5 / np.hypot(0.5, 0.25), 0.25 / np.hypot(0.5, 0.25), 0))
    assert mesh_shapes.mesh_clearance(mesh, 1.0, 0.5, 0.0) == pytest.approx((0.5, 0, 1, 0))
    hole = mesh_shapes.mesh_clearance(row(SHAPES["ring"]), 0.0, 0.0, 0.0)[0]
    assert 1.95 < hole < 2.1


@pytest.mark.parametrize("name", SHAPES)
def test_functions_of_a_mesh_agree_with_a_search_of_all_triangles(name: str) -> None:
    mesh, body = row(SHAPES[name]), body_of(SHAPES[name])
    random = np.random.default_rng(3)
    entries = 0
    for p in points(4, 25):
        distance, *normal = mesh_shapes.mesh_clearance(mesh, *p)
        expected = body.clearance(p)
        assert distance == pytest.approx(expected[0], abs=1e-12)
        assert normal == pytest.approx(expected[1], abs=1e-9)
        if mesh_shapes.is_beyond_mesh(mesh, *p, 0.4):
            assert distance > 0.4
        d, skin = -p + random.normal(size=3), 10.0 ** random.uniform(-4, -1)
        t, expected_t = (
            mesh_contact.mesh_entry(mesh, p, d, skin, 0.0, True),
            body.entered(p, d, skin, 0.0, on_way_out=True),
        )
        assert t == pytest.approx(min(expected_t, 2.0), abs=1e-7)
        entries += t < 1.0
        near = p - (distance - skin) * np.array(normal)  # one skin from the surface
        planes = mesh_contact.mesh_planes(((0.0,) * 3,) * 4, mesh, near, skin, False)
        touched = [n for _, n in body.touched(near, skin)]
        assert all(any(np.allclose(n, m, atol=1e-6) for m in touched) for n in planes if any(n))
        assert len(touched) > 4 or all(
            any(np.allclose(n, m, atol=1e-3) for n in planes) for m in touched
        )
    assert entries > 3


@pytest.mark.parametrize("name", ["corner", "ring"])
@settings(max_examples=10)
@given(p=vectors, moves=st.lists(vectors, min_size=1, max_size=6))
def test_no_boid_is_ever_inside(name: str, p: np.ndarray, moves: list[np.ndarray]) -> None:
    mesh = row(SHAPES[name])
    for d in moves:
        *x, u, v, w, lost = obstacle_movement.move_past(
            mesh[None], mesh[None], *p, *d, *d, OPEN_FACES, 1e-14
        )
        p = np.array(x)
        assert lost == 0.0
        assert mesh_shapes.mesh_clearance(mesh, *p)[0] >= 0.0
        assert np.linalg.norm((u, v, w)) <= np.linalg.norm(d) * (1 + 1e-9)


def test_ways_out_of_a_mesh_and_into_its_skin() -> None:
    mesh, skin = row(SHAPES["box"]), 1e-3
    x, e = np.array([0.2, 0.1, -0.3]), np.array([0.6, 0.8, 0.0])
    end = x + mesh_shapes.mesh_exit(mesh, x, e, skin) * e
    assert mesh_shapes.mesh_clearance(mesh, *end)[0] == pytest.approx(skin, rel=2e-3)
    for part in (0.5, 1.5):  # in contact, a boid that moves inwards stops nearer
        at = (1.0 + part * skin, 0.1, 0.2)
        t = mesh_contact.mesh_entry(mesh, at, (-1.0, 0.0, 0.0), skin, 0.0, False)
        assert t == pytest.approx((part - min(0.25, 0.5 * part)) * skin, rel=1e-6)


def test_a_boid_slides_over_edges_between_coplanar_triangles() -> None:
    table = row(SHAPES["box"])[None]
    x, y, z, u, v, w, _ = obstacle_movement.move_past(
        table, table, -0.9, -1.4, 2.5, 1.8, 2.8, -1.0, 1.8, 2.8, -1.0, OPEN_FACES, 1e-14
    )
    assert (x, y) == pytest.approx((0.9, 1.4), abs=1e-6)
    assert z == pytest.approx(2.0, abs=1e-3) and z > 2.0
    assert (u, v, w) == pytest.approx((1.8, 2.8, 0.0), abs=1e-9)


def test_a_boid_stops_in_a_corner_and_moves_through_a_ring() -> None:
    table = row(SHAPES["corner"])[None]
    x = obstacle_movement.move_past(table, table, 1.0, 1.5, 0.0, -3, -3, 0, -3, -3, 0,
                                    OPEN_FACES, 1e-14)  # fmt: skip
    assert x[:3] == pytest.approx((0, 0, 0), abs=1e-3)
    assert x[3:6] == pytest.approx((0, 0, 0), abs=1e-9)
    table = row(SHAPES["ring"])[None]
    x = obstacle_movement.move_past(table, table, 0.3, 0.2, 4.0, 0, 0, -8, 0, 0, -8,
                                    OPEN_FACES, 1e-14)  # fmt: skip
    assert x[:6] == (0.3, 0.2, -4.0, 0, 0, -8)


def test_the_nearest_image_of_a_mesh_is_sensed() -> None:
    space = mm.Space(size=(5.0, 20.0, 20.0), boundary="periodic")
    mesh = row(SHAPES["corner"], space)
    # at x = 2.4, y = 1 the inner side of this image is 2.4 away, the outer side of the next 0.6
    assert mesh_shapes.nearest_mesh_image(mesh, 2.4, 1.0, 0.0) == pytest.approx((-2.6, 1.0, 0.0))


def model(shape: Any, **changes: Any) -> mm.Model:
    random = np.random.default_rng(7)
    start = mm.Given(
        positions=tuple(map(tuple, random.uniform(-6.0, 6.0, (24, 3)).tolist())),
        velocities=tuple(map(tuple, random.normal(size=(24, 3)).tolist())),
    )
    flock = mm.Flock(count=24, start=start, motion=mm.Add(max_speed=2.0))
    space = mm.Space(size=(12.0,) * 3, origin=(-6.0,) * 3, boundary="reflecting")
    rules = {
        "avoid": mm.AvoidObstacles(radius=2.0, look_ahead=1.0, weight=0.2),
        "gather": mm.Cohesion(radius=6.0, weight=0.3),
    }
    return mm.Model(
        space=space, dt=0.5, flocks={"boids": flock}, rules=rules, obstacles={"mesh": shape}
    )


MOVING_RING = SHAPES["ring"].model_copy(
    update={"centre": (mm.Ramp(start=-1.0, stop=1.0, end=10.0), 0.0, 0.0)}
)


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(MOVING_RING, marks=pytest.mark.slow),
        pytest.param(SHAPES["corner"], marks=pytest.mark.long),
    ],
)
def test_engines_agree_on_meshes(shape: Any) -> None:
    cpu, plain = flights.interpreted(model(shape)), flights.reference(model(shape))
    cpu.step(6), plain.step(6)
    mine, other = (e.state().flocks["boids"] for e in (cpu, plain))
    np.testing.assert_allclose(mine.positions, other.positions, atol=1e-6)
    np.testing.assert_allclose(mine.velocities, other.velocities, atol=1e-6)


@pytest.mark.long
def test_engines_agree_on_a_mesh_of_a_box_and_a_box() -> None:
    solid = mm.Box(centre=(0.0, 0.0, 0.0), size=(2.0, 3.0, 4.0))
    mesh_run, box_run = flights.cpu(model(SHAPES["box"])), flights.cpu(model(solid))
    mesh_run.step(1), box_run.step(1)
    positions = [e.state().flocks["boids"].velocities for e in (mesh_run, box_run)]
    np.testing.assert_allclose(*positions, atol=1e-9)
