"""Boids whose Voronoi cells touch as candidates. Engines find them once a step."""

from __future__ import annotations

from collections.abc import Mapping

from murmurate.codegen.argument import Argument
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import RulePlan
from murmurate.codegen.sensing_text import SensingText


class Voronoi(Search):
    """The boids whose Voronoi cells touch that of a boid."""

    page = "voronoi"
    arguments = (
        Argument(
            "voronoi_offsets", "int64", ("tessellations", "boids + 1"), "where a boid's links begin"
        ),
        Argument("voronoi_links", "int64", ("links",), "columns of boids with touching cells"),
    )

    def phases(self, layout: Layout) -> tuple[str, ...]:
        return ("ASK",) if layout.plan.tessellations and layout.gridded else ()

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        return {"tessellations": 0, "boids + 1": 0, "links": 0}  # engines put arrays of other sizes

    def test(self, sensing: SensingText, rule: RulePlan) -> str:
        """Return the condition that a rule senses a neighbour's flock; '' where it senses all."""
        text = sensing.text
        if set(rule.senses) == set(text.plan.tessellations[rule.tessellation]):
            return ""
        return f"({' | '.join(f'(flock_index[j] == {text.kind(name)})' for name in rule.senses)})"
