"""Neighbour distances: how dense a flock is, and whether its boids keep apart."""

from __future__ import annotations

import math

from murmurate.frame import FlockFrame
from murmurate.measures.hull import volume
from murmurate.measures.limits import positive, whole
from murmurate.measures.neighbours import nearest, nearest_distances
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

CLARK_EVANS = "10.2307/1931034"


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="1/N sum_i min_j |x_j - x_i|",
    source=CLARK_EVANS,
)
def nearest_neighbour_distance(flock: FlockFrame) -> float:
    """The mean distance from a boid to the nearest other boid of its flock, in length units.

    Distances are to the nearest image on periodic axes. A flock of no or one boid gives nan; boids
    that are not seen are left out. On a periodic axis a boid is no neighbour of its own images.
    Cost: O(N log N) for small flocks, O(N) for those of 50,000 and more unless they are very
    uneven.

    Source: Clark & Evans 1954, doi:10.2307/1931034.
    """
    found = nearest_distances(valid_rows(flock, "positions"))
    return float(found.mean()) if len(found) else float("nan")


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="1/N sum_i (distance from i to its k-th nearest boid)",
)
def kth_neighbour_distance(flock: FlockFrame, *, k: int = 7) -> float:
    """The mean distance from a boid to the k-th nearest other boid, in length units.

    k  7 unless given, about the number of neighbours that starlings interact with (Ballerini et al.
       2008, doi:10.1073/pnas.0711437105)

    nan for a flock of k boids or fewer. Cost: O(N k log N).
    Raises MeasureError unless k is a whole number of 1 or more.
    """
    flock = valid_rows(flock, "positions")
    if len(flock) <= whole(k, "k"):
        return float("nan")
    return float(nearest(flock, k)[0][:, -1].mean())


@measure(
    "number",
    unit="1",
    bounds="0 to 2.15 (2-D), 0 to 2.03 (3-D)",
    definition="nearest-neighbour distance / that of random points of the same density",
    source=CLARK_EVANS,
)
def clark_evans(flock: FlockFrame, *, density: float | None = None) -> float:
    """R = nearest-neighbour distance / that of as many random points (no unit).

    Random points of density rho have 1/(2 sqrt(rho)) in 2-D and 0.55396 rho^(-1/3) in 3-D. R = 1:
    random; above 1: boids keep apart (at most 2.1491 in 2-D, a triangular lattice); below 1: they
    clump.

    density  boids per volume; unless given, N by the box where all axes are periodic, else N by the
             hull's volume, in which a periodic side counts whole where the flock spans half of it

    In open space boids at the border have neighbours on one side only, and the hull is smaller than
    the room that they had: R comes out too large, for a hundred random points by 10 per cent or
    more in 2-D, 20 to 25 in 3-D. nan below 2 boids, or where the hull is flat.

    Source: Clark & Evans 1954, doi:10.2307/1931034 (2-D); the mean distance in any dimension is
    that of a Poisson process, Gamma(1 + 1/D) / (rho V_D)^(1/D) with V_D the volume of the unit
    ball.
    """
    flock = valid_rows(flock, "positions")
    found = nearest_distances(flock)
    if density is None:
        room = math.prod(flock.space.size) if all(flock.space.periodic) else volume(flock)
        density = len(flock) / room if room > 0 else float("nan")
    else:
        positive(density, "density")
    if not len(found) or not density > 0:
        return float("nan")
    return float(found.mean() / random_distance(density, flock.space.dims))


def random_distance(density: float, dims: int) -> float:
    """The mean nearest-neighbour distance of random points (a Poisson process)."""
    return math.gamma(1 + 1 / dims) / (density * ball(dims)) ** (1 / dims)


def ball(dims: int) -> float:
    """The volume of the ball of radius 1."""
    return math.pi if dims == 2 else 4 * math.pi / 3
