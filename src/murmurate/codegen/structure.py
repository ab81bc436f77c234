"""Structure: what the kernels of a model depend on besides the numbers that they read.

All that plans, layouts and texts read of a rule's numbers is in FACTS. So two models have the same
kernels if they differ only in numbers, and these facts and the cells of their layouts are equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from murmurate.model.distribution import is_individual, same_numbers
from murmurate.model.flock import Flock, Sensing
from murmurate.model.model import Model
from murmurate.model.number_table import table_fields, table_numbers
from murmurate.model.quantity import Part, extent, quantities
from murmurate.model.rule import NeighbourRule, Rule, has_view


def has_limit(rule: Rule) -> bool:
    """Return whether a rule has a finite limit, which costs each boid a root and a quotient."""
    return math.isfinite(extent(rule.limit)[0])


def has_inner_radius(rule: NeighbourRule) -> bool:
    """Return whether a rule senses only beyond an inner radius."""
    return extent(rule.inner_radius)[1] > 0.0


def has_cone(rule: NeighbourRule) -> bool:
    """Return whether the field of view of a rule is narrower than all around."""
    return extent(rule.field_of_view)[0] < 180.0


def is_bounded(rule: NeighbourRule) -> bool:
    """Return whether the radius of a rule is always finite."""
    return not math.isinf(extent(rule.radius)[1])


def is_unbounded(rule: NeighbourRule) -> bool:
    """Return whether the radius of a rule is always infinite."""
    return math.isinf(extent(rule.radius)[0])


def zone_of(name: str, rule: NeighbourRule) -> tuple[Any, ...]:
    """Return the zone of a rule. Rules that search the nearest or visible in one zone search once.

    name  name of the rule; part of its zone if numbers of the zone differ between boids
    """
    zone = [getattr(rule, field) for field in (("radius",) if has_view(rule) else ZONE)]
    return (*zone, "" if all(same_numbers(number, number) for number in zone) else name)


ZONE = ("radius", "inner_radius", "field_of_view")
FACTS: dict[type[Part], dict[str, tuple[Callable[[Any], Any], ...]]] = {
    Rule: {"limit": (has_limit,)},
    NeighbourRule: {
        "inner_radius": (has_inner_radius,),
        "field_of_view": (has_cone,),
        "radius": (is_bounded, is_unbounded),
    },
}
"""Class of rules -> field -> what kernels depend on of its numbers."""


def same_structure(a: Model, b: Model) -> bool:
    """Return whether the plans of two models differ in nothing but the values of their slots."""
    return a is b or (
        (a.space is b.space or a.space == b.space)
        and (a.order, a.positions, a.integrator) == (b.order, b.positions, b.integrator)
        and (a.population is b.population or a.population == b.population)
        and _same_parts(a.flocks, b.flocks, _same_flock)
        and _same_parts(a.rules, b.rules, same_part)
        and _same_zones(a.rules, b.rules)
        and _same_parts(a.obstacles, b.obstacles, same_part)
        and (a.dt == b.dt or not any(flock.sensing for flock in a.flocks.values()))
    )


def _same_parts(
    a: Mapping[str, Any], b: Mapping[str, Any], same: Callable[[Any, Any], bool]
) -> bool:
    """Return whether two tables have the same names in the same order, and parts of one
    structure."""
    if a is b:
        return True
    parts = zip(a.values(), b.values(), strict=False)
    return list(a) == list(b) and all(x is y or same(x, y) for x, y in parts)


def _same_zones(a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Return whether the same rules share their zones in both tables."""
    moved = any(
        x is not y and _differs(x, y, ZONE) for x, y in zip(a.values(), b.values(), strict=False)
    )
    return not moved or _shared_zones(a) == _shared_zones(b)


def _differs(a: Any, b: Any, fields: Iterable[str]) -> bool:
    return any(getattr(a, name, None) != getattr(b, name, None) for name in fields)


def _shared_zones(rules: Mapping[str, Any]) -> list[int]:
    """Return the index of the first rule with its zone, for rules that may share their search."""
    zones = [
        zone_of(name, rule)
        for name, rule in rules.items()
        if isinstance(rule, NeighbourRule) and (rule.nearest or has_view(rule))
    ]
    return [zones.index(zone) for zone in zones]


def _same_flock(a: Flock, b: Flock) -> bool:
    return (
        (a.count, a.max_boids, a.combine) == (b.count, b.max_boids, b.combine)
        and (a.sensing is b.sensing or _messages(a) == _messages(b))
        and (a.perching is None) == (b.perching is None)
        and (a.diameter is None) == (b.diameter is None)
        and (a.motion is b.motion or same_part(a.motion, b.motion))
    )


def _messages(flock: Flock) -> dict[str, Any] | None:
    """Return how a flock receives messages: all of its sensing but errors."""
    return flock.sensing.model_dump(exclude=set(quantities(Sensing))) if flock.sensing else None


def same_part(a: Part, b: Part) -> bool:
    """Return whether two rules, motions or obstacles have the same structure."""
    cls = type(a)
    if cls is not type(b):
        return False
    scalars, mine, others = quantities(cls), a.__dict__, b.__dict__
    changed = [name for name, value in mine.items() if value is not others[name]]
    rows = table_fields(cls)
    if not all(
        _same_number(mine[name], others[name])
        if name in scalars
        else mine[name] == others[name] or (name in rows and _same_rows(mine[name], others[name]))
        for name in changed
    ):
        return False
    tables = [facts for owner, facts in FACTS.items() if issubclass(cls, owner)] if changed else ()
    facts = (fact for table in tables for name in changed for fact in table.get(name, ()))
    return all(fact(a) == fact(b) for fact in facts)


def _same_rows(a: Any, b: Any) -> bool:
    """Return whether two tables have as many numbers."""
    return len(table_numbers(a)) == len(table_numbers(b))


def _same_number(a: Any, b: Any) -> bool:
    """Return whether kernels read a number or vector in the same way as another."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same_number, a, b))
    if isinstance(a, tuple | None) or isinstance(b, tuple | None):
        return a is b
    return is_individual(a) == is_individual(b)
