"""How boids sense, for kernels' templates: zones, tests and pair functions of rules."""

from __future__ import annotations

from dataclasses import dataclass

from murmurate.codegen.kernel_text import KernelText
from murmurate.codegen.layout import nearest_groups
from murmurate.codegen.plan import FlockPlan, RulePlan


@dataclass(frozen=True)
class NearestGroup:
    """Rules of a flock that share one search for the k nearest."""

    number: int
    rules: list[RulePlan]
    in_cells: bool
    cone: str
    inner: str
    staged_test: str
    wanted: int

    @property
    def lead(self) -> RulePlan:
        return self.rules[0]

    @property
    def nearest(self) -> int:
        return self.lead.nearest


class SensingText:
    """Expressions of one model's kernels that say whom a rule senses, and how."""

    def __init__(self, text: KernelText) -> None:
        self.text = text

    def both(self, *conditions: str) -> str:
        """All conditions that are not empty."""
        return " & ".join(c for c in conditions if c)

    def zone(self, rule: RulePlan, conditions: str = "") -> str:
        """The condition that a rule senses `other`."""
        name = self.text.name
        parts = [conditions, f"(r2 <= {name('reach', rule)})"]
        if rule.annulus:
            parts.append(f"(r2 > {name('inner', rule)})")
        if rule.sees_ahead:
            parts.append(f"(ahead * abs(ahead) >= {name('cone', rule)} * r2)")
        joined = self.both(*parts)
        return f"({joined})" if " & " in joined else joined

    def pairs(self, flock: FlockPlan, how: str) -> list[tuple[RulePlan, str]]:
        """(rule, sensed flock) of those that sense in one way, but for the k nearest."""
        return [
            (s.rule, s.flock)
            for s in flock.senses
            if self.text.layout.how(flock, s) == how and not s.rule.nearest
        ]

    def costly(self, pairs: list[tuple[RulePlan, str]]) -> list[tuple[RulePlan, str]]:
        """Those whose pair functions take so long that it pays to call them for the boids within
        their radius only, and not for all of the cells around."""
        costly = self.text.layout.costly
        return [one for one in pairs if self.text.library.roots(self.pair(one[0])) >= costly]

    def rules(self, flock: FlockPlan, how: str, sensed: str | None = None) -> list[RulePlan]:
        """The rules that sense a flock, or any, in one way, but for the k nearest."""
        return [rule for rule, other in self.pairs(flock, how) if sensed in (None, other)]

    def each(self, rules: list[RulePlan], condition: str = "") -> list[tuple[RulePlan, str]]:
        """Rules that sense a candidate under the same condition."""
        return [(rule, condition) for rule in rules]

    def each_staged(
        self, pairs: list[tuple[RulePlan, str]], condition: str
    ) -> list[tuple[RulePlan, str]]:
        """(rule, sensed flock) -> (rule, condition for a staged boid)."""
        several = self.text.several
        kinds = {s: f"(bk[j] == {self.text.kind(s)})" if several else "" for _, s in pairs}
        return [(rule, self.both(condition, kinds[sensed])) for rule, sensed in pairs]

    def kind_test(self, sensed: str) -> str:
        """The condition that picks a flock's boids among the columns that are swept for it."""
        several = sensed in self.text.layout.gridded and self.text.several
        return f"(kinds[j] == {self.text.kind(sensed)})" if several else ""

    def voronoi_test(self, rule: RulePlan) -> str:
        if set(rule.senses) == set(self.text.plan.tessellations[rule.tessellation]):
            return ""
        return f"({' | '.join(f'(kinds[j] == {self.text.kind(name)})' for name in rule.senses)})"

    def perceived_array(self, flock: FlockPlan) -> str:
        """The array of what a flock knows of others, where that is not how they are now."""
        lookers = self.text.plan.lookers
        return f"perceived[{lookers.index(flock.flock)}]" if flock.flock in lookers else ""

    def perceived(self, flock: FlockPlan, row: int) -> str:
        array = self.perceived_array(flock)
        return f"{array}[{row}]" if array else ""

    def velocity_of(self, flock: FlockPlan, index: str) -> str:
        array = self.perceived_array(flock)
        if not array:
            return self.text.load("UVW", index)
        return self.text.load([f"{array}[{self.text.dims + k}]" for k in range(3)], index)

    def nearest_groups(self, flock: FlockPlan) -> list[NearestGroup]:
        return [self._group(flock, k, g) for k, g in enumerate(nearest_groups(flock))]

    def _group(self, flock: FlockPlan, number: int, rules: list[RulePlan]) -> NearestGroup:
        lead = rules[0]
        hows = {self.text.layout.how(flock, s) for s in flock.senses if s.rule is lead}
        cone = self.text.slot(lead.cone) if lead.sees_ahead else "real(-2.0)"
        inner = self.text.name("inner", lead) if lead.annulus else "real(-1.0)"
        tests = [f"(r2 <= {self.text.name('reach', lead)})"]
        if lead.sees_ahead:
            tests.append(f"(ahead * abs(ahead) >= {cone} * r2 * (me.speed * me.speed))")
        if lead.annulus:
            tests.append(f"(r2 > {inner})")
        if self.text.several:
            kinds = " | ".join(f"(bk[j] == {self.text.kind(name)})" for name in lead.senses)
            tests.append(f"({kinds})")
        test = " & ".join(tests)
        wanted = sum(1 << self.text.kind(name) for name in lead.senses)
        in_cells = hows == {"cells"}
        return NearestGroup(number, rules, in_cells, cone, inner, f"({test})", wanted)

    def mean(self, sensed: str, letters: str, without: bool) -> str:
        """The mean place ('xyz', as seen from the boid) or velocity ('uvw') of a flock's others."""
        found = []
        for k, c in enumerate(letters):
            if k >= self.text.dims:
                found.append("real(0.0)")
                continue
            row = k + (self.text.dims if letters == "uvw" else 0)
            own = f" - {c}" if without else ""
            less = f" - {c}" if letters == "xyz" else ""
            found.append(f"real((totals[{self.text.kind(sensed)}, {row}]{own}) * each{less})")
        return ", ".join(found)

    def obstacle_range(self, rule: RulePlan) -> str:
        if len(rule.obstacles) == len(self.text.model.obstacles):
            return "range(obstacles.shape[0])"
        return f"({', '.join(map(str, rule.obstacles))},)"

    def adds_itself(self, flock: FlockPlan, rule: RulePlan) -> bool:
        """Whether a boid counts itself among its neighbours (totals hold it already)."""
        by_totals = any(s.how == "totals" for s in flock.senses if s.rule is rule)
        own = flock.flock in rule.senses and getattr(rule.rule, "include_self", False)
        return bool(rule.sums and own and not by_totals)

    def pair(self, rule: RulePlan) -> str:
        """The name of a rule's pair function."""
        return self.text.added(type(rule.rule), "pair", rule.numbers)
