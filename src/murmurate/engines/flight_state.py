"""The state of a flight: what passes between engines, frames and recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class FlockState:
    """One flock at one moment, in id order: row k is boid k of the flock.

    positions   (N, D), length units
    velocities  (N, D), length units per time unit
    timers      (N,) int64, steps left on the ground; 0 = flying
    memory      (N, M), what a boid carries besides: first the numbers that its motion and its rules
                keep, in the order of Model.memory_of; then, where a flock senses late, the states
                of the steps before: position and velocity one step ago, two steps ago, ... An array
                of fewer columns, such as the (N, 0) of a flight that begins, says nothing: kept
                numbers are then 0, and the past is as the present. Of one with more columns the
                rest is not read: a recording gives all flocks as many as the one that has most
    """

    positions: Floats
    velocities: Floats
    timers: NDArray[np.int64]
    memory: Floats


@dataclass(frozen=True, eq=False)
class FlightState:
    """All flocks at one moment. With the model and the run options it is all that a flight is: an
    engine made from it continues bit for bit as the one that it was taken from.

    step    whole number of steps since the start
    flocks  name -> state, in the model's order
    """

    step: int
    flocks: Mapping[str, FlockState]

    def size(self, flock: str) -> int:
        """How many boids a flock has."""
        return len(self.flocks[flock].positions)

    def rows(self, flock: str, rows: slice) -> FlockState:
        """Some boids of a flock: rows.start ... rows.stop - 1."""
        its = self.flocks[flock]
        return FlockState(*(getattr(its, field.name)[rows] for field in fields(its)))
