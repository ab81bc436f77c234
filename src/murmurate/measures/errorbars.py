"""Error bars: autocorrelation times, the mean of one run, means over seeds, fitted slopes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Literal, SupportsFloat

import numpy as np

from murmurate.errors import MeasureError
from murmurate.measures.estimate import Estimate

How = Literal["autocorrelation", "blocking"]
WINDOW = 6.0  # the sum over lags ends after this many correlation times
MIN_TIMES = 50.0  # a series below this many autocorrelation times is too short
MIN_RUNS = 8  # fewer independent runs or blocks than this determine no spread
CERTAIN = 0.9973  # confidence at which a slope must exclude 0 before it is inverted: three sigmas
NO_FIT = Estimate(math.nan, math.nan, 0.0, "fit", short=True)


def autocorrelation(series: np.ndarray) -> np.ndarray:
    """Return the autocorrelation of a series at every lag.

    rho(t) = <(x_s - m)(x_s+t - m)>_s / <(x_s - m)^2>_s, with m the mean of the series.

    Parameters
    ----------
    series : array_like of shape (n,)
        Numbers at equal intervals. Pairs with a nan are left out.

    Returns
    -------
    ndarray of shape (n,)
        rho for lags t = 0 to n - 1 (no unit), rho(0) = 1. nan for lags without a pair, and
        everywhere for a constant series.

    Notes
    -----
    Subtracting the series' own mean lowers every rho by about tau / n. Late lags rest on few pairs,
    and the last ones are meaningless. Cost: O(n log n).
    """
    return _autocorrelation_and_pairs(series)[0]


def autocorrelation_time(series: np.ndarray) -> Estimate:
    """Return the integrated autocorrelation time of a series, in steps of the series.

    tau = 1 + 2 sum_t>0 rho(t): n / tau of the n values are independent.

    Parameters
    ----------
    series : array_like of shape (n,)
        Numbers at equal intervals; nan for missing ones. A series with gaps has more independent
        values than n / tau, since its remaining values lie farther apart.

    Returns
    -------
    Estimate
        nan for fewer than 2 values, or equal ones. `short` below 50 tau values: tau is then
        underestimated rather than overestimated.

    Notes
    -----
    The sum ends at the first lag M >= 6 * tau(M) / 2 (a self-consistent window). The standard error
    is tau * sqrt((4 M + 2) / n). A series x_t+1 = a x_t + noise has tau = (1 + a) / (1 - a).

    Source: Madras & Sokal 1988, doi:10.1007/BF01022990 (window and error; their tau is half of
    this one).
    """
    tau, window, independent = integrate_autocorrelation(series)
    n = int(np.isfinite(np.asarray(series, dtype=np.float64)).sum())
    if not np.isfinite(tau):
        return Estimate(np.nan, np.nan, 0.0, "autocorrelation", short=True)
    error = tau * np.sqrt((4 * window + 2) / n)
    short = independent < MIN_TIMES
    freedom = max(1.0, n / (2.0 * window + 1.0))
    return Estimate(tau, float(error), independent, "autocorrelation", short, freedom)


def integrate_autocorrelation(series: np.ndarray) -> tuple[float, int, float]:
    """Return tau, the lag at which its sum ends, and the number of independent values.

    (nan, 0, 0) for a series without a tau. tau is at least 1, and there are never more independent
    values than values: an oscillating series gets no credit for more than it has.

    Without gaps n / tau values are independent. With gaps each lag counts by its number of pairs:
    1 + 2 sum rho(t) w(t) replaces tau, with w the fraction of a lag's pairs that exist over the
    fraction of values that exist.
    """
    rho, pairs = _autocorrelation_and_pairs(series)
    if len(rho) < 2 or not np.isfinite(rho[0]):
        return np.nan, 0, 0.0
    rho = np.nan_to_num(rho)
    sums = 2.0 * np.cumsum(rho) - 1.0
    inside = np.arange(len(rho)) < WINDOW * np.maximum(sums, 1.0) / 2.0
    end = len(rho) - 1 if inside.all() else int(np.argmin(inside))
    coverage = pairs / np.arange(len(rho), 0, -1)  # w, times the fraction of values that exist
    tau = 2.0 * float((rho * coverage)[: end + 1].sum()) / coverage[0] - 1.0
    return max(float(sums[end]), 1.0), end, float(pairs[0]) / max(tau, 1.0)


def _autocorrelation_and_pairs(series: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) rho(t), and (n,) the number of pairs at each lag."""
    series = np.asarray(series, dtype=np.float64)
    finite = np.isfinite(series)
    rho = np.full(len(series), np.nan)
    if not finite.any():
        return rho, np.zeros(len(series))
    pairs = np.round(_lagged_products(finite.astype(np.float64)))
    deviations = np.where(finite, series - series[finite].mean(), 0.0)
    if deviations.any():
        np.divide(_lagged_products(deviations), pairs, out=rho, where=pairs > 0)
        rho /= rho[0]
    return rho, pairs


