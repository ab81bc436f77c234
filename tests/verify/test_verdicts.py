"""Verdicts: intervals against published tables, the three verdicts, and the number of seeds."""

from __future__ import annotations

import json
import math
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.errors import ModelError
from murmurate.model.results import MIN_SEEDS
from murmurate.verify import Result, verify
from murmurate.verify.expectation_runs import (
    MAX_SEEDS,
    PlannedRun,
    options_of_run,
    simulate_rounds,
)
from murmurate.verify.figure_runs import mean_over_runs
from murmurate.verify.report import describe_verdicts
from murmurate.verify.verdict import (
    ALPHA_DIFFERS,
    clopper_pearson,
    judge,
    median_error,
    median_interval,
    run_id,
    student_interval,
    verdict_id,
)
from processes import LIMIT

ENSEMBLES = Path(__file__).parents[2] / "benchmarks" / "results" / "ensembles"


def expected(**changes: Any) -> mm.Expectation:
    return mm.Expectation(**({"measure": "speed", "step": 1} | changes))


def judged(values: list[float] | np.ndarray, **changes: Any) -> Result:
    runs = {seed: np.array([value]) for seed, value in enumerate(values)}
    return judge("a", expected(**changes), runs)


def test_student_agrees_with_tables() -> None:
    """t of 7 degrees of freedom: 2.3646 at 95%, 3.4995 at 99%; of 1: 12.706 at 95%."""
    values = np.array([1.0, -1.0] * 4)
    error = values.std(ddof=1) / math.sqrt(8)
    for alpha, t in ((0.05, 2.3646), (0.01, 3.4995)):
        low, high = student_interval(values + 5.0, alpha)
        assert high - 5.0 == pytest.approx(t * error, rel=1e-4) and low + high == pytest.approx(10)
    assert student_interval(np.array([0.0, 2.0]), 0.05)[1] == pytest.approx(1.0 + 12.706, rel=1e-4)
    assert student_interval(np.array([3.0]), 0.05) == (-math.inf, math.inf)


def test_clopper_pearson_agrees_with_tables() -> None:
    """None of 10: below 1 - 0.025^(1/10); 8 of 10: 0.4439 to 0.9748."""
    assert clopper_pearson(0, 10, 0.05) == (0.0, pytest.approx(1 - 0.025**0.1))
    assert clopper_pearson(10, 10, 0.05) == (pytest.approx(0.025**0.1), 1.0)
    assert clopper_pearson(8, 10, 0.05) == pytest.approx((0.4439, 0.9748), abs=1e-4)


def test_a_mean_is_judged_with_its_error() -> None:
    """Eight values of mean 0 and standard error 0.378: half widths 0.894 (95%) and 6.6."""
    values = np.array([1.0, -1.0] * 4)
    assert judged(values, low=-0.9, high=0.9).verdict == "agrees"
    assert judged(values, low=-0.9).verdict == "agrees"
    assert judged(values, low=-0.89, high=0.89).verdict == "not precise enough"
    assert judged(values, low=0.5, high=9.0).verdict == "not precise enough"
    assert judged(values, low=5.0).verdict == "not precise enough"
    assert judged(values, low=6.7).verdict == "differs"
    assert judged(np.tile(values, 8), low=0.8).verdict == "differs"  # 64 are enough, 8 are not
    result = judged(values, low=0.0)
    assert (result.value, result.flights) == (0.0, 8)
    assert result.error == pytest.approx(values.std(ddof=1) / math.sqrt(8))
    assert not result.agrees and not result.differs


def test_equal_values_are_certain() -> None:
    assert judged([1.0] * 8, low=1.0, high=1.0).verdict == "agrees"
    assert judged([1.0] * 8, value=1.1, tolerance=0.05).verdict == "differs"


def test_a_run_without_a_value_differs() -> None:
    for kind in ({}, {"kind": "share", "at_least": 0.0}):
        result = judged([1.0] * 7 + [math.nan], low=0.0, **kind)
        assert result.verdict == "differs" and math.isnan(result.value)


def test_a_share_counts_runs() -> None:
    share = {"kind": "share", "at_least": 0.98}
    assert judged([1.0] * 8, low=0.6, **share).verdict == "agrees"
    assert judged([1.0] * 8, low=0.7, **share).verdict == "not precise enough"  # 0.63 to 1
    assert judged([0.98] * 58 + [0.5] * 6, low=0.6, **share).value == 58 / 64
    assert judged([0.5] * 64, low=0.6, **share).verdict == "differs"
    assert judged([0.5] * 64, low=0.6, kind="share", at_most=0.5).verdict == "agrees"
    assert judged([0.5, 0.51], low=0.0, kind="share", at_most=0.5).value == 0.5


