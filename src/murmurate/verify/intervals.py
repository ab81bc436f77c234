"""Intervals: where the mean, or the share, of all flights lies, as far as a few of them tell."""

from __future__ import annotations

import math

import numpy as np

from murmurate.measures.estimate import clopper_pearson, t_factor

__all__ = ["clopper_pearson", "standard_error", "student"]


def student(values: np.ndarray, doubt: float) -> tuple[float, float]:
    """The interval around the mean of values of independent flights that misses the mean of all
    flights with a probability of `doubt`, by Student's t.

    values  (n,) finite numbers, one a flight; below two of them the interval is endless
    The values should be spread like a bell, or the mean of n of them nearly so.

    Source: Student 1908, doi:10.1093/biomet/6.1.1.
    """
    n = len(values)
    if n < 2:
        return -math.inf, math.inf
    mean = float(values.mean())
    reach = t_factor(n - 1, doubt) * standard_error(values)
    return mean - reach, mean + reach


def standard_error(values: np.ndarray) -> float:
    """s / sqrt(n) of the mean of (n,) independent values; nan below two."""
    n = len(values)
    return float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
