"""The raster that boids and lines are drawn on, and pictures that are kept."""

from __future__ import annotations

import numpy as np
import pytest
from small_frames import SPACE, cloud, frame, plain

from murmurate.model.view import Camera
from murmurate.show.canvas import Canvas, blend, draw_lines
from murmurate.show.painter import Painter

WIDE, HIGH = 70, 40


@pytest.mark.parametrize("channels", [3, 4])
def test_what_is_drawn_is_blended_once_and_then_gone(channels) -> None:
    """Wherever in a row a pixel stands, also where the canvas' border is."""
    canvas, palette = Canvas(WIDE, HIGH, 5), np.array([[200, 100, 0], [0, 0, 250]])
    y, x = (a.ravel() for a in np.mgrid[0:HIGH:3, -3 : WIDE + 3])
    canvas.put_pixels(x, y, np.ones(len(x)), 1)
    canvas.put_pixels(x, y, np.full(len(x), 0.5), 0)  # the weaker: it is not seen
    picture = np.full((HIGH, WIDE, channels), 7, np.uint8)
    canvas.composite(picture, palette)
    wanted = np.full_like(picture, 7)
    wanted[::3] = [0, 0, 250, 255][:channels]
    np.testing.assert_array_equal(picture, wanted)
    canvas.composite(picture, palette[::-1])
    np.testing.assert_array_equal(picture, wanted)


def test_lines_of_any_direction_are_cut_at_the_edges() -> None:
    canvas = Canvas(WIDE, HIGH, 1)
    x, y, away = 0.5 * WIDE, 0.5 * HIGH, 1e4
    angle = np.linspace(0, np.pi, 9)[:-1]
    dx, dy = away * np.cos(angle), away * np.sin(angle)
    ends = (x - dx, y - dy), (x + dx, y + dy)
    draw_lines(canvas, *ends, (np.ones(8), np.ones(8)))
    nowhere = np.full(1, np.nan), np.zeros(1)
    draw_lines(canvas, nowhere, nowhere, (np.ones(1), np.ones(1)))
    picture = np.zeros((HIGH, WIDE, 3), np.uint8)
    canvas.composite(picture, np.array([[255, 255, 255]]))
    v, u = np.mgrid[0:HIGH, 0:WIDE] + 0.5
    nearest = np.abs((u - x)[..., None] * np.sin(angle) - (v - y)[..., None] * np.cos(angle))
    near = nearest.min(axis=2)
    assert (picture[near > 1.5] == 0).all() and (picture[near < 0.2] > 120).all()


@pytest.mark.parametrize(("high", "wide"), [(6, 5), (1, 5), (6, 1), (1, 1)])
def test_colours_of_any_shape_are_blended(high, wide) -> None:
    colours = np.random.default_rng(1).integers(0, 255, (high, wide, 3))
    picture = np.zeros((8, 8, 3), np.uint8)
    blend(picture, -1, 4, np.ones((high, wide)), colours)
    np.testing.assert_array_equal(picture[4 : 4 + high, : wide - 1], colours[:4, 1:])
    assert (picture[:4] == 0).all() and (picture[:, wide - 1 :] == 0).all()


def test_a_camera_that_stands_shows_the_same_ground_each_time() -> None:
    """The background is kept from its second picture on, and no boid stays on it."""
    many = [frame(cloud(30, 3, seed=k)) for k in range(4)]
    view = plain(box=True, camera=Camera(follow="space"))
    assert view.camera == SPACE
    painter = Painter(many[0].space, view)
    for moment in many:
        alone = Painter(moment.space, view).draw(moment)
        np.testing.assert_array_equal(painter.draw(moment), alone)
