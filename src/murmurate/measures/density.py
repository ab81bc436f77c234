"""Density: boids per volume, and whether the border is denser than the core."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.hull import outline, unrolled, volume
from murmurate.measures.limits import MeasureError, at_most, is_number, shown, whole
from murmurate.measures.nearest import ball
from murmurate.measures.neighbours import nearest
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import periods
from murmurate.neighbours.voronoi import cell_volumes

HANDBOOK = "10.1016/j.anbehav.2008.02.003"
MOST = 50_000  # boids whose Voronoi cells are made


@measure(
    "number",
    unit="1/length^D",
    bounds="0 up",
    definition="N / volume of the convex hull, of the box where the flock winds round it",
)
def density(flock: FlockFrame) -> float:
    """N by the volume of the convex hull (2-D: its area), in boids per length^D.

    A flock that spans half of a periodic side or more has no ends along it: the whole side counts,
    and the hull is that along the other axes. So one that fills a torus has exactly N by the
    volume of the box, and one that spans less than half of each side the density that it has in
    open space. There the hull is too small for small flocks, since boids at the surface count in
    full (for random points in a ball the density is 1.65 times too high at 100 boids, 1.16 times at
    1,000), and too large for hollow or bent ones: `voronoi_density` errs less in both. nan where
    the hull is flat, and where there are no more boids than open axes. Cost: O(N log N).
    """
    flock = valid_rows(flock, "positions")
    return len(flock) / volume(flock) if len(flock) else float("nan")


@measure(
    "number",
    unit="1/length^D",
    bounds="0 up",
    definition="1/N sum_i (k - 1) / (V_D r_ik^D), r_ik to the k-th neighbour, V_D the unit ball",
)
def local_density(flock: FlockFrame, *, k: int = 7) -> float:
    """The mean over boids of (k - 1) / (V_D r_k^D), r_k the distance to the k-th nearest other boid
    and V_D the volume of the unit ball, in boids per length^D.

    It is the density that a boid meets: k - 1, not k, makes it exact for random points. Boids at
    the border of a flock in open space have neighbours on one side only, and get too low a density.
    nan for k boids or fewer, inf where boids are at one place. Cost: O(N k log N).
    Raises MeasureError unless k is a whole number of 2 or more.
    """
    flock = valid_rows(flock, "positions")
    if len(flock) <= whole(k, "k", 2):
        return float("nan")
    reach = nearest(flock, k)[0][:, -1]
    if not reach.all():
        return float("inf")
    return float(((k - 1) / (ball(flock.space.dims) * reach**flock.space.dims)).mean())


@measure(
    "number",
    unit="1/length^D",
    bounds="0 up",
    definition="boids with a Voronoi cell within the hull / volume of those cells; torus: N / L^D",
    source=HANDBOOK,
    slow=True,
)
def voronoi_density(flock: FlockFrame) -> float:
    """n by the sum of the volumes of their Voronoi cells, over the n boids whose cell lies within
    the flock's convex hull, in boids per length^D.

    Boids at the border have cells that reach out of the flock, and are left out. Near the border
    small cells stay in and large ones go, so it is a little too high: for random points by 6 per
    cent in a disc of 100, 13 in a ball of 100 and 3 in a ball of 1,000.

    On a space that is periodic along all axes there is no border: all cells are whole, together
    they are the box, and the density is exactly N / L^D (N by the volume of the box), whatever the
    positions; see `local_density` for what a boid meets. Where some axes are periodic, the images
    of boids along these cut the cells too, and the hull is that along the other axes.

    nan where no cell lies within the hull, or two boids are at one place. Cost: O(N log N), at most
    50,000 boids (else MeasureError); on a torus nothing.

    Source: Cavagna et al. 2008, doi:10.1016/j.anbehav.2008.02.003 (in open space).
    """
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    if all(flock.space.periodic):
        return len(flock) / math.prod(flock.space.size)
    sizes = _cells(unrolled(flock), periods(flock.space))
    inner = np.isfinite(sizes)
    return float(inner.sum() / sizes[inner].sum()) if inner.any() else float("nan")


@measure(
    "number",
    unit="1",
    bounds="0 up",
    definition="Voronoi density of the outer / of the inner boids, by depth below the hull",
    source=HANDBOOK,
    slow=True,
)
def border_to_core(flock: FlockFrame, *, share: float = 0.5) -> float:
    """The density of the border by that of the core (no unit): above 1 where boids crowd at the
    border, as starlings do.

    Boids with a Voronoi cell within the hull are ranked by their depth below it; the outer `share`
    of them is the border, the rest the core; each has its number by the volume of its cells. The
    outermost boids have no such cell, and are in neither; since large cells near the border drop
    out more often, random points have more than 1: 1.1 in a disc of 100, 1.25 in a ball of 100,
    1.12 of 400, 1.05 of 1,000. Compare with as many random points. A flock that spans half of a
    periodic side or more has no border along it; one that does so along all axes has none at all,
    and gets nan, as do flocks whose border or core is empty. Cost: as `voronoi_density` in open
    space, at most 50,000 boids. Raises MeasureError unless 0 < share < 1.

    Source: border against core in Cavagna et al. 2008, doi:10.1016/j.anbehav.2008.02.003; the
    ranking by depth is our choice.
    """
    if not is_number(share) or not 0 < share < 1:
        raise MeasureError(f"share is {shown(share)}: it must be a number above 0 and below 1")
    flock = valid_rows(flock, "positions")
    if not len(flock):
        return float("nan")
    points, sides = unrolled(flock), periods(flock.space)
    border_of = outline(points, sides)
    if border_of.hull is None:
        return float("nan")
    sizes = _cells(points, np.where(border_of.wound, sides, np.inf))
    rows = np.flatnonzero(np.isfinite(sizes))
    if len(rows) < 2:
        return float("nan")
    deep = border_of.depths(points[rows])
    order = rows[np.argsort(deep, kind="stable")]
    border, core = np.split(order, [round(share * len(order))])
    if not len(border) or not len(core):
        return float("nan")
    return float(len(border) / sizes[border].sum() / (len(core) / sizes[core].sum()))


def _cells(points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """(N,) volumes of Voronoi cells, see cell_volumes. Raises MeasureError for too many."""
    at_most(len(points), MOST, f"Voronoi cells of {len(points):,} boids", "Take local_density.")
    return cell_volumes(points, sides)
