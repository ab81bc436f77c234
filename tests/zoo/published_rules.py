"""The sources' update rules, written plainly, boid by boid, with nothing of murmurate in them.

Each function flies one step: it takes positions and velocities as (N, D) arrays, changes them in
place where its source changes them in place, and returns nothing. They are slow and meant to be
compared with the sources, line by line.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Array = np.ndarray


def length(vector: Array) -> float:
    return float(np.sqrt((vector * vector).sum()))


def cut(vector: Array, longest: float) -> Array:
    """The vector, no longer than `longest`."""
    size = length(vector)
    return vector / size * longest if size > longest else vector


# --- Sort Sol (Jansson 2012)


def sort_sol(
    step: int,
    predators: tuple[Array, Array],
    boids: tuple[Array, Array],
    *,
    afraid_within: float,
    knot: float = 2.0,
    attack: float = 0.0,
    avoid: float = 1.0,
    steps_of_the_film: int = 960,
) -> None:
    """Predators move first, one after the other, then the boids, one after the other."""
    at, velocity = predators
    x, v = boids
    for p in range(len(at)):
        bite = np.zeros(3)
        for j in range(len(x)):
            away = at[p] - x[j]
            if length(away) < 10:
                bite = bite - away / length(away)
        t = step / steps_of_the_film * 4 * math.pi + p * math.pi / 4
        r = 2 + math.cos(3 * t)
        round_trip = np.array([r * math.cos(2 * t), r * math.sin(2 * t), math.sin(3 * t)])
        velocity[p] = cut(attack * bite + knot * round_trip, 1.0)
        at[p] = at[p] + velocity[p]
    for i in range(len(x)):
        together = 0.03 * (x.mean(axis=0) - x[i])
        apart = np.zeros(3)
        for j in range(len(x)):
            to = x[j] - x[i]
            if j != i and length(to) < 7:
                apart = apart - to / length(to) / length(to)
        along = 0.125 * (v.mean(axis=0) - v[i])
        inwards = 0.02 * (np.full(3, 50.0) - x[i])
        fright = np.zeros(3)
        for p in range(len(at)):
            to = at[p] - x[i]
            if length(to) < afraid_within:
                fright = (fright - to) * avoid
        v[i] = cut(together + apart + along + inwards + fright, 1.0)
        x[i] = x[i] + v[i]


# --- the p5 canvas (Zandie 2019), as its model file says it is read


def p5(x: Array, v: Array, sides: Array, *, limit_of_alignment: float = 1.0) -> None:
    """One boid after the other, on a torus; three forces, each cut by itself."""
    for i in range(len(x)):
        seen = []
        for j in range(len(x)):
            to = x[j] - x[i]
            to = to - sides * np.round(to / sides)
            if j != i and length(to) <= 100:
                seen.append((to, v[j]))
        force = np.zeros(2)
        if seen:
            heading = sum(u for _, u in seen) / len(seen)
            middle = sum(to for to, _ in seen) / len(seen)
            escape = sum(-to / length(to) / length(to) for to, _ in seen)
            wishes = ((heading, limit_of_alignment), (middle, 1.0), (escape, 1.0))
            for wish, strongest in wishes:
                force = force + cut(wish / length(wish) * 10 - v[i], strongest)
        v[i] = cut(v[i] + force, 10.0)
        x[i] = (x[i] + v[i]) % sides


# --- the Python course of University College London


def ucl(x: Array, v: Array) -> None:
    """All boids at once; alignment after the other two rules have changed the velocities."""
    count = len(x)
    changed = v.copy()
    for i in range(count):
        changed[i] = changed[i] - 0.01 * (x[i] - x.mean(axis=0))
        for j in range(count):
            if ((x[j] - x[i]) ** 2).sum() <= 100:
                changed[i] = changed[i] + (x[i] - x[j])
    for i in range(count):
        difference = np.zeros(2)
        for j in range(count):
            if ((x[j] - x[i]) ** 2).sum() <= 10000:
                difference = difference + (changed[i] - changed[j])
        v[i] = changed[i] - 0.125 * difference / count
    x += v


# --- agentpy's flocking example (Foramitti 2021)


def agentpy(x: Array, v: Array, size: float) -> None:
    """Velocities one after the other, at the old positions; then all move, held in the box."""
    count, dims = x.shape
    for i in range(count):
        distance = np.array([length(x[j] - x[i]) for j in range(count)])
        others = np.arange(count) != i
        outer, inner = others & (distance <= 10), others & (distance <= 3)
        turn = np.zeros(dims)
        if outer.any():
            turn += 0.005 * (x[outer].mean(axis=0) - x[i])
            turn += 0.3 * (v[outer].mean(axis=0) - v[i])
        for j in np.flatnonzero(inner):
            turn -= 0.1 * (x[j] - x[i])
        for axis in range(dims):
            if x[i, axis] < 10:
                turn[axis] += 0.5
            elif x[i, axis] > size - 10:
                turn[axis] -= 0.5
        u = v[i] + turn
        v[i] = u / length(u) if length(u) > 0 else u
    x[:] = np.clip(x + v, 0.0, size)


# --- Parker's pseudocode (Sajwan, Gosain and Surani 2014)

Conduct = Callable[[int], Array]


def parker(
    x: Array,
    v: Array,
    *,
    fastest: float,
    lower: tuple[float, ...],
    upper: tuple[float, ...],
    m1: float = 1.0,
    shapes: tuple[tuple[Array, Array], ...] = (),
    more: tuple[Conduct, ...] = (),
    ground: float | None = None,
    timers: Array | None = None,
    rest: int = 0,
) -> None:
    """One bird after the other: conducts 1 to 3, whatever more, bounds, the speed limit, the move.

    m1      the multiplier of conduct 1
    shapes  boxes (lower corner, upper corner) that conduct 2 keeps away from as well
    more    further conducts, bird -> vector
    ground  birds that a step takes below it sit there for `rest` steps, counted in `timers`
    """
    count, dims = x.shape
    for i in range(count):
        if timers is not None and timers[i] > 0:
            timers[i] -= 1
            continue
        others = np.arange(count) != i
        v1 = m1 * (x[others].sum(axis=0) / (count - 1) - x[i]) / 100
        v2 = np.zeros(dims)
        things = [x[j] for j in np.flatnonzero(others)]
        things += [np.clip(x[i], low, high) for low, high in shapes]
        for thing in things:
            if length(thing - x[i]) < 100:
                v2 = v2 - (thing - x[i])
        v3 = (v[others].sum(axis=0) / (count - 1) - v[i]) / 4
        v4 = np.zeros(dims)
        for axis in range(dims):
            if x[i, axis] < lower[axis]:
                v4[axis] = 10
            elif x[i, axis] > upper[axis]:
                v4[axis] = -10
        v[i] = v[i] + v1 + v2 + v3 + v4 + sum((conduct(i) for conduct in more), np.zeros(dims))
        v[i] = cut(v[i], fastest)
        x[i] = x[i] + v[i]
        if ground is not None and timers is not None and x[i, -1] < ground:
            x[i, -1] = ground
            timers[i] = rest
