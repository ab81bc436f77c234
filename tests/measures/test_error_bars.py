"""Error bars against series with known correlation times."""

from __future__ import annotations

import math

import numpy as np
import pytest

from murmurate.errors import MeasureError
from murmurate.measures import (
    Estimate,
    autocorrelation,
    autocorrelation_time,
    binder_of,
    mean_and_error,
    over_seeds,
    susceptibility_of,
)


def remembering(a: float, count: int, seed: int) -> np.ndarray:
    """Return a series x_t+1 = a x_t + noise of variance 1, with time (1 + a) / (1 - a)."""
    noise = np.random.default_rng(seed).normal(size=count)
    x = np.empty(count)
    x[0] = noise[0]
    for t in range(1, count):
        x[t] = a * x[t - 1] + math.sqrt(1 - a * a) * noise[t]
    return x


class TestAutocorrelation:
    def test_by_hand(self):
        rho = autocorrelation([1.0, -1.0, 1.0, -1.0])
        np.testing.assert_allclose(rho, [1, -1, 1, -1], atol=1e-12)

    def test_known_memory(self):
        rho = autocorrelation(remembering(0.8, 200_000, 1))
        np.testing.assert_allclose(rho[:6], 0.8 ** np.arange(6), atol=0.03)

    def test_gaps_are_left_out(self):
        x = remembering(0.8, 50_000, 2)
        x[np.random.default_rng(0).uniform(size=len(x)) < 0.3] = np.nan
        np.testing.assert_allclose(autocorrelation(x)[:6], 0.8 ** np.arange(6), atol=0.05)

    @pytest.mark.parametrize("series", [[], [np.nan, np.nan], [2.0, 2.0, 2.0]])
    def test_series_without_autocorrelation(self, series):
        assert np.isnan(autocorrelation(series)).all()
        assert math.isnan(autocorrelation_time(series).value)


@pytest.mark.parametrize("a", [0.0, 0.5, 0.9])
def test_autocorrelation_time(a):
    exact = (1 + a) / (1 - a)
    estimates = [autocorrelation_time(remembering(a, 20_000, seed)) for seed in range(8)]
    assert not any(estimate.short for estimate in estimates)
    mean = np.mean([estimate.value for estimate in estimates])
    error = np.sqrt(np.mean([estimate.error**2 for estimate in estimates]) / 8)
    assert abs(mean - exact) < 4 * error
    assert estimates[0].independent == pytest.approx(20_000 / estimates[0].value)


@pytest.mark.parametrize("method", ["autocorrelation", "blocking"])
@pytest.mark.parametrize("a", [0.0, 0.5, 0.9])
def test_error_of_a_mean(method, a):
    """Over many runs the errors equal the scatter of the means."""
    runs = [mean_and_error(remembering(a, 4_000, seed), method) for seed in range(60)]
    exact = math.sqrt((1 + a) / (1 - a) / 4_000)
    assert np.mean([estimate.error for estimate in runs]) == pytest.approx(exact, rel=0.15)
    scores = np.array([estimate.value / estimate.error for estimate in runs])
    assert np.std(scores) == pytest.approx(1, abs=0.35)
    assert sum(estimate.short for estimate in runs) <= 3


@pytest.mark.parametrize("method", ["autocorrelation", "blocking"])
@pytest.mark.parametrize("seen", [pytest.param(0.5, marks=pytest.mark.slow), 0.1])
def test_error_of_a_mean_with_gaps(method, seen):
    """Gaps separate values: the error grows less than the number of values suggests."""
    scores = []
    for seed in range(150):
        x = remembering(0.9, 4_000, seed)
        x[np.random.default_rng(1000 + seed).uniform(size=len(x)) > seen] = np.nan
        estimates = mean_and_error(x, method)
        assert estimates.independent <= np.isfinite(x).sum()
        scores.append(estimates.value / estimates.error)
    assert math.sqrt(np.mean(np.square(scores))) == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("method", ["autocorrelation", "blocking"])
