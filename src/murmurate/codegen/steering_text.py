"""How boids steer and move, for kernels' templates: calls of rules' and motions' functions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from murmurate.codegen.kernel_text import KernelText
from murmurate.codegen.plan import FlockPlan, Kept, RulePlan, purpose
from murmurate.language.source import arguments
from murmurate.model.rule import PERCHING


@dataclass(frozen=True)
class Level:
    """Rules of a flock on one level, whose steering takes the place of that of lower levels."""

    number: int
    rules: list[RulePlan]
    wakes: bool


class SteeringText:
    """Expressions of one model's kernels: a boid's sums -> its next velocity and place."""

    def __init__(self, text: KernelText) -> None:
        self.text = text

    def ways(self, rule: RulePlan) -> list[str]:
        """Which functions give a rule's vector."""
        ways = [way for way in ("finish", "alone") if way == "alone" or rule.sums]
        return [way for way in ways if hasattr(type(rule.rule), way)]

    def takes_chance(self, rule: RulePlan) -> bool:
        cls = type(rule.rule)
        return any("random" in arguments(getattr(cls, way)) for way in self.ways(rule))

    def call(self, rule: RulePlan, way: str) -> str:
        """The call of a rule's finish or alone."""
        function: Any = getattr(type(rule.rule), way)
        name = self.text.added(type(rule.rule), way, rule.numbers)
        sums = [self.text.name("sums", rule)] if way == "finish" else []
        given = [self.text.its(rule), *sums, "me"]
        if "random" in arguments(function):
            given.append("random")
        if way == "finish" and rule.herd >= 0:
            given.append("herd")
        if kept := self.kept_by(rule, way):
            given.append(self.text.kept(kept))
        return f"{name}({', '.join(given)})"

    def kept_by(self, rule: RulePlan, way: str) -> Kept | None:
        """What a rule's finish or alone keeps of a boid."""
        return rule.kept if "kept" in arguments(getattr(type(rule.rule), way)) else None

    def with_kept(self, vector: str, *kept: Kept | None) -> str:
        """'(x, y, z, kept0, kept1)': a vector and what is kept, as a function returns them."""
        names = [f"kept{row}" for one in kept if one for row in one.rows]
        return f"({', '.join([vector, *names])})" if names else vector

    def turned(self, flock: FlockPlan, velocity: str) -> str:
        """A velocity, and what a stage keeps of the boid."""
        fields = [f"{self.text.kept(kept)}.{name}" for kept in flock.kept for name in kept.names]
        return f"({', '.join([velocity, *fields])})" if fields else velocity

    def sums_tuple(self, rule: RulePlan) -> str:
        sums = (self.text.name(f"sum{k}", rule) for k in range(rule.sums))
        return f"({', '.join(sums)},)"

    @property
    def herd_ways(self) -> str:
        return ", ".join(f"h{k}" if k % 3 < self.text.dims else "real(0.0)" for k in range(6))

    def combine(self, flock: FlockPlan) -> str:
        return self.text.model.flocks[flock.flock].combine

    def levels(self, flock: FlockPlan) -> list[Level]:
        """The levels above 0, in ascending order, where rules are put together by levels."""
        if self.combine(flock) != "levels":
            return []
        loud = sorted((r for r in flock.rules if r.rule.level), key=lambda r: r.rule.level)
        return [
            Level(number, rules, any(rule.rule.wakes for rule in rules))
            for number, group in groupby(loud, key=lambda r: r.rule.level)
            for rules in [list(group)]
        ]

    def steer_arguments(self, flock: FlockPlan, call: bool = False) -> str:
        """What a flock's steer function takes, and is given by the same names, but for whether the
        boid is the one that is probed."""
        kept = [self.text.kept(kept) for kept in flock.kept]
        parts = [self.text.its(part) for part in self.text.parts([flock])]
        sums = [self.text.name("sums", rule) for rule in flock.rules if rule.sums]
        probed = ["ids[i] == probe" if call else "probed", "vectors"] if self.text.probes else []
        return ", ".join(["numbers", "me", "step", "key0", "key1", *kept, *parts, *sums, *probed])

    def result(self, flock: FlockPlan) -> str:
        return self.with_kept("u, v, w", *flock.kept)

    def idle(self, flock: FlockPlan) -> bool:
        """Whether nothing turns a flock in this stage."""
        return not flock.rules and (not flock.last or bool(self.text.model.moved_by(flock.flock)))

    def _motion(self, flock: FlockPlan) -> Any:
        return self.text.model.flocks[flock.flock].motion

    def motion_takes_chance(self, flock: FlockPlan) -> bool:
        return "random" in arguments(type(self._motion(flock)).turn)

    def motion_purpose(self, flock: FlockPlan) -> int:
        return purpose(flock.flock, f"motion/{flock.stage}")

    def ground(self, flock: FlockPlan) -> list[str]:
        """Ground level, shortest and longest rest of a flock."""
        first = self.text.plan.grounds[flock.flock]
        return [self.text.slot(first + k) for k in range(3)]

    def perching_purpose(self, flock: FlockPlan) -> int:
        return purpose(flock.flock, PERCHING)

    def turn(self, flock: FlockPlan) -> str:
        """The name of a motion's turn function."""
        return self.text.added(type(self._motion(flock)), "turn", flock.motion)

    def turn_arguments(self, flock: FlockPlan) -> str:
        chance = ["random"] if self.motion_takes_chance(flock) else []
        kept = [self.text.kept(flock.motion_kept)] if flock.motion_kept else []
        return ", ".join([self.text.its(flock.motion), "me", "ax", "ay", "az", *chance, *kept])

    @property
    def move_parameters(self) -> str:
        """What a flock's move function takes; a, b, c is the velocity to move with, where it is
        another than the one that a boid will have."""
        way = ["a", "b", "c"] if self.text.integrates else []
        rest = ["next_obstacles", "obstacles", "lower", "upper", "step", "key0", "key1"]
        return ", ".join(["numbers", "me", "u", "v", "w", *way, *rest])

    def moves_by(self, flock: FlockPlan) -> str:
        """The velocity that a boid moves with."""
        if self.text.integrates:
            return "a, b, c"
        return "me.u, me.v, me.w" if self._motion(flock).advance == "old" else "u, v, w"

    def pushed(self, flock: FlockPlan) -> str:
        """The mean force on a boid, of a step whose forces are evaluated several times."""
        return ", ".join(
            f"{self.text.its(flock.motion)}.mass * mean_slopes[{k}, i]"
            if k < self.text.dims
            else "real(0.0)"
            for k in range(3)
        )

    @property
    def pushed_way(self) -> str:
        return ", ".join(
            f"mean_slopes[{self.text.dims + k}, i]" if k < self.text.dims else "real(0.0)"
            for k in range(3)
        )
