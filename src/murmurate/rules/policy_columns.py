"""Inputs of a learned policy, with the names of a task's columns."""

from __future__ import annotations

from collections.abc import Sequence

MAX_WIDTH = 256
"""The largest number of units of a hidden layer."""
MAX_HIDDEN = 8
"""The largest number of hidden layers."""
AXES = "xyz"


def nearest_columns(k: int, dims: int, flocks: Sequence[str]) -> tuple[str, ...]:
    """Return the names of inputs for the k nearest boids of some flocks, nearest first."""
    axes = AXES[:dims]
    parts = ["there", *(f"to.{a}" for a in axes), *(f"velocity.{a}" for a in axes)]
    parts += [f"is.{name}" for name in flocks] if len(flocks) > 1 else []
    return tuple(f"boid{slot}.{part}" for slot in range(k) for part in parts)


def own_columns(name: str, dims: int) -> tuple[str, ...]:
    """Return the names of inputs for a vector of the boid's own."""
    return tuple(f"{name}.{axis}" for axis in AXES[:dims])
