"""Connected correlations: how far a boid's deviation from the flock is shared around it."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, ascending, binned, even, no_curve, ratio
from murmurate.measures.headings import unit
from murmurate.measures.hull import unrolled
from murmurate.measures.limits import MeasureError, shown, whole
from murmurate.measures.registry import measure, options_of
from murmurate.measures.sample import sample
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import wrapped

CAVAGNA = "10.1073/pnas.1005766107"
Of = Literal["velocity", "heading", "speed"]
PAIRS = 20_000_000


# What the two curves have in common.
correlation = partial(
    measure,
    "curve",
    unit="1",
    across="distance, length",
    bounds="-1 to 1, about",
    source=CAVAGNA,
    slow=True,
)


@correlation(
    definition="mean of dv_i . dv_j over pairs at r / mean of dv_i^2, dv_i = v_i - mean v",
)
def velocity_correlation(
    flock: FlockFrame,
    *,
    reach: float | None = None,
    bins: int = 40,
    pairs: int = PAIRS,
    seed: int = 0,
    edges: np.ndarray | None = None,
) -> Curve:
    """C(r) = <dv_i . dv_j>_r / <dv_i^2>, dv_i = v_i - 1/N sum_j v_j, over pairs at distance r.

    What all do alike is taken off, so C shows what neighbours share beyond it. The deviations add
    up to 0, hence C must fall below 0 somewhere: see `correlation_length`.

    reach  the largest distance; twice the largest distance from the centre unless given, but at
           most half the shortest periodic side
    bins   how many
    pairs  all pairs are taken: N^2 of them. Above this number a part of the boids is drawn,
           with `seed`, and each is paired with everyone
    edges  (B + 1,) edges of the bins, in place of reach and bins

    Returns a Curve over distance (no unit); `count` is the number of pairs (each twice, where all
    are taken). Without points below 2 boids, and where all fly alike (no deviation is above
    1e-12 of the largest velocity). Raises MeasureError for edges or numbers that are not allowed.

    Source: Cavagna et al. 2010, doi:10.1073/pnas.1005766107.
    """
    return _correlation(flock, "velocity", reach, bins, pairs, seed, edges)


@correlation(
    definition="mean of ds_i ds_j over pairs at r / mean of ds_i^2, ds_i = |v_i| - mean |v|",
)
@options_of(velocity_correlation)
def speed_correlation(flock: FlockFrame, **options: Any) -> Curve:
    """The same as `velocity_correlation`, of speeds: ds_i = |v_i| - 1/N sum_j |v_j|. Its options
    are the same. Without points where all are equally fast.

    Source: Cavagna et al. 2010, doi:10.1073/pnas.1005766107.
    """
    return _correlation(flock, "speed", **options)


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="smallest r at which C(r) of velocities is 0 or below",
    source=CAVAGNA,
    slow=True,
)
def correlation_length(flock: FlockFrame, *, of: Of = "velocity", bins: int = 40) -> float:
    """The first zero of C(r), where it first goes from above to 0 or below, in length units.

    of    'velocity', 'heading' (unit vectors in place of velocities) or 'speed'
    bins  of C(r); the zero is found on the line between two of them

    nan where C has no value, is not above 0 in its first bin, or does not reach 0. Starlings: 0.35
    times the extent of the flock for orientation and 0.36 for speed, whatever the flock's size
    (numbers as other papers quote them). Cost: as `velocity_correlation`.

    Source: Cavagna et al. 2010, doi:10.1073/pnas.1005766107.
    """
    return first_zero(_correlation(flock, of, bins=bins))


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="smallest r at which C(r) of speeds is 0 or below",
    source=CAVAGNA,
    slow=True,
)
def speed_correlation_length(flock: FlockFrame, *, bins: int = 40) -> float:
    """`correlation_length` of speeds."""
    return correlation_length(flock, of="speed", bins=bins)


def first_zero(curve: Curve) -> float:
    """Where a curve first goes from above 0 to 0 or below; nan where it does not."""
    known = np.isfinite(curve.y)
    x, y = curve.x[known], curve.y[known]
    below = np.flatnonzero(y <= 0)
    if not len(below) or below[0] == 0:
        return float("nan")
    at = below[0]
    return float(x[at - 1] + (x[at] - x[at - 1]) * y[at - 1] / (y[at - 1] - y[at]))


def _correlation(  # type: ignore[no-untyped-def]
    flock, of, reach=None, bins=40, pairs=PAIRS, seed=0, edges=None
):
    flock = valid_rows(flock)
    if of not in ("velocity", "heading", "speed"):
        raise MeasureError(f"of is {shown(of)}: it must be 'velocity', 'heading' or 'speed'")
    if len(flock) < 2:
        return no_curve()
    d = _deviations(flock, of)
    if d is None:
        return no_curve()
    torus = np.flatnonzero(flock.space.periodic)
    if edges is None:
        away = unrolled(flock)
        widest = 2.0 * float(np.sqrt((away**2).sum(axis=1).max()))
        sides = [flock.space.size[axis] / 2 for axis in torus]
        if reach is None and not widest:
            return no_curve()
        far = min([widest, *sides]) * (1 + 1e-12)
        edges = even(far if reach is None else reach, bins)
    edges = ascending(edges)
    x = wrapped(flock.positions, flock.space).T.copy()
    count, pairs, seed = len(flock), whole(pairs, "pairs"), whole(seed, "seed", 0)
    chosen = sample(count, centres(count, pairs), seed)
    sums, counts = np.zeros(len(edges) - 1), np.zeros(len(edges) - 1)
    for rows in np.array_split(chosen, max(len(chosen) * count // 1_000_000, 1)):
        squares = np.zeros((len(rows), count))
        for axis, along in enumerate(x):
            away = np.abs(along[rows, None] - along)
            if axis in torus:
                np.minimum(away, flock.space.size[axis] - away, out=away)
            squares += away * away
        squares[np.arange(len(rows)), rows] = np.inf  # nobody is paired with itself
        products = (d[:, rows].T @ d).ravel()
        found = _bins(np.sqrt(squares).ravel(), edges)
        counts += np.bincount(found, minlength=len(edges))[:-1]
        sums += np.bincount(found, products, minlength=len(edges))[:-1]
    own = float((d * d).sum()) / count
    return binned(edges, ratio(sums, counts) / own, counts)


def centres(count: int, pairs: int) -> int:
    """How many of so many boids are the centres of about so many pairs, each with all others."""
    return min(count, max(pairs // count, 1))


def _deviations(flock: FlockFrame, of: Of) -> np.ndarray | None:
    """(D, N), or (1, N) for speeds; None where there are none."""
    v = np.array(flock.velocities.T, dtype=np.float64, order="C")
    if of == "heading":
        v = unit(flock.velocities)
    elif of == "speed":
        v = np.sqrt((v * v).sum(axis=0))[None]
    d: np.ndarray = v - v.mean(axis=1, keepdims=True)
    return d if np.abs(d).max() > 1e-12 * np.abs(v).max() else None


def _bins(values: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Which bin each value is in; len(edges) - 1 where it is in none."""
    widths = np.diff(edges)
    last = len(edges) - 1
    if np.ptp(widths) <= 1e-9 * widths[0]:  # equal bins: no search
        scaled = np.minimum((values - edges[0]) / widths[0], last)
        return np.where(scaled < 0, last, scaled).astype(np.int64)
    found = np.searchsorted(edges, values, side="right") - 1
    return np.where((found < 0) | (found >= last), last, found)
