"""Per-boid state of motions and rules with which boids begin."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from murmurate.engines.individual_numbers import individual_numbers
from murmurate.model.model import Model
from murmurate.model.quantity import number_at


def initial_memory(
    model: Model, seed: int, flock: str, indices: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the per-boid state with which boids begin, at the start or when they join.

    model  its motions and rules say what their state begins with, see `starts` of Rule
    seed  seed of numbers that differ between boids
    indices  (N,) indices of the boids within the flock
    returns  (N, M) columns in the order of Model.memory_of; (N, 0), which stands for zeros, if no
        state begins with a parameter
    """
    owners: dict[str, Any] = {"motion": model.flocks[flock].motion}
    owners |= {f"rules.{name}": rule for name, rule in model.moved_by(flock).items()}
    if not any(part.starts for part in owners.values()):
        return np.zeros((len(indices), 0))
    names, numbers = model.memory_of(flock), individual_numbers(model, seed, flock, indices)
    memory = np.zeros((len(indices), len(names)))
    for owner, part in owners.items():
        for name, parameter in part.starts.items():
            own = numbers.get(f"{owner}.{parameter}")
            value = number_at(getattr(part, parameter), 0.0) if own is None else own
            memory[:, names.index(f"{owner}.{name}")] = value
    return memory
