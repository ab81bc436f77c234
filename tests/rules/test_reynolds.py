"""Reynolds' flock: a step in plain Python, priorities, and edges of obstacles.

Reynolds 1987, doi:10.1145/37402.37406.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import flights
import murmurate as mm
from murmurate.codegen.obstacle_path import edge_ahead, impact_distance
from murmurate.codegen.obstacle_shapes import clearance
from murmurate.codegen.shape_functions import NUMBERS
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.wasm.wasm_engine import WasmEngine
from murmurate.errors import ModelError

BOXES = {"pillar": (4.0, 0.5), "block": (3.0, -4.0)}
"""Centres of two columns of width 2."""


def flock(dims: int, count: int = 25, **numbers: Any) -> mm.Model:
    """Boids with every behaviour of the paper, and obstacles on their way."""
    place = lambda x, y: (x, y, 0.0)[:dims]  # noqa: E731
    rules: dict[str, Any] = {
        "avoid": mm.SteerToAvoid(look_ahead=2.0, body_length=0.5, limit=1, weight=3),
        "collisions": mm.Separation(law="inverse-square", radius=2.5, limit=1, weight=3),
        "matching": mm.VelocityMatching(radius=2.5, forward=0.3, limit=1, weight=2),
        "centring": mm.FlockCentring(radius=3.0, forward=0.3, exponent=1.5, limit=1, weight=1),
        "goal": mm.TendToPlace(place=place(9.0, 0.0), limit=1, weight=1),
    }
    return mm.Model(
        dt=0.1,
        space=mm.Space(size=(20.0,) * dims, origin=(-10.0,) * dims),
        flocks={
            "boids": mm.Flock(
                count=count,
                combine="priority",
                motion=mm.Add(min_speed=0.8, max_speed=2.0, max_force=3.0),
                start=mm.InBall(
                    centre=place(0.0, 0.0), radius=2.5,
                    velocity=mm.Heading(velocity=place(1.5, 0.0), spread=0.5),
                ),
            )
        },
        rules=rules,
        obstacles={
            "ball": mm.Sphere(centre=place(5.0, 3.0), radius=1.2),
            **{
                name: mm.Box(centre=place(*at), size=(2.0, 2.0, 8.0)[:dims])
                for name, at in BOXES.items()
            },
        },
    ).set(numbers)  # fmt: skip


def cut(a: np.ndarray, longest: float) -> np.ndarray:
    return a * min(1.0, longest / max(float(np.linalg.norm(a)), 1e-30))


def outline(h: np.ndarray, out: np.ndarray, corners: np.ndarray) -> tuple[float, np.ndarray]:
    """Return how far the outline of some corners is from the path along h, and the direction.

    In 3-D the directions around the path are searched three times, ever more finely.
    """
    if len(h) == 2:
        sides = np.array([[-h[1], h[0]], [h[1], -h[0]]])
        beside = (sides @ corners.T).max(axis=1) - sides @ out
        return float(beside.min()), sides[beside.argmin()]
    a = np.cross(h, [0.3, 0.5, 0.9])
    a /= np.linalg.norm(a)
    middle, width = 0.0, math.pi
    for _ in range(3):
        way = middle + np.linspace(-width, width, 20_001)
        sides = np.outer(np.cos(way), a) + np.outer(np.sin(way), np.cross(h, a))
        beside = (sides @ corners.T).max(axis=1) - sides @ out
        middle, width = way[beside.argmin()], width / 5000
    return float(beside.min()), sides[beside.argmin()]


def avoided(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Steer-to-avoid: the outline of each column and of the ball, from straight behind."""
    dims, speed = len(x), float(np.linalg.norm(v))
    h, request = v / speed, np.zeros(len(x))
    out = x - np.array([5.0, 3.0, 0.0][:dims])
    off = out - (out @ h) * h
    reach = 1.2**2 - off @ off
    impact = -out @ h - math.sqrt(max(0.0, reach))
    if reach > 0.0 and 0.0 < impact <= 2.0 * speed:
        size = float(np.linalg.norm(off))
        request = request + off / size * (1.2 - size + 0.5) / impact
    for centre in BOXES.values():
        half, out = np.array([1.0, 1.0, 4.0][:dims]), x - np.array([*centre, 0.0][:dims])
        enter = max((-np.copysign(half, h) - out) / h)
        if not 0.0 < enter < min((np.copysign(half, h) - out) / h) or enter > 2.0 * speed:
            continue
        corners = np.array(np.meshgrid(*([-1.0, 1.0],) * dims)).reshape(dims, -1).T * half
        beside, side = outline(h, out, corners)
        request = request + side * (beside + 0.5) / enter
    return request


