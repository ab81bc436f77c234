"""A new shape of obstacles is two files, its own and the registry: boids meet it; it is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import Checkout

SHAPE = '''\
"""Posts: endless upright cylinders, discs in 2-D. A row has the radius, and zeros."""

import math
from typing import ClassVar, Literal

from murmurate.model.quantity import Scalar, Vector, quantity
from murmurate.model.shapes.geometry import NEVER, direction_beside, max2
from murmurate.model.shapes.shape import Shape
from murmurate.model.shapes.turned import Turned


class Post(Shape):
    """An endless upright cylinder."""

    number: ClassVar[int] = 6
    turned: ClassVar[Turned] = Turned(((1.0, -1.0), (1.0, 1.0)), sides=72)
    axes: ClassVar[tuple[int | None, ...]] = (0, 0, None)

    kind: Literal["post"] = "post"
    centre: Vector = quantity(unit="length")
    """Any point of its axis."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


def clearance(obstacle, x, y, z):
    r = math.sqrt(x * x + y * y)
    if r == 0.0:
        return -obstacle[4], 1.0, 0.0, 0.0
    return r - obstacle[4], x / r, y / r, 0.0


def is_beyond(obstacle, x, y, z, way):
    far = obstacle[4] + way
    return x * x + y * y > far * far


def half_sides(obstacle):
    return obstacle[4], obstacle[4], 1e15


def chord(radius, x, e):
    a = e[0] * e[0] + e[1] * e[1]
    b = x[0] * e[0] + x[1] * e[1]
    across = x[0] * e[1] - x[1] * e[0]
    left = radius * radius * a - across * across
    if left <= 0.0 or a == 0.0:
        return NEVER, -1.0
    return (-b - math.sqrt(left)) / a, (math.sqrt(left) - b) / a


def entry_time(obstacle, x, d, skin, distance, closing):
    enter, leave = chord(obstacle[4] + skin, x, d)
    return max2(enter, 0.0) if leave > 0.0 else NEVER


def exit_distance(obstacle, x, e, skin):
    _, leave = chord(obstacle[4] + skin, x, e)
    return leave


def impact_distance(obstacle, x, h):
    enter, leave = chord(obstacle[4], x, h)
    return enter if leave > 0.0 else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    m = direction_beside((-h[1], h[0], 0.0), h)
    off = m[0] * x[0] + m[1] * x[1]
    side = math.copysign(1.0, off)
    return (side * m[0], side * m[1], side * m[2]), obstacle[4] - abs(off)
'''
REGISTRY = """\
 from murmurate.model.shapes.mesh import Mesh as Mesh
+from murmurate.model.shapes.post import Post as Post
@@
-ObstacleShape = Sphere | Box | Wall | Tank | Mesh | Cylinder
+ObstacleShape = Sphere | Box | Wall | Tank | Mesh | Cylinder | Post
"""
TEST = '''\
import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.model_arguments import sources_of_numbers

from murmurate.show import scene
from murmurate.show.canvas import new_picture
from murmurate.show.obstacles import draw_obstacles_2d
from murmurate.show.projection import Orthographic
from murmurate.show.styles import STYLES

TABLE = """
name = "post"
dt = 0.5
[space]
size = [9, 9]
boundary = "reflecting"
[flocks.boids]
count = 8
[flocks.boids.start]
kind = "box"
lower = [0.5, 0.5]
upper = [3, 8]
velocity = {{ kind = "directions", speed = 1 }}
[flocks.boids.motion]
kind = "add"
max_speed = 2
[rules.avoid]
kind = "steer-to-avoid"
look_ahead = 2
[rules.shy]
kind = "avoid-obstacles"
radius = 2
look_ahead = 1
weight = 0.1
[obstacles.it]
kind = "{kind}"
centre = [5, 5]
radius = 1.5
"""
POST, DISC = (mm.parse(TABLE.format(kind=kind)) for kind in ("post", "sphere"))


@pytest.mark.parametrize("make", [flights.reference, flights.interpreted])
def test_boids_meet_a_post_as_a_disc(make):
    post, disc = make(POST), make(DISC)
    post.step(20), disc.step(20)
    flights.assert_agree(post, disc, tolerance=1e-6)
    positions, _, _ = flights.arrays(post)["boids"]
    assert np.hypot(*(positions - 5.0).T).min() > 1.5


def test_pictures_and_pages_have_it():
    view = Orthographic(80, 80, 40.0, (4.5, 4.5), (0.0, 0.0), 8.0)
    pictures = []
    for model in (POST, DISC):
        pictures.append(new_picture(80, 80))
        pictures[-1][:] = 0
        draw_obstacles_2d(pictures[-1], view, model.obstacles.values(), STYLES["light"], 1.5)
    assert pictures[0].any() and abs(pictures[0] - pictures[1].astype(int)).max() <= 8
    table = scene.obstacles(POST, 0.0)[0]
    assert table == {"name": "it", "kind": "post", "position": [5, 5, 0], "numbers": [1.5, 0, 0]}
    assert scene.shapes()["post"]["profile"] == [[1.0, -1.0], [1.0, 1.0]]
    assert sources_of_numbers(make_plan(POST), {})["shapes"]["post"]["lengths"] == {"radius": 1.0}
    space = mm.Space(size=(9.0, 9.0, 4.0))
    upright = POST.obstacles["it"].model_copy(update={"centre": (5.0, 5.0, 1.0)})
    corners = upright.drawn(space).corners
    assert (corners.min(axis=(0, 1)), corners.max(axis=(0, 1))) == (
        pytest.approx((3.5, 3.5, 0.0), abs=0.01), pytest.approx((6.5, 6.5, 4.0), abs=0.01)
    )
'''


@pytest.mark.slow
def test_a_new_shape_is_two_files(tmp_path: Path) -> None:
    copy = Checkout(tmp_path / "copy")
    copy.add("src/murmurate/model/shapes/post.py", SHAPE)
    copy.change("src/murmurate/model/obstacles.py", REGISTRY)
    copy.add("tests/model/test_posts.py", TEST)
    assert " passed" in copy.run("pytest tests/model/test_posts.py")
