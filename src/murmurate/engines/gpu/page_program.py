"""The program with which a live page simulates a model by WebGPU.

It is the program of the opened model, like the page's modules of WebAssembly: see
murmurate.engines.wasm.page_modules. It serves more boids than those modules. Rules that sense
everyone therefore keep their sums, and their radius and field of view cannot be changed.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import cast

from murmurate.codegen.opened_rules import opened_model
from murmurate.codegen.planner import make_plan, uses_totals
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.program import Program
from murmurate.engines.manifest_types import (
    EditedProgram,
    OpenFunction,
    PageBounds,
    PageProgram,
    PlainProgram,
    Programmed,
    Unprogrammed,
)
from murmurate.engines.wasm.page_modules import changeable, largest_counts, open_model
from murmurate.errors import RuleError
from murmurate.model.features import find_features
from murmurate.model.model import Model
from murmurate.model.quantity import extent
from murmurate.model.rule import NeighbourRule, has_view
from murmurate.model.rule_functions import Method

REFUSES = (*GpuEngine.refuses, "mesh")
"""Names of model.features.FEATURES that pages do not simulate with WebGPU.

A mesh's kernel is one loop over 243 blocks that share 487 variables. Chromium's software adapter
ended without having compiled it in 40 minutes. With fewer blocks the kernel is 3 to 7 times as
large, and did not compile there either.
"""
MAX_BOIDS = 200_000
MAX_PAIRWISE_BOIDS = 20_000
"""Boids of a model in which a rule compares all pairs."""
MAX_VIEW_BOIDS = 9000
"""Boids of a model with views, whose arcs take 24 bytes for each pair: 1.9 GB."""


def page_program(
    model: Model, max_boids: int, limited: bool = False, edit: Collection[str] = ()
) -> Programmed | Unprogrammed:
    """Return the program as JSON represents it, or the reason `why` not.

    max_boids  of all flocks together in the page's modules
    limited    whether WebGPU has this limit too; otherwise the largest flock may have MAX_BOIDS, or
               MAX_PAIRWISE_BOIDS; models with views have it always
    edit       names of rules that can be edited
    """
    if model.changes_numbers:
        return {"why": "births and deaths are simulated on the processor"}
    for problem in find_features(REFUSES, model):
        return {"why": problem}
    views = any(map(has_view, model.rules.values()))
    if views and max_boids > MAX_VIEW_BOIDS:
        return {
            "why": f"max_boids: got {max_boids:,}; expected at most {MAX_VIEW_BOIDS:,} by WebGPU, "
            "since the model has views"
        }
    counts, models = largest_counts(model, max_boids), [open_model(model, MAX_BOIDS)]
    try:
        plain = _plain(models[0], counts)[0]
    except RuleError as error:  # WGSL has fewer functions than WebAssembly
        return {"why": str(error)}
    edits: dict[str, EditedProgram] = {}
    if edit:
        opened, names = opened_model(model, edit)
        models.append(open_model(opened, MAX_BOIDS))
        edited, functions = _plain(models[1], counts, names)
        for name, module in plain["modules"].items():
            if edited["modules"].get(name) == module:
                del edited["modules"][name]
        edits["edited"] = {"program": edited, "functions": functions}
    limit = MAX_PAIRWISE_BOIDS if any(map(_compares_all_pairs, models)) else MAX_BOIDS
    limit = 0 if limited or views else limit + sum(counts.values()) - max(counts.values())
    fixed = changeable(model, max_boids) - changeable(model, MAX_BOIDS)
    bounds: PageBounds = {"max_boids": max(limit, max_boids), "fixed": sorted(fixed)}
    return {"program": cast(PageProgram, {**plain, **bounds, **edits})}


def _plain(
    model: Model, counts: dict[str, int], opened: Collection[str] = ()
) -> tuple[PlainProgram, dict[str, dict[Method, OpenFunction]]]:
    """Return a program as JSON represents it, and the functions of it that a page replaces."""
    plan = make_plan(model, counts)
    program = Program.of(plan, True, opened)
    plain = program.plain(plan)
    for module in plain["modules"].values():
        module["text"] = short_text(module["text"])
    return plain, program.functions


def short_text(text: str) -> str:
    """Return WGSL without comments and indents, which a page need not hold."""
    lines = (line.partition("//")[0].strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _compares_all_pairs(model: Model) -> bool:
    """Return whether a rule senses all boids one by one, at any distance."""
    delayed = any(flock.sensing for flock in model.flocks.values())
    return any(
        isinstance(rule, NeighbourRule)
        and any(model.sensed(rule, flock)[0] for flock in model.flocks)  # not obstacles alone
        and not rule.nearest
        and math.isinf(extent(rule.radius)[1])
        and (delayed or not uses_totals(model, rule))
        for rule in model.rules.values()
    )
