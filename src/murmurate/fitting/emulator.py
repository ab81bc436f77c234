"""Emulator: mean and covariance of summaries over all settings, learned from the runs of some.

Each summary has a Gaussian process for its mean over runs, and one for the logarithm of the
variance between runs, which may differ over the settings (Goldberg et al. 1997, Kersting et al.
2007). Correlations between summaries are those of the standardised residuals, shrunk as Ledoit and
Wolf do, and the same for all settings. Settings are quantiles of the prior, between 0 and 1.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

MAX_RUNS = 1500  # that an emulator learns from; the cost grows with the cube
MAX_TUNING_RUNS = 300  # from which its length scales are found
LOG_CHI = -1.2703628454614782  # mean of the logarithm of a chi-squared with one degree of freedom
VAR_LOG_CHI = math.pi**2 / 2  # and its variance
SMALLEST = 1e-12  # variance in units of the variance over all runs: less is rounding
JITTER = 1e-10  # relative variance that keeps matrices invertible
NEAREST = 10  # runs that tell the probability of a run without a value


@dataclass(frozen=True)
class Prediction:
    """Predicted results of runs at p settings, for m summaries.

    mean  (p, m) mean over runs
    between  (p, m) variance between runs of one setting
    unknown  (p, m) variance of `mean`, because few runs are near
    valued  (p,) probability that a run gives a value of every measure
    """

    mean: np.ndarray
    between: np.ndarray
    unknown: np.ndarray
    valued: np.ndarray


class Emulator:
    """Mean and covariance of summaries at any setting.

    Source: Wood 2010, doi:10.1038/nature09319 (a Gaussian likelihood of summary statistics);
    Wilkinson 2014, arXiv:1401.1436 (emulated); Ledoit & Wolf 2004,
    doi:10.1016/S0047-259X(03)00096-4.

    settings  (n, D) settings of the runs, as quantiles of the prior
    values  (n, m) summaries of the runs. nan for a run without values
    correlation  (m, m) correlations between the summaries of runs of one setting
    residuals  (n, m) standardised residual of each run with values, if it is left out
    """

    def __init__(self, settings: np.ndarray, values: np.ndarray) -> None:
        from sklearn.covariance import ledoit_wolf

        self._all, self._valued = settings, np.isfinite(values).all(axis=1)
        rows = np.flatnonzero(self._valued)
        if len(rows) > MAX_RUNS:
            rows = rows[np.linspace(0, len(rows) - 1, MAX_RUNS).astype(int)]
        x = settings[rows]
        self._summaries = [_Summary(x, y) for y in values[rows].T]
        self.residuals = np.column_stack([summary.residuals for summary in self._summaries])
        covariance = np.atleast_2d(ledoit_wolf(self.residuals, assume_centered=True)[0])
        scale = np.sqrt(np.diag(covariance))
        self.correlation = covariance / np.outer(scale, scale)

    def predict(self, settings: np.ndarray) -> Prediction:
        """Return the predicted results of runs at (p, D) settings."""
        columns = [summary.predict(settings) for summary in self._summaries]
        mean, between, unknown = (np.column_stack(part) for part in zip(*columns, strict=True))
        return Prediction(mean, between, unknown, self._probability(settings))

    def _probability(self, settings: np.ndarray) -> np.ndarray:
        if self._valued.all():
            return np.ones(len(settings))
        from scipy.spatial import cKDTree

        k = min(NEAREST, len(self._all))
        _, nearest = cKDTree(self._all).query(settings, k=k)
        return (self._valued[nearest.reshape(len(settings), k)].sum(axis=1) + 0.5) / (k + 1.0)


class _Summary:
    """The emulator of one summary, in units of its standard deviation over all runs."""

    def __init__(self, x: np.ndarray, values: np.ndarray) -> None:
        self.centre = float(values.mean())
        self.scale = max(float(values.std()), 1e-9 * abs(self.centre), 1e-150)
        y = (values - self.centre) / self.scale
        kernel, noise = _tune(x, y)
        variance = np.full(len(x), max(noise, SMALLEST))
        for _ in range(2):
            residuals, left_out = _leave_one_out(kernel, variance, x, y)
            self.between = _LogVariance(x, residuals**2 * variance / left_out)
            variance = self.between.predict(x)
            kernel, _ = _tune(x, y, variance)
        self.mean = _fitted(kernel, x, y, variance)
        residuals, left_out = _leave_one_out(kernel, variance, x, y)
        self.residuals = residuals / np.sqrt(left_out)

    def predict(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return mean, variance between runs, and variance of the mean."""
        mean, error = self.mean.predict(x, return_std=True)
        square = self.scale**2
        between = square * self.between.predict(x)
        return self.centre + self.scale * mean, between, square * error**2


