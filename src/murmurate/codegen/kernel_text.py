"""What the templates of kernels are filled with: names, slots, conditions and calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from murmurate.codegen.function_library import Library
from murmurate.codegen.function_text import arguments
from murmurate.codegen.layout import HIDDEN, Layout
from murmurate.codegen.plan import FAR, FlockPlan, Kept, Numbers, Plan, RulePlan, purpose, word

AXES = "xyz"


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


@dataclass(frozen=True)
class Level:
    """Rules of a flock on one level, whose steering takes the place of that of lower levels."""

    number: int
    rules: list[RulePlan]
    wakes: bool


def nearest_groups(flock: FlockPlan) -> list[list[RulePlan]]:
    """Rules that sense the same k nearest share one search."""
    groups: dict[object, list[RulePlan]] = {}
    for rule in flock.rules:
        if rule.nearest and rule.senses:
            sense = rule.rule
            key = (
                rule.nearest, rule.senses, sense.radius, sense.inner_radius, sense.field_of_view
            )  # fmt: skip
            groups.setdefault(key, []).append(rule)
    return list(groups.values())


class KernelText:
    """The words of one model's kernels. Methods give expressions of the kernels' text."""

    HIDDEN_SQUARED = repr(HIDDEN * HIDDEN)
    HIDDEN = repr(HIDDEN)
    FAR = repr(FAR)

    def __init__(self, layout: Layout, library: Library) -> None:
        self.layout, self.library = layout, library
        self.plan: Plan = layout.plan
        self.model = self.plan.model
        self.dims = self.model.space.dims
        self.axes = AXES[: self.dims]
        self.rows = [*"XYZ"[: self.dims], *"UVW"[: self.dims]]
        self.periodic_axes = [k for k, round_ in enumerate(self.model.space.periodic) if round_]
        self.boundaries = self.model.space.boundaries
        self.flocks = list(self.plan.counts)
        self.stages = self.plan.stages
        self.several = len(layout.gridded) > 1
        self.integrates = self.plan.integrates
        self.has_memory = self.plan.kept > 0
        self.has_obstacles = bool(self.model.obstacles)
        self.needs_totals = self.plan.has_totals
        self.synchronous = self.model.order == "synchronous"
        self.shuffled = self.model.order == "shuffled"
        self.moves_at_end = self.model.positions == "at-end"
        self.stages_of_flocks = self.plan.flocks
        self.tuples: dict[tuple[str, ...], str] = {}  # the shape of parts -> their tuple
        self.fields: dict[str, tuple[str, ...]] = {}  # a tuple -> its fields

    def flocks_of_stage(self, stage: int) -> list[FlockPlan]:
        return [flock for flock in self.plan.flocks if flock.stage == stage]

    # --- names and numbers

    word = staticmethod(word)

    def kind(self, flock: str) -> int:
        """A flock's number."""
        return self.flocks.index(flock)

    def slot(self, slot: int) -> str:
        """A number of the model, by name."""
        return f"numbers[{self.plan.slots[slot].name}]"

    def number(self, numbers: Numbers, field: str) -> str:
        return self.slot(numbers.fields[field])

    def ground(self, flock: FlockPlan) -> list[str]:
        """Ground level, shortest and longest rest of a flock."""
        first = self.plan.grounds[flock.flock]
        return [self.slot(first + k) for k in range(3)]

    def parts(self, flocks: Sequence[FlockPlan]) -> list[Numbers]:
        """The rules and motions of some flocks, each once."""
        found = {r.numbers.name: r.numbers for flock in flocks for r in flock.rules}
        return [*found.values(), *{f.motion.name: f.motion for f in flocks}.values()]

    def packed(self, numbers: Numbers) -> str:
        """A part's numbers, gathered in a tuple."""

        def one(slot: object) -> str:
            if isinstance(slot, tuple):
                return "(" + ", ".join(one(s) for s in slot) + ("," if len(slot) == 1 else "") + ")"
            return self.slot(int(slot))  # type: ignore[call-overload]

        name = self.tuples.setdefault(numbers.shape, f"Numbers{len(self.tuples) + 1}")
        self.fields[name] = tuple(numbers.fields) or ("nothing",)
        fields = [one(slot) for slot in numbers.fields.values()] or ["real(0.0)"]
        return f"{name}({', '.join(fields)})"

    def load(self, letters: Sequence[str], index: str) -> str:
        """'X[i], Y[i], real(0.0)'."""
        return ", ".join(
            f"{letter}[{index}]" if k < self.dims else "real(0.0)"
            for k, letter in enumerate(letters)
        )

    @property
    def sides(self) -> str:
        """Sides of the periodic axes, 0 for the others."""
        return ", ".join(f"side{k}" if k in self.periodic_axes else "real(0.0)" for k in range(3))

    @property
    def sides_by_faces(self) -> str:
        return ", ".join(
            f"upper[{k}] - lower[{k}]" if k in self.periodic_axes else "real(0.0)" for k in range(3)
        )

    @property
    def everyone(self) -> str:
        return " + ".join(f"size_{word(name)}" for name in self.flocks)

    # --- sensing

    def both(self, *conditions: str) -> str:
        """All conditions that are not empty."""
        return " & ".join(c for c in conditions if c)

    def zone(self, rule: RulePlan, conditions: str = "") -> str:
        """The condition that a rule senses `other`."""
        parts = [conditions, f"(r2 <= reach_{rule.word})"]
        if rule.annulus:
            parts.append(f"(r2 > inner_{rule.word})")
        if rule.sees_ahead:
            parts.append(f"(ahead * abs(ahead) >= cone_{rule.word} * r2)")
        joined = self.both(*parts)
        return f"({joined})" if " & " in joined else joined

    def sensing_pairs(self, flock: FlockPlan, how: str) -> list[tuple[RulePlan, str]]:
        """(rule, sensed flock) of those that sense in one way, but for the k nearest."""
        return [
            (s.rule, s.flock)
            for s in flock.senses
            if self.layout.how(flock, s) == how and not s.rule.nearest
        ]

    def sensing(self, flock: FlockPlan, how: str, sensed: str | None = None) -> list[RulePlan]:
        """The rules that sense a flock, or any, in one way, but for the k nearest."""
        pairs = self.sensing_pairs(flock, how)
        return [rule for rule, other in pairs if sensed in (None, other)]

    def kind_test(self, sensed: str) -> str:
        """The condition that picks a flock's boids among the columns that are swept for it."""
        several = sensed in self.layout.gridded and self.several
        return f"(kinds[j] == {self.kind(sensed)})" if several else ""

    def voronoi_test(self, rule: RulePlan) -> str:
        if set(rule.senses) == set(self.plan.tessellations[rule.tessellation]):
            return ""
        return f"({' | '.join(f'(kinds[j] == {self.kind(name)})' for name in rule.senses)})"

    def perceived_array(self, flock: FlockPlan) -> str:
        """The array of what a flock knows of others, where that is not how they are now."""
        lookers = self.plan.lookers
        return f"perceived[{lookers.index(flock.flock)}]" if flock.flock in lookers else ""

    def perceived(self, flock: FlockPlan, row: int) -> str:
        array = self.perceived_array(flock)
        return f"{array}[{row}]" if array else ""

    def velocity_of(self, flock: FlockPlan, index: str) -> str:
        array = self.perceived_array(flock)
        if not array:
            return self.load("UVW", index)
        return self.load([f"{array}[{self.dims + k}]" for k in range(3)], index)

    def nearest_groups(self, flock: FlockPlan) -> list[NearestGroup]:
        return [self._group(flock, k, g) for k, g in enumerate(nearest_groups(flock))]

    def _group(self, flock: FlockPlan, number: int, rules: list[RulePlan]) -> NearestGroup:
        lead = rules[0]
        hows = {self.layout.how(flock, s) for s in flock.senses if s.rule is lead}
        cone = self.slot(lead.cone) if lead.sees_ahead else "real(-2.0)"
        inner = f"inner_{lead.word}" if lead.annulus else "real(-1.0)"
        tests = [f"(r2 <= reach_{lead.word})"]
        if lead.sees_ahead:
            tests.append(f"(ahead * abs(ahead) >= {cone} * r2 * (me.speed * me.speed))")
        if lead.annulus:
            tests.append(f"(r2 > {inner})")
        if self.several:
            kinds = " | ".join(f"(bk[j] == {self.kind(name)})" for name in lead.senses)
            tests.append(f"({kinds})")
        test = " & ".join(tests)
        wanted = sum(1 << self.kind(name) for name in lead.senses)
        in_cells = hows == {"cells"}
        return NearestGroup(number, rules, in_cells, cone, inner, f"({test})", wanted)

    def mean(self, sensed: str, letters: str, without: bool) -> str:
        """The mean place ('xyz', as seen from the boid) or velocity ('uvw') of a flock's others."""
        found = []
        for k, c in enumerate(letters):
            if k >= self.dims:
                found.append("real(0.0)")
                continue
            row = k + (self.dims if letters == "uvw" else 0)
            own = f" - {c}" if without else ""
            less = f" - {c}" if letters == "xyz" else ""
            found.append(f"real((totals[{self.kind(sensed)}, {row}]{own}) * each{less})")
        return ", ".join(found)

    def obstacle_range(self, rule: RulePlan) -> str:
        if len(rule.obstacles) == len(self.model.obstacles):
            return "range(obstacles.shape[0])"
        return f"({', '.join(map(str, rule.obstacles))},)"

    def adds_itself(self, flock: FlockPlan, rule: RulePlan) -> bool:
        """Whether a boid counts itself among its neighbours (totals hold it already)."""
        by_totals = any(s.how == "totals" for s in flock.senses if s.rule is rule)
        own = flock.flock in rule.senses and getattr(rule.rule, "include_self", False)
        return bool(rule.sums and own and not by_totals)

    # --- functions and their calls

    def _added(self, cls: Any, way: str, numbers: Numbers) -> str:
        """The name of a method of a rule or motion, which stands in the text from now on."""
        wish = f"{numbers.name}_{way}"
        return self.library.add(getattr(cls, way), wish, numbers.words, cls=cls)

    def pair(self, rule: RulePlan) -> str:
        """The name of a rule's pair function."""
        return self._added(type(rule.rule), "pair", rule.numbers)

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
        name = self._added(type(rule.rule), way, rule.numbers)
        given = [rule.its, f"sums_{rule.word}", "me"] if way == "finish" else [rule.its, "me"]
        if "random" in arguments(function):
            given.append("random")
        if way == "finish" and rule.herd >= 0:
            given.append("herd")
        if kept := self.kept_by(rule, way):
            given.append(kept.its)
        return f"{name}({', '.join(given)})"

    # --- what is kept of a boid

    def kept_by(self, rule: RulePlan, way: str) -> Kept | None:
        """What a rule's finish or alone keeps."""
        return rule.kept if "kept" in arguments(getattr(type(rule.rule), way)) else None

    def with_kept(self, vector: str, *kept: Kept | None) -> str:
        """'(x, y, z, kept0, kept1)': a vector and what is kept, as a function returns them."""
        names = [f"kept{row}" for one in kept if one for row in one.rows]
        return f"({', '.join([vector, *names])})" if names else vector

    def kept_from(self, kept: Kept, form: str) -> str:
        """The tuple of what is kept, each number as `form` writes that of a row."""
        key = ("kept", *kept.names)
        name = self.tuples.setdefault(key, f"Kept{len(self.tuples) + 1}")
        self.fields[name] = kept.names
        return f"{name}({', '.join(form.format(row=row) for row in kept.rows)})"

    def turned(self, flock: FlockPlan, velocity: str) -> str:
        """A velocity, and what a stage keeps of the boid."""
        fields = [f"{kept.its}.{name}" for kept in flock.kept for name in kept.names]
        return f"({', '.join([velocity, *fields])})" if fields else velocity

    def sums_tuple(self, rule: RulePlan) -> str:
        return "(" + ", ".join(f"sum_{rule.word}_{k}" for k in range(rule.sums)) + ",)"

    @property
    def herd_ways(self) -> str:
        return ", ".join(f"h{k}" if k % 3 < self.dims else "real(0.0)" for k in range(6))

    def combine(self, flock: FlockPlan) -> str:
        return self.model.flocks[flock.flock].combine

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

    def steer_parameters(self, flock: FlockPlan) -> str:
        kept = [kept.its for kept in flock.kept]
        parts = [part.name for part in self.parts([flock])]
        sums = [f"sums_{rule.word}" for rule in flock.rules if rule.sums]
        return ", ".join(["numbers", "me", "step", "key0", "key1", *kept, *parts, *sums])

    steer_arguments = steer_parameters

    def result(self, flock: FlockPlan) -> str:
        return self.with_kept("u, v, w", *flock.kept)

    def idle(self, flock: FlockPlan) -> bool:
        """Whether nothing turns a flock in this stage."""
        return not flock.rules and (not flock.last or bool(self.model.moved_by(flock.flock)))

    def _motion(self, flock: FlockPlan) -> Any:
        return self.model.flocks[flock.flock].motion

    def motion_takes_chance(self, flock: FlockPlan) -> bool:
        return "random" in arguments(type(self._motion(flock)).turn)

    def motion_purpose(self, flock: FlockPlan) -> int:
        return purpose(flock.flock, f"motion/{flock.stage}")

    def perching_purpose(self, flock: FlockPlan) -> int:
        return purpose(flock.flock, "perching")

    def turn(self, flock: FlockPlan) -> str:
        """The name of a motion's turn function."""
        return self._added(type(self._motion(flock)), "turn", flock.motion)

    def turn_arguments(self, flock: FlockPlan) -> str:
        chance = ["random"] if self.motion_takes_chance(flock) else []
        kept = [flock.motion_kept.its] if flock.motion_kept else []
        return ", ".join([flock.motion.name, "me", "ax", "ay", "az", *chance, *kept])

    # --- moving

    @property
    def move_parameters(self) -> str:
        """What a flock's move function takes; a, b, c is the velocity to move with, where it is
        another than the one that a boid will have."""
        way = ["a", "b", "c"] if self.integrates else []
        rest = ["obstacles", "lower", "upper", "step", "key0", "key1"]
        return ", ".join(["numbers", "me", "u", "v", "w", *way, *rest])

    def moves_by(self, flock: FlockPlan) -> str:
        """The velocity that a boid moves with."""
        if self.integrates:
            return "a, b, c"
        return "me.u, me.v, me.w" if self._motion(flock).advance == "old" else "u, v, w"

    def pushed(self, flock: FlockPlan) -> str:
        """The mean force on a boid, of a step whose forces are evaluated several times."""
        return ", ".join(
            f"{flock.motion.name}.mass * pushes[{k}, i]" if k < self.dims else "real(0.0)"
            for k in range(3)
        )

    @property
    def pushed_way(self) -> str:
        return ", ".join(
            f"pushes[{self.dims + k}, i]" if k < self.dims else "real(0.0)" for k in range(3)
        )
