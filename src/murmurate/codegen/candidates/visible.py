"""Search for visible boids and arcs of the view that boids cover: exact, nearest boids first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from murmurate.codegen.candidates.search import PAD, Argument, Memory, Search
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import FlockPlan, RulePlan
from murmurate.codegen.structure import zone_of
from murmurate.codegen.template_values import NumbaSensing


@dataclass(frozen=True)
class ViewGroup:
    """Rules of a flock that share one view.

    uses_cells   whether the boids of the cells around are its candidates; else all boids
    flock_test   the condition that a staged boid is of a sensed flock; '' where there is one flock
    diameter     expression of the diameter of the disc of a staged boid, or of column j
    """

    rules: list[RulePlan]
    uses_cells: bool
    flock_test: str
    diameter: str

    @property
    def lead(self) -> RulePlan:
        return self.rules[0]

    @property
    def visible(self) -> list[RulePlan]:
        """The rules that sense visible boids."""
        return [rule for rule in self.rules if not rule.senses_arcs]

    @property
    def arcs(self) -> list[RulePlan]:
        """The rules that sense the arcs."""
        return [rule for rule in self.rules if rule.senses_arcs]


def view_groups(flock: FlockPlan) -> list[list[RulePlan]]:
    """Return groups of rules that sense the same flocks within the same radius, with occlusion."""
    groups: dict[object, list[RulePlan]] = {}
    for rule in flock.rules:
        if rule.has_view and rule.senses:
            groups.setdefault((rule.senses, zone_of(rule.name, rule.rule)), []).append(rule)
    return list(groups.values())


class Visible(Search):
    """Boids cover arcs of the view, the nearest first; one is visible if it covers anything new.

    For equal discs that do not overlap, the one whose centre is nearer is in front wherever both
    cover the same direction. With k candidates and m arcs that are apart, the cost of a boid is
    that of sorting its candidates, and k log m + k m at most for the arcs.
    """

    template = "visible"
    scratch = (
        Argument("arcs", "float64", ("arcs", "6"), "turns and edges of arcs of the view", True),
    )

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        flocks = layout.plan.flocks
        room = layout.n_boids + PAD if any(view_groups(flock) for flock in flocks) else 0
        return {"arcs": room, "room": room}

    def groups(self, sensing: NumbaSensing, flock: FlockPlan) -> list[ViewGroup]:
        """Return the views of a flock."""
        return [_group(sensing, flock, rules) for rules in view_groups(flock)]


def _group(sensing: NumbaSensing, flock: FlockPlan, rules: list[RulePlan]) -> ViewGroup:
    text, lead = sensing.text, rules[0]
    hows = {text.layout.search(flock, s) for s in flock.senses if s.rule is lead}
    uses_cells = hows == {"cells"}
    index = "staged_flock[j]" if uses_cells else "flock_index[j]"
    several = text.layout.several_flocks if uses_cells else len(lead.senses) > 1
    kinds = " | ".join(f"({index} == {text.flock_index(name)})" for name in lead.senses)
    *others, last = lead.senses
    diameter = text.slot(text.plan.diameters[last])
    for name in reversed(others):
        own = text.slot(text.plan.diameters[name])
        diameter = f"({own} if {index} == {text.flock_index(name)} else {diameter})"
    return ViewGroup(rules, uses_cells, f"({kinds})" if several else "", diameter)
