"""What herding dogs, drones and boids with a spin do, by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from by_hand import Vectors, angle_on_sphere, erring, norm, random_direction, unit
from simulated_by_hand import DT, WEIGHT, blown, chance, cut, draws, normals, others


def herded(spacing: float, target: float) -> Any:
    """All three as one herd: behind the farthest where it has strayed, else behind the middle."""

    def push(x: Vectors, v: Vectors, i: int) -> Any:
        middle = (x[0] + x[1] + x[2]) / 3
        far = max(x, key=lambda position: norm(position - middle))
        point = far + spacing * unit(far - middle)
        if norm(far - middle) <= spacing * 3 ** (2 / 3):
            point = middle + spacing * math.sqrt(3) * unit(middle - target)
        return unit(point - x[i])

    return push


def kept_off(x: Vectors, v: Vectors, i: int) -> Any:
    """The same, but for who has another within 2.4."""
    if min(norm(x[j] - x[i]) for j in others(i)) < 2.4:
        return np.zeros(len(x[i]))
    return herded(0.5, 9.0)(x, v, i)


def grazing(x: Vectors, v: Vectors, i: int) -> Any:
    a, b, _, _ = chance("graze", i)
    if a >= 0.7:
        return np.zeros(len(x[i]))
    return random_direction(a / 0.7, b, len(x[i]))


def any_way(x: Vectors, v: Vectors, i: int) -> Any:
    return random_direction(*chance("random-direction", i)[:2], len(x[i]))


def braked(r: float, a: float, p: float) -> float:
    """The speed from which one comes to a stop within r: at a, but no faster than p times the way
    that is left."""
    if r <= 0:
        return 0.0
    return p * r if p * r < a / p else math.sqrt(2 * a * r - (a / p) ** 2)


def beyond(difference: Any, limit: float) -> Any:
    return difference * max(0.0, 1 - limit / norm(difference))


def rubbed(x: Vectors, v: Vectors, i: int) -> Any:
    """Distance 1, tolerance 0.3, gain 0.5, acceleration 0.2."""
    return sum(
        beyond(v[j] - v[i], max(0.3, braked(norm(x[j] - x[i]) - 1.0, 0.2, 0.5))) for j in others(i)
    )


def off_sphere(x: Vectors, v: Vectors, i: int) -> Any:
    """A sphere of radius 2 at (50, 50, 50); speed 2, distance 0.2, gain 0.9, acceleration 0.3."""
    out = x[i] - np.full(len(x[i]), 50.0)
    return beyond(2.0 * unit(out) - v[i], braked(norm(out) - 2.2, 0.3, 0.9))


def off_walls(x: Vectors, v: Vectors, i: int) -> Any:
    """Walls at 0 and 6 on every axis; the same numbers."""
    total = np.zeros(len(x[i]))
    for axis in range(len(x[i])):
        for gap, way in ((x[i][axis], 2.0), (6.0 - x[i][axis], -2.0)):
            inwards = np.zeros(len(x[i]))
            inwards[axis] = way
            total = total + beyond(inwards - v[i], braked(gap - 0.2, 0.3, 0.9))
    return total


def responding(x: Vectors, v: Vectors) -> Vectors:
    """To the wind's velocity, 1 at most, with a lag of 0.8, and by no more than 0.6 a time unit."""
    wind = cut(np.array([4.0, -3.0, 2.0])[: len(v[0])] * WEIGHT, 1.0)
    return [a + cut((1 - math.exp(-DT / 0.8)) * (wind - a), 0.6 * DT) for a in v]


def spun(x: Vectors, v: Vectors) -> Vectors:
    """From no spin: the wind, 1.2 at most, turns the heading by as much as dt^2 over the inertia
    times its part across the heading."""
    out = []
    for old, pushed in zip(v, blown(x, v), strict=True):
        heading, wind = unit(old), (pushed - old) / DT
        across = wind - (wind @ heading) * heading
        angle = norm(across) * DT * DT / 0.7
        out.append(1.5 * (math.cos(angle) * heading + math.sin(angle) * unit(across)))
    return out


def diffusing(x: Vectors, v: Vectors, i: int) -> Any:
    """White noise of the diffusion constant 0.7."""
    return math.sqrt(2 * 0.7 / DT) * np.array(normals(*chance("white-noise", i)))


