"""abmax (JAX): the standard flock, as abmax agents that step together and compare all pairs."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import standard_flock as standard
from abmax.functions import create_agents, step_agents
from abmax.structs import Agent, Params, Policy, Set, Signal, State
from flax import struct
from jax_rules import next_state
from timed_flock import Flock, serve

NOTHING = Params(content={})


@struct.dataclass
class Bird(Agent):
    @staticmethod
    def create_agent(kind: Any, params: Params, number: Any, active: Any, key: Any) -> Bird:
        state = State(content=params.content)
        policy = Policy(state=State(content={}), params=NOTHING, key=key)
        return Bird(number, active, 0.0, kind, NOTHING, state, policy, key)


def flock(case: dict[str, Any], seed: int) -> Flock:
    boids, begun = case["boids"], standard.start(case["boids"], seed)
    content = {"position": jnp.array(begun.positions), "velocity": jnp.array(begun.velocities)}
    key = jax.random.PRNGKey(seed)
    agents = create_agents(Bird, Params(content=content), boids, boids, 0, key)
    state = State(content={})
    policy = Policy(state=state, params=NOTHING, key=key)
    birds = Set(boids, boids, agents, 0, 0, NOTHING, state, policy, key)

    def turn(bird: Bird, signal: Signal, params: Params) -> Bird:
        own, everyone = bird.state.content, params.content
        position, velocity = next_state(
            own["position"], own["velocity"], everyone["position"], everyone["velocity"], begun.side
        )
        return bird.replace(state=State(content={"position": position, "velocity": velocity}))

    @jax.jit
    def step(birds: Set) -> Set:
        everyone = Params(content=birds.agents.state.content)
        return step_agents(turn, everyone, Signal(content={}), birds)

    def run(steps: int) -> None:
        nonlocal birds
        for _ in range(steps):
            birds = step(birds)
        jax.block_until_ready(birds)

    def neighbours() -> float:
        positions = birds.agents.state.content["position"]
        return standard.mean_neighbours(positions, standard.RADIUS, begun.side)

    return Flock(run, neighbours)


if __name__ == "__main__":
    serve(flock)
