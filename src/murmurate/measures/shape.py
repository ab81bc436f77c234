"""Size and shape of a flock: extent, gyration tensor, and functions of its eigenvalues."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.geometry import (
    largest_distance,
    largest_periodic_distance,
    unwrapped_offsets,
    wraps_around,
)
from murmurate.measures.registry import measure
from murmurate.neighbours.periodic import periods


@measure(unit="length", definition="max_ij |x_i - x_j|", source="Cavagna et al. 2010")
def extent(flock: FlockFrame) -> float:
    """Return the largest distance between two boids.

    value: 0 for one boid.
    raises: If the convex hull has more than 30,000 corners (boids on a sphere).
    source: There: the flock size L.

    Distances are to the nearest image on periodic axes. A flock that fills a torus therefore has
    about half the diagonal of the box, the largest possible distance, which says nothing about the
    flock.

    The distance is searched among the corners of the convex hull, or among all boids if the flock
    spans half of a periodic side or more. Cost: O(N log N) and the square of the number of corners.
    """
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    points, sides = unwrapped_offsets(flock), periods(flock.space)
    if wraps_around(points, sides).any():
        return largest_periodic_distance(points, sides)
    return largest_distance(points)


@measure(unit="length", definition="1/N sum_i |x_i - centre|")
def distance_to_centre(flock: FlockFrame) -> float:
    """Return the mean distance from the flock's centre.

    On periodic axes the distance is to the nearest image of the `centroid`. A flock that fills a
    torus has no centre: the value is about that of the box, whatever the flock does.
    """
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    vectors = unwrapped_offsets(flock)
    return float(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)).mean())


@measure(unit="length", definition="sqrt(1/N sum_i |x_i - centre|^2)")
def radius_of_gyration(flock: FlockFrame) -> float:
    """Return the radius of gyration of the flock.

    value: A full disc of radius R has R / sqrt(2), a full ball R sqrt(3/5).

    On periodic axes the distance is to the nearest image of the `centroid`. A flock that fills a
    torus has no centre: the value is about L / sqrt(12) per axis of side L, whatever the flock
    does.
    """
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    vectors = unwrapped_offsets(flock)
    return float(np.sqrt(np.einsum("ij,ij->", vectors, vectors) / len(vectors)))


@dataclass(frozen=True, eq=False)
class Shape:
    """Eigenvalues and axes of the gyration tensor.

    S = 1/N sum_i d_i d_i^T, with d_i the vector from the centre to boid i.

    Attributes
    ----------
    eigenvalues : ndarray of shape (D,)
        Descending, in length units squared. Their sum is the squared radius of gyration.
    axes : ndarray of shape (D, D)
        Unit eigenvectors as rows. Their signs are arbitrary.
    ratios : ndarray of shape (D - 1,)
        sqrt(eigenvalue / smallest eigenvalue), descending; inf for a flat flock.
    """

    eigenvalues: np.ndarray
    axes: np.ndarray
    ratios: np.ndarray


def shape(flock: FlockFrame) -> Shape:
    """Return the eigenvalues, axes and aspect ratios of the gyration tensor.

    Parameters
    ----------
    flock : FlockFrame
        N boids. Periodic axes are taken into account, see `centroid`.

    Returns
    -------
    Shape
        All nan for an empty flock.
    """
    flock = valid_rows(flock, "positions")
    dims = flock.space.dims
    if not len(flock):
        none = np.full(dims, np.nan)
        return Shape(none, np.full((dims, dims), np.nan), none[1:])
    vectors = unwrapped_offsets(flock)
    values, axes = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    values = np.maximum(values[::-1], 0.0)
    if values[-1] <= 1e-14 * values[0]:  # flat within rounding
        values[-1] = 0.0
    ratios = np.full(dims - 1, np.nan if values[0] == 0 else np.inf)
    if values[-1] > 0:
        ratios = np.sqrt(values[:-1] / values[-1])
    return Shape(values, axes.T[::-1], ratios)


@measure(
    bounds="0 to 1",
    definition="(D sum_k e_k^2 / (sum_k e_k)^2 - 1) / (D - 1), e_k gyration eigenvalues",
    source="Rudnick & Gaspari 1986",
    min_boids=2,
)
def asphericity(flock: FlockFrame) -> float:
    """Return the asphericity, the deviation of the flock from a round shape.

    value: 0 for a round flock, and a square or cubic one; 1 for boids in a line. N random points in
        a round region give about 1/N.
    source: Here: for one configuration.
    """
    e = shape(flock).eigenvalues
    if not e.sum() > 0:
        return float("nan")
    return float((len(e) * (e**2).sum() / e.sum() ** 2 - 1) / (len(e) - 1))


@measure(
    bounds="1 up",
    definition="sqrt(largest / smallest eigenvalue of the gyration tensor)",
    source="Ballerini et al. 2008a",
    min_boids=2,
)
def aspect_ratio(flock: FlockFrame) -> float:
    """Return the ratio of the flock's longest to its shortest axis.

    value: 1 for a round flock, inf for a flat one. `shape` has all ratios.

    Starlings over Rome have axes as 1 : 2.8 : 5.6, by another fit.
    """
    return float(shape(flock).ratios[0])


@measure(
    unit="length",
    definition="2 sqrt((D + 2) e_D), e_D the smallest eigenvalue of the gyration tensor",
)
def thickness(flock: FlockFrame) -> float:
    """Return the thickness of the flock along its shortest axis.

    It is the shortest full axis of the uniformly filled ellipse or ellipsoid with the same gyration
    tensor.
    """
    e = shape(flock).eigenvalues
    return float(2 * np.sqrt((len(e) + 2) * e[-1]))


@measure(
    bounds="0 to 1",
    definition="| a . V |, a the longest axis, V the unit mean velocity",
    source="Ballerini et al. 2008a",
    min_boids=2,
    missing="the mean velocity is 0, or the two longest axes are equal",
)
def elongation_along_motion(flock: FlockFrame) -> float:
    """Return how closely the flock's longest axis follows its direction of motion.

    value: 1 for motion along the longest axis, 0 for motion across it.
    source: There: the orientation of axes.

    The value is meaningless for a nearly round flock.
    """
    flock = valid_rows(flock)
    flock_shape = shape(flock)
    e = flock_shape.eigenvalues
    if len(flock) < 2 or e[0] - e[1] <= 1e-12 * e[0]:
        return float("nan")
    mean = flock.velocities.mean(axis=0, dtype=np.float64)
    mean_speed = np.linalg.norm(mean)
    if mean_speed <= 1e-12 * np.abs(flock.velocities).max():
        return float("nan")
    return float(abs(flock_shape.axes[0] @ mean) / mean_speed)
