"""Descriptions of models for people: numbers as text, rules as formulas with their numbers."""

from __future__ import annotations

import inspect
import math
import re
from typing import Any

from murmurate.model.distribution import Distribution
from murmurate.model.rule_arguments import takes_arc


def format_number(value: Any) -> str:
    """Return a short text for a number, vector, schedule, distribution or word."""
    if isinstance(value, tuple):
        return "(" + ", ".join(map(format_number, value)) + ")"
    if isinstance(value, Distribution):
        return value.text
    if hasattr(value, "extent"):
        low, high = value.extent()
        return f"[{value.kind} {format_number(low)} ... {format_number(high)}]"
    if isinstance(value, float | int) and not isinstance(value, bool):
        return "-" if math.isnan(value) else f"{value:.4g}" if abs(value) < 1e4 else f"{value:g}"
    return str(value)


def format_boids(count: int) -> str:
    """Return '1 boid' or '4,000 boids'."""
    return f"{count:,} boid{'' if count == 1 else 's'}"


def describe_entry(name: str, entry: Any) -> str:
    """Describe an entry of the population: 'gate (source): flock fish, rate 2'."""
    parts = []
    for key in type(entry).model_fields:
        value = getattr(entry, key)
        if key == "kind" or value in (None, "", (), False):
            continue
        if hasattr(value, "kind") and not hasattr(value, "extent"):
            text = value.kind
        elif isinstance(value, tuple) and isinstance(value[0], str):
            text = " and ".join(value)
        else:
            text = format_number(value)
        parts.append(f"{key.replace('_', ' ')} {text}")
    return f"{name} ({entry.kind}): {', '.join(parts)}"


def fill_formula(formula: str, part: Any) -> str:
    """Insert the numbers of a rule or motion for the {fields} of its formula.

    Braces around anything else stay.
    """

    def replace(match: re.Match[str]) -> str:
        value = getattr(part, match[1], None)
        return match[0] if value is None or callable(value) else format_number(value)

    return re.sub(r"\{(\w+)\}", replace, formula)


def first_paragraph(part: Any) -> str:
    """Return the first paragraph of a class's docstring in one line."""
    text = inspect.cleandoc(type(part).__doc__ or "")
    return " ".join(text.split("\n\n")[0].split())


def describe_settings(rule: Any) -> str:
    """Describe settings of a rule that its formula does not show, and its neighbours."""
    from murmurate.model.number_table import table_fields, table_numbers
    from murmurate.model.rule import NeighbourRule, Rule  # slow to import

    formula, parts = rule.formula_as_set, []
    if not formula:
        parts.append(f"weight {format_number(rule.weight)}")
    base = NeighbourRule if isinstance(rule, NeighbourRule) else Rule
    cls: Any = type(rule)
    tables = table_fields(cls)
    for name, info in cls.model_fields.items():
        value = getattr(rule, name)
        shown_elsewhere = name in base.model_fields or f"{{{name}}}" in formula or name == "law"
        if name in tables:
            parts.append(f"{name} of {len(table_numbers(value)):,} numbers")
            continue
        shown_elsewhere |= name in getattr(cls, "learned", ())
        informative = not formula or value != info.get_default()
        if not shown_elsewhere and value is not None and informative:
            parts.append(f"{name.replace('_', ' ')} {format_number(value)}")
    if isinstance(rule, NeighbourRule):
        parts += _describe_sensing(rule)
    if rule.normalise:
        parts.append("brought to length 1 before the weight")
    if rule.limit != math.inf:
        parts.append(f"at most {format_number(rule.limit)} before the weight")
    if rule.states:
        parts.append(f"stores {' and '.join(rule.states)} of each boid")
    if rule.stage != 1:
        parts.append(f"stage {rule.stage}")
    if rule.level:
        parts.append(f"level {rule.level}" + (", which it wakes" if rule.wakes else ""))
    return ", ".join(parts)


def _describe_sensing(rule: Any) -> list[str]:
    """Describe which boids a rule senses."""
    names = (rule.senses,) if isinstance(rule.senses, str) else rule.senses
    flocks = ", ".join(filter(None, names)) or "its own flock"
    visible = "visible boids of " if rule.neighbours == "visible" else ""
    near = f"the {rule.nearest} nearest {visible or 'of '}" if rule.nearest else visible
    if rule.neighbours == "voronoi":
        near += "the Voronoi neighbours in "
    verb = "sees" if takes_arc(getattr(type(rule), "pair", None)) else "senses"
    parts = [f"{verb} {near}{flocks}{_describe_zone(rule)}"]
    if rule.field_of_view != 180:
        parts.append(f"{format_number(rule.field_of_view)} degrees to each side")
    if rule.include_self:
        parts.append("itself included")
    return parts


def _describe_zone(rule: Any) -> str:
    """Return ' within 5', ' from 1 to 5', ' beyond 1', or '' for all distances."""
    inner, outer = rule.inner_radius, rule.radius
    if inner == 0.0:
        return "" if outer == math.inf else f" within {format_number(outer)}"
    if outer == math.inf:
        return f" beyond {format_number(inner)}"
    return f" from {format_number(inner)} to {format_number(outer)}"
