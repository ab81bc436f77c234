"""Collisions and the smallest distance between boids."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.limits import positive
from murmurate.measures.neighbours import nearest_distances, search
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

DRONES = "10.1126/scirobotics.aat3536"


@measure("number", unit="length", bounds="0 up", definition="min_ij |x_j - x_i|", source=DRONES)
def minimum_distance(flock: FlockFrame) -> float:
    """The smallest distance between two boids, to the nearest image on periodic axes, in length
    units; nan below 2 boids. Cost: O(N log N)."""
    flock = valid_rows(flock, "positions")
    if len(flock) < 2:
        return float("nan")
    return float(nearest_distances(flock).min())


@measure(
    "number",
    unit="pairs",
    bounds="0 to N (N - 1) / 2",
    definition="number of pairs with |x_j - x_i| < radius",
    source=DRONES,
)
def collisions(flock: FlockFrame, *, radius: float) -> float:
    """How many pairs of boids are nearer to each other than `radius`; nan for an empty flock.

    Divided by N (N - 1) / 2 it is the collision risk of Vasarhelyi et al. 2018,
    doi:10.1126/scirobotics.aat3536. Cost: O(N log N) for a radius as small as collisions have.
    Raises MeasureError unless radius > 0.
    """
    positive(radius, "radius")
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    pairs = int(search(flock).count_pairs(np.nextafter(radius, 0.0)))
    return float((pairs - len(flock)) // 2)
