"""Centre, convex hull, outline and largest distance of a flock, also on periodic axes.

On a periodic axis a flock has two ends only if it leaves at least half of the side empty. Along an
axis that it wraps around (`wraps_around`) it has no surface: its outline is the convex hull along
the other axes, times the whole side along this one.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.limits import check_count
from murmurate.neighbours.periodic import periods

MAX_CORNERS = 30_000  # hull corners between which distances are computed
CELLS = 800  # cells of a grid of boids, all pairs of which are compared
ROUNDING = 1e-12  # of a side: a boid nearer to the centre than this is at the centre


def centroid(flock: FlockFrame) -> np.ndarray:
    """Return the mean position of a flock.

    Parameters
    ----------
    flock : FlockFrame
        N boids in D dimensions. Boids that are not seen are left out.

    Returns
    -------
    ndarray of shape (D,), float64
        The centre in length units, within the box on periodic axes; nan for an empty flock.

    Notes
    -----
    On a periodic axis the mean is taken around the circular mean, where each coordinate x is the
    angle 2 pi x / L. A flock that spans less than half the side L has the centre it would have in
    open space, wherever the edge cuts it. A flock spread evenly around a periodic axis has no
    centre there, and the result is arbitrary.
    """
    flock = valid_rows(flock, "positions")
    centre = np.full(flock.space.dims, np.nan)
    if len(flock) == 0:
        return centre
    for axis, periodic in enumerate(flock.space.periodic):
        x = flock.positions[:, axis]
        if not periodic:
            centre[axis] = x.mean(dtype=np.float64)
            continue
        lower, side = flock.space.lower[axis], flock.space.size[axis]
        angles = (x - np.float64(lower)) * (2.0 * np.pi / side)
        middle = np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()) * side / (2.0 * np.pi)
        middle += offsets_on_axis(flock, axis, lower + middle).mean()
        centre[axis] = lower + middle % side
    return centre


def offsets(flock: FlockFrame, centre: np.ndarray) -> np.ndarray:
    """Return (N, D) float64 vectors from the (D,) centre to each boid's nearest image."""
    rows = [offsets_on_axis(flock, axis, centre[axis]) for axis in range(flock.space.dims)]
    return np.array(rows).T


def offsets_on_axis(flock: FlockFrame, axis: int, centre: float) -> np.ndarray:
    """Return (N,) float64: the component of `offsets` along one axis."""
    offset: np.ndarray = flock.positions[:, axis] - np.float64(centre)
    if flock.space.periodic[axis]:
        side = flock.space.size[axis]
        offset -= side * np.round(offset / side)
        offset[np.abs(offset) < ROUNDING * side] = 0.0
    return offset


def unwrapped_offsets(flock: FlockFrame) -> np.ndarray:
    """Return (N, D) float64 vectors from the centre to each boid's nearest image.

    These are the positions in open space, for a flock that spans less than half the box. All boids
    must be seen.
    """
    return offsets(flock, centroid(flock))


def unit_ball_volume(dims: int) -> float:
    """Return the volume of the ball of radius 1: pi in 2-D, 4 pi / 3 in 3-D."""
    return math.pi if dims == 2 else 4 * math.pi / 3


def convex_hull(points: np.ndarray) -> Any:
    """Return scipy's ConvexHull of (N, D) points; None if it is flat."""
    from scipy.spatial import ConvexHull, QhullError

    if len(points) <= points.shape[1]:
        return None
    try:
        return ConvexHull(points)
    except QhullError:
        return None


class Region(NamedTuple):
    """The region of a flock: the box if it is periodic along all axes, else a convex hull.

    points  (N, D) positions in the box, or unwrapped positions in open space
    hull  convex hull of the points; None for the box
    volume  volume of the box or of the hull
    """

    points: np.ndarray
    hull: Any
    volume: float


