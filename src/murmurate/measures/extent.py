"""Extent: how large a flock is."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.hull import farthest, farthest_wound, unrolled, wound
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import periods


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="max_ij |x_i - x_j|",
    source="10.1073/pnas.1005766107",
)
def extent(flock: FlockFrame) -> float:
    """The largest distance between two boids of the flock, in length units.

    Distances are to the nearest image on periodic axes. So a flock that fills a torus has about
    half the diagonal of the box, which is the largest distance that there is on it, and says
    nothing about the flock. 0 for one boid, nan for none. Found among the corners of the convex
    hull; where the flock spans half of a periodic side or more, among all boids. Cost: O(N log N)
    and the square of the number of corners. Raises MeasureError where there are more than 30,000
    corners (boids on a sphere).

    Source: the flock size L of Cavagna et al. 2010, doi:10.1073/pnas.1005766107.
    """
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    points, sides = unrolled(flock), periods(flock.space)
    if wound(points, sides).any():
        return farthest_wound(points, sides)
    return farthest(points)


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="1/N sum_i |x_i - centre|",
)
def distance_to_centre(flock: FlockFrame) -> float:
    """The mean distance from the flock's centre, in length units; nan for an empty flock.

    On periodic axes it is the distance to the nearest image of the `centroid`. A flock that fills a
    torus has no centre: it gets about the value of the box, whatever the flock does."""
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    away = unrolled(flock)
    return float(np.sqrt(np.einsum("ij,ij->i", away, away)).mean())


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="sqrt(1/N sum_i |x_i - centre|^2)",
)
def radius_of_gyration(flock: FlockFrame) -> float:
    """R_g = sqrt(1/N sum_i |x_i - centre|^2), in length units; nan for an empty flock. A full disc
    of radius R has R / sqrt(2), a full ball R sqrt(3/5).

    On periodic axes distances are to the nearest image of the `centroid`. A flock that fills a
    torus has no centre: it gets about L / sqrt(12) an axis of side L, whatever the flock does."""
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    away = unrolled(flock)
    return float(np.sqrt(np.einsum("ij,ij->", away, away) / len(away)))
