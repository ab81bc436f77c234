"""What the templates of kernels are filled with: names, slots and facts of one model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from murmurate.codegen.layout import HIDDEN, Layout
from murmurate.codegen.obstacle_shapes import FACES, NO_AXIS, ROUNDING
from murmurate.codegen.plan import FAR, FlockPlan, Kept, Numbers, Plan, RulePlan
from murmurate.language.library import Library
from murmurate.language.methods import part_of, read_method

AXES = "xyz"


class KernelText:
    """Names and numbers of one model's kernels. Methods give expressions of the kernels' text."""

    HIDDEN_SQUARED = repr(HIDDEN * HIDDEN)
    HIDDEN = repr(HIDDEN)
    FAR = repr(FAR)

    def __init__(self, layout: Layout, library: Library, dtype: str, in_page: bool = False) -> None:
        self.layout, self.library, self.probes = layout, library, in_page
        self.names = library.names
        self.shares_turns = layout.shares_turns and not in_page
        self.plan: Plan = layout.plan
        self.rounding = f"real({ROUNDING[dtype]!r})"
        self.model = self.plan.model
        self.dims = self.model.space.dims
        self.axes = AXES[: self.dims]
        self.rows = [*"XYZ"[: self.dims], *"UVW"[: self.dims]]
        self.periodic_axes = [k for k, round_ in enumerate(self.model.space.periodic) if round_]
        self.boundaries = self.model.space.boundaries
        self.flocks = list(self.plan.counts)
        self.stages = self.plan.stages
        self.integrates = self.plan.integrates
        self.rests = any(flock.rests for flock in self.plan.flocks)
        self.has_memory = self.plan.kept > 0
        self.has_obstacles = bool(self.model.obstacles)
        self.synchronous = self.model.order == "synchronous"
        self.moves_at_end = self.model.positions == "at-end"
        self.stages_of_flocks = self.plan.flocks
        self.tuples: dict[tuple[str, ...], str] = {}  # the shape of parts -> their tuple
        self.fields: dict[str, tuple[str, ...]] = {}  # a tuple -> its fields

    def name(self, role: str, owner: str | FlockPlan | RulePlan) -> str:
        """The name of something of a flock's or rule's: `reach` of cohesion is reach_cohesion_."""
        if isinstance(owner, FlockPlan):
            return self.names.of(role, owner.flock)
        return self.names.of(role, owner if isinstance(owner, str) else owner.name)

    def its(self, part: RulePlan | Numbers) -> str:
        """The name of the tuple of a part's numbers: rule_cohesion_, motion_boids_."""
        numbers = part.numbers if isinstance(part, RulePlan) else part
        return self.names.of(numbers.role, numbers.owner)

    def kept(self, kept: Kept) -> str:
        """The name of the tuple of what a rule or a motion keeps of a boid."""
        return self.names.of(f"{kept.role}kept", kept.owner)

    def constant(self, slot: int) -> str:
        """The name of a number's place in `numbers`."""
        key = self.plan.slots[slot].key
        return self.names.of(key[0].upper(), *key[1:]) if key[1:] else key[0]

    @property
    def number(self) -> str:
        """The number of boid i through all flocks."""
        return "ids[i]" if self.synchronous else "boid"

    def at_turn(self, turn: str) -> str:
        """The number of the boid whose turn it is, through all flocks."""
        return f"update_order[step_index, {turn}]" if self.model.order == "shuffled" else turn

    @property
    def column(self) -> str:
        """Where it is put what boid i becomes: one place will do for boids that are it at once."""
        if self.synchronous:
            return "i"
        return "own_column" if self.shares_turns else "0"

    @property
    def place_column(self) -> str:
        """Where it is put where boid i will be."""
        return "i" if self.moves_at_end else self.column

    def flocks_of_stage(self, stage: int) -> list[FlockPlan]:
        return [flock for flock in self.plan.flocks if flock.stage == stage]

    def kind(self, flock: str) -> int:
        """A flock's number."""
        return self.flocks.index(flock)

    def slot(self, slot: int) -> str:
        """A number of the model, by name."""
        return f"numbers[{self.constant(slot)}]"

    def parts(self, flocks: Sequence[FlockPlan]) -> list[Numbers]:
        """The rules and motions of some flocks, each once."""
        found = {r.name: r.numbers for flock in flocks for r in flock.rules}
        return [*found.values(), *{f.flock: f.motion for f in flocks}.values()]

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
    def faces(self) -> list[str]:
        """What the faces of each axis do, and where they are: see obstacle_shapes.py."""
        kinds = [FACES[boundary] for boundary in self.boundaries]
        axes = [f"(real({kind}), lower[{k}], upper[{k}])" for k, kind in enumerate(kinds)]
        return axes + [f"(real({NO_AXIS}), real(0.0), real(0.0))"] * (3 - self.dims)

    def place(self, rule: RulePlan) -> int:
        """Where a rule stands in the model."""
        return list(self.model.rules).index(rule.name)

    def added(self, cls: Any, way: str, numbers: Numbers) -> str:
        """The name of a method of a rule or motion, which stands in the text from now on."""
        how = "rule" if way == "pair" else "once"
        part = part_of(cls, numbers.fields, numbers.words)
        tree = read_method(part, way, self.plan.readings)
        return self.library.add(tree, way, numbers.owner, part.words, how)

    def kept_from(self, kept: Kept, form: str) -> str:
        """The tuple of what is kept, each number as `form` writes that of a row."""
        key = ("kept", *kept.names)
        name = self.tuples.setdefault(key, f"Kept{len(self.tuples) + 1}")
        self.fields[name] = kept.names
        return f"{name}({', '.join(form.format(row=row) for row in kept.rows)})"