def _lagged_products(x: np.ndarray) -> np.ndarray:
    """Return (n,) the sum over s of x_s x_s+t for every lag t, by Fourier transform."""
    padded = 1 << (2 * len(x) - 1).bit_length()
    spectrum = np.fft.rfft(x, padded)
    return np.fft.irfft(spectrum * spectrum.conj(), padded)[: len(x)]


def mean_and_error(series: np.ndarray, method: How = "autocorrelation") -> Estimate:
    """Return the mean of one run's series with its standard error.

    Parameters
    ----------
    series : array_like of shape (n,)
        Numbers at equal intervals of time; nan values are left out. Remove the transient before the
        steady state first.
    method : {'autocorrelation', 'blocking'}
        Method, see Notes.

    Returns
    -------
    Estimate
        `short` if n < 50 tau, or if no block is long enough: the error may then be far too small,
        since a series shorter than its own memory cannot reveal it. One value has error nan; equal
        values have error 0, `short` below 50 of them.

    Raises
    ------
    MeasureError
        For an unknown method.

    Notes
    -----
    Successive values of a run are correlated, so the textbook error s / sqrt(n) is too small.

    'autocorrelation': error = s sqrt(tau / n), with tau of `autocorrelation_time`. Gaps separate
    values, so tau is that of the remaining ones.

    'blocking': neighbours are averaged in pairs, repeatedly, until the error of the mean stops
    growing. The first block length b with b^3 > 2 n (e_b / e_1)^4 counts, with e_b the textbook
    error of blocks of b.

    The error is itself uncertain. Its `freedom` is n / (2 M + 1) by autocorrelation, at most n - 1,
    with M the lag at which the sum for tau ends. (The relative variance of tau is 2 (2 M + 1) / n,
    that of a variance with f degrees of freedom 2 / f.) By blocking it is the number of blocks - 1.

    Source: Flyvbjerg & Petersen 1989, doi:10.1063/1.457480 (blocking); Madras & Sokal 1988,
    doi:10.1007/BF01022990 (windowed tau); Lee et al. 2011, doi:10.1103/PhysRevE.83.066706 (choice
    of the block length).
    """
    series = np.asarray(series, dtype=np.float64).ravel()
    values = series[np.isfinite(series)]
    n = len(values)
    if method not in ("autocorrelation", "blocking"):
        raise MeasureError(f"method: got {method!r}; expected 'autocorrelation' or 'blocking'")
    if n < 2:
        return Estimate(float(values.mean()) if n else np.nan, np.nan, float(n), method, short=True)
    mean = float(values.mean())
    if (values == values[0]).all():
        return Estimate(mean, 0.0, float(n), method, short=n < MIN_TIMES, freedom=n - 1.0)
    if method == "blocking":
        return _block(values, mean)
    _, window, effective = integrate_autocorrelation(series)
    independent = max(effective, 1.0)
    variance = values.var() * n / max(n - n / effective, 1.0)
    error = float(np.sqrt(variance / independent))
    freedom = max(1.0, min(n - 1.0, n / (2.0 * window + 1.0)))
    return Estimate(mean, error, independent, method, short=effective < MIN_TIMES, freedom=freedom)


def _block(series: np.ndarray, mean: float) -> Estimate:
    """Return `mean` with the error by blocking; see `mean_and_error`."""
    n = len(series)
    first = float(np.sqrt(series.var(ddof=1) / n))
    blocks, length, error = series, 1, first
    while length**3 <= 2 * n * (error / first) ** 4:
        if len(blocks) < 2 * MIN_RUNS:
            independent = (first / error) ** 2 * n if error else float(n)
            freedom = len(blocks) - 1.0
            return Estimate(mean, error, independent, "blocking", short=True, freedom=freedom)
        even = len(blocks) // 2 * 2
        blocks = (blocks[0:even:2] + blocks[1:even:2]) / 2
        length *= 2
        error = max(error, float(np.sqrt(blocks.var(ddof=1) / len(blocks))))
    independent = (first / error) ** 2 * n
    return Estimate(mean, error, independent, "blocking", freedom=len(blocks) - 1.0)


