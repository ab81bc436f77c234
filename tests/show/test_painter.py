"""Pictures: a boid is drawn where the model says it is, in the colour its look says."""

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from small_frames import FOLLOW, cloud, empty, flock, frame, plain, space

from murmurate.model.obstacles import Box, Sphere, Wall
from murmurate.model.view import Camera, Look, View
from murmurate.show.painter import Painter

STYLES = ("dark", "light", "dusk")


def draw(moment, view, looks=None):
    """The picture, and how much each pixel differs from the one without boids."""
    painter = Painter(moment.space, view, looks)
    picture = painter.draw(moment).astype(int)
    dims = moment.space.dims
    bare = Painter(moment.space, view, looks).draw(frame(empty(dims), obstacles=moment.obstacles))
    return painter, picture, np.abs(picture - bare.astype(int)).sum(axis=2)


def where(painter, point):
    places = painter.shot.project(painter.shot.place(np.array([point], float)))
    return float(places.x[0]), float(places.y[0])


def middle_of(changed):
    """The mean place of the changes, in pixels."""
    y, x = np.nonzero(changed > 20)
    assert len(x), "nothing was drawn"
    return x.mean() + 0.5, y.mean() + 0.5


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
    painter, *_ = draw(frame(flock([(50, 50, 50)])), plain(camera=Camera(azimuth=0, elevation=0)))
    assert where(painter, (50, 50, 90))[1] < where(painter, (50, 50, 10))[1]
    # Seen from +x, +y is to the right.
    assert where(painter, (50, 90, 50))[0] > where(painter, (50, 10, 50))[0]
    wide = [abs(where(painter, (x, 90, 50))[0] - where(painter, (x, 10, 50))[0]) for x in (10, 90)]
    assert wide[1] > 1.2 * wide[0]


def test_the_whole_space_is_in_the_picture_all_the_way_round():
    view = plain(camera=Camera(turn=240.0, elevation=30))
    painter = Painter(space(3), view)
    corners = np.array(list(itertools.product((0.0, 100.0), repeat=3)))
    heights = set()
    for _ in range(24):
        painter.draw(frame(flock(corners)))
        places = painter.shot.project(painter.shot.place(corners))
        assert places.x.min() > 0 and places.x.max() < 320
        assert places.y.min() > 0 and places.y.max() < 240
        heights.add(round(painter.shot.distance, 3))
    assert len(heights) == 1  # it turns, it does not breathe


def test_dart_points_along_its_velocity():
    for velocity, axis in (((1, 0), 1), ((0, 1), 0)):
        _, _, changed = draw(frame(flock([(50, 50)], [velocity])), plain(boid_size=12))
        y, x = np.nonzero(changed > 20)
        assert np.ptp(x if axis else y) > 1.3 * np.ptp(y if axis else x)


@pytest.mark.parametrize("length", [5.0, 50.0])  # stamped, and drawn on its own
def test_boid_size_is_in_length_units(length):
    painter, _, changed = draw(frame(flock([(50, 50)])), plain(boid_size=length))
    _, x = np.nonzero(changed > 20)
    assert np.ptp(x) + 1 == pytest.approx(length * painter.shot.zoom, rel=0.12, abs=1.5)


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
    many = cloud(160_000, spread=10)
    painter = Painter(many.space, plain())
    auto = painter.draw(frame(many))
    density = Painter(many.space, plain(shading="density")).draw(frame(many))
    darts = Painter(many.space, plain(shading="darts")).draw(frame(many))
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


