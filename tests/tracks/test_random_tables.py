"""Random tables of known tracks are read rightly, refused, or noted: never silently wrong.

`python tests/tracks/random_tables.py 0 6000` prints how many of a range of seeds are.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from random_tables import judge


@pytest.mark.parametrize(
    ("first", "count"),
    [
        (0, 40),
        pytest.param(40, 300, marks=pytest.mark.slow),
        pytest.param(340, 1200, marks=pytest.mark.long),
    ],
)
def test_random_tables_are_never_silently_wrong(first: int, count: int, tmp_path: Path) -> None:
    verdicts: Counter[str] = Counter()
    for seed in range(first, first + count):
        verdict, table, reason = judge(seed, tmp_path / "t.csv")
        assert verdict != "wrong", f"seed {seed}, {table.words}: {reason}"
        verdicts[verdict] += 1
    assert verdicts["right"] > count / 3 and verdicts["refused"] < count / 2
