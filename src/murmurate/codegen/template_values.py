"""Values and expressions for the templates of kernels: names, expressions and facts of a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from murmurate.codegen.layout import PAD_COORDINATE, Layout
from murmurate.codegen.obstacle_shapes import FACES, NO_AXIS, ROUNDING
from murmurate.codegen.opened_rules import OpenedRules
from murmurate.codegen.plan import (
    FAR,
    FlockPlan,
    Numbers,
    PerBoidState,
    RulePlan,
    slots_in,
)
from murmurate.codegen.program_text import ProgramText, SensingText
from murmurate.language.library import Library
from murmurate.language.methods import part_of, read_method
from murmurate.language.tree import NEAREST
from murmurate.model.quantity import TableRows
from murmurate.model.rule_arguments import Me

AXES = "xyz"


class KernelText(ProgramText):
    """Names and facts of one model's kernels. Methods return expressions of the text."""

    PAD_DISTANCE2 = repr(PAD_COORDINATE * PAD_COORDINATE)
    PAD_COORDINATE = repr(PAD_COORDINATE)
    FAR = repr(FAR)
    FETCH_AHEAD = 6  # boids whose numbers are prefetched, as measured

    def __init__(
        self,
        layout: Layout,
        library: Library,
        dtype: str,
        in_page: bool = False,
        opened: OpenedRules | None = None,
    ) -> None:
        super().__init__(layout.plan, library.names, in_page)
        self.layout, self.library, self.opened = layout, library, opened
        self.shares_updates = layout.shares_updates and not in_page
        self.rounding = f"real({ROUNDING[dtype]!r})"
        self.axes = AXES[: self.dims]
        self.rows = [*"XYZ"[: self.dims], *"UVW"[: self.dims]]
        self.flocks = list(self.plan.counts)
        self.stages = self.plan.stages
        self.can_perch = any(flock.can_perch for flock in self.plan.flocks)
        self.has_memory = self.plan.memory_rows > 0
        self.has_obstacles = bool(self.model.obstacles)
        self.synchronous = self.model.order == "synchronous"
        self.moves_at_end = self.model.positions == "at-end"
        self.stages_of_flocks = self.plan.flocks
        self.tuples: dict[tuple[str, ...], str] = {}  # the shape of parts -> their tuple
        self.fields: dict[str, tuple[str, ...]] = {}  # a tuple -> its fields
        self.states = self.plan.states
        library.states = {f"me.state.{name}": k for k, name in enumerate(self.states.own)}
        library.states |= {f"other.state.{name}": k for k, name in enumerate(self.states.others)}

    def constant(self, slot: int) -> str:
        """Return the name of a slot's index in `numbers`."""
        key = self.plan.slots[slot].key
        return self.names.of(key[0].upper(), *key[1:]) if key[1:] else key[0]

    def own_constant(self, slot: int) -> str:
        """Return the name of a slot's column in `individual_numbers`."""
        role, *words = self.plan.slots[slot].key
        return self.names.of("OWN", *words, key=role)

    @property
    def boid_id(self) -> str:
        """Id of boid i, through all flocks."""
        return "ids[i]" if self.synchronous else "boid"

    def boid_index(self, flock: FlockPlan) -> str:
        """Return the index of boid i within its flock."""
        if self.model.changes_numbers:
            return f"np.int64(boid_index[{self.boid_id}])"
        return f"{self.boid_id} - {self.name('first', flock)}"

    def at_update(self, turn: str) -> str:
        """Return the id of the boid of an update, through all flocks."""
        return f"update_order[step_index, {turn}]" if self.model.order == "shuffled" else turn

    @property
    def column(self) -> str:
        """Column for the next state of boid i: one column will do in a sequential update."""
        if self.synchronous:
            return "i"
        return "own_column" if self.shares_updates else "0"

    @property
    def position_column(self) -> str:
        """Column for the next position of boid i."""
        return "i" if self.moves_at_end else self.column

    def flocks_of_stage(self, stage: int) -> list[FlockPlan]:
        return [flock for flock in self.plan.flocks if flock.stage == stage]

    def slot(self, slot: int) -> str:
        """Return the expression of a slot, by name."""
        if slot in self.plan.individual_rows:
            return f"individual_numbers[natural({self.boid_id}), {self.own_constant(slot)}]"
        return f"numbers[{self.constant(slot)}]"

    def common_slot(self, slot: int) -> str:
        """Return the expression of a slot, for a number that differs between boids of its bound."""
        return f"numbers[{self.constant(slot)}]"

    def differs(self, part: Numbers) -> bool:
        """Return whether some numbers of a part differ between boids."""
        return any(slot in self.plan.individual_rows for slot in part.slots)

    def own_parts(self, flock: FlockPlan) -> list[Numbers]:
        """Return the rules and the motion of a flock with numbers that differ between boids."""
        return [part for part in self.parts([flock]) if self.differs(part)]

    def tuple_text(self, numbers: Numbers) -> str:
        """Return the tuple of a part's numbers, which are the same in all boids."""
        return self._tuple_call(numbers, self._fields(numbers, self.slot) or ["real(0.0)"])

    def _fields(self, numbers: Numbers, text_of: Callable[[int], str]) -> list[str]:
        """Return the fields of a part's tuple.

        text_of  returns the expression of a slot
        """
        return [
            self._table(slot) if isinstance(slot, TableRows) else tuple_of_texts(slot, text_of)
            for slot in numbers.fields.values()
        ]

    def _table(self, rows: TableRows) -> str:
        """Return the expression of a table."""
        return f"table_of(numbers, {len(self.plan.slots) + rows.first}, {rows.count})"

    def own_tuple_text(self, numbers: Numbers) -> str:
        """Return the tuple of a part's numbers for boid i. It takes those that do not differ from
        the tuple of common numbers, which is made before the loop over boids."""
        common = self.common_name(numbers)
        fields = [
            tuple_of_texts(slot, self.slot)
            if any(s in self.plan.individual_rows for s in slots_in(slot))
            else f"{common}.{name}"
            for name, slot in numbers.fields.items()
        ]
        return self._tuple_call(numbers, fields)

    def common_name(self, numbers: Numbers) -> str:
        """Return the name of the tuple of a part's numbers with the bounds of those that differ."""
        return self.names.of("common", numbers.role, numbers.owner)

    def common_tuple_text(self, numbers: Numbers) -> str:
        """Return the tuple of a part's numbers with the bounds of those that differ."""
        return self._tuple_call(numbers, self._fields(numbers, self.common_slot))

    def _tuple_call(self, numbers: Numbers, fields: Sequence[str]) -> str:
        """Return the call that makes the tuple of a part's numbers."""
        name = self.tuples.setdefault(numbers.shape, f"Numbers{len(self.tuples) + 1}")
        self.fields[name] = tuple(numbers.fields) or ("nothing",)
        return f"{name}({', '.join(fields)})"

    def load(self, letters: Sequence[str], index: str) -> str:
        """'X[i], Y[i], real(0.0)'."""
        return ", ".join(
            f"{letter}[{index}]" if k < self.dims else "real(0.0)"
            for k, letter in enumerate(letters)
        )

    # --- per-boid state that rules read

    @property
    def me(self) -> str:
        """Name of the boid that rules move, as their functions receive it."""
        return "me_with_state" if self.states.own else "me"

    def me_with_state(self, flock: FlockPlan) -> str:
        """Return boid i with its own state; '' if no rule reads it."""
        if not self.states.own:
            return ""
        fields = ", ".join(f"me.{field}" for field in Me._fields)
        values = [self.stored("memory[{row}, i]", name, flock.flock) for name in self.states.own]
        return f"MeWithState({fields}, ({', '.join(values)},))"

    def other(self, numbers: str, values: Sequence[str] = ()) -> str:
        """Return a candidate as rules receive it.

        values  of the state that rules read of it, see `states_of`; zeros by default
        """
        if not self.states.others:
            return f"Other({numbers})"
        values = values or ["real(0.0)"] * len(self.states.others)
        return f"OtherWithState({numbers}, ({', '.join(values)},))"

    def states_of(
        self, form: str, flock: str = "", flock_index: str = "", sensed: Sequence[str] = ()
    ) -> list[str]:
        """Return the values of the state that rules read of a candidate.

        form         writes the number of a row of the memory
        flock        the flock of the candidate, or
        flock_index  the expression of its index
        sensed       the flocks that a rule of the k nearest senses
        """
        return [
            self.sensed_index(flock_index, sensed if name == NEAREST["flock"] else ())
            if name in NEAREST.values()
            else self.stored(form, name, flock, flock_index)
            for name in self.states.others
        ]

    def sensed_index(self, flock_index: str, sensed: Sequence[str]) -> str:
        """Return the index of a flock among those that are sensed; 0 where there is one or none."""
        text = "real(0.0)"
        for k, name in enumerate(sensed[1:], 1):
            text = f"(real({k}.0) if {flock_index} == {self.flock_index(name)} else {text})"
        return text

    def stored(self, form: str, name: str, flock: str, flock_index: str = "") -> str:
        """Return the value of per-boid state: a row for a flock, or a choice between flocks."""
        rows = {f: row for (f, key), row in self.states.rows.items() if key == name}
        if flock:
            return form.format(row=rows[flock]) if flock in rows else "real(0.0)"
        *others, (_, last) = rows.items()
        text = form.format(row=last)
        if len(set(rows.values())) > 1:
            for other, row in reversed(others):
                test = f"{flock_index} == {self.flock_index(other)}"
                text = f"({form.format(row=row)} if {test} else {text})"
        return text

    @property
    def state_rows(self) -> list[str]:
        """Rows of the memory that neighbours read, as names of the text: M0, M3."""
        return [f"M{row}" for row in self.states.shared_rows]

    @property
    def sides(self) -> str:
        """Sides of the periodic axes, 0 for the others."""
        return ", ".join(f"side{k}" if k in self.periodic_axes else "real(0.0)" for k in range(3))

    @property
    def faces(self) -> list[str]:
        """Kind and positions of the faces of each axis: see obstacle_shapes.py."""
        kinds = [FACES[boundary] for boundary in self.boundaries]
        axes = [f"(real({kind}), lower[{k}], upper[{k}])" for k, kind in enumerate(kinds)]
        return axes + [f"(real({NO_AXIS}), real(0.0), real(0.0))"] * (3 - self.dims)

    def function_name(self, cls: Any, way: str, numbers: Numbers) -> str:
        """Return the name of a method of a rule or motion, and add it to the text."""
        how = "rule" if way == "pair" else "once"
        if self.opened and numbers.role == "rule" and numbers.owner in self.opened.names:
            name = self.names.of(way, numbers.owner)
            self.library.add_text(name, self.opened.text(name, numbers.owner, way, how))
            return name
        part = part_of(cls, numbers.fields, numbers.constants)
        tree = read_method(part, way, self.plan.readings)
        return self.library.add(tree, way, numbers.owner, part.words, how)

    def is_opened(self, rule: RulePlan) -> bool:
        """Return whether the functions of a rule are outside of the kernels."""
        return self.opened is not None and rule.name in self.opened.names

    def put_opened(self, flock: FlockPlan) -> list[str]:
        """Return the statements that store what opened rules need of boid i."""
        opened = [rule for rule in flock.rules if self.is_opened(rule)]
        if self.opened is None or not opened:
            return []
        numbers = [self.opened.put_numbers(rule, self.tuple_of(rule)) for rule in opened]
        return [*self.opened.put_me(self.me), *(line for lines in numbers for line in lines)]

    def state_class(self, state: PerBoidState) -> str:
        key = ("state", *state.names)
        name = self.tuples.setdefault(key, f"State{len(self.tuples) + 1}")
        self.fields[name] = state.names
        return name

    def draw(self, stream: int) -> str:
        bits = ", ".join(
            f"real(np.int64(b{k} >> np.uint64(8))) * real({2.0**-24!r})" for k in range(4)
        )
        return (
            f"b0, b1, b2, b3 = philox(me.index, step, {stream}, key0, key1)\n"
            f"random = Random({bits})"
        )

    def fault(self, numbers: str, first: bool = False) -> str:
        return f"{'' if first else 'fault + '}real(0.0) * ({numbers})"

    def rest(self, stream: int, shortest: str, longest: str) -> str:
        return f"""b0, b1, b2, b3 = philox(me.index, step, {stream}, key0, key1)
choices = np.int64({longest} - {shortest} + 1)
extra = np.int64(b0 >> np.uint64(8)) * choices >> 24
timer = np.int32({shortest}) + np.int32(extra)"""

    def note(self, rule: int, *vector: str) -> str:
        return "\n".join(f"vectors[{rule}, {k}] = {x}" for k, x in enumerate(vector))


