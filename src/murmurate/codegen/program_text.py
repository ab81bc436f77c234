"""The program of a flock as text: how a boid sums what it senses, steers, and gets to its next
position.

The text is rendered from accumulate.py.j2, steer.py.j2 and move.py.j2 for each flock. numba
compiles it within a module; engine gpu reads it as typed trees and prints WGSL. ProgramText has
what differs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from murmurate.codegen.plan import FlockPlan, Numbers, PerBoidState, Plan, RulePlan
from murmurate.language.names import Names
from murmurate.language.source import arguments
from murmurate.model.rng_streams import PERCHING, rng_stream_id


class ProgramText(ABC):
    """Names and expressions in the programs of a plan's flocks.

    probes            whether `steer` records the vectors of rules on one boid
    random_arguments  what `steer` takes for random numbers
    probe_arguments   what it takes to record vectors
    no_rest           the timer of a boid that is not on the ground
    """

    random_arguments: Sequence[str] = ("step", "key0", "key1")
    probe_arguments: Sequence[str] = ("probed", "vectors")
    no_rest = "np.int32(0)"

    def __init__(self, plan: Plan, names: Names, probes: bool) -> None:
        self.plan, self.names, self.probes = plan, names, probes
        self.model = plan.model
        self.dims = self.model.space.dims
        self.periodic_axes = [k for k, round_ in enumerate(self.model.space.periodic) if round_]
        self.boundaries = self.model.space.boundaries
        self.integrates = plan.integrates

    @property
    def me(self) -> str:
        """Name of the boid that rules move, as their functions receive it."""
        return "me"

    @abstractmethod
    def slot(self, slot: int) -> str:
        """Return the number in a slot."""

    @abstractmethod
    def function_name(self, cls: Any, way: str, numbers: Numbers) -> str:
        """Return the name of a method of a rule or motion, and add it to the text."""

    @abstractmethod
    def state_class(self, state: PerBoidState) -> str:
        """Return the name of the class of a per-boid state."""

    @abstractmethod
    def draw(self, stream: int) -> str:
        """Return the lines that draw `random`, four numbers: f(seed, step, boid, stream)."""

    @abstractmethod
    def fault(self, numbers: str, first: bool = False) -> str:
        """Return the fault of a boid: nan if a sum of numbers is not finite; else as before, or 0
        if it is the first sum."""

    @abstractmethod
    def rest(self, stream: int, shortest: str, longest: str) -> str:
        """Return the lines that draw the timer of a boid that lands, between two bounds."""

    @abstractmethod
    def tuple_text(self, numbers: Numbers) -> str:
        """Return the tuple of a part's numbers, which are the same in all boids."""

    @abstractmethod
    def note(self, rule: int, *vector: str) -> str:
        """Return the lines that record the vector of a rule."""

    def state_tuple(self, state: PerBoidState, form: str) -> str:
        """Return the tuple of a per-boid state; `form` writes the number of a row."""
        return f"{self.state_class(state)}({', '.join(form.format(row=row) for row in state.rows)})"

    def name(self, role: str, owner: str | FlockPlan | RulePlan) -> str:
        """Return a name of a flock's or rule's: reach_cohesion_ for `reach` of cohesion."""
        if isinstance(owner, FlockPlan):
            return self.names.of(role, owner.flock)
        return self.names.of(role, owner if isinstance(owner, str) else owner.name)

    def tuple_of(self, part: RulePlan | Numbers) -> str:
        """Return the name of the tuple of a part's numbers: rule_cohesion_, motion_boids_."""
        numbers = part.numbers if isinstance(part, RulePlan) else part
        return self.names.of(numbers.role, numbers.owner)

    def state_name(self, state: PerBoidState) -> str:
        """Return the name of the tuple of a per-boid state."""
        return self.names.of(f"{state.role}state", state.owner)

    def parts(self, flocks: Sequence[FlockPlan]) -> list[Numbers]:
        """Return the rules and motions of some flocks, each once."""
        by_name = {r.name: r.numbers for flock in flocks for r in flock.rules}
        return [*by_name.values(), *{f.flock: f.motion for f in flocks}.values()]

    def flock_index(self, flock: str) -> int:
        """Return the index of a flock."""
        return list(self.plan.counts).index(flock)

    def rule_index(self, rule: RulePlan) -> int:
        """Return the index of a rule in the model."""
        return list(self.model.rules).index(rule.name)


@dataclass(frozen=True)
class Level:
    """Rules of a flock on one level: where they steer, they replace lower levels."""

    number: int
    rules: list[RulePlan]
    wakes: bool


