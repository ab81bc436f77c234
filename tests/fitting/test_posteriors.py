"""Posteriors of known likelihoods: sampler, emulator, summaries, and what the data leave open."""

from __future__ import annotations

import math

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import FitError
from murmurate.fitting.identifiability import Marginal, combination, groups, joint_columns
from murmurate.fitting.likelihood import Data
from murmurate.fitting.posterior import Posterior
from murmurate.fitting.priors import Prior, make_prior, quantiles_of, settings_at
from murmurate.fitting.sampler import draw_posterior


@pytest.fixture(scope="module", autouse=True)
def _libraries() -> None:
    """Import them in the worker that runs these tests, not in all that collect them."""
    for name in ("arviz_stats", "sklearn"):
        pytest.importorskip(name)


@pytest.mark.parametrize(
    ("form", "bounds", "median"),
    [
        ("uniform", (2.0, 8.0), 5.0),
        ("log-uniform", (0.1, 10.0), 1.0),
        ("normal:3:1", (0.0, 6.0), 3.0),
        (("normal", 9, 1), (0.0, 6.0), 5.795),  # almost all beyond the upper bound
        ("uniform", (1, 4), 2.5),
    ],
)
def test_priors_map_quantiles_to_values_and_back(form, bounds, median):
    prior = make_prior("p", bounds, form)
    q = np.linspace(0.01, 0.99, 99)
    values = prior.values(q)
    assert values.min() >= bounds[0] and values.max() <= bounds[1]
    if prior.is_count:
        assert isinstance(prior.value(0.3), int)
        share = [(prior.values(np.linspace(0, 1, 4001)[:-1]) == k).mean() for k in range(1, 5)]
        assert share == pytest.approx([0.25] * 4, abs=0.001)
    else:
        assert prior.value(0.5) == pytest.approx(median, abs=2e-3)
        assert prior.quantiles(values) == pytest.approx(q, abs=1e-6)


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ("flat", "expected uniform, log-uniform or normal"),
        ("normal:1", "expected uniform"),
        ("normal:a:b", "expected uniform"),
        ("normal:1:0", "SD > 0"),
        ("normal:99:1", "probability between the bounds"),
        ("log-uniform", "bounds above 0"),
    ],
)
def test_priors_that_are_refused(form, says):
    with pytest.raises(FitError, match=says):
        make_prior("p", (-1.0, 4.0), form)


def test_draws_of_a_gaussian_have_its_mean_and_covariance():
    """In three dimensions, correlated, far narrower than the prior."""
    covariance = 1e-4 * np.array([[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 4.0]])
    inverse, mean = np.linalg.inv(covariance), np.array([0.3, 0.6, 0.5])

    def log_likelihood(x):
        return -0.5 * np.einsum("pi,ij,pj->p", x - mean, inverse, x - mean)

    x, logs = draw_posterior(log_likelihood, 3, 2000, np.random.default_rng(0))
    assert logs == pytest.approx(log_likelihood(x))
    assert x.mean(axis=0) == pytest.approx(mean, abs=0.001)
    assert np.cov(x.T) == pytest.approx(covariance, abs=1.5e-5)
    wide, _ = draw_posterior(log_likelihood, 3, 2000, np.random.default_rng(0), power=0.25)
    assert wide.std(axis=0) == pytest.approx(2 * np.sqrt(np.diag(covariance)), rel=0.1)


def test_draws_find_both_peaks_in_proportion():
    def log_likelihood(x):
        a, b = (((x - centre) / 0.02) ** 2 for centre in (0.2, 0.8))
        return np.logaddexp(-0.5 * a.sum(axis=1), math.log(3.0) - 0.5 * b.sum(axis=1))

    x, _ = draw_posterior(log_likelihood, 2, 2000, np.random.default_rng(1))
    assert (x[:, 0] > 0.5).mean() == pytest.approx(0.75, abs=0.06)


