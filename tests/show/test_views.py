"""Pictures: unusual frames, a following camera, trails."""

import numpy as np
import pytest
from small_frames import FOLLOW, cloud, draw, empty, flock, frame, middle_of, plain, space, where

from murmurate.model.obstacles import Box, Sphere
from murmurate.model.view import Camera, View
from murmurate.show.painter import Painter


class TestUnusualFrames:
    """Unusual frames raise no error or warning, and finite boids are drawn."""

    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("follow", ["space", "flock"])
    @pytest.mark.parametrize("shading", ["darts", "density"])
    @pytest.mark.parametrize("colour_by", ["flock", "heading", "speed"])
    def test_unusual_flocks(self, dims, follow, shading, colour_by):
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
        for first in odd:
            painter = Painter(space(dims), view)
            for step in range(2):
                picture = painter.draw(frame(first, step=step))
            assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
        painter = Painter(space(dims), view)
        for first in odd:  # boids come and go within one film
            painter.draw(frame(first))

    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_lost_boid_does_not_hide_the_others(self, dims):
        points = [[np.nan] * dims, [50.0] * dims]
        painter, _, changed = draw(frame(flock(points)), plain())
        assert np.hypot(*np.subtract(where(painter, points[1]), middle_of(changed))) < 2

    def test_boids_behind_the_camera_are_not_drawn(self):
        painter, *_ = draw(frame(flock([(50, 50, 50)])), plain())
        behind = 50 + 1.5 * painter.projection.eye()
        _, _, changed = draw(frame(flock([behind], where=space(3))), plain())
        assert changed.max() == 0

    @pytest.mark.parametrize("size", [(64, 64), (65, 4000), (201, 99)])
    def test_sizes(self, size):
        moment = frame(cloud(50, 3))
        picture = Painter(moment.space, View(size=size, style="dusk")).draw(moment)
        assert picture.shape == (size[1], size[0], 3)

    def test_pictures_are_the_same_each_time(self):
        moment = frame(cloud(500, 3))
        first, repeated = (
            Painter(moment.space, View(size=(320, 200))).draw(moment) for _ in range(2)
        )
        assert (first == repeated).all()

    def test_single_and_double_precision_agree(self):
        points = np.random.default_rng(0).uniform(0, 100, (50, 3)).astype(np.float32)
        first = Painter(space(3), plain()).draw(frame(flock(points, dtype=np.float32)))
        repeated = Painter(space(3), plain()).draw(frame(flock(points, dtype=np.float64)))
        assert (first == repeated).all()

    def test_far_from_the_origin(self):
        near_origin = frame(flock([(50, 50), (20, 30)]))
        there_space = space(2).model_copy(update={"origin": (1e6, -1e6)})
        far_away = frame(flock([(1000050, -999950), (1000020, -999970)], where=there_space))
        first = Painter(near_origin.space, plain()).draw(near_origin)
        repeated = Painter(far_away.space, plain()).draw(far_away)
        assert np.abs(first.astype(int) - repeated).max() <= 60  # at most a sub-pixel's difference
        assert (first != repeated).mean() < 0.001


