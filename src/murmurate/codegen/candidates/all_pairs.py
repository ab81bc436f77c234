"""All boids of a flock as candidates."""

from __future__ import annotations

from collections.abc import Mapping

from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import FlockPlan
from murmurate.codegen.sensing_text import SensingText

MAX_PARTS = 1024  # into which columns are cut


class AllPairs(Search):
    """Every boid of a flock is compared with every other. Boids in no cell are swept in parts of
    columns."""

    page = "all_pairs"
    kernel = "whole"
    addresses = "stage_kernels"
    boids_are = "swept whole"

    def sweeps(self, layout: Layout, flock: FlockPlan) -> bool:
        return flock.flock not in layout.gridded

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        return {"parts + 1": 2 if memory.fixed else MAX_PARTS + 1}

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        max_parts = 1 if memory.fixed else MAX_PARTS
        return {"parts": [layout.in_cells, layout.boids], "max_parts": [max_parts]}

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        return ("parts",)

    def kind_test(self, sensing: SensingText, sensed: str) -> str:
        """Return the condition that picks a flock's boids among the columns swept for it."""
        layout = sensing.text.layout
        several = sensed in layout.gridded and layout.several
        return f"(flock_index[j] == {sensing.text.kind(sensed)})" if several else ""
