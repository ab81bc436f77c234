"""Pictures: obstacles and the box of the space have the position of the model."""

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from small_frames import FOLLOW, SPACE, cloud, empty, flock, frame, plain, space, where

from murmurate.model.flock import Flock, Perching
from murmurate.model.model import Model
from murmurate.model.obstacles import Box, Sphere, Tank, Wall
from murmurate.rules.individual import FollowPath, Perch
from murmurate.show.painter import Painter
from murmurate.show.scene import path_lines


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
        area = np.pi * (10 * painter.projection.zoom) ** 2
        assert (changed > 4).sum() == pytest.approx(area, rel=0.05)
        assert np.hypot(*np.subtract(where(painter, (30, 60)), self.middle(changed))) < 1

    def test_rectangle(self):
        painter, changed = self.changed(Box(centre=(30, 60), size=(40, 10)), 2)
        assert (changed > 4).sum() == pytest.approx(400 * painter.projection.zoom**2, rel=0.05)

    def test_wall_fills_the_forbidden_side(self):
        painter, changed = self.changed(Wall(point=(25, 0), normal=(2, 0)), 2)
        x, _ = where(painter, (25, 0))
        assert (changed[:, : int(x) - 2] > 4).all()
        assert (changed[:, int(x) + 3 :] == 0).all()

    def test_wall_in_3d_fills_its_outline(self):
        wall = Wall(point=(40, 50, 0), normal=(2, 1, 0.5))
        painter, changed = self.changed(wall, 3)
        corners = [where(painter, corner) for corner in wall.drawn(space(3)).lines[:, 0]]
        hull = ConvexHull(corners)
        y, x = np.indices(changed.shape) + 0.5
        beyond = hull.equations @ [x.ravel(), y.ravel(), np.ones(x.size)]
        beyond = beyond.max(axis=0).reshape(x.shape)
        assert (changed[beyond < -2] > 0).all() and (beyond < -2).sum() > 2000
        assert (changed[beyond > 3] == 0).all()

    def test_tank_fills_the_outside(self):
        painter, changed = self.changed(Tank(centre=(45, 50), radius=40), 2)
        y, x = np.indices(changed.shape) + 0.5
        middle = where(painter, (45, 50))
        away = np.hypot(x - middle[0], y - middle[1]) - 40 * painter.projection.zoom
        assert (changed[away > 2] > 4).all()
        assert (changed[away < -2] == 0).all()

    def test_tank_in_3d_is_visible(self):
        painter, changed = self.changed(Tank(centre=(50, 50, 0), radius=40), 3)
        for on_it in ((10, 50, 0), (10, 50, 100), (50, 90, 0), (90, 50, 60)):
            x, y = (int(c) for c in where(painter, on_it))
            assert changed[y - 1 : y + 2, x - 1 : x + 2].max() > 2
        assert (changed > 4).mean() < 0.1  # glass

    def test_ball(self):
        painter, changed = self.changed(Sphere(centre=(50, 50, 50), radius=15), 3)
        pixels = 15 * painter.projection.focal / painter.projection.distance
        assert (changed > 4).sum() == pytest.approx(np.pi * pixels**2, rel=0.12)
        assert np.hypot(*np.subtract(where(painter, (50, 50, 50)), self.middle(changed))) < 2

    def test_block_fills_its_outline(self):
        block = Box(centre=(40, 60, 20), size=(30, 20, 40))
        painter, changed = self.changed(block, 3)
        signs = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
        outline = np.array([where(painter, p) for p in np.array(block.centre) + signs * block.size])
        assert (changed > 4).sum() == pytest.approx(ConvexHull(outline).volume, rel=0.05)
        assert np.hypot(*np.subtract(where(painter, block.centre), self.middle(changed))) < 5

    def test_wall_in_3d_is_visible(self):
        painter, changed = self.changed(Wall(point=(0, 0, 40), normal=(0, 0, 1)), 3)
        x, y = (int(c) for c in where(painter, (50, 50, 40)))
        assert changed[y, x] > 2

    def test_wall_outside_the_space_is_invisible(self):
        _, changed = self.changed(Wall(point=(0, 0, -40), normal=(0, 0, 1)), 3)
        assert changed.max() == 0

    def test_solid_hides_boids_behind_it(self):
        ball = Sphere(centre=(50, 50, 50), radius=20)
        _, bare = self.changed(ball, 3)
        painter, _ = self.changed(ball, 3)
        towards = painter.projection.eye() / painter.projection.distance
        for side, seen in ((+30, True), (-30, False)):
            spot = 50 + side * towards
            _, changed = self.changed(ball, 3, flock([spot], where=space(3)))
            assert (changed != bare).any() == seen

    def test_solid_in_front_of_a_followed_flock_is_seen_through(self):
        points = cloud(100, 3, spread=4.0).positions
        toward = Painter(space(3), self.view).next_projection(frame(empty(3))).eye()
        toward *= 25 / np.linalg.norm(toward)
        changes = []
        for side, camera in itertools.product((1, -1), (FOLLOW, SPACE)):
            view = self.view.model_copy(update={"camera": camera})
            ball = Sphere(centre=tuple(50 + side * toward), radius=5)
            pictures = [
                Painter(space(3), view).draw(frame(flock(points), obstacles=obstacles)).astype(int)
                for obstacles in ({"it": ball}, {})
            ]
            changes.append(np.abs(pictures[0] - pictures[1]).max())
        assert changes[0] < 0.25 * changes[1]
        assert changes[2] > 30

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

    @pytest.mark.parametrize("dims", [2, 3])
    def test_no_edge_of_an_open_axis_runs_through_a_followed_flock(self, dims):
        for boundary, drawn in (("open", False), ("periodic", False), ("held", True)):
            room = space(dims, boundary)
            moment = frame(cloud(100, dims, middle=0.0, where=room))
            box, none = (Painter(room, plain(camera=FOLLOW, box=box)) for box in (True, False))
            changed = np.abs(box.draw(moment).astype(int) - none.draw(moment)).max(axis=2)
            edge = [0.0] * dims
            edge[-1] = 13.0
            x, y = (int(c) for c in where(box, edge))
            assert (changed[y - 1 : y + 2, x - 1 : x + 2].max() > 12) == drawn, boundary
            assert changed.max() > 2  # a grid

    def test_text_is_written_in_the_corner(self):
        moment = frame(empty(2))
        with_text = Painter(moment.space, plain(text=True)).draw(moment).astype(int)
        without = Painter(moment.space, plain()).draw(moment).astype(int)
        y, x = np.nonzero(np.abs(with_text - without).sum(axis=2) > 100)
        assert len(x) > 100
        assert y.max() < 40


