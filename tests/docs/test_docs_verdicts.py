"""The page of verdicts: it is made of what was flown, and no verdict there is wrong."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "docs"), str(ROOT / "benchmarks")]
import make_verdicts  # noqa: E402


@pytest.fixture(scope="module")
def verdicts() -> dict[str, Any]:
    return make_verdicts.flown_verdicts()


@pytest.fixture(scope="module")
def mutants() -> dict[str, Any]:
    return make_verdicts.flown_mutants()


def test_the_page_is_made_of_what_was_flown(
    verdicts: dict[str, Any], mutants: dict[str, Any]
) -> None:
    made = make_verdicts.page(verdicts, mutants)
    assert make_verdicts.PAGE.read_text(encoding="utf-8") == made


def test_no_flock_was_said_to_differ(verdicts: dict[str, Any]) -> None:
    found = [one["verdicts"] for sets in verdicts.values() for one in sets.values()]
    assert len(found) > 100
    assert not any(one.get("differs") for one in found)


def test_most_mutants_are_noticed(mutants: dict[str, Any]) -> None:
    total: Counter[str] = Counter()
    for flock in mutants.values():
        total.update(make_verdicts.counts(flock))
    assert total["mutants"] > 300
    assert total["quick"] >= 0.75 * total["mutants"]
    assert total["full"] >= 0.90 * total["mutants"]


def test_what_survives_has_its_reason(mutants: dict[str, Any]) -> None:
    left = make_verdicts.survivors(mutants)
    assert [one for one in left if not make_verdicts.reason(one)] == []
