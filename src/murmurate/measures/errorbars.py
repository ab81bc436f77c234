"""Error bars: of the mean of one run, whose values are correlated, and over seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from murmurate.measures.autocorrelation import ENOUGH, window_sum
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import MeasureError

How = Literal["autocorrelation", "blocking"]
FEW = 8  # fewer independent runs or blocks than this say little about their spread


def mean_and_error(series: np.ndarray, how: How = "autocorrelation") -> Estimate:
    """The mean of one run's series and its standard error.

    Neighbouring values of a run are alike, so the textbook s / sqrt(n) is too small.
    'autocorrelation': error = s sqrt(tau / n) with tau of `autocorrelation_time`; with gaps, which
    set values apart, of the values that are left.
    'blocking': neighbours are averaged in pairs, again and again, until the error of the mean no
    longer grows: the first block length b with b^3 > 2 n (e_b / e_1)^4 counts, e_b being the
    textbook error of blocks of b.

    series  (n,) numbers at equal intervals of time; nan where there was none, which is left out.
            Cut off the start yourself, while the flock is not steady.
    Returns an Estimate. `short` where n < 50 tau, or where no block is long enough: the error may
    then be far too small, since a series that is shorter than its own memory cannot know it. One
    value has error nan; equal values have error 0, `short` below 50 of them.

    The error is itself uncertain: its `freedom` is n / (2 M + 1) by autocorrelation, M the lag at
    which the sum for tau ends (the relative variance of tau is 2 (2 M + 1) / n, that of a variance
    of f degrees of freedom 2 / f), at most n - 1; by blocking one less than the blocks.

    Source: Flyvbjerg & Petersen 1989, doi:10.1063/1.457480 (blocking); Madras & Sokal 1988,
    doi:10.1007/BF01022990 (windowed tau); Lee et al. 2011, doi:10.1103/PhysRevE.83.066706 (which
    block length).
    """
    series = np.asarray(series, dtype=np.float64).ravel()
    known = series[np.isfinite(series)]
    n = len(known)
    if how not in ("autocorrelation", "blocking"):
        raise MeasureError(f"how is {how!r}: it must be 'autocorrelation' or 'blocking'")
    if n < 2:
        return Estimate(float(known.mean()) if n else np.nan, np.nan, float(n), how, short=True)
    mean = float(known.mean())
    if (known == known[0]).all():
        return Estimate(mean, 0.0, float(n), how, short=n < ENOUGH, freedom=n - 1.0)
    if how == "blocking":
        return _blocking(known, mean)
    _, window, found = window_sum(series)
    independent = max(found, 1.0)
    spread = known.var() * n / max(n - n / found, 1.0)
    error = float(np.sqrt(spread / independent))
    freedom = max(1.0, min(n - 1.0, n / (2.0 * window + 1.0)))
    return Estimate(mean, error, independent, how, short=found < ENOUGH, freedom=freedom)


def over_seeds(values: np.ndarray) -> Estimate:
    """The mean over runs that differ in their seeds, and its standard error s / sqrt(n), with n - 1
    degrees of freedom: `interval` of it is by Student's t.

    values  (n,) one number a run, or Estimates; nan (a run without the number) is left out
    `short` below 8 runs: the error itself is then uncertain by a quarter or more.
    """
    numbers = np.array([float(value) for value in values], dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    n = len(numbers)
    mean = float(numbers.mean()) if n else np.nan
    error = float(numbers.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    return Estimate(mean, error, float(n), "seeds", short=n < FEW, freedom=n - 1.0)


def jackknife(series: np.ndarray, statistic: Callable[[np.ndarray], float]) -> Estimate:
    """A statistic of a run's series that is no mean, with the error over blocks left out in turn.

    statistic  takes (m,) numbers and gives one
    Blocks are two autocorrelation times or longer, at most 64 of them; `short` below 8 blocks, and
    below 50 autocorrelation times.
    """
    series = np.asarray(series, dtype=np.float64).ravel()
    _, _, independent = window_sum(series)
    series = series[np.isfinite(series)]
    n = len(series)
    value = float(statistic(series)) if n else np.nan
    if not independent:
        still = 0.0 if n > 1 else np.nan
        return Estimate(value, still, float(n), "blocking", short=n < ENOUGH, freedom=n - 1.0)
    blocks = int(min(64, n // 2, independent / 2))
    if blocks < 2:
        return Estimate(value, np.nan, independent, "blocking", short=True)
    parts = np.array_split(np.arange(n), blocks)
    without = np.array([statistic(np.delete(series, part)) for part in parts], dtype=np.float64)
    error = float(np.sqrt((blocks - 1) * without.var()))
    few = blocks < FEW or independent < ENOUGH
    return Estimate(value, error, independent, "blocking", short=few, freedom=blocks - 1.0)


def counted(events: int) -> Estimate:
    """A number of rare events; its error is the square root of it (Poisson), and at least 1. Its
    `interval` is Garwood's, which is no multiple of that."""
    return Estimate(float(events), float(np.sqrt(max(events, 1))), float(events), "counting")


def _blocking(series: np.ndarray, mean: float) -> Estimate:
    n = len(series)
    first = float(np.sqrt(series.var(ddof=1) / n))
    blocks, length, error = series, 1, first
    while length**3 <= 2 * n * (error / first) ** 4:
        if len(blocks) < 2 * FEW:
            independent = (first / error) ** 2 * n if error else float(n)
            freedom = len(blocks) - 1.0
            return Estimate(mean, error, independent, "blocking", short=True, freedom=freedom)
        even = len(blocks) // 2 * 2
        blocks = (blocks[0:even:2] + blocks[1:even:2]) / 2
        length *= 2
        error = max(error, float(np.sqrt(blocks.var(ddof=1) / len(blocks))))
    independent = (first / error) ** 2 * n
    return Estimate(mean, error, independent, "blocking", freedom=len(blocks) - 1.0)
