"""The modules with which a page simulates a model, with any numbers and up to `max_boids` boids.

The compiled code allows every number that a slider can set. Rules without a limit get one that is
never reached, and rules with an unlimited field of view get a limited one; for more than
`MAX_PAIRWISE_BOIDS` boids, rules that sense everyone by sums keep theirs.

On periodic axes, the grid needs at least three cells. For longer radii there is a second module,
which tests all pairs.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from murmurate.codegen.layout import Layout
from murmurate.codegen.opened_rules import OpenedRules, opened_model
from murmurate.codegen.plan import Plan
from murmurate.codegen.planner import make_plan, uses_totals
from murmurate.engines.cpu.thresholds import cpu_layout
from murmurate.engines.manifest_types import Manifest
from murmurate.engines.wasm.module_compiler import REFUSES as MODULES_REFUSE
from murmurate.engines.wasm.module_compiler import build_module
from murmurate.engines.wasm.population_module import population_paths
from murmurate.errors import ModelError
from murmurate.model.features import find_features
from murmurate.model.model import Model
from murmurate.model.number import MAX_NUMBER
from murmurate.model.quantity import extent
from murmurate.model.rule import NeighbourRule, senses_arcs

DTYPE = "float32"
REFUSES = (*MODULES_REFUSE, "lifetimes")
"""Names of model.features.FEATURES that pages do not simulate."""
LIMITED_FIELD_OF_VIEW = 179.0  # degrees
MAX_PAIRWISE_BOIDS = 5000


@dataclass(frozen=True)
class PageModule:
    """A WebAssembly module without imports, and its manifest; see `module_memory`."""

    code: bytes
    manifest: Manifest


def page_modules(model: Model, max_boids: int, edit: Collection[str] = ()) -> list[PageModule]:
    """Return the modules of a model; the page uses the first one that serves its radii.

    max_boids  of all flocks together
    edit       names of rules that can be edited, in as many further modules

    Raises ModelError for a model that modules cannot simulate or that has more boids, and RuleError
    for a rule that does not compile.
    """
    counts = _check_counts(model, max_boids)
    parts: list[tuple[Layout, OpenedRules | None]]
    parts = [(layout, None) for layout in page_layouts(model, max_boids)]
    if edit:
        opened, names = opened_model(model, edit)
        plan = make_plan(open_model(opened, max_boids), counts)
        parts += [(layout, OpenedRules(plan, names)) for layout in _layouts(plan)]
    modules = []
    for k, (layout, rules) in enumerate(parts):
        part = f", module {k + 1} of {len(parts)}," if len(parts) > 1 else ""
        code, memory = build_module(layout, DTYPE, rules, part)
        modules.append(PageModule(code, memory.manifest()))
    return modules


def page_layouts(model: Model, max_boids: int) -> list[Layout]:
    """Return the layouts of the modules without rules that can be edited. Raises as above."""
    counts = _check_counts(model, max_boids)
    return _layouts(make_plan(open_model(model, max_boids), counts))


def _check_counts(model: Model, max_boids: int) -> dict[str, int]:
    """Return the largest numbers of boids. Raises ModelError for a model that pages refuse."""
    check_page(model)
    return largest_counts(model, max_boids)


def check_page(model: Model, argument: str = "model") -> None:
    """Raise ModelError for a model that pages do not simulate.

    argument  of the function that was called, which has the model
    """
    if problems := find_features(REFUSES, model):
        remedy = "in a live page. Use engine 'cpu', and make a replay of it"
        raise ModelError("\n".join(f"{argument}.{problem} {remedy}" for problem in problems))


def _layouts(plan: Plan) -> list[Layout]:
    """Return the layout of a plan, and on periodic axes a second one, which tests all pairs."""
    first = cpu_layout(plan)
    long_radii = bool(first.radii) and any(plan.model.space.periodic)
    return [first, first.all_pairs()] if long_radii else [first]


def largest_counts(model: Model, max_boids: int) -> dict[str, int]:
    """Return the numbers of boids for which memory has room: the largest flock may grow.

    Raises ModelError if the model has more than `max_boids` boids.
    """
    counts = {name: model.max_boids(name) for name in model.flocks}
    boids = sum(counts.values())
    if max_boids < boids:
        raise ModelError(
            f"max_boids: got {max_boids:,}; expected at least {boids:,}, the boids that the model "
            "may have"
        )
    largest = max(counts, key=lambda name: counts[name])
    counts[largest] += max_boids - boids
    return counts


def open_model(model: Model, max_boids: int) -> Model:
    """Return the model that is compiled, whose numbers can change."""
    changes: dict[str, float] = {}
    for name, rule in model.rules.items():
        if not math.isfinite(extent(rule.limit)[0]):
            changes[f"rules.{name}.limit"] = MAX_NUMBER
        if (
            isinstance(rule, NeighbourRule)
            and not (max_boids > MAX_PAIRWISE_BOIDS and uses_totals(model, rule))
            and extent(rule.field_of_view)[0] >= 180.0
            and not senses_arcs(rule)
        ):
            changes[f"rules.{name}.field_of_view"] = LIMITED_FIELD_OF_VIEW
    return model.set(changes) if changes else model


def changeable(model: Model, max_boids: int) -> set[str]:
    """Return the paths of the numbers, vectors and polylines that a page may change."""
    plan = make_plan(open_model(model, max_boids))
    paths = {_owner(slot.path) for slot in plan.slots if slot.path}
    for name, rule in plan.model.rules.items():
        if not isinstance(rule, NeighbourRule):
            pass
        elif uses_totals(plan.model, rule):
            paths -= {f"rules.{name}.{key}" for key in ("radius", "field_of_view", "inner_radius")}
        elif senses_arcs(rule):
            paths -= {f"rules.{name}.{key}" for key in ("field_of_view", "inner_radius")}
        elif extent(rule.inner_radius)[1] == 0.0:
            paths.discard(f"rules.{name}.inner_radius")
        paths -= {f"rules.{name}.{parameter}" for parameter in rule.starts.values()}
    for name, flock in plan.model.flocks.items():
        starts = flock.motion.starts.values()
        paths -= {f"flocks.{name}.motion.{parameter}" for parameter in starts}
    if plan.sensor_flocks:
        paths.discard("dt")
    return paths | population_paths(model)


def _owner(path: str) -> str:
    """Return the path of the field that holds a number: for a component, that of its vector."""
    parts = path.split(".")
    depth = {"rules": 3, "flocks": 4}.get(parts[0], 1)
    return ".".join(parts[:depth])
