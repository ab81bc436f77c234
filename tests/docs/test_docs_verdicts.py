"""The page of verdicts: what was flown for it, and what it promises."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm

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


def test_the_page_is_made_of_what_was_flown(verdicts: Flown, mutants: Flown) -> None:
    assert make_verdicts.PAGE.read_text(encoding="utf-8") == make_verdicts.page(verdicts, mutants)


@pytest.mark.parametrize("name", ZOO)
def test_every_flock_was_verified_with_twenty_other_sets_of_seeds(
    verdicts: Flown, name: str
) -> None:
    """As its file stands now: each statistic of the quick tier."""
    groups = verdicts[name]
    flown = {key for group in groups for key in group.split()}
    assert flown == set(sets_of_seeds.statistics(mm.load(name)))
    assert all(row["sets"] >= 20 for row in groups.values())


@pytest.mark.parametrize("name", ZOO)
def test_no_flock_was_said_to_differ(verdicts: Flown, name: str) -> None:
    assert not any(one["verdicts"].get("differs") for one in verdicts[name].values())


@pytest.mark.parametrize("name", ZOO)
def test_every_mutant_was_tried(mutants: Flown, name: str) -> None:
    """As the flock's file stands now."""
    there = {one.change for one in mutations.mutants(mm.load(name))}
    assert set(mutants[name]) == there


def test_most_mutants_are_noticed(mutants: Flown) -> None:
    total: Counter[str] = Counter()
    for flock in mutants.values():
        total.update(make_verdicts.counts(flock))
    assert total["quick"] >= 0.75 * total["mutants"]
    assert total["full"] >= 0.90 * total["mutants"]


def test_what_survives_has_its_reason(mutants: Flown) -> None:
    left = make_verdicts.survivors(mutants)
    assert [one for one in left if not make_verdicts.reason(one)] == []
