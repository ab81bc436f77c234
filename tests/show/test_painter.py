"""Pictures: boids have the position of the model and the colour of their look."""

import itertools

import numpy as np
import pytest
from small_frames import FOLLOW, cloud, draw, flock, frame, middle_of, plain, space, where

from murmurate.model.view import Camera, Look
from murmurate.show.flock_painter import FlockPainter, PlacedBoids
from murmurate.show.painter import Painter
from murmurate.show.text import StatusLine, TextRenderer

STYLES = ("dark", "light", "dusk")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("shading", ["darts", "density"])
@pytest.mark.parametrize("point", [(50, 50), (20, 80), (70, 30, 60), (20, 20, 20)])
def test_one_boid_is_drawn_where_it_is(style, shading, point):
    view = plain(style=style, shading=shading)
    painter, _, changed = draw(frame(flock([point])), view)
    assert np.hypot(*np.subtract(where(painter, point), middle_of(changed))) < 2.0
    x, y = where(painter, point)
    far = np.hypot(*np.meshgrid(np.arange(320) - x, np.arange(240) - y))
    assert changed[far > 16].max() == 0


@pytest.mark.parametrize("side", [(-10, 120), (330, 120), (160, -10), (160, 250)])
def test_a_bird_across_an_edge_of_the_picture_is_a_mesh(side):
    """Its middle is outside by half a length; a bird that is farther outside is not drawn."""
    birds = flock([(50, 50, 50), (50, 50, 50)])
    projection = Painter(space(3), plain()).next_projection(frame(birds))
    rows = projection.nearest_offsets(birds.positions)
    screen = projection.project(rows)
    x, y = (
        np.array([at, middle + 3 * (at - middle)])
        for at, middle in zip(side, (160, 120), strict=True)
    )
    placed = PlacedBoids(
        birds, projection, rows, screen._replace(x=x, y=y), np.full(2, 20, np.float32),
        np.ones(2), np.zeros(2, np.uint16), 0.0,
    )  # fmt: skip
    painter = FlockPainter("bird", 25.0, 1.0)
    painter.update(birds)
    drawn = [(batch.tolist(), x.shape[1]) for batch, x, _ in painter.triangles(placed)]
    assert drawn[0][0] == [0] and drawn[0][1] > 20


@pytest.mark.parametrize("colour_by", ["heading", "speed"])
@pytest.mark.parametrize("style", STYLES)
def test_colours_keep_boids_visible(style, colour_by):
    _, _, changed = draw(frame(flock([(50, 50)])), plain(style=style, colour_by=colour_by))
    assert (changed > 60).sum() >= 1


def test_flat_axes_point_right_and_up():
    painter, *_ = draw(frame(flock([(50, 50)])), plain())
    x, y = where(painter, (60, 80))
    assert x > 160 and y < 120
    assert where(painter, (50, 50)) == (160, 120)


def test_deep_up_is_up_and_near_is_large():
    painter, *_ = draw(
        frame(flock([(50, 50, 50)])), plain(camera=Camera(azimuth=0, elevation=0, follow="space"))
    )
    assert where(painter, (50, 50, 90))[1] < where(painter, (50, 50, 10))[1]
    # Seen from +x, +y is to the right.
    assert where(painter, (50, 90, 50))[0] > where(painter, (50, 10, 50))[0]
    wide = [abs(where(painter, (x, 90, 50))[0] - where(painter, (x, 10, 50))[0]) for x in (10, 90)]
    assert wide[1] > 1.2 * wide[0]


def test_the_whole_space_is_in_the_picture_all_the_way_round():
    view = plain(camera=Camera(turn=240.0, elevation=30, follow="space"))
    painter = Painter(space(3), view)
    corners = np.array(list(itertools.product((0.0, 100.0), repeat=3)))
    heights = set()
    for _ in range(24):
        painter.draw(frame(flock(corners)))
        screen = painter.projection.project(painter.projection.nearest_offsets(corners))
        assert screen.x.min() > 0 and screen.x.max() < 320
        assert screen.y.min() > 0 and screen.y.max() < 240
        heights.add(round(painter.projection.distance, 3))
    assert len(heights) == 1  # it orbits at a constant distance


def test_dart_points_along_its_velocity():
    for velocity, axis in (((1, 0), 1), ((0, 1), 0)):
        _, _, changed = draw(frame(flock([(50, 50)], [velocity])), plain(boid_size=12))
        y, x = np.nonzero(changed > 20)
        assert np.ptp(x if axis else y) > 1.3 * np.ptp(y if axis else x)


@pytest.mark.parametrize("length", [5.0, 50.0])  # as a sprite, and drawn singly
def test_boid_size_is_in_length_units(length):
    painter, _, changed = draw(frame(flock([(50, 50)])), plain(boid_size=length))
    _, x = np.nonzero(changed > 20)
    assert np.ptp(x) + 1 == pytest.approx(length * painter.projection.zoom, rel=0.12, abs=2.0)


