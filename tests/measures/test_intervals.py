"""Intervals contain the true value with their stated probability, on synthetic data.

Bounds are binomial. Of 4,000 intervals with 95% coverage, the fraction that contains the value is
within 3.3 standard deviations, sqrt(0.95 * 0.05 / 4000) = 0.0034, with 99.9%. Intervals of 1.96
standard errors of eight runs contain it in 91%, eleven standard deviations below.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from murmurate.errors import MeasureError
from murmurate.fitting.compared_measure import ComparedMeasure
from murmurate.fitting.model_scores import ModelScore
from murmurate.measures import Estimate, mean_and_error, over_seeds
from murmurate.measures.errorbars import (
    count_events,
    estimate_rate,
    fit_inverse_slope,
    fit_slope,
    jackknife,
)
from murmurate.measures.estimate import t_factor
from murmurate.verify.verdict import standard_error, student_interval

CASES = 4000
TIGHT = 3.3 * math.sqrt(0.95 * 0.05 / CASES)
AGREE = pytest.approx


def holds(estimate: Estimate, true: float, confidence: float = 0.95) -> bool:
    low, high = estimate.interval(confidence)
    return low <= true <= high


def by_normal(estimate: Estimate, true: float) -> bool:
    """Return True if the true value is within 1.96 standard errors."""
    return abs(estimate.value - true) <= 1.96 * estimate.error


@pytest.mark.parametrize("runs", [2, 3, 4, 8, 16])
def test_over_seeds(runs):
    values = np.random.default_rng(runs).normal(5.0, 2.0, (CASES, runs))
    estimates = [over_seeds(row) for row in values]
    assert np.mean([holds(estimate, 5.0) for estimate in estimates]) == AGREE(0.95, abs=TIGHT)
    assert np.mean([by_normal(estimate, 5.0) for estimate in estimates]) < 0.95 - TIGHT
    wide = np.mean([holds(estimate, 5.0, 0.5) for estimate in estimates])
    assert wide == AGREE(0.5, abs=3.3 * math.sqrt(0.25 / CASES))
    assert estimates[0].interval() == AGREE(student_interval(values[0], 0.05), rel=1e-9)


def score(values: np.ndarray) -> ModelScore:
    """The score of a model on flocks."""
    return ModelScore("it", (), values, values)


def line(values: np.ndarray) -> Estimate:
    """The slope through values at equal distances."""
    return fit_slope(np.arange(len(values), dtype=float), values)


@pytest.mark.parametrize(
    ("estimate", "n"),
    [
        (over_seeds, 3),
        (over_seeds, 8),
        (mean_and_error, 200),
        (lambda row: mean_and_error(row, "blocking"), 200),
        (lambda row: jackknife(row, np.mean), 200),
        (line, 4),
        (lambda row: count_events(int((row > 1.5).sum())), 200),
        (lambda row: estimate_rate(int((row > 1.5).sum()), 3.0), 200),
        (lambda row: Estimate(row.mean(), standard_error(row), math.nan, "seeds"), 3),
        (lambda row: Estimate((s := score(row)).total, s.error, math.nan, "seeds"), 4),
    ],
)
def test_an_error_is_one_standard_deviation(estimate, n):
    """Of few samples too: only an interval is as wide as Student's t. On average over data sets
    its square is the variance; widened for two degrees of freedom it would be 4.8 times as much."""
    rows = np.random.default_rng(n).normal(1.0, 0.3, (1000, n))
    estimates = [estimate(row) for row in rows]
    squares = np.mean([item.error**2 for item in estimates])
    assert squares == AGREE(np.var([item.value for item in estimates]), rel=0.25)


def test_the_factor_of_eight_runs():
    """As in tables: 2.3646 at 7 degrees of freedom, 12.706 at 1, 1.96 at infinitely many."""
    assert t_factor(7, 0.05) == AGREE(2.3646, rel=1e-4)
    assert t_factor(1, 0.05) == AGREE(12.706, rel=1e-4)
    assert t_factor(math.inf, 0.05) == AGREE(1.95996, rel=1e-5)
    assert t_factor(0, 0.05) == math.inf and math.isnan(t_factor(math.nan, 0.05))
    low, high = over_seeds([1, 2, 3, 4, 5, 6, 7, 8]).interval()
    assert (low, high) == AGREE((2.452, 6.548), rel=1e-3)


@pytest.mark.parametrize("method", ["autocorrelation", "blocking"])
@pytest.mark.parametrize("memory", [pytest.param(0.5, marks=pytest.mark.slow), 0.8])
@pytest.mark.parametrize("independent", [20, 50, 200])
def test_a_series_with_memory(method, memory, independent):
    """A short series determines its correlation time badly: few degrees of freedom."""
    n = round(independent * (1 + memory) / (1 - memory))
    noise = np.random.default_rng(independent).normal(size=(1500, n + 300))
    from scipy.signal import lfilter  # slow to import

    series = lfilter([math.sqrt(1 - memory**2)], [1, -memory], noise, axis=1)[:, 300:]
    estimates = [mean_and_error(row, method) for row in series]
    contained = np.mean([holds(estimate, 0.0) for estimate in estimates])
    if method == "autocorrelation":
        assert contained == AGREE(0.95, abs=0.02)
        if independent == 20:
            assert np.mean([by_normal(estimate, 0.0) for estimate in estimates]) < 0.92
    else:  # the interval is wider than necessary
        assert contained > 0.93 or independent == 20
    assert all(1 <= estimate.freedom <= n - 1 for estimate in estimates)


def test_freedom_of_uncorrelated_values():
    estimates = mean_and_error(np.random.default_rng(1).normal(size=40))
    assert 1 <= estimates.freedom <= 39


def test_slopes():
    """Five points on a line with normal errors: three degrees of freedom."""
    random, x = np.random.default_rng(3), np.arange(5.0)
    estimates = [fit_slope(x, 2.0 * x + random.normal(size=5)) for _ in range(CASES)]
    assert np.mean([holds(estimate, 2.0) for estimate in estimates]) == AGREE(0.95, abs=TIGHT)
    assert np.mean([by_normal(estimate, 2.0) for estimate in estimates]) < 0.95 - TIGHT


@pytest.mark.parametrize("points", [3, 4, 5, 20])
def test_noise_has_no_wave_speed(points):
    """Without a slope 1 in 740 cases has a speed, as at three sigmas, for any number of points.

    For three points it was 1 in 20.
    """
    random, x = np.random.default_rng(4), np.arange(float(points))
    seen = sum(
        math.isfinite(fit_inverse_slope(x, random.normal(size=points)).value) for _ in range(CASES)
    )
    assert seen <= CASES * 0.00135 + 3.3 * math.sqrt(CASES * 0.00135)


def test_a_jackknife_has_the_freedom_of_its_blocks():
    values = np.random.default_rng(5).normal(size=640)
    assert jackknife(values, np.var).freedom == 63


@pytest.mark.parametrize("expected", [0.5, 3.0, 12.0])
def test_numbers_of_events(expected):
    """Exact: at least 95%. No event means fewer than 3.69 on average."""
    events = np.random.default_rng(6).poisson(expected, CASES)
    assert np.mean([holds(count_events(n), expected) for n in events]) > 0.95 - TIGHT
    assert count_events(0).interval() == (0.0, AGREE(3.689, rel=1e-3))


@pytest.mark.parametrize("share", [0.02, 0.5, 0.97])
def test_shares(share):
    hits = np.random.default_rng(7).binomial(30, share, CASES)
    estimates = [Estimate(n / 30, math.sqrt(n * (30 - n) / 30**3), 30, "share") for n in hits]
    assert np.mean([holds(estimate, share) for estimate in estimates]) > 0.95 - TIGHT


def test_unknown_errors_have_no_interval():
    assert over_seeds([3.0]).interval() == (-math.inf, math.inf)
    assert mean_and_error([]).interval() == (-math.inf, math.inf)
    assert over_seeds([2.0, 2.0, 2.0]).interval() == (2.0, 2.0)
    for confidence in (0.0, 1.0, 95, math.nan, "95%"):
        with pytest.raises(MeasureError, match="expected a number above 0 and below 1"):
            over_seeds([1.0, 2.0]).interval(confidence)


@pytest.mark.parametrize("runs", [3, 8])
def test_agrees_for_few_runs(runs):
    """Two sigmas: 4.55% false alarms for any number of runs."""
    values = np.random.default_rng(runs).normal(size=(CASES, runs))
    alarms = np.mean([not over_seeds(row).agrees(0.0, 2.0) for row in values])
    assert alarms == AGREE(0.0455, abs=3.3 * math.sqrt(0.0455 * 0.9545 / CASES))


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(8, 8), (1000, 4), *(pytest.param(*n, marks=pytest.mark.slow) for n in ((10, 4), (4, 100)))],
)
def test_a_fit_of_the_true_model_fits(theirs, ours):
    """95% of comparisons of a model with itself do not fail, for few runs too.

    With a limit of 2 errors it was 86%, for four runs against many.
    """
    random = np.random.default_rng(theirs + ours)
    fits = normal = 0
    for _ in range(CASES):
        their, our = (over_seeds(random.normal(1.0, 0.3, n)) for n in (theirs, ours))
        numbers = (their.value, their.error, our.value, our.error)
        estimate = ComparedMeasure("speed", *numbers, True, their.freedom, our.freedom)
        fits += estimate.verdict != "does not fit"
        normal += abs(estimate.z) <= 2
    assert 0.95 - 2 * TIGHT < fits / CASES < 0.97
    assert normal < fits


def test_repr_states_the_error():
    assert repr(over_seeds([1, 2, 3, 4, 5, 6, 7, 8])) == "4.5 ± 0.9 (standard error)"
    assert repr(over_seeds([1, 2, 3])).endswith("(standard error, too short to say)")
