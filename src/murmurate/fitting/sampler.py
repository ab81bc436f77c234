"""Sampler: draws from a posterior by sequential Monte Carlo, from the prior to the posterior.

Many settings of the prior are weighted by a power of the likelihood, resampled, and moved by
Metropolis steps; the power grows from 0 to 1. Peaks that are apart, and ridges, are found as long
as some settings of the prior lie on them.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

MIN_SHARE = 0.5  # of the settings that must count after a change of the power
MOVES = 5  # Metropolis steps of each setting after a change of the power
FINAL_MOVES = 12  # and at the end, so that settings that were resampled together move apart
MAX_STAGES = 100
LogLikelihood = Callable[[np.ndarray], np.ndarray]


def draw_posterior(
    log_likelihood: LogLikelihood,
    numbers: int,
    count: int,
    rng: np.random.Generator,
    power: float = 1.0,
    initial: int = 2048,
) -> tuple[np.ndarray, np.ndarray]:
    """Return draws from likelihood^power times a uniform prior in [0, 1]^numbers.

    Source: Del Moral, Doucet & Jasra 2006, doi:10.1111/j.1467-9868.2006.00553.x.

    log_likelihood  (p, numbers) settings -> (p,) logarithms
    numbers  number of coordinates
    rng  source of random numbers
    power  below 1, the draws spread more than the posterior
    initial  settings of the prior at the start, a power of 2
    returns  (count, numbers) draws in random order, and the logarithm of the likelihood of each
    """
    from scipy.stats import qmc

    x = qmc.Sobol(numbers, rng=rng).random(initial)
    logs, reached, scale = log_likelihood(x), 0.0, 2.38 / math.sqrt(numbers)
    for _ in range(MAX_STAGES):
        step = _step(logs, power - reached, MIN_SHARE * min(count, initial))
        reached += step
        rows = _resample(step * (logs - logs.max()), count, rng)
        x, logs = x[rows], logs[rows]
        last = reached >= power * (1.0 - 1e-12)
        x, logs, scale = _move(log_likelihood, x, logs, reached, scale, rng, last)
        if last:
            break
    order = rng.permutation(count)
    return x[order], logs[order]


def _step(logs: np.ndarray, longest: float, enough: float) -> float:
    """Return the largest change of the power after which at least `enough` settings count."""

    def counting(step: float) -> float:
        weights = np.exp(step * (logs - logs.max()))
        return float(weights.sum() ** 2 / (weights**2).sum())

    if counting(longest) >= enough:
        return longest
    low, high = 0.0, longest
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if counting(middle) >= enough else (low, middle)
    return max(low, 1e-9 * longest)


def _resample(log_weights: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return `count` rows in proportion to their weights, by one systematic pass."""
    weights = np.exp(log_weights)
    edges = np.cumsum(weights) / weights.sum()
    positions = (rng.random() + np.arange(count)) / count
    return np.minimum(np.searchsorted(edges, positions), len(edges) - 1)


def _move(
    log_likelihood: LogLikelihood, x: np.ndarray, logs: np.ndarray, power: float, scale: float,
    rng: np.random.Generator, last: bool,
) -> tuple[np.ndarray, np.ndarray, float]:  # fmt: skip
    """Move settings by Metropolis steps. Steps that leave [0, 1] are reflected.

    Half of them are the difference of two other settings, which may lead from peak to peak
    (ter Braak 2006, doi:10.1007/s11222-006-8769-1).
    """
    count, numbers = x.shape
    root = np.linalg.cholesky(np.cov(x.T).reshape(numbers, numbers) + 1e-14 * np.eye(numbers))
    for _ in range(FINAL_MOVES if last else MOVES):
        steps = scale * rng.normal(size=x.shape) @ root.T
        pairs = x[rng.integers(count, size=count)] - x[rng.integers(count, size=count)]
        far = rng.random(count) < 0.25
        near = rng.random(count) < 0.3
        steps[near] = scale / math.sqrt(2) * pairs[near]
        steps[far] = pairs[far] * rng.normal(1.0, 0.05, size=(int(np.sum(far)), 1))
        proposed = np.abs(x + steps) % 2.0
        proposed = np.where(proposed > 1.0, 2.0 - proposed, proposed)
        proposed_logs = log_likelihood(proposed)
        accepted = np.log(rng.random(count)) < power * (proposed_logs - logs)
        x = np.where(accepted[:, None], proposed, x)
        logs = np.where(accepted, proposed_logs, logs)
        scale *= math.exp(0.5 * (float(accepted[~far].mean()) - 0.3))
    return x, logs, min(scale, 10.0)
