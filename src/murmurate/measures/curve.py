"""A curve: one number for each distance, angle, size or time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.measures.limits import MeasureError, at_most, counted, positive, whole

BINS = 1_000_000


@dataclass(frozen=True, eq=False)
class Curve:
    """y against x.

    x      (B,) the middles of the bins, or the lags
    y      (B,) values; nan where there was nothing to count
    count  (B,) how many pairs, boids or boxes each value stands on
    edges  (B + 1,) edges of the bins; None where x is not binned
    error  (B,) standard errors, where they are known
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


def binned(edges: np.ndarray, y: np.ndarray, count: np.ndarray) -> Curve:
    """A curve over bins."""
    return Curve(x=(edges[1:] + edges[:-1]) / 2, y=y, count=count, edges=edges)


def no_curve() -> Curve:
    """The curve of a flock that has none: no points."""
    none = np.empty(0)
    return Curve(none, none, none)


def even(reach: float, bins: int) -> np.ndarray:
    """(bins + 1,) edges from 0 to reach."""
    if positive(reach, "reach") == math.inf:
        raise MeasureError("reach is inf: it must be a number that bins can be cut from")
    at_most(whole(bins, "bins"), BINS, f"{counted(bins)} bins", "Give fewer.")
    return np.linspace(0.0, reach, int(bins) + 1)


def ascending(edges: np.ndarray) -> np.ndarray:
    """The edges as float64. Raises MeasureError unless they rise and begin at 0 or above."""
    edges = np.asarray(edges, dtype=np.float64)
    if edges.ndim != 1 or len(edges) < 2 or edges[0] < 0 or not (np.diff(edges) > 0).all():
        raise MeasureError("edges: they must be two or more rising numbers, the first 0 or above")
    return edges


def ratio(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    """above / below, nan where below is 0."""
    result = np.full(np.shape(below), np.nan)
    np.divide(above, below, out=result, where=np.asarray(below) > 0)
    return result
