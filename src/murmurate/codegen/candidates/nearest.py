"""Search for the k nearest among the candidates of another search: exact, by (distance, id)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from murmurate.codegen.candidates.nearest_search import MAX_RANKED
from murmurate.codegen.candidates.search import PAD, Argument, Memory, Search
from murmurate.codegen.layout import Layout
from murmurate.codegen.plan import FlockPlan, RulePlan
from murmurate.codegen.structure import zone_of
from murmurate.codegen.template_values import NumbaSensing
from murmurate.language.tree import NEAREST


@dataclass(frozen=True)
class NearestGroup:
    """Rules of a flock that share one search for the k nearest.

    number       of the search, a row of search_radius2
    cone, inner  expressions of the limits of the field of view and of the squared inner radius
    flock_test    that it is of one of the flocks that are searched; '' where there is one flock
    kinds        these flocks, as the bits of a number
    """

    number: int
    rules: list[RulePlan]
    uses_cells: bool
    cone: str
    inner: str
    flock_test: str
    flock_bits: int

    @property
    def lead(self) -> RulePlan:
        return self.rules[0]

    @property
    def nearest(self) -> int:
        return self.lead.nearest


def nearest_groups(flock: FlockPlan) -> list[list[RulePlan]]:
    """Return groups of rules that sense the same k nearest."""
    groups: dict[object, list[RulePlan]] = {}
    for rule in flock.rules:
        if rule.nearest and rule.senses:
            key = (rule.nearest, rule.senses, zone_of(rule.name, rule.rule))
            groups.setdefault(key, []).append(rule)
    return list(groups.values())


def sweeps_nearest(layout: Layout) -> bool:
    """Return whether a rule searches all boids for the nearest, and needs room for them."""
    return any(rule.nearest and how == "all_pairs" for rule, _, how in layout.senses())


class Nearest(Search):
    """Each search begins with a radius that held enough boids in the last step."""

    template = "nearest"
    crowd = 12  # boids in a cell from which on its candidates are gathered, as measured
    max_area = 0.5  # squared radius of a search, in squared sides of a cell, up to which they are
    arguments = (
        Argument(
            "search_radius2",
            "real",
            ("searches", "columns"),
            "squared radius of a boid's next search",
        ),
        Argument(
            "next_search_radius2",
            "real",
            ("searches", "columns"),
            "that after sorting",
        ),
    )
    scratch = (
        Argument("sorted_candidates", "uint32", ("room",), "candidates, nearest first", True),
        Argument("ranks", "uint32", (str(MAX_RANKED),), "number of nearer candidates", True),
        Argument("near_distance2", "real", ("nearest",), "squared distances, ascending", True),
        Argument("near_id", "int32", ("nearest",), "ids", True),
        Argument("near_slot", "uint32", ("nearest",), "columns, or positions in the stage", True),
        Argument("near_vectors", "real", ("nearest", "view"), "differences and velocities", True),
    )

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        flocks = layout.plan.flocks
        return {
            "searches": max(len(nearest_groups(flock)) for flock in flocks),
            "nearest": max((r.nearest for flock in flocks for r in flock.rules), default=0),
            "view": 6 + len(layout.plan.states.others),
            "room": layout.n_boids + PAD if sweeps_nearest(layout) else 0,
        }

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.arguments)

    def states(self, sensing: NumbaSensing) -> list[str]:
        """Return the values of the state that rules read of one of the nearest."""
        return [
            "real(e)" if name == NEAREST["rank"] else f"view[{6 + k}]"
            for k, name in enumerate(sensing.text.states.others)
        ]

    def gathers(self, layout: Layout) -> bool:
        """Return whether the candidates of a cell are gathered once for all of its boids: if rules
        sense only the nearest, whose order does not matter."""
        return layout.plan.model.order == "synchronous" and not layout.radii

    def groups(self, sensing: NumbaSensing, flock: FlockPlan) -> list[NearestGroup]:
        """Return the searches of a flock."""
        return [_group(sensing, flock, k, g) for k, g in enumerate(nearest_groups(flock))]


def _group(
    sensing: NumbaSensing, flock: FlockPlan, number: int, rules: list[RulePlan]
) -> NearestGroup:
    text, lead = sensing.text, rules[0]
    hows = {text.layout.search(flock, s) for s in flock.senses if s.rule is lead}
    cone = text.name("cone", lead) if lead.has_cone else "real(-2.0) * (me.speed * me.speed)"
    inner = text.name("inner", lead) if lead.annulus else "real(-1.0)"
    kinds = " | ".join(f"(staged_flock[j] == {text.flock_index(name)})" for name in lead.senses)
    return NearestGroup(
        number, rules, hows == {"cells"}, cone, inner,
        flock_test=f"({kinds})" if text.layout.several_flocks else "",
        flock_bits=sum(1 << text.flock_index(name) for name in lead.senses),
    )  # fmt: skip
