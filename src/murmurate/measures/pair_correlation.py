"""Pair correlation: how many neighbours there are at each distance, against random points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, ascending, binned, even, no_curve, ratio
from murmurate.measures.hull import depths, region_of
from murmurate.measures.limits import MeasureError, whole
from murmurate.measures.nearest import ball
from murmurate.measures.registry import measure
from murmurate.measures.sample import sample
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.search import NeighbourSearch


@measure(
    "curve",
    unit="1",
    across="distance, length",
    bounds="0 up",
    definition="pairs at distance r / pairs of random points of the same density at r",
    slow=True,
)
def pair_correlation(
    flock: FlockFrame,
    *,
    reach: float | None = None,
    bins: int = 50,
    centres: int = 10_000,
    seed: int = 0,
    edges: np.ndarray | None = None,
) -> Curve:
    """g(r): the number of boids at distance r from a boid, by that of random points (no unit): 1
    for random points at all r.

    Where all axes are periodic, every boid is a centre, and the density is (N - 1) by the box. Else
    the flock is unrolled and taken as open, and only boids at least r below the convex hull are
    centres for r, so that the void around the flock does not enter; nan where there are none. The
    density is then (n + 1) by the hull's volume, n the boids that are no corners of it: the hull of
    random points in a convex room is smaller than the room, and so is exact on average.

    reach    the largest distance; six mean spacings unless given, and at most half the shortest
             side where all axes are periodic
    bins     how many
    centres  larger flocks take this many boids as centres, drawn with `seed`
    edges    (B + 1,) edges of the bins, in place of reach and bins

    Returns a Curve over distance; `count` is the number of (centre, neighbour) pairs. Without
    points below 2 boids, and where the hull is flat. Cost: O(N + centres * neighbours within
    reach). Raises MeasureError for distances beyond half the shortest side of a torus.

    Source: Cavagna et al. 2008, Mathematical Biosciences 214, 32-37 (pair correlation of flocks,
    and what the border does to it); Baldin & Reiss 2016, doi:10.1016/j.spa.2016.04.014 (the density
    within a hull).
    """
    flock = valid_rows(flock, "positions")
    space, count, dims = flock.space, len(flock), flock.space.dims
    region = region_of(flock) if count > 1 else None
    if region is None:
        return no_curve()
    points, hull, room = region
    torus = hull is None
    if edges is None:
        widest = 6.0 * (room / count) ** (1 / dims)
        far = min(widest, min(space.size) / 2) if torus else widest
        edges = even(far if reach is None else reach, bins)
    edges = ascending(edges)
    if torus and edges[-1] > min(space.size) / 2:
        raise MeasureError(
            f"pair_correlation reaches to {edges[-1]:g}: on a torus of side {min(space.size):g} it "
            f"must be at most half of that, {min(space.size) / 2:g}"
        )
    deep = np.full(count, np.inf) if hull is None else depths(hull, points)
    chosen = sample(count, whole(centres, "centres"), whole(seed, "seed", 0))
    pairs, used = _count(points, chosen, deep, edges, space if torus else None)
    shells = ball(dims) * np.diff(edges**dims)
    inner = count - 1 if hull is None else count - len(hull.vertices) + 1
    density = inner / room
    return binned(edges, ratio(pairs, used * density * shells), pairs)


def _count(points, chosen, deep, edges, space):  # type: ignore[no-untyped-def]
    """How many pairs fall into each bin, and how many centres each bin has."""
    everyone = NeighbourSearch(points, space)
    below = np.nextafter(edges, 0.0)  # what lies at an edge belongs to the bin above
    if np.isinf(deep).all():
        few = NeighbourSearch(points[chosen], space)
        sums = np.where(edges > 0, few.count_pairs(below, everyone) - len(chosen), 0)
        return np.diff(sums).astype(np.float64), np.full(len(edges) - 1, float(len(chosen)))
    pairs, used = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for b, reach in enumerate(pairwise(below)):
        inner = points[chosen[deep[chosen] >= edges[b + 1]]]
        if not len(inner):
            break
        low, high = NeighbourSearch(inner, space).count_pairs(np.array(reach), everyone)
        pairs[b] = high - (low if edges[b] > 0 else len(inner))
        used[b] = len(inner)
    return pairs, used
