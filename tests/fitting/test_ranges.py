"""Ranges of settings that are as good, and numbers that the objective does not determine.

Objectives are known functions.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable

import numpy as np
import pytest

import murmurate as mm
from murmurate.fitting.fit_plan import FitPlan
from murmurate.fitting.objective import ComparedMeasure
from murmurate.fitting.ranges import Varied, groups, min_settings, ranges, remarks
from murmurate.fitting.report import Fit
from murmurate.fitting.search import Search, evolve, probe, refine

Objective = Callable[[np.ndarray], float]
MET = ComparedMeasure("speed", 1.0, 0.1, 1.05, 0.1, fitted=True)
NOT_ENOUGH = "not enough settings tried to give a range"


class FunctionSearch(Search):
    """A search whose objective is a function of the numbers."""

    def __init__(self, plan: FitPlan, function: Objective) -> None:
        super().__init__(plan, None, None)  # type: ignore[arg-type]
        self.function = function

    def evaluate(self, batch):
        return [float(self.function(np.array(list(values.values()), float))) for values in batch]


def search_ranges(
    function: Objective, numbers: int, evaluations: int, seed: int = 0
) -> list[Varied]:
    """Return the ranges from a search of [0, 1] in each of `numbers` numbers p0, p1, ..."""
    vary = {f"p{k}": (0.0, 1.0) for k in range(numbers)}
    plan = FitPlan("", "it", vary, {"speed": (1, 1)}, {}, evaluations=evaluations, seed=seed)
    search = FunctionSearch(plan, function)
    evolve(plan, search)
    if plan.refining:
        refine(plan, search)
    if plan.probing:
        probe(plan, search)
    best, smallest = min(search.tried, key=lambda entry: entry[1])
    assert len(search.tried) <= search.total + 3
    return ranges(vary, search.tried, best, smallest, search.around)


def make_fit(varied: list[Varied]) -> Fit:
    return Fit("it", mm.load("ucl"), varied, [MET], 0.5, 60, 120)


def undetermined(varied: list[Varied]) -> list[str]:
    return [entry.path for entry in varied if entry.undetermined]


def bowl(x: np.ndarray) -> float:
    return float((((x - 0.4) / 0.05) ** 2).sum())


def flat(x: np.ndarray) -> float:
    """p1 makes no difference: as the radius of attraction of a cohesive flock."""
    return ((x[0] - 0.4) / 0.05) ** 2


def ridge(x: np.ndarray) -> float:
    """Only p0 + p1 makes a difference."""
    return ((x[0] + x[1] - 0.9) / 0.03) ** 2


def product(x: np.ndarray) -> float:
    """Only p0 p1 makes a difference: a curve."""
    return ((x[0] * x[1] - 0.25) / 0.02) ** 2


def plane(x: np.ndarray) -> float:
    """Only p0 + p1 + p2 makes a difference."""
    return ((x.sum() - 1.4) / 0.03) ** 2


def flat_above(x: np.ndarray) -> float:
    """p1 makes no difference above 0.35."""
    return flat(x) + (max(0.0, 0.35 - x[1]) / 0.05) ** 2


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("evaluations", [60, 150, 300, 900])
def test_a_number_without_effect_is_named(evaluations, seed):
    """At every length of search, whether or not it supports ranges."""
    varied = search_ranges(flat, 2, evaluations, seed)
    assert undetermined(varied) == ["p1"] and not groups(varied)
    text = "\n".join(remarks(varied))
    assert "p1 is not determined by these measures" in text and "p0 is" not in text
    fit = make_fit(varied)
    assert fit.not_determined == ["p1"] and "p1 is not determined" in repr(fit)
    assert "p1 is not determined" in fit._repr_html_()
    assert fit.to_dict()["varied"]["p1"]["not_determined"] is True
    assert "p1 is not determined" in fit.to_dict()["remarks"][-1]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("function", "evaluations"), [(ridge, 300), (product, 600)])
def test_numbers_of_which_a_combination_counts_are_named(function, evaluations, seed):
    varied = search_ranges(function, 2, evaluations, seed)
    assert groups(varied) == [("p0", "p1")]
    fit = make_fit(varied)
    assert fit.determined_together == [("p0", "p1")]
    assert "p0, p1 are not determined one by one" in repr(fit)
    assert fit.to_dict()["varied"]["p0"]["together"] == ["p1"]


@pytest.mark.parametrize("seed", range(3))
def test_three_numbers_of_which_a_sum_counts_are_named(seed):
    assert groups(search_ranges(plane, 3, 900, seed)) == [("p0", "p1", "p2")]


@pytest.mark.parametrize("seed", range(3))
def test_a_number_without_an_upper_limit_is_named(seed):
    varied = search_ranges(flat_above, 2, 300, seed)
    assert varied[1].no_limit == ("upper",) and varied[0].no_limit == ()
    assert not undetermined(varied)
    assert "p1 has no upper limit by these measures" in "\n".join(remarks(varied))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("numbers", "evaluations"), [(1, 300), (2, 300), (4, 600), (8, 1000)])
def test_numbers_that_are_determined_are_not_named(numbers, evaluations, seed):
    """Their ranges are near the true ones: 0.35 to 0.45."""
    varied = search_ranges(bowl, numbers, evaluations, seed)
    assert not undetermined(varied) and not groups(varied)
    for entry in varied:
        assert entry.supporting >= entry.needed == min_settings(numbers) and entry.no_limit == ()
        assert entry.has_range and entry.from_ < 0.4 < entry.to
        assert entry.from_ > 0.3 and entry.to < 0.5 and entry.to - entry.from_ > 0.04


@pytest.mark.parametrize("seed", range(3))
def test_a_short_search_has_no_ranges(seed):
    """60 settings for 8 numbers are too few: it says how many there are and how many it needs."""
    varied = search_ranges(bowl, 8, 60, seed)
    fit = make_fit(varied)
    for entry in varied:
        assert (
            math.isnan(entry.from_)
            and math.isnan(entry.to)
            and entry.supporting < entry.needed == 80
        )
    text = f"{NOT_ENOUGH}: {varied[0].supporting} of 80 needed; use more evaluations"
    assert text in repr(fit) and text in fit._repr_html_() and text in fit.to_dict()["remarks"]
    assert "as good: at least" not in repr(fit)
    data = json.loads(fit.to_json(), parse_constant=lambda word: pytest.fail(word))
    assert data["varied"]["p0"]["as_good"] is None
    assert data["varied"]["p0"]["supporting"] == varied[0].supporting


def settings(values: list[float], other: float = 0.5) -> list[tuple[dict[str, float], float]]:
    return [({"p0": x, "p1": other}, 0.0) for x in values]


@pytest.mark.parametrize("count", [1, 2, 19, 20, 500])
def test_a_single_point_is_no_range(count):
    """18.139 to 18.139 was printed, of a search that ended there."""
    tried = settings([18.139] * count)
    varied = ranges({"p0": (10, 25), "p1": (0, 1)}, tried, tried[0][0], 0.0)
    assert varied[0].supporting == 1 and not varied[0].has_range
    assert f"{NOT_ENOUGH}: 1 of 20 needed" in repr(make_fit(varied))
    assert "18.14 to" not in repr(make_fit(varied))


def test_many_settings_that_are_alike_count_once():
    """A simplex that closed in on the best, and one setting elsewhere."""
    values = [18.139 + 1e-3 * k for k in range(100)]
    tried = settings([*values, 22.0])
    (entry, _) = ranges({"p0": (10, 25), "p1": (0, 1)}, tried, tried[0][0], 0.0)
    assert entry.supporting <= 3 and not entry.has_range


def test_a_whole_number_of_one_value_has_no_range():
    """30 settings that are as good differ in p1 alone."""
    tried = [({"p0": 20, "p1": k / 30}, 0.0) for k in range(30)]
    varied = ranges({"p0": (10, 25), "p1": (0, 1)}, tried, tried[7][0], 0.0)
    assert not varied[0].has_range and varied[1].has_range and varied[1].supporting == 30
    assert undetermined(varied) == ["p1"]
    assert "p0: all 30 settings that are as good have about 20" in remarks(varied)


def test_settings_that_are_not_as_good_support_nothing():
    tried = [({"p0": k / 40}, 0.0 if k < 12 else 1.01) for k in range(40)]
    (entry,) = ranges({"p0": (0.0, 1.0)}, tried, tried[3][0], 0.0)
    assert (entry.supporting, entry.from_, entry.to) == (12, 0.0, 11 / 40)
    assert entry.no_limit == ("lower",)


@pytest.mark.parametrize("number", range(40))
def test_random_searches(number):
    """Quadratic objectives of 1 to 5 numbers, turned or stretched, some without effect; searches
    short and long. No point is printed as a range, no range on too few settings, none as a
    confidence interval. A number without effect is named where the search is long enough to probe.
    """
    random = np.random.default_rng(number)
    numbers = int(random.integers(1, 6))
    centre = random.uniform(0.2, 0.8, numbers)
    scales = 10.0 ** random.uniform(-3, -0.5, numbers)
    no_effect = random.uniform(size=numbers) < 0.25
    axes = np.eye(numbers)
    if random.uniform() < 0.5 and not no_effect.any():
        axes = np.linalg.qr(random.normal(size=(numbers, numbers)))[0]

    def function(x: np.ndarray) -> float:
        away = axes @ (x - centre) / scales
        return float((np.where(no_effect, 0.0, away) ** 2).sum())

    evaluations = int(random.choice([5, 20, 60, 150, 400]))
    varied = search_ranges(function, numbers, evaluations, number)
    fit = make_fit(varied)
    for entry in varied:
        assert entry.needed == min_settings(numbers)
        if entry.has_range:
            assert entry.supporting >= entry.needed
            assert (
                entry.low <= entry.from_ <= entry.best <= entry.to <= entry.high
                and entry.from_ < entry.to
            )
        else:
            assert math.isnan(entry.to)
    text = repr(fit) + "\n".join(fit.remarks) + fit.to_json()
    for low, high in re.findall(r"at least (\S+) to (\S+)", text):
        assert low != high
    assert (NOT_ENOUGH in text) == (varied[0].supporting < varied[0].needed)
    assert "confidence" not in text.replace("no confidence interval", "")
    reported = set(undetermined(varied))
    probed = evaluations >= 20 * numbers
    if probed:
        assert reported >= {f"p{k}" for k in np.flatnonzero(no_effect)}
    if (
        not no_effect.any()
        and (scales < 0.1).all()
        and axes is not None
        and (axes == np.eye(numbers)).all()
    ):
        assert not reported


def test_a_fit_of_few_settings_says_so():
    """Through all of it: a model whose speed is fitted, and a number that has no effect on it."""
    model = mm.load("vicsek-1995").set({"flocks.boids.count": 20, "space.size": [3.0, 3.0]})
    speed, noise = "flocks.boids.motion.speed", "flocks.boids.motion.noise"
    fit = mm.fit(
        model, {"speed": (0.03, 0.001)}, ["speed"], {speed: (0.01, 0.1), noise: (0.5, 5.0)},
        evaluations=60, seeds=1, steps=12, warm_up=2, every=5,
    )  # fmt: skip
    assert fit.not_determined == [noise]
    assert f"{noise} is not determined by these measures" in repr(fit)
    few = mm.fit(
        model, {"speed": (0.03, 0.001)}, ["speed"], {speed: (0.01, 0.1)},
        evaluations=5, seeds=1, steps=12, warm_up=2, every=5,
    )  # fmt: skip
    assert NOT_ENOUGH in repr(few) and not few.varied[0].has_range


@pytest.mark.parametrize(("numbers", "part"), [(1, 0.85), (2, 0.83), (4, 0.78), (8, 0.70)])
def test_how_much_of_a_region_enough_settings_span(numbers, part):
    """Settings spread evenly over an ellipsoid: those needed span that part of its width."""
    random, spans = np.random.default_rng(0), []
    for _ in range(1000):
        x = random.normal(size=(min_settings(numbers), numbers))
        x /= np.linalg.norm(x, axis=1, keepdims=True)
        x *= random.uniform(size=(len(x), 1)) ** (1 / numbers)
        spans.append(np.ptp(x[:, 0]) / 2)
    assert np.mean(spans) == pytest.approx(part, abs=0.01)
