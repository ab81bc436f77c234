"""All kinds of search for candidates, and what they declare together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from murmurate.codegen.candidates.cell_functions import MAX_CELLS_PER_AXIS, max_cells
from murmurate.codegen.candidates.cells import Cells
from murmurate.codegen.candidates.nearest import Nearest, nearest_groups
from murmurate.codegen.candidates.search import Argument, Memory, Search
from murmurate.codegen.candidates.visible import Visible, view_groups
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import FlockPlan, RulePlan
from murmurate.codegen.template_values import NumbaSensing

MAX_PARTS = 1024  # into which columns are cut


class AllPairs(Search):
    """Each boid is compared with all boids of a flock. Ungridded boids are processed in parts of
    columns."""

    template = "all_pairs"
    kernel = "all_pairs"
    addresses = "stage_kernels"
    boids_are = "in all pairs"

    def sweeps(self, layout: Layout, flock: FlockPlan) -> bool:
        return flock.flock not in layout.gridded

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        return {"parts + 1": 2 if memory.fixed else MAX_PARTS + 1}

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        max_parts = 1 if memory.fixed else MAX_PARTS
        return {"parts": [layout.n_gridded, layout.n_boids], "max_parts": [max_parts]}

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        return ("parts",)

    def flock_test(self, sensing: NumbaSensing, sensed: str) -> str:
        """Return the condition that a column holds a boid of the sensed flock."""
        layout = sensing.text.layout
        several = sensed in layout.gridded and layout.several_flocks
        return f"(flock_index[j] == {sensing.text.flock_index(sensed)})" if several else ""


class Voronoi(Search):
    """Boids whose Voronoi cells touch that of a boid. Engines find them once a step."""

    template = "voronoi"
    arguments = (
        Argument(
            "voronoi_offsets", "int64", ("tessellations", "boids + 1"), "first link of a boid"
        ),
        Argument("voronoi_links", "int64", ("links",), "columns of boids with touching cells"),
    )

    def phases(self, layout: Layout) -> tuple[str, ...]:
        return ("CALL_PYTHON",) if layout.plan.tessellations and layout.gridded else ()

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        return {"tessellations": 0, "boids + 1": 0, "links": 0}  # engines put arrays of their sizes

    def test(self, sensing: NumbaSensing, rule: RulePlan) -> str:
        """Return the condition that a rule senses a neighbour's flock; '' for all flocks."""
        text = sensing.text
        if set(rule.senses) == set(text.plan.tessellations[rule.tessellation]):
            return ""
        tests = (f"(flock_index[j] == {text.flock_index(name)})" for name in rule.senses)
        return f"({' | '.join(tests)})"


class Totals(Search):
    """All boids of a flock as one candidate at their mean: sums are taken once a step."""

    template = "totals"
    arguments = (
        Argument("totals", "float64", ("flocks", "2 axes"), "sums over each flock"),
        Argument("layer_sums", "float64", ("flocks", "2 axes"), "sums over a layer of the grid"),
        Argument(
            "sums_by_layer", "float64", ("layers", "flocks", "2 axes"), "sums over each layer"
        ),
    )

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        if memory.fixed:
            return {"layers": 0}
        shared = layout.plan.has_totals and layout.gridded and memory.threads > 1
        return {"layers": min(max_cells(layout.n_gridded) if shared else 0, MAX_CELLS_PER_AXIS) + 1}

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        return {"has_totals": [layout.plan.has_totals]}

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.arguments)

    def flocks(self, sensing: NumbaSensing) -> list[str]:
        """Return the flocks whose totals rules need."""
        text = sensing.text
        sensed = {flock for _, flock, how in text.layout.senses() if how == "totals"}
        return [name for name in text.flocks if name in sensed]

    def mean(self, sensing: NumbaSensing, sensed: str, letters: str, without: bool) -> str:
        """Return the mean position ('xyz', relative to the boid) or velocity ('uvw') of a flock.

        without  whether the boid itself is left out
        """
        text, means = sensing.text, []
        for k, c in enumerate(letters):
            if k >= text.dims:
                means.append("real(0.0)")
                continue
            row = k + (text.dims if letters == "uvw" else 0)
            own = f" - {c}" if without else ""
            less = f" - {c}" if letters == "xyz" else ""
            means.append(f"real((totals[{text.flock_index(sensed)}, {row}]{own}) * each{less})")
        return ", ".join(means)


class Obstacles(Search):
    """Obstacles, each at its nearest surface point, or beside the impact of the boid's path."""

    template = "obstacles"

    def range(self, sensing: NumbaSensing, rule: RulePlan) -> str:
        """Return the rows of `obstacles` that a rule senses."""
        if len(rule.obstacles) == len(sensing.text.model.obstacles):
            return "range(obstacles.shape[0])"
        return f"({', '.join(map(str, rule.obstacles))},)"


CELLS, ALL_PAIRS, NEAREST, VISIBLE = Cells(), AllPairs(), Nearest(), Visible()
VORONOI, TOTALS, OBSTACLES = Voronoi(), Totals(), Obstacles()

SEARCHES: tuple[Search, ...] = (CELLS, ALL_PAIRS, NEAREST, VISIBLE, VORONOI, TOTALS, OBSTACLES)
"""In the order in which kernels add up what they find."""

SWEEPS: tuple[Search, ...] = (ALL_PAIRS, CELLS)
"""Those with kernels of their own, in the order of a module."""


def needs_ids(flocks: Iterable[FlockPlan]) -> bool:
    """Return whether ids of candidates are needed: they decide between equal distances."""
    return any(nearest_groups(flock) or view_groups(flock) for flock in flocks)


def phases_of_searches(layout: Layout) -> list[str]:
    """Return the phases of a step that prepare them, once boids have moved."""
    return [name for search in SEARCHES for name in search.phases(layout)]


def sides_of_searches(layout: Layout, memory: Memory) -> dict[str, int]:
    """Return the sides of all their arrays: of those that several use, the longest."""
    sides: dict[str, int] = {}
    for search in SEARCHES:
        for word, side in search.sides(layout, memory).items():
            sides[word] = max(side, sides.get(word, 0))
    return sides


def constants_of_searches(layout: Layout, memory: Memory) -> dict[str, list[float]]:
    """Return what holds throughout a run: argument -> its numbers, row after row."""
    constants: dict[str, list[float]] = {}
    for search in SEARCHES:
        constants |= search.constants(layout, memory)
    return constants


def arrays_of_searches(layout: Layout) -> list[str]:
    """Return the arrays, beside scratch, that are made before the first step."""
    return [name for search in SEARCHES for name in search.arrays(layout)]