class TestPaths:
    CORNERS = ((20, 20), (80, 20), (80, 70))

    def changed(self, dims, closed=False, **view):
        lines = [[(*corner, 40.0)[:dims] for corner in self.CORNERS]]
        lines[0] += lines[0][: 1 if closed else 0]
        view = plain(size=(800, 800), **view)
        moment = frame(empty(dims))
        painter = Painter(space(dims), view, paths=lines)
        bare = Painter(space(dims), view).draw(moment).astype(int)
        return painter, np.abs(painter.draw(moment).astype(int) - bare).sum(axis=2)

    def share(self, painter, changed, start, end):
        """Return the part of the line between two points that is drawn."""
        along = np.linspace(start, end, 400)
        pixels = np.array([where(painter, point) for point in along]).astype(int)
        return (changed[pixels[:, 1], pixels[:, 0]] > 8).mean()

    @pytest.mark.parametrize("dims", [2, 3])
    def test_they_are_dashed_from_corner_to_corner(self, dims):
        a, b, c = ((*corner, 40)[:dims] for corner in self.CORNERS)
        painter, changed = self.changed(dims)
        for start, end in ((a, b), (b, c)):
            assert 0.35 < self.share(painter, changed, start, end) < 0.85
        assert self.share(painter, changed, c, a) < 0.1  # it is open
        painter, changed = self.changed(dims, closed=True)
        assert 0.35 < self.share(painter, changed, c, a) < 0.85

    def test_they_are_drawn_without_a_box_too(self):
        painter, changed = self.changed(2, box=False)
        assert self.share(painter, changed, *self.CORNERS[:2]) > 0.35

    def test_paths_of_a_model(self):
        rules = {"round": FollowPath(path="polyline", points=self.CORNERS, period=9)}
        rules["there"] = rules["round"].model_copy(update={"closed": False})
        rules["ring"] = FollowPath(path="circle", period=9)
        model = Model(space=space(2), flocks={"boids": Flock(count=2)}, rules=rules)
        corners = [tuple(map(float, corner)) for corner in self.CORNERS]
        assert path_lines(model) == [[*corners, corners[0]], corners]

    @pytest.mark.parametrize("dims", [2, 3])
    def test_a_wire_hangs_between_its_poles(self, dims):
        ends = [(*corner, 60.0)[-dims:] for corner in ((20, 40), (80, 70))]
        wire = Perch(start=ends[0], end=ends[1], sag=9, reach=1)
        flocks = {"boids": Flock(count=2, perching=Perching())}
        lines = path_lines(Model(space=space(dims), flocks=flocks, rules={"wire": wire}))
        moment, view = frame(empty(dims)), plain(size=(800, 800))
        painter = Painter(space(dims), view, paths=lines)
        bare = Painter(space(dims), view).draw(moment).astype(int)
        changed = np.abs(painter.draw(moment).astype(int) - bare).sum(axis=2)
        middle = np.mean(ends, axis=0)
        middle[-1] -= 9
        assert changed[tuple(int(p) for p in where(painter, middle))[::-1]] > 100
        for end in ends:
            foot = (*end[:-1], 0.0)
            assert self.share(painter, changed, end, foot) > 0.97
