"""Intervals: where the mean, or the share, of all flights lies, as far as a few of them tell."""

from __future__ import annotations

import math

import numpy as np


def student(values: np.ndarray, doubt: float) -> tuple[float, float]:
    """The interval around the mean of values of independent flights that misses the mean of all
    flights with a probability of `doubt`, by Student's t.

    values  (n,) finite numbers, one a flight; below two of them the interval is endless
    The values should be spread like a bell, or the mean of n of them nearly so.

    Source: Student 1908, doi:10.1093/biomet/6.1.1.
    """
    from scipy.special import stdtrit

    n = len(values)
    if n < 2:
        return -math.inf, math.inf
    mean = float(values.mean())
    reach = float(stdtrit(n - 1, 1.0 - doubt / 2)) * standard_error(values)
    return mean - reach, mean + reach


def clopper_pearson(hits: int, n: int, doubt: float) -> tuple[float, float]:
    """The interval for the share of all flights of a kind, of which there were `hits` among n, that
    misses it with a probability of at most `doubt`.

    Source: Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404.
    """
    from scipy.special import betaincinv

    low = float(betaincinv(hits, n - hits + 1, doubt / 2)) if hits > 0 else 0.0
    high = float(betaincinv(hits + 1, n - hits, 1.0 - doubt / 2)) if hits < n else 1.0
    return low, high


def standard_error(values: np.ndarray) -> float:
    """s / sqrt(n) of the mean of (n,) independent values; nan below two."""
    n = len(values)
    return float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
