"""All boids of a flock as one candidate, at their mean."""

from __future__ import annotations

from collections.abc import Mapping

from murmurate.codegen.argument import Argument
from murmurate.codegen.candidates.cell_functions import WIDEST, most_cells
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.layout import Layout
from murmurate.codegen.sensing_text import SensingText


class Totals(Search):
    """Sums of positions and velocities over a flock, taken once a step."""

    page = "totals"
    arguments = (
        Argument("totals", "float64", ("flocks", "2 axes"), "sums over each flock"),
        Argument("layer_sums", "float64", ("flocks", "2 axes"), "those over a layer of the grid"),
        Argument(
            "sums_by_layer", "float64", ("layers", "flocks", "2 axes"), "those over each layer"
        ),
    )

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        if memory.fixed:
            return {"layers": 0}
        shared = layout.plan.has_totals and layout.gridded and memory.threads > 1
        return {"layers": min(most_cells(layout.in_cells) if shared else 0, WIDEST) + 1}

    def constants(self, layout: Layout, memory: Memory) -> Mapping[str, list[float]]:
        return {"has_totals": [layout.plan.has_totals]}

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.arguments)

    def flocks(self, sensing: SensingText) -> list[str]:
        """Return the flocks whose totals boids sense."""
        text = sensing.text
        sensed = {flock for _, flock, how in text.layout.senses() if how == "totals"}
        return [name for name in text.flocks if name in sensed]

    def mean(self, sensing: SensingText, sensed: str, letters: str, without: bool) -> str:
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
            means.append(f"real((totals[{text.kind(sensed)}, {row}]{own}) * each{less})")
        return ", ".join(means)
