"""Structure factor: how density varies at each wavelength."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, ascending, binned, even, no_curve, ratio
from murmurate.measures.hull import region_of
from murmurate.measures.limits import MeasureError, at_most
from murmurate.measures.nearest import ball
from murmurate.measures.plane_waves import box_waves, isotropic, sums, wave_vectors
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.model.space import Space

WORK = 20_000_000  # boids times waves that are taken unless a reach is given
MOST = 20_000  # boids in open space, of which all pairs are taken
FINE = 0.02  # of 1/k: so far apart are the distances at which pairs in open space are counted


@measure(
    "curve",
    unit="1",
    across="wave number k, 1/length",
    bounds="0 up, to N",
    definition="| sum_i exp(-i k . x_i) |^2 / N, mean over directions of k",
    source="10.1016/j.physrep.2018.03.001",
    slow=True,
)
def structure_factor(
    flock: FlockFrame,
    *,
    reach: float | None = None,
    bins: int = 40,
    edges: np.ndarray | None = None,
) -> Curve:
    """S(k) = | sum_i exp(-i k . x_i) |^2 / N (no unit), averaged over wave vectors k of about the
    same length: 1 for random points at all k; towards k = 0 the number fluctuations, <dn^2> / <n>;
    N at the Bragg peaks of a crystal.

    Where all axes are periodic the wave vectors are those that fit the box, 2 pi n / L. None is
    shorter than 2 pi by the longest side, so bins begin there: what is asked for below is left out.
    Farther up a bin without a wave vector has nan. Else the flock is unrolled and taken as open,
    and the mean over all directions is taken exactly, of all pairs: sum_ij J_0(k r_ij) / N in 2-D,
    sin(k r) / k r in 3-D. In open space S at small k is that of the flock's own shape, N at k = 0:
    look at k well above 2 pi / (size of the flock).

    reach  the largest k; 6 pi by the mean spacing unless given, or less for a large flock on a
           torus, so that boids times waves are 20 million
    bins   how many, from 0 to reach
    edges  (B + 1,) edges of the bins, in place of reach and bins

    Returns a Curve over k; `count` is the number of wave vectors (k and -k are one), or of boids in
    open space. Without points below 2 boids, and where an open flock is flat. In open space
    pairs are counted at distances 0.02 / reach apart, between which they are shared out: S is exact
    to about 1e-4. Cost: O(N waves), in open space O(N^2). Raises MeasureError above 20,000 boids in
    open space, 2 million waves, for a reach (or last edge) that is no larger than the smallest wave
    number of the box, and for options that are not allowed.

    Source: as in Torquato 2018, doi:10.1016/j.physrep.2018.03.001.
    """
    flock = valid_rows(flock, "positions")
    count, dims = len(flock), flock.space.dims
    region = region_of(flock) if count > 1 else None
    if region is None:
        return no_curve()
    if edges is None:
        usual = 6 * math.pi * (count / region.volume) ** (1 / dims)
        if region.hull is None:
            waves = WORK / count * 2  # of both signs
            usual = min(usual, 2 * math.pi * (waves / region.volume / ball(dims)) ** (1 / dims))
            usual = max(usual, 1.5 * _smallest(flock.space))
        edges = even(usual if reach is None else reach, bins)
    edges = ascending(edges)
    return _in_box(flock, edges) if region.hull is None else _in_open(region.points, edges)


def _smallest(space: Space) -> float:
    """The smallest wave number of a box that is periodic along all axes."""
    return 2 * math.pi / max(space.size)


def _in_box(flock: FlockFrame, edges: np.ndarray) -> Curve:
    least = _smallest(flock.space)
    if edges[-1] <= least:
        raise MeasureError(
            f"structure_factor: got wave numbers up to {edges[-1]:g}; expected a reach above "
            f"{least:g}, the smallest that fits the box (2 pi / {max(flock.space.size):g}). "
            "Give a larger reach."
        )
    if edges[0] < least:
        edges = np.concatenate([[least], edges[edges > least]])
    n = box_waves(flock.space, float(edges[-1]))
    x = flock.positions - np.array(flock.space.lower)
    found = sums(n, np.asarray(x, np.float64), np.ones((len(flock), 1)), flock.space)[:, 0]
    k = np.linalg.norm(wave_vectors(n, flock.space), axis=1)
    k = np.clip(k, least, edges[-1])  # those that rounding put beyond
    each = np.abs(found) ** 2 / len(flock)
    count = np.histogram(k, edges)[0].astype(np.float64)
    return binned(edges, ratio(np.histogram(k, edges, weights=each)[0], count), count)


def _in_open(points: np.ndarray, edges: np.ndarray) -> Curve:
    count, dims = points.shape
    at_most(count, MOST, f"structure factor of {count:,} boids in open space", "Take a part.")
    fine = FINE / edges[-1]
    widest = 2 * float(np.sqrt((points**2).sum(axis=1).max()))
    pairs = np.zeros(int(widest / fine) + 3)
    for first in range(0, count, 500):
        part = points[first : first + 500]
        squares = np.zeros((len(part), count - first))
        for axis in range(dims):
            squares += (part[:, axis, None] - points[first:, axis]) ** 2
        later = np.arange(len(part))[:, None] < np.arange(count - first)
        far = np.sqrt(squares[later]) / fine
        at = far.astype(np.int64)
        above = far - at  # a pair is shared out between the two distances beside its own
        pairs += np.bincount(at, 1 - above, minlength=len(pairs))
        pairs += np.bincount(at + 1, above, minlength=len(pairs))
    k = (edges[1:] + edges[:-1]) / 2
    kept = np.flatnonzero(pairs)
    y = [1 + 2 * float(isotropic(one * kept * fine, dims) @ pairs[kept]) / count for one in k]
    return binned(edges, np.array(y), np.full(len(k), float(count)))