def test_a_median_is_judged_by_order_statistics() -> None:
    """95%: all of 8 values, the 24th to the 41st of 64. Runs far away do not move it."""
    values = np.arange(64.0) ** 3
    assert judged(values[:8], low=0.0, high=343.0, kind="median").verdict == "agrees"
    assert judged(values[:8], low=1.0, kind="median").verdict == "not precise enough"
    assert judged(values[:8], low=1e9, kind="median").verdict == "not precise enough"
    result = judged(values, low=23.0**3, high=40.0**3, kind="median")
    assert result.interval == (23.0**3, 40.0**3) and result.verdict == "agrees"
    assert result.value == np.median(values)
    assert judged(values, low=2e5, kind="median").verdict == "differs"
    random = np.random.default_rng(1)
    samples = np.sort(random.exponential(size=(2000, 8)), axis=1)
    ends = np.array([median_interval(x, 0.05) for x in samples])
    assert ((ends[:, 0] <= math.log(2)) & (ends[:, 1] >= math.log(2))).mean() > 0.95
    errors = [median_error(np.sort(x)) for x in random.normal(size=(500, 64))]
    assert np.mean(errors) == pytest.approx(math.sqrt(math.pi / 128), rel=0.1)


def test_a_known_difference_is_no_failure() -> None:
    result = judged([1.0] * 8, value=2.0, tolerance=0.1, known_difference="slower here")
    assert result.verdict == "known difference" and not result.differs and not result.agrees
    assert judged([2.0] * 8, value=2.0, tolerance=0.1, known_difference="slower").agrees
    assert describe_verdicts([result]) == "1 known difference"


def test_a_trajectory_has_no_error() -> None:
    exact = {"kind": "trajectory", "value": 1.0, "tolerance": 1e-7}
    assert judged([1.0 + 9e-8], **exact).verdict == "agrees"
    result = judged([1.0 + 2e-7], **exact)
    assert result.verdict == "differs" and math.isnan(result.error)


