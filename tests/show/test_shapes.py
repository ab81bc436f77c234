"""Shapes of boids: position and heading; bodies flap, bank and bend."""

from typing import get_args

import numpy as np
import pytest
from small_frames import cloud, draw, flock, frame, middle_of, plain, space, where

import murmurate as mm
from murmurate.frame import FlockFrame
from murmurate.model.view import Camera, Look, Shape
from murmurate.show.body import BIRD, BODIES, FISH
from murmurate.show.painter import Painter

SHAPES = get_args(Shape)


def single(position, velocity=None, ids=None, resting=False):
    boid = flock([position], None if velocity is None else [velocity], ids=ids)
    if not resting:
        return boid
    return FlockFrame(
        boid.name, boid.ids, boid.positions, boid.velocities, np.array([9]), boid.space
    )


def picture_of(shape, moment, **view):
    return draw(moment, plain(**view), {"boids": Look(shape=shape)})


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("length", [4.0, 20.0])  # flat, and as a body where there is one
@pytest.mark.parametrize("point", [(50, 50), (70, 30), (70, 30, 60)])
def test_a_shape_is_drawn_where_the_boid_is(shape, length, point):
    painter, _, changed = picture_of(shape, frame(single(point)), boid_size=length)
    pixels = length * np.max(painter.projection.project(np.zeros((len(point), 1))).scale)
    assert np.hypot(*np.subtract(where(painter, point), middle_of(changed))) < 1 + 0.16 * pixels
    y, x = np.nonzero(changed > 20)
    assert max(np.ptp(x), np.ptp(y)) < 2.1 * pixels + 3


@pytest.mark.parametrize("shape", ["dart", "fish", "sheep", "dog", "arrow"])
@pytest.mark.parametrize("length", [2.5, 25.0])
def test_a_shape_points_along_its_velocity(shape, length):
    for velocity, axis in (((1, 0), 1), ((0, -1), 0)):
        _, _, changed = picture_of(shape, frame(single((50, 50), velocity)), boid_size=length)
        y, x = np.nonzero(changed > 20)
        assert np.ptp(x if axis else y) > 1.3 * np.ptp(y if axis else x)


def test_the_head_is_in_front():
    """The front half of a body or arrow covers more pixels."""
    for shape in ("fish", "arrow"):
        painter, _, changed = picture_of(shape, frame(single((50, 50), (1, 0))), boid_size=30)
        x = np.arange(changed.shape[1]) + 0.5 - where(painter, (50, 50))[0]
        columns = (changed > 20).sum(axis=0)
        assert columns[x > 0].sum() > 1.2 * columns[x < 0].sum()


def test_the_default_shape_is_that_of_the_style():
    moment = frame(single((50, 50)))
    for style, own in (("dark", "dart"), ("dusk", "bird")):
        view = plain(style=style, boid_size=20)
        pictures = [draw(moment, view, looks)[1] for looks in (None, {"boids": Look(shape=own)})]
        assert (pictures[0] == pictures[1]).all()


def test_a_bird_looks_smaller_from_the_side_than_from_above():
    """From the side its wings are edge-on, so that little more than the body is visible."""
    area = {}
    for elevation in (0, 89):
        view = {"camera": Camera(azimuth=0, elevation=elevation, follow="space"), "boid_size": 40}
        resting = frame(single((50, 50, 50), (0, 1, 0)))
        area[elevation] = (picture_of("bird", resting, **view)[2] > 20).sum()
    assert area[89] > 1.5 * area[0]


def test_wings_beat_at_each_boids_own_time():
    ids, resting = np.arange(300), np.zeros(300, bool)
    tips = [BIRD.pose(ids, seconds, resting)[2].max(axis=1) for seconds in np.arange(0, 3, 1 / 24)]
    tips = np.array(tips)
    assert np.ptp(tips, axis=0).min() > 0.3  # each beats
    assert np.ptp(tips, axis=1).min() > 0.3  # never all at once
    still = np.abs(np.diff(tips, axis=0)) < 1e-3
    assert 0.1 < still.mean() < 0.6  # and glides now and then


def test_resting_birds_fold_their_wings():
    in_flight, resting = (
        BIRD.pose(np.arange(9), 0.3, np.full(9, rest))[1].max(axis=1) for rest in (False, True)
    )
    assert resting.max() < 0.25 < in_flight.min()
    wide = [
        np.ptp(np.nonzero(picture_of("bird", frame(bird), boid_size=30)[2] > 20)[0])
        for bird in (single((50, 50)), single((50, 50), resting=True))
    ]
    assert wide[1] < 0.6 * wide[0]


def test_fish_bend():
    side = [FISH.pose(np.array([3]), t, np.zeros(1, bool))[1, 0] for t in np.linspace(0, 0.5, 24)]
    nose, tail = np.argmax(FISH.pose(np.array([3]), 0.0, np.zeros(1, bool))[0, 0]), -7
    swing = np.ptp(np.array(side), axis=0)
    assert swing[tail] > 4 * swing[nose] and swing[tail] > 0.15


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_faces_turn_outwards(body):
    """Faces of the closed part point away from its axis."""
    corners = body.pose(np.array([5]), 0.4, np.zeros(1, bool))[:, 0].T.astype(float)
    closed = corners[body.triangles[~body.thin]]
    normal = np.cross(closed[:, 1] - closed[:, 0], closed[:, 2] - closed[:, 0])
    out = (closed.mean(axis=1) - closed.mean(axis=(0, 1))) * [0.1, 1, 1]
    assert ((normal * out).sum(axis=1) > -1e-3).all()
    if body is BIRD:
        thin = corners[body.triangles[body.thin]]
        up = np.cross(thin[:, 1] - thin[:, 0], thin[:, 2] - thin[:, 0])[:, 2]
        assert (up > 0).all()


@pytest.mark.parametrize("shape", ["bird", "fish"])
@pytest.mark.parametrize("dims", [2, 3])
def test_the_same_pictures_twice(shape, dims):
    films = []
    for _ in range(2):
        painter = Painter(space(dims), plain(boid_size=9), {"boids": Look(shape=shape)})
        films.append([painter.draw(frame(cloud(30, dims, drift=k), step=k)) for k in range(3)])
    assert all((a == b).all() for a, b in zip(*films, strict=True))
    assert (films[0][0] != films[0][2]).any()


@pytest.mark.parametrize("shape", SHAPES)
def test_odd_boids_are_drawn_or_left_out(shape):
    odd = np.array([[50.0, 50, 50], [np.nan, 1, 1], [1e30, 0, 0], [50, 50, 1e6], [400, 50, 50]])
    velocities = np.array([[0, 0, 0], [1, 0, 0], [np.inf, 0, 0], [0, 0, 1], [-1, 0, 0.0]])
    drawn = [0, 3, 4]  # where they are is known, in view or not
    for dims, size in ((3, 30), (2, 400)):
        x, v = odd[:, :dims], velocities[:, :dims]
        _, picture, changed = picture_of(shape, frame(flock(x, v)), boid_size=size)
        _, expected, _ = picture_of(
            shape, frame(flock(x[drawn], v[drawn], ids=drawn)), boid_size=size
        )
        assert changed.max() > 20, "something is drawn"
        assert (picture == expected).all()


def test_an_unknown_shape_is_refused():
    with pytest.raises(mm.ModelError, match=r"look\.shape.*'bird'"):
        mm.load("ucl").set({"flocks.boids.look.shape": "brid"})
