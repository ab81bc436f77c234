"""Speed: how fast the boids of a flock fly."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows


@measure("number", unit="length/time", bounds="0 up", definition="1/N sum_i |v_i|")
def speed(flock: FlockFrame) -> float:
    """The mean of |v_i|, in the model's speed unit; nan for an empty flock."""
    found = speeds(flock)
    return float(found.mean()) if len(found) else float("nan")


@measure(
    "number",
    unit="length/time",
    bounds="0 up",
    definition="sqrt(1/N sum_i (|v_i| - mean speed)^2)",
)
def speed_spread(flock: FlockFrame) -> float:
    """The standard deviation of |v_i| over the flock (divided by N), in the model's speed unit; nan
    for an empty flock, 0 for one boid."""
    found = speeds(flock)
    return float(found.std()) if len(found) else float("nan")


@measure(
    "number",
    unit="length/time",
    bounds="0 up",
    definition="| 1/N sum_i v_i |",
)
def group_speed(flock: FlockFrame) -> float:
    """The speed of the flock as a whole, | mean of v_i |, in the model's speed unit; nan for an
    empty flock. At equal speeds it is the polarization times the speed."""
    flock = valid_rows(flock, "velocities")
    if not len(flock):
        return float("nan")
    return float(np.linalg.norm(flock.velocities.mean(axis=0, dtype=np.float64)))


def speeds(flock: FlockFrame) -> np.ndarray:
    """(n,) float64 speeds of the boids that are seen."""
    velocities = np.asarray(valid_rows(flock, "velocities").velocities, dtype=np.float64)
    return np.sqrt(np.einsum("ij,ij->i", velocities, velocities))
