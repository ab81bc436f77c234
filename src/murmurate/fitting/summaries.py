"""Summaries: the mean of each number, as expected from the measures of a run.

Measures of a flock are correlated, skewed and, where two states are stable, of two kinds. The
expected numbers are as many as there are numbers, keep what the measures say about them, and are
nearly Gaussian. Small neural networks learn them from the runs. Each run is summarised by networks
that have not seen it, as the data are. No more measures than numbers are summaries themselves, on a
normal scale.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

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
        mean: np.ndarray = np.mean([_outputs(net, inputs) for net in self._networks], axis=0)
        return mean

    def _inputs(self, values: np.ndarray) -> np.ndarray:
        """Return measures on a scale on which they are nearly normal over all runs."""
        scaled: np.ndarray = self._transformer.transform(values)
        return scaled


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
