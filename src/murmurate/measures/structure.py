"""Structure: the pair correlation, the structure factor, and the plane waves behind it."""

from __future__ import annotations

import itertools
import math

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.curve import (
    Curve,
    binned_curve,
    check_edges,
    empty_curve,
    equal_bins,
    ratio,
)
from murmurate.measures.flock_data import sample_rows, valid_rows
from murmurate.measures.geometry import depths, region_of, unit_ball_volume
from murmurate.measures.limits import check_count, check_integer
from murmurate.measures.registry import measure
from murmurate.model.space import Space
from murmurate.neighbours.search import NeighbourSearch

DEFAULT_WORK = 20_000_000  # boids times waves of the structure factor, without `reach`
MAX_BOIDS = 20_000  # boids in open space, all pairs of which are used
SPACING = 0.02  # in units of 1/k: spacing of the distances at which open-space pairs are counted
MAX_WAVES = 2_000_000  # waves of a box
MAX_DIRECTIONS = 100_000
CHUNK = 4_000_000  # numbers in memory at a time


@measure(
    "curve",
    across="distance, length",
    definition="pairs at distance r / pairs of random points of the same density at r",
    source="Cavagna et al. 2008b; Baldin & Reiss 2016",
    slow=True,
    min_boids=2,
    missing="no boid is far enough from the border of the flock",
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
    """Return the pair correlation g(r).

    reach: Largest distance in length units. The default is six mean spacings, but at most half the
        shortest side if all axes are periodic.
    centres: Largest number of boids around which others are counted, a random part of larger
        flocks.
    seed: Seed of that random part.
    value: 1 at all r for random points. `count` is the number of (centre, neighbour) pairs. Without
        points also for a flat hull.
    raises: Distances beyond half the shortest side of a torus are refused too.
    source: The first has the pair correlation of flocks, and the effect of the border, the second
        the density within a hull.

    If all axes are periodic, every boid is a centre, and the density is N - 1 over the volume of
    the box. Otherwise the flock is unwrapped and treated as open. Only boids at least r below the
    convex hull are centres for r, so that the empty space around the flock does not count; nan if
    there are none. The density is then (n + 1) over the hull's volume, with n the number of boids
    that are not its corners. The hull of random points in a convex region is smaller than the
    region, and this density is exact on average.

    Cost: O(N + centres * neighbours within reach).
    """
    flock = valid_rows(flock, "positions")
    space, count, dims = flock.space, len(flock), flock.space.dims
    region = region_of(flock) if count > 1 else None
    if region is None:
        return empty_curve()
    points, hull, volume = region
    torus = hull is None
    if edges is None:
        default = 6.0 * (volume / count) ** (1 / dims)
        if torus:
            default = min(default, min(space.size) / 2)
        edges = equal_bins(default if reach is None else reach, bins)
    edges = check_edges(edges)
    if torus and edges[-1] > min(space.size) / 2:
        raise MeasureError(
            f"pair_correlation: got distances up to {edges[-1]:g}; expected at most half of the "
            f"torus's shortest side, {min(space.size) / 2:g}"
        )
    depth = np.full(count, np.inf) if hull is None else depths(hull, points)
    rows = sample_rows(count, check_integer(centres, "centres"), check_integer(seed, "seed", 0))
    pairs, used = _count_pairs(points, rows, depth, edges, space if torus else None)
    shells = unit_ball_volume(dims) * np.diff(edges**dims)
    inner = count - 1 if hull is None else count - len(hull.vertices) + 1
    density = inner / volume
    return binned_curve(edges, ratio(pairs, used * density * shells), pairs)


def _count_pairs(points, rows, depth, edges, space):  # type: ignore[no-untyped-def]
    """Return (B,) the number of pairs in each bin, and (B,) the number of centres of each bin."""
    search = NeighbourSearch(points, space)
    below = np.nextafter(edges, 0.0)  # a distance equal to an edge belongs to the bin above
    if np.isinf(depth).all():
        centres = NeighbourSearch(points[rows], space)
        sums = np.where(edges > 0, centres.count_pairs(below, search) - len(rows), 0)
        return np.diff(sums).astype(np.float64), np.full(len(edges) - 1, float(len(rows)))
    pairs, used = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for b, limits in enumerate(itertools.pairwise(below)):
        inner = points[rows[depth[rows] >= edges[b + 1]]]
        if not len(inner):
            break
        low, high = NeighbourSearch(inner, space).count_pairs(np.array(limits), search)
        pairs[b] = high - (low if edges[b] > 0 else len(inner))
        used[b] = len(inner)
    return pairs, used


@measure(
    "curve",
    bounds="0 up, to N",
    across="wave number k, 1/length",
    definition="| sum_i exp(-i k . x_i) |^2 / N, mean over directions of k",
    source="Torquato 2018",
    slow=True,
    missing="the flock has fewer than 2 boids, or no extent",
)
def structure_factor(
    flock: FlockFrame,
    *,
    reach: float | None = None,
    bins: int = 40,
    edges: np.ndarray | None = None,
) -> Curve:
    """Return the structure factor S(k), averaged over wave vectors k of about the same length.

    reach: Largest wave number, radians per length. The default is 6 pi over the mean spacing; for a
        large flock on a torus less, so that boids times waves are 20 million.
    bins: Number of bins of equal width, from 0 to `reach`.
    value: 1 at all k for random points; <dn^2> / <n> of number fluctuations as k approaches 0; N at
        the Bragg peaks of a crystal. `count` is the number of wave vectors (k and -k count as one),
        or of boids in open space. Without points also for a flat flock in open space.
    raises: More than 20,000 boids in open space and 2 million waves are refused, and a reach (or
        last edge) not above the smallest wave number of the box.

    If all axes are periodic, the wave vectors are those that fit the box, 2 pi n / L. None is
    shorter than 2 pi over the longest side, so bins begin there, and lower edges are dropped. A bin
    without a wave vector has nan. Otherwise the flock is unwrapped and treated as open, and the
    mean over all directions is computed from all pairs: sum_ij J_0(k r_ij) / N in 2-D, sin(k r) / k
    r in 3-D. In open space S at small k is that of the flock's own shape, N at k = 0: look at k
    well above 2 pi / (size of the flock).

    In open space pairs are counted at distances 0.02 / reach apart, between which they are
    interpolated: S is exact to about 1e-4. Cost: O(N waves), in open space O(N^2).
    """
    flock = valid_rows(flock, "positions")
    count, dims = len(flock), flock.space.dims
    region = region_of(flock) if count > 1 else None
    if region is None:
        return empty_curve()
    if edges is None:
        default = 6 * math.pi * (count / region.volume) ** (1 / dims)
        if region.hull is None:
            waves = DEFAULT_WORK / count * 2  # of both signs
            densest = waves / region.volume / unit_ball_volume(dims)
            default = min(default, 2 * math.pi * densest ** (1 / dims))
            default = max(default, 1.5 * _smallest_wave_number(flock.space))
        edges = equal_bins(default if reach is None else reach, bins)
    edges = check_edges(edges)
    if region.hull is None:
        return _structure_in_box(flock, edges)
    return _structure_in_open_space(region.points, edges)


def _smallest_wave_number(space: Space) -> float:
    """Return the smallest wave number of a box that is periodic along all axes."""
    return 2 * math.pi / max(space.size)


def _structure_in_box(flock: FlockFrame, edges: np.ndarray) -> Curve:
    smallest = _smallest_wave_number(flock.space)
    if edges[-1] <= smallest:
        raise MeasureError(
            f"structure_factor: got wave numbers up to {edges[-1]:g}; expected a reach above "
            f"{smallest:g}, the smallest that fits the box (2 pi / {max(flock.space.size):g}). "
            "Give a larger reach."
        )
    if edges[0] < smallest:
        edges = np.concatenate([[smallest], edges[edges > smallest]])
    n = box_waves(flock.space, float(edges[-1]))
    x = flock.positions - np.array(flock.space.lower)
    sums = sum_waves(n, np.asarray(x, np.float64), np.ones((len(flock), 1)), flock.space)[:, 0]
    k = np.linalg.norm(wave_vectors(n, flock.space), axis=1)
    k = np.clip(k, smallest, edges[-1])  # rounding may put a wave number just outside
    powers = np.abs(sums) ** 2 / len(flock)
    count = np.histogram(k, edges)[0].astype(np.float64)
    return binned_curve(edges, ratio(np.histogram(k, edges, weights=powers)[0], count), count)


def _structure_in_open_space(points: np.ndarray, edges: np.ndarray) -> Curve:
    count, dims = points.shape
    advice = "Take a part of the flock."
    check_count(count, MAX_BOIDS, "structure_factor", "boids in open space", advice)
    spacing = SPACING / edges[-1]
    widest = 2 * float(np.sqrt((points**2).sum(axis=1).max()))
    pairs = np.zeros(int(widest / spacing) + 3)
    for first in range(0, count, 500):
        part = points[first : first + 500]
        squares = np.zeros((len(part), count - first))
        for axis in range(dims):
            squares += (part[:, axis, None] - points[first:, axis]) ** 2
        later = np.arange(len(part))[:, None] < np.arange(count - first)
        distances = np.sqrt(squares[later]) / spacing
        below = distances.astype(np.int64)
        weight = distances - below  # a pair is divided between the two grid distances around it
        pairs += np.bincount(below, 1 - weight, minlength=len(pairs))
        pairs += np.bincount(below + 1, weight, minlength=len(pairs))
    k = (edges[1:] + edges[:-1]) / 2
    filled = np.flatnonzero(pairs)
    y = [
        1 + 2 * float(isotropic_wave(wave * filled * spacing, dims) @ pairs[filled]) / count
        for wave in k
    ]
    return binned_curve(edges, np.array(y), np.full(len(k), float(count)))


def box_waves(space: Space, reach: float) -> np.ndarray:
    """Return the plane waves that fit a box that is periodic along all axes.

    reach  largest length of a wave vector 2 pi n / L; the smallest is above 0
    returns  (W, D) whole numbers n, one of each pair n and -n
    raises MeasureError  above 2 million waves
    """
    largest = [int(min(reach * side / (2 * math.pi) + 1e-9, 1e308)) for side in space.size]
    cube = math.prod(2 * n + 1 for n in largest)
    check_count(cube, MAX_WAVES, "reach", "plane waves", "Give a smaller reach.")
    axes = [np.arange(-n, n + 1) for n in largest[:-1]] + [np.arange(largest[-1] + 1)]
    n = np.stack([grid.ravel() for grid in np.meshgrid(*axes, indexing="ij")], axis=1)
    k = np.linalg.norm(wave_vectors(n, space), axis=1)
    half = np.ones(len(n), dtype=bool)  # of waves with 0 along the last axis, one of each pair
    for axis in range(space.dims):
        rest = (n[:, axis + 1 :] == 0).all(axis=1)
        half &= ~(rest & (n[:, axis] < 0))
    return n[half & (k > 0) & (k <= reach * (1 + 1e-9))]


def wave_vectors(n: np.ndarray, space: Space) -> np.ndarray:
    """Return (W, D) wave vectors for (W, D) whole numbers."""
    return 2 * math.pi * n / np.array(space.size)


def sum_waves(n: np.ndarray, x: np.ndarray, weights: np.ndarray, space: Space) -> np.ndarray:
    """Return the sum over boids i of weights_i exp(-i k . x_i), for each wave.

    n  (W, D) whole numbers of the waves
    x  (N, D) positions
    weights  (N, A)
    space  the periodic box
    returns  (W, A)
    """
    sums = np.zeros((len(n), weights.shape[1]), dtype=complex)
    phases = sum(2 * int(np.abs(n[:, axis]).max(initial=0)) + 1 for axis in range(space.dims))
    for rows in np.array_split(np.arange(len(x)), phases * len(x) // CHUNK + 1):
        _add_sums(sums, n, x[rows], weights[rows], space)
    return sums


def _add_sums(
    sums: np.ndarray, n: np.ndarray, x: np.ndarray, weights: np.ndarray, space: Space
) -> None:
    """Add the sums over some of the boids to `sums`."""
    phases = 2j * math.pi * x / np.array(space.size)
    # exp(-i n p) once for each axis and n: a wave is a product of one factor per axis
    factors = [
        {int(m): np.exp(-int(m) * phases[:, axis]) for m in np.unique(n[:, axis])}
        for axis in range(space.dims)
    ]
    rows = np.arange(len(n))
    keys = [tuple(row) for row in n[:, :-1].tolist()]
    for key, group in itertools.groupby(rows, key=lambda row: keys[row]):
        members = np.array(list(group))
        product = np.ones(len(x), dtype=complex)
        for axis, m in enumerate(key):
            product = product * factors[axis][m]
        last = np.array([factors[-1][int(m)] for m in n[members, -1]])
        sums[members] += last @ (product[:, None] * weights)


def isotropic_wave(kr: np.ndarray, dims: int) -> np.ndarray:
    """Return the mean of exp(i k . r) over directions: J_0(kr) in 2-D, sin(kr) / kr in 3-D."""
    if dims == 3:
        return np.sinc(kr / math.pi)
    from scipy.special import j0

    return j0(kr)


def quadrature_directions(phase: float, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Return directions and weights for means over all directions n of exp(i n . y).

    The means are exact to rounding for |y| up to `phase`. Directions are equally spaced on the
    circle; in 3-D on circles at Gauss-Legendre heights.

    directions  (M, D) unit vectors
    weights  (M,) their sum is 1
    raises MeasureError  above 100,000 directions
    """
    per_circle = int(min(phase, 1e9)) + 30
    circles = 1 if dims == 2 else per_circle // 2
    count = per_circle * circles
    check_count(count, MAX_DIRECTIONS, "k", "directions", "Give a smaller k.")
    a = 2 * math.pi * np.arange(per_circle) / per_circle
    ring = np.stack([np.cos(a), np.sin(a)], axis=1)
    if dims == 2:
        return ring, np.full(per_circle, 1 / per_circle)
    heights, weights = np.polynomial.legendre.leggauss(circles)
    flat = np.sqrt(1 - heights**2)[:, None, None] * ring
    up = np.broadcast_to(heights[:, None, None], (circles, per_circle, 1))
    directions = np.concatenate([flat, up], axis=2).reshape(-1, 3)
    return directions, np.repeat(weights / 2, per_circle) / per_circle