class _LogVariance:
    """A variance that depends on the setting: a Gaussian process of its logarithm.

    x  (n, D) settings
    squares  (n,) squared deviations, which are chi-squared with one degree of freedom
    """

    def __init__(self, x: np.ndarray, squares: np.ndarray) -> None:
        floor = max(1e-8 * float(np.mean(squares)), SMALLEST)
        logs = np.log(np.maximum(squares, floor)) - LOG_CHI
        self.level, noise = float(logs.mean()), np.full(len(x), VAR_LOG_CHI)
        kernel, _ = _tune(x, logs - self.level, noise)
        self.process = _fitted(kernel, x, logs - self.level, noise)

    def predict(self, x: np.ndarray) -> np.ndarray:
        """Return the variance at (p, D) settings."""
        variance: np.ndarray = np.exp(self.process.predict(x) + self.level)
        return np.maximum(variance, SMALLEST)


def _tune(x: np.ndarray, y: np.ndarray, noise: np.ndarray | None = None) -> tuple[Any, float]:
    """Return the kernel of a Gaussian process for these runs, and the variance of their noise.

    `noise` is the variance of each value; without it, one for all is fitted. Many runs are thinned
    out first.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    rows = np.arange(len(x))
    if len(x) > MAX_TUNING_RUNS:
        rows = np.linspace(0, len(x) - 1, MAX_TUNING_RUNS).astype(int)
    scales = np.full(x.shape[1], 0.5)
    kernel = ConstantKernel(1.0, (1e-3, 1e3)) * Matern(scales, (0.05, 20.0), nu=2.5)
    if noise is None:
        process = GaussianProcessRegressor(kernel + WhiteKernel(0.1, (1e-8, 10.0)))
    else:
        process = GaussianProcessRegressor(kernel, alpha=noise[rows] + JITTER)
    with warnings.catch_warnings():  # a length scale at its bound: the number has no effect
        warnings.simplefilter("ignore", ConvergenceWarning)
        process.fit(x[rows], y[rows])
    if noise is None:
        return process.kernel_.k1, float(process.kernel_.k2.noise_level)
    return process.kernel_, 0.0


def _fitted(kernel: Any, x: np.ndarray, y: np.ndarray, noise: np.ndarray) -> Any:
    """Return a Gaussian process with this kernel, given all runs."""
    from sklearn.gaussian_process import GaussianProcessRegressor

    return GaussianProcessRegressor(kernel, alpha=noise + JITTER, optimizer=None).fit(x, y)


def _leave_one_out(
    kernel: Any, noise: np.ndarray, x: np.ndarray, y: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the residual of each run if it is left out, and the variance of that residual.

    Source: Rasmussen & Williams 2006, Gaussian Processes for Machine Learning, equation 5.12.
    """
    covariance = kernel(x)
    covariance[np.diag_indices(len(x))] += noise + JITTER
    inverse = np.linalg.inv(covariance)
    variance = 1.0 / np.diag(inverse)
    return (inverse @ y) * variance, variance