def turning(x: Vectors, v: Vectors) -> Vectors:
    """The part of the wind across the heading is the angular velocity; rotational diffusion 0.2."""
    out = []
    for i, (old, pushed) in enumerate(zip(v, blown(x, v), strict=True)):
        heading, wind = unit(old), (pushed - old) / DT
        across = wind - (wind @ heading) * heading
        angle = norm(across) * DT
        heading = math.cos(angle) * heading + math.sin(angle) * unit(across)
        a, b, c, _ = draws("turning/motion/0", i)
        stray = math.sqrt(2 * 0.2 * DT * -2 * math.log(1 - a)) * math.cos(2 * math.pi * b)
        if len(old) == 3:
            stray = angle_on_sphere(a, 0.2 * DT)
        out.append(1.5 * unit(erring(heading, stray, 2 * math.pi * c)))
    return out


def by_parts(x: Vectors, v: Vectors) -> Vectors:
    """The part of the wind along the heading changes the speed, the part across it turns."""
    out = []
    for old, pushed in zip(v, blown(x, v), strict=True):
        heading, wind = unit(old), (pushed - old) / DT
        across = wind - (wind @ heading) * heading
        angle = DT * norm(across) / norm(old)
        speed = max(0.3, norm(old) + DT * (wind @ heading))
        out.append(speed * (math.cos(angle) * heading + math.sin(angle) * unit(across)))
    return out


def swarming(pull: float, repulsion: float, *, linear: bool = False) -> Any:
    """Attraction of equal phases and repulsion, the mean over all three."""

    def push(x: Vectors, v: Vectors, i: int) -> Any:
        total = np.zeros(len(x[i]))
        for j in others(i):
            r, way = norm(x[j] - x[i]), unit(x[j] - x[i])
            total += (pull * (r if linear else 1.0) - repulsion / r) * way
        return total / 3

    return push


def rolled(x: Vectors, v: Vectors, i: int) -> Any:
    """Boid 0 rolls to neither side at the start; the others roll away from it at once, for 9."""
    push = np.zeros(3)
    if i > 0:
        left = np.array([-v[i][1], v[i][0]]) / math.hypot(v[i][0], v[i][1])
        away = -1.0 if float(left @ (x[0] - x[i])[:2]) > 0.0 else 1.0
        push[:2] = away * math.sin(math.pi * 0.5 * DT / 9.0) * left
    return push


def alarmed(x: Vectors, v: Vectors, i: int) -> Any:
    """Away from both others."""
    return -sum(unit(x[j] - x[i]) for j in others(i)) / 2


def arcs_of_view(x: Vectors, i: int, diameter: float = 1.5) -> list[tuple[float, float]]:
    """Angles of the right and left edges of what boid i sees of both others, as discs."""
    sides = []
    for j in others(i):
        way = x[j] - x[i]
        middle, half = math.atan2(way[1], way[0]), math.asin(0.5 * diameter / norm(way))
        sides.append((middle - half, middle + half))
    (a, b), (c, d) = sides
    shift = 2 * math.pi * round((a + b - c - d) / (4 * math.pi))  # the nearest turn of the second
    c, d = c + shift, d + shift
    return [(min(a, c), max(b, d))] if a <= d and c <= b else [(a, b), (c, d)]


def projected(x: Vectors, v: Vectors, i: int) -> Any:
    """The mean of unit vectors to all edges (Pearce et al. 2014)."""
    edges = [edge for arc in arcs_of_view(x, i) for edge in arc]
    return np.mean([[math.cos(a), math.sin(a)] for a in edges], axis=0)


def by_sight(x: Vectors, v: Vectors, i: int) -> Any:
    """The integrals of Bastien and Romanczuk 2020, for alpha 0.7, 0.2 and beta 0.9, 0.3."""
    psi = math.atan2(v[i][1], v[i][0])
    ahead = aside = 0.0
    for right, left in [(a - psi, b - psi) for a, b in arcs_of_view(x, i)]:
        edges = np.array([right, left])
        ahead += 0.7 * (math.sin(right) - math.sin(left) + 0.2 * np.cos(edges).sum())
        aside += 0.9 * (math.cos(left) - math.cos(right) + 0.3 * np.sin(edges).sum())
    return ahead * unit(v[i]) + aside * np.array([-v[i][1], v[i][0]])
