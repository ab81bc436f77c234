"""Extent: how large a flock is."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.hull import farthest, unrolled
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="max_ij |x_i - x_j|",
    source="10.1073/pnas.1005766107",
)
def extent(flock: FlockFrame) -> float:
    """The largest distance between two boids of the flock, in length units.

    On a torus the flock is unrolled about its centre first: one that spans more than half the box
    has no extent of its own, and gets the unrolled one. 0 for one boid, nan for none. Found among
    the corners of the convex hull; cost O(N log N) and the square of the number of corners.
    Raises MeasureError where there are more than 30,000 corners (boids on a sphere).

    Source: the flock size L of Cavagna et al. 2010, doi:10.1073/pnas.1005766107.
    """
    flock = valid_rows(flock, "positions")
    return farthest(unrolled(flock)) if len(flock) else float("nan")


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="1/N sum_i |x_i - centre|",
)
def distance_to_centre(flock: FlockFrame) -> float:
    """The mean distance from the flock's centre, in length units; nan for an empty flock. Periodic
    axes are known, see `centroid`."""
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
    of radius R has R / sqrt(2), a full ball R sqrt(3/5)."""
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    away = unrolled(flock)
    return float(np.sqrt(np.einsum("ij,ij->", away, away) / len(away)))
