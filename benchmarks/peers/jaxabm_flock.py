"""JaxABM (JAX): the standard flock, as an agent type that compares all pairs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jaxabm.model
import standard_flock as standard
from jax_rules import next_state
from jaxabm.agent import AgentCollection
from jaxabm.core import ModelConfig
from timed_flock import Flock, serve


class Bird:
    """An agent type of JaxABM."""

    def __init__(self, side: float) -> None:
        self.side = side

    def init_state(self, config: ModelConfig, key: jax.Array) -> dict[str, jax.Array]:
        position, velocity = jax.random.split(key)
        return {
            "position": self.side * jax.random.uniform(position, (3,)),
            "velocity": standard.FASTEST / 2 * jax.random.normal(velocity, (3,)),
        }

    def update(
        self, state: dict[str, Any], model: dict[str, Any], config: ModelConfig, key: jax.Array
    ) -> dict[str, jax.Array]:
        everyone = model["agents_birds"]
        position, velocity = next_state(
            state["position"],
            state["velocity"],
            everyone["position"],
            everyone["velocity"],
            self.side,
        )
        return {"position": position, "velocity": velocity}


def flock(case: dict[str, Any], seed: int) -> Flock:
    side = standard.start(case["boids"], seed).side
    model = jaxabm.model.Model(config=ModelConfig(seed=seed, track_history=False))
    birds = AgentCollection(Bird(side), case["boids"])
    model.add_agent_collection("birds", birds)
    model.initialize()

    def run(steps: int) -> None:
        for _ in range(steps):
            model.step()
        jax.block_until_ready(birds.states)

    def neighbours() -> float:
        positions = jnp.asarray(birds.states["position"])
        return standard.mean_neighbours(positions, standard.RADIUS, side)

    return Flock(run, neighbours)


if __name__ == "__main__":
    serve(flock)
