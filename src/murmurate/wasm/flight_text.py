"""A layout -> the text of the functions that fly whole steps with its kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from murmurate.codegen.argument_text import intrinsics_import, places, unpacked
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_header import header, with_constants
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.plan import purpose
from murmurate.codegen.templates import filled
from murmurate.codegen.text_layout import tidy
from murmurate.wasm.flight_arguments import FLIGHT_ARGUMENTS, FLIGHT_PLACES


@dataclass(frozen=True)
class Later:
    """An evaluation of the forces after the first: at which part of the step, and the velocity by
    which boids have moved till then."""

    part: float
    velocity: str


# see murmurate.engine.integrators
INTEGRATORS: dict[str, tuple[list[Later], list[float]]] = {
    "verlet": ([Later(1.0, "v + real(0.5) * span * a")], [0.5, 0.5]),
    "rk4": (
        [Later(part, "slopes[{}, dims + d, b]") for part in (0.5, 0.5, 1.0)],
        [1 / 6, 1 / 3, 1 / 3, 1 / 6],
    ),
}


@dataclass(frozen=True)
class Flight:
    """What the text of whole steps depends on."""

    layout: Layout

    @property
    def dims(self) -> int:
        return self.layout.plan.model.space.dims

    @property
    def in_turn(self) -> bool:
        return self.layout.plan.model.order != "synchronous"

    @property
    def shuffled(self) -> bool:
        return self.layout.plan.model.order == "shuffled"

    @property
    def integrates(self) -> bool:
        return self.layout.plan.integrates

    @property
    def perceives(self) -> bool:
        return self.layout.plan.perceives

    @property
    def totals(self) -> bool:
        return self.layout.plan.has_totals

    # --- the stages

    @property
    def cells(self) -> bool:
        return bool(self.layout.gridded)

    @property
    def whole(self) -> bool:
        return set(self.layout.plan.counts) != set(self.layout.gridded)

    @property
    def stages(self) -> list[dict[str, str]]:
        return [
            {"cells": f"cells_{k}", "whole": f"whole_{k}"} for k in range(self.layout.plan.stages)
        ]

    # --- perception and integration

    @property
    def kinds(self) -> dict[str, int]:
        """Flock -> its number."""
        return {name: kind for kind, name in enumerate(self.layout.plan.counts)}

    @property
    def herds(self) -> list[dict[str, Any]]:
        plan = self.layout.plan
        return [
            {
                "slot": slot, "flocks": flocks, "kinds": [self.kinds[name] for name in flocks],
                "looker": plan.lookers.index(looker) if looker else -1,
            }
            for (looker, flocks), slot in plan.herds.items()
        ]  # fmt: skip

    @property
    def lookers(self) -> list[dict[str, Any]]:
        plan, found = self.layout.plan, []
        for name in plan.lookers:
            sensing = plan.model.flocks[name].sensing
            assert sensing is not None
            delay, refresh = sensing.steps(plan.model.dt)
            errors = [
                {
                    "which": which, "kind": kind,
                    "purpose": purpose(name, f"sensing/{seen}/{word}"),
                }
                for seen, kind in self.kinds.items()
                for which, word in enumerate(("place", "velocity"))
            ]  # fmt: skip
            found.append({"flock": name, "delay": delay, "refresh": refresh, "errors": errors})
        return found

    @property
    def depth(self) -> int:
        """How many past steps are remembered."""
        model = self.layout.plan.model
        return max(
            (f.sensing.depth(model.dt) for f in model.flocks.values() if f.sensing), default=0
        )

    @property
    def periodic_axes(self) -> list[int]:
        return [k for k, round_ in enumerate(self.layout.plan.model.space.periodic) if round_]

    @property
    def later(self) -> list[Later]:
        found = INTEGRATORS[self.layout.plan.model.integrator][0]
        return [Later(one.part, one.velocity.format(k)) for k, one in enumerate(found)]

    @property
    def weights(self) -> list[float]:
        return INTEGRATORS[self.layout.plan.model.integrator][1]

    @property
    def evaluations(self) -> int:
        """How often a step evaluates the forces, and so how many rows of numbers it takes."""
        return len(self.weights) if self.integrates else 1


def module_text(layout: Layout, dtype: str) -> str:
    """The kernels of a module: the processor's, and they note what rules want of one boid. Raises
    RuleError."""
    return kernel_text(layout.plan, dtype, layout, probes=True)


def flight_text(layout: Layout, dtype: str) -> str:
    """The module. It calls kernels and plain functions that are not in it."""
    code = tidy(unpacked(filled("flight", flight=Flight(layout)), [], FLIGHT_ARGUMENTS))
    head = [
        header("Whole steps of a model", dtype),
        intrinsics_import(code),
        tidy("\n".join(places(code, FLIGHT_PLACES))),
    ]
    return with_constants("\n".join(head), code)
