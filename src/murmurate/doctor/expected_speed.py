"""Expected speeds: what the standard flocks flew at on one thread in the committed benchmarks,
as a range over releases and machines. `python benchmarks/history.py expected` writes the table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

MUCH = 2.0
"""Processors differ; what is slower than the range by more than this has a cause to look for."""


@dataclass(frozen=True)
class ExpectedSpeed:
    """The speeds that were measured of one standard flock on one thread.

    lowest, highest  boid-steps a second
    """

    lowest: float
    highest: float

    def compared(self, speed: float) -> str:
        """A speed beside the range, in a word or two."""
        if speed > self.highest:
            return "faster"
        if speed >= self.lowest:
            return "as expected"
        return "slower" if speed * MUCH >= self.lowest else "much slower"


@cache
def _table() -> dict[str, Any]:
    text = (resources.files("murmurate.doctor") / "expected_speeds.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def source() -> str:
    """Where the ranges come from, in words."""
    table = _table()
    first, last = table["releases"][0], table["releases"][-1]
    return f"murmurate {first} to {last} on {' and '.join(table['machines'])}, {table['source']}"


def expected_speed(flock: str) -> ExpectedSpeed:
    """The range of a standard flock. Raises KeyError for one that was not measured."""
    return ExpectedSpeed(*_table()["boid_steps_per_second"][flock])