def posterior_of(quantiles, **more):
    """A posterior with four chains of these (n, D) quantiles, of numbers from 0 to 10."""
    n, numbers = quantiles.shape
    priors = {f"p{k}": Prior("uniform", 0.0, 10.0) for k in range(numbers)}
    chains = quantiles.reshape(4, n // 4, numbers)
    return Posterior(priors, chains, -((chains - 0.5) ** 2).sum(axis=2), **more)


def test_what_the_data_leave_open_is_named():
    """p0 is determined, p1 is not, p2 only to above; p3 and p4 only by their sum."""
    rng = np.random.default_rng(2)
    n = 2000
    p3 = rng.uniform(0.2, 0.8, n)
    columns = [
        rng.normal(0.5, 0.02, n), rng.random(n), rng.uniform(0.55, 1.0, n),
        p3, 1.0 - p3 + rng.normal(0, 0.01, n),
    ]  # fmt: skip
    posterior = posterior_of(np.column_stack(columns))
    rows = {row.path: row for row in posterior.marginals()}
    assert [path for path, row in rows.items() if row.undetermined] == ["p1"]
    assert [row.cut for row in rows.values()] == [(), ("lower", "upper"), ("upper",), (), ()]
    assert groups(list(rows.values())) == [("p3", "p4")]
    assert rows["p0"].mean == pytest.approx(5.0, abs=0.02)
    assert rows["p0"].interval == pytest.approx((4.67, 5.33), abs=0.03)
    assert rows["p0"].hdi == pytest.approx(rows["p0"].interval, abs=0.1)
    assert all(row.ess > 1500 and row.r_hat < 1.01 for row in rows.values())
    text = "\n".join(posterior.remarks())
    assert "p1 is not determined by these measures" in text and "p0" not in text
    assert "p2: its upper bound cuts the posterior off" in text
    assert "p3, p4 are not determined one by one" in text and "+0.7" in text


def test_chains_that_disagree_are_reported():
    rng = np.random.default_rng(3)
    apart = np.repeat([0.2, 0.4, 0.6, 0.8], 100) + rng.normal(0, 0.01, 400)
    assert "the chains disagree" in "\n".join(posterior_of(apart[:, None]).remarks())


def test_the_direction_of_a_combination():
    rng = np.random.default_rng(4)
    a = rng.random(500)
    direction = combination(np.column_stack([a, 0.5 * a + rng.normal(0, 0.01, 500)]))
    assert direction == pytest.approx(np.array([1, -2]) / math.sqrt(5), abs=0.02)


def test_a_posterior_is_inference_data_and_reads_back(tmp_path):
    arviz_stats = pytest.importorskip("arviz_stats")
    pytest.importorskip("h5netcdf")
    rng = np.random.default_rng(5)
    predicted = {"speed@fish": np.array([1.0, math.nan, 3.0])}
    posterior = posterior_of(
        rng.random((400, 2)), observed={"speed@fish": 2.0}, predicted=predicted
    )
    tree = posterior.to_inference_data()
    assert tree["posterior"]["p1"].dims == ("chain", "draw")
    assert {"prior", "observed_data", "posterior_predictive"} <= set(tree.children)
    assert float(arviz_stats.ess(tree)["p0"]) > 200
    again = Posterior.read(posterior.save(tmp_path / "p.nc"), posterior.priors)
    assert (again.quantiles == posterior.quantiles).all() and again.observed == posterior.observed
    assert again.predicted["speed@fish"] == pytest.approx(predicted["speed@fish"], nan_ok=True)
    assert again.best() == posterior.best() and again.settings(5) == posterior.settings(5)
    (tmp_path / "p.nc").write_bytes(b"no netCDF")
    with pytest.raises(FitError, match="damaged"):
        Posterior.read(tmp_path / "p.nc", posterior.priors)


def test_settings_are_draws():
    posterior = posterior_of(np.random.default_rng(6).random((400, 2)))
    settings = posterior.settings(50, seed=1)
    q = quantiles_of(posterior.priors, settings)
    flat = posterior.quantiles.reshape(-1, 2)
    assert len({tuple(row) for row in q.round(9)}) == 50
    assert all(np.abs(flat - row).max(axis=1).min() < 1e-9 for row in q)
    assert settings_at(posterior.priors, q) == settings
    with pytest.raises(FitError, match="expected 0 to 400"):
        posterior.settings(401)


def linear_runs(n, rng, measures):
    """Runs whose measures are linear in two numbers, with noise that is correlated."""
    u = rng.random((n, 2))
    mixing = np.array([[1.0, 0.3], [0.2, 1.0], [0.5, 0.5]])[:measures]
    noise = rng.normal(size=(n, measures)) * 0.05 + rng.normal(size=(n, 1)) * 0.03
    return u, u @ mixing.T + noise, mixing


@pytest.mark.parametrize(
    "measures, runs, seeds",
    [(2, 80, [7]), pytest.param(3, 150, [9, 10, 12], marks=pytest.mark.long)],
)
def test_the_posterior_of_a_linear_model_is_the_exact_one(measures, runs, seeds):
    """As many measures as numbers are used themselves; more are summarised, so that the width of a
    posterior depends on the runs: it is right in the mean."""
    from murmurate.fitting.likelihood import Likelihood

    widths = []
    for seed in seeds:
        u, values, mixing = linear_runs(runs, np.random.default_rng(seed), measures)
        data = mixing @ [0.4, 0.6]
        x, _ = draw_posterior(Likelihood(u, values).of(data), 2, 1000, np.random.default_rng(8))
        assert x.mean(axis=0) == pytest.approx([0.4, 0.6], abs=0.08)  # of 0.06
        widths.append(x.std(axis=0))
    covariance = 0.05**2 * np.eye(measures) + 0.03**2
    exact = np.linalg.inv(mixing.T @ np.linalg.inv(covariance) @ mixing)
    assert np.mean(widths, axis=0) == pytest.approx(np.sqrt(np.diag(exact)), rel=0.35)
    with pytest.raises(FitError, match=f"got 4 settings of {runs}"):
        Likelihood(u, np.where(np.arange(runs)[:, None] < 4, values, np.nan))


def test_runs_without_values_make_a_setting_less_likely():
    from murmurate.fitting.likelihood import Likelihood

    rng = np.random.default_rng(9)
    u, values, _ = linear_runs(60, rng, 2)
    values[u[:, 0] > 0.5] = np.nan
    prediction = Likelihood(u, values).emulator.predict(np.array([[0.2, 0.5], [0.9, 0.5]]))
    assert prediction.valued[0] > 0.9 and prediction.valued[1] < 0.1


def test_noise_makes_runs_as_imprecise_as_data():
    """Not wider: an error of few samples is a standard error, not half of Student's interval."""
    freedom = np.array([4.0, 4.0, math.inf, math.inf, math.inf])
    errors = np.array([0.8, 0.5, 0.5, 0.1, math.inf])  # runs: 0.3
    data = Data(tuple("abcde"), np.arange(2.0, 7.0), errors, freedom, 0.01)
    values, variance = np.zeros((20000, 5)), np.full((20000, 5), 0.09)
    noisy = data.imitate(values, variance, seed=1)
    own = [0.02, 0.03, 0.04, 0.05, 0.06]  # by the tolerance
    spread = [math.hypot(math.sqrt(0.64 - 0.09), own[0]), own[1], math.hypot(0.4, own[2]), *own[3:]]
    assert noisy.std(axis=0) == pytest.approx(spread, rel=0.04)
    assert data.worth(values, variance) == pytest.approx([0.09 / 0.64, 0.36, 0.36, 9, 0])


def test_the_variance_between_runs_is_known_where_data_have_an_error():
    rng = np.random.default_rng(10)
    u, values, _ = linear_runs(100, rng, 2)
    data = Data(("a", "b"), np.zeros(2), np.array([0.1, math.inf]), np.full(2, math.inf))
    variance = data.variance(u, values)
    assert np.median(variance[:, 0]) == pytest.approx(0.05**2 + 0.03**2, rel=0.4)
    assert np.isnan(variance[:, 1]).all() and np.isnan(data.variance(u[:5], values[:5])).all()


def test_a_marginal_says_what_it_is():
    fields = dict.fromkeys(("best", "mean", "sd", "median"), 1.0)
    row = Marginal("p", (0.0, 2.0), **fields, interval=(0.1, 1.9), hdi=(0.1, 1.9), share=0.95)
    assert row.undetermined and not row.at_bound
    assert isinstance(mm.FitError("x"), mm.SweepError)


def test_two_numbers_may_be_determined_together():
    rng = np.random.default_rng(5)
    a = rng.uniform(0.1, 0.9, 1000)
    alike = np.column_stack([a, 1.0 - a + rng.normal(0, 0.01, 1000)])
    assert joint_columns(alike) == [(1,), (0,)]
    assert joint_columns(rng.random((1000, 2))) == [(), ()]
    assert joint_columns(alike[:, :1]) == [()]