class SensingText:
    """Expressions of the programs: what a rule senses -> its sums."""

    def __init__(self, text: ProgramText) -> None:
        self.text = text

    def limits(self, rule: RulePlan) -> list[str]:
        """Return the names of the limits of a rule's zone, without the rule's: squared radii, and
        the least signed squared component of a candidate along the heading, times the speed."""
        return ["reach", *["inner"] * rule.annulus, *["cone"] * rule.has_cone]

    def zone(self, rule: RulePlan, condition: str = "") -> str:
        """Return the condition that a rule senses a candidate, in Python and in WGSL."""
        name = self.text.name
        parts = [condition, f"(r2 <= {name('reach', rule)})"]
        if rule.annulus:
            parts.append(f"(r2 > {name('inner', rule)})")
        if rule.has_cone:
            parts.append(f"(forward * abs(forward) >= {name('cone', rule)} * r2)")
        joined = self.both(*parts)
        return f"({joined})" if " & " in joined else joined

    def both(self, *conditions: str) -> str:
        """Return the conjunction of all conditions that are not empty."""
        return " & ".join(c for c in conditions if c)

    def pair(self, rule: RulePlan) -> str:
        """Return the name of a rule's pair function."""
        return self.text.function_name(type(rule.rule), "pair", rule.numbers)

    def running(self, rule: RulePlan) -> list[str]:
        """Return the names of what each candidate changes, without the rule's: sums, or ranks."""
        if not rule.most_influential:
            return [f"sum{k}" for k in range(rule.sums)]
        return [
            name.format(p)
            for p in range(rule.most_influential)
            for name in ("influence{}", "vector{}x", "vector{}y", "vector{}z")
        ]

    def includes_self(self, flock: FlockPlan, rule: RulePlan) -> bool:
        """Return whether a boid counts itself among its neighbours (totals hold it already)."""
        uses_totals = any(s.method == "totals" for s in flock.senses if s.rule is rule)
        own = flock.flock in rule.senses and getattr(rule.rule, "include_self", False)
        return bool(rule.sums and own and not uses_totals)


class SteeringText:
    """Expressions of the programs: a boid's sums -> its next velocity."""

    def __init__(self, text: ProgramText) -> None:
        self.text = text

    def methods(self, rule: RulePlan) -> list[str]:
        """Return the methods that give a rule's vector."""
        ways = [way for way in ("finish", "alone") if way == "alone" or rule.sums]
        return [way for way in ways if hasattr(type(rule.rule), way)]

    def draws_random(self, rule: RulePlan) -> bool:
        cls = type(rule.rule)
        return any("random" in arguments(getattr(cls, way)) for way in self.methods(rule))

    def call(self, rule: RulePlan, way: str) -> str:
        """Return the call of a rule's finish or alone."""
        function: Any = getattr(type(rule.rule), way)
        name = self.text.function_name(type(rule.rule), way, rule.numbers)
        sums = [self.text.name("sums", rule)] if way == "finish" else []
        values = [self.text.tuple_of(rule), *sums, "me"]  # with state, where rules read it
        if "random" in arguments(function):
            values.append("random")
        if way == "finish" and rule.herd:
            values.append("herd")
        if state := self.state_of(rule, way):
            values.append(self.text.state_name(state))
        return f"{name}({', '.join(values)})"

    def state_of(self, rule: RulePlan, way: str) -> PerBoidState | None:
        """Return the per-boid state of a rule's finish or alone."""
        return rule.state if "state" in arguments(getattr(type(rule.rule), way)) else None

    def with_state(self, vector: str, *states: PerBoidState | None) -> str:
        """'(x, y, z, state0, state1)': a vector and per-boid states, as functions return them."""
        names = [f"state{row}" for state in states if state for row in state.rows]
        return f"({', '.join([vector, *names])})" if names else vector

    def result(self, flock: FlockPlan, velocity: str) -> str:
        """Return a velocity and the per-boid states of a stage."""
        fields = [
            f"{self.text.state_name(state)}.{name}"
            for state in flock.states
            for name in state.names
        ]
        return f"({', '.join([velocity, *fields])})" if fields else velocity

    def sums_tuple(self, rule: RulePlan) -> str:
        sums = (self.text.name(f"sum{k}", rule) for k in range(rule.sums))
        return f"({', '.join(sums)},)"

    def numbers_of(self, rule: RulePlan) -> str:
        """Return the sum of a rule's vector and of its sums, which is finite if they are."""
        sums = self.text.name("sums", rule)
        return " + ".join(["x + y + z", *(f"{sums}[{k}]" for k in range(rule.sums))])

    @property
    def herd_vectors(self) -> str:
        return ", ".join(f"h{k}" if k % 3 < self.text.dims else "real(0.0)" for k in range(6))

    def combine(self, flock: FlockPlan) -> str:
        return self.text.model.flocks[flock.flock].combine

    def levels(self, flock: FlockPlan) -> list[Level]:
        """Return the levels above 0, in ascending order, where rules are combined by levels."""
        if self.combine(flock) != "levels":
            return []
        rules = (r for r in flock.rules if r.rule.level and not r.replaces)
        leveled_rules = sorted(rules, key=lambda r: r.rule.level)
        return [
            Level(number, rules, any(rule.rule.wakes for rule in rules))
            for number, group in groupby(leveled_rules, key=lambda r: r.rule.level)
            for rules in [list(group)]
        ]

    def steer_arguments(self, flock: FlockPlan, call: bool = False) -> str:
        """Return the arguments of a flock's steer function. Its definition and its call have the
        same names, except the one that says whether the boid is probed."""
        states = [self.text.state_name(state) for state in flock.states]
        parts = [self.text.tuple_of(part) for part in self.text.parts([flock])]
        sums = [self.text.name("sums", rule) for rule in flock.rules if rule.sums]
        probed = self.text.probe_arguments if self.text.probes else ()
        names = [*self.text.random_arguments, *states, *parts, *sums, *probed]
        if call:
            names = ["ids[i] == probe" if name == "probed" else name for name in names]
        return ", ".join(["numbers", self.text.me if call else "me", *names])

    def result_names(self, flock: FlockPlan) -> str:
        return self.with_state("u, v, w", *flock.states)

    def is_idle(self, flock: FlockPlan) -> bool:
        """Return whether nothing turns a flock in this stage."""
        return not flock.rules and (not flock.last or bool(self.text.model.moved_by(flock.flock)))

    def motion(self, flock: FlockPlan) -> Any:
        return self.text.model.flocks[flock.flock].motion

    def motion_draws_random(self, flock: FlockPlan) -> bool:
        return "random" in arguments(type(self.motion(flock)).turn)

    def motion_stream(self, flock: FlockPlan) -> int:
        return rng_stream_id(flock.flock, f"motion/{flock.stage}")

    def turn(self, flock: FlockPlan) -> str:
        """Return the name of a motion's turn function."""
        return self.text.function_name(type(self.motion(flock)), "turn", flock.motion)

    def turn_arguments(self, flock: FlockPlan) -> str:
        chance = ["random"] if self.motion_draws_random(flock) else []
        state = [self.text.state_name(flock.motion_state)] if flock.motion_state else []
        return ", ".join([self.text.tuple_of(flock.motion), "me, ax, ay, az", *chance, *state])


