"""The WGSL text of views: visible boids, and arcs of the view that boids cover.

Its functions are those of codegen/candidates/view_functions.py, printed like the functions of
rules. The arcs of a boid are rows of the buffer `arcs`, which the functions know by the number of
the boid. Candidates come in batches, nearest first, until none is left or the view is covered.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from murmurate.codegen.candidates import view_functions
from murmurate.codegen.candidates.visible import view_groups
from murmurate.codegen.plan import FlockPlan, Plan, RulePlan
from murmurate.engines.gpu.wgsl_flocks import FlockText, indent
from murmurate.language.reader import Readings
from murmurate.language.tree import INT, REAL, Table, Type
from murmurate.language.wgsl_expressions import unbracketed
from murmurate.model.quantity import extent


class Searched(Protocol):
    """The boids j that a flock senses: see wgsl_sensing.Searched."""

    velocity: str


class Sensing(Protocol):
    """Interface of wgsl_sensing.WgslSensing for views."""

    text: FlockText

    def is_of(self, flocks: Sequence[str]) -> str: ...

    def in_batches(
        self, search: Any, lead: RulePlan, zone: str, hand_over: Sequence[str], done: str
    ) -> list[str]: ...


ARC = 6
"""Numbers of an arc."""
ARGUMENTS: dict[Callable[..., Any], list[Type]] = {
    view_functions.cover_view: [Table(REAL), INT, REAL, REAL, REAL],
    view_functions.close_view: [Table(REAL), INT],
}
"""Functions that the text calls, and the types of their arguments."""
ARC_AT = f"""// The entry of a column of a boid's arc: those of neighbouring threads are neighbours.
fn arc_at(boid: u32, row: i32, column: i32) -> u32 {{
  return ({ARC}u * u32(row) + u32(column)) * settings.n_boids + boid;
}}

// Whether arcs cover the view of a boid all around.
fn is_covered(boid: u32, count: i32) -> bool {{
  return count == 1i && arcs[arc_at(boid, 0i, 0i)] <= 0.0f && arcs[arc_at(boid, 0i, 1i)] >= 4.0f;
}}"""


def has_views(plan: Plan) -> bool:
    """Return whether a rule senses visible boids."""
    return any(view_groups(flock) for flock in plan.flocks)


def arcs_size(plan: Plan, in_page: bool = False) -> dict[str, int]:
    """Return the number of words of all arcs, as a sum over amounts.

    Arcs do not touch each other, and a disc within the radius covers at least the angle of the
    smallest disc at that radius, which bounds the number of arcs in a view. Without a radius, or in
    a page, where numbers change, there may be an arc for each boid.
    """
    if not has_views(plan):
        return {"one": 0}
    bounds = [_max_arcs(plan, rules[0]) for flock in plan.flocks for rules in view_groups(flock)]
    if in_page or max(bounds) > sum(plan.counts.values()):
        return {"pairs": ARC, "boids": ARC}  # one more row: an arc may be two
    return {"boids": ARC * math.ceil(max(bounds))}


def _max_arcs(plan: Plan, rule: RulePlan) -> float:
    model = plan.model
    smallest = 0.5 * min(extent(model.flocks[name].diameter)[0] for name in rule.senses)
    radius = extent(model.rules[rule.name].radius)[1]  # type: ignore[attr-defined]
    if smallest <= 0.0 or math.isinf(radius):
        return math.inf
    half_angle = math.asin(min(1.0, smallest / radius)) if radius > smallest else 0.5 * math.pi
    return 1.0001 * math.pi / half_angle + 2.0  # rounding, and an arc that is two rows


def view_lines(sensing: Sensing, search: Searched, flock: FlockPlan) -> list[str]:
    """Return the lines that add up views for the rules of a flock."""
    return [line for rules in view_groups(flock) for line in _view(sensing, search, rules)]


def _view(sensing: Sensing, search: Searched, rules: Sequence[RulePlan]) -> list[str]:
    text, lead = sensing.text, rules[0]
    visible = [rule for rule in rules if not rule.senses_arcs]
    arcs = [rule for rule in rules if rule.senses_arcs]
    cover_view = _function(text, view_functions.cover_view)
    add = indent(_add(sensing, search, visible))
    hand_over = [
        f"let covered = {cover_view}(i, n_arcs, d.x, d.y, {_diameter(text, lead)});",
        "n_arcs = covered.item0;",
        *(["if (covered.item1) {", *add, "}"] if visible else []),
    ]  # fmt: skip
    lines = [
        "var n_arcs = 0i;",
        *(f"var {text.name('count', rule)} = 0u;" for rule in visible if rule.nearest_visible),
        *sensing.in_batches(
            search, lead, sensing.is_of(lead.senses), hand_over, "is_covered(i, n_arcs)"
        ),
    ]
    if arcs:
        values = (f"arcs[arc_at(i, e, {column}i)]" for column in range(2, ARC))
        lines += [
            f"n_arcs = {_function(text, view_functions.close_view)}(i, n_arcs);",
            "for (var e = 0i; e < n_arcs; e++) {",
            f"  let arc = {text.record('arc', *values)};",
            *indent(map(text.add, arcs)),
            "}",
        ]
    return ["{ // boids as discs, nearest first", *indent(lines), "}"]


def _add(sensing: Sensing, search: Searched, rules: Sequence[RulePlan]) -> Iterator[str]:
    """Yield the lines that add a visible boid to the sums of the rules that sense it."""
    text = sensing.text
    yield "let r2 = dot(d, d);"
    yield "let forward = dot(d, velocity);"
    yield from text.other(search.velocity, "j")
    for rule in rules:
        count = text.name("count", rule) if rule.nearest_visible else ""
        test = f"({count} < {rule.nearest_visible}u)" if count else ""
        yield f"if ({unbracketed(text.sensing.zone(rule, test))}) {{"
        yield f"  {text.add(rule)}"
        if count:
            yield f"  {count}++;"
        yield "}"


def _diameter(text: FlockText, rule: RulePlan) -> str:
    """Return the diameter of the disc of a candidate."""
    *others, last = rule.senses
    diameter = text.number(text.plan.diameters[last])
    for name in reversed(others):
        own = text.number(text.plan.diameters[name])
        diameter = f"select({diameter}, {own}, other_flock == {text.flock_index(name)}u)"
    return diameter


def _function(text: FlockText, function: Callable[..., Any]) -> str:
    """Add a function of views to a text; return its name there."""
    tree = Readings().read(function, ARGUMENTS[function])
    return text.library.add(tree, "view", function.__name__)