class TestObstacles:
    view = plain(size=(400, 400))

    def changed(self, shape, dims, boids=None):
        moment = frame(boids or empty(dims), obstacles={"it": shape})
        painter = Painter(space(dims), self.view)
        picture = painter.draw(moment).astype(int)
        bare = Painter(space(dims), self.view).draw(frame(empty(dims))).astype(int)
        return painter, np.abs(picture - bare).sum(axis=2)

    def test_disc(self):
        painter, changed = self.changed(Sphere(centre=(30, 60), radius=10), 2)
        area = np.pi * (10 * painter.shot.zoom) ** 2
        assert (changed > 4).sum() == pytest.approx(area, rel=0.05)
        assert np.hypot(*np.subtract(where(painter, (30, 60)), self.middle(changed))) < 1

    def test_rectangle(self):
        painter, changed = self.changed(Box(centre=(30, 60), size=(40, 10)), 2)
        assert (changed > 4).sum() == pytest.approx(400 * painter.shot.zoom**2, rel=0.05)

    def test_wall_fills_the_forbidden_side(self):
        painter, changed = self.changed(Wall(point=(25, 0), normal=(2, 0)), 2)
        x, _ = where(painter, (25, 0))
        assert (changed[:, : int(x) - 2] > 4).all()
        assert (changed[:, int(x) + 3 :] == 0).all()

    def test_ball(self):
        painter, changed = self.changed(Sphere(centre=(50, 50, 50), radius=15), 3)
        pixels = 15 * painter.shot.focal / painter.shot.distance
        assert (changed > 4).sum() == pytest.approx(np.pi * pixels**2, rel=0.12)
        assert np.hypot(*np.subtract(where(painter, (50, 50, 50)), self.middle(changed))) < 2

    def test_block_fills_its_outline(self):
        block = Box(centre=(40, 60, 20), size=(30, 20, 40))
        painter, changed = self.changed(block, 3)
        signs = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
        outline = np.array([where(painter, p) for p in np.array(block.centre) + signs * block.size])
        assert (changed > 4).sum() == pytest.approx(ConvexHull(outline).volume, rel=0.05)
        assert np.hypot(*np.subtract(where(painter, block.centre), self.middle(changed))) < 5

    def test_wall_in_space_is_seen(self):
        painter, changed = self.changed(Wall(point=(0, 0, 40), normal=(0, 0, 1)), 3)
        x, y = (int(c) for c in where(painter, (50, 50, 40)))
        assert changed[y, x] > 2

    def test_wall_outside_the_space_is_not(self):
        _, changed = self.changed(Wall(point=(0, 0, -40), normal=(0, 0, 1)), 3)
        assert changed.max() == 0

    def test_solid_hides_what_flies_behind(self):
        ball = Sphere(centre=(50, 50, 50), radius=20)
        _, bare = self.changed(ball, 3)
        painter, _ = self.changed(ball, 3)
        towards = painter.shot.eye() / painter.shot.distance
        for side, seen in ((+30, True), (-30, False)):
            spot = 50 + side * towards
            _, changed = self.changed(ball, 3, flock([spot], where=space(3)))
            assert (changed != bare).any() == seen

    @staticmethod
    def middle(changed):
        y, x = np.nonzero(changed > 4)
        return x.mean() + 0.5, y.mean() + 0.5


class TestBox:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_outline_runs_along_the_edges(self, dims):
        moment = frame(empty(dims))
        painter = Painter(moment.space, plain(box=True))
        changed = np.abs(
            painter.draw(moment).astype(int)
            - Painter(moment.space, plain()).draw(moment).astype(int)
        ).sum(axis=2)
        edge = [0.0] * dims
        for part in (0.2, 0.5, 0.9):
            edge[-1] = 100 * part
            x, y = (int(c) for c in where(painter, edge))
            assert changed[y - 1 : y + 2, x - 1 : x + 2].max() > 20

    def test_text_is_written_in_the_corner(self):
        moment = frame(cloud(5))
        with_text = Painter(moment.space, plain(text=True)).draw(moment).astype(int)
        without = Painter(moment.space, plain()).draw(moment).astype(int)
        y, x = np.nonzero(np.abs(with_text - without).sum(axis=2) > 100)
        assert len(x) > 100
        assert y.max() < 40


