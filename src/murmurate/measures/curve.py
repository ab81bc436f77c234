"""Curves: one value for each distance, angle, size or time lag."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.errors import MeasureError
from murmurate.measures.limits import check_count, check_integer, check_positive

MAX_BINS = 1_000_000


@dataclass(frozen=True, eq=False)
class Curve:
    """Values y over x.

    Attributes
    ----------
    x : ndarray of shape (B,)
        Bin centres or time lags.
    y : ndarray of shape (B,)
        Values; nan for a bin without data.
    count : ndarray of shape (B,)
        Number of pairs, boids or boxes behind each value.
    edges : ndarray of shape (B + 1,) or None
        Bin edges; None if x is not binned.
    error : ndarray of shape (B,) or None
        Standard errors; None if they are unknown.
    """

    x: np.ndarray
    y: np.ndarray
    count: np.ndarray
    edges: np.ndarray | None = None
    error: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        if not len(self):
            return "<Curve: empty>"
        return f"<Curve: {len(self)} points, x {self.x[0]:.4g} to {self.x[-1]:.4g}>"


def binned_curve(edges: np.ndarray, y: np.ndarray, count: np.ndarray) -> Curve:
    """Return a Curve of (B,) values and counts over bins with (B + 1,) edges."""
    return Curve(x=(edges[1:] + edges[:-1]) / 2, y=y, count=count, edges=edges)


def empty_curve() -> Curve:
    """Return a Curve without points, the result for a flock without a value."""
    empty = np.empty(0)
    return Curve(empty, empty, empty)


def equal_bins(reach: float, bins: int) -> np.ndarray:
    """Return (bins + 1,) equally spaced edges from 0 to `reach`.

    Raises MeasureError for an invalid option.
    """
    if check_positive(reach, "reach") == math.inf:
        raise MeasureError("reach: got inf; expected a finite number. Give the largest x value.")
    check_count(check_integer(bins, "bins"), MAX_BINS, "bins", "", "Give fewer.")
    return np.linspace(0.0, reach, int(bins) + 1)


def check_edges(edges: np.ndarray) -> np.ndarray:
    """Return bin edges as float64.

    Raises MeasureError unless they are strictly increasing and start at 0 or above.
    """
    edges = np.asarray(edges, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or edges[0] < 0 or not (np.diff(edges) > 0).all():
        raise MeasureError(
            f"edges: got an array of shape {edges.shape}; expected two or more increasing numbers, "
            "the first 0 or above"
        )
    return edges


def ratio(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return numerator / denominator, and nan where the denominator is 0 or below."""
    result = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=result, where=np.asarray(denominator) > 0)
    return result


def first_zero(curve: Curve) -> tuple[float, float]:
    """Return where a curve first falls from above 0 to 0 or below, and its standard error.

    Both are nan if it does not. The zero is interpolated between two points. A few close pairs say
    little, so the first points are joined until they have as many pairs as the square root of all:
    about one neighbour of each boid. The error is that of the points over the slope between them.
    """
    finite = np.isfinite(curve.y)
    x, y, count = curve.x[finite], curve.y[finite], curve.count[finite].astype(np.float64)
    error = np.full(len(x), np.nan) if curve.error is None else curve.error[finite]
    if len(x) and count[0] < math.sqrt(count.sum()):
        joined = 1 + int(np.searchsorted(np.cumsum(count), math.sqrt(count.sum())))
        part = count[:joined] / count[:joined].sum()
        x = np.append(part @ x[:joined], x[joined:])
        y = np.append(part @ y[:joined], y[joined:])
        error = np.append(np.linalg.norm(part * error[:joined]), error[joined:])
    below = np.flatnonzero(y <= 0)
    if not len(below) or below[0] == 0:
        return math.nan, math.nan
    b = int(below[0])
    a = b - 1
    zero = x[a] + (x[b] - x[a]) * y[a] / (y[a] - y[b])
    weight = y[a] / (y[a] - y[b])
    slope = (y[a] - y[b]) / (x[b] - x[a])
    zero_error = math.hypot((1 - weight) * error[a], weight * error[b]) / slope
    return float(zero), zero_error
