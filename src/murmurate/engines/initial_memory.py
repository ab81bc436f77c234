"""Per-boid state of motions and rules with which boids begin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from murmurate.engines.individual_numbers import individual_numbers
from murmurate.engines.manifest_types import DrawnNumber
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.model.value import to_plain


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
    starts = list(_starts(model, flock))
    if not starts:
        return np.zeros((len(indices), 0))
    numbers = individual_numbers(model, seed, flock, indices)
    memory = np.zeros((len(indices), len(model.memory_of(flock))))
    for column, name, value in starts:
        memory[:, column] = numbers[name] if is_individual(value) else number_at(value, 0.0)
    return memory


def memory_sources(model: Model, flock: str) -> list[float | DrawnNumber]:
    """Return where the per-boid state with which boids begin comes from, as `initial_memory`."""
    starts = list(_starts(model, flock))
    memory: list[float | DrawnNumber] = [0.0] * (len(model.memory_of(flock)) if starts else 0)
    for column, name, value in starts:
        if is_individual(value):
            memory[column] = {"value": to_plain(value), "flock": flock, "name": name}
        else:
            memory[column] = float(number_at(value, 0.0))
    return memory


def _starts(model: Model, flock: str) -> Iterator[tuple[int, str, Any]]:
    """Yield a column of the state, and name and value of the parameter with which it begins."""
    owners: dict[str, Any] = {"motion": model.flocks[flock].motion}
    owners |= {f"rules.{name}": rule for name, rule in model.moved_by(flock).items()}
    names = model.memory_of(flock)
    for owner, part in owners.items():
        for name, parameter in part.starts.items():
            column = names.index(f"{owner}.{name}")
            yield column, f"{owner}.{parameter}", getattr(part, parameter)
