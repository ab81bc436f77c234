"""Mesa: its own example of flocking, on a torus; boids move in random order."""

from __future__ import annotations

from typing import Any

import numpy as np
from mesa.examples.basic.boid_flockers.model import BoidFlockers
from timed_flock import Flock, serve


def flock(case: dict[str, Any], seed: int) -> Flock:
    model = BoidFlockers(
        population_size=case["boids"],
        width=case["side"],
        height=case["side"],
        vision=case["vision"],
        separation=case["separation"],
        seed=seed,
    )

    def run(steps: int) -> None:
        for _ in range(steps):
            model.step()

    def neighbours() -> float:
        return float(np.mean([len(agent.neighbors) for agent in model.agents]))

    return Flock(run, neighbours)


if __name__ == "__main__":
    serve(flock)
