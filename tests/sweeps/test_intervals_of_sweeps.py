"""Tables of sweeps say what their errors are, and have intervals by Student's t."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from murmurate.cli.sweep import describe_errors
from murmurate.measures import over_seeds
from murmurate.plots.sweeps import half_interval
from murmurate.sweeps.table import point_rows, value_label

PLAN: Any = SimpleNamespace(vary={"rules.a.weight": [1.0]}, measures=("speed",), record=False)


def records(means: list[float | None], **measured: Any) -> list[dict[str, Any]]:
    summary = {"error": 0.3, "last": 1.0, "independent": 20.0, "short": False, **measured}
    return [
        {"index": k, "point": 0, "repeat": k, "seed": k, "values": {"rules.a.weight": 1.0},
         "measures": {"speed": {"mean": mean, **summary}}}
        for k, mean in enumerate(means)
    ]  # fmt: skip


def test_eight_seeds_have_the_interval_of_eight_seeds():
    """2.36 standard errors to each side, where 1.96 hold the mean in 91 of 100 cases."""
    means = np.random.default_rng(0).normal(size=8).tolist()
    (row,) = point_rows(PLAN, records(means))
    want = over_seeds(means)
    assert (row["speed"], row["speed_error"]) == (want.value, want.error)
    assert (row["speed_low"], row["speed_high"]) == want.interval()
    assert (row["speed_high"] - row["speed"]) / row["speed_error"] == pytest.approx(
        2.3646, rel=1e-4
    )
    assert half_interval(row, "speed") == pytest.approx(2.3646 * want.error, rel=1e-4)
    assert "over 8 runs; 95% intervals are ± 2.36 of them (Student's t)" in describe_errors([row])


def test_coverage_of_tables():
    """Of 2,000 settings of eight seeds each, 95% of intervals hold the mean, within 3.3 standard
    deviations of their number; 91% lie within 1.96 errors, eight below."""
    random, covered, near = np.random.default_rng(1), 0, 0
    for _ in range(2000):
        (row,) = point_rows(PLAN, records(random.normal(3.0, 1.0, 8).tolist()))
        covered += row["speed_low"] <= 3.0 <= row["speed_high"]
        near += abs(row["speed"] - 3.0) <= 1.96 * row["speed_error"]
    tight = 3.3 * math.sqrt(0.95 * 0.05 / 2000)
    assert covered / 2000 == pytest.approx(0.95, abs=tight)
    assert near / 2000 < 0.95 - tight


def test_one_seed_has_the_interval_of_its_run():
    """By the freedom of its own memory; records without it have an error and no interval."""
    (row,) = point_rows(PLAN, records([1.0], freedom=4.0))
    assert row["speed_error"] == 0.3
    assert row["speed_high"] - 1.0 == pytest.approx(2.7764 * 0.3, rel=1e-4)
    assert "of one run by its autocorrelation" in describe_errors([row])
    (old,) = point_rows(PLAN, records([1.0]))
    assert (old["speed_error"], old["speed_low"], old["speed_high"]) == (0.3, None, None)
    assert math.isnan(half_interval(old, "speed"))
    (none,) = point_rows(PLAN, records([None, None]))
    assert (none["speed"], none["speed_low"]) == (None, None)


def test_settings_of_unequal_numbers_of_runs():
    rows = [{"runs": 2}, {"runs": 8}, {"runs": 1}]
    assert "over 1 to 8 runs" in describe_errors(rows)
    assert "± 2.36 of them" in describe_errors([{"runs": 8}]) and "12.7" in describe_errors(
        [{"runs": 2}]
    )


def test_labels_of_values():
    assert [value_label(value) for value in (True, 0.5, 3, "grid")] == ["true", "0.5", "3", "grid"]
