"""What the rules of directions and forces give, by hand: (x, v, boid) -> the vector. And what the
self-propelled motion makes of a wanted direction. Written without murmurate's own functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import eval_legendre

Vectors = list[np.ndarray]


def norm(a: Any) -> float:
    return float(np.sqrt(np.sum(np.square(a))))


def unit(a: Any) -> Any:
    return a / norm(a)


def others(i: int) -> list[int]:
    return [j for j in range(3) if j != i]


def headings(x: Vectors, v: Vectors, i: int) -> Any:
    return sum(unit(v[j]) for j in others(i))


def mean_heading(x: Vectors, v: Vectors, i: int) -> Any:
    """With one's own."""
    return (unit(v[0]) + unit(v[1]) + unit(v[2])) / 3


def attraction(x: Vectors, v: Vectors, i: int) -> Any:
    return sum((x[j] - x[i]) / norm(x[j] - x[i]) ** 3 for j in others(i))


def far_centre(x: Vectors, v: Vectors, i: int) -> Any:
    """The direction to the centre of those between 3 and 4.3 away."""
    seen = [x[j] - x[i] for j in others(i) if 3.0 < norm(x[j] - x[i]) <= 4.3]
    return unit(sum(seen)) if seen else np.zeros(len(x[i]))


def follow(x: Vectors, v: Vectors, i: int) -> Any:
    return sum(unit(x[j] - x[i]) + 0.5 * unit(v[j]) for j in others(i))


def self_propulsion(x: Vectors, v: Vectors, i: int) -> Any:
    return (1.6 - 0.5 * norm(v[i]) ** 2) * v[i]


def lennard_jones(*, repulsive: bool) -> Any:
    """Strength 3, diameter 2.2: the derivative of the potential at each distance."""

    def push(x: Vectors, v: Vectors, i: int) -> Any:
        total = np.zeros(len(x[i]))
        for j in others(i):
            r = norm(x[j] - x[i])
            slope = 12.0 * (-12.0 * 2.2**12 / r**13 + 6.0 * 2.2**6 / r**7)
            if not repulsive or r < 2.0 ** (1 / 6) * 2.2:
                total += slope * unit(x[j] - x[i])
        return total

    return push


def morse(x: Vectors, v: Vectors, i: int) -> Any:
    """Minus the gradient of sum 3 exp(-r) - 1/2 exp(-r/2), by differences."""

    def energy(at: Any) -> float:
        r = [norm(x[j] - at) for j in others(i)]
        return sum(3.0 * math.exp(-s) - 0.5 * math.exp(-s / 2.0) for s in r)

    def slope(e: Any) -> float:
        near, far = energy(x[i] + e) - energy(x[i] - e), energy(x[i] + 2 * e) - energy(x[i] - 2 * e)
        return (8 * near - far) / (12 * norm(e))

    return np.array([-slope(e) for e in np.eye(len(x[i])) * 1e-3])


def cucker_smale(x: Vectors, v: Vectors, i: int) -> Any:
    weight = [(1 + (norm(x[j] - x[i]) / 2.0) ** 2) ** -0.7 for j in others(i)]
    return sum(w * (v[j] - v[i]) for w, j in zip(weight, others(i), strict=True)) / 3


def motsch_tadmor(x: Vectors, v: Vectors, i: int) -> Any:
    weight = [(1 + norm(x[j] - x[i]) ** 2) ** -0.7 for j in others(i)]
    pulled = sum(w * (v[j] - v[i]) for w, j in zip(weight, others(i), strict=True))
    return pulled / sum(weight)


def alpha_lattice(x: Vectors, v: Vectors, i: int) -> Any:
    """d = 3, r = 4.3, epsilon = 0.1, a = 2, b = 5, h = 0.2, alignment 0.5."""

    def sigma(r: float) -> float:
        return (math.sqrt(1 + 0.1 * r * r) - 1) / 0.1

    total = np.zeros(len(x[i]))
    c = 3 / math.sqrt(4 * 2 * 5)
    for j in others(i):
        r = norm(x[j] - x[i])
        part = sigma(r) / sigma(4.3)
        near = 1.0
        if part >= 0.2:
            near = 0.5 * (1 + math.cos(math.pi * (part - 0.2) / 0.8)) if part < 1 else 0.0
        z = sigma(r) - sigma(3.0) + c
        phi = 0.5 * (7 * z / math.sqrt(1 + z * z) - 3)
        total = total + near * phi * (x[j] - x[i]) / math.sqrt(1 + 0.1 * r * r)
        total = total + near * 0.5 * (v[j] - v[i])
    return total


def random_direction(a: float, b: float, dims: int) -> Any:
    """In 3-D by Archimedes: the height on the sphere is uniform."""
    plane = np.array([math.cos(2 * math.pi * a), math.sin(2 * math.pi * a)])
    z = 2 * b - 1
    return plane if dims == 2 else np.array([*(math.sqrt(1 - z * z) * plane), z])


def part_of_sphere(height: float, time: float) -> float:
    """The probability that Brownian motion on a sphere, of the diffusion constant 1, is no higher
    than 1 - height after a time, by its series of Legendre polynomials."""
    x = 1 - height
    n = np.arange(1, 400)
    p = [eval_legendre(m, x) for m in range(401)]
    fading = np.exp(-n * (n + 1) * time)
    return float(height + (fading * (np.array(p[:-2]) - np.array(p[2:]))).sum()) / 2


def angle_on_sphere(a: float, time: float) -> float:
    """The angle that a share `a` of Brownian motions stays below."""
    return math.acos(1 - brentq(lambda h: part_of_sphere(h, time) - a, 0, 2, xtol=1e-15))


def erring(expected: Any, angle: float, around: float) -> Any:
    """A direction turned by an angle; in 3-D to a side counted from the horizontal one on its left
    (from that in the plane x = 0, where it points nearly straight up or down)."""
    n = unit(expected)
    if len(n) == 2:
        c, s = math.cos(angle), math.sin(angle)
        return np.array([c * n[0] - s * n[1], s * n[0] + c * n[1]])
    left = np.array([-n[1], n[0], 0.0]) if abs(n[2]) <= 0.9 else np.array([0.0, -n[2], n[1]])
    left = unit(left)
    side = math.cos(around) * left + math.sin(around) * np.cross(n, left)
    return math.cos(angle) * n + math.sin(angle) * side


def turned_towards(v: Any, expected: Any, limit: float) -> Any:
    """The unit vector from v's heading towards `wanted`, by at most an angle."""
    h, n = unit(v), unit(expected)
    angle = math.acos(min(1.0, max(-1.0, float(h @ n))))
    if angle <= limit:
        return n
    return math.cos(limit) * h + math.sin(limit) * unit(n - (n @ h) * h)
