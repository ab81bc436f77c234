"""The raster for boids and lines, blending, cached backgrounds, and the haze of dense flocks."""

from __future__ import annotations

import numpy as np
import pytest
from small_frames import SPACE, cloud, frame, plain

from murmurate.model.view import Camera
from murmurate.show.canvas import Canvas, blend, draw_lines, is_behind, new_picture
from murmurate.show.density import draw_haze
from murmurate.show.painter import Painter

WIDE, HIGH = 70, 40


def filled(high, wide, channels=3, value=0):
    picture = new_picture(high, wide, channels)
    picture[:] = value
    return picture


@pytest.mark.parametrize("channels", [3, 4])
def test_pixels_are_blended_once_and_then_cleared(channels) -> None:
    """Pixels anywhere in a row, also in the border of the canvas."""
    canvas, palette = Canvas(WIDE, HIGH, 5), np.array([[200, 100, 0], [0, 0, 250]])
    y, x = (a.ravel() for a in np.mgrid[0:HIGH:3, -3 : WIDE + 3])
    canvas.put_pixels(x, y, np.ones(len(x)), 1)
    canvas.put_pixels(x, y, np.full(len(x), 0.5), 0)  # weaker, so invisible
    picture = filled(HIGH, WIDE, channels, 7)
    canvas.composite(picture, palette)
    expected = filled(HIGH, WIDE, channels, 7)
    expected[::3] = [0, 0, 250, 255][:channels]
    np.testing.assert_array_equal(picture, expected)
    canvas.composite(picture, palette[::-1])
    np.testing.assert_array_equal(picture, expected)


def test_lines_of_any_direction_are_cut_at_the_edges() -> None:
    canvas = Canvas(WIDE, HIGH, 1)
    x, y, away = 0.5 * WIDE, 0.5 * HIGH, 1e4
    angle = np.linspace(0, np.pi, 9)[:-1]
    dx, dy = away * np.cos(angle), away * np.sin(angle)
    ends = (x - dx, y - dy), (x + dx, y + dy)
    draw_lines(canvas, *ends, (np.ones(8), np.ones(8)))
    nowhere = np.full(1, np.nan), np.zeros(1)
    draw_lines(canvas, nowhere, nowhere, (np.ones(1), np.ones(1)))
    picture = filled(HIGH, WIDE)
    canvas.composite(picture, np.array([[255, 255, 255]]))
    v, u = np.mgrid[0:HIGH, 0:WIDE] + 0.5
    nearest = np.abs((u - x)[..., None] * np.sin(angle) - (v - y)[..., None] * np.cos(angle))
    near = nearest.min(axis=2)
    assert (picture[near > 1.5] == 0).all() and (picture[near < 0.2] > 120).all()


def test_a_point_beyond_the_picture_has_the_depth_of_its_edge() -> None:
    """Python executes it, where an index beyond the picture is an error."""
    depth = np.arange(1.0, 13.0).reshape(3, 4)  # of the obstacle in each pixel
    for y, x in np.ndindex(9, 10):
        edge = depth[np.clip(y - 3, 0, 2), np.clip(x - 3, 0, 3)]
        for further in (0.9, 1.1):
            behind = is_behind.py_func(depth, x - 3, y - 3, 1 / (further * edge))
            assert behind == (further > 1)


@pytest.mark.parametrize(("high", "wide"), [(6, 5), (1, 5), (6, 1), (1, 1)])
def test_colours_of_any_shape_are_blended(high, wide) -> None:
    colours = np.random.default_rng(1).integers(0, 255, (high, wide, 3))
    picture = filled(8, 8)
    blend(picture, -1, 4, np.ones((high, wide)), colours)
    np.testing.assert_array_equal(picture[4 : 4 + high, : wide - 1], colours[:4, 1:])
    assert (picture[:4] == 0).all() and (picture[:, wide - 1 :] == 0).all()


def test_a_fixed_camera_shows_the_same_ground_each_time() -> None:
    """The background is cached from its second picture on, without boids."""
    film_frames = [frame(cloud(30, 3, seed=k)) for k in range(4)]
    view = plain(box=True, camera=Camera(follow="space"))
    assert view.camera == SPACE
    painter = Painter(film_frames[0].space, view)
    for moment in film_frames:
        alone = Painter(moment.space, view).draw(moment)
        np.testing.assert_array_equal(painter.draw(moment), alone)


# --- haze


def with_haze(x, y, length=8.0, side=120):
    picture = filled(side, side)
    lengths = np.full(len(x), length, np.float32)
    draw_haze(picture, x, y, lengths, np.array([200.0, 100.0, 50.0]), 1.0)
    return picture


def disc(count, x, y, radius=12.0):
    draws = np.random.default_rng(3)
    turn, away = draws.uniform(0, 2 * np.pi, count), radius * np.sqrt(draws.random(count))
    return x + away * np.cos(turn), y + away * np.sin(turn)


def test_it_is_stronger_where_more_boids_are():
    levels = [int(with_haze(*disc(count, 60, 60))[60, 60, 0]) for count in (5, 100, 300, 1000)]
    assert levels[0] == 0 < levels[1] < levels[2] < levels[3] <= 200


def test_it_is_where_the_boids_are():
    for where in ((60, 60), (40, 81), (23, 30)):
        picture = with_haze(*disc(400, *where))
        y, x = np.nonzero(picture[..., 0])
        assert np.hypot(x.mean() + 0.5 - where[0], y.mean() + 0.5 - where[1]) < 1.5
        assert np.hypot(x + 0.5 - where[0], y + 0.5 - where[1]).max() < 36


def test_it_has_no_edges():
    picture = with_haze(*disc(2000, 60, 60, 40.0)).astype(int)[..., 0]
    steps = [np.abs(np.diff(picture, axis=axis)).max() for axis in (0, 1)]
    assert max(steps) < 0.15 * picture.max()


def test_hidden_boids_and_boids_outside_have_none():
    x, y = disc(400, 60, 60)
    assert not with_haze(np.full(400, np.nan), y).any()
    assert not with_haze(x + 1e9, y).any()
    assert not with_haze(x, y, np.nan).any()
