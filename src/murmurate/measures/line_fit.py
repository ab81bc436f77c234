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
    return Estimate(steep, math.sqrt(left / (n - 2) / square), float(n), "fit", short=n < 8)


SURE = 3.0  # standard errors: one over what may be 0 may be anything, and no error bounds it


def inverse_slope(x: np.ndarray, y: np.ndarray) -> Estimate:
    """One over the slope; nan where it is not above `SURE` of its standard errors."""
    found = slope(x, y)
    if not found.value > SURE * found.error:
        return NONE
    error = found.error / found.value**2
    return Estimate(1.0 / found.value, error, found.independent, "fit", found.short)