@pytest.mark.parametrize(
    ("changes", "message"),
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
def test_impossible_expectations(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        expected(**changes)


def test_seeds_of_runs() -> None:
    assert expected(low=0).run_seeds() == tuple(range(1, MIN_SEEDS + 1))
    assert expected(low=0).run_seeds(16, offset=100) == tuple(range(101, 117))
    assert expected(low=0, seeds=[5, 3]).run_seeds() == (5, 3, 6, 7, 8, 9, 10, 11)
    assert expected(low=0, seeds=range(20)).run_seeds() == tuple(range(20))
    exact = expected(kind="trajectory", value=1, tolerance=0)
    assert exact.run_seeds(64, offset=100) == (1,)
    assert exact.model_copy(update={"seeds": (4,)}).run_seeds(64, offset=100) == (4,)


class Alternating:
    """Runs whose value is 1 for odd seeds and -1 for even ones; `seeds` lists those simulated."""

    def __init__(self) -> None:
        self.seeds: list[int] = []

    def __call__(self, run: PlannedRun, stop: object) -> dict[int, np.ndarray]:
        seed = run.options.seed
        self.seeds.append(seed)
        return {number: np.array([1.0 if seed % 2 else -1.0]) for number in run.expectations}


def with_expectations(*expect: mm.Expectation) -> mm.Model:
    return mm.load("ucl").model_copy(update={"expect": expect})


@pytest.mark.parametrize(
    ("low", "flights", "verdict"),
    [(-1.0, 8, "agrees"), (-0.6, 16, "agrees"), (-0.3, 64, "agrees"), (0.05, 64, "not precise")],
)
def test_seeds_double_until_the_verdict_is_certain(low: float, flights: int, verdict: str) -> None:
    """Mean 0, standard deviation 1: half widths of 0.89, 0.55, 0.37 and 0.25."""
    simulate, calls = Alternating(), list[tuple[int, int]]()
    model = with_expectations(expected(low=low))
    (result,) = simulate_rounds(
        model, progress=lambda done, total: calls.append((done, total)), simulate=simulate
    )
    assert result.verdict.startswith(verdict) and result.flights == flights
    assert result.seeds == tuple(range(1, flights + 1))
    assert sorted(simulate.seeds) == list(range(1, flights + 1))  # none of them twice
    assert calls[0] == (1, 8) and calls[-1] == (flights, flights)
    (limited,) = simulate_rounds(model, max_seeds=8, simulate=simulate)
    assert limited.flights == 8


def test_only_undecided_statistics_get_more_seeds() -> None:
    simulate = Alternating()
    certain, uncertain = expected(low=-5.0), expected(low=-0.3, set={"dt": 0.5})
    model = with_expectations(certain, uncertain)
    results = simulate_rounds(model, seed_offset=7, simulate=simulate)
    assert [result.flights for result in results] == [8, 64]
    assert [result.seeds for result in results] == [tuple(range(8, 16)), tuple(range(8, 72))]
    assert sorted(simulate.seeds) == sorted([*range(8, 16), *range(8, 72)])


def test_an_interrupt_stops_all_runs() -> None:
    stopped: list[Event] = []

    def simulate(run: PlannedRun, stop: Event) -> dict[int, np.ndarray]:
        if run.options.seed == 1:
            raise KeyboardInterrupt
        assert stop.wait(LIMIT)
        stopped.append(stop)
        return {}

    with pytest.raises(KeyboardInterrupt):
        simulate_rounds(with_expectations(expected(low=0.0)), simulate=simulate)
    assert all(stop.is_set() for stop in stopped)


@pytest.mark.slow
def test_verify_takes_a_model_a_name_and_a_path(tmp_path: Path) -> None:
    model = mm.load("ucl")
    model = model.model_copy(update={"expect": model.expect[:1]})
    path = tmp_path / "ucl.toml"
    path.write_text(mm.to_toml(model), encoding="utf-8")
    assert verify(path) == verify(str(path)) == verify(model) != []
    with pytest.raises(ModelError, match="model: got a int"):
        verify(3)  # type: ignore[arg-type]


def test_runs_end_in_any_order() -> None:
    values = np.random.default_rng(1).normal(size=8)
    expectation = expected(low=-9.0)
    runs = {seed: np.array([value]) for seed, value in enumerate(values)}
    assert judge("a", expectation, runs) == judge("a", expectation, dict(reversed(runs.items())))


def test_the_zoo_raises_no_false_alarm() -> None:
    """The probability is below 1 in 1,000 for all statistics that depend on chance, judged four
    times each. The runs of many closed forms are equal."""
    chance = 0
    for path in ENSEMBLES.glob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines()[1:]:
            values = json.loads(line)["values"]
            chance += max(values) - min(values) > 1e-9 * max(1.0, *map(abs, values))
    rounds = int(math.log2(MAX_SEEDS // MIN_SEEDS)) + 1
    assert 100 < chance <= 1e-3 / (rounds * ALPHA_DIFFERS)


def test_means_over_runs_state_an_unreliable_error() -> None:
    noise = np.random.default_rng(1).normal(size=(2, 4000))
    steady = mean_over_runs(list(noise))
    assert abs(steady.value) < 4 * steady.error and 0.5 < steady.error * math.sqrt(8000) < 3.0
    assert not steady.short
    drift = mean_over_runs([np.linspace(0.0, 1.0, 30), np.linspace(0.1, 1.0, 30)])
    assert drift.short
    assert not mean_over_runs([np.linspace(0.0, k, 30) for k in range(8)]).short
    assert mean_over_runs([np.array([1.0]), np.array([3.0])]).error == 1.0
    assert math.isnan(mean_over_runs([np.array([1.0, np.nan])]).value)


def test_looks_do_not_change_the_ids_of_verdicts() -> None:
    model = mm.load("starlings")
    drawn = model.set({"flocks.falcons.look": {"colour": "blue", "shape": "fish", "scale": 1}})
    assert drawn != model
    assert run_id(drawn) == run_id(model)
    assert run_id(model.set({"flocks.falcons.count": 2})) != run_id(model)
    for expectation in model.expect:
        assert verdict_id(drawn, expectation) == verdict_id(model, expectation)


def test_single_precision_is_no_difference() -> None:
    """Rounding widens bounds a little; beyond that a statistic differs, and a trajectory is not
    precise enough."""
    exact = {"value": 7.0, "tolerance": 1e-9}
    near, far = np.array([7.00001]), np.array([7.1])
    for kind, verdict in (("trajectory", "not precise enough"), ("mean", "differs")):
        statistic = expected(**exact, kind=kind)
        assert judge("a", statistic, dict.fromkeys(range(8), near)).verdict == "differs"
        assert judge("a", statistic, dict.fromkeys(range(8), near), single=True).agrees
        assert judge("a", statistic, dict.fromkeys(range(8), far), single=True).verdict == verdict


def test_only_engines_without_double_precision_are_judged_in_single() -> None:
    """Verdicts of all other engines have the bounds of the model's file."""
    precisions = {engine: options_of_run(engine, 1).dtype for engine in ("cpu", "reference", "gpu")}
    assert precisions == {"cpu": "float64", "reference": "float64", "gpu": "float32"}
