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
