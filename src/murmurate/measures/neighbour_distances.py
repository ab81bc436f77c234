"""Distances between neighbours: nearest, k-th nearest, against random points, collisions."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import (
    nearest_distances,
    nearest_neighbours,
    neighbour_search,
    valid_rows,
)
from murmurate.measures.geometry import outline_volume, unit_ball_volume
from murmurate.measures.limits import check_integer, check_positive
from murmurate.measures.registry import measure


@measure(
    unit="length",
    definition="1/N sum_i min_j |x_j - x_i|",
    source="Clark & Evans 1954",
    min_boids=2,
)
def nearest_neighbour_distance(flock: FlockFrame) -> float:
    """Return the mean distance from a boid to the nearest other boid of its flock.

    Distances are to the nearest image on periodic axes. A boid is not a neighbour of its own
    images. Cost: O(N log N) for small flocks, O(N) from 50,000 boids on unless they are very
    unevenly distributed.
    """
    distances = nearest_distances(valid_rows(flock, "positions"))
    return float(distances.mean()) if len(distances) else float("nan")


@measure(
    unit="length",
    definition="1/N sum_i (distance from i to its k-th nearest boid)",
    min_boids="k",
)
def kth_neighbour_distance(flock: FlockFrame, *, k: int = 7) -> float:
    """Return the mean distance from a boid to its k-th nearest other boid.

    k: Which neighbour, by distance. 7 is about the number of neighbours that starlings interact
        with (Ballerini et al. 2008, doi:10.1073/pnas.0711437105).

    Cost: O(N k log N).
    """
    flock = valid_rows(flock, "positions")
    if len(flock) <= check_integer(k, "k"):
        return float("nan")
    return float(nearest_neighbours(flock, k)[0][:, -1].mean())


@measure(
    bounds="0 to 2.15 (2-D), 0 to 2.03 (3-D)",
    definition="nearest-neighbour distance / that of random points of the same density",
    source="Clark & Evans 1954",
    min_boids=2,
    missing="the convex hull of the flock is flat",
)
def clark_evans(flock: FlockFrame, *, density: float | None = None) -> float:
    """Return the Clark-Evans ratio, which compares neighbour distances to those of random points.

    density: Boids per volume, above 0. The default is N over the box if all axes are periodic, else
        N over the volume of the convex hull. A periodic side counts in full if the flock spans half
        of it.
    value: 1 for random points; above 1 if boids keep apart, at most 2.1491 in 2-D for a triangular
        lattice; below 1 if they clump.
    source: There: in 2-D. The mean distance in D dimensions is that of a Poisson process, Gamma(1 +
        1/D) / (rho V_D)^(1/D), with V_D the volume of the unit ball.

    Random points of density rho have a mean distance of 1/(2 sqrt(rho)) in 2-D and 0.55396
    rho^(-1/3) in 3-D.

    In open space the ratio is too large: boids at the border have neighbours on one side only, and
    the hull is smaller than the space available to them. For a hundred random points the bias is 10
    per cent or more in 2-D, 20 to 25 in 3-D.
    """
    flock = valid_rows(flock, "positions")
    distances = nearest_distances(flock)
    if density is None:
        torus = all(flock.space.periodic)
        volume = math.prod(flock.space.size) if torus else outline_volume(flock)
        density = len(flock) / volume if volume > 0 else float("nan")
    else:
        check_positive(density, "density")
    if not len(distances) or not density > 0:
        return float("nan")
    return float(distances.mean() / random_distance(density, flock.space.dims))


def random_distance(density: float, dims: int) -> float:
    """Return the mean nearest-neighbour distance of random points (a Poisson process)."""
    return math.gamma(1 + 1 / dims) / (density * unit_ball_volume(dims)) ** (1 / dims)


@measure(
    unit="length",
    definition="min_ij |x_j - x_i|",
    source="Vasarhelyi et al. 2018",
    min_boids=2,
)
def minimum_distance(flock: FlockFrame) -> float:
    """Return the smallest distance between two boids.

    Distances are to the nearest image on periodic axes. Cost: O(N log N).
    """
    flock = valid_rows(flock, "positions")
    if len(flock) < 2:
        return float("nan")
    return float(nearest_distances(flock).min())


@measure(
    unit="pairs",
    bounds="0 to N (N - 1) / 2",
    definition="number of pairs with |x_j - x_i| < radius",
    source="Vasarhelyi et al. 2018",
)
def collisions(flock: FlockFrame, *, radius: float) -> float:
    """Return the number of pairs of boids nearer to each other than `radius`.

    value: Divided by N (N - 1) / 2 it is the collision risk of Vasarhelyi et al. 2018.

    Cost: O(N log N) for a radius as small as that of collisions.
    """
    check_positive(radius, "radius")
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    pairs = int(neighbour_search(flock).count_pairs(np.nextafter(radius, 0.0)))
    return float((pairs - len(flock)) // 2)
