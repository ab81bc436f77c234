"""Indices of sensitivity from the runs of a design: Morris's effects, Sobol's shares of variance.

Both count the noise of the runs, which differs between seeds, as a row of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from murmurate.effects.design import LEVELS, MIN_SAMPLES, STEP, SensitivityPlan, unit_problem
from murmurate.errors import SweepError
from murmurate.optional import optional

NOISE = "seed"  # path of the row of the noise
RESAMPLES = 1000
TAILS = (2.5, 97.5)  # percentiles: 95% intervals
ROUNDING = 1e-6  # part of a measure, below which a difference is rounding


@dataclass(frozen=True)
class MorrisEffect:
    """How a measure changes when a number goes from its lower to its upper bound.

    path  path of the number; 'seed' for the noise of the runs, as a number without effect would
        show it
    mu  mean of the elementary effects, in units of the measure
    mu_star, mu_star_low, mu_star_high  mean of their sizes, and its 95% interval
    sigma  their standard deviation: the effect depends on other numbers, or is not linear, or is
        noise
    clear  true if `mu_star` is larger than noise explains
    """

    path: str
    mu: float
    mu_star: float
    mu_star_low: float
    mu_star_high: float
    sigma: float
    clear: bool


@dataclass(frozen=True)
class SobolIndex:
    """Shares of a number in the variance of a measure between runs.

    path  path of the number; 'seed' for the variance between runs of one setting
    first, first_low, first_high  share of the number alone, and its 95% interval. Estimates of 0
        may be slightly negative.
    total, total_low, total_high  share of the number with all its interactions with others
    clear  true if the interval of `total` is above 0
    """

    path: str
    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float
    clear: bool


def complete_samples(plan: SensitivityPlan, values: np.ndarray) -> np.ndarray:
    """Return which trajectories or samples have a value in every run, as a (samples,) array.

    plan  the design
    values  (n, seeds) a measure in each run of each setting; nan for none
    """
    blocks = values.reshape(plan.samples, plan.block, -1)
    return np.isfinite(blocks).all(axis=(1, 2))


def indices_of(
    plan: SensitivityPlan, values: np.ndarray, measure: str
) -> tuple[MorrisEffect, ...] | tuple[SobolIndex, ...]:
    """Return the effect or index of each number of a design, and that of the noise at the end.

    Sources: Morris 1991, doi:10.1080/00401706.1991.10484804; Campolongo et al. 2007,
    doi:10.1016/j.envsoft.2006.10.004; Saltelli et al. 2010, doi:10.1016/j.cpc.2009.09.018.

    measure  name of the measure, for error messages
    raises SweepError  if too few are complete
    """
    complete = complete_samples(plan, values)
    if complete.sum() < MIN_SAMPLES[plan.method]:
        raise SweepError(
            f"{measure}: got a value in all runs of {complete.sum()} of {plan.samples} samples; "
            f"expected at least {MIN_SAMPLES[plan.method]}. Narrow the bounds, or use another "
            "measure"
        )
    blocks = values.reshape(plan.samples, plan.block, -1)[complete]
    if plan.method == "sobol":
        return _sobol(list(plan.vary), blocks)
    positions = plan.matrix.reshape(plan.samples, plan.block, -1)[complete]
    return _morris(list(plan.vary), positions, blocks)


def _morris(
    paths: Sequence[str], positions: np.ndarray, blocks: np.ndarray
) -> tuple[MorrisEffect, ...]:
    """Return the effects, from (r, D + 1, D) positions and (r, D + 1, seeds) values."""
    with optional("sensitivity", SweepError):
        from SALib.analyze import morris

    seeds = blocks.shape[2]
    within = blocks.var(axis=2, ddof=1)
    means = blocks.mean(axis=2)
    noise = _noise_effect(float(within.mean()), seeds, within.size)
    floors = _noise_of_numbers(within, positions, seeds)
    effects = morris.analyze(
        unit_problem(len(paths)), positions.reshape(-1, len(paths)), means.ravel(),
        num_levels=LEVELS, num_resamples=RESAMPLES, seed=1,
    )  # fmt: skip
    rows = []
    for k, path in enumerate(paths):
        mu, size, sigma, half = (
            float(effects[key][k]) for key in ("mu", "mu_star", "sigma", "mu_star_conf")
        )
        low = max(0.0, size - half)
        rows.append(MorrisEffect(path, mu, size, low, size + half, sigma, bool(low > floors[k])))
    rounding = ROUNDING * float(np.abs(means).max())
    return tuple(_without_rounding(row, rounding) for row in (*rows, noise))


def _without_rounding(row: MorrisEffect, rounding: float) -> MorrisEffect:
    """Return an effect with 0 for numbers that are only rounding."""
    numbers: dict[str, Any] = {
        name: value if abs(value) > rounding else 0.0
        for name, value in asdict(row).items() if isinstance(value, float)
    }  # fmt: skip
    return replace(row, **numbers, clear=row.clear and row.mu_star > rounding)


def _noise_of_numbers(within: np.ndarray, positions: np.ndarray, seeds: int) -> np.ndarray:
    """Return the mu* that each of D numbers would have without effect, from its own settings.

    The variance between runs may differ over the settings.
    """
    steps = (within[:, :-1] + within[:, 1:]) / (seeds * STEP**2)
    moved = np.abs(np.diff(positions, axis=1)).argmax(axis=2)
    variances = [steps[moved == k].mean() for k in range(positions.shape[2])]
    return np.sqrt(2.0 / math.pi * np.array(variances))


def _noise_effect(within: float, seeds: int, settings: int) -> MorrisEffect:
    """Return the effect that a number without any would have, from the variance of runs."""
    from scipy.stats import chi2

    spread = math.sqrt(2.0 * within / seeds) / STEP  # of a difference of two means
    size = spread * math.sqrt(2.0 / math.pi)  # mean of the size of a normal number
    freedom = settings * (seeds - 1)
    low, high = (size * math.sqrt(freedom / chi2.ppf(p / 100.0, freedom)) for p in TAILS[::-1])
    return MorrisEffect(NOISE, 0.0, size, float(low), float(high), spread, False)


def _sobol(paths: Sequence[str], blocks: np.ndarray) -> tuple[SobolIndex, ...]:
    """Return the indices, from (N, D + 2, seeds) values.

    The variance of means over seeds is that of the expected measure, plus that of one run by the
    number of seeds; so are squared differences. Products of different settings have no such term.
    The first column of `rows` is the sample itself, all others are drawn from it (bootstrap).
    """
    with optional("sensitivity", SweepError):
        from SALib.analyze.sobol import first_order, total_order

    count, _, seeds = blocks.shape
    means = blocks.mean(axis=2)
    if np.ptp(means) <= ROUNDING * np.abs(means).max():
        unknown: tuple[Any, ...] = (*(math.nan,) * 6, False)
        return tuple(SobolIndex(path, *unknown) for path in (*paths, NOISE))
    means = means - means.mean()
    own = np.arange(count)[:, None]
    rows = np.hstack([own, np.random.default_rng(1).integers(count, size=(count, RESAMPLES))])
    a, b = means[rows, 0], means[rows, -1]
    variance = np.vstack([a, b]).var(axis=0)
    within = blocks.var(axis=2, ddof=1).mean(axis=1)[rows].mean(axis=0)
    of_a_run = variance + within * (1.0 - 1.0 / seeds)
    indices = []
    for k, path in enumerate(paths):
        mixed = means[rows, k + 1]
        first = first_order(a, mixed, b) * variance / of_a_run
        total = (total_order(a, mixed, b) * variance - within / seeds) / of_a_run
        indices.append(_index(path, first, total))
    share = within / of_a_run
    return (*indices, _index(NOISE, share, share))


def _index(path: str, first: np.ndarray, total: np.ndarray) -> SobolIndex:
    """Return an index from the estimates of all resamples, of which the first is the sample."""
    low, high = (float(end) for end in np.percentile(first[1:], TAILS))
    total_low, total_high = (float(end) for end in np.percentile(total[1:], TAILS))
    return SobolIndex(
        path, float(first[0]), low, high, float(total[0]), total_low, total_high,
        clear=total_low > ROUNDING,
    )  # fmt: skip
