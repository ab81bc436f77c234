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


class Birds:
    """Boids and five predators; a place and a velocity is an array of three each."""

    def __init__(self, boids: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.places = list(random.uniform(0, 100, (boids, 3)))
        self.velocities = [np.zeros(3) for _ in range(boids)]
        self.predators = list(random.uniform(45, 55, (5, 3)))
        self.steps = 0

    def step(self) -> None:
        for index in range(len(self.predators)):
            turn = 2 * math.pi * self.steps / 480 + index * math.pi / 4
            self.predators[index] = self.predators[index] + limited(2 * knot(turn))
        for me in range(len(self.places)):
            self.velocities[me] = self._velocity(me)
            self.places[me] = self.places[me] + self.velocities[me]
        self.steps += 1

    def _velocity(self, me: int) -> np.ndarray:
        here = self.places[me]
        velocity = 0.03 * (mean(self.places) - here) + 0.02 * (MIDDLE - here)
        velocity += 0.125 * (mean(self.velocities) - self.velocities[me])
        for other, place in enumerate(self.places):
            apart = here - place
            distance = np.linalg.norm(apart)
            if distance < 7 and other != me:
                velocity += apart / distance**2
        for predator in self.predators:
            velocity += here - predator
        return limited(velocity)


def flock(case: dict[str, Any], seed: int) -> Flock:
    birds = Birds(case["boids"], seed)

    def fly(steps: int) -> None:
        for _ in range(steps):
            birds.step()

    return Flock(fly, lambda: case["boids"] - 1.0)


if __name__ == "__main__":
    serve(flock)
