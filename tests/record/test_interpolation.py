"""Frames between two recorded ones, also of boids that join and leave in between."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.record.interpolation import interpolate

DT, EVERY = 0.1, 8
EVER = 12


def straight(step: int, ids: np.ndarray, space: Space, births: np.ndarray) -> Frame:
    """Return boids on straight lines, each with its own velocity and trait."""
    draw = np.random.default_rng(3)
    start = draw.uniform(2, 8, (EVER, space.dims))
    velocities = draw.normal(0, 0.5, (EVER, space.dims))
    positions = space.wrap(start + step * DT * velocities)
    boids = FlockFrame(
        "boids", ids, positions[ids], velocities[ids], np.zeros(len(ids), np.int64), space,
        traits={"motion.speed": np.arange(EVER)[ids] * 1.0}, births=births[ids],
        memory=np.arange(EVER)[ids][:, None] * 10.0, state_names=("rules.go.energy",),
        n_ever=1 + int(ids.max(initial=-1)),
    )  # fmt: skip
    return Frame(step, step * DT, space, {"boids": boids})


@pytest.mark.parametrize("boundary", ["periodic", "open"])
@pytest.mark.parametrize("dims", [2, 3])
def test_boids_that_join_and_leave_move_straight_on(boundary, dims):
    space = Space(size=(10.0,) * dims, boundary=boundary)
    births = np.array([0] * 8 + [3, 5, 6, 8])
    left = np.array([1, 4])
    before = straight(0, np.arange(8), space, births)
    after = straight(EVERY, np.setdiff1d(np.arange(EVER), left), space, births)
    for step in range(1, EVERY):
        between = interpolate(before, after, step, step * DT, {})["boids"]
        ids = np.flatnonzero((births <= step) & (np.arange(EVER) < 11))
        assert between.ids.tolist() == ids.tolist()
        exact = straight(step, ids, space, births)["boids"]
        apart = space.minimum_image(between.positions - exact.positions)
        np.testing.assert_allclose(apart, 0.0, atol=1e-12)
        np.testing.assert_allclose(between.velocities, exact.velocities, atol=1e-12)
        assert between.traits["motion.speed"].tolist() == ids.tolist()
        assert between.state("rules.go.energy").tolist() == (10 * ids).tolist()
        assert between.births.tolist() == births[ids].tolist()
        assert between.n_ever == 8 + (births[8:] <= step).sum()


def test_all_leave_and_others_join():
    space = Space(size=(10.0, 10.0), boundary="held")
    births = np.full(EVER, 4)
    before = straight(0, np.arange(5), space, births)
    after = straight(EVERY, np.arange(5, 7), space, births)
    numbers = [len(interpolate(before, after, k, k * DT, {})["boids"]) for k in range(1, EVERY)]
    assert numbers == [5, 5, 5, 7, 7, 7, 7]
    none = straight(EVERY, np.arange(0), space, births)
    assert len(interpolate(before, none, 3, 0.3, {})["boids"]) == 5
    assert len(interpolate(none, replace(none, step=2 * EVERY), 12, 1.2, {})["boids"]) == 0


def test_held_boids_stay_inside():
    space = Space(size=(10.0, 10.0), boundary="held")
    near = np.array([[9.9, 5.0]])
    boids = FlockFrame(
        "boids", np.array([0]), near, np.array([[3.0, 0.0]]), np.zeros(1, int), space
    )
    before = Frame(0, 0.0, space, {"boids": boids})
    after = Frame(EVERY, 0.8, space, {"boids": replace(
        boids, ids=np.zeros(0, int), positions=near[:0], velocities=near[:0],
        perch_timers=np.zeros(0, int), memory=None, births=None)})  # fmt: skip
    assert interpolate(before, after, 7, 0.7, {})["boids"].positions.max() <= 10.0
