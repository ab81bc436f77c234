"""Films of the published flocks: no boid is cut, none is under text, and the flock fills the
picture, in every shape."""

import numpy as np
import pytest
from framing_measures import SHAPES, flown, framing, painters

import murmurate as mm

CUT = 0.01  # of the boids, in the mean over a film: strays, and a flock that just burst
FEW = ["starlings", "couzin-2005", "parker", "parker-gate", "vicsek-1995", "ucl"]
LEAST, MOST = 0.35, 0.85  # what a flock covers of the picture, in the middle of its film


def check(name, pictures, every):
    model = mm.load(name)
    shapes = painters(model)
    seen = {shape: [] for shape in SHAPES}
    for count, frame in enumerate(flown(model, pictures)):
        for shape, painter in shapes.items():
            if count % every == 0:
                seen[shape].append(framing(painter, frame))
            else:
                painter.next_projection(frame)
    for shape, measured in seen.items():
        cut, covered = np.array(measured).T
        what = f"{name}, {shape}: cut {cut.mean():.3f}, most {cut.max():.3f}; covers {covered}"
        assert cut.mean() <= CUT, what
        assert LEAST <= np.median(covered) <= MOST, what


@pytest.mark.parametrize("name", FEW)
def test_the_first_pictures(name):
    check(name, 12, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(mm.zoo()))
def test_whole_films(name):
    view = mm.load(name).view
    check(name, view.steps // view.every, 5)
