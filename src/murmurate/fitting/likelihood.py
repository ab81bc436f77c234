"""Likelihood of the data: a Gaussian of their summaries, with mean and covariance of the runs.

A setting stands for the data: the mean of each measure over its runs is distributed as that of the
data, if the model is right. Runs are as long as the data, if their length is known. Data that are
given as numbers may be less precise than runs; noise makes up for the difference.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.errors import FitError
from murmurate.fitting.emulator import Emulator, Prediction

MIN_VALUED = 8  # settings that need a value of every measure
CERTAIN = 0.99  # confidence at which data must be less precise than runs before noise is added
NEAR = 0.1  # share of the runs, whose variance is compared with the error of the data
MAX_FREEDOM = 1e6  # an error with more degrees of freedom is exact


@dataclass(frozen=True)
class Data:
    """The measures of the data, in a fixed order.

    names  measures
    values, errors, freedom  (m,) values, standard errors, and degrees of freedom of the errors. An
        error is inf if it is unknown, or if runs are as long as the data and so as imprecise by
        themselves.
    tolerance  standard deviation of what no setting of the model is expected to reproduce, as a
        part of each value
    """

    names: tuple[str, ...]
    values: np.ndarray
    errors: np.ndarray
    freedom: np.ndarray
    tolerance: float = 0.0

    def variance(self, settings: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the (n, m) variance between runs of one setting, where the data have an error.

        settings  (n, D) settings of the runs, as quantiles of the prior
        values  (n, m) measures of the runs; nan for no value
        returns  nan for measures whose error is unknown, and for hardly any run with values
        """
        columns, result = np.isfinite(self.errors), np.full(values.shape, np.nan)
        if columns.any() and np.isfinite(values).all(axis=1).sum() >= MIN_VALUED:
            result[:, columns] = Emulator(settings, values[:, columns]).predict(settings).between
        return result

    def noise(self, values: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Return the (m,) variance that data have and runs have not, without the tolerance.

        It is the variance of the data minus that of runs that are near them. If an error has few
        degrees of freedom, its square varies as chi-squared does: it counts only if it exceeds the
        99% quantile of data that are as precise as runs.

        values, variance  (n, m) measures of the runs, and `variance` at their settings
        """
        from scipy.special import gammaincinv

        half = np.minimum(self.freedom, MAX_FREEDOM) / 2.0
        limits = np.where(self.freedom < MAX_FREEDOM, gammaincinv(half, CERTAIN) / half, 1.0)
        squares = np.where(np.isfinite(self.errors), self.errors, 0.0) ** 2
        runs = self._near(values, variance)
        return np.where(squares > limits * runs, squares - runs, 0.0)  # nan: no noise

    def imitate(self, values: np.ndarray, variance: np.ndarray, seed: int) -> np.ndarray:
        """Return (n, m) measures of runs with the `noise` that data have and runs have not."""
        missing = self.noise(values, variance) + (self.tolerance * self.values) ** 2
        noise = np.random.default_rng(seed).normal(size=values.shape)
        return values + np.sqrt(missing) * noise

    def worth(self, values: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Return how many runs the data are worth, by measure; nan if unknown. See `noise`."""
        floor = np.maximum(self.tolerance * np.abs(self.values), 1e-150)
        return self._near(values, variance) / np.maximum(self.errors, floor) ** 2

    def _near(self, values: np.ndarray, variance: np.ndarray) -> np.ndarray:
        """Return the (m,) variance between runs whose measure is near that of the data."""
        count = max(MIN_VALUED, round(NEAR * len(values)))
        nearest = np.argsort(np.abs(values - self.values), axis=0)[:count]
        return np.median(np.take_along_axis(variance, nearest, axis=0), axis=0)


class Likelihood:
    """The likelihood of data at any setting, learned from the runs of some settings.

    Source: Wood 2010, doi:10.1038/nature09319.

    settings  (n, D) settings as quantiles of the prior
    values  (n, m) measures of each setting, as the data have them (`Data.imitate`). nan for no
        value
    summaries  from measures to the expected numbers
    emulator  mean and covariance of the summaries
    raises FitError  if hardly any setting has a value of every measure
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
        return -0.5 * (residuals**2).sum(axis=1) - logs - constant + np.log(runs.valued)


# --- summaries
#
# Summaries: the mean of each number, as expected from the measures of a run.
#
# Measures of a flock are correlated, skewed and, where two states are stable, of two kinds. The
# expected numbers are as many as there are numbers, keep what the measures say about them, and are
# nearly Gaussian. Small neural networks learn them from the runs. Each run is summarised by
# networks that have not seen it, as the data are. No more measures than numbers are summaries
# themselves, on a normal scale.


FOLDS, REPEATS = 5, 4  # each of 20 networks learns from four fifths of the runs
UNITS = (30, 30)  # of a network
PENALTY = 0.03  # of its weights
ITERATIONS = 300


class Summaries:
    """The mean of each number given the measures, as 2 q - 1 for a quantile q of its prior.

    Source: Fearnhead & Prangle 2012, doi:10.1111/j.1467-9868.2011.01010.x (posterior means lose
    least of all summaries of this number); Jiang et al. 2017, doi:10.5705/ss.202015.0340 (learned
    by networks); Yeo & Johnson 2000, doi:10.1093/biomet/87.4.954 (scales).

    quantiles  (n, D) settings of the runs, as quantiles of the prior
    values  (n, m) measures of the runs
    of_runs  (n, D) summary of each run; (n, m) if there are no more measures than numbers
    """

    def __init__(self, quantiles: np.ndarray, values: np.ndarray) -> None:
        from sklearn.model_selection import KFold
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import PowerTransformer, StandardScaler

        count = len(values)
        self._transformer = make_pipeline(StandardScaler(), PowerTransformer())
        with warnings.catch_warnings():  # a measure that hardly varies stays as it is
            warnings.simplefilter("ignore")
            self._transformer.fit(values)
        self._networks: list[Any] = []
        inputs, outputs = self._inputs(values), 2.0 * quantiles - 1.0
        if inputs.shape[1] <= outputs.shape[1]:
            self.of_runs = inputs
            return
        self.of_runs = np.zeros(outputs.shape)
        for repeat in range(REPEATS):
            folds = KFold(min(FOLDS, count), shuffle=True, random_state=repeat)
            for training, others in folds.split(inputs):
                network = _learn(inputs[training], outputs[training], repeat)
                self.of_runs[others] += _outputs(network, inputs[others]) / REPEATS
                self._networks.append(network)

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Return the summaries of (k, m) measures, as `of_runs`."""
        inputs = self._inputs(values)
        if not self._networks:
            return inputs
        return np.mean([_outputs(net, inputs) for net in self._networks], axis=0)

    def _inputs(self, values: np.ndarray) -> np.ndarray:
        """Return measures on a scale on which they are nearly normal over all runs."""
        return self._transformer.transform(values)


def _learn(inputs: np.ndarray, outputs: np.ndarray, seed: int) -> Any:
    """Return a network that is fitted to (n, m) inputs and (n, D) outputs."""
    from sklearn.neural_network import MLPRegressor

    network = MLPRegressor(
        hidden_layer_sizes=UNITS, alpha=PENALTY, solver="lbfgs", max_iter=ITERATIONS,
        random_state=seed,
    )  # fmt: skip
    with warnings.catch_warnings():  # a network that is not fitted to the end is good enough
        warnings.simplefilter("ignore")
        return network.fit(inputs, outputs.ravel() if outputs.shape[1] == 1 else outputs)


def _outputs(network: Any, inputs: np.ndarray) -> np.ndarray:
    outputs: np.ndarray = network.predict(inputs)
    return outputs.reshape(len(inputs), -1)
