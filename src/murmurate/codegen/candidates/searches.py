"""All kinds of search for candidates, and what they declare together."""

from __future__ import annotations

from murmurate.codegen.candidates.all_pairs import AllPairs
from murmurate.codegen.candidates.cells import Cells
from murmurate.codegen.candidates.nearest import Nearest
from murmurate.codegen.candidates.obstacles import Obstacles
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.candidates.totals import Totals
from murmurate.codegen.candidates.voronoi import Voronoi
from murmurate.codegen.layout import Layout

CELLS, ALL_PAIRS, NEAREST = Cells(), AllPairs(), Nearest()
VORONOI, TOTALS, OBSTACLES = Voronoi(), Totals(), Obstacles()

SEARCHES: tuple[Search, ...] = (CELLS, ALL_PAIRS, NEAREST, VORONOI, TOTALS, OBSTACLES)
"""In the order in which kernels add up what they find."""

SWEEPS: tuple[Search, ...] = (ALL_PAIRS, CELLS)
"""Those with kernels of their own, in the order of a module."""


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
