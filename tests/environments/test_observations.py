"""What agents observe, against closed forms and against a search in plain Python."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.environments import NearestBoids, OwnPosition, OwnState, OwnVelocity, Rays, Task
from murmurate.environments.actions import Steer
from murmurate.neighbours.k_nearest import k_nearest

SQUARE = mm.Space(size=(10, 10), boundary="periodic")


def worlds_of(model: mm.Model, positions: Any, velocities: Any) -> mm.Worlds:
    """Return worlds on engine reference with a flock in given states, (E, N, D)."""
    count = len(positions)
    return mm.Worlds(model, count, start={"boids": (positions, velocities)}, engine="reference")


def observed(model: mm.Model, observation: Any, positions: Any, velocities: Any) -> np.ndarray:
    task = Task(model, "boids", [observation], Steer("velocity"), "polarization")
    x, v = np.array(positions, float), np.array(velocities, float)
    return task.observe(worlds_of(model, x, v))


def plain(count: int, dims: int = 2, **changes: Any) -> mm.Model:
    space = changes.pop("space", mm.Space(size=(10,) * dims))
    flock = mm.Flock(count=count, motion=mm.Add())
    return mm.Model(space=space, flocks={"boids": flock}, **changes)


def test_own_numbers() -> None:
    model = plain(2, space=SQUARE)
    x, v = [[[1, 9], [4, 4]]], [[[1, 0], [0, -2]]]
    assert observed(model, OwnVelocity(), x, v).tolist() == v
    assert observed(model, OwnPosition(), x, v).tolist() == x
    to_point = observed(model, OwnPosition(point=(2, 1)), x, v)
    assert to_point.tolist() == [[[1, 2], [-2, -3]]]  # across the face for the first


def test_columns_are_named_in_the_order_of_the_observations() -> None:
    task = Task(
        plain(2), "boids", [OwnVelocity(), NearestBoids(1)], Steer("velocity"), "polarization"
    )
    assert task.columns == (
        "velocity.x", "velocity.y", "boid0.there", "boid0.to.x", "boid0.to.y", "boid0.velocity.x",
        "boid0.velocity.y",
    )  # fmt: skip


@pytest.mark.slow
def test_nearest_boids() -> None:
    model = plain(3, space=SQUARE)
    x, v = [[[1, 1], [9, 1], [4, 1]]], [[[1, 0], [0, 1], [0, 0]]]
    first = observed(model, NearestBoids(2), x, v)[0, 0]
    assert first.tolist() == [1, -2, 0, -1, 1, 1, 3, 0, -1, 0]
    near = observed(model, NearestBoids(2, radius=2.5), x, v)[0, 0]
    assert near.tolist() == [1, -2, 0, -1, 1, 0, 0, 0, 0, 0]
    ahead = observed(model, NearestBoids(1, field_of_view=45), x, v)[0, 0]
    assert ahead.tolist() == [1, 3, 0, -1, 0]


@pytest.mark.slow
def test_the_flocks_of_nearest_boids() -> None:
    flock = mm.Flock(count=1, motion=mm.Add())
    model = mm.Model(space=SQUARE, flocks={"boids": flock, "dogs": flock})
    task = Task(model, "dogs", [NearestBoids(1)], Steer("velocity"), "polarization")
    starts = {"boids": ([[1, 1]], [[0, 1]]), "dogs": ([[2, 1]], [[0, 0]])}
    worlds = mm.Worlds(model, 1, start=starts, engine="reference")
    assert task.observe(worlds)[0, 0].tolist() == [1, -1, 0, 0, 1, 1, 0]
    assert task.columns[-2:] == ("boid0.is.boids", "boid0.is.dogs")


@pytest.mark.slow
def test_rays_meet_faces_obstacles_and_boids() -> None:
    space = mm.Space(size=(10, 10), boundary="held")
    rock = mm.Sphere(centre=(8, 5), radius=1)
    model = plain(2, space=space, obstacles={"rock": rock})
    x, v = [[[5, 5], [5, 8]]], [[[1, 0], [0, 0]]]
    rays = observed(model, Rays(4, reach=20, boid_radius=0.5), x, v)[0, 0]
    assert rays == pytest.approx([2, 0, 2.5, 1, 5, 0, 5, 0], abs=1e-5)
    through = observed(model, Rays(4, reach=4), x, v)[0, 0]
    assert through == pytest.approx([2, 0, 4, 0, 4, 0, 4, 0], abs=1e-5)


@pytest.mark.slow
def test_rays_in_3_d_meet_the_faces_of_a_cube_at_their_distances() -> None:
    model = plain(1, 3, space=mm.Space(size=(10,) * 3, boundary="held"))
    rays = Rays(50, reach=20)
    way = np.array([1.0, 2.0, -2.0]) / 3
    row = observed(model, rays, [[[5, 5, 5]]], [[way]])[0, 0, ::2]
    side = np.array([-way[1], way[0], 0]) / math.hypot(way[0], way[1])
    frame = np.array([way, side, np.cross(way, side)])
    directions = rays.directions(3) @ frame
    assert row == pytest.approx(5 / np.abs(directions).max(axis=1), rel=1e-5)


@pytest.mark.parametrize(
    ("observation", "text"),
    [
        (lambda: NearestBoids(0), "k: got 0"),
        (lambda: NearestBoids(3, radius=0), "radius: got 0"),
        (lambda: NearestBoids(3, field_of_view=0), "field_of_view: got 0"),
        (lambda: NearestBoids(3, ["wolves"]), "wolves"),
        (lambda: OwnState("rules.flee.tiredness"), "rules.flee.tiredness"),
        (lambda: OwnPosition(point=(1, 2, 3)), "expected 2 numbers"),
        (lambda: Rays(0), "count: got 0"),
        (lambda: Rays(4, reach=0), "reach: got 0"),
        (lambda: Rays(4, boid_radius=-1), "boid_radius: got -1"),
    ],
)
def test_what_cannot_be_observed(observation: Any, text: str) -> None:
    with pytest.raises(mm.ModelError, match=text):
        Task(plain(2), "boids", [observation()], Steer("velocity"), "polarization")


def searched(
    x: np.ndarray, space: mm.Space, k: int, radius: float, views: Any, angle: float, targets: Any
) -> np.ndarray:
    """Return the rows of the k nearest points of a world by comparing all pairs."""
    rows = np.full((len(x), k), -1)
    for i in np.flatnonzero(np.isfinite(x[:, 0])):
        gaps = space.minimum_image(x - x[i])
        squares = (gaps**2).sum(axis=1)
        valid = np.isfinite(squares) & targets & (squares <= radius**2)
        if angle < 180:
            ahead = gaps @ views[i] / np.linalg.norm(views[i])
            valid &= ahead >= math.cos(math.radians(angle)) * np.sqrt(squares)
        valid[i] = False
        found = np.flatnonzero(valid)
        found = found[np.argsort(squares[found], kind="stable")][:k]
        rows[i, : len(found)] = found
    return rows


@pytest.mark.slow
def test_the_nearest_points_of_many_worlds() -> None:
    """Random spaces, clouds that are dense in places, missing points, and points on one line."""
    dice = np.random.default_rng(1)
    for trial in range(150):
        dims, count, worlds = (
            dice.integers(2, 4),
            int(dice.uniform(1, 14) ** 2),
            dice.integers(1, 4),
        )
        boundary = ["periodic" if wraps else "open" for wraps in dice.integers(0, 2, dims)]
        space = mm.Space(size=tuple(dice.uniform(1, 20, dims).tolist()), boundary=boundary)
        x = dice.uniform(space.lower, space.upper, (worlds, count, dims))
        if trial % 3 == 0:
            x = np.where(dice.uniform(size=(worlds, count, 1)) < 0.5, 0.05 * x, x)
        if trial % 7 == 0:
            x[..., 0] = x[0, 0, 0]
        if trial % 4 == 0:
            x[dice.uniform(size=(worlds, count)) < 0.2] = np.nan
        if trial % 11 == 0:
            x = np.round(x)  # many at equal distances
        k = int(dice.integers(1, 13))
        radius = math.inf if trial % 2 else float(dice.uniform(0.2, 8))
        angle = float(dice.uniform(5, 175)) if trial % 5 == 0 else 180.0
        targets = dice.uniform(size=count) < 0.6 if trial % 6 == 0 else np.ones(count, bool)
        first = int(dice.integers(0, count))
        seeing = slice(first, int(dice.integers(first, count + 1)))
        views = dice.normal(size=x.shape)
        got = k_nearest(
            x, space, k, observers=seeing, targets=targets, radius=radius,
            headings=views[:, seeing], field_of_view=angle, threads=int(dice.integers(1, 4)),
        )  # fmt: skip
        for world in range(worlds):
            found = searched(x[world], space, k, radius, views[world], angle, targets)
            assert np.array_equal(got[world], found[seeing]), trial
