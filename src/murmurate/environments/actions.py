"""What agents do: command their boids, or set numbers of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.model import Model

if TYPE_CHECKING:
    pass

KINDS = ("acceleration", "velocity", "heading")


@dataclass(frozen=True)
class Steer:
    """Each agent commands its boid: (D,) numbers from -limit to limit.

    Parameters
    ----------
    kind : {'acceleration', 'velocity', 'heading'}
        What the numbers are, along the axes of the space.
    limit : float
        Largest component, in length and time units; 1 for headings, of which only the direction
        counts.
    """

    kind: Literal["acceleration", "velocity", "heading"] = "acceleration"
    limit: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ModelError(f"kind: got {self.kind!r}; expected one of {', '.join(KINDS)}")
        if not 0 < self.limit < float("inf"):
            raise ModelError(f"limit: got {self.limit!r}; expected a number above 0")

    def bounds(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """Return (D,) float32 each: the smallest and the largest action of an agent."""
        high = np.full(model.space.dims, self.limit, np.float32)
        return -high, high


@dataclass(frozen=True)
class Numbers:
    """One agent for each world sets numbers of its model.

    Parameters
    ----------
    bounds : mapping of str to (float, float)
        Path of a number -> its smallest and largest value, such as
        {"rules.alignment.weight": (0, 2)}.
    """

    bounds_of: Mapping[str, tuple[float, float]]

    def __post_init__(self) -> None:
        if not self.bounds_of:
            raise ModelError("bounds: got none; expected the path of a number and its bounds")
        for path, (low, high) in self.bounds_of.items():
            if not low < high:
                raise ModelError(f"{path}: got bounds {low:g} and {high:g}; expected low < high")

    def bounds(self, model: Model) -> tuple[np.ndarray, np.ndarray]:
        """Return (M,) float32 each: the smallest and the largest action of a world."""
        low, high = zip(*self.bounds_of.values(), strict=True)
        for values in (low, high):
            model.set(dict(zip(self.bounds_of, values, strict=True)))  # raises for a bad path
        return np.array(low, np.float32), np.array(high, np.float32)
