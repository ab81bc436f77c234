"""Scores of models on flocks that they were not fitted to, and their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from murmurate.errors import FitError
from murmurate.measures.estimate import t_factor

MIN_VALUED = 8  # runs with a value of every measure, beyond the number of measures
SMALLEST = 1e-9  # standard deviation of a measure, as a part of its value


def log_predictive(values: np.ndarray, observed: np.ndarray) -> float:
    """Return the logarithm of the predictive density of the measures of a flock.

    The density is Student's t with the mean and the covariance of the runs (Price et al. 2018,
    doi:10.1080/10618600.2017.1302882), which is wider than a Gaussian because the runs are few.
    Their correlations are shrunk (Ledoit & Wolf 2004, doi:10.1016/S0047-259X(03)00096-4). A run
    without values predicts that there are none.

    values  (n, m) measures of runs that predict the flock; nan for a run without a value
    observed  (m,) measures of the flock
    returns  larger is better. It is finite.
    raises FitError  if hardly any run has values
    """
    from scipy.stats import multivariate_t
    from sklearn.covariance import ledoit_wolf

    valued = values[np.isfinite(values).all(axis=1)]
    count, size = valued.shape
    if count < size + MIN_VALUED:
        raise FitError(
            f"runs: got {count} of {len(values)} with a value of every measure at draws of the "
            f"posterior; expected at least {size + MIN_VALUED}. Use other measures, or more "
            "predictions"
        )
    mean = valued.mean(axis=0)
    scale = np.maximum(valued.std(axis=0, ddof=1), SMALLEST * np.abs(mean) + 1e-150)
    shape = np.atleast_2d(ledoit_wolf((valued - mean) / scale, assume_centered=True)[0])
    freedom = count - size
    shape = shape * (count + 1.0) * (count - 1.0) / (count * freedom)
    density = multivariate_t(np.zeros(size), shape, df=freedom)
    log = float(density.logpdf((observed - mean) / scale)) - float(np.log(scale).sum())
    return log + math.log(count / len(values))


@dataclass(frozen=True, eq=False)
class ModelScore:
    """How well a model predicts flocks that it was not fitted to.

    paths  numbers that were fitted
    scores  (K,) logarithm of the predictive density of each flock. Larger is better.
    best_scores  (K,) the same for the best model
    """

    name: str
    paths: tuple[str, ...]
    scores: np.ndarray
    best_scores: np.ndarray

    @property
    def total(self) -> float:
        """Sum over the flocks."""
        return float(self.scores.sum())

    @property
    def error(self) -> float:
        """Standard error of `total`."""
        return _sum_error(self.scores)

    @property
    def difference(self) -> float:
        """`total` minus that of the best model: 0 or less."""
        return float((self.scores - self.best_scores).sum())

    @property
    def difference_error(self) -> float:
        """Standard error of `difference`, from the differences of each flock."""
        return _sum_error(self.scores - self.best_scores)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `difference`, by Student's t over the flocks."""
        half = t_factor(len(self.scores) - 1.0, 0.05) * self.difference_error
        return self.difference - half, self.difference + half

    @property
    def worse(self) -> bool:
        """True if the model predicts worse than the best one: the interval is below 0."""
        return self.interval[1] < 0.0


def _sum_error(values: np.ndarray) -> float:
    return float(math.sqrt(len(values)) * values.std(ddof=1))


def rank_models(
    scores: Sequence[tuple[str, tuple[str, ...], np.ndarray]],
) -> tuple[ModelScore, ...]:
    """Return the scores of models, best first, from (name, paths, (K,) scores) of each.

    Source: Vehtari, Gelman & Gabry 2017, doi:10.1007/s11222-016-9696-4.
    """
    ordered = sorted(scores, key=lambda item: float(item[2].sum()), reverse=True)
    return tuple(ModelScore(*item, ordered[0][2]) for item in ordered)
