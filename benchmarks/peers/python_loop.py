"""Plain Python: the rules of the Danish black sun, boid by boid, each vector a small NumPy array.

Boids go to the mean place of all and along their mean velocity, away from those within 7, to the
middle of the space, and away from five predators that run round a knot; at most at speed 1. Means
are taken afresh for every boid, since the boids before it have moved.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from turns import Flock, serve

MIDDLE = np.full(3, 50.0)


def limited(velocity: np.ndarray) -> np.ndarray:
    speed = np.linalg.norm(velocity)
    return velocity / speed if speed > 1 else velocity


def knot(turn: float) -> np.ndarray:
    wide = 2 + math.cos(3 * turn)
    return np.array([wide * math.cos(2 * turn), wide * math.sin(2 * turn), math.sin(3 * turn)])


def mean(vectors: list[np.ndarray]) -> np.ndarray:
    total = np.zeros(3)
    for vector in vectors:
        total += vector
    return total / len(vectors)


def flock(case: dict[str, Any], seed: int) -> Flock:
    boids, random = case["boids"], np.random.default_rng(seed)
    places = list(random.uniform(0, 100, (boids, 3)))
    velocities = [np.zeros(3) for _ in range(boids)]
    predators = list(random.uniform(45, 55, (5, 3)))
    time = 0

    def steer(me: int) -> np.ndarray:
        here = places[me]
        velocity = 0.03 * (mean(places) - here) + 0.125 * (mean(velocities) - velocities[me])
        velocity += 0.02 * (MIDDLE - here)
        for other in range(boids):
            apart = here - places[other]
            distance = np.linalg.norm(apart)
            if distance < 7 and other != me:
                velocity += apart / distance**2
        for predator in predators:
            velocity += here - predator
        return limited(velocity)

    def fly(steps: int) -> None:
        nonlocal time
        for _ in range(steps):
            time += 1
            for index in range(len(predators)):
                turn = 2 * math.pi * time / 480 + index * math.pi / 4
                predators[index] = predators[index] + limited(2 * knot(turn))
            for me in range(boids):
                velocities[me] = steer(me)
                places[me] = places[me] + velocities[me]

    return Flock(fly, lambda: boids - 1.0)


if __name__ == "__main__":
    serve(flock)
