"""Planner: make the plan of a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from murmurate.codegen.plan import (
    FlockPlan,
    HerdSlots,
    Numbers,
    PerBoidState,
    Plan,
    RulePlan,
    Sense,
    slot_key,
)
from murmurate.codegen.structure import has_cone, has_inner_radius, is_unbounded
from murmurate.language.methods import check_methods, check_turn, part_of, sums_of
from murmurate.language.source import arguments
from murmurate.language.state_reads import mentions_state, reads_of, resolve_states
from murmurate.model.flock import Perching
from murmurate.model.model import Model
from murmurate.model.population import Failure, failed_flocks
from murmurate.model.quantity import (
    Keys,
    Part,
    TableRows,
    fill_from_space,
    numbers_and_words,
)
from murmurate.model.rng_streams import rng_stream, rng_stream_id
from murmurate.model.rule import NeighbourRule, Rule, check_influence, has_view


def make_plan(model: Model, counts: Mapping[str, int] | None = None) -> Plan:
    """Return the plan of a model.

    Raises RuleError for a rule whose functions cannot be used, and ModelError for one that reads
    per-boid state that the model does not store.

    counts  flock -> number of boids, where arrays at the start decide it
    """
    counts = {name: flock.count for name, flock in model.flocks.items()} | dict(counts or {})
    stages = sorted({rule.stage for rule in model.rules.values()}) or [1]
    plan = Plan(model, counts, len(stages))
    parts: dict[str, Numbers] = {}
    for name, rule in model.rules.items():
        parts[name] = _numbers(plan, name, "rule", fill_from_space(rule, model.space))
    motions = {
        name: _numbers(plan, name, "motion", flock.motion) for name, flock in model.flocks.items()
    }
    for name, flock in model.flocks.items():
        check_turn(type(flock.motion))
        if flock.perching:
            _add_perching(plan, name, flock.perching)
    if any(map(has_view, model.rules.values())):
        for name, flock in model.flocks.items():
            if flock.diameter is not None:
                plan.diameters[name] = plan.add_slot(
                    ("diameter", name), flock.diameter, path=f"flocks.{name}.diameter"
                )
    plan.time_step = plan.add_slot(("TIME_STEP",), model.dt, path="dt")
    states = {name: _states(model, name, {**parts, "": motions[name]}) for name in model.flocks}
    for position in range(len(stages)):
        for name in model.flocks:
            plan.flocks.append(
                _flock_plan(plan, name, stages, position, motions[name], parts, states[name])
            )
    reads = {
        path: reads_of(part_of(type(part), numbers.fields, numbers.constants), plan.readings)
        for path, part, numbers in [
            *((f"rules.{name}", rule, parts[name]) for name, rule in model.rules.items()),
            *((f"flocks.{n}.motion", f.motion, motions[n]) for n, f in model.flocks.items()),
        ]
        if mentions_state(type(part))
    }
    if reads:
        plan.states = resolve_states(model, reads)
    return plan


def _add_perching(plan: Plan, name: str, perching: Perching) -> None:
    """Add the numbers of a flock that perches to a plan."""
    path = f"flocks.{name}.perching"
    plan.grounds[name] = plan.add_slot(
        ("perching", name, "ground"), perching.ground, path=f"{path}.ground"
    )
    for key in ("shortest", "longest"):
        value = float(getattr(perching, key))
        plan.add_slot(("perching", name, key), value, path=f"{path}.{key}")


def _flock_plan(
    plan: Plan, name: str, stages: Sequence[int], position: int, motion: Numbers,
    parts: Mapping[str, Numbers], states: Mapping[str, PerBoidState],
) -> FlockPlan:  # fmt: skip
    """Return the plan of a flock in the stage at a position.

    parts  rule -> its numbers
    states rule, or '' for the motion -> its per-boid state
    """
    moved_by = plan.model.moved_by(name)
    perches = plan.model.flocks[name].perching is not None
    rules = tuple(
        _rule_plan(plan, rule_name, rule, parts[rule_name], name, states.get(rule_name))
        for rule_name, rule in moved_by.items()
        if rule.stage == stages[position]
    )
    return FlockPlan(
        flock=name,
        stage=position,
        rules=rules,
        motion=motion,
        senses=tuple(
            Sense(rule, sensed, _method(plan, rule, name))
            for rule in rules
            for sensed in rule.senses
        ),
        last=position == len(stages) - 1,
        motion_state=states.get(""),
        memory_rows=len(plan.model.memory_of(name)),
        can_perch=perches,
        perches=tuple(
            (type(rule), parts[rule_name])
            for rule_name, rule in moved_by.items()
            if perches and hasattr(type(rule), "perch")
        ),
        failures=tuple(
            (plan.model.memory_of(name).index(f"population.{key}.failed"), entry.then == "drift")
            for key, entry in plan.model.population.items()
            if isinstance(entry, Failure) and name in failed_flocks(entry, plan.model.flocks)
        ),
    )


def check_states(model: Model) -> None:
    """Raise ModelError if a rule reads per-boid state that the model does not store."""
    parts = [*model.rules.values(), *(flock.motion for flock in model.flocks.values())]
    if any(mentions_state(type(part)) for part in parts):
        make_plan(model)


def _numbers(plan: Plan, name: str, role: str, part: Part) -> Numbers:
    """Return the numbers of a part, each with a slot, and its constants."""
    path = f"rules.{name}" if role == "rule" else f"flocks.{name}.{role}"

    def slot(keys: Keys, value: Any) -> int:
        words = ".".join([path, *map(str, keys)])
        return plan.add_slot(slot_key(role, name, keys), value, path=words)

    fields, constants = numbers_and_words(part, slot)
    first = plan.count_numbers - len(plan.slots)
    for key, rows in fields.items():
        if isinstance(rows, TableRows):
            fields[key] = replace(rows, first=first)
            first += rows.count
    numbers = Numbers(role, name, fields, constants)
    plan.tables += [numbers] if numbers.tables else []
    return numbers


def _states(model: Model, flock: str, parts: Mapping[str, Numbers]) -> dict[str, PerBoidState]:
    """Return the per-boid states of a flock's motion, '', and rules, in the order of
    Model.memory_of."""
    owners: dict[str, Any] = {"": model.flocks[flock].motion, **model.moved_by(flock)}
    states, first = {}, 0
    for name, part in owners.items():
        if part.states:
            states[name] = PerBoidState(parts[name].role, parts[name].owner, part.states, first)
            first += len(part.states)
    return states


def _rule_plan(
    plan: Plan, name: str, rule: Rule, numbers: Numbers, flock: str, state: PerBoidState | None
) -> RulePlan:
    model = plan.model
    cls: Any = type(rule)
    check_methods(cls)
    cone, sums, herd, tessellation = -1, 0, None, -1
    senses: tuple[str, ...] = ()
    obstacles: tuple[int, ...] = ()
    if isinstance(rule, NeighbourRule):
        if has_cone(rule):
            path = f"rules.{name}.field_of_view"
            cone = plan.add_slot(("cone", name, flock), rule.field_of_view, "cone", path)
        senses, named = model.sensed(rule, flock)
        obstacles = tuple(list(model.obstacles).index(o) for o in named)
        sums = sums_of(part_of(cls, numbers.fields, numbers.constants), plan.readings)
        check_influence(name, rule, sums)
        if "herd" in arguments(cls.finish):
            herd = _herd(plan, flock, senses)
        if rule.neighbours == "voronoi" and senses:
            cells = tuple(name for name in model.flocks if name in (*senses, flock))
            if cells not in plan.tessellations:
                plan.tessellations.append(cells)
            tessellation = plan.tessellations.index(cells)
    number = rng_stream_id(flock, rng_stream(name))
    return RulePlan(
        name, rule, numbers, sums, number, cone, senses, obstacles, herd, tessellation, state
    )


def _herd(plan: Plan, flock: str, senses: tuple[str, ...]) -> HerdSlots:
    """Return the slots of a herd."""
    key = (flock if plan.model.flocks[flock].sensing else "", senses)
    if key not in plan.herds:
        words = ("X", "Y", "Z", "FAR_X", "FAR_Y", "FAR_Z", "SPREAD", "COUNT")
        herd = f"HERD{len(plan.herds)}"
        plan.herds[key] = HerdSlots(len(plan.slots))
        for name in words:
            plan.add_slot((f"{herd}_{name}",), 0.0)
        for axis, side in zip("XYZ", plan.model.space.size, strict=False):
            plan.add_slot((f"{herd}_SIDE_{axis}",), side)
    return plan.herds[key]


def uses_totals(model: Model, rule: Rule) -> bool:
    """Return whether a rule's sum over all boids is a plain total."""
    if not isinstance(rule, NeighbourRule) or not rule.affine:
        return False
    everyone = is_unbounded(rule) and rule.neighbours == "all"
    all_around = not has_cone(rule) and not has_inner_radius(rule)
    flat = "position" not in rule.affine or not any(model.space.periodic)
    return everyone and all_around and flat and not rule.nearest and not rule.most_influential


def _method(plan: Plan, rule: RulePlan, flock: str) -> str:
    """Return how a rule senses a flock: as the rule says, by totals, or each boid."""
    if rule.rule.neighbours == "voronoi":
        return "voronoi"
    if uses_totals(plan.model, rule.rule) and not plan.model.flocks[flock].sensing:
        return "totals"
    return "each"