def test_a_named_colour_is_used():
    _, picture, changed = draw(
        frame(flock([(50, 50)])), plain(boid_size=20), {"boids": Look(colour="#00ff00")}
    )
    red, green, blue = picture.reshape(-1, 3)[changed.argmax()]
    assert green > 180 and red < 80 and blue < 80


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("colour_by", ["flock", "heading"])
@pytest.mark.parametrize("dims", [2, 3])
def test_predators_are_red_larger_and_on_top(style, colour_by, dims):
    spot = [(50,) * dims]
    view = plain(style=style, colour_by=colour_by, boid_size=6)
    both = frame(flock(spot, name="hawks"), flock(spot, name="boids"))
    looks = {"hawks": Look(scale=3)}
    _, picture, changed = draw(both, view, looks)
    red, green, blue = picture.reshape(-1, 3)[changed.argmax()]
    assert red > green + 60 and red > blue + 60
    _, _, small = draw(frame(flock(spot)), view)
    assert (changed > 20).sum() > 3 * (small > 20).sum()


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("style", STYLES)
def test_density_is_stronger_where_more_boids_are(style, dims):
    draws = np.random.default_rng(3)
    dense = draws.normal(50, 3, (4000, dims))
    thin = draws.normal(50, 25, (1000, dims))
    moment = frame(flock(np.concatenate([dense, thin])))
    painter, _, changed = draw(moment, plain(style=style, shading="density"))
    x, y = (int(c) for c in where(painter, (50,) * dims))
    core = changed[y - 3 : y + 4, x - 3 : x + 4].mean()
    assert core > 3 * changed[changed > 0].mean() or core > 250


def test_density_from_very_many_boids_on_its_own():
    large_flock = cloud(160_000, spread=10)
    painter = Painter(large_flock.space, plain())
    auto = painter.draw(frame(large_flock))
    density = Painter(large_flock.space, plain(shading="density")).draw(frame(large_flock))
    darts = Painter(large_flock.space, plain(shading="darts")).draw(frame(large_flock))
    assert (auto == density).all()
    assert (auto != darts).any()


def test_density_keeps_headings_apart():
    left, right = np.full((500, 2), (30.0, 50.0)), np.full((500, 2), (70.0, 50.0))
    spread = np.random.default_rng(0).normal(0, 3, (1000, 2))
    velocities = np.repeat([[1.0, 0.0], [-1.0, 0.01]], 500, axis=0)
    moment = frame(flock(np.concatenate([left, right]) + spread, velocities))
    painter, picture, _ = draw(moment, plain(shading="density", colour_by="heading"))
    colours = []
    for point in ((30, 50), (70, 50)):
        x, y = (int(c) for c in where(painter, point))
        colours.append(picture[y - 2 : y + 3, x - 2 : x + 3].mean(axis=(0, 1)))
    assert np.abs(colours[0] - colours[1]).max() > 60


def written(size, **changes):
    """Return the change (H,) of each row by the status line, and the picture without it."""
    view = plain(size=size, **{"box": True, "text": True, **changes})
    moment = frame(cloud(30, spread=3.0))
    painter = Painter(moment.space, view)
    picture = painter.draw(moment).astype(int)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StatusLine, "draw", lambda *_: None)
        bare = Painter(moment.space, view).draw(moment).astype(int)
    return np.abs(picture - bare).sum(axis=2).max(axis=1), bare


@pytest.mark.parametrize("size", [(1280, 720), (640, 360), (321, 181), (300, 200), (200, 150)])
@pytest.mark.parametrize("colour_by", ["flock", "heading"])
def test_the_status_line_is_above_the_box(size, colour_by):
    changed, bare = written(size, colour_by=colour_by)
    rows = np.nonzero(changed)[0]
    middle = bare[: size[1] // 2, size[0] // 2].sum(axis=1)
    assert len(rows) > 4 and rows.min() >= 0
    assert rows.max() <= int(np.argmax(middle - np.median(middle)))


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("size", [(480, 270), (270, 480), (300, 300)])
def test_no_boid_of_a_followed_flock_is_under_the_text(dims, size):
    ball = flock(np.random.default_rng(1).uniform(42, 58, (400, dims)))
    view = plain(text=True, camera=FOLLOW, size=size, boid_size=0.2)
    painter = Painter(ball.space, view)
    painter.draw(frame(ball))
    screen = painter.projection.project(painter.projection.nearest_offsets(ball.positions))
    assert 0 < painter.writing_above < screen.y.min() < screen.y.max() < size[1]


def test_a_small_picture_has_no_status_line():
    assert not written((120, 90))[0].any()


@pytest.mark.parametrize("colour_by", ["flock", "speed", "heading"])
@pytest.mark.parametrize("wide", [130, 180, 230, 280, 330])
def test_no_word_of_the_status_line_is_cut(colour_by, wide):
    view = plain(size=(wide, 240), text=True, colour_by=colour_by)
    painter = Painter(space(), view)
    ends, write = [], TextRenderer.write

    def seen(self, picture, x, y, text, colour):
        ends.append((x, x + self.width(text)))
        write(self, picture, x, y, text, colour)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TextRenderer, "write", seen)
        painter.draw(frame(cloud(30)))
    ends.sort()
    assert len(ends) >= 2 and ends[0][0] >= 0 and ends[-1][1] <= wide
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(ends))
