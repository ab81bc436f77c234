"""The standard flock's rules in JAX: what one boid does, given all of them."""

from __future__ import annotations

import jax.numpy as jnp
import standard_flock as standard
from jax import Array


def moved(
    place: Array, velocity: Array, places: Array, velocities: Array, side: float
) -> tuple[Array, Array]:
    """(3,) where a boid is after a step, and its velocity; places and velocities are (N, 3)."""
    apart = places - place
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
    return (place + velocity) % side, velocity
