"""Verdicts: intervals against tables of statistics, what is judged how, and when more is flown."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import ModelError
from murmurate.model.results import MIN_SEEDS
from murmurate.verify import Result, verify
from murmurate.verify.identity import flight_id, verdict_id
from murmurate.verify.intervals import clopper_pearson, student
from murmurate.verify.planned_runs import PlannedRun
from murmurate.verify.seed_rounds import MOST_SEEDS
from murmurate.verify.values import mean_over_runs
from murmurate.verify.verdict import FALSE_ALARM, judge


def expected(**changes: Any) -> mm.Expectation:
    return mm.Expectation(**({"measure": "speed", "step": 1} | changes))


def judged(values: list[float] | np.ndarray, **changes: Any) -> Result:
    runs = {seed: np.array([value]) for seed, value in enumerate(values)}
    return judge("a", expected(**changes), runs)


def test_student_is_as_in_tables() -> None:
    """t of 7 degrees of freedom: 2.3646 at 95%, 3.4995 at 99%; of 1: 12.706 at 95%."""
    values = np.array([1.0, -1.0] * 4)
    error = values.std(ddof=1) / math.sqrt(8)
    for doubt, t in ((0.05, 2.3646), (0.01, 3.4995)):
        low, high = student(values + 5.0, doubt)
        assert high - 5.0 == pytest.approx(t * error, rel=1e-4) and low + high == pytest.approx(10)
    assert student(np.array([0.0, 2.0]), 0.05)[1] == pytest.approx(1.0 + 12.706, rel=1e-4)
    assert student(np.array([3.0]), 0.05) == (-math.inf, math.inf)


def test_clopper_pearson_is_as_in_tables() -> None:
    """None of 10: below 1 - 0.025^(1/10); 8 of 10: 0.4439 to 0.9748."""
    assert clopper_pearson(0, 10, 0.05) == (0.0, pytest.approx(1 - 0.025**0.1))
    assert clopper_pearson(10, 10, 0.05) == (pytest.approx(0.025**0.1), 1.0)
    assert clopper_pearson(8, 10, 0.05) == pytest.approx((0.4439, 0.9748), abs=1e-4)


def test_a_mean_is_judged_with_its_error() -> None:
    """Eight values of mean 0 and standard error 0.378: 95% are 0.894, all but certain 5.7."""
    values = np.array([1.0, -1.0] * 4)
    assert judged(values, low=-0.9, high=0.9).verdict == "agrees"
    assert judged(values, low=-0.9).verdict == "agrees"
    assert judged(values, low=-0.89, high=0.89).verdict == "not precise enough"
    assert judged(values, low=0.5, high=9.0).verdict == "not precise enough"
    assert judged(values, low=5.0).verdict == "not precise enough"
    assert judged(values, low=6.0).verdict == "differs"
    assert judged(np.tile(values, 8), low=0.8).verdict == "differs"  # 64 tell what 8 do not
    result = judged(values, low=0.0)
    assert (result.value, result.flights) == (0.0, 8)
    assert result.error == pytest.approx(values.std(ddof=1) / math.sqrt(8))
    assert not result.agrees and not result.differs


def test_no_spread_is_no_doubt() -> None:
    assert judged([1.0] * 8, low=1.0, high=1.0).verdict == "agrees"
    assert judged([1.0] * 8, value=1.1, tolerance=0.05).verdict == "differs"


def test_a_lost_flight_differs() -> None:
    for kind in ({}, {"kind": "share", "at_least": 0.0}):
        result = judged([1.0] * 7 + [math.nan], low=0.0, **kind)
        assert result.verdict == "differs" and math.isnan(result.value)


def test_a_share_counts_flights() -> None:
    share = {"kind": "share", "at_least": 0.98}
    assert judged([1.0] * 8, low=0.6, **share).verdict == "agrees"
    assert judged([1.0] * 8, low=0.7, **share).verdict == "not precise enough"  # 0.63 to 1
    assert judged([0.98] * 58 + [0.5] * 6, low=0.6, **share).value == 58 / 64
    assert judged([0.5] * 64, low=0.6, **share).verdict == "differs"
    assert judged([0.5] * 64, low=0.6, kind="share", at_most=0.5).verdict == "agrees"
    assert judged([0.5, 0.51], low=0.0, kind="share", at_most=0.5).value == 0.5


def test_a_trajectory_has_no_error() -> None:
    one = {"kind": "trajectory", "value": 1.0, "tolerance": 1e-7}
    assert judged([1.0 + 9e-8], **one).verdict == "agrees"
    result = judged([1.0 + 2e-7], **one)
    assert result.verdict == "differs" and math.isnan(result.error)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"kind": "share", "low": 0.5},
            "expected at_least or at_most for kind 'share', one of the two",
        ),
        ({"kind": "share", "low": 0.5, "at_least": 1, "at_most": 2}, "one of the two"),
        ({"low": 0.5, "at_least": 1}, "at_most for kind 'mean'; expected them for 'share' only"),
        ({"kind": "trajectory", "low": 0.5}, "expected value and tolerance"),
        ({"kind": "trajectory", "value": 1, "tolerance": 0, "since": 0}, "and no since"),
        (
            {"kind": "trajectory", "value": 5, "tolerance": 0.01},
            "got 0.01 for a trajectory; expected at most 5e-06",
        ),
    ],
)
def test_kinds_that_cannot_be(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        expected(**changes)


def test_seeds_of_flights() -> None:
    assert expected(low=0).run_seeds() == tuple(range(1, MIN_SEEDS + 1))
    assert expected(low=0).run_seeds(16, offset=100) == tuple(range(101, 117))
    assert expected(low=0, seeds=[5, 3]).run_seeds() == (5, 3, 6, 7, 8, 9, 10, 11)
    assert expected(low=0, seeds=range(20)).run_seeds() == tuple(range(20))
    exact = expected(kind="trajectory", value=1, tolerance=0)
    assert exact.run_seeds(64, offset=100) == (1,)
    assert exact.model_copy(update={"seeds": (4,)}).run_seeds(64, offset=100) == (4,)


def made_up(monkeypatch: pytest.MonkeyPatch, value_of: Any) -> list[int]:
    """Flights that give what a function of their seed says; returns the seeds as they are flown."""
    flown: list[int] = []

    def fly(run: PlannedRun, stop: object) -> dict[int, np.ndarray]:
        flown.append(run.options.seed)
        return {number: np.array([value_of(run.options.seed)]) for number in run.expectations}

    monkeypatch.setattr("murmurate.verify.seed_rounds.fly", fly)
    return flown


def with_expectations(*expect: mm.Expectation) -> mm.Model:
    return mm.load("ucl").model_copy(update={"expect": expect})


@pytest.mark.parametrize(
    ("low", "flights", "verdict"),
    [(-1.0, 8, "agrees"), (-0.6, 16, "agrees"), (-0.3, 64, "agrees"), (0.05, 64, "not precise")],
)
def test_more_is_flown_until_it_tells(
    low: float, flights: int, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flights of mean 0 and standard deviation 1: an interval of 0.89, 0.55, 0.37, 0.25."""
    flown = made_up(monkeypatch, lambda seed: 1.0 if seed % 2 else -1.0)
    told: list[tuple[int, int]] = []
    model = with_expectations(expected(low=low))
    (result,) = verify(model, tell=lambda done, runs: told.append((done, runs)))
    assert result.verdict.startswith(verdict) and result.flights == flights
    assert result.seeds == tuple(range(1, flights + 1))
    assert sorted(flown) == list(range(1, flights + 1))  # none of them twice
    assert told[0] == (1, 8) and told[-1] == (flights, flights)
    (less,) = verify(model, most=8)
    assert less.flights == 8


