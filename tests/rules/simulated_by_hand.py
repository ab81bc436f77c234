"""What three boids do by each rule, by hand: where they are, how they fly, and (x, v, boid) -> the
vector. Written without murmurate's own functions, but for its random numbers."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from typing import Any

import by_hand
import numpy as np

import murmurate as mm
from murmurate.engines.reference.mathematics import philox

DT = 0.5
SEED = 7
STEP = 3  # the step that is simulated, so that time is not 0
TIME = STEP * DT
SIDE = 100.0

X = ((1.0, 2.0, 3.0), (2.0, 4.0, 2.5), (5.0, 1.0, 4.0))
V = ((1.0, 0.0, 0.5), (0.0, -1.0, 0.25), (0.5, 0.75, -1.0))
WEIGHT = 0.3

Vectors = list[np.ndarray]


def norm(a: Any) -> float:
    return math.sqrt(sum(c * c for c in a))


def unit(a: Any) -> Any:
    return a / norm(a)


def pushed(push: Callable[[Vectors, Vectors, int], Any]) -> Callable[[Vectors, Vectors], Vectors]:
    """v + dt * weight * push, for each boid."""

    def expected(x: Vectors, v: Vectors) -> Vectors:
        return [v[i] + DT * WEIGHT * np.asarray(push(x, v, i))[: len(v[i])] for i in range(len(x))]

    return expected


def others(i: int) -> list[int]:
    return [j for j in range(3) if j != i]


def separation(law: Callable[[float], float]) -> Callable[[Vectors, Vectors, int], Any]:
    """Away from each other boid, as hard as the law says."""

    def push(x: Vectors, v: Vectors, i: int) -> Any:
        return sum(unit(x[i] - x[j]) * law(norm(x[i] - x[j])) for j in others(i))

    return push


def on_wire(i: int, dims: int) -> np.ndarray:
    """The place of boid i on the wire of the case: the golden ratio between 0.04 and 0.96."""
    part = 0.04 + 0.92 * ((i * 10946) % 17711 + 0.5) / 17711
    place = np.array([1.0 + 10.0 * part, 9.0 - 5.0 * part, 8.0 + part])[:dims]
    place[-1] -= 2.0 * (1.0 - (2.0 * part - 1.0) ** 2)
    return place


def steered(wish: Callable[[Vectors, Vectors, int], Any]) -> Callable[[Vectors, Vectors, int], Any]:
    """Full speed (2) that way, less the velocity, limited to 1.2."""

    def push(x: Vectors, v: Vectors, i: int) -> Any:
        steer = 2.0 * unit(wish(x, v, i)) - v[i]
        return steer * min(1.0, 1.2 / norm(steer))

    return push


def centre(x: Vectors, v: Vectors, i: int) -> Any:
    a, b = others(i)
    return (x[a] + x[b]) / 2 - x[i]


def mean_velocity(x: Vectors, v: Vectors, i: int) -> Any:
    a, b = others(i)
    return (v[a] + v[b]) / 2


def hunted(x: Vectors, v: Vectors, i: int) -> Any:
    """The unit vector to where the nearest other is in a quarter of a time unit."""
    j = min(others(i), key=lambda j: norm(x[j] - x[i]))
    return unit(x[j] + 0.25 * v[j] - x[i])


def spring(x: Vectors, v: Vectors, i: int) -> Any:
    """Preferred distance 3; neighbours farther than 4.3 do not count."""
    near = [j for j in others(i) if norm(x[j] - x[i]) <= 4.3]
    return sum(
        ((x[j] - x[i]) * (1.0 - 3.0 / norm(x[j] - x[i])) for j in near), np.zeros(3)[: len(x[i])]
    )


def chance(rule: str, index: int) -> list[float]:
    return draws(f"boids/{rule}", index)


def draws(rng_stream: str, index: int) -> list[float]:
    bits = philox((index, STEP, 0, zlib.crc32(rng_stream.encode())), (SEED, 0))
    return [(b >> 8) / 2.0**24 for b in bits]


def normals(a: float, b: float, c: float, d: float) -> tuple[float, float, float]:
    r, s = math.sqrt(-2.0 * math.log(1.0 - a)), math.sqrt(-2.0 * math.log(1.0 - c))
    t, p = 2.0 * math.pi * b, 2.0 * math.pi * d
    return r * math.cos(t), r * math.sin(t), s * math.cos(p)


def uniform(x: Vectors, v: Vectors, i: int) -> Any:
    a, b, c, _ = chance("random-steering", i)
    return 2.0 * a - 1.0, 2.0 * b - 1.0, 2.0 * c - 1.0


def gaussian(x: Vectors, v: Vectors, i: int) -> Any:
    return normals(*chance("random-steering-gaussian", i))


def kicked(a: float) -> tuple[int, float]:
    """Rate 3, so 1.5 kicks a step on average: as many as the uniform number reaches terms of
    exp(-1.5) 1.5^n / n!; and what is left of it, stretched to [0, 1)."""
    count, term = 0, math.exp(-1.5)
    while a >= term:
        a, count = a - term, count + 1
        term *= 1.5 / count
    return count, a / term


def kicks(x: Vectors, v: Vectors, i: int) -> Any:
    """Return the sum of `count` normal kicks; the remainder is the first of four random numbers."""
    a, b, c, d = chance("poisson-kicks", i)
    count, left = kicked(a)
    return 0.8 * math.sqrt(count) / DT * np.array(normals(left, b, c, d))


def bursts(x: Vectors, v: Vectors, i: int) -> Any:
    """Return `count` kicks of 0.8 along the heading."""
    count, _ = kicked(chance("poisson-kicks-forward", i)[0])
    return 0.8 * count / DT * unit(v[i])


def knot(t: float) -> Any:
    r = 2.0 + math.cos(3.0 * t)
    return np.array([r * math.cos(2.0 * t), r * math.sin(2.0 * t), math.sin(3.0 * t)])


def phase(i: int) -> float:
    """Period 7, each boid a tenth of a turn further."""
    return TIME / 7.0 + 0.1 * i


def to(point: Any) -> Callable[[Vectors, Vectors, int], Any]:
    def push(x: Vectors, v: Vectors, i: int) -> Any:
        return np.asarray(point(i))[: len(x[i])] - x[i]

    return push


def on_circle(i: int) -> Any:
    t = 2.0 * math.pi * phase(i)
    return SIDE / 2 + 3.0 * math.cos(t), SIDE / 2 + 3.0 * math.sin(t), SIDE / 2


def on_knot(i: int) -> Any:
    return SIDE / 2 + 3.0 * knot(2.0 * math.pi * phase(i))


def on_square(i: int) -> Any:
    """Round a square of side 4, counterclockwise from the origin."""
    way = 16.0 * (phase(i) % 1.0)
    corners = [(0.0, 0.0, 1.0), (4.0, 0.0, 1.0), (4.0, 4.0, 1.0), (0.0, 4.0, 1.0)]
    side, part = int(way // 4.0), way % 4.0
    a, b = np.array(corners[side]), np.array(corners[(side + 1) % 4])
    return a + (b - a) * part / 4.0


def on_path(i: int) -> Any:
    """Along an open path of two legs, 3 and 5 long."""
    way = 8.0 * (phase(i) % 1.0)
    return (way, 0.0, 0.0) if way <= 3.0 else (3.0, way - 3.0, 0.0)


def border(push: str) -> Callable[[Vectors, Vectors, int], Any]:
    """Borders 1.5 to 4.5 on every axis, felt from half a length inside: below 2 and above 4."""

    def first(c: float) -> float:
        past = 2.0 - c if c < 2.0 else 4.0 - c if c > 4.0 else 0.0
        return past if push == "linear" else float(np.sign(past))

    return lambda x, v, i: [first(c) for c in x[i]]


def home(x: Vectors, v: Vectors, i: int) -> Any:
    """Roost at (4, 4, 4) of size 2; the second axis counts half."""
    way = (np.array([4.0, 4.0, 4.0])[: len(x[i])] - x[i]) * np.array([1.0, 0.5, 1.0])[: len(x[i])]
    return way * max(0.0, 1.0 - 2.0 / norm(way))


def position(x: Vectors, v: Vectors, i: int) -> Any:
    """Towards (3, 3, 3), from no farther than 2.2."""
    way = np.full(len(x[i]), 3.0) - x[i]
    return way if norm(way) <= 2.2 else 0.0 * way


def around(x: Vectors, v: Vectors, i: int) -> Any:
    """A sphere of radius 2 at (50, 50, 50), avoided when less than 3 time units ahead, or nearer
    than 1: pushes along the outward normal, as hard as urgent, times the speed."""
    out = x[i] - np.full(len(x[i]), 50.0)
    normal, gap = unit(out), norm(out) - 2.0
    closing = -float(v[i] @ normal)
    soon = 1.0 - (gap / closing) / 3.0 if closing > 0.0 else 0.0
    return normal * max(0.0, soon, 1.0 - gap / 1.0) * norm(v[i])


def passing(x: Vectors, v: Vectors, i: int) -> Any:
    """The same sphere, where the path ahead meets it within 3 time units: across the path, the
    tangent of the angle to 0.5 beyond its edge, beside the impact."""
    out, h = x[i] - np.full(len(x[i]), 50.0), unit(v[i])
    nearest = -float(out @ h)
    off = out + nearest * h
    if nearest < 0.0 or norm(off) > 2.0:
        return np.zeros(len(out))
    impact = nearest - math.sqrt(4.0 - norm(off) ** 2)
    return unit(off) * (2.0 - norm(off) + 0.5) / impact * (impact <= 3.0 * norm(v[i]))


def sensitive(part: Callable[[Vectors, Vectors, int, int], Any]) -> Callable[..., Any]:
    """A mean over the others with the weights (1 + 0.4 v.n) / r^2."""

    def mean(x: Vectors, v: Vectors, i: int) -> Any:
        r = {j: x[j] - x[i] for j in others(i)}
        s = {j: max(0.0, 1 + 0.4 * (v[i] @ unit(r[j]))) / norm(r[j]) ** 2 for j in r}
        return sum(s[j] * part(x, v, i, j) for j in s) / sum(s.values())

    return mean


def aligned_by_flock(x: Vectors, v: Vectors, i: int) -> Any:
    return sum(v[j] - v[i] for j in others(i)) / 3.0


def cut(a: Any, longest: float) -> Any:
    return a * min(1.0, longest / norm(a))


def blown(x: Vectors, v: Vectors) -> Vectors:
    """What the wind (4, -3, 2), weighed, makes of the velocities, with a force of at most 1.2."""
    wind = np.array([4.0, -3.0, 2.0])[: len(v[0])] * WEIGHT
    return [first + DT * cut(wind, 1.2) for first in v]


def limited_speed(x: Vectors, v: Vectors) -> Vectors:
    """Speeds 1.3 to 1.6."""
    return [a * min(max(norm(a), 1.3), 1.6) / norm(a) for a in blown(x, v)]


def turned_slowly(x: Vectors, v: Vectors) -> Vectors:
    """The heading turns by 10 degrees at most (20 a time unit), towards the wanted one."""
    out = []
    for old, new in zip(v, blown(x, v), strict=True):
        angle = math.acos(float(unit(old) @ unit(new)))
        across = unit(new - (new @ unit(old)) * unit(old))
        angle = min(angle, math.radians(10.0))
        out.append(norm(new) * (math.cos(angle) * unit(old) + math.sin(angle) * across))
    return out


WIND = mm.Wind(vector=(4.0, -3.0, 2.0), weight=WEIGHT)
FREE = mm.Add(max_speed=1e6)
STEERED = mm.Add(max_speed=2.0, max_force=1.2)
AT_SPHERE = ((47.0, 50.5, 50.0), (52.5, 50.0, 50.25), (50.0, 58.0, 49.0))
AT_SPEED = ((1.0, 0.0, 0.25), (0.0, 1.0, 0.0), (0.1, -3.0, 0.25))


def scattered_once(name: str, times: float) -> Callable[[Vectors, Vectors, int], Any]:
    return lambda x, v, i: times * by_hand.random_direction(*chance(name, i)[:2], len(x[i]))


def erring(x: Vectors, v: Vectors) -> Vectors:
    """Towards the wind, with normal noise of 0.3 radians; at most 20 degrees a step."""
    out = []
    for i, first in enumerate(v):
        a, b, c, _ = draws("directed/motion/0", i)
        angle = 0.3 * math.sqrt(-2.0 * math.log(1.0 - a)) * math.cos(2.0 * math.pi * b)
        expected = by_hand.erring(
            np.array([4.0, -3.0, 2.0])[: len(first)], angle, 2.0 * math.pi * c
        )
        out.append(1.5 * by_hand.turned_towards(first, expected, math.radians(20.0)))
    return out