class TestOddFrames:
    """Nothing here may raise or warn, and what can be drawn is."""

    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("follow", ["space", "flock"])
    @pytest.mark.parametrize("shading", ["darts", "density"])
    @pytest.mark.parametrize("colour_by", ["flock", "heading", "speed"])
    def test_every_odd_flock(self, dims, follow, shading, colour_by):
        lost = np.full((3, dims), 50.0)
        lost[0] = np.nan
        lost[1, 0] = np.inf
        speeds = np.ones((3, dims))
        speeds[2] = np.nan
        odd = [
            empty(dims),
            flock([[50.0] * dims]),
            flock([[50.0] * dims], np.zeros((1, dims))),
            flock(lost),
            flock(lost, speeds),
            flock(np.full((50, dims), 50.0)),
            flock(np.full((5, dims), 1e30), dtype=np.float32),
            flock([[1e12] * dims, [50.0] * dims]),
            flock(np.full((3, dims), np.nan)),
        ]
        view = View(
            size=(160, 120), shading=shading, colour_by=colour_by, trails=3,
            camera=Camera(follow=follow),
        )  # fmt: skip
        for one in odd:
            painter = Painter(space(dims), view)
            for step in range(2):
                picture = painter.draw(frame(one, step=step))
            assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
        painter = Painter(space(dims), view)
        for one in odd:  # boids come and go within one film
            painter.draw(frame(one))

    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_lost_boid_does_not_hide_the_others(self, dims):
        points = [[np.nan] * dims, [50.0] * dims]
        painter, _, changed = draw(frame(flock(points)), plain())
        assert np.hypot(*np.subtract(where(painter, points[1]), middle_of(changed))) < 2

    def test_boids_behind_the_camera_are_not_drawn(self):
        painter, *_ = draw(frame(flock([(50, 50, 50)])), plain())
        behind = 50 + 1.5 * painter.shot.eye()
        _, _, changed = draw(frame(flock([behind], where=space(3))), plain())
        assert changed.max() == 0

    @pytest.mark.parametrize("size", [(64, 64), (65, 4000), (201, 99)])
    def test_sizes(self, size):
        moment = frame(cloud(50, 3))
        picture = Painter(moment.space, View(size=size, style="dusk")).draw(moment)
        assert picture.shape == (size[1], size[0], 3)

    def test_pictures_are_the_same_each_time(self):
        moment = frame(cloud(500, 3))
        one, two = (Painter(moment.space, View(size=(320, 200))).draw(moment) for _ in range(2))
        assert (one == two).all()

    def test_single_and_double_precision_agree(self):
        points = np.random.default_rng(0).uniform(0, 100, (50, 3)).astype(np.float32)
        one = Painter(space(3), plain()).draw(frame(flock(points, dtype=np.float32)))
        two = Painter(space(3), plain()).draw(frame(flock(points, dtype=np.float64)))
        assert (one == two).all()

    def test_far_from_the_origin(self):
        here = frame(flock([(50, 50), (20, 30)]))
        there_space = space(2).model_copy(update={"origin": (1e6, -1e6)})
        there = frame(flock([(1000050, -999950), (1000020, -999970)], where=there_space))
        one = Painter(here.space, plain()).draw(here)
        two = Painter(there.space, plain()).draw(there)
        assert np.abs(one.astype(int) - two).max() <= 60  # at most a sub-pixel's difference
        assert (one != two).mean() < 0.001


