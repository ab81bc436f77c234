"""The convex hull of a flock: volume, depth below the surface, largest distance."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import centroid, offsets
from murmurate.measures.limits import at_most

CORNERS = 30_000  # corners of a hull between which distances are taken


def unrolled(flock: FlockFrame) -> np.ndarray:
    """(N, D) float64: from the centre to each boid, to the nearest image: the flock as it would lie
    in open space, as long as it spans less than half the box. All boids must be seen."""
    return offsets(flock, centroid(flock))


def hull_of(points: np.ndarray) -> Any:
    """The convex hull (scipy's) of (N, D) points; None where it is flat."""
    from scipy.spatial import ConvexHull, QhullError

    if len(points) <= points.shape[1]:
        return None
    try:
        return ConvexHull(points)
    except QhullError:
        return None


class Region(NamedTuple):
    """Where a flock is: in the box where that is periodic along all axes, else in open space.

    points  (N, D) the boids: as they are in the box, unrolled in open space
    hull    their convex hull (scipy's); None in the box
    volume  that of the box, or of the hull
    """

    points: np.ndarray
    hull: Any
    volume: float


def region_of(flock: FlockFrame) -> Region | None:
    """The region of a flock; None in open space where its hull is flat. All boids must be seen."""
    if all(flock.space.periodic):
        return Region(flock.positions, None, math.prod(flock.space.size))
    points = unrolled(flock)
    hull = hull_of(points)
    return None if hull is None else Region(points, hull, float(hull.volume))


def volume(flock: FlockFrame) -> float:
    """The volume (2-D: area) of the convex hull; nan where it is flat. All boids must be seen."""
    hull = hull_of(unrolled(flock)) if len(flock) else None
    return float("nan") if hull is None else float(hull.volume)


def depths(hull: Any, points: np.ndarray) -> np.ndarray:
    """(N,) how far each point lies below the hull's surface, 0 at it."""
    planes = np.unique(hull.equations, axis=0)
    deep = np.full(len(points), np.inf)
    for normal_and_offset in planes:
        np.minimum(deep, -(points @ normal_and_offset[:-1] + normal_and_offset[-1]), out=deep)
    return np.maximum(deep, 0.0)


def farthest(points: np.ndarray) -> float:
    """The largest distance between two of (N, D) points.

    Raises MeasureError where more than 30,000 of them are corners of the hull.
    """
    from scipy.spatial.distance import pdist

    middle = points - points.mean(axis=0)
    # The directions in which the points have any width: a hull needs width in all of its own.
    _, widths, axes = np.linalg.svd(middle.T @ middle)
    rank = int((widths > 1e-18 * max(widths[0], 1e-300)).sum()) if widths[0] > 0 else 0
    if rank == 0:
        return 0.0
    middle = middle @ axes[:rank].T
    if rank == 1:
        return float(np.ptp(middle))
    hull = hull_of(middle)
    corners = middle if hull is None else middle[hull.vertices]
    at_most(len(corners), CORNERS, "extent: corners of the hull", "Take the radius of gyration.")
    longest = 0.0
    for first in range(0, len(corners), 1000):
        part = corners[first : first + 1000]
        away = part[:, None] - corners[None, first:] if len(corners) < 200 else None
        if away is not None:
            longest = max(longest, float(np.linalg.norm(away, axis=2).max()))
            continue
        squares = (part**2).sum(1)[:, None] + (corners**2).sum(1) - 2 * part @ corners.T
        i, j = np.unravel_index(np.argmax(squares), squares.shape)
        longest = max(longest, float(pdist(np.array([part[i], corners[j]]))[0]))
    return longest
