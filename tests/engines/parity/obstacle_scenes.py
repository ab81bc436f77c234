"""Random scenes of obstacles that meet each other and the faces of the space, for several tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import murmurate as mm

FACES = {
    2: [("periodic", "held"), ("held", "reflecting"), ("reflecting", "open")],
    3: [("periodic", "reflecting", "held")],
}
"""A kernel is compiled for each."""


@dataclass(frozen=True)
class Scene:
    """A model, the length of a movement, and the largest number in it."""

    model: mm.Model
    way: float
    scale: float


def shape(random: np.random.Generator, centre: np.ndarray, size: float, free: np.ndarray) -> object:
    """An obstacle: mostly a ball, a box or a pillar, from grains and sheets to half of the space.

    free  the axes along which a wall's normal may point: those that are not periodic
    """
    dims, at = len(centre), tuple(map(float, centre))
    kinds, parts = ["sphere", "box", "wall", "tank"], [0.4, 0.4, 0.15, 0.05]
    if dims == 3:
        kinds, parts = [*kinds, "cylinder"], [0.3, 0.3, 0.15, 0.05, 0.2]
    kind = random.choice(kinds, p=parts)
    if kind == "cylinder":
        radius, height = (float(size * part) for part in random.uniform(0.01, 0.5, 2) ** 2)
        return mm.Cylinder(centre=at, radius=radius, height=height)
    if kind == "sphere":
        return mm.Sphere(centre=at, radius=float(size * random.uniform(0.01, 0.3)))
    if kind == "tank":
        return mm.Tank(centre=at, radius=float(size * random.uniform(0.3, 0.8)))
    normal = random.normal(size=dims)
    if random.random() < 0.5:
        normal = np.eye(dims)[random.integers(dims)]
    normal = np.where(free, normal, 0.0)
    if kind == "wall" and normal.any():
        return mm.Wall(point=at, normal=tuple(map(float, normal)))
    sides = random.uniform(0.01, 0.5, dims) ** random.uniform(1.0, 3.0)
    return mm.Box(centre=at, size=tuple(float(size * side) for side in sides))


def scene(number: int, boids: int, inside: bool = False) -> Scene:
    """A random scene, the same for each number.

    Up to `boids` boids start at free positions, or anywhere, `inside` obstacles too. Wind blows
    them against what stands there. Sides of the space are 0.1 to 1000, movements 0.001 to 500.
    """
    random = np.random.default_rng(number)
    dims = int(random.integers(2, 4))
    faces = FACES[dims][random.integers(len(FACES[dims]))]
    size = float(10.0 ** random.uniform(-1.0, 3.0))
    way = float(10.0 ** random.uniform(-3.0, 2.7))
    space = mm.Space(
        size=tuple(float(size * part) for part in random.uniform(0.7, 1.4, dims)),
        origin=tuple(float(size * part) for part in random.uniform(-2.0, 2.0, dims)),
        boundary=faces,
    )
    lower, upper = np.array(space.lower), np.array(space.upper)
    free = ~np.array(space.periodic)
    obstacles = {
        f"obstacle{k}": shape(random, random.uniform(lower, upper), size, free)
        for k in range(random.integers(1, 7))
    }
    margin = 1e-3 * size
    tried = random.uniform(lower + margin, upper - margin, (60 * boids, dims))
    room = clearance(space, obstacles.values(), tried) > margin
    positions = (tried if inside else tried[room])[:boids]
    if len(positions) == 0:  # no room: this one is empty
        obstacles, positions = (
            {"obstacle0": mm.Sphere(centre=space.lower, radius=margin)},
            tried[:1],
        )
    velocities = random.normal(size=positions.shape)
    velocities *= way * random.uniform(0.1, 1.0, (len(positions), 1)) / lengths(velocities)
    wind = 0.2 * way * random.normal(size=dims)
    start = mm.Given(
        positions=tuple(map(tuple, positions.tolist())),
        velocities=tuple(map(tuple, velocities.tolist())),
    )
    model = mm.Model(
        space=space,
        flocks={"boids": mm.Flock(count=len(positions), start=start, motion=mm.Add(max_speed=way))},
        rules={"wind": mm.Wind(vector=tuple(wind.tolist()))},
        obstacles=obstacles,
    )
    return Scene(model, way, float(np.abs([lower, upper]).max() + way))


def lengths(vectors: np.ndarray) -> np.ndarray:
    """(N, 1): the lengths of vectors."""
    return np.linalg.norm(vectors, axis=1, keepdims=True)


def clearance(space: mm.Space, shapes: object, positions: np.ndarray) -> np.ndarray:
    """(N,): how far positions are from the nearest obstacle, negative inside of one.

    Written from the definitions of the shapes, apart from both engines.
    """
    nearest = np.full(len(positions), np.inf)
    for first in shapes:  # type: ignore[attr-defined]
        x = positions - np.array(first.point if first.kind == "wall" else first.centre)
        for axis in np.flatnonzero(space.periodic):
            side = space.size[axis]
            x[:, axis] = (x[:, axis] + 0.5 * side) % side - 0.5 * side
        if first.kind == "sphere":
            distance = np.hypot.reduce(x, axis=1) - first.radius
        elif first.kind == "tank":
            distance = first.radius - np.hypot(x[:, 0], x[:, 1])
        elif first.kind == "wall":
            distance = x @ np.array(first.normal) / np.hypot.reduce(first.normal)
        else:
            if first.kind == "cylinder":
                upright = np.stack([np.hypot(x[:, 0], x[:, 1]), np.abs(x[:, 2])], axis=1)
                outside = upright - (first.radius, 0.5 * first.height)
            else:
                outside = np.abs(x) - 0.5 * np.array(first.size)
            distance = np.where(
                (outside > 0.0).any(axis=1),
                np.hypot.reduce(np.maximum(outside, 0.0), axis=1),
                outside.max(axis=1),
            )
        nearest = np.minimum(nearest, distance)
    return nearest
