"""Verdicts: compare the values of several runs with expectations of a model's file."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from murmurate.measures.estimate import clopper_pearson, t_factor
from murmurate.model.model import Model
from murmurate.model.results import Expectation
from murmurate.model.view import Look, View

Tier = Literal["quick", "full"]
Verdict = Literal["agrees", "differs", "not precise enough", "known difference"]
Interval = tuple[float, float]

ALPHA = 0.05
"""Significance level of the confidence interval that must lie within the bounds."""
ALPHA_DIFFERS = 5e-7
"""Significance level of the interval that must lie outside the bounds for the verdict 'differs'.

Each statistic is judged up to four times, with 8, 16, 32 and 64 runs. 500 statistics that
vary between runs, more than the zoo has, together give less than one false alarm in 1,000
verifications of the zoo."""

SINGLE_ROUNDING = 1e-5
"""How much wider bounds are for runs of engines that have no double precision, such as 'gpu', as a
fraction of their values."""

# fields that do not change a statistic
BOUND_FIELDS = {
    "why", "origin", "tier", "value", "tolerance", "low", "high", "known_difference"
}  # fmt: skip


@dataclass(frozen=True)
class Result:
    """An expectation and its verdict.

    Attributes
    ----------
    model : str
        Name of the model.
    expected : Expectation
    value : float
        The mean or median over runs, or the share of runs.
    error : float
        Its standard error over runs; nan for a trajectory.
    seeds : tuple of int
        Seeds of the runs, in ascending order.
    verdict : {"agrees", "differs", "not precise enough", "known difference"}
        "agrees": the 95% interval is within the bounds. "differs": the interval at the level
        `ALPHA_DIFFERS` is outside the bounds, or a run has no value. "not precise enough": neither
        holds after the largest number of runs. "known difference": as "differs", where the model
        says so (`Expectation.known_difference`).
    interval : tuple of float, default (nan, nan)
        95% interval of the mean (Student's t), the median (order statistics) or the share
        (Clopper-Pearson); nan for a trajectory.
    """

    model: str
    expected: Expectation
    value: float
    error: float
    seeds: tuple[int, ...]
    verdict: Verdict
    interval: Interval = (math.nan, math.nan)

    @property
    def flights(self) -> int:
        """Number of runs."""
        return len(self.seeds)

    @property
    def agrees(self) -> bool:
        """True if the verdict is 'agrees'."""
        return self.verdict == "agrees"

    @property
    def differs(self) -> bool:
        """True if the verdict is 'differs'."""
        return self.verdict == "differs"


def judge(
    model: str, expected: Expectation, runs: Mapping[int, np.ndarray], single: bool = False
) -> Result:
    """Return the verdict on an expectation.

    runs  seed -> values of the run, (m,). Values of one run are not independent, so each run counts
        by its mean.
    single  whether the runs are in single precision. Bounds are then wider by `SINGLE_ROUNDING`,
        and a trajectory outside of them is 'not precise enough', since rounding alone may lead
        there.
    """
    values = np.array([series.mean() if len(series) else math.nan for series in runs.values()])
    values.sort()  # runs end in any order, and sums must not depend on it
    low, high = expected.bounds()
    if single:
        ends = [abs(bound) for bound in (low, high) if math.isfinite(bound)]
        room = SINGLE_ROUNDING * max(ends, default=0.0)
        low, high = low - room, high + room
    n, seeds = len(values), tuple(sorted(runs))
    verdict: Verdict
    if not np.isfinite(values).all():
        return Result(model, expected, math.nan, math.nan, seeds, "differs")
    if expected.kind == "trajectory":
        value = float(values.mean())
        other: Verdict = "not precise enough" if single else "differs"
        verdict = "agrees" if low <= value <= high else other
        return Result(model, expected, value, math.nan, seeds, verdict)
    if expected.kind == "share":
        hits = int(_is_counted(expected, values).sum())
        value = hits / n
        error = math.sqrt(value * (1.0 - value) / n)
        narrow, wide = (clopper_pearson(hits, n, alpha) for alpha in (ALPHA, ALPHA_DIFFERS))
    elif expected.kind == "median":
        value, error = float(np.median(values)), median_error(values)
        narrow, wide = (median_interval(values, alpha) for alpha in (ALPHA, ALPHA_DIFFERS))
    else:
        value, error = float(values.mean()), standard_error(values)
        narrow, wide = (student_interval(values, alpha) for alpha in (ALPHA, ALPHA_DIFFERS))
    verdict = _verdict(narrow, wide, low, high)
    if verdict == "differs" and expected.known_difference:
        verdict = "known difference"
    return Result(model, expected, value, error, seeds, verdict, narrow)


def student_interval(values: np.ndarray, alpha: float) -> Interval:
    """Return the confidence interval of a mean by Student's t.

    Exact for normally distributed values. Source: Student 1908, doi:10.1093/biomet/6.1.1.

    values  (n,) finite, independent values, one per run
    alpha  probability that the interval does not contain the mean of all runs
    returns  lower and upper end; infinite for fewer than two values
    """
    n = len(values)
    if n < 2:
        return -math.inf, math.inf
    mean = float(values.mean())
    half_width = t_factor(n - 1, alpha) * standard_error(values)
    return mean - half_width, mean + half_width


def median_interval(values: np.ndarray, alpha: float) -> Interval:
    """Return the confidence interval of a median, between two order statistics.

    Exact for values of any distribution: the number of values below the median is binomial.
    Source: David & Nagaraja 2003, Order Statistics, section 7.1, doi:10.1002/0471722162.

    values  (n,) finite, independent values, one per run, ascending
    alpha  largest probability that the interval does not contain the median of all runs
    returns  lower and upper end; infinite for too few values: below 6 at 95%
    """
    from scipy.special import bdtr

    n = len(values)
    below = bdtr(np.arange(n // 2), n, 0.5)  # probability of at most k values below the median
    k = int(np.searchsorted(below, alpha / 2, side="right"))  # smallest values outside
    return (float(values[k - 1]), float(values[n - k])) if k else (-math.inf, math.inf)


def median_error(values: np.ndarray) -> float:
    """Return the standard error of the median of (n,) ascending values; nan for fewer than two.

    Source: Maritz & Jarrett 1978, doi:10.1080/01621459.1978.10480027.
    """
    from scipy.special import betainc

    n = len(values)
    half = (n + 1) / 2
    weights = np.diff(betainc(half, half, np.arange(n + 1) / n))
    mean = weights @ values
    return float(np.sqrt(weights @ (values - mean) ** 2)) if n > 1 else math.nan


def standard_error(values: np.ndarray) -> float:
    """Return the standard error of the mean of (n,) independent values; nan for fewer than two."""
    n = len(values)
    return float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan


def run_id(model: Model) -> str:
    """Return the fingerprint of a simulation, without texts, view, looks and expectations."""
    flocks = {n: f.model_copy(update={"look": Look()}) for n, f in model.flocks.items()}
    return model.model_copy(update={"view": View(), "flocks": flocks}).fingerprint()


def statistic_id(model: Model, expectation: Expectation) -> str:
    """Return 16 hexadecimal digits that identify simulations and their measures.

    They do not depend on the bounds, on the origin of the bounds, or on seeds.
    """
    data = expectation.model_dump(exclude=BOUND_FIELDS | {"seeds"})
    return hashlib.sha256(f"{run_id(model)} {data!r}".encode()).hexdigest()[:16]


def verdict_id(model: Model, expectation: Expectation) -> str:
    """Return 16 hexadecimal digits that identify a statistic, its seeds and its bounds."""
    data = expectation.run_seeds(), expectation.bounds()
    return hashlib.sha256(f"{statistic_id(model, expectation)} {data!r}".encode()).hexdigest()[:16]


def _is_counted(expected: Expectation, values: np.ndarray) -> np.ndarray:
    """Return True for the runs that a share counts."""
    if expected.at_least is not None:
        return values >= expected.at_least
    return values <= (math.inf if expected.at_most is None else expected.at_most)


def _verdict(narrow: Interval, wide: Interval, low: float, high: float) -> Verdict:
    if wide[1] < low or wide[0] > high:
        return "differs"
    return "agrees" if low <= narrow[0] and narrow[1] <= high else "not precise enough"
