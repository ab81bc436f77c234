"""A layout -> the text of the functions that fly whole steps with its kernels."""

from __future__ import annotations

from dataclasses import dataclass

from murmurate.codegen.candidates.searches import SWEEPS
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import header, kernel_text, shared_functions, with_constants
from murmurate.codegen.templates import filled, tidy
from murmurate.codegen.unpacking import intrinsics_import, offset_lines, unpacked


@dataclass(frozen=True)
class Flight:
    """What there is to do in a step of one model: see many_steps.py.j2."""

    layout: Layout
    calls = "calls_by_name"
    shares_updates = False

    @property
    def sequential(self) -> bool:
        return self.layout.plan.model.order != "synchronous"

    @property
    def together(self) -> bool:
        return not self.sequential

    @property
    def integrates(self) -> bool:
        return self.layout.plan.integrates

    @property
    def perceives(self) -> bool:
        return self.layout.plan.perceives

    @property
    def totals(self) -> bool:
        return self.layout.plan.has_totals

    @property
    def cells(self) -> bool:
        return bool(self.layout.gridded)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(name for name, there in self.layout.step_parts().items() if there)

    @property
    def all_pairs(self) -> bool:
        return set(self.layout.plan.counts) != set(self.layout.gridded)

    @property
    def stages(self) -> int:
        return self.layout.plan.stages


def module_text(layout: Layout, dtype: str) -> str:
    """The kernels of a module: the processor's, and they note what rules want of one boid. Raises
    RuleError."""
    return kernel_text(layout.plan, dtype, layout, in_page=True)


def flight_text(layout: Layout, dtype: str) -> str:
    """The module. It calls kernels and plain functions that are not in it."""
    stages = range(layout.plan.stages)
    kernels = [f"{search.kernel}_{stage}" for search in SWEEPS for stage in stages]
    given = {*shared_functions().values(), *kernels, "update_in_order", "settle", "trap"}
    given |= {"next_chunk", "take_chunk"}
    code = unpacked(filled("many_steps", flight=Flight(layout)), module=given)
    head = [
        header("Whole steps of a model", dtype, "wasm"),
        intrinsics_import(code.names),
        tidy("\n".join(offset_lines(code.names))),
    ]
    return with_constants("\n".join(head), tidy(code.text))
