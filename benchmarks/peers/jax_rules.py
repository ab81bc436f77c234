"""The rules of the standard flock in JAX, for one boid among all."""

from __future__ import annotations

import jax.numpy as jnp
import standard_flock as standard
from jax import Array


def next_state(
    position: Array, velocity: Array, positions: Array, velocities: Array, side: float
) -> tuple[Array, Array]:
    """Return the position and velocity, (3,), of a boid after a step.

    positions, velocities  (N, 3), of all boids
    """
    apart = positions - position
    apart -= side * jnp.round(apart / side)
    squares = jnp.sum(apart**2, axis=1)
    near = (squares <= standard.RADIUS**2) & (squares > 0)
    push = jnp.where(near & (squares <= standard.CLOSE**2), 1 / jnp.maximum(squares, 1e-12), 0)
    share = 1 / jnp.maximum(near.sum(), 1)
    steer = standard.COHESION * share * (near @ apart) - standard.SEPARATION * (push @ apart)
    steer += standard.ALIGNMENT * (share * (near @ velocities) - velocity * near.any())
    velocity = velocity + steer
    speed = jnp.linalg.norm(velocity)
    velocity = velocity * jnp.minimum(1, standard.FASTEST / jnp.maximum(speed, 1e-12))
    return (position + velocity) % side, velocity
