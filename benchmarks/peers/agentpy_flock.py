"""AgentPy: the rules of its flocking demo, written with its public classes.

Cohesion and alignment within 10, separation within 3, a push inwards within 10 of a border, and a
speed of 1; boids update their velocities sequentially, then all move.
"""

from __future__ import annotations

from typing import Any

import agentpy as ap
import numpy as np
from timed_flock import Flock, serve


def unit(vector: np.ndarray) -> np.ndarray:
    length = np.linalg.norm(vector)
    return vector / length if length else vector


class Bird(ap.Agent):
    def setup(self) -> None:
        self.velocity = unit(self.model.nprandom.random(self.p.dims) - 0.5)

    def enter(self, space: ap.Space) -> None:
        self.space, self.position = space, space.positions[self]

    def turn(self) -> None:
        steer = np.zeros(self.p.dims)
        seen = self.space.neighbors(self, distance=10)
        if len(seen):
            positions, velocities = np.array(seen.position), np.array(seen.velocity)
            steer += 0.005 * (positions.mean(axis=0) - self.position)
            steer += 0.3 * (velocities.mean(axis=0) - self.velocity)
        for other in self.space.neighbors(self, distance=3):
            steer -= 0.1 * (other.position - self.position)
        for axis, position in enumerate(self.position):
            steer[axis] += 0.5 * (position < 10) - 0.5 * (position > self.p.side - 10)
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

    def run(steps: int) -> None:
        for _ in range(steps):
            model.sim_step()

    def neighbours() -> float:
        some = list(model.birds)[:: max(1, len(model.birds) // 200)]
        return float(np.mean([len(model.space.neighbors(boid, distance=10)) for boid in some]))

    return Flock(run, neighbours)


if __name__ == "__main__":
    serve(flock)