def tuple_of_texts(slot: Any, text_of: Callable[[int], str]) -> str:
    """Return the text of a slot, or of slots in nested tuples as tuples."""
    if not isinstance(slot, tuple):
        return text_of(slot)
    items = ", ".join(tuple_of_texts(item, text_of) for item in slot)
    return f"({items}{',' if len(slot) == 1 else ''})"


class NumbaSensing(SensingText):
    """Expressions of one model's kernels: which boids a rule senses, and how."""

    text: KernelText

    def pairs(self, flock: FlockPlan, how: str) -> list[tuple[RulePlan, str]]:
        """Return (rule, sensed flock) for one search, without rules of the k nearest and rules from
        which boids hide others."""
        return [
            (s.rule, s.flock)
            for s in flock.senses
            if self.text.layout.search(flock, s) == how
            and not s.rule.nearest
            and not s.rule.has_view
        ]

    def rules(self, flock: FlockPlan, how: str, sensed: str | None = None) -> list[RulePlan]:
        """Return the rules that sense a flock, or any, by one search, without the k nearest."""
        return [rule for rule, other in self.pairs(flock, how) if sensed in (None, other)]

    def each(self, rules: list[RulePlan], condition: str = "") -> list[tuple[RulePlan, str]]:
        """Return rules with a common condition."""
        return [(rule, condition) for rule in rules]

    def perceived_array(self, flock: FlockPlan) -> str:
        """Return the array of what a flock perceives; '' where that is the state."""
        if self.loses(flock):
            return "received"
        rows = self.text.plan.first_messages
        return f"perceived[{rows[flock.flock]}]" if flock.flock in rows else ""

    def loses(self, flock: FlockPlan) -> bool:
        """Return whether messages to a flock may get lost: see receive.py.j2."""
        return bool(flock.senses) and self.text.plan.loses(flock.flock)

    def arrived(self, flock: FlockPlan, row: str) -> str:
        """Return the condition that a message of boid j arrived; '' where none gets lost.

        row  the first coordinates of what the flock perceives
        """
        return f"({row}[j] < real({self.text.PAD_COORDINATE}))" if self.loses(flock) else ""

    def perceived(self, flock: FlockPlan, row: int) -> str:
        array = self.perceived_array(flock)
        return f"{array}[{row}]" if array else ""

    def velocity_of(self, flock: FlockPlan, index: str) -> str:
        array = self.perceived_array(flock)
        if not array:
            return self.text.load("UVW", index)
        return self.text.load([f"{array}[{self.text.dims + k}]" for k in range(3)], index)