class TestFollow:
    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_flock_that_leaves_an_open_box_stays_in_the_middle(self, dims):
        painter = Painter(space(dims), plain(camera=FOLLOW))
        for step in range(60):
            moved_cloud = cloud(100, dims, drift=20.0 * step)
            painter.draw(frame(moved_cloud, step=step))
        x, y = where(painter, moved_cloud.positions.mean(axis=0))
        assert abs(x - 160) < 40 and abs(y - 120) < 40
        screen = painter.projection.project(
            painter.projection.nearest_offsets(moved_cloud.positions)
        )
        assert 0 < screen.x.min() < screen.x.max() < 320
        assert 0 < screen.y.min() < screen.y.max() < 240

    @pytest.mark.parametrize("near", [0.0, 40.0])
    def test_a_flock_drawn_out_towards_the_camera_is_not_cut(self, near):
        """Its near end is larger in the picture than its far end."""
        along = np.linspace(-40, near, 200)
        points = 50 + np.stack([0.3 * along, along, 0.2 * along], axis=1)
        view = plain(camera=FOLLOW.model_copy(update={"azimuth": 30.0}))
        painter, *_ = draw(frame(flock(points)), view)
        screen = painter.projection.project(painter.projection.nearest_offsets(points))
        x, y = screen.x / 320, screen.y / 240
        assert min(x.min(), y.min(), 1 - x.max(), 1 - y.max()) > 0.05
        assert max(np.ptp(x), np.ptp(y)) > 0.5

    @pytest.mark.parametrize("dims", [2, 3])
    def test_across_the_face_of_a_torus(self, dims):
        torus = space(dims, "periodic")
        painter = Painter(torus, plain(camera=FOLLOW))
        centres, radius = [], []
        for step in range(120):
            draws = np.random.default_rng(1)
            points = draws.normal(50 + 2.0 * step, 4, (200, dims)) % 100
            painter.draw(frame(flock(points, where=torus), step=step))
            screen = painter.projection.project(painter.projection.nearest_offsets(points))
            centres.append((screen.x.mean(), screen.y.mean()))
            radius.append(np.hypot(screen.x - 160, screen.y - 120).max())
        assert np.abs(np.array(centres) - (160, 120)).max() < 20
        assert max(radius) < 220  # never torn to both sides of the picture

    def test_outliers_do_not_move_the_camera(self):
        points = np.random.default_rng(0).normal(50, 5, (200, 2))
        calm, *_ = draw(frame(flock(points)), plain(camera=FOLLOW))
        points[:3] = 1e5
        with_outlier, *_ = draw(frame(flock(points)), plain(camera=FOLLOW))
        assert (
            np.linalg.norm(np.subtract(calm.projection.centre, with_outlier.projection.centre)) < 1
        )
        assert with_outlier.projection.zoom > 0.8 * calm.projection.zoom

    def test_it_moves_smoothly(self):
        painter = Painter(space(2), plain(camera=FOLLOW))
        for step in range(3):
            painter.draw(frame(cloud(100), step=step))
        before = np.array(painter.projection.centre)
        painter.draw(frame(cloud(100, drift=40.0)))
        assert 0 < np.linalg.norm(painter.projection.centre - before) < 15

    @pytest.mark.parametrize(
        ("boundary", "followed"),
        [("open", True), ("periodic", False), ("held", False), (("held", "open"), True)],
    )
    def test_auto_follows_flocks_that_may_leave(self, boundary, followed):
        where_ = space(2, boundary)
        painter, *_ = draw(
            frame(flock([[90.0, 90.0], [91.0, 92.0]], where=where_)), plain(camera=Camera())
        )
        assert (painter.projection.centre != (50.0, 50.0)) is followed

    def test_all_large_flocks_are_followed(self):
        left, right = (
            flock(cloud(50, middle=x, spread=3).positions, name=f"{x}") for x in (20, 80)
        )
        painter, *_ = draw(frame(left, right), plain(camera=FOLLOW))
        for first in (left, right):
            x, y = where(painter, first.positions.mean(axis=0))
            assert 0 < x < 320 and 0 < y < 240

    def test_a_near_dog_is_in_the_picture_and_a_far_one_is_not(self):
        sheep = cloud(100, spread=3)
        views = {}
        for x0 in (50.0, 60.0, 99.0):
            dog = flock([[50.0, x0]], name="dog")
            painter, *_ = draw(frame(sheep, dog), plain(camera=FOLLOW))
            views[x0] = painter.projection.zoom
            if x0 < 70:
                assert 0 < where(painter, (50.0, x0))[1] < 240
        assert views[50.0] > views[60.0] >= 0.45 * views[50.0]
        assert views[99.0] >= 0.45 * views[50.0]

    @pytest.mark.parametrize("shape", ["box", "sphere"])
    def test_a_near_obstacle_is_in_the_picture(self, shape):
        sheep = cloud(100, spread=3)
        views = {}
        for x0 in (50.0, 68.0, 99.0):
            rock = Box(centre=(x0, 50), size=(8, 8)) if shape == "box" else None
            rock = rock or Sphere(centre=(x0, 50), radius=4)
            painter, *_ = draw(frame(sheep, obstacles={"rock": rock}), plain(camera=FOLLOW))
            views[x0] = painter.projection.zoom
            if x0 < 70:
                assert 0 < where(painter, (x0 + 4, 50.0))[0] < 320
        assert views[50.0] > views[68.0] and views[99.0] >= 0.45 * views[50.0]

    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("size", [(480, 270), (270, 480), (300, 300)])
    def test_a_flock_fills_pictures_of_any_shape_and_is_not_cut(self, dims, size):
        ball = flock(np.random.default_rng(1).uniform(42, 58, (400, dims)))
        _, _, changed = draw(frame(ball), plain(camera=FOLLOW, size=size, boid_size=0.2))
        y, x = np.nonzero(changed > 20)
        wide, high = np.ptp(x) / size[0], np.ptp(y) / size[1]
        assert min(x.min(), y.min(), size[0] - x.max(), size[1] - y.max()) > 2
        assert 0.55 < max(wide, high) < 0.99

    def test_the_view_has_a_minimum_width(self):
        painter, *_ = draw(frame(cloud(100, spread=0.1)), plain(camera=FOLLOW, boid_size=3.0))
        assert 3.0 * painter.projection.zoom <= 240 / 16


