"""Straight lines of least squares, and the errors of their slopes."""

from __future__ import annotations

import math

import numpy as np

from murmurate.measures.estimate import Estimate

NONE = Estimate(math.nan, math.nan, 0.0, "fit", short=True)


def slope(x: np.ndarray, y: np.ndarray) -> Estimate:
    """The slope of the line of least squares of y over x, (n,) each, and its standard error from
    what is left over; nan below three points or where all x are alike."""
    n = len(x)
    if n < 3 or np.ptp(x) == 0.0:
        return NONE
    dx, dy = x - x.mean(), y - y.mean()
    square = float((dx * dx).sum())
    steep = float((dx * dy).sum()) / square
    left = float(((dy - steep * dx) ** 2).sum())
    error = math.sqrt(left / (n - 2) / square)
    return Estimate(steep, error, float(n), "fit", short=n < 8, freedom=n - 2.0)


SURE = 0.9973  # three sigmas: one over what may be 0 may be anything, and no error bounds it


def inverse_slope(x: np.ndarray, y: np.ndarray) -> Estimate:
    """One over the slope; nan where 0 lies within the interval of the slope at `SURE`, by Student's
    t: within 3 standard errors of many points, 19 of four."""
    found = slope(x, y)
    if not found.interval(SURE)[0] > 0.0:
        return NONE
    error = found.error / found.value**2
    return Estimate(1.0 / found.value, error, found.independent, "fit", found.short, found.freedom)
