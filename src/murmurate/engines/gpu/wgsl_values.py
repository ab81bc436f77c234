"""Names and values in the WGSL text of a plan: numbers, per-boid state, arguments of rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from murmurate.codegen.plan import FlockPlan, Numbers, PerBoidState, Plan
from murmurate.engines.cpu.model_arguments import EVALUATIONS
from murmurate.language.methods import argument_types, part_of, read_method
from murmurate.language.tree import REAL, Record, Tuple, Type
from murmurate.language.wgsl_library import RECORDS, WgslLibrary
from murmurate.language.wgsl_types import WgslTypes, identifier

AXES = "xyz"


@dataclass
class PlanText:
    """Expressions of the text of one plan. They are for boid i, whose numbers are loaded.

    plan     the plan of the model
    library  the functions of its rules and motions
    probes   whether the weighted vectors of the rules on one boid are written into `control`
    """

    plan: Plan
    library: WgslLibrary
    probes: bool = False

    @classmethod
    def of(cls, plan: Plan, probes: bool = False, compact: bool = False) -> PlanText:
        """Return the writer for a plan; `compact` for long functions, see WgslTypes."""
        states = {"me": plan.states.own, "other": plan.states.others}
        return cls(plan, WgslLibrary(types=WgslTypes(RECORDS, states, compact)), probes)

    @property
    def dims(self) -> int:
        """Number of axes."""
        return self.plan.model.space.dims

    @property
    def evaluations(self) -> tuple[tuple[float, float, float], ...]:
        """The evaluations of the forces in a step: part, bend and weight of each."""
        return EVALUATIONS[self.plan.model.integrator]

    @property
    def totals(self) -> list[str]:
        """The functions that read the sums over flocks, which are in front of the rows."""
        return [
            "fn total_at(flock: u32) -> u32 {",
            f"  return settings.first_row - {6 * len(self.plan.counts)}u + 6u * flock;",
            "}",
            "fn total_of(flock: u32, first: u32) -> vec3f {",
            "  let at = total_at(flock) + first;",
            "  return vec3f(numbers[at], numbers[at + 1u], numbers[at + 2u]);",
            "}",
        ]

    def name(self, role: str, owner: str) -> str:
        return self.library.names.of(role, owner)

    def part(self, numbers: Numbers) -> str:
        return self.name(numbers.role, numbers.owner)

    def flock_index(self, name: str) -> int:
        return list(self.plan.counts).index(name)

    def slot(self, slot: int) -> str:
        """Return the number in a slot, of this boid if boids differ in it."""
        if slot in self.plan.individual_rows:
            row = self.plan.individual_rows[slot]
            return f"numbers[settings.first_individual + {row}u * settings.n_boids + id]"
        return f"numbers[first_number + {slot}u]"

    def numbers_value(self, numbers: Numbers) -> str:
        """Return the numbers of a rule or motion as the value of `self`."""
        type_ = part_of(None, numbers.fields, numbers.constants).numbers

        def text(slot: Any) -> str:
            if isinstance(slot, tuple):
                kind = _type_of(slot)
                return f"{self.library.types.text(kind)}({', '.join(map(text, slot))})"
            return self.slot(slot)

        values = [text(slot) for slot in numbers.fields.values()] or ["0.0f"]
        return f"{self.library.types.text(type_)}({', '.join(values)})"

    def state(self, name: str, flock: str, column: str) -> str:
        """Return per-boid state of the boid in a column.

        flock   its flock; '' for any: then `other_flock` holds the index of its flock
        """
        rows = {f: row for (f, key), row in self.plan.states.rows.items() if key == name}

        def number(row: int) -> str:
            return f"memory[{row}u * settings.n_boids + {column}]"

        if flock:
            return number(rows[flock]) if flock in rows else "0.0f"
        (_, last), *others = rows.items()
        text = number(last)
        for other, row in others if len(set(rows.values())) > 1 else ():
            text = f"select({text}, {number(row)}, other_flock == {self.flock_index(other)}u)"
        return text

    def record(self, name: str, *values: str) -> str:
        """Return the value of an argument, such as `me`."""
        return f"{self.library.types.text(argument_types()[name])}({', '.join(values)})"

    def state_type(self, state: PerBoidState) -> Type:
        """Return the type of a per-boid state."""
        return Record("kept", tuple((name, REAL) for name in state.names))

    def state_name(self, state: PerBoidState) -> str:
        """Return the name of a per-boid state in the text."""
        return self.name(f"{state.role}kept", state.owner)

    def function(self, cls: Any, way: str, numbers: Numbers) -> str:
        """Return the name of a method of a rule or motion, and add it to the text."""
        part = part_of(cls, numbers.fields, numbers.constants)
        tree = read_method(part, way, self.plan.readings)
        return self.library.add(tree, way, numbers.owner, part.words)

    def load(self, flock: FlockPlan, array: str, column: str, evaluation: str) -> list[str]:
        """Return the lines that load a boid and the numbers of its rules and motion."""
        lines = [
            f"let first_number = row({evaluation});",
            f"let time = time_of({evaluation});",
            f"let id = {array}[2u * {column}].w;",
            f"let kind = {array}[2u * {column} + 1u].w;",
            f"let position = bitcast<vec3f>({array}[2u * {column}].xyz);",
            f"let velocity = bitcast<vec3f>({array}[2u * {column} + 1u].xyz);",
            "let speed2 = dot(velocity, velocity);",
            f"let index = index_of(id, {self.flock_index(flock.flock)}u);",
        ]
        parts = {numbers.owner: numbers for numbers in (r.numbers for r in flock.rules)}
        for numbers in [*parts.values(), flock.motion]:
            lines.append(f"let {self.part(numbers)} = {self.numbers_value(numbers)};")
        return lines

    def me(self, flock: FlockPlan) -> str:
        """Return the boid that rules move."""
        motion = self.part(flock.motion)
        return self.record(
            "me", "position.x", "position.y", "position.z", "velocity.x", "velocity.y",
            "velocity.z", "sqrt(speed2)", "i32(index)", "time", self.slot(self.plan.time_step),
            f"{motion}.{identifier('max_speed')}", f"{motion}.{identifier('max_force')}",
            f"f32(settings.flocks[{self.flock_index(flock.flock)}].y)", f"{self.dims}i",
            *(self.state(name, flock.flock, "i") for name in self.plan.states.own),
        )  # fmt: skip


def _type_of(field: Any) -> Type:
    return Tuple(tuple(map(_type_of, field))) if isinstance(field, tuple) else REAL


def indent(lines: Sequence[str] | Iterator[str], levels: int = 1) -> list[str]:
    """Return indented lines."""
    return [f"{'  ' * levels}{line}" for line in lines]
