"""Tables and texts that commands print: models, rules with their numbers, measures."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from murmurate.model.rule import NeighbourRule, Rule

if TYPE_CHECKING:
    from murmurate.model.model import Model


def table(*columns: str, numbers: int = 0) -> Table:
    """A plain table; its last `numbers` columns are numbers. On a narrow terminal the others are
    wrapped, within words too, and not cut."""
    made = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for k, column in enumerate(columns):
        right = k >= len(columns) - numbers
        if right:
            made.add_column(column, justify="right", no_wrap=True)
        else:
            made.add_column(column, overflow="fold")
    return made


def print_model(out: Console, model: Model) -> None:
    """All that a model is, rules as formulas with its numbers in them."""
    out.print(Text(model.title or model.name, "bold"))
    if model.about.strip():
        out.print(Text(" ".join(model.about.split())))
    out.print()
    _print_source(out, model)
    space = model.space
    size = " x ".join(number(side) for side in space.size)
    faces = space.boundary if isinstance(space.boundary, str) else ", ".join(space.boundary)
    out.print(Text.assemble(("space   ", "bold"), f"{size}, {faces}"))
    out.print(Text.assemble(("update  ", "bold"), f"{model.order}, dt {number(model.dt)}\n"))
    for name, flock in model.flocks.items():
        start = flock.start.kind
        out.print(
            Text.assemble(
                (name, "bold cyan"), f"  {counted(flock.count)}, start: {start}, by {flock.combine}"
            )
        )
        motion = flock.motion
        said = filled(motion.formula, motion) or f"{first_paragraph(motion)} ({motion.kind})"
        _print_indented(out, Text.assemble(("v <- ", "dim"), said))
        for rule_name, rule in model.moved_by(name).items():
            kind = "" if rule.kind == rule_name else f" ({rule.kind})"
            formula, about = filled(rule.formula_as_set, rule), first_paragraph(rule)
            said = formula or about or "has neither formula nor docstring"
            _print_indented(out, Text.assemble((rule_name, "green"), (kind, "dim"), f"  {said}"))
            own = not type(rule).__module__.startswith("murmurate.")
            for note in (about if own and formula else "", notes_on(rule)):
                if note:
                    _print_indented(out, Text(note, "dim"), 6)
    if model.obstacles:
        named = ", ".join(f"{name} ({o.kind})" for name, o in model.obstacles.items())
        out.print(Text.assemble(("obstacles  ", "bold"), named))
    if model.tries:
        out.print(Text("\nTry, with --set:", "bold"))
        for line in model.tries:
            _print_indented(out, Text(line))
    if model.expect or model.figure:
        verified = f"{len(model.expect)} expectations, {len(model.figure)} panels of figures"
        out.print(Text.assemble(("\nverify  ", "bold"), verified, (" (--verify)", "dim")))


def _print_source(out: Console, model: Model) -> None:
    source = model.source
    parts = [source.reference, source.doi and f"doi:{source.doi}", source.url]
    if any(parts):
        out.print(Text.assemble(("source  ", "bold"), ", ".join(filter(None, parts))))
    if source.reading:
        out.print(Text.assemble(("read    ", "bold"), " ".join(source.reading.split())))


def _print_indented(out: Console, text: Text, by: int = 2) -> None:
    out.print(Padding(text, (0, 0, 0, by), expand=False))


def counted(boids: int) -> str:
    """'1 boid', '4,000 boids'."""
    return f"{boids:,} boid{'' if boids == 1 else 's'}"


def filled(formula: str, part: Any) -> str:
    """A formula with the part's own numbers for its {fields}; braces round anything else stay."""

    def one(found: re.Match[str]) -> str:
        value = getattr(part, found[1], None)
        return found[0] if value is None or callable(value) else number(value)

    return re.sub(r"\{(\w+)\}", one, formula)


def first_paragraph(part: Any) -> str:
    """What a class says of itself first, on one line."""
    text = inspect.cleandoc(type(part).__doc__ or "")
    return " ".join(text.split("\n\n")[0].split())


def notes_on(rule: Any) -> str:
    """What the formula does not say: the rule's other settings, and whom it senses."""
    formula, parts = rule.formula_as_set, []
    if not formula:
        parts.append(f"weight {number(rule.weight)}")
    base = NeighbourRule if isinstance(rule, NeighbourRule) else Rule
    for name, info in type(rule).model_fields.items():
        value = getattr(rule, name)
        known = name in base.model_fields or f"{{{name}}}" in formula or name == "law"
        told = not formula or value != info.get_default()
        if not known and value is not None and told:
            parts.append(f"{name.replace('_', ' ')} {number(value)}")
    if isinstance(rule, NeighbourRule):
        names = (rule.senses,) if isinstance(rule.senses, str) else rule.senses
        whom = ", ".join(filter(None, names)) or "its own flock"
        near = f"the {rule.nearest} nearest of " if rule.nearest else ""
        if rule.neighbours == "voronoi":
            near += "the Voronoi neighbours in "
        parts.append(f"senses {near}{whom}{_zone(rule)}")
        if rule.field_of_view != 180:
            parts.append(f"{number(rule.field_of_view)} degrees to each side")
        if rule.include_self:
            parts.append("itself included")
    if rule.normalise:
        parts.append("brought to length 1 before the weight")
    if rule.limit != math.inf:
        parts.append(f"at most {number(rule.limit)} before the weight")
    if rule.keeps:
        parts.append(f"keeps {' and '.join(rule.keeps)} of each boid")
    if rule.stage != 1:
        parts.append(f"stage {rule.stage}")
    if rule.level:
        parts.append(f"level {rule.level}" + (", which it wakes" if rule.wakes else ""))
    return ", ".join(parts)


def _zone(rule: NeighbourRule) -> str:
    """' within 5', ' from 1 to 5', ' beyond 1': where a rule senses; nothing where everywhere."""
    inner, outer = rule.inner_radius, rule.radius
    if inner == 0.0:
        return "" if outer == math.inf else f" within {number(outer)}"
    return (
        f" beyond {number(inner)}"
        if outer == math.inf
        else (f" from {number(inner)} to {number(outer)}")
    )


def number(value: Any) -> str:
    """A number, vector, schedule or word in few characters."""
    if isinstance(value, tuple):
        return "(" + ", ".join(number(x) for x in value) + ")"
    if hasattr(value, "extent"):
        low, high = value.extent()
        return f"[{value.kind} {number(low)} ... {number(high)}]"
    if isinstance(value, float | int) and not isinstance(value, bool):
        return "-" if math.isnan(value) else f"{value:.4g}" if abs(value) < 1e4 else f"{value:g}"
    return str(value)


def figures_table(figures: Mapping[str, Mapping[str, float]]) -> Table:
    """The flocks' default measures, a row a flock."""
    from murmurate.measures.defaults import SHOWN  # a list of models needs none of the measures

    made = table("flock", *(one.label for one in SHOWN), numbers=len(SHOWN))
    for name, values in figures.items():
        made.add_row(Text(name, "cyan"), *(number(values[one.name]) for one in SHOWN))
    return made


def rate(boid_steps_per_second: float | None) -> str:
    """'12.3 million boid-steps/s'."""
    if not boid_steps_per_second:
        return "-"
    if boid_steps_per_second < 1e6:
        return f"{boid_steps_per_second / 1e3:.3g} thousand boid-steps/s"
    return f"{boid_steps_per_second / 1e6:.3g} million boid-steps/s"
