"""Polynomials in Bernstein form, many at a time, and their smallest values.

A polynomial of degree n on u in [0, 1] has n + 1 control values. It begins with the first, ends
with the last, and lies between the smallest and the largest: all bounds here rest on this. In
halves of the interval the control values are nearer to it, so bounds become as tight as needed
(Farouki 2012, doi 10.1016/j.cagd.2012.03.001). Arrays have the polynomials along axis 0 and
control values along axis 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

Array = np.ndarray
MAX_HALVINGS = 45


def derivative(points: Array, durations: Array) -> Array:
    """Return the control values of derivatives by time."""
    degree = points.shape[1] - 1
    if degree == 0:
        return np.zeros_like(points)
    span = durations.reshape(-1, *[1] * (points.ndim - 1))
    return np.asarray(degree * np.diff(points, axis=1) / span)


def elevate(points: Array, degree: int) -> Array:
    """Return the control values of the same polynomials at a higher degree."""
    while (n := points.shape[1]) <= degree:
        part = (np.arange(1, n) / n).reshape(-1, *[1] * (points.ndim - 2))
        inner = part * points[:, :-1] + (1 - part) * points[:, 1:]
        points = np.concatenate([points[:, :1], inner, points[:, -1:]], axis=1)
    return points


def evaluate(points: Array, u: Array) -> Array:
    """Return the value of each polynomial at its u (P,), by the algorithm of de Casteljau."""
    u = u.reshape(-1, *[1] * (points.ndim - 1))
    while points.shape[1] > 1:
        points = points[:, :-1] + u * np.diff(points, axis=1)
    return points[:, 0]


def restrict(points: Array, first: Array, last: Array) -> Array:
    """Return the control values of each polynomial on its part from `first` to `last` (P,)."""

    def end_at(points: Array, u: Array) -> Array:
        u = u.reshape(-1, *[1] * (points.ndim - 1))
        out = [points[:, 0]]
        while points.shape[1] > 1:
            points = points[:, :-1] + u * np.diff(points, axis=1)
            out.append(points[:, 0])
        return np.stack(out, axis=1)

    shortened = end_at(points, last)
    with np.errstate(invalid="ignore", divide="ignore"):
        begin = np.where(last > 0, first / last, 0.0)
    return end_at(shortened[:, ::-1], 1.0 - begin)[:, ::-1]


def squared_norm(points: Array) -> Array:
    """Return the control values (P, 2 n + 1) of the squared lengths of vectors (P, n + 1, K)."""
    degree = points.shape[1] - 1
    out = np.zeros((len(points), 2 * degree + 1))
    for i in range(degree + 1):
        for j in range(i, degree + 1):
            weight = comb(degree, i) * comb(degree, j) / comb(2 * degree, i + j)
            product = np.einsum("pk,pk->p", points[:, i], points[:, j])
            out[:, i + j] += weight * (1 if i == j else 2) * product
    return out


@cache
def _power_matrix(degree: int) -> Array:
    """Return the matrix from coefficients of u**k to control values."""
    rows = range(degree + 1)
    return np.array([[comb(i, k) / comb(degree, k) if k <= i else 0 for k in rows] for i in rows])


def from_powers(coefficients: Array, durations: Array) -> Array:
    """Return the control values of polynomials with coefficients of t**k (P, n + 1, ...)."""
    degree = coefficients.shape[1] - 1
    powers = durations[:, None] ** np.arange(degree + 1)
    scaled = coefficients * powers.reshape(*powers.shape, *[1] * (coefficients.ndim - 2))
    return np.einsum("ik,pk...->pi...", _power_matrix(degree), scaled)


def to_powers(points: Array, durations: Array) -> Array:
    """Return the coefficients of t**k of polynomials."""
    degree = points.shape[1] - 1
    scaled = np.einsum("ki,pi...->pk...", np.linalg.inv(_power_matrix(degree)), points)
    powers = durations[:, None] ** np.arange(degree + 1)
    return np.asarray(scaled / powers.reshape(*powers.shape, *[1] * (points.ndim - 2)))


@cache
def _halving(degree: int) -> Array:
    """Return the matrices (2, n + 1, n + 1) to the control values of the two halves."""
    rows = range(degree + 1)
    left = np.array([[comb(i, j) / 2**i if j <= i else 0 for j in rows] for i in rows])
    return np.stack([left, left[::-1, ::-1]])


@dataclass(frozen=True)
class Curves:
    """Functions of time whose smallest value is sought for each owner.

    points  (P, n + 1, ...) control values
    owners  (P,) number of the owner, from 0
    begin, duration  (P,) seconds
    """

    points: Array
    owners: Array
    begin: Array
    duration: Array

    def take(self, chosen: Array) -> Curves:
        """Return some of the curves."""
        return Curves(
            self.points[chosen], self.owners[chosen], self.begin[chosen], self.duration[chosen]
        )

    def halved(self) -> Curves:
        """Return the first halves, then the second halves."""
        halves = np.einsum("hij,pj...->hpi...", _halving(self.points.shape[1] - 1), self.points)
        length = self.duration / 2
        return Curves(
            halves.reshape(-1, *self.points.shape[1:]),
            np.tile(self.owners, 2),
            np.concatenate([self.begin, self.begin + length]),
            np.tile(length, 2),
        )


Bounds = Callable[[Array], tuple[Array, Array, Array]]


def bounds_of_values(points: Array) -> tuple[Array, Array, Array]:
    """Return of each polynomial (P, n + 1) a lower bound, a value that it has, and where (u)."""
    ends = points[:, [0, -1]]
    return points.min(axis=1), ends.min(axis=1), ends.argmin(axis=1).astype(float)


def smallest(
    curves: Curves,
    owners: int,
    tolerance: float,
    ceiling: float = np.inf,
    best: float = np.inf,
    bounds: Bounds = bounds_of_values,
) -> tuple[Array, Array]:
    """Return the smallest value of each owner's curves (owners,), and its time.

    They are exact to `tolerance`. Values above `ceiling` and `best`, the smallest value so far,
    may be larger than the smallest of their owner, or infinite.
    """
    value, time = np.full(owners, np.inf), np.full(owners, np.nan)
    for halvings in range(MAX_HALVINGS + 1):
        if not len(curves.owners):
            break
        low, attained, u = bounds(curves.points)
        if halvings == MAX_HALVINGS:
            attained = low  # rounding hides the rest: the bound is on the side of caution
        order = np.lexsort((attained, curves.owners))
        own, first = np.unique(curves.owners[order], return_index=True)
        row = order[first]
        better = attained[row] < value[own]
        own, row = own[better], row[better]
        value[own] = attained[row]
        time[own] = curves.begin[row] + u[row] * curves.duration[row]
        limit = np.minimum(value[curves.owners], max(ceiling, min(best, value.min()))) - tolerance
        curves = curves.take(np.flatnonzero(low < limit)).halved()
    return value, time
