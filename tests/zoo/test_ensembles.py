"""Bounds of the zoo's files beside the ensembles of flights that they rest on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.measures.estimate import t_factor
from murmurate.verify.verdict import judge, statistic_id

FOLDER = Path(__file__).parents[2] / "benchmarks" / "results" / "ensembles"
ZOO = sorted(mm.zoo())
MANY = 64


def ensembles(name: str) -> dict[str, Any]:
    lines = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return {entry.pop("statistic"): entry for entry in map(json.loads, lines)}


def statistics(model: mm.Model, tier: str) -> list[mm.Expectation]:
    return [e for e in model.expect if e.kind != "trajectory" and e.tier == tier]


def two_kinds(values: np.ndarray) -> bool:
    """Whether two or more of them lie apart from the others by a third of all their range."""
    gaps = np.diff(np.sort(values))[1:-1]
    return bool(gaps.max() > (values.max() - values.min()) / 3 > 1e-9)


@pytest.mark.parametrize("name", ZOO)
def test_bounds_hold_the_ensemble(name: str) -> None:
    """Every statistic of the quick tier was flown with 64 seeds or more, that verify does not use,
    and they agree with its bounds."""
    model, known = mm.load(name), ensembles(name)
    for one in statistics(model, "quick"):
        found = known[statistic_id(model, one)]
        values = np.array(found["values"])
        assert len(values) >= MANY, one.why
        seeds = range(found["first_seed"], found["first_seed"] + len(values))
        assert not set(seeds) & set(one.run_seeds(MANY))
        result = judge(name, one, {seed: values[k : k + 1] for k, seed in enumerate(seeds)})
        assert result.verdict == ("known difference" if one.known_difference else "agrees"), result
        assert one.kind in ("median", "share") or not two_kinds(values), one.why


@pytest.mark.parametrize("name", ZOO)
def test_intervals_of_means_contain_the_mean(name: str) -> None:
    """At least nine in ten 95% intervals, of runs drawn from the ensemble. Others are medians."""
    model, known = mm.load(name), ensembles(name)
    random = np.random.default_rng(1)
    both = [*statistics(model, "quick"), *statistics(model, "full")]
    for one in (e for e in both if e.kind == "mean"):
        values = np.array(known.get(statistic_id(model, one), {"values": [0.0]})["values"])
        if values.std() > 1e-6 * abs(values.mean()):  # a closed form without chance does not vary
            runs = random.choice(values, (1000, len(one.run_seeds())))
            error = runs.std(axis=1, ddof=1) / np.sqrt(runs.shape[1])
            half_width = t_factor(runs.shape[1] - 1, 0.05) * error
            missed = abs(runs.mean(axis=1) - values.mean()) > half_width
            assert missed.mean() < 0.12, (one.measure, one.why, missed.mean())


@pytest.mark.parametrize("name", ZOO)
def test_no_ensemble_is_of_what_is_no_longer_expected(name: str) -> None:
    model = mm.load(name)
    assert set(ensembles(name)) <= {statistic_id(model, one) for one in model.expect}


@pytest.mark.parametrize("name", ZOO)
def test_bounds_of_our_own_are_tight(name: str) -> None:
    """A window that is ours is at most four standard deviations of a flight wide."""
    model, known = mm.load(name), ensembles(name)
    for one in statistics(model, "quick"):
        low, high = one.bounds()
        spread = float(np.std(known[statistic_id(model, one)]["values"], ddof=1))
        window = one.low is not None and one.high is not None
        if one.kind == "mean" and one.origin == "checked" and window and spread > 1e-9:
            assert high - low <= 4 * spread, one.why
