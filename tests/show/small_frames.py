"""Small frames for the picture tests."""

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.model.view import Camera, View
from murmurate.show.painter import Painter


def space(dims=2, boundary="open", size=100.0):
    return Space(size=(size,) * dims, boundary=boundary)


def flock(positions, velocities=None, where=None, name="boids", ids=None, dtype=float):
    positions = np.array(positions, dtype).reshape(len(positions), -1)
    where = where or space(positions.shape[1])
    if velocities is None:
        velocities = np.zeros(positions.shape)
        velocities[:, 0] = 1.0
    ids = np.arange(len(positions)) if ids is None else np.array(ids)
    none = np.zeros(len(positions), np.int64)
    return FlockFrame(name, ids, positions, np.array(velocities, dtype), none, where)


FOLLOW, SPACE = Camera(follow="flock"), Camera(follow="space")


def empty(dims, name="boids"):
    none = np.zeros(0, np.int64)
    return FlockFrame(name, none, np.zeros((0, dims)), np.zeros((0, dims)), none, space(dims))


def frame(*flocks, step=0, obstacles=None):
    named = {f.name: f for f in flocks}
    return Frame(step, 0.1 * step, flocks[0].space, named, obstacles or {})


def cloud(count, dims=2, seed=0, middle=50.0, spread=12.0, where=None, drift=0.0):
    draw = np.random.default_rng(seed)
    positions = draw.normal(middle, spread, (count, dims)) + drift
    return flock(positions, draw.normal(size=(count, dims)), where)


def plain(**changes):
    """Return a view of the space with boids alone."""
    settings = {"size": (320, 240), "box": False, "text": False, "camera": SPACE, **changes}
    return View(**settings)


def film_of(count, boids=20, dims=2):
    return (frame(cloud(boids, dims, drift=0.5 * k), step=k) for k in range(count))


def draw(moment, view, looks=None):
    """Return the painter, the picture, and the change of each pixel by boids."""
    painter = Painter(moment.space, view, looks)
    picture = painter.draw(moment).astype(int)
    dims = moment.space.dims
    bare = Painter(moment.space, view, looks).draw(frame(empty(dims), obstacles=moment.obstacles))
    return painter, picture, np.abs(picture - bare.astype(int)).sum(axis=2)


def where(painter, point):
    screen = painter.projection.project(
        painter.projection.nearest_offsets(np.array([point], float))
    )
    return float(screen.x[0]), float(screen.y[0])


def middle_of(changed):
    """Return the mean position of the changes in pixels."""
    y, x = np.nonzero(changed > 20)
    assert len(x), "nothing was drawn"
    return x.mean() + 0.5, y.mean() + 0.5
