"""murmurate tasks: what it prints, and what it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest


def test_what_is_no_task(murmurate: Any) -> None:
    ran = murmurate("tasks", "shepard")
    assert ran.code == 2 and ran.errors == ["no task named 'shepard': did you mean 'shepherd'?"]
    ran = murmurate("tasks", "lead", "--seeds", 1)
    assert ran.code == 2 and ran.errors == ["--seeds: got 1; expected at least 2"]


@pytest.mark.slow
def test_a_task_is_played(murmurate: Any) -> None:
    (row,) = json.loads(murmurate("tasks", "shepherd", "--seeds", 2, "--json").out)
    assert row["flock"] == "strombom-2014" and row["agents"] == 1
    assert row["rule"] > row["random"] + 100
    lines = murmurate("tasks", "shepherd", "--seeds", 2).out.splitlines()
    assert lines[0].split()[0] == "task" and lines[1].startswith("shepherd")
    assert f"{row['rule']:.1f} ± {row['rule_band']:.1f}" in lines[1]
