"""Traits: numbers of a model that differ between boids, in a recording.

They follow from the model, the seed and the boids' numbers in their flocks. If numbers of boids do
not change, they are also stored, in the array `trait`, so that other tools have them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.files import parse
from murmurate.model.model import Model

Array = np.ndarray
FlockTraits = Mapping[str, Array]
"""Name of a trait -> its value for each boid, (N,) float64."""


def trait_names(header: Mapping[str, Any]) -> list[str]:
    """Return the names of the traits of all flocks, without repetitions."""
    traits = header.get("traits", {})
    return list(dict.fromkeys(name for flock in header["counts"] for name in traits.get(flock, ())))


def trait_table(header: Mapping[str, Any]) -> Array:
    """Return the traits of all boids (boids, traits), nan for flocks without the trait.

    Raises ModelError if the model uses rules that are not registered.
    """
    model = parse(header["model"], "model")
    names = trait_names(header)
    parts = []
    for flock, count in header["counts"].items():
        part = np.full((count, len(names)), np.nan)
        for name, values in compute_traits(header, model, flock, np.arange(count)).items():
            part[:, names.index(name)] = values
        parts.append(part)
    return np.concatenate(parts)


def compute_traits(
    header: Mapping[str, Any], model: Model, flock: str, indices: Array
) -> FlockTraits:
    """Return the traits of boids of a flock, by their numbers in it. Raises ModelError."""
    from murmurate.engines.individual_numbers import individual_numbers

    names, expected = header["traits"].get(flock, []), model.traits_of(flock)
    if set(names) != set(expected):
        raise ModelError(
            f"traits: got {', '.join(names) or 'none'} for flock {flock!r} in the header; expected "
            f"those of the model: {', '.join(expected) or 'none'}. Take the recording from a copy"
        )
    return individual_numbers(model, header["seed"], flock, indices)
