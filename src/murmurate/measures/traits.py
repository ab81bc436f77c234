"""Traits: how numbers that differ between boids go together with motion and position.

A trait is a number of each boid: one of `FlockFrame.traits`, such as a weight that differs between
boids, or a number that a rule stores (`FlockFrame.state_names`). Boids without a finite trait are
left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.clusters import clusters, default_link
from murmurate.measures.flock_data import (
    nearest_neighbours,
    pairs_within,
    unit_vectors,
    valid_rows,
)
from murmurate.measures.geometry import centroid, offsets
from murmurate.measures.limits import check_integer, check_positive, format_value
from murmurate.measures.registry import measure

Method: TypeAlias = Literal["spearman", "pearson"]
METHODS = ("spearman", "pearson")
MIN_BOIDS = 3  # any two points have a correlation of 1 or -1


def trait_of(flock: FlockFrame, trait: str) -> tuple[FlockFrame, np.ndarray]:
    """Return the boids with position, velocity and trait, and their (n,) float64 traits.

    Raises MeasureError if the flock has no such trait.
    """
    flock = valid_rows(flock)
    if not isinstance(trait, str):
        raise MeasureError(
            f"trait: got {format_value(trait)}; expected the name of a number that differs between "
            "boids, such as 'weight'"
        )
    if not len(flock) and not flock.traits and not flock.state_names:
        return flock, np.empty(0)  # an empty flock of a file may not list its traits
    try:
        values = np.asarray(flock.per_boid(trait), np.float64)
    except KeyError as error:
        raise MeasureError(str(error.args[0]).replace("per_boid", "trait", 1)) from None
    rows = np.flatnonzero(np.isfinite(values))
    return flock.take(rows), values[rows]


def correlation(x: np.ndarray, y: np.ndarray, method: Method = "spearman") -> float:
    """Return the correlation of two (n,) arrays, -1 to 1.

    x, y  (n,) finite numbers
    method  'spearman': of ranks, with the mean rank for equal numbers. 'pearson': of the numbers.
    returns  nan below three numbers, and if all numbers of an array are equal
    raises MeasureError  for another method
    """
    check_method(method)
    if len(x) < MIN_BOIDS:
        return math.nan
    if method == "spearman":
        x, y = ranks(x), ranks(y)
    dx, dy = x - x.mean(), y - y.mean()
    for values, deviations in ((x, dx), (y, dy)):
        if not np.abs(deviations).max() > 1e-12 * np.abs(values).max():
            return math.nan
    dx, dy = dx / np.abs(dx).max(), dy / np.abs(dy).max()
    product = float((dx * dy).sum()) / math.sqrt(float((dx * dx).sum() * (dy * dy).sum()))
    return min(max(product, -1.0), 1.0)


def check_method(method: Any) -> Method:
    """Return `method`. Raise MeasureError unless it is 'spearman' or 'pearson'."""
    if not isinstance(method, str) or method not in METHODS:
        raise MeasureError(f"method: got {format_value(method)}; expected 'spearman' or 'pearson'")
    return cast(Method, method)


def ranks(values: np.ndarray) -> np.ndarray:
    """Return (n,) ranks from 1; equal numbers have the mean of their ranks.

    Numbers that differ by rounding only, 1e-12 of the largest, count as equal.
    """
    from scipy.stats import rankdata

    ordered, index = np.unique(values, return_inverse=True)
    larger = np.diff(ordered, prepend=ordered[:1]) > 1e-12 * np.abs(values).max(initial=0.0)
    return rankdata(np.cumsum(larger)[index])


# --- what traits are compared with


def _speeds(flock: FlockFrame) -> np.ndarray:
    """Return (n,) speeds."""
    v = np.asarray(flock.velocities, np.float64)
    return np.sqrt(np.einsum("ij,ij->i", v, v))


def front_positions(flock: FlockFrame) -> np.ndarray:
    """Return (n,) distances ahead of the centre, along the mean heading; nan if that is 0."""
    mean = unit_vectors(flock.velocities).sum(axis=1)
    length = float(np.linalg.norm(mean))
    if not length > 1e-12 * len(flock):
        return np.full(len(flock), np.nan)
    return offsets(flock, centroid(flock)) @ (mean / length)


def _centre_distances(flock: FlockFrame) -> np.ndarray:
    """Return (n,) distances to the centre."""
    return np.linalg.norm(offsets(flock, centroid(flock)), axis=1)


QUANTITIES: dict[str, Callable[[FlockFrame], np.ndarray]] = {
    "speed": _speeds,
    "front": front_positions,
    "centre": _centre_distances,
}
"""Numbers of each boid in a frame, by name."""


def _correlate(flock: FlockFrame, trait: str, quantity: str, method: Method) -> float:
    """Return the correlation of a trait with one of QUANTITIES in one frame."""
    check_method(method)
    flock, values = trait_of(flock, trait)
    if len(flock) < MIN_BOIDS:
        return correlation(values, values, method)
    numbers = QUANTITIES[quantity](flock)
    return correlation(values, numbers, method) if np.isfinite(numbers).all() else math.nan


# --- one frame


@measure(
    unit="unit of the trait",
    bounds="any",
    definition="1/N sum_i z_i, z_i the trait of boid i",
    population=True,
)
def trait_mean(flock: FlockFrame, *, trait: str) -> float:
    """Return the mean of a trait over the boids.

    It changes if boids with large or small traits leave more often than others.
    """
    values = trait_of(flock, trait)[1]
    return float(values.mean()) if len(values) else math.nan


@measure(
    unit="unit of the trait",
    definition="sqrt(1/N sum_i (z_i - mean z)^2), z_i the trait of boid i",
    population=True,
)
def trait_spread(flock: FlockFrame, *, trait: str) -> float:
    """Return the standard deviation of a trait over the boids, divided by N.

    value: 0 for one boid.
    """
    values = trait_of(flock, trait)[1]
    return float(values.std()) if len(values) else math.nan


@measure(
    bounds="-1 to 1",
    definition="correlation of the trait with the speed over boids",
    source="Herbert-Read et al. 2013; Spearman 1904; Pearson 1895",
    population=True,
    min_boids=3,
    missing="all boids have the same trait or the same speed",
)
def speed_trait_correlation(flock: FlockFrame, *, trait: str, method: Method = "spearman") -> float:
    """Return the correlation of a trait with the speed of the boids.

    value: Above 0 if boids with a larger trait are faster.
    source: The first has differences in speed between fish of a school.

    Independent numbers have a mean of 0 and a standard deviation of 1/sqrt(N - 1).
    """
    return _correlate(flock, trait, "speed", method)


@measure(
    bounds="-1 to 1",
    definition="correlation of the trait with (x_i - centre) . U, U the direction of motion",
    source="Jolles et al. 2017; Spearman 1904; Pearson 1895",
    population=True,
    min_boids=3,
    missing="the trait or the place of all boids is the same, or the mean heading is 0",
)
def front_trait_correlation(flock: FlockFrame, *, trait: str, method: Method = "spearman") -> float:
    """Return the correlation of a trait with the position along the direction of motion.

    value: Above 0 if boids with a larger trait are in front.
    source: In the first the front of a school is taken by faster fish.

    On periodic axes positions are at the nearest image around the `centroid`, so the flock must
    span less than half the box along its motion.
    """
    return _correlate(flock, trait, "front", method)


@measure(
    bounds="-1 to 1",
    definition="correlation of the trait with |x_i - centre| over boids",
    source="Jolles et al. 2017; Spearman 1904; Pearson 1895",
    population=True,
    min_boids=3,
    missing="all boids have the same trait or the same distance from the centre",
)
def centre_trait_correlation(
    flock: FlockFrame, *, trait: str, method: Method = "spearman"
) -> float:
    """Return the correlation of a trait with the distance from the flock's centre.

    value: Above 0 if boids with a larger trait are at the edge, below 0 if they are in the centre.
    source: The first compares sociable fish.

    On periodic axes as for `front_trait_correlation`.
    """
    return _correlate(flock, trait, "centre", method)


@measure(
    bounds="about -1 to 1",
    definition="N / (N k) sum_i sum_(k nearest j) dz_i dz_j / sum_i dz_i^2, dz = z - mean z",
    source="Moran 1950",
    population=True,
    min_boids="k",
    missing="all boids have the same trait",
)
def neighbour_trait_correlation(flock: FlockFrame, *, trait: str, k: int = 1) -> float:
    """Return Moran's index of a trait: the correlation of a boid's trait with its neighbours'.

    value: Above 0 if neighbours are alike. -1 / (N - 1) on average for traits that are distributed
        at random.

    The weight of a pair is 1 if j is among the k nearest boids of i, else 0. Distances are to the
    nearest image on periodic axes. Cost: O(N k log N).
    """
    k = check_integer(k, "k")
    flock, values = trait_of(flock, trait)
    if len(flock) <= k:
        return math.nan
    deviations = _deviations(values)
    if deviations is None:
        return math.nan
    neighbours = deviations[nearest_neighbours(flock, k)[1]].sum(axis=1)
    return float((deviations * neighbours).sum() / (k * (deviations**2).sum()))


@measure(
    bounds="-1 to 1",
    definition="Pearson correlation of the traits at both ends of links of at most `link`",
    source="Newman 2003",
    population=True,
    min_boids=2,
    missing="no boid has a link, or all boids have the same trait",
)
def trait_assortment(flock: FlockFrame, *, trait: str, link: float | None = None) -> float:
    """Return the assortment by a trait: whether boids near each other have similar traits.

    Newman's assortativity coefficient. Each link is counted from both sides.

    value: Above 0 if boids near each other have similar traits, 0 for traits that are distributed
        at random, in a large flock.

    Unlike in `neighbour_trait_correlation`, boids with many others near them have more weight.
    """
    link = None if link is None else check_positive(link, "link")
    flock, values = trait_of(flock, trait)
    if len(flock) < 2:
        return math.nan
    pairs = pairs_within(flock, default_link(flock) if link is None else link, "trait_assortment")
    a, b = values[pairs[:, 0]], values[pairs[:, 1]]
    deviations = _deviations(np.concatenate([a, b]))
    if deviations is None:
        return math.nan
    a, b = deviations[: len(a)], deviations[len(a) :]
    return float(2.0 * (a * b).sum() / ((a**2).sum() + (b**2).sum()))


@measure(
    bounds="below 0 to 1",
    definition="1 - (N - 1) / (N - c) (squares within clusters) / (squares in all), c clusters",
    source="Kelley 1935",
    population=True,
    min_boids=2,
    missing="there is one cluster, each cluster is one boid, or all traits are equal",
)
def trait_clustering(flock: FlockFrame, *, trait: str, link: float | None = None) -> float:
    """Return the share of a trait's variance that is between the clusters of a flock.

    Squares are those of deviations from the mean, of the boid's own cluster or of all boids.

    value: 1 if all boids of a cluster have the same trait, 0 on average for random traits, when it
        may be negative.
    source: The unbiased correlation ratio.

    The plain ratio, without the factor (N - 1) / (N - c), is (c - 1) / (N - 1) on average for
    random traits.
    """
    link = None if link is None else check_positive(link, "link")
    flock, values = trait_of(flock, trait)
    labels = clusters(flock, link)
    count = int(labels.max(initial=-1)) + 1
    deviations = _deviations(values)
    if deviations is None or not 1 < count < len(values):
        return math.nan
    means = np.bincount(labels, deviations) / np.bincount(labels)
    within = float(((deviations - means[labels]) ** 2).sum()) / (len(values) - count)
    return 1.0 - within / (float((deviations**2).sum()) / (len(values) - 1))


def _deviations(values: np.ndarray) -> np.ndarray | None:
    """Return (n,) deviations from the mean over the largest; None for equal numbers."""
    if not len(values):
        return None
    d: np.ndarray = values - values.mean()
    largest = float(np.abs(d).max())
    return d / largest if largest > 1e-12 * float(np.abs(values).max()) else None
