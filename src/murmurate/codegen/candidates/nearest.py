"""The k nearest of the candidates that another search finds: exact, in the order (distance, id)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from murmurate.codegen.argument import PAD, Argument
from murmurate.codegen.candidates.nearest_search import RANKED
from murmurate.codegen.candidates.search import Memory, Search
from murmurate.codegen.layout import HIDDEN, Layout
from murmurate.codegen.plan import FlockPlan, RulePlan
from murmurate.codegen.sensing_text import SensingText

UNKNOWN = HIDDEN**2
"""What `guesses` hold before the first search."""


@dataclass(frozen=True)
class NearestGroup:
    """Rules of a flock that share one search for the k nearest.

    number       of the search, a row of `guesses`
    cone, inner  expressions of the field of view and of the squared inner radius
    staged_test  the condition that a staged boid counts
    kinds        the flocks that count, as the bits of a number
    """

    number: int
    rules: list[RulePlan]
    in_cells: bool
    cone: str
    inner: str
    staged_test: str
    kinds: int

    @property
    def lead(self) -> RulePlan:
        return self.rules[0]

    @property
    def nearest(self) -> int:
        return self.lead.nearest


def nearest_groups(flock: FlockPlan) -> list[list[RulePlan]]:
    """Return the rules that sense the same k nearest, together."""
    groups: dict[object, list[RulePlan]] = {}
    for rule in flock.rules:
        if rule.nearest and rule.senses:
            sense = rule.rule
            key = (
                rule.nearest, rule.senses, sense.radius, sense.inner_radius, sense.field_of_view
            )  # fmt: skip
            groups.setdefault(key, []).append(rule)
    return list(groups.values())


def needs_ids(flocks: Iterable[FlockPlan]) -> bool:
    """Return whether ids of candidates are needed, which decide between those equally far."""
    return any(nearest_groups(flock) for flock in flocks)


def sweeps_nearest(layout: Layout) -> bool:
    """Return whether some look for the nearest among all boids, and need room for them."""
    return any(rule.nearest and how == "whole" for rule, _, how in layout.senses())


class Nearest(Search):
    """A search begins with a guess, from the last one, of how far the k nearest are."""

    page = "nearest"
    arguments = (
        Argument(
            "guesses", "real", ("searches", "columns"), "squared reach of a boid's last search"
        ),
        Argument(
            "new_guesses", "real", ("searches", "columns"), "guesses, as boids are sorted next"
        ),
    )
    scratch = (
        Argument("near_distance2", "real", ("nearest",), "squared distances, in order", True),
        Argument("near_id", "int32", ("nearest",), "ids", True),
        Argument("near_slot", "uint32", ("nearest",), "columns, or places in the stage", True),
        Argument("near_view", "real", ("nearest", "6"), "differences and velocities", True),
    )

    def sides(self, layout: Layout, memory: Memory) -> Mapping[str, int]:
        flocks = layout.plan.flocks
        return {
            "searches": max(len(nearest_groups(flock)) for flock in flocks),
            "nearest": max([RANKED, *(rule.nearest for f in flocks for rule in f.rules)]),
            "room": layout.boids + PAD if sweeps_nearest(layout) else 0,
        }

    def arrays(self, layout: Layout) -> tuple[str, ...]:
        return tuple(argument.name for argument in self.arguments)

    def groups(self, sensing: SensingText, flock: FlockPlan) -> list[NearestGroup]:
        """Return the searches of a flock."""
        return [_group(sensing, flock, k, g) for k, g in enumerate(nearest_groups(flock))]


def _group(
    sensing: SensingText, flock: FlockPlan, number: int, rules: list[RulePlan]
) -> NearestGroup:
    text, lead = sensing.text, rules[0]
    hows = {text.layout.how(flock, s) for s in flock.senses if s.rule is lead}
    cone = text.slot(lead.cone) if lead.sees_ahead else "real(-2.0)"
    inner = text.name("inner", lead) if lead.annulus else "real(-1.0)"
    tests = [f"(r2 <= {text.name('reach', lead)})"]
    if lead.sees_ahead:
        tests.append(f"(ahead * abs(ahead) >= {cone} * r2 * (me.speed * me.speed))")
    if lead.annulus:
        tests.append(f"(r2 > {inner})")
    if text.layout.several:
        kinds = " | ".join(f"(bk[j] == {text.kind(name)})" for name in lead.senses)
        tests.append(f"({kinds})")
    flocks = sum(1 << text.kind(name) for name in lead.senses)
    in_cells = hows == {"cells"}
    return NearestGroup(number, rules, in_cells, cone, inner, f"({' & '.join(tests)})", flocks)