def weighted(
    me: np.ndarray, d: np.ndarray, values: np.ndarray, radius: float, exponent: float
) -> np.ndarray:
    """Return the mean of values of the boids at d, by the sensitivity to each."""
    r = np.linalg.norm(d, axis=1)
    s = np.maximum(0.0, 1 + 0.3 * (d @ me) / r) / r**exponent * (r <= radius)
    return s @ values / s.sum() if s.any() else 0 * me


def step_by_hand(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the next velocities: requests in the order of priority, up to 3 together."""
    after = []
    for i, me in enumerate(v):
        d, dv = np.delete(x - x[i], i, axis=0), np.delete(v - me, i, axis=0)
        r = np.linalg.norm(d, axis=1)
        requests = [
            3 * cut(avoided(x[i], me), 1),
            3 * cut(-((r <= 2.5) / r**3) @ d, 1),
            2 * cut(weighted(me, d, dv, 2.5, 2.0), 1),
            1 * cut(weighted(me, d, d, 3.0, 1.5), 1),
            1 * cut(np.array([9.0, 0.0, 0.0][: len(me)]) - x[i], 1),
        ]
        total, used = 0 * me, 0.0
        for request in requests:
            size = float(np.linalg.norm(request))
            total = total + request * (min(size, 3.0 - used) / max(size, 1e-30))
            used = min(3.0, used + size)
        new = me + 0.1 * total
        speed = float(np.linalg.norm(new))
        after.append(new * min(2.0, max(0.8, speed)) / speed)
    return np.array(after)


@pytest.mark.parametrize("dims", [2, 3])
def test_a_step_is_the_papers(dims: int) -> None:
    simulation = mm.Simulation(flock(dims), seed=5, engine="reference")
    for _ in range(3):
        before = simulation.frame["boids"]
        x, v = before.positions.copy(), before.velocities.copy()
        hit = [np.linalg.norm(avoided(*boid)) > 0.0 for boid in zip(x, v, strict=True)]
        assert 3 < sum(hit) < 25
        after = simulation.step(1).frame["boids"].velocities
        np.testing.assert_allclose(after, step_by_hand(x, v), rtol=0, atol=1e-9)
        simulation.step(3)


def spread_after_a_step(
    x: Any, v: Any, requests: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
) -> float:
    """Return the largest difference of two velocities after a step of 0.05.

    requests  (own velocity, vectors to the others, velocity differences) -> acceleration
    """
    x, v = np.array(x, float), np.array(v, float)
    after = [
        me + 0.05 * requests(me, np.delete(x - x[i], i, axis=0), np.delete(v - me, i, axis=0))
        for i, me in enumerate(v)
    ]
    return max(float(np.linalg.norm(a - b)) for a in after for b in after)


def time_of_distance(r: float) -> float:
    """Return when two boids at rest 1.5 apart, r'' = 24 / r^2, are r apart."""
    u = r / 1.5
    return 1.5**1.5 / math.sqrt(48.0) * (math.sqrt(u * (u - 1.0)) + math.acosh(math.sqrt(u)))


def test_numbers_of_the_verify_file() -> None:
    """The exact numbers of reynolds-1987.verify.toml, from its largest numbers and weights."""
    exact = [e.value for e in mm.load("reynolds-1987").expect if e.origin == "exact"]

    def sensitive(me: np.ndarray, d: np.ndarray, values: np.ndarray) -> np.ndarray:
        r = np.linalg.norm(d, axis=1)
        s = (1 + 0.05 * (d @ me) / r) / r**2
        return cut(s @ values / s.sum(), 1)

    three = [[8, 0, 0], [8, 0.6, 0], [8, 0, 0.5]]
    expected = [
        6 + 8 * 0.5,
        12.0,
        6.0,
        math.hypot(8 + 0.05 * (10 - 12 / 2**2 - 4), 0.05 * (4 - 12 / 2**2)),
        brentq(lambda r: time_of_distance(r) - 1.0, 2.0, 9.0),
        spread_after_a_step(
            [[0, 0, 0], [2, 0, 0], [0, 4, 0]],
            three,
            lambda me, d, dv: 8 * sensitive(me, d, dv),
        ),
        spread_after_a_step(
            [[0, 0, 0], [9, 0, 0], [0, 16, 0]],
            [[8, 0, 0]] * 3,
            lambda me, d, dv: 4 * sensitive(me, d, d),
        ),
        0.05 * 16 * (1 + 2) / 17,
    ]
    assert exact == pytest.approx(expected, rel=5e-6)


@pytest.mark.parametrize(
    "dims",
    [pytest.param(2, marks=pytest.mark.long), pytest.param(3, marks=pytest.mark.slow)],
)
def test_engines_agree(dims: int) -> None:
    """Obstacles of all kinds, and in 2-D a periodic axis."""
    walls = {
        "wall": mm.Wall(point=(8.0,) * dims, normal=(-1.0, -0.5, 0.2)[:dims]),
        "tank": mm.Tank(centre=(0.5,) * dims, radius=9.0),
    }
    space = {"space.boundary": ["open", "periodic"]} if dims == 2 else {}
    model = flock(dims, 40).set(space)
    model = model.model_copy(update={"obstacles": {**model.obstacles, **walls}})
    runs = [flights.interpreted(model, seed=3), flights.reference(model, seed=3)]
    page = WasmEngine(model, initial_state(model, 3), RunOptions("wasm", dtype="float32", seed=3))
    for _ in range(4):
        for run in (*runs, page):
            run.step(1)
        first, other, third = (flights.arrays(run)["boids"][0] for run in (*runs, page))
        np.testing.assert_allclose(other, first, rtol=0, atol=1e-10)
        np.testing.assert_allclose(third, first, rtol=0, atol=1e-5)


def test_the_path_beside_an_edge_touches_the_outline() -> None:
    """A little farther aside it passes, a little less and it meets the obstacle."""
    random, met = np.random.default_rng(1), 0
    for _ in range(2000):
        half = random.uniform(0.3, 2.0, 3)
        kind = random.choice([NUMBERS["BOX"], NUMBERS["SPHERE"]])
        obstacle = np.array([kind, 0.0, 0.0, 0.0, *half])
        x, v = random.uniform(-4, 4, 3), random.normal(size=3)
        if clearance(obstacle, *x)[0] <= 0.0:
            continue
        *e, ahead = edge_ahead(obstacle, *x, *v, False)
        h = v / np.linalg.norm(v)
        way = impact_distance(obstacle, tuple(x), tuple(h))
        assert ahead == (way > 0.0)
        if not ahead:
            continue
        met += 1
        aside = np.array(e) - way * h
        assert aside @ h == pytest.approx(0.0, abs=1e-12)
        for part, passes in ((1.001, True), (0.999, False)):
            begin = x + part * aside - 20 * h
            assert (impact_distance(obstacle, tuple(begin), tuple(h)) < 0.0) == passes
    assert met > 40


def test_a_later_request_gets_what_is_left() -> None:
    """Three winds of 2, 2 and 2 along x, y and z, and 3 to allocate: 2, 1 and 0."""
    boid = mm.Flock(
        count=1,
        combine="priority",
        start=mm.Given(positions=((0.0,) * 3,), velocities=((0.0,) * 3,)),
        motion=mm.Add(max_force=3.0),
    )
    model = mm.Model(
        space=mm.Space(size=(9.0,) * 3),
        flocks={"boids": boid},
        rules={
            axis: mm.Wind(vector=tuple(map(float, row)), weight=2)
            for axis, row in zip("xyz", np.eye(3), strict=True)
        },
    )
    after = mm.Simulation(model, engine="reference").step(1).frame["boids"]
    assert after.velocities[0].tolist() == [2.0, 1.0, 0.0]


def test_meshes_are_refused() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    rock = mm.Mesh.from_arrays(corners, faces, centre=(5.0, 5.0, 5.0))
    with pytest.raises(ModelError, match=r"avoid.senses: got 'rock', a mesh; .* 'avoid-obstacles'"):
        mm.Model(
            space=mm.Space(size=(9.0,) * 3),
            flocks={"boids": mm.Flock(count=1)},
            rules={"avoid": mm.SteerToAvoid(look_ahead=1.0)},
            obstacles={"rock": rock},
        )
