"""JaxABM (JAX): the standard flock, as an agent type; each agent sees all others."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jaxabm.model
import standard_flock as standard
from jax_rules import moved
from jaxabm.agent import AgentCollection
from jaxabm.core import ModelConfig
from turns import Flock, serve


class Bird:
    """An agent type, as JaxABM has it."""

    def __init__(self, side: float) -> None:
        self.side = side

    def init_state(self, config: ModelConfig, key: jax.Array) -> dict[str, jax.Array]:
        place, velocity = jax.random.split(key)
        return {
            "place": self.side * jax.random.uniform(place, (3,)),
            "velocity": standard.FASTEST / 2 * jax.random.normal(velocity, (3,)),
        }

    def update(
        self, state: dict[str, Any], model: dict[str, Any], config: ModelConfig, key: jax.Array
    ) -> dict[str, jax.Array]:
        everyone = model["agents_birds"]
        place, velocity = moved(
            state["place"], state["velocity"], everyone["place"], everyone["velocity"], self.side
        )
        return {"place": place, "velocity": velocity}


def flock(case: dict[str, Any], seed: int) -> Flock:
    side = standard.start(case["boids"], seed).side
    model = jaxabm.model.Model(config=ModelConfig(seed=seed, track_history=False))
    birds = AgentCollection(Bird(side), case["boids"])
    model.add_agent_collection("birds", birds)
    model.initialize()

    def fly(steps: int) -> None:
        for _ in range(steps):
            model.step()
        jax.block_until_ready(birds.states)

    def neighbours() -> float:
        places = jnp.asarray(birds.states["place"])
        return standard.mean_neighbours(places, standard.RADIUS, side)

    return Flock(fly, neighbours)


if __name__ == "__main__":
    serve(flock)
