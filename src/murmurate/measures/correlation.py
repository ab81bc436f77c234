"""Connected correlations: how far boids share deviations from the flock's mean motion."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.curve import (
    Curve,
    binned_curve,
    check_edges,
    empty_curve,
    equal_bins,
    first_zero,
    ratio,
)
from murmurate.measures.flock_data import sample_rows, unit_vectors, valid_rows
from murmurate.measures.geometry import unwrapped_offsets
from murmurate.measures.limits import check_integer, format_value
from murmurate.measures.registry import measure, options_of

Of = Literal["velocity", "heading", "speed"]
MAX_PAIRS = 20_000_000  # pairs up to which all boids are centres

# Fields that the two curves share.
correlation = partial(
    measure,
    "curve",
    across="distance, length",
    bounds="-1 to 1, about",
    source="Cavagna et al. 2010",
    slow=True,
)


@correlation(
    definition="mean of dv_i . dv_j over pairs at r / mean of dv_i^2, dv_i = v_i - mean v",
    min_boids=2,
    missing="all boids fly alike",
)
def velocity_correlation(
    flock: FlockFrame,
    *,
    reach: float | None = None,
    bins: int = 40,
    pairs: int = MAX_PAIRS,
    seed: int = 0,
    edges: np.ndarray | None = None,
) -> Curve:
    """Return the connected correlation of velocities over distance.

    reach: Largest distance in length units. The default is twice the largest distance from the
        centre, but at most half the shortest periodic side.
    pairs: Number of pairs up to which all N^2 pairs are used. For larger flocks a random part of
        the boids is paired with all boids.
    seed: Seed of that random part.
    value: `count` is the number of pairs, each counted twice if all are used. All boids fly alike
        if no deviation is above 1e-12 of the largest velocity.

    The common motion is subtracted, so C shows what neighbours share beyond it. The deviations add
    up to 0, hence C falls below 0 at some distance: see `correlation_length`.
    """
    return _correlation(flock, "velocity", reach, bins, pairs, seed, edges)


@correlation(
    definition="mean of ds_i ds_j over pairs at r / mean of ds_i^2, ds_i = |v_i| - mean |v|",
    min_boids=2,
    missing="all boids are equally fast",
)
@options_of(velocity_correlation)
def speed_correlation(flock: FlockFrame, **options: Any) -> Curve:
    """Return the connected correlation of speeds over distance.

    reach: Largest distance, as for `velocity_correlation`.
    pairs: As for `velocity_correlation`.
    seed: As for `velocity_correlation`.
    value: `count` as for `velocity_correlation`.
    """
    return _correlation(flock, "speed", **options)


@measure(
    unit="length",
    definition="smallest r at which C(r) of velocities is 0 or below",
    source="Cavagna et al. 2010",
    slow=True,
    min_boids=2,
    missing="the velocity correlation does not fall from above 0 to 0 within the flock",
)
def correlation_length(flock: FlockFrame, *, of: Of = "velocity", bins: int = 40) -> float:
    """Return the correlation length, the first zero of C(r).

    of: Quantity that is correlated; 'heading' uses unit vectors in place of velocities.
    bins: Number of bins of C(r). The zero is interpolated between two of them. The first bins are
        joined until they have about one pair for each boid.

    Starlings: 0.35 times the extent of the flock for orientation and 0.36 for speed, for flocks of
    any size (numbers as other papers quote them). Cost: as `velocity_correlation`.
    """
    return first_zero(_correlation(flock, of, bins=bins))[0]


@measure(
    unit="length",
    definition="smallest r at which C(r) of speeds is 0 or below",
    source="Cavagna et al. 2010",
    slow=True,
    min_boids=2,
    missing="the speed correlation does not fall from above 0 to 0 within the flock",
)
def speed_correlation_length(flock: FlockFrame, *, bins: int = 40) -> float:
    """Return the correlation length of speeds, `correlation_length` with `of="speed"`.

    bins: Number of bins of C(r).
    """
    return correlation_length(flock, of="speed", bins=bins)


@measure(
    definition="max_r 1/N sum_ij dv_i . dv_j / <dv^2> over pairs nearer than r",
    source="Attanasi et al. 2014b",
    slow=True,
    min_boids=2,
    missing="all boids fly alike",
)
def group_susceptibility(
    flock: FlockFrame,
    *,
    of: Of = "velocity",
    bins: int = 200,
    pairs: int = MAX_PAIRS,
    seed: int = 0,
) -> float:
    """Return the susceptibility of a finite group: about how many neighbours fluctuate together.

    The connected correlation, integrated up to its first zero; dv_i is the deviation of v_i from
    the mean velocity.

    of: Quantity that is correlated, as for `correlation_length`.
    bins: Number of distances r, up to twice the largest distance from the centre, or half the
        shortest periodic side.
    pairs: As for `velocity_correlation`.
    seed: As for `velocity_correlation`.
    value: 0 if neighbours are uncorrelated at any distance.

    Unlike `susceptibility` it uses one frame: the correlation in space replaces the variance over
    time. The sum over all pairs is 0 in a group, hence the maximum. A pair counts from both sides.
    The mean velocity is subtracted, the rotation and dilation of the group are not.
    """
    curve = _correlation(flock, of, bins=bins, pairs=pairs, seed=seed)
    if not len(curve):
        return float("nan")
    centres = count_centres(len(valid_rows(flock)), check_integer(pairs, "pairs"))
    integral = np.cumsum(np.nan_to_num(curve.y) * curve.count) / centres
    return max(float(integral.max()), 0.0)


def _correlation(  # type: ignore[no-untyped-def]
    flock, of, reach=None, bins=40, pairs=MAX_PAIRS, seed=0, edges=None
):
    flock = valid_rows(flock)
    if of not in ("velocity", "heading", "speed"):
        raise MeasureError(f"of: got {format_value(of)}; expected 'velocity', 'heading' or 'speed'")
    if len(flock) < 2:
        return empty_curve()
    d = _deviations(flock, of)
    if d is None:
        return empty_curve()
    if edges is None:
        largest = _largest_reach(flock)
        if reach is None and not largest:
            return empty_curve()
        edges = equal_bins(largest if reach is None else reach, bins)
    edges = check_edges(edges)
    count, pairs = len(flock), check_integer(pairs, "pairs")
    seed = check_integer(seed, "seed", 0)
    centres = sample_rows(count, count_centres(count, pairs), seed)
    sums, counts = _sum_products(flock, d, centres, edges)
    own = float((d * d).sum()) / count
    return binned_curve(edges, ratio(sums, counts) / own, counts)


def _largest_reach(flock: FlockFrame) -> float:
    """Return the default `reach`; 0 if all boids coincide."""
    vectors = unwrapped_offsets(flock)
    widest = 2.0 * float(np.sqrt((vectors**2).sum(axis=1).max()))
    periodic = np.flatnonzero(flock.space.periodic)
    halves = [flock.space.size[axis] / 2 for axis in periodic]
    return min([widest, *halves]) * (1 + 1e-12) if widest else 0.0


def _sum_products(
    flock: FlockFrame, d: np.ndarray, centres: np.ndarray, edges: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return (B,) sums of d_i . d_j, and numbers of pairs, of centres with all boids, by distance.

    d : (D, N) deviations
    """
    x = flock.space.wrap_from_corner(flock.positions).T.copy()
    count, periodic = len(flock), np.flatnonzero(flock.space.periodic)
    sums, counts = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for rows in np.array_split(centres, max(len(centres) * count // 1_000_000, 1)):
        squares = np.zeros((len(rows), count))
        for axis, coordinates in enumerate(x):
            distances = np.abs(coordinates[rows, None] - coordinates)
            if axis in periodic:
                np.minimum(distances, flock.space.size[axis] - distances, out=distances)
            squares += distances * distances
        squares[np.arange(len(rows)), rows] = np.inf  # no boid is paired with itself
        products = (d[:, rows].T @ d).ravel()
        bins = _bin_indices(np.sqrt(squares).ravel(), edges)
        counts += np.bincount(bins, minlength=len(edges))[:-1]
        sums += np.bincount(bins, products, minlength=len(edges))[:-1]
    return sums, counts


def count_centres(count: int, pairs: int) -> int:
    """Return how many of `count` boids make about `pairs` pairs with all boids."""
    return min(count, max(pairs // count, 1))


def _deviations(flock: FlockFrame, of: Of) -> np.ndarray | None:
    """Return (D, N) deviations, (1, N) for speeds; None if all boids are alike."""
    v = np.array(flock.velocities.T, dtype=np.float64, order="C")
    if of == "heading":
        v = unit_vectors(flock.velocities)
    elif of == "speed":
        v = np.sqrt((v * v).sum(axis=0))[None]
    d: np.ndarray = v - v.mean(axis=1, keepdims=True)
    return d if np.abs(d).max() > 1e-12 * np.abs(v).max() else None


def _bin_indices(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Return the bin of each value; len(edges) - 1 for a value in no bin."""
    widths = np.diff(edges)
    last = len(edges) - 1
    if np.ptp(widths) <= 1e-9 * widths[0]:  # equal bins need no search
        scaled = np.minimum((values - edges[0]) / widths[0], last)
        return np.where(scaled < 0, last, scaled).astype(np.int64)
    bins = np.searchsorted(edges, values, side="right") - 1
    return np.where((bins < 0) | (bins >= last), last, bins)
