"""Likelihood of the data: a Gaussian of their summaries, with mean and covariance of the runs.

A setting stands for the data: the mean of each measure over its runs is distributed as that of the
data, if the model is right. Data that are less precise than a run are imitated by noise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from murmurate.errors import FitError
from murmurate.fitting.emulator import Emulator, Prediction
from murmurate.fitting.summaries import Summaries
from murmurate.measures.estimate import t_factor

MIN_VALUED = 8  # settings that need a value of every measure


@dataclass(frozen=True)
class Data:
    """The measures of the data, in a fixed order.

    Attributes
    ----------
    names : tuple of str
        Measures.
    values, errors : (m,) ndarray
        Values, and standard errors that are as wide as Student's t; inf for an unknown error.
    tolerance : float
        Standard deviation of what no setting of the model is expected to reproduce, as a part of
        each value.
    """

    names: tuple[str, ...]
    values: np.ndarray
    errors: np.ndarray
    tolerance: float = 0.0

    def imitate(self, values: np.ndarray, errors: np.ndarray, seed: int) -> np.ndarray:
        """Return measures of runs with the noise that data have and runs have not.

        Parameters
        ----------
        values, errors : (n, m) ndarray
            Measures of the runs, and their standard errors.
        seed : int
            Seed of the noise.
        """
        theirs = np.where(np.isfinite(self.errors), self.errors, 0.0)
        ours = np.where(np.isfinite(errors), errors, 0.0)
        missing = np.maximum(theirs**2 - ours**2, 0.0) + (self.tolerance * self.values) ** 2
        noise = np.random.default_rng(seed).normal(size=values.shape)
        result: np.ndarray = values + np.sqrt(missing) * noise
        return result

    def precision(self, errors: np.ndarray) -> np.ndarray:
        """Return how many runs the data are worth, by measure, from (n, m) errors of runs."""
        columns = [column[np.isfinite(column) & (column > 0.0)] for column in errors.T]
        ours = np.array([np.median(column) if len(column) else math.nan for column in columns])
        floor = np.maximum(self.tolerance * np.abs(self.values), 1e-150)
        worth = (ours / np.maximum(self.errors, floor)) ** 2
        result: np.ndarray = np.where(np.isnan(worth), 1.0, worth)
        return result


def make_data(
    target: Mapping[str, tuple[float, float]], freedom: Mapping[str, float], tolerance: float
) -> Data:
    """Return the data of a plan.

    An error of few degrees of freedom is widened, so that 1.96 errors are Student's interval.
    """
    values, errors = np.array(list(target.values()), dtype=float).T
    widening = [
        t_factor(max(freedom.get(name, math.inf), 1.0), 0.05) / t_factor(math.inf, 0.05)
        for name in target
    ]
    return Data(tuple(target), values, errors * widening, tolerance)


class Likelihood:
    """The likelihood of data at any setting, learned from the runs of some settings.

    Parameters
    ----------
    settings : (n, D) ndarray
        Settings as quantiles of the prior.
    values : (n, m) ndarray
        Measures of each setting, as the data have them (`Data.imitate`). nan for no value.

    Attributes
    ----------
    summaries : Summaries
        From measures to the expected numbers.
    emulator : Emulator
        Mean and covariance of the summaries.

    Raises
    ------
    FitError
        If hardly any setting has a value of every measure.

    Notes
    -----
    Source: Wood 2010, doi:10.1038/nature09319.
    """

    def __init__(self, settings: np.ndarray, values: np.ndarray) -> None:
        valued = np.isfinite(values).all(axis=1)
        if valued.sum() < MIN_VALUED:
            raise FitError(
                f"runs: got {valued.sum()} settings of {len(values)} with a value of every "
                f"measure; expected at least {MIN_VALUED}. Change the bounds or the measures"
            )
        self.summaries = Summaries(settings[valued], values[valued])
        of_runs = np.full((len(settings), self.summaries.of_runs.shape[1]), np.nan)
        of_runs[valued] = self.summaries.of_runs
        self.emulator = Emulator(settings, of_runs)

    def of(self, values: np.ndarray) -> LogLikelihood:
        """Return the likelihood of (m,) measures of data, to be called with settings."""
        return LogLikelihood(self.summaries(values[None])[0], self.emulator)


@dataclass(frozen=True)
class LogLikelihood:
    """The logarithm of the likelihood of data, from their summary."""

    summary: np.ndarray
    emulator: Emulator

    def __call__(self, settings: np.ndarray) -> np.ndarray:
        """Return the logarithm at (p, D) settings, quantiles of the prior."""
        return self.at(self.emulator.predict(settings))

    def at(self, runs: Prediction) -> np.ndarray:
        """Return the logarithm at settings of which the prediction is known."""
        spread = np.sqrt(runs.between)
        covariance = spread[:, :, None] * spread[:, None, :] * self.emulator.correlation
        diagonal = np.arange(len(self.summary))
        covariance[:, diagonal, diagonal] += runs.unknown + 1e-14
        root = np.linalg.cholesky(covariance)
        residuals = np.linalg.solve(root, (self.summary - runs.mean)[:, :, None])[:, :, 0]
        logs = np.log(root[:, diagonal, diagonal]).sum(axis=1)
        constant = 0.5 * len(self.summary) * math.log(2 * math.pi)
        result: np.ndarray = (
            -0.5 * (residuals**2).sum(axis=1) - logs - constant + np.log(runs.valued)
        )
        return result