def region_of(flock: FlockFrame) -> Region | None:
    """Return the region of a flock, whose boids must all be seen; None if its hull is flat."""
    if all(flock.space.periodic):
        return Region(flock.positions, None, math.prod(flock.space.size))
    points = unwrapped_offsets(flock)
    hull = convex_hull(points)
    return None if hull is None else Region(points, hull, float(hull.volume))


def wraps_around(points: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Return (D,) bool: periodic axes along which a flock spans half the side or more.

    A flock that spans less than half of a side has ends on it, and its unwrapped positions are
    unambiguous.

    points  (N, D) one or more unwrapped positions
    sides  (D,) periods, inf for open axes, from `periods`
    """
    return 2.0 * np.ptp(points, axis=0) >= sides


class Interval(NamedTuple):
    """The convex hull of numbers, with the attributes of scipy's ConvexHull.

    A number x is inside if equations[:, 0] * x + equations[:, 1] <= 0.
    """

    equations: np.ndarray
    volume: float


class FlockOutline(NamedTuple):
    """The outline of a flock: a convex hull along the axes that it does not wrap around.

    wrapping  (D,) axes that the flock wraps around
    hull  hull along the other axes; None if it is flat, or if the flock wraps around all axes
    volume  volume of the hull times the wrapped sides (2-D: area), length^D; nan if flat
    """

    wrapping: np.ndarray
    hull: Any
    volume: float

    def depths(self, points: np.ndarray) -> np.ndarray:
        """Return (N,) depths of unwrapped (N, D) points below the surface, in length units.

        inf for a flock that wraps around all axes. The hull must not be flat.
        """
        if self.wrapping.all():
            return np.full(len(points), np.inf)
        return depths(self.hull, points[:, ~self.wrapping])


def outline(points: np.ndarray, sides: np.ndarray) -> FlockOutline:
    """Return the outline of one or more unwrapped (N, D) points, with (D,) `periods`.

    The corners of their convex hull alone have the same outline.
    """
    wrapping = wraps_around(points, sides)
    rest, length = points[:, ~wrapping], math.prod(sides[wrapping].tolist())
    if wrapping.all():
        return FlockOutline(wrapping, None, length)
    hull: Any = None
    if rest.shape[1] == 1:
        low, high = float(rest.min()), float(rest.max())
        if low < high:
            hull = Interval(np.array([[-1.0, low], [1.0, -high]]), high - low)
    else:
        hull = convex_hull(rest)
    volume = float("nan") if hull is None else float(hull.volume) * length
    return FlockOutline(wrapping, hull, volume)


def outline_volume(flock: FlockFrame) -> float:
    """Return the volume (2-D: area) of a flock's outline; nan if flat. All boids must be seen."""
    if not len(flock):
        return float("nan")
    return outline(unwrapped_offsets(flock), periods(flock.space)).volume


def depths(hull: Any, points: np.ndarray) -> np.ndarray:
    """Return (N,) depths of (N, D) points below the hull's surface, 0 at the surface."""
    planes = np.unique(hull.equations, axis=0)
    result = np.full(len(points), np.inf)
    for normal_and_offset in planes:
        np.minimum(result, -(points @ normal_and_offset[:-1] + normal_and_offset[-1]), out=result)
    return np.maximum(result, 0.0)


def largest_distance(points: np.ndarray) -> float:
    """Return the largest distance between two of (N, D) points in open space.

    Raises MeasureError if the hull has more than 30,000 corners.
    """
    centred = points - points.mean(axis=0)
    # Project onto the directions in which the points have any width: a hull must not be flat.
    _, widths, axes = np.linalg.svd(centred.T @ centred)
    rank = int((widths > 1e-18 * max(widths[0], 1e-300)).sum()) if widths[0] > 0 else 0
    if rank == 0:
        return 0.0
    centred = centred @ axes[:rank].T
    if rank == 1:
        return float(np.ptp(centred))
    hull = convex_hull(centred)
    corners = centred if hull is None else centred[hull.vertices]
    advice = "Use the radius of gyration."
    check_count(len(corners), MAX_CORNERS, "extent", "corners of the hull", advice)
    return _largest_pair_distance(corners)


def _largest_pair_distance(points: np.ndarray) -> float:
    """Return the largest distance between two of (N, D) points, comparing all pairs."""
    from scipy.spatial.distance import pdist

    longest = 0.0
    for first in range(0, len(points), 1000):
        part = points[first : first + 1000]
        if len(points) < 200:
            vectors = part[:, None] - points[None, first:]
            longest = max(longest, float(np.linalg.norm(vectors, axis=2).max()))
            continue
        squares = (part**2).sum(1)[:, None] + (points**2).sum(1) - 2 * part @ points.T
        i, j = np.unravel_index(np.argmax(squares), squares.shape)
        longest = max(longest, float(pdist(np.array([part[i], points[j]]))[0]))
    return longest


def largest_periodic_distance(points: np.ndarray, sides: np.ndarray) -> float:
    """Return the largest distance to the nearest image, for points that wrap around an axis.

    It is at most half the diagonal of a box that is periodic along all axes.

    Points are sorted into cells of a grid. Pairs of cells are compared in descending order of the
    largest distance that their bounds allow, until none allows a larger one than was found.

    points  (N, D) unwrapped positions
    sides  (D,) periods, inf for open axes, from `periods`
    """
    cells = _split_into_cells(points)
    low = np.array([cell.min(axis=0) for cell in cells])
    high = np.array([cell.max(axis=0) for cell in cells])
    a, b = np.triu_indices(len(cells))
    bound = _largest_squares(low[b] - high[a], high[b] - low[a], sides)
    best = 0.0
    for pair in np.argsort(-bound, kind="stable"):
        if bound[pair] <= best:
            break
        cell, other = cells[a[pair]], cells[b[pair]]
        for _ in range(2):  # drop points of each cell that cannot be farther from the other one
            limits = other.min(axis=0) - cell, other.max(axis=0) - cell
            cell = cell[_largest_squares(*limits, sides) > best]
            cell, other = other, cell
            if not len(other):
                break
        if not len(cell) or not len(other):
            continue
        for first in range(0, len(cell), 1000):
            vectors = np.abs(other[None] - cell[first : first + 1000, None])
            vectors = np.minimum(vectors, np.abs(sides - vectors))
            best = max(best, float((vectors**2).sum(axis=2).max()))
    return math.sqrt(best)


def _split_into_cells(points: np.ndarray) -> list[np.ndarray]:
    """Return the points of each non-empty cell of a grid over all points."""
    dims = points.shape[1]
    cells_per_axis = max(1, int(min(CELLS, len(points) / 4) ** (1 / dims)))
    low, span = points.min(axis=0), np.maximum(np.ptp(points, axis=0), 1e-300)
    cell = np.minimum(((points - low) / span * cells_per_axis).astype(np.int64), cells_per_axis - 1)
    keys = np.ravel_multi_index(tuple(cell.T), (cells_per_axis,) * dims)
    order = np.argsort(keys, kind="stable")
    return np.split(points[order], np.flatnonzero(np.diff(keys[order])) + 1)


def _largest_squares(low: np.ndarray, high: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Return (P,) the largest squared distance to the nearest image for ranges of differences.

    low, high : (P, D) bounds of the differences
    sides : (D,) `periods`
    """
    squares = np.zeros(len(low))
    for axis, side in enumerate(sides):
        a, b = low[:, axis], high[:, axis]
        if side == math.inf:
            longest = np.maximum(np.abs(a), np.abs(b))
        else:
            ends = np.maximum(*(np.abs(x - side * np.round(x / side)) for x in (a, b)))
            half = np.floor(b / side - 0.5) >= np.ceil(a / side - 0.5)  # half a side is between
            longest = np.where(half, side / 2, ends)
        squares += longest**2
    return squares * (1 + 1e-12)
