"""Number fluctuations: how far the number of boids in a box strays from its mean."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, no_curve
from murmurate.measures.hull import unrolled
from murmurate.measures.limits import positive
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

GIANT = "10.1209/epl/i2003-00346-7 10.1103/PhysRevE.77.046113"


@measure(
    "curve",
    unit="boids",
    across="mean number of boids in a box",
    bounds="0 up",
    definition="standard deviation of the number of boids over equal boxes",
    source=GIANT,
)
def number_fluctuations(flock: FlockFrame, *, fewest: float = 2.0) -> Curve:
    """The standard deviation of the number n of boids in a box over its mean, for boxes of several
    sizes: halves, quarters, eighths and so on of a region.

    Along a periodic axis the region is the whole side. Along the others it reaches one standard
    deviation to either side of the centre: within the flock, if it is about evenly filled. Boxes
    are cut about the flock's centre, along the axes of the space where one is periodic, else along
    those of the gyration tensor.

    fewest  boxes are cut no finer than to this mean number of boids

    Returns a Curve over the mean number, largest boxes first, from 4 boxes an axis on; `count` is
    the number of boxes. Without points where the flock is too small or flat. Random points give
    sqrt(n) on average. Cost: O(N) a size.

    Source: predicted for active nematics by Ramaswamy, Simha & Toner 2003,
    doi:10.1209/epl/i2003-00346-7; measured in flocks by Chate et al. 2008,
    doi:10.1103/PhysRevE.77.046113, there over time; here over boxes of one frame.
    """
    fewest = max(positive(fewest, "fewest"), 1e-3)
    flock = valid_rows(flock, "positions")
    if len(flock) < 2:
        return no_curve()
    parts = _in_region(flock)
    dims = flock.space.dims
    means, spreads, boxes = [], [], []
    divisions = 4
    while parts is not None and len(parts) / divisions**dims >= fewest:
        cell = np.minimum((parts * divisions).astype(np.int64), divisions - 1)
        keys = np.ravel_multi_index(cell.T, (divisions,) * dims)
        filled = np.bincount(keys, minlength=divisions**dims)
        means.append(filled.mean())
        # Divided by boxes - 1: exact for random points, whose total is given.
        spreads.append(filled.std(ddof=1))
        boxes.append(len(filled))
        divisions *= 2
    return Curve(np.array(means), np.array(spreads), np.array(boxes, dtype=np.float64))


@measure(
    "number",
    unit="1",
    bounds="0.5: random; up to 1",
    definition="a of (standard deviation of n) ~ (mean n)^a over boxes",
    source=GIANT,
)
def number_fluctuation_exponent(flock: FlockFrame, *, fewest: float = 2.0) -> float:
    """The exponent a in: standard deviation of n ~ n^a, over boxes (no unit); see
    `number_fluctuations`.

    0.5 for random points; larger: 'giant' fluctuations (about 0.8 in 2-D for Vicsek's model, as
    quoted by others); smaller: order, as in a lattice. A straight line through logarithms, each
    size weighted by its number of boxes. nan with fewer than two sizes: on a torus below about 130
    boids in 2-D and 1,000 in 3-D, in open space below about 400 and 6,000.

    Source: doi:10.1209/epl/i2003-00346-7, doi:10.1103/PhysRevE.77.046113.
    """
    curve = number_fluctuations(flock, fewest=fewest)
    known = curve.y > 0
    if known.sum() < 2:
        return float("nan")
    x, y = np.log(curve.x[known]), np.log(curve.y[known])
    weights = curve.count[known] - 1
    # The logarithm of a variance over m boxes is too small by 1/(m - 1) on average.
    y = y + 0.5 / weights
    x0, y0 = np.average(x, weights=weights), np.average(y, weights=weights)
    return float((weights * (x - x0) * (y - y0)).sum() / (weights * (x - x0) ** 2).sum())


def _in_region(flock: FlockFrame) -> np.ndarray | None:
    """(n, D) the boids in the region, as 0 to 1 along each of its axes; None where it is flat."""
    away = unrolled(flock)
    periodic = np.array(flock.space.periodic)
    if not periodic.any():
        away = away @ np.linalg.eigh(away.T @ away)[1]
    half = np.where(periodic, np.array(flock.space.size) / 2, away.std(axis=0))
    if not half.all():
        return None
    parts = away / (2 * half) + 0.5
    inside = ((parts >= 0) & (parts <= 1)).all(axis=1)
    found: np.ndarray = parts[inside]
    return found