class TestTrails:
    def lines(self, film_frames, **changes):
        view = plain(trails=10, **changes)
        painter = Painter(film_frames[0].space, view)
        for moment in film_frames:
            picture = painter.draw(moment)
        bare = Painter(film_frames[0].space, plain(**changes)).draw(film_frames[-1])
        return painter, np.abs(picture.astype(int) - bare).sum(axis=2)

    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_trail_is_where_the_boid_was(self, dims):
        def at(step):
            point = [50.0] * dims
            point[0] = 20 + 6.0 * step
            return point

        painter, trail = self.lines([frame(flock([at(k)]), step=k) for k in range(8)])
        for step in range(3, 6):
            x, y = (int(c) for c in where(painter, np.add(at(step), at(step + 1)) / 2))
            assert trail[y - 1 : y + 2, x - 1 : x + 2].max() > 15

    def test_a_trail_fades_and_ends(self):
        film_frames = [frame(flock([(10 + 4.0 * k, 50)]), step=k) for k in range(20)]
        painter, trail = self.lines(film_frames)
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

        film_frames = [frame(flock([at(k)], where=torus), step=k) for k in range(8)]
        painter, trail = self.lines(film_frames)
        middle = [50.0] * dims
        x, y = (int(c) for c in where(painter, middle))
        assert trail[y - 2 : y + 3, x - 2 : x + 3].max() == 0
        for point in (98.0, 2.0):  # both sides of the edge
            middle[0] = point
            x, y = (int(c) for c in where(painter, middle))
            assert trail[y - 1 : y + 2, x - 1 : x + 2].max() > 10

    def test_trails_follow_ids(self):
        first = frame(flock([(20, 20), (20, 80)], ids=[3, 7]))
        second = frame(flock([(30, 80)], ids=[7]), step=1)
        painter, trail = self.lines([first, second])
        x, y = (int(c) for c in where(painter, (25, 80)))
        assert trail[y - 1 : y + 2, x].max() > 20
        x, y = (int(c) for c in where(painter, (25, 50)))  # not from the wrong boid's place
        assert trail[y - 20 : y + 20, x].max() == 0
