"""Planning: a model -> its plan."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from murmurate.codegen import function_library, function_text
from murmurate.codegen import plan as plans
from murmurate.codegen.method_checks import check_methods
from murmurate.codegen.plan import FlockPlan, Numbers, Plan, RulePlan, Sense, keeps_numbers, purpose
from murmurate.model.model import Model
from murmurate.model.quantity import Part, quantities
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.model.schedule import extent


def make_plan(model: Model, counts: Mapping[str, int] | None = None) -> Plan:
    """The plan for a model. Raises RuleError for a rule whose functions cannot be used.

    counts  number of boids a flock, where arrays given at the start decide it
    """
    counts = {name: flock.count for name, flock in model.flocks.items()} | dict(counts or {})
    stages = sorted({rule.stage for rule in model.rules.values()}) or [1]
    plan = Plan(model, counts, (), len(stages), [])
    parts: dict[str, Numbers] = {}
    for name, rule in model.rules.items():
        inside = rule.within(model.space) if hasattr(rule, "within") else rule
        parts[name] = _numbers(plan, f"{_word(name)}_rule", inside)
    motions = {
        name: _numbers(plan, f"{_word(name)}_motion", flock.motion)
        for name, flock in model.flocks.items()
    }
    for perching in (flock.perching for flock in model.flocks.values()):
        if perching:
            plan.slots.append(("ground", perching.ground))
            plan.slots.append(("plain", float(perching.shortest)))
            plan.slots.append(("plain", float(perching.longest)))
    plan.slots.append(("dt", model.dt))
    plan.gridded = _gridded(model, counts)
    for position, stage in enumerate(stages):
        last = position == len(stages) - 1
        for flock in model.flocks:
            rules = tuple(
                _rule_plan(plan, name, rule, parts[name], flock)
                for name, rule in model.moved_by(flock).items()
                if rule.stage == stage
            )
            senses = tuple(
                Sense(rule, sensed, _how(plan, rule, flock, sensed))
                for rule in rules
                for sensed in rule.senses
            )
            keeps = keeps_numbers(model.flocks[flock].motion)
            plan.flocks.append(
                FlockPlan(flock, position, rules, motions[flock], senses, last, keeps)
            )
    return plan


def _word(name: str) -> str:
    return name.replace("-", "_")


def _numbers(plan: Plan, name: str, part: Part) -> Numbers:
    """Gives a part's numbers their slots, and its words their constants."""
    fields: dict[str, Any] = {}
    words: dict[str, Any] = {}
    scalars = quantities(type(part))

    def slot(value: Any) -> int:
        plan.slots.append(("plain", value))
        return len(plan.slots) - 1

    for key in type(part).model_fields:
        value = getattr(part, key)
        if key in scalars:
            if isinstance(value, tuple):
                three = (*value, *(0.0,) * (3 - len(value)))
                fields[key] = tuple(slot(x) for x in three)
            elif value is not None:
                fields[key] = slot(value)
        elif key == "points":
            fields[key] = tuple(
                tuple(slot(x) for x in (*point, *(0.0,) * (3 - len(point)))) for point in value
            )
        elif isinstance(value, bool | int | float | str):
            words[key] = value
    return Numbers(name, fields, words)


def _rule_plan(plan: Plan, name: str, rule: Rule, numbers: Numbers, flock: str) -> RulePlan:
    model = plan.model
    cls: Any = type(rule)
    check_methods(cls)
    cone, sums, herd, tessellation = -1, 0, -1, -1
    senses: tuple[str, ...] = ()
    obstacles: tuple[int, ...] = ()
    if isinstance(rule, NeighbourRule):
        if extent(rule.field_of_view)[0] < 180:
            plan.slots.append(("cone", rule.field_of_view))
            cone = len(plan.slots) - 1
        senses, named = model.sensed(rule, flock)
        obstacles = tuple(list(model.obstacles).index(o) for o in named)
        sums = function_library.returned(cls.pair, numbers.words)
        if "herd" in function_text.arguments(cls.finish):
            herd = _herd(plan, flock, senses)
        if rule.neighbours == "voronoi" and senses:
            cells = tuple(name for name in model.flocks if name in (*senses, flock))
            if cells not in plan.tessellations:
                plan.tessellations.append(cells)
            tessellation = plan.tessellations.index(cells)
    number = purpose(flock, name)
    return RulePlan(name, rule, numbers, sums, number, cone, senses, obstacles, herd, tessellation)


def _herd(plan: Plan, flock: str, senses: tuple[str, ...]) -> int:
    """The slots of a herd, and behind them those of the sides of the periodic axes."""
    key = (flock if plan.model.flocks[flock].sensing else "", senses)
    if key not in plan.herds:
        plan.herds[key] = len(plan.slots)
        plan.slots.extend([("plain", 0.0)] * 8)
        plan.slots.extend(("plain", side) for side in plan.model.space.size)
    return plan.herds[key]


def by_totals(model: Model, rule: Rule) -> bool:
    """Whether a rule's sum over everyone is a plain total."""
    if not isinstance(rule, NeighbourRule) or not rule.affine or model.order != "synchronous":
        return False
    everyone = math.isinf(extent(rule.radius)[0]) and rule.neighbours == "all"
    all_around = extent(rule.field_of_view)[0] >= 180 and extent(rule.inner_radius)[1] == 0.0
    flat = "position" not in rule.affine or not any(model.space.periodic)
    return everyone and all_around and flat and not rule.nearest


def _gridded(model: Model, counts: Mapping[str, int]) -> tuple[str, ...]:
    """The flocks that are sorted into cells."""
    if model.order != "synchronous" or sum(counts.values()) <= plans.WHOLE_MODEL:
        return ()
    if any(flock.sensing for flock in model.flocks.values()):
        return ()  # cells are of where boids are, not of where they are thought to be
    sensed: set[str] = set()
    movers: set[str] = set()
    for rule in model.rules.values():
        if not isinstance(rule, NeighbourRule) or by_totals(model, rule):
            continue
        if rule.neighbours == "voronoi":
            continue
        radius = extent(rule.radius)[1]
        if math.isinf(radius) and not rule.nearest:
            continue
        for axis, periodic in enumerate(model.space.periodic):
            # on fewer than three cells round a torus, neighbours would be met twice
            if periodic and not math.isinf(radius) and model.space.size[axis] < 3 * radius:
                return ()
        for flock in model.movers(rule):
            large = {s for s in model.sensed(rule, flock)[0] if counts[s] > plans.WHOLE_FLOCK}
            if large and counts[flock] > plans.WHOLE_FLOCK:
                sensed |= large
                movers.add(flock)
    return tuple(name for name in model.flocks if name in sensed | movers)


def _how(plan: Plan, rule: RulePlan, flock: str, sensed: str) -> str:
    if rule.tessellation >= 0:
        return "voronoi"
    if by_totals(plan.model, rule.rule) and not plan.model.flocks[flock].sensing:
        return "totals"
    within = rule.nearest or not math.isinf(extent(rule.rule.radius)[1])
    if within and flock in plan.gridded and sensed in plan.gridded:
        return "cells"
    return "whole"