def over_seeds(values: Iterable[SupportsFloat]) -> Estimate:
    """Return the mean over independent runs with its standard error s / sqrt(n).

    Parameters
    ----------
    values : array_like of shape (n,)
        One number or Estimate per run. nan, for a run without a value, is left out.

    Returns
    -------
    Estimate
        With n - 1 degrees of freedom, so its `interval` uses Student's t. `short` below 8 runs:
        the error itself is then uncertain by a quarter or more.
    """
    numbers = np.array([float(value) for value in values], dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    n = len(numbers)
    mean = float(numbers.mean()) if n else np.nan
    error = float(numbers.std(ddof=1) / np.sqrt(n)) if n > 1 else np.nan
    return Estimate(mean, error, float(n), "seeds", short=n < MIN_RUNS, freedom=n - 1.0)


def jackknife(series: np.ndarray, statistic: Callable[[np.ndarray], float]) -> Estimate:
    """Return a statistic of a run's series with its error by a jackknife over blocks.

    series  (n,) numbers at equal intervals; nan values are left out
    statistic  maps (m,) numbers to one number, which need not be a mean
    returns  blocks are at least two autocorrelation times long; there are at most 64. `short` below
        8 blocks or 50 autocorrelation times.
    """
    series = np.asarray(series, dtype=np.float64).ravel()
    _, _, independent = integrate_autocorrelation(series)
    series = series[np.isfinite(series)]
    n = len(series)
    value = float(statistic(series)) if n else np.nan
    if not independent:
        error = 0.0 if n > 1 else np.nan
        return Estimate(value, error, float(n), "blocking", short=n < MIN_TIMES, freedom=n - 1.0)
    blocks = int(min(64, n // 2, independent / 2))
    if blocks < 2:
        return Estimate(value, np.nan, independent, "blocking", short=True)
    parts = np.array_split(np.arange(n), blocks)
    without = np.array([statistic(np.delete(series, part)) for part in parts], dtype=np.float64)
    error = float(np.sqrt((blocks - 1) * without.var()))
    short = blocks < MIN_RUNS or independent < MIN_TIMES
    return Estimate(value, error, independent, "blocking", short=short, freedom=blocks - 1.0)


def count_events(events: int) -> Estimate:
    """Return a number of rare events as an Estimate.

    Its error is the square root (Poisson), and at least 1. Its `interval` is Garwood's, which is
    not a multiple of the error.
    """
    return Estimate(float(events), float(np.sqrt(max(events, 1))), float(events), "counting")


def estimate_rate(events: int, time: float) -> Estimate:
    """Return the rate of rare events as an Estimate: their number over the time, above 0.

    Its error and `interval` are those of `count_events` over the time.
    """
    error = float(np.sqrt(max(events, 1))) / time
    return Estimate(events / time, error, float(events), "rate")


def fit_slope(x: np.ndarray, y: np.ndarray) -> Estimate:
    """Return the slope of the least-squares line through (n,) points, with its standard error.

    nan below three points, or where all x are equal. The error comes from the residuals.
    scipy.stats.linregress takes it from 1 - r^2, which rounds to noise for points near a line.
    """
    n = len(x)
    if n < 3 or np.ptp(x) == 0.0:
        return NO_FIT
    dx, dy = x - x.mean(), y - y.mean()
    square = float((dx * dx).sum())
    slope = float((dx * dy).sum()) / square
    residual = float(((dy - slope * dx) ** 2).sum())
    error = math.sqrt(residual / (n - 2) / square)
    return Estimate(slope, error, float(n), "fit", short=n < MIN_RUNS, freedom=n - 2.0)


def fit_inverse_slope(x: np.ndarray, y: np.ndarray) -> Estimate:
    """Return 1 / slope of the least-squares line through (n,) points, with its standard error.

    nan if the slope's 99.73% interval by Student's t reaches 0 or below: the inverse of a number
    that may be 0 has no bounded error. That interval is 3 standard errors for many points, 19 for
    four.
    """
    slope = fit_slope(x, y)
    if not slope.interval(CERTAIN)[0] > 0.0:
        return NO_FIT
    error = slope.error / slope.value**2
    return Estimate(1.0 / slope.value, error, slope.independent, "fit", slope.short, slope.freedom)
