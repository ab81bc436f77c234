"""The convex hull of a flock: volume, depth below the surface, largest distance.

On a periodic axis a flock has ends only where it leaves half of the side or more empty. Along an
axis that it winds round (`wound`) it has no surface: its outline is the convex hull along the other
axes, and the whole side along this one.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import centroid, offsets
from murmurate.measures.limits import at_most
from murmurate.neighbours.periodic import periods

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


def wound(points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """(D,) bool: the periodic axes along which unrolled points span half the side or more.

    points  (N, D), one or more
    sides   (D,) as `periods` gives them
    Points that span less than half of a side have ends on it, and are unrolled without ambiguity.
    """
    spans: np.ndarray = 2.0 * np.ptp(points, axis=0) >= sides
    return spans


class Outline(NamedTuple):
    """The outline of a flock: a convex hull along the axes that it does not wind round.

    wound   (D,) bool, the axes that it winds round
    hull    along the other axes: scipy's, or an Interval; None where it is flat, or winds round all
    volume  of the hull times the sides that it winds round (2-D: area), length^D; nan where flat
    """

    wound: np.ndarray
    hull: Any
    volume: float

    def depths(self, points: np.ndarray) -> np.ndarray:
        """(N,) how far each of unrolled (N, D) points lies below the surface, in length units, 0 at
        it; inf for a flock that winds round all axes. There must be a surface, or none at all."""
        if self.wound.all():
            return np.full(len(points), np.inf)
        return depths(self.hull, points[:, ~self.wound])


class Interval(NamedTuple):
    """The convex hull of numbers, as scipy has those of points: what is inside has
    equations[:, 0] * x + equations[:, 1] <= 0."""

    equations: np.ndarray
    volume: float


def outline(points: np.ndarray, sides: np.ndarray) -> Outline:
    """The outline of unrolled (N, D) points, one or more, with (D,) `periods`. The corners of
    their convex hull alone have the same."""
    around = wound(points, sides)
    rest, whole = points[:, ~around], math.prod(sides[around].tolist())
    if around.all():
        return Outline(around, None, whole)
    hull: Any = None
    if rest.shape[1] == 1:
        low, high = float(rest.min()), float(rest.max())
        if low < high:
            hull = Interval(np.array([[-1.0, low], [1.0, -high]]), high - low)
    else:
        hull = hull_of(rest)
    found = float("nan") if hull is None else float(hull.volume) * whole
    return Outline(around, hull, found)


def volume(flock: FlockFrame) -> float:
    """The volume (2-D: area) of the outline; nan where it is flat. All boids must be seen."""
    if not len(flock):
        return float("nan")
    return outline(unrolled(flock), periods(flock.space)).volume


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


CELLS = 800  # of a grid of boids, of which all pairs are compared


def farthest_wound(points: np.ndarray, sides: np.ndarray) -> float:
    """The largest distance, to the nearest image, between two of (N, D) points that wind round a
    periodic axis, with (D,) `periods`: at most half the diagonal of a box that is periodic along
    all axes.

    Points are sorted into cells of a grid. Pairs of cells are compared in the order of the largest
    distance that their bounds allow, until none allows a larger one than was found.
    """
    cells = _cells_of(points)
    low = np.array([cell.min(axis=0) for cell in cells])
    high = np.array([cell.max(axis=0) for cell in cells])
    one, other = np.triu_indices(len(cells))
    reach = _longest_squared(low[other] - high[one], high[other] - low[one], sides)
    best = 0.0
    for pair in np.argsort(-reach, kind="stable"):
        if reach[pair] <= best:
            break
        here, there = cells[one[pair]], cells[other[pair]]
        for _ in range(2):  # of each only those that may be farther from the other cell than that
            bounds = there.min(axis=0) - here, there.max(axis=0) - here
            here = here[_longest_squared(*bounds, sides) > best]
            here, there = there, here
            if not len(there):
                break
        if not len(here) or not len(there):
            continue
        for first in range(0, len(here), 1000):
            away = np.abs(there[None] - here[first : first + 1000, None])
            away = np.minimum(away, np.abs(sides - away))
            best = max(best, float((away**2).sum(axis=2).max()))
    return math.sqrt(best)


def _cells_of(points: np.ndarray) -> list[np.ndarray]:
    """The points of each cell of a grid over them; cells without any are left out."""
    dims = points.shape[1]
    across = max(1, int(min(CELLS, len(points) / 4) ** (1 / dims)))
    low, span = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-300)
    cell = np.minimum(((points - low) / span * across).astype(np.int64), across - 1)
    keys = np.ravel_multi_index(tuple(cell.T), (across,) * dims)
    order = np.argsort(keys, kind="stable")
    return np.split(points[order], np.flatnonzero(np.diff(keys[order])) + 1)


def _longest_squared(least: np.ndarray, most: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """(P,) the square of the largest distance to the nearest image of differences from `least` to
    `most`, (P, D) each, with (D,) `periods`."""
    found = np.zeros(len(least))
    for axis, side in enumerate(sides):
        a, b = least[:, axis], most[:, axis]
        if side == math.inf:
            longest = np.maximum(np.abs(a), np.abs(b))
        else:
            ends = np.maximum(*(np.abs(x - side * np.round(x / side)) for x in (a, b)))
            half = np.floor(b / side - 0.5) >= np.ceil(a / side - 0.5)  # half a side lies between
            longest = np.where(half, side / 2, ends)
        found += longest**2
    return found * (1 + 1e-12)
