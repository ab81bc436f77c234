"""How boids sense, for kernels' templates: zones, tests and pair functions of rules."""

from __future__ import annotations

from murmurate.codegen.kernel_text import KernelText
from murmurate.codegen.plan import FlockPlan, RulePlan


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

    def rules(self, flock: FlockPlan, how: str, sensed: str | None = None) -> list[RulePlan]:
        """The rules that sense a flock, or any, in one way, but for the k nearest."""
        return [rule for rule, other in self.pairs(flock, how) if sensed in (None, other)]

    def each(self, rules: list[RulePlan], condition: str = "") -> list[tuple[RulePlan, str]]:
        """Rules that sense a candidate under the same condition."""
        return [(rule, condition) for rule in rules]

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

    def adds_itself(self, flock: FlockPlan, rule: RulePlan) -> bool:
        """Whether a boid counts itself among its neighbours (totals hold it already)."""
        by_totals = any(s.how == "totals" for s in flock.senses if s.rule is rule)
        own = flock.flock in rule.senses and getattr(rule.rule, "include_self", False)
        return bool(rule.sums and own and not by_totals)

    def pair(self, rule: RulePlan) -> str:
        """The name of a rule's pair function."""
        return self.text.added(type(rule.rule), "pair", rule.numbers)
