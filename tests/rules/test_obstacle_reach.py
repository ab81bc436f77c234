"""What kernels take to be out of the way or of reach, without roots, is so by its surface."""

from __future__ import annotations

import numpy as np
import pytest

import murmurate as mm
from murmurate.codegen import obstacle_shapes
from murmurate.codegen.plan import obstacle_table

SHAPES = {
    "sphere": mm.Sphere(centre=(0.0, 0.0, 0.0), radius=3.0),
    "box": mm.Box(centre=(0.0, 0.0, 0.0), size=(2.0, 4.0, 6.0)),
    "wall": mm.Wall(point=(0.0, 0.0, 0.0), normal=(1.0, -2.0, 0.5)),
    "tank": mm.Tank(centre=(0.0, 0.0, 0.0), radius=5.0),
}


def row(name: str, dims: int) -> np.ndarray:
    shape = SHAPES[name]
    cut = {key: value[:dims] for key, value in shape if isinstance(value, tuple)}
    space = mm.Space(size=(9.0,) * dims)
    model = mm.Model(
        space=space,
        flocks={"boids": mm.Flock(count=1)},
        obstacles={name: shape.model_copy(update=cut)},
    )
    return obstacle_table(model, 0.0)[0]


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("name", SHAPES)
def test_what_is_beyond_is_farther_than_the_way(name: str, dims: int) -> None:
    """And most that is twice as far is found to be beyond."""
    obstacle = row(name, dims)
    random = np.random.default_rng(4)
    far = result = 0
    for point in random.uniform(-9.0, 9.0, (2000, 3)):
        x, y, z = point[0], point[1], point[2] if dims == 3 else 0.0
        way = random.uniform(0.0, 3.0)
        *_, distance = obstacle_shapes.surface(obstacle, x, y, z)
        beyond = obstacle_shapes.is_beyond(obstacle, x, y, z, way)
        assert not beyond or distance > way
        if not obstacle_shapes.is_out_of_reach(obstacle, x, y, z, way):
            beyond = False
        far += distance > 2.0 * way + 0.01
        result += beyond
    assert far > 100 and result > 0.8 * far


def test_a_boid_far_from_all_obstacles_is_clear_of_them() -> None:
    """In 2-D too, where boxes have no faces across z; round a torus, by the nearest image."""
    table = np.array([row(name, 2) for name in ("sphere", "box")])
    for x, sides, expected in ((20.0, 0.0, True), (3.5, 0.0, False), (20.0, 21.0, False)):
        axis = (obstacle_shapes.PERIODIC if sides else obstacle_shapes.OPEN, 0.0, sides)
        faces = axis, axis, (obstacle_shapes.NO_AXIS, 0.0, 0.0)
        clear = obstacle_shapes.is_clear(table, x, 0.0, 0.0, 0.4, 0.3, 0.0, faces, 1e-14)
        assert clear == expected


@pytest.mark.parametrize("x", [0.0, 4.98, -4.98, 5.01, -5.01, 14.0, -26.0])
def test_the_nearest_image(x: float) -> None:
    expected = min((x + 10.0 * k for k in range(-3, 4)), key=abs)
    assert obstacle_shapes.nearest_image(x, 10.0) == pytest.approx(expected)
    assert obstacle_shapes.nearest_image(x, 0.0) == x
