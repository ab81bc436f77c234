"""The page of verdicts: what was flown for it, and what it promises."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

import murmurate as mm

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "docs"), str(ROOT / "benchmarks")]
import make_verdicts  # noqa: E402
import mutants as mutations  # noqa: E402

ZOO = sorted(mm.zoo())
VERDICTS = make_verdicts.flown_verdicts()
MUTANTS = make_verdicts.flown_mutants()


def test_the_page_is_made_of_what_was_flown() -> None:
    assert make_verdicts.PAGE.read_text(encoding="utf-8") == make_verdicts.page(VERDICTS, MUTANTS)


@pytest.mark.parametrize("name", ZOO)
def test_every_flock_was_verified_with_twenty_other_sets_of_seeds(name: str) -> None:
    """As its file stands now."""
    assert len(VERDICTS[name]) >= 20


@pytest.mark.parametrize("name", ZOO)
def test_no_flock_was_said_to_differ(name: str) -> None:
    assert not any(one["verdicts"].get("differs") for one in VERDICTS[name].values())


@pytest.mark.parametrize("name", ZOO)
def test_every_mutant_was_tried(name: str) -> None:
    """As the flock's file stands now."""
    there = {one.change for one in mutations.mutants(mm.load(name))}
    assert set(MUTANTS[name]) == there


def test_most_mutants_are_noticed() -> None:
    total: Counter[str] = Counter()
    for flock in MUTANTS.values():
        total.update(make_verdicts.counts(flock))
    assert total["quick"] >= 0.75 * total["mutants"]
    assert total["full"] >= 0.90 * total["mutants"]


def test_what_survives_has_its_reason() -> None:
    left = make_verdicts.survivors(MUTANTS)
    assert [one for one in left if not make_verdicts.reason(one)] == []