def test_only_what_is_undecided_is_flown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    flown = made_up(monkeypatch, lambda seed: 1.0 if seed % 2 else -1.0)
    sure, unsure = expected(low=-5.0), expected(low=-0.3, set={"dt": 0.5})
    results = verify(with_expectations(sure, unsure), shift=7)
    assert [result.flights for result in results] == [8, 64]
    assert [result.seeds for result in results] == [tuple(range(8, 16)), tuple(range(8, 72))]
    assert sorted(flown) == sorted([*range(8, 16), *range(8, 72)])


def test_flights_end_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(1).normal(size=8)
    one = expected(low=-9.0)
    runs = {seed: np.array([value]) for seed, value in enumerate(values)}
    assert judge("a", one, runs) == judge("a", one, dict(reversed(runs.items())))


def test_the_whole_zoo_raises_no_false_alarm() -> None:
    """One in 1,000, if every look at every statistic had its chance."""
    statistics = [e for name in mm.zoo() for e in mm.load(name).expect if e.kind != "trajectory"]
    looks = int(math.log2(MOST_SEEDS // MIN_SEEDS)) + 1
    assert len(statistics) * looks * FALSE_ALARM <= 1e-3


def test_means_over_runs_say_where_their_error_is_doubtful() -> None:
    noise = np.random.default_rng(1).normal(size=(2, 4000))
    steady = mean_over_runs(list(noise))
    assert abs(steady.value) < 4 * steady.error and 0.5 < steady.error * math.sqrt(8000) < 3.0
    assert not steady.short
    drift = mean_over_runs([np.linspace(0.0, 1.0, 30), np.linspace(0.1, 1.0, 30)])
    assert drift.short
    assert not mean_over_runs([np.linspace(0.0, k, 30) for k in range(8)]).short
    assert mean_over_runs([np.array([1.0]), np.array([3.0])]).error == 1.0
    assert math.isnan(mean_over_runs([np.array([1.0, np.nan])]).value)


def test_looks_are_no_part_of_what_verdicts_hang_on() -> None:
    model = mm.load("starlings")
    drawn = model.set({"flocks.falcons.look": {"colour": "blue", "shape": "fish", "scale": 1}})
    assert drawn != model
    assert flight_id(drawn) == flight_id(model)
    assert flight_id(model.set({"flocks.falcons.count": 2})) != flight_id(model)
    for one in model.expect:
        assert verdict_id(drawn, one) == verdict_id(model, one)
