"""Plain Python: the rules of the Danish black sun, in a loop over boids and small NumPy arrays.

Boids steer towards the mean position, along the mean velocity and towards the centre of the space.
They avoid boids within 7, and five predators that follow a knot. Their speed is at most 1. Boids
move sequentially, so that each one computes the means again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from timed_flock import Flock, serve

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
    """Boids and five predators; each position and velocity is an array of three."""

    def __init__(self, boids: int, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.positions = list(random.uniform(0, 100, (boids, 3)))
        self.velocities = [np.zeros(3) for _ in range(boids)]
        self.predators = list(random.uniform(45, 55, (5, 3)))
        self.steps = 0

    def step(self) -> None:
        for index in range(len(self.predators)):
            turn = 2 * math.pi * self.steps / 480 + index * math.pi / 4
            self.predators[index] = self.predators[index] + limited(2 * knot(turn))
        for me in range(len(self.positions)):
            self.velocities[me] = self._velocity(me)
            self.positions[me] = self.positions[me] + self.velocities[me]
        self.steps += 1

    def _velocity(self, me: int) -> np.ndarray:
        own = self.positions[me]
        velocity = 0.03 * (mean(self.positions) - own) + 0.02 * (MIDDLE - own)
        velocity += 0.125 * (mean(self.velocities) - self.velocities[me])
        for other, position in enumerate(self.positions):
            apart = own - position
            distance = np.linalg.norm(apart)
            if distance < 7 and other != me:
                velocity += apart / distance**2
        for predator in self.predators:
            velocity += own - predator
        return limited(velocity)


def flock(case: dict[str, Any], seed: int) -> Flock:
    birds = Birds(case["boids"], seed)

    def run(steps: int) -> None:
        for _ in range(steps):
            birds.step()

    return Flock(run, lambda: case["boids"] - 1.0)


if __name__ == "__main__":
    serve(flock)
