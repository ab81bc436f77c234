"""By what angles fish turn, by hand: an intensity times factors of angles (Calovi et al. 2018).
Scales of the factors are found by adding up squares, not by a formula."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from simulated_by_hand import Vectors, chance, norm, normals, others, unit

CIRCLE = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)


def factor(f: Callable[[Any], Any], angle: float) -> float:
    """f at an angle, where the mean square of f over all angles is made 1."""
    return float(f(angle)) / math.sqrt(float(np.mean(f(CIRCLE) ** 2)))


def angle_between(a: Any, b: Any) -> float:
    return math.acos(max(-1.0, min(1.0, float(unit(a) @ unit(b)))))


def side(heading: Any, way: Any) -> Any:
    """The unit vector across a heading, to the side of a way."""
    return unit(way - (way @ unit(heading)) * unit(heading))


def to_sphere(x: Any) -> Any:
    """The way to the surface of a sphere of radius 2 at (50, 50, 50)."""
    out = x - np.full(len(x), 50.0)
    return -unit(out) * (norm(out) - 2.0)


def from_wall(x: Vectors, v: Vectors, i: int) -> Any:
    """Range 4, cos(2 a) counts 0.7."""
    way = to_sphere(x[i])
    a = angle_between(v[i], way)
    turn = factor(lambda t: np.sin(t) * (1 + 0.7 * np.cos(2 * t)), a)
    return -math.exp(-((norm(way) / 4.0) ** 2)) * turn * side(v[i], way)


def by_chance(x: Vectors, v: Vectors, i: int) -> Any:
    """Range 4, 0.6 less at the sphere."""
    normal = np.array(normals(*chance("random-turn", i)))[: len(x[i])]
    normal = normal - (normal @ unit(v[i])) * unit(v[i])
    return (1 - 0.6 * math.exp(-((norm(to_sphere(x[i])) / 4.0) ** 2))) * normal


def attracted(x: Vectors, v: Vectors, i: int) -> Any:
    """Balance at 3, range 5."""
    total = np.zeros(len(x[i]))
    for j in others(i):
        way = x[j] - x[i]
        d, a, b = norm(way), angle_between(v[i], way), angle_between(v[i], v[j])
        turn = (d / 3.0 - 1) / (1 + (d / 5.0) ** 2)
        turn *= factor(lambda t: np.sin(t) * (1 - 0.33 * np.cos(t)), a)
        turn *= factor(lambda t: 1 - 0.48 * np.cos(t) - 0.31 * np.cos(2 * t), b)
        total = total + turn * side(v[i], way)
    return total


def aligned(x: Vectors, v: Vectors, i: int) -> Any:
    """Distance 2, range 5."""
    total = np.zeros(len(x[i]))
    for j in others(i):
        way = x[j] - x[i]
        d, a, b = norm(way), angle_between(v[i], way), angle_between(v[i], v[j])
        turn = (d / 2.0 + 1) * math.exp(-((d / 5.0) ** 2))
        turn *= factor(lambda t: np.sin(t) * (1 + 0.3 * np.cos(2 * t)), b)
        turn *= factor(lambda t: 1 + 0.6 * np.cos(t) - 0.32 * np.cos(2 * t), a)
        total = total + turn * side(v[i], v[j])
    return total


def coasting(x: Vectors, v: Vectors) -> Vectors:
    """Half a time unit of a decay in 0.8."""
    return [a * math.exp(-0.5 / 0.8) for a in v]


def most_influential(x: Vectors, v: Vectors, i: int) -> Any:
    """The longer of two turns; intensities 0.6 and 0.9, ranges 3 and 4, anisotropy 0.8."""

    def turn(j: int) -> Any:
        heading, d = unit(v[i]), norm(x[j] - x[i])
        way, course = unit(x[j] - x[i]), unit(v[j])
        pull = 0.6 * d / (1 + (d / 3.0) ** 2)
        align = 0.9 * (1 + 0.8 * (way @ heading)) * math.exp(-((d / 4.0) ** 2))
        total = pull * way + align * course
        return total - (total @ heading) * heading

    return max((turn(j) for j in others(i)), key=norm)