def test_too_short_series(method):
    walk = np.cumsum(np.random.default_rng(3).normal(size=300))
    estimates = mean_and_error(walk, method)
    assert estimates.short
    assert "too short" in repr(estimates)
    assert not mean_and_error(remembering(0.5, 5_000, 1), method).short


def test_series_without_an_error():
    assert math.isnan(mean_and_error([]).value)
    estimate = mean_and_error([3.0, np.nan])
    assert (estimate.value, estimate.short) == (3.0, True) and math.isnan(estimate.error)
    same = mean_and_error([0.25] * 100)
    assert (same.value, same.error, same.short) == (0.25, 0.0, False)
    assert mean_and_error([0.25] * 10).short


def test_unknown_method():
    with pytest.raises(MeasureError, match="blocking"):
        mean_and_error([1.0, 2.0], method="guess")


def test_over_seeds():
    estimates = over_seeds([1.0, 2.0, 3.0, np.nan])
    assert (estimates.value, estimates.independent, estimates.short) == (2.0, 3.0, True)
    assert estimates.error == pytest.approx(1 / math.sqrt(3))
    assert over_seeds([Estimate(5.0, 0.1, 1.0, "seeds")]).value == 5.0
    assert not over_seeds(np.arange(8.0)).short


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.95312, 0.00417, "0.953 ± 0.004"),
        (0.95312, 0.0014, "0.9531 ± 0.0014"),
        (0.95312, 0.00096, "0.953 ± 0.001"),
        (12345.6, 67.0, "12350 ± 70"),
        (3.0, 0.0, "3 ± 0"),
        (math.nan, 1.0, "nan"),
        (math.inf, math.nan, "inf"),
        (3.00000013, 6e-9, "3 ± 0"),
        (1.0, 1.1e-16, "1 ± 0"),
        (25.0, 3e-14, "25 ± 0"),
        (2.5, math.nan, "2.5 ± ?"),
        (0.123457, 4e-6, "0.123457 ± 0.000004"),
        (0.1234567, 4e-7, "1.234567e-01 ± 4e-07"),
        (1.234e-9, 5e-11, "1.23e-09 ± 5e-11"),
    ],
)
def test_with_error(value, error, text):
    has_error = math.isfinite(value) and math.isfinite(error)
    want = f"{text} (standard error)" if has_error else text
    assert repr(Estimate(value, error, 10.0, "blocking")) == want


class TestBinder:
    """Convention: 1 - <x^4> / (3 <x^2>^2)."""

    def test_gaussian(self):
        x = np.random.default_rng(1).normal(size=40_000)
        estimates = binder_of(x)
        assert estimates.agrees(0.0)
        assert estimates.error < 0.02

    def test_gaussian_vector(self):
        """Disorder in 2-D and 3-D: 1/3 and 4/9."""
        x = np.random.default_rng(2).normal(size=(40_000, 3))
        assert binder_of(np.linalg.norm(x[:, :2], axis=1)).agrees(1 / 3)
        assert binder_of(np.linalg.norm(x, axis=1)).agrees(4 / 9)

    def test_two_states(self):
        x = np.random.default_rng(3).choice([-0.4, 0.4], size=1000)
        assert binder_of(x).value == pytest.approx(2 / 3)

    def test_nothing(self):
        assert math.isnan(binder_of([]).value)
        assert math.isnan(binder_of([0.0, 0.0]).value)


def test_susceptibility():
    x = np.random.default_rng(4).normal(0.5, 0.1, size=20_000)
    assert susceptibility_of(x, 100).agrees(1.0)
    assert susceptibility_of([0.5] * 60, 100).value == pytest.approx(0)


def test_fifty_independent_values_are_enough():
    """A series that changes its sign at each time has as many independent values as values."""
    assert not autocorrelation_time([1.0, -1.0] * 25).short
    assert autocorrelation_time([1.0, -1.0] * 24).short


def test_blocks_of_the_fewest_values():
    """16 values make 8 blocks of 2, 15 make too few."""
    values = [0.0, 1.0] * 8
    assert mean_and_error(values, "blocking").freedom < 15
    assert mean_and_error(values[:15], "blocking").freedom == 14
