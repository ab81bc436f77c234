"""Scenery: horizon and ground are where the camera sees them; transparent films have none."""

import math

import numpy as np
import pytest
from small_frames import cloud, empty, frame, plain, space

from murmurate.model.space import Space
from murmurate.model.view import Camera, View
from murmurate.show.landscape import TILE, Landscape, _tile
from murmurate.show.painter import Painter
from murmurate.show.styles import STYLES


def picture(scenery, dims=3, moment=None, **view):
    moment = moment or frame(empty(dims))
    painter = Painter(moment.space, plain(scenery=scenery, size=(320, 180), **view))
    return painter, painter.draw(moment).astype(int)


@pytest.mark.parametrize("elevation", [-10.0, 0.0, 10.0])
def test_the_ground_begins_at_the_horizon(elevation):
    camera = Camera(elevation=elevation, follow="flock")
    painter, drawn = picture("land", moment=frame(cloud(30, 3)), style="dark", camera=camera)
    p = painter.projection
    row = round(p.middle - p.focal * math.tan(math.radians(elevation)))
    far, near = np.array(STYLES["dark"].land.ground, float)
    sky = np.array(STYLES["dark"].sky[-1])
    assert np.abs(drawn[: row - 25] - sky).max() > 20 or np.abs(drawn[0] - sky).max() < 3
    below = drawn[row + 4].mean(axis=0)
    assert np.abs(below - far).max() < 12
    assert np.abs(drawn[-1].mean(axis=0) - near).max() < 30


def test_hills_turn_with_the_camera():
    """A turn by one column's angle moves the picture of the hills by one column in the middle."""
    rows = []
    for azimuth in (35.0, 35.0 + math.degrees(20 / 277.0)):
        camera = Camera(azimuth=azimuth, elevation=-5.0)
        view = View(scenery="land", style="light", size=(320, 180), camera=camera)
        landscape = Landscape(view.decided(space(3)), space(3))
        drawn = Painter(space(3), view).next_projection(frame(empty(3)))
        rows.append(landscape.draw(drawn).astype(int))
    focal = drawn.focal
    assert focal == pytest.approx(277, abs=1)
    horizon = math.floor(drawn.middle - focal * math.tan(drawn.elevation))
    hills = rows[0][60:horizon, 140:180]
    shift = np.abs(hills - rows[1][60:horizon, 160:200]).mean()
    still = np.abs(hills - rows[1][60:horizon, 140:180]).mean()
    assert shift < 0.1 < 1.0 < still


@pytest.mark.parametrize("scenery", ["land", "water"])
def test_the_pattern_of_a_2d_ground_belongs_to_a_periodic_space(scenery):
    """It repeats with the space, so a followed flock that crosses a face sees no jump."""
    torus = Space(size=(100.0, 60.0), boundary="periodic")
    view = plain(scenery=scenery, size=(320, 180), camera=Camera(follow="flock")).decided(torus)
    landscape = Landscape(view, torus)
    base = Painter(torus, view).next_projection(frame(cloud(20, 2)))
    start = base.__class__(**{**base.__dict__, "centre": (30.0, 20.0)})
    moved = base.__class__(**{**base.__dict__, "centre": (130.0, -40.0)})
    first, second = landscape.draw(start).astype(int), landscape.draw(moved).astype(int)
    assert np.abs(first - second).max() <= 1
    assert first.std() > 1
    for axis in range(2):  # no pixel differs much from the next
        assert np.abs(np.diff(first, axis=axis)).max() < 60


def test_patterns_repeat_and_have_contrast():
    for kind in ("land", "water"):
        tile = _tile(kind)
        assert tile.shape == (TILE, TILE) and tile.min() >= 0 and tile.max() <= 1
        assert tile.std() > 0.05
        assert np.abs(np.diff(tile, axis=1)).mean() < 0.25 * tile.std()
        edge = np.abs(tile[:, 0] - tile[:, -1]).mean()
        assert edge < 2 * np.abs(np.diff(tile, axis=1)).mean() + 1e-3


@pytest.mark.parametrize("dims", [2, 3])
def test_transparent_pictures_have_no_scenery_box_or_text(dims):
    moment = frame(cloud(9, dims))
    clear = [
        Painter(moment.space, View(transparent=True, scenery=s, size=(160, 90))).draw(moment)
        for s in ("none", "land")
    ]
    assert (clear[0] == clear[1]).all()
    bare = View(transparent=True, box=False, text=False, size=(160, 90))
    assert (clear[0] == Painter(moment.space, bare).draw(moment)).all()
    assert (clear[0][..., 3] == 0).mean() > 0.5


def test_box_and_text_are_those_of_plots():
    for dims, scenery, plot in ((2, "none", True), (2, "land", False), (3, "none", True)):
        view = View(scenery=scenery).decided(space(dims))
        assert (view.box, view.text) == (plot, plot)
    assert View(text=True, scenery="land").decided(space(3)).text
