"""Obstacles as candidates, each at its nearest surface point."""

from __future__ import annotations

from murmurate.codegen.candidates.search import Search
from murmurate.codegen.plan import RulePlan
from murmurate.codegen.sensing_text import SensingText


class Obstacles(Search):
    """The obstacles that a rule senses."""

    page = "obstacles"

    def range(self, sensing: SensingText, rule: RulePlan) -> str:
        """Return the rows of `obstacles` that a rule senses."""
        if len(rule.obstacles) == len(sensing.text.model.obstacles):
            return "range(obstacles.shape[0])"
        return f"({', '.join(map(str, rule.obstacles))},)"
