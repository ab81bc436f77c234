"""The page of verdicts: what was simulated for it, and what it promises."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from cases import cases

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "docs"), str(ROOT / "benchmarks")]
import make_verdicts  # noqa: E402
import mutants as mutations  # noqa: E402
import verdicts as sets_of_seeds  # noqa: E402

ZOO = sorted(mm.zoo())
Flown = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def verdicts() -> Flown:
    return make_verdicts.current_verdicts()


@pytest.fixture(scope="module")
def mutants() -> Flown:
    return make_verdicts.current_mutants()


@pytest.mark.slow  # the mutants of all models
def test_the_page_is_made_of_what_was_flown(verdicts: Flown, mutants: Flown) -> None:
    assert make_verdicts.PAGE.read_text(encoding="utf-8") == make_verdicts.page(verdicts, mutants)


@cases("name", ZOO)
def test_every_flock_was_verified_with_twenty_other_sets_of_seeds(
    verdicts: Flown, name: str
) -> None:
    """As its file stands now: each statistic of the quick tier."""
    groups = verdicts[name]
    verified = {key for group in groups for key in group.split()}
    assert verified == set(sets_of_seeds.statistics(mm.load(name)))
    assert all(row["sets"] >= 20 for row in groups.values())


@cases("name", ZOO)
def test_no_flock_was_said_to_differ(verdicts: Flown, name: str) -> None:
    assert not any(one["verdicts"].get("differs") for one in verdicts[name].values())


@pytest.mark.slow
@cases("name", ZOO)
def test_every_mutant_was_tried(mutants: Flown, name: str) -> None:
    """As the flock's file stands now."""
    there = {one.change for one in mutations.mutants(mm.load(name))}
    assert set(mutants[name]) == there


@pytest.mark.slow
def test_most_mutants_are_noticed(mutants: Flown) -> None:
    total: Counter[str] = Counter()
    for flock in mutants.values():
        total.update(make_verdicts.counts(flock))
    assert total["quick"] >= 0.75 * total["mutants"]
    assert total["full"] >= 0.90 * total["mutants"]


@pytest.mark.slow
def test_what_survives_has_its_reason(mutants: Flown) -> None:
    left = make_verdicts.survivors(mutants)
    assert [one for one in left if not make_verdicts.reason(one)] == []


@pytest.mark.slow
@cases("name", ZOO)
def test_statistics_notice_every_rule(mutants: Flown, name: str) -> None:
    """A rule left out, of the other sign, doubled or halved: except where no statistic can."""
    left = make_verdicts.rule_survivors({name: mutants[name]})
    assert [one for one in left if not make_verdicts.rule_reason(one)] == [], (
        f"run: python benchmarks/mutants.py {name} --rules"
    )


def test_a_new_expectation_is_tried_only_with_what_none_noticed() -> None:
    """What noticed a mutant still does; what missed it leaves the question open."""
    statistics = mm.load("ucl").expect[2:4]
    first, second = statistics
    before: Any = {"trajectory": {}, "statistic": {"a": first}, "full": {}}
    after: Any = {**before, "statistic": {"a": first, "b": second}}
    noticed, missed = {"noticed": ["a"], "missed": []}, {"noticed": [], "missed": ["a"]}
    assert mutations.outcome(noticed, after)["statistic"]
    assert mutations.outcome(missed, before)["statistic"] is False
    assert "statistic" not in mutations.outcome(missed, after)
    assert "statistic" not in mutations.outcome({"noticed": ["gone"], "missed": ["a"]}, after)
    assert mutations.outcome({"same": True}, after) == {"same": True}


def test_mutants_of_rules() -> None:
    changes = [mutant.change for mutant in mutations.mutants(mm.load("vicsek-1995"))]
    assert [change for change in changes if mutations.is_of_a_rule(change)] == [
        "without rules.heading-alignment",
        "rules.heading-alignment.weight x -1",
        "rules.heading-alignment.weight x 2",
        "rules.heading-alignment.weight x 0.5",
    ]
