"""Limits: what cannot be flown in slabs, by name."""

from __future__ import annotations

from murmurate.codegen.layout import Layout
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.errors import ModelError
from murmurate.model.model import Model

MOST = 2**31 - 1
"""Boids: their numbers are 32-bit."""


def check_slabs(model: Model) -> None:
    """Raises ModelError for a model that slabs cannot fly, saying why and what can."""
    reasons = reasons_against(model)
    if reasons:
        raise ModelError(
            f"engine 'slabs' cannot fly {model.name or 'this model'}: {'; '.join(reasons)}. "
            "Engine 'cpu' flies every model"
        )


def reasons_against(model: Model) -> list[str]:
    """Why slabs cannot fly a model; none where they can."""
    if model.order != "synchronous":
        return [f"order is {model.order!r}, and boids of other workers cannot wait their turn"]
    counts = {name: flock.count for name, flock in model.flocks.items()}
    plan = make_plan(model, counts)
    layout = cpu_layout(plan)
    found = []
    if plan.lookers:
        found.append(f"flocks that sense others late or with errors: {', '.join(plan.lookers)}")
    herds = sorted({rule.name for f in plan.flocks for rule in f.rules if rule.herd >= 0})
    if herds:
        found.append(f"rules that sense a whole herd: {', '.join(herds)}")
    voronoi = sorted({r.name for f in plan.flocks for r in f.rules if r.tessellation >= 0})
    if voronoi:
        found.append(f"rules with Voronoi neighbours: {', '.join(voronoi)}")
    if plan.integrates:
        found.append(f"integrator is {model.integrator!r}, which evaluates forces several times")
    if sum(counts.values()) > MOST:
        found.append(f"it has {sum(counts.values())} boids, and at most {MOST} have a number")
    if found:
        return found
    if not layout.gridded:
        return [
            f"no flock of its {sum(counts.values())} boids is in cells, of which slabs are made: "
            "flocks are where they are large, and their rules have a radius or take the nearest"
        ]
    return [
        f"each boid of {looker!r} looks at all of the {counts[flock]} boids of {flock!r}, by rule "
        f"{rule!r}: give it a radius"
        for looker, flock, rule in _sweeps(layout)
    ]


def _sweeps(layout: Layout) -> list[tuple[str, str, str]]:
    """(flock, flock that it looks at, rule) where both are in cells, and all are looked at."""
    return [
        (flock.flock, sense.flock, sense.rule.name)
        for flock in layout.plan.flocks
        if flock.flock in layout.gridded
        for sense in flock.senses
        if layout.how(flock, sense) == "whole" and sense.flock in layout.gridded
    ]
