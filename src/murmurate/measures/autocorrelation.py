"""Autocorrelation: how long a series remembers, and so how many of its values are independent."""

from __future__ import annotations

import numpy as np

from murmurate.measures.estimate import Estimate

WINDOW = 6.0  # the sum over lags ends at this many correlation times
ENOUGH = 50.0  # a series shorter than this many autocorrelation times is too short to say


def autocorrelation(series: np.ndarray) -> np.ndarray:
    """rho(t) = <(x_s - m)(x_s+t - m)>_s / <(x_s - m)^2>_s for lags t = 0 to n - 1, with m the mean.

    series  (n,) numbers at equal intervals; nan where nothing was measured: such pairs are left out
    Returns (n,) numbers (no unit), rho(0) = 1; nan for lags without a pair, and everywhere for a
    series of equal values. Cost: O(n log n).

    Subtracting the series' own mean lowers every rho by about tau / n. Late lags stand on few
    pairs: the last ones say nothing.
    """
    return _with_pairs(series)[0]


def autocorrelation_time(series: np.ndarray) -> Estimate:
    """tau = 1 + 2 sum_t>0 rho(t), in steps of the series: n / tau of its values are independent.

    The sum ends at the first lag M >= 6 * tau(M) / 2 (a self-consistent window). Its standard error
    is tau * sqrt((4 M + 2) / n). A series of x_t+1 = a x_t + noise has (1 + a) / (1 - a).

    series  (n,) numbers at equal intervals, nan where there are none: such a series has more
            independent values than n / tau, since those that are left lie farther apart
    Returns an Estimate; nan where fewer than 2 values are known, or all are equal. `short` where
    there are fewer than 50 tau values: tau is then too small, rather than too large.

    Source: Madras & Sokal 1988, doi:10.1007/BF01022990 (window and error; there tau is half of
    ours).
    """
    tau, window, independent = window_sum(series)
    n = int(np.isfinite(np.asarray(series, dtype=np.float64)).sum())
    if not np.isfinite(tau):
        return Estimate(np.nan, np.nan, 0.0, "autocorrelation", short=True)
    error = tau * np.sqrt((4 * window + 2) / n)
    short = independent < ENOUGH
    freedom = max(1.0, n / (2.0 * window + 1.0))
    return Estimate(tau, float(error), independent, "autocorrelation", short, freedom)


def window_sum(series: np.ndarray) -> tuple[float, int, float]:
    """tau, the lag at which its sum ended, and how many values are independent; (nan, 0, 0) where
    there is no tau. tau is never below 1, nor are there more independent values than values: a
    series that swings to and fro is not credited with more than it has.

    Without gaps n / tau values are independent. With gaps, each lag counts as often as there are
    pairs for it: 1 + 2 sum rho(t) w(t) stands for tau, w the share of a lag's pairs
    that is there by the share of values that is.
    """
    rho, pairs = _with_pairs(series)
    if len(rho) < 2 or not np.isfinite(rho[0]):
        return np.nan, 0, 0.0
    rho = np.nan_to_num(rho)
    sums = 2.0 * np.cumsum(rho) - 1.0
    inside = np.arange(len(rho)) < WINDOW * np.maximum(sums, 1.0) / 2.0
    end = len(rho) - 1 if inside.all() else int(np.argmin(inside))
    there = pairs / np.arange(len(rho), 0, -1)  # w, times the share of values
    seen = 2.0 * float((rho * there)[: end + 1].sum()) / there[0] - 1.0
    return max(float(sums[end]), 1.0), end, float(pairs[0]) / max(seen, 1.0)


def _with_pairs(series: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """rho(t), and on how many pairs of values each lag stands: (n,) each."""
    series = np.asarray(series, dtype=np.float64)
    known = np.isfinite(series)
    rho = np.full(len(series), np.nan)
    if not known.any():
        return rho, np.zeros(len(series))
    pairs = np.round(_products(known.astype(np.float64)))
    away = np.where(known, series - series[known].mean(), 0.0)
    if away.any():
        np.divide(_products(away), pairs, out=rho, where=pairs > 0)
        rho /= rho[0]
    return rho, pairs


def _products(x: np.ndarray) -> np.ndarray:
    """(n,) sum over s of x_s x_s+t for every lag t, by Fourier transform."""
    room = 1 << (2 * len(x) - 1).bit_length()
    spectrum = np.fft.rfft(x, room)
    found: np.ndarray = np.fft.irfft(spectrum * spectrum.conj(), room)[: len(x)]
    return found
