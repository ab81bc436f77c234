"""A model -> the modules with which a page flies it, with any of its numbers and with any number of
boids up to a most.

What is compiled allows every number that a slider can give: rules without a limit are compiled with
one that nothing reaches, and rules that look all around with a field of view; among very many
boids, not those that sense everyone, since then their sums are taken once for all. Where boids are
sorted into cells round a torus, cells serve as long as they are at least a third of it; for longer
radii there is a second module, which sweeps boids whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from murmurate.codegen.layout import Layout
from murmurate.codegen.planner import make_plan, uses_totals
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.engines.wasm.flight_module import laid_out
from murmurate.engines.wasm.module_compiler import check_model
from murmurate.errors import ModelError
from murmurate.model.model import Model
from murmurate.model.quantity import MAX_NUMBER, extent
from murmurate.model.rule import NeighbourRule

DTYPE = "float32"
WIDE = 179.0  # degrees: a field of view that is no full circle
MANY = 5000  # boids from which on everyone is sensed by totals


@dataclass(frozen=True)
class PageModule:
    """code      a WebAssembly module; it imports nothing
    manifest  where everything lies, for json.dumps: see murmurate.engines.wasm.memory_layout"""

    code: bytes
    manifest: dict[str, Any]


def page_modules(model: Model, most: int) -> list[PageModule]:
    """The modules, the first to be used where it can.

    most  boids, of all flocks together
    Raises ModelError for a model that modules do not fly or that has more boids, RuleError for a
    rule that does not compile.
    """
    check_model(model)
    counts = largest_counts(model, most)
    plan = make_plan(open_model(model, most), counts)
    found = [_module(cpu_layout(plan))]
    if found[0].manifest["radii"] and any(model.space.periodic):
        found.append(_module(cpu_layout(plan).all_pairs()))
    return found


def largest_counts(model: Model, most: int) -> dict[str, int]:
    """How many boids memory is laid out for: the largest flock has what the others leave of
    `most`. Raises ModelError where that is too little."""
    counts = {name: flock.count for name, flock in model.flocks.items()}
    boids = sum(counts.values())
    if most < boids:
        raise ModelError(f"max_boids is {most:,}, and the model has {boids:,} boids: give as many")
    largest = max(counts, key=lambda name: counts[name])
    counts[largest] += most - boids
    return counts


def open_model(model: Model, most: int) -> Model:
    """The model as it is compiled for so many boids, so that each of its numbers may change."""
    changes: dict[str, float] = {}
    for name, rule in model.rules.items():
        if not math.isfinite(extent(rule.limit)[0]):
            changes[f"rules.{name}.limit"] = MAX_NUMBER
        if (
            isinstance(rule, NeighbourRule)
            and not (most > MANY and uses_totals(model, rule))
            and extent(rule.field_of_view)[0] >= 180.0
        ):
            changes[f"rules.{name}.field_of_view"] = WIDE
    return model.set(changes) if changes else model


def changeable(model: Model, most: int) -> set[str]:
    """The paths of the numbers, vectors and polylines that a page for so many boids may change."""
    plan = make_plan(open_model(model, most))
    found = {_owner(slot.path) for slot in plan.slots if slot.path}
    for name, rule in plan.model.rules.items():
        if not isinstance(rule, NeighbourRule):
            continue
        if uses_totals(plan.model, rule):
            found -= {f"rules.{name}.{key}" for key in ("radius", "field_of_view", "inner_radius")}
        elif extent(rule.inner_radius)[1] == 0.0:
            found.discard(f"rules.{name}.inner_radius")
    if plan.sensor_flocks:
        found.discard("dt")
    return found


def _owner(path: str) -> str:
    """The path of the field in which a number stands: that of a vector for its components."""
    parts = path.split(".")
    depth = {"rules": 3, "flocks": 4}.get(parts[0], 1)
    return ".".join(parts[:depth])


def _module(layout: Layout) -> PageModule:
    code, places = laid_out(layout, DTYPE)
    return PageModule(code, places.manifest())
