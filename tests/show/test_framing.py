"""Films of the published flocks: no boid is cut off or under text, and the flock fills the picture,
in every aspect ratio."""

import numpy as np
import pytest
from framing_measures import SHAPES, first_frames, framing, painters
from small_frames import FOLLOW, cloud, frame, plain

import murmurate as mm
from murmurate.show.camera import CROPPED_BOIDS, NONE, Camera

CUT = 0.01  # mean part of the boids over a film: outliers, and a flock that just burst
CUT_CROPPED = 0.12  # in an upright picture of a wide flock of many boids, whose ends leave it
# median part of the picture that a flock covers
MIN_COVERED, MAX_COVERED, MAX_CROPPED = 0.35, 0.85, 1.25


def check(name, pictures, every):
    model = mm.load(name)
    shapes = painters(model)
    measured_by_shape = {shape: [] for shape in SHAPES}
    for count, moment in enumerate(first_frames(model, pictures)):
        for shape, painter in shapes.items():
            if count % every == 0:
                measured_by_shape[shape].append(framing(painter, moment))
            else:
                painter.next_projection(moment)
    for shape, measured in measured_by_shape.items():
        cut, covered = np.array(measured).T
        what = f"{name}, {shape}: cut {cut.mean():.3f}, most {cut.max():.3f}; covers {covered}"
        cropped = shape == "portrait" and moment.n_boids > CROPPED_BOIDS and moment.space.dims == 3
        assert cut.mean() <= (CUT_CROPPED if cropped else CUT), what
        assert MIN_COVERED <= np.median(covered) <= (MAX_CROPPED if cropped else MAX_COVERED), what


def test_the_first_pictures():
    check("ucl", 12, 4)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if k % 16 else pytest.mark.slow)
        for k, name in enumerate(sorted(mm.zoo()))
    ],
)
def test_whole_films(name):
    view = mm.load(name).view
    check(name, view.steps // view.every, 5)


def test_a_goal_is_framed_while_it_is_near():
    moment, view = frame(cloud(60)), plain(camera=FOLLOW)

    def projection(goal):
        goals = None if goal is None else np.array([goal], float)
        return Camera(moment.space, view, goals=goals).next_projection(moment)

    alone, near, far = (projection(goal) for goal in (None, (88, 50), (400, 50)))
    assert far == alone != near
    x = near.project(near.nearest_offsets(np.array([(88.0, 50.0)]))).x[0]
    assert 0 <= x <= view.size[0]
    assert near.zoom >= alone.zoom / NONE