class TestFollow:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_flock_that_leaves_an_open_box_stays_in_the_middle(self, dims):
        painter = Painter(space(dims), plain(camera=FOLLOW))
        for step in range(60):
            gone = cloud(100, dims, drift=20.0 * step)
            painter.draw(frame(gone, step=step))
        x, y = where(painter, gone.positions.mean(axis=0))
        assert abs(x - 160) < 15 and abs(y - 120) < 15

    @pytest.mark.parametrize("dims", [2, 3])
    def test_across_the_edge_of_a_torus(self, dims):
        torus = space(dims, "periodic")
        painter = Painter(torus, plain(camera=FOLLOW))
        centres, radius = [], []
        for step in range(120):
            draws = np.random.default_rng(1)
            points = draws.normal(50 + 2.0 * step, 4, (200, dims)) % 100
            painter.draw(frame(flock(points, where=torus), step=step))
            places = painter.shot.project(painter.shot.place(points))
            centres.append((places.x.mean(), places.y.mean()))
            radius.append(np.hypot(places.x - 160, places.y - 120).max())
        assert np.abs(np.array(centres) - (160, 120)).max() < 20
        assert max(radius) < 220  # never torn to both sides of the picture

    def test_strays_do_not_move_the_camera(self):
        points = np.random.default_rng(0).normal(50, 5, (200, 2))
        calm, *_ = draw(frame(flock(points)), plain(camera=FOLLOW))
        points[:3] = 1e5
        stray, *_ = draw(frame(flock(points)), plain(camera=FOLLOW))
        assert np.linalg.norm(np.subtract(calm.shot.centre, stray.shot.centre)) < 1
        assert stray.shot.zoom > 0.8 * calm.shot.zoom

    def test_it_moves_smoothly(self):
        painter = Painter(space(2), plain(camera=FOLLOW))
        for step in range(3):
            painter.draw(frame(cloud(100), step=step))
        before = np.array(painter.shot.centre)
        painter.draw(frame(cloud(100, drift=40.0)))
        assert 0 < np.linalg.norm(painter.shot.centre - before) < 15


class TestTrails:
    def lines(self, moments, **changes):
        view = plain(trails=10, **changes)
        painter = Painter(moments[0].space, view)
        for moment in moments:
            picture = painter.draw(moment)
        bare = Painter(moments[0].space, plain(**changes)).draw(moments[-1])
        return painter, np.abs(picture.astype(int) - bare).sum(axis=2)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_trail_lies_where_the_boid_was(self, dims):
        def at(step):
            point = [50.0] * dims
            point[0] = 20 + 6.0 * step
            return point

        painter, trail = self.lines([frame(flock([at(k)]), step=k) for k in range(8)])
        for step in range(3, 6):
            x, y = (int(c) for c in where(painter, np.add(at(step), at(step + 1)) / 2))
            assert trail[y - 1 : y + 2, x - 1 : x + 2].max() > 15

    def test_a_trail_fades_and_ends(self):
        moments = [frame(flock([(10 + 4.0 * k, 50)]), step=k) for k in range(20)]
        painter, trail = self.lines(moments)
        strengths = []
        for step in (17, 14, 11):
            x, y = (int(c) for c in where(painter, (12 + 4.0 * step, 50)))
            strengths.append(trail[y - 1 : y + 2, x].max())
        assert strengths[0] > strengths[1] > strengths[2] > 0
        x, y = (int(c) for c in where(painter, (10 + 4.0 * 6, 50)))
        assert trail[y - 1 : y + 2, x].max() == 0

    @pytest.mark.parametrize("dims", [2, 3])
    def test_no_line_across_the_picture_when_a_boid_wraps(self, dims):
        torus = space(dims, "periodic")

        def at(step):
            point = [50.0] * dims
            point[0] = (85 + 4.0 * step) % 100
            return point

        moments = [frame(flock([at(k)], where=torus), step=k) for k in range(8)]
        painter, trail = self.lines(moments)
        middle = [50.0] * dims
        x, y = (int(c) for c in where(painter, middle))
        assert trail[y - 2 : y + 3, x - 2 : x + 3].max() == 0
        for point in (98.0, 2.0):  # both sides of the edge
            middle[0] = point
            x, y = (int(c) for c in where(painter, middle))
            assert trail[y - 1 : y + 2, x - 1 : x + 2].max() > 10

    def test_boids_are_known_by_their_ids(self):
        first = frame(flock([(20, 20), (20, 80)], ids=[3, 7]))
        second = frame(flock([(30, 80)], ids=[7]), step=1)
        painter, trail = self.lines([first, second])
        x, y = (int(c) for c in where(painter, (25, 80)))
        assert trail[y - 1 : y + 2, x].max() > 20
        x, y = (int(c) for c in where(painter, (25, 50)))  # not from the wrong boid's place
        assert trail[y - 20 : y + 20, x].max() == 0