class MovingText:
    """Expressions of the programs: a boid's next velocity -> its next position."""

    def __init__(self, text: ProgramText) -> None:
        self.text = text

    def ground(self, flock: FlockPlan) -> list[str]:
        """Return ground level, shortest and longest rest of a flock."""
        first = self.text.plan.grounds[flock.flock]
        return [self.text.slot(first + k) for k in range(3)]

    def perches(self, flock: FlockPlan) -> list[tuple[str, str]]:
        """Return the functions that put boids on a perch, and the numbers of their rules."""
        return [
            (self.text.function_name(cls, "perch", numbers), self.text.tuple_text(numbers))
            for cls, numbers in flock.perches
        ]

    def perching_stream(self, flock: FlockPlan) -> int:
        return rng_stream_id(flock.flock, PERCHING)

    @property
    def move_parameters(self) -> str:
        """Parameters of a flock's move function. a, b, c is the velocity to move with, where it
        differs from the next velocity."""
        way = ["a", "b", "c"] if self.text.integrates else []
        rest = ["next_obstacles", "obstacles", "lower", "upper", "step", "key0", "key1"]
        return ", ".join(["numbers", "me", "u", "v", "w", *way, *rest])

    def arrive_arguments(self, flock: FlockPlan) -> str:
        """Return the arguments of a flock's arrive function: see move.py.j2."""
        names = ["numbers", "me"] if flock.can_perch else []
        names += ["x", "y", "z", "u", "v", "w", "lower", "upper"]
        return ", ".join(names + [self.text.tuple_of(numbers) for _, numbers in flock.perches])

    def velocity_to_move(self, flock: FlockPlan) -> str:
        """Return the velocity that a boid moves with."""
        if self.text.integrates:
            return "a, b, c"
        return (
            "me.u, me.v, me.w"
            if self.text.model.flocks[flock.flock].motion.advance == "old"
            else "u, v, w"
        )

    def mean_force(self, flock: FlockPlan) -> str:
        """Return the mean force on a boid, for a step that evaluates forces several times."""
        return ", ".join(
            f"{self.text.tuple_of(flock.motion)}.mass * mean_slopes[{k}, i]"
            if k < self.text.dims
            else "real(0.0)"
            for k in range(3)
        )

    @property
    def mean_velocity(self) -> str:
        return ", ".join(
            f"mean_slopes[{self.text.dims + k}, i]" if k < self.text.dims else "real(0.0)"
            for k in range(3)
        )
