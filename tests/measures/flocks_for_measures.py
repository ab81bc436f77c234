"""Flocks that the tests of measures share."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures import of_arrays
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements


def space_of(kind: str, dims: int, side: float = 10.0) -> Space:
    """Return a space: 'open', 'torus', or 'channel' (periodic along the first axis only)."""
    words = {
        "open": ["open"] * dims,
        "torus": ["periodic"] * dims,
        "channel": ["periodic"] + ["open"] * (dims - 1),
    }[kind]
    return Space(size=(side,) * dims, boundary=tuple(words))


def blob(kind: str = "open", dims: int = 2, count: int = 300, seed: int = 1) -> FlockFrame:
    """Return a loose, asymmetric flock with a common heading; on a torus across the edges."""
    random = np.random.default_rng(seed)
    stretch = np.array([1.0, 0.7, 0.5])[:dims]
    away = random.normal(size=(count, dims)) * stretch
    positions = away + [0.3, 9.8, 0.1][:dims]
    velocities = random.normal(size=(count, dims)) * 0.2 + [1.0, 0.3, 0.2][:dims]
    velocities *= np.exp(0.5 * away[:, :1])  # neighbours are correlated
    space = space_of(kind, dims)
    for axis in np.flatnonzero(space.periodic):
        positions[:, axis] %= 10.0
    return of_arrays(positions, velocities, space)


def gas(dims: int, count: int, side: float = 1.0, kind: str = "torus", seed: int = 0) -> FlockFrame:
    """Return random points that fill the box."""
    random = np.random.default_rng(seed)
    x = random.uniform(0, side, (count, dims))
    return of_arrays(x, random.normal(size=x.shape), space_of(kind, dims, side))


def run(flocks: list[FlockFrame], dt: float = 1.0) -> list[Frame]:
    """Return Frames of one flock."""
    return [Frame(i, i * dt, flock.space, {flock.name: flock}) for i, flock in enumerate(flocks)]


def hunt(prey: list[FlockFrame], hunters: list[FlockFrame], dt: float = 1.0) -> list[Frame]:
    """Return Frames of prey and predators."""
    return [
        Frame(i, i * dt, flock.space, {"prey": flock, "hawks": other})
        for i, (flock, other) in enumerate(zip(prey, hunters, strict=True))
    ]


def drifting(kind: str, dims: int, frames: int = 6, count: int = 300) -> list[FlockFrame]:
    """Return frames of a moving blob that splits for two frames."""
    random = np.random.default_rng(7)
    flock, flocks = blob(kind, dims, count), []
    x, v = flock.positions.copy(), flock.velocities.copy()
    for frame in range(frames):
        parted = x.copy()
        parted[::2, 1] += 4.0 * (frame in (2, 3))
        flocks.append(of_arrays(wrap(parted, flock.space), v, flock.space))
        v = v + 0.1 * random.normal(size=v.shape)
        x = x + 0.1 * v
    return flocks


def startled(kind: str, dims: int, count: int = 300) -> list[FlockFrame]:
    """As `drifting`, with a turn and an escape that spread from the first boid."""
    flocks = drifting(kind, dims, count=count)
    before, flocks_at_times = flocks[0].positions, []
    away = np.linalg.norm(displacements(before, before[0], flocks[0].space), axis=1)
    turn = 2.0 * np.eye(dims)
    turn[:2, :2] = 2.0 * np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    for frame, flock in enumerate(flocks):
        reached = (away < 0.6 * frame)[:, None]
        v = np.where(reached, flock.velocities @ turn.T, flock.velocities)
        flocks_at_times.append(of_arrays(flock.positions, v, flock.space))
    return flocks_at_times


def wrap(x: np.ndarray, space: Space) -> np.ndarray:
    x = x.copy()
    for axis in np.flatnonzero(space.periodic):
        x[:, axis] = space.lower[axis] + (x[:, axis] - space.lower[axis]) % space.size[axis]
    return x
