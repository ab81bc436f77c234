"""AgentPy: the rules of its flocking demo, written against its public classes.

Cohesion and alignment within 10, separation within 3, a push inwards within 10 of a border, and a
speed of 1; velocities change one boid after the other, then all move.
"""

from __future__ import annotations

from typing import Any

import agentpy as ap
import numpy as np
from turns import Flock, serve


def unit(vector: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vector)
    return vector / length if length else vector


class Bird(ap.Agent):
    def setup(self) -> None:
        self.velocity = unit(self.model.nprandom.random(self.p.dims) - 0.5)

    def enter(self, space: ap.Space) -> None:
        self.space, self.place = space, space.positions[self]

    def turn(self) -> None:
        steer = np.zeros(self.p.dims)
        seen = self.space.neighbors(self, distance=10)
        if len(seen):
            places, velocities = np.array(seen.place), np.array(seen.velocity)
            steer += 0.005 * (places.mean(axis=0) - self.place)
            steer += 0.3 * (velocities.mean(axis=0) - self.velocity)
        for other in self.space.neighbors(self, distance=3):
            steer -= 0.1 * (other.place - self.place)
        for axis, place in enumerate(self.place):
            steer[axis] += 0.5 * (place < 10) - 0.5 * (place > self.p.side - 10)
        self.velocity = unit(self.velocity + steer)

    def move(self) -> None:
        self.space.move_by(self, self.velocity)


class Birds(ap.Model):
    def setup(self) -> None:
        self.space = ap.Space(self, shape=[self.p.side] * self.p.dims)
        self.birds = ap.AgentList(self, self.p.boids, Bird)
        self.space.add_agents(self.birds, random=True)
        self.birds.enter(self.space)

    def step(self) -> None:
        self.birds.turn()
        self.birds.move()


def flock(case: dict[str, Any], seed: int) -> Flock:
    model = Birds({**case, "seed": seed, "steps": 10**9})
    model.sim_setup()

    def fly(steps: int) -> None:
        for _ in range(steps):
            model.sim_step()

    def neighbours() -> float:
        some = list(model.birds)[:: max(1, len(model.birds) // 200)]
        return float(np.mean([len(model.space.neighbors(one, distance=10)) for one in some]))

    return Flock(fly, neighbours)


if __name__ == "__main__":
    serve(flock)
