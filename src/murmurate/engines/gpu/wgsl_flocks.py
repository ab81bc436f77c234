"""The WGSL text of a plan's flocks: names, numbers, per-boid state, and functions.

The functions, zones and sums of rules, `steer` and `arrive`, are the text that processors run, read
as typed trees and printed. See codegen/program_text.py.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, cast

import numpy as np

from murmurate.codegen.kernel_functions import reflect, wrap
from murmurate.codegen.plan import FlockPlan, Numbers, PerBoidState, Plan, RulePlan
from murmurate.codegen.program_text import MovingText, ProgramText, SensingText, SteeringText
from murmurate.codegen.templates import filled_macro
from murmurate.engines.cpu.model_arguments import EVALUATIONS
from murmurate.engines.manifest_types import OpenFunction
from murmurate.language.methods import argument_types, part_of, read_method
from murmurate.language.tree import BOOL, INT, NEAREST, REAL, Function, Record, Table, Tuple, Type
from murmurate.language.wgsl_library import MORE, RECORDS, WgslLibrary
from murmurate.language.wgsl_types import WgslTypes, identifier
from murmurate.model.quantity import TableRows
from murmurate.model.rule_functions import Method
from murmurate.model.shapes.geometry import clamp, max2
from murmurate.rules.vectors import limited, unit

AXES = "xyz"
MODULE = "murmurate.codegen.program"
"""The module of the functions that are made here."""


class FlockText(ProgramText):
    """Text of the flocks of one plan. Its values are for boid i, whose numbers are loaded.

    probes   whether the weighted vectors of the rules on one boid are written into `control`
    compact  for long functions, see WgslTypes
    opened   names of the rules whose functions a page replaces
    open_functions  rule -> method -> what a page needs to replace it
    library  the functions of the text
    evaluations  of the forces in a step: part, bend and weight of each
    outside  names in the programs that are not their own: functions, classes, modules
    """

    has_obstacles = False  # they have a pass of their own
    no_rest = "0"
    random_arguments = ()
    probe_arguments = ("probed",)

    def __init__(
        self, plan: Plan, probes: bool = False, compact: bool = False, opened: Collection[str] = ()
    ) -> None:
        states = {"me": plan.states.own, "other": plan.states.others}
        self.library = WgslLibrary(types=WgslTypes(RECORDS, states, compact))
        super().__init__(plan, self.library.names, probes)
        self.sensing, self.steering = SensingText(self), SteeringText(self)
        self.moving = MovingText(self)
        self.open_functions: dict[str, dict[Method, OpenFunction]] = {name: {} for name in opened}
        if opened:
            self.library.called |= MORE.keys()
        self.evaluations = EVALUATIONS[self.model.integrator]
        random = argument_types()["random"]
        self.outside: dict[str, Any] = {
            "__name__": MODULE, "math": math, "np": np, "max2": max2, "limited": limited,
            "unit": unit, "wrap": wrap, "reflect": reflect, "clamp": clamp,
            "Herd": argument_types()["herd"],
            "real": self._intrinsic("f32", REAL, REAL),
            "fault_of": self._intrinsic("fault_of", REAL, REAL, REAL),
            "note": self._intrinsic("note", REAL, INT, REAL, REAL, REAL),
            "rest": self._intrinsic("rest", INT, INT, INT, REAL, REAL),
            "draw": self._intrinsic("draw_random", random, INT, INT),
        }  # fmt: skip

    def _intrinsic(self, name: str, result: Type, *arguments: Type) -> Function:
        """Return the tree of a function of the text that no tree is printed for."""
        types = {f"x{k}": type_ for k, type_ in enumerate(arguments)}
        tree = Function(self._intrinsic, types, result=result)
        self.library.named[tree] = name
        return tree

    def functions(self) -> str:
        """Return the functions that are written for the types of this text."""
        random = self.library.types.text(argument_types()["random"])
        return f"""fn draw_random(index: i32, stream: i32) -> {random} {{
  let drawn = draw(u32(index), u32(stream));
  return {random}(drawn.x, drawn.y, drawn.z, drawn.w);
}}"""

    def steer(self, flock: FlockPlan) -> str:
        """Return the call of a flock's `steer`, and add the function to the text."""
        types: dict[str, Type] = {
            "numbers": Table(REAL), "me": argument_types()["me"], "probed": BOOL,
        }  # fmt: skip
        types |= {self.state_name(state): self.state_type(state) for state in flock.states}
        types |= {self.tuple_of(part): numbers_type(part) for part in self.parts([flock])}
        types |= {self.name("sums", r): Tuple((REAL,) * r.sums) for r in flock.rules if r.sums}
        call = {"numbers": "first_number", "probed": "is_probed(id, evaluation)"}
        types = {word: types[word] for word in self.steering.steer_arguments(flock).split(", ")}
        return self._call("steer", "function", flock, types, call)

    def arrive(self, flock: FlockPlan, position: str, velocity: str) -> list[str]:
        """Return the lines that call a flock's `arrive`, and add the function to the text.

        position, velocity  variables that it changes. The lines declare `timer`
        """
        vector = Tuple((REAL,) * 3)
        types: dict[str, Type] = {
            **dict.fromkeys("xyzuvw", REAL),
            "numbers": Table(REAL), "me": argument_types()["me"], "lower": vector, "upper": vector,
        }  # fmt: skip
        call = {"numbers": "first_number"}
        for _, part in flock.perches:
            types[self.tuple_of(part)] = numbers_type(part)
            call[self.tuple_of(part)] = self.numbers_value(part)
        for end in ("lower", "upper"):
            values = ", ".join(f"settings.{end}.{axis}" for axis in "xyz")
            call[end] = f"{self.library.types.text(vector)}({values})"
        call |= {k: f"{position}.{k}" for k in "xyz"}
        call |= {k: f"{velocity}.{axis}" for k, axis in zip("uvw", "xyz", strict=True)}
        types = {word: types[word] for word in self.moving.arrive_arguments(flock).split(", ")}
        return [
            f"let arrived = {self._call('move', 'arrive', flock, types, call)};",
            f"{position} = vec3f(arrived.item0, arrived.item1, arrived.item2);",
            f"{velocity} = vec3f(arrived.item3, arrived.item4, arrived.item5);",
            "let timer = u32(arrived.item6);",
        ]

    def turn(self, flock: FlockPlan) -> str:
        """Return the call that turns a boid by the force `total`."""
        types: dict[str, Type] = {self.tuple_of(flock.motion): numbers_type(flock.motion)}
        types |= {"me": argument_types()["me"], **dict.fromkeys(("ax", "ay", "az"), REAL)}
        values = {f"a{axis}": f"total.{axis}" for axis in AXES}
        return self._call("steer", "turn_function", flock, types, values)

    def limits(self, rule: RulePlan) -> list[str]:
        """Return the lines that declare the limits of a rule's zone."""
        velocity = {"u": "velocity.x", "v": "velocity.y", "w": "velocity.z"}
        cone = self.number(rule.cone) if rule.has_cone else "0.0f"
        types: dict[str, Type] = {self.tuple_of(rule): numbers_type(rule.numbers)}
        types |= dict.fromkeys((*velocity, "cone"), REAL)
        values = velocity | {"cone": cone}
        call = self._call("accumulate", "limits_function", rule, types, values)
        limits = self.name("zone", rule)
        return [
            f"let {limits} = {call};",
            *(
                f"let {self.name(limit, rule)} = {limits}[{k}];"
                for k, limit in enumerate(self.sensing.limits(rule))
            ),
        ]

    def add(self, rule: RulePlan, count: str = "") -> str:
        """Return the line that adds `other` or `arc` to the sums or ranks of a rule.

        count  variable that holds how often it is added; by default once
        """
        running, sensed = self.name("running", rule), "arc" if rule.senses_arcs else "other"
        types: dict[str, Type] = {
            self.tuple_of(rule): numbers_type(rule.numbers), "me": argument_types()["me"],
            sensed: argument_types()[sensed], "running": self.running_type(rule),
        }  # fmt: skip
        types |= {count: REAL} if count else {}
        values = {"running": running}
        call = self._call("accumulate", "add_function", rule, types, values, count)
        return f"{running} = {call};"

    def sums(self, rule: RulePlan) -> str:
        """Return the sums of a rule, after all candidates."""
        running = self.name("running", rule)
        if not rule.most_influential:
            return running
        types = {"running": self.running_type(rule)}
        return self._call("accumulate", "sum_function", rule, types, {"running": running})

    def running_type(self, rule: RulePlan) -> Type:
        """Return the type of the sums or ranks of a rule."""
        return Tuple((REAL,) * len(self.sensing.running(rule)))

    def find_lost(self) -> str:
        """Return the line that reports boid i at `new_position` if it is lost."""
        axes = AXES[: self.dims]
        tests = [f"is_lost(new_position.{axis}, settings.centre.{axis})" for axis in axes]
        return f"if ({' || '.join(tests)}) {{ atomicMin(&control[LOST], id); }}"

    def _call(
        self, template: str, macro: str, owner: FlockPlan | RulePlan, types: Mapping[str, Type],
        values: Mapping[str, str], *more: str,
    ) -> str:  # fmt: skip
        """Return the call of a function of a template, and add the function to the text.

        macro   of the template. It takes the owner, and `more`
        types   of the function's arguments, in their order
        values  of the arguments that have other names where it is called
        """
        text = filled_macro(
            template, macro, owner, *more, text=self, sensing=self.sensing, steering=self.steering,
            moving=self.moving, tuple_of=self.tuple_of, name=lambda role, _: role,
        )  # fmt: skip
        function = function_of(text, self.outside)
        tree = self.plan.readings.read(function, [*types.values()])
        called = self.library.add(
            tree, function.__name__, owner.flock if isinstance(owner, FlockPlan) else owner.name
        )
        return f"{called}({', '.join(values.get(word, word) for word in types)})"

    def slot(self, slot: int) -> str:
        return f"numbers[{slot}]"

    def function_name(self, cls: Any, way: str, numbers: Numbers) -> str:
        part = part_of(cls, numbers.fields, numbers.constants)
        tree = read_method(part, way, self.plan.readings)
        if numbers.owner in self.open_functions:
            return self._open_function(tree, cast(Method, way), numbers.owner)
        name = self.library.add(tree, way, numbers.owner, part.words)
        self.outside[name] = tree
        return name

    def _open_function(self, tree: Function, way: Method, rule: str) -> str:
        """Return the name of a function that a page replaces."""
        functions, types = self.open_functions[rule], self.library.types
        if way not in functions:
            tree = replace(tree)  # another rule of this class has other functions
            name = self.library.add_open(tree, way, rule)
            self.outside[name] = tree
            functions[way] = {
                "name": name,
                "types": {k: types.text(type_) for k, type_ in tree.arguments.items()},
                "result": types.text(tree.result),
            }
        return functions[way]["name"]

    def state_class(self, state: PerBoidState) -> str:
        name = self.names.of("State", state.role, state.owner)
        self.outside[name] = self.state_type(state)
        return name

    def draw(self, stream: int) -> str:
        return f"random = draw(me.index, {stream - (stream >> 31 << 32)})"  # the bits of an i32

    def rest(self, stream: int, shortest: str, longest: str) -> str:
        return f"timer = rest(me.index, {stream - (stream >> 31 << 32)}, {shortest}, {longest})"

    def tuple_text(self, numbers: Numbers) -> str:
        return self.tuple_of(numbers)  # an argument

    def fault(self, numbers: str, first: bool = False) -> str:
        return f"fault_of({'real(0.0)' if first else 'fault'}, {numbers})"

    def note(self, rule: int, *vector: str) -> str:
        return f"note({rule}, {', '.join(vector)})"

    # --- values

    def number(self, slot: int) -> str:
        """Return the number in a slot, of this boid if boids differ in it."""
        if slot in self.plan.individual_rows:
            row = self.plan.individual_rows[slot]
            return f"numbers[settings.first_individual + {row}u * settings.n_boids + id]"
        return f"numbers[first_number + {slot}u]"

    def numbers_value(self, numbers: Numbers) -> str:
        """Return the numbers of a rule or motion as the value of `self`."""

        def text(slot: Any, type_: Type) -> str:
            if isinstance(slot, TableRows):
                return f"first_number + {len(self.plan.slots) + slot.first}u"
            if not isinstance(type_, Tuple):
                return self.number(slot)
            return f"{self.library.types.text(type_)}({', '.join(map(text, slot, type_.items))})"

        record = numbers_type(numbers)
        types = (type_ for _, type_ in record.fields)
        values = [*map(text, numbers.fields.values(), types)] or ["0.0f"]
        return f"{self.library.types.text(record)}({', '.join(values)})"

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

    def other(
        self, velocity: str, column: str = "", flock: str = "", rank: str = "",
        sensed: Sequence[str] = (),
    ) -> list[str]:  # fmt: skip
        """Return the lines that make `other` of a candidate at d.

        column  of the boid; '' for what has no per-boid state
        flock   see `state`
        rank    how many are nearer, for one of the k nearest
        sensed  the flocks that its rule senses
        """
        nearest = {
            NEAREST["rank"]: f"f32({rank or 0})", NEAREST["flock"]: self.sensed_index(sensed)
        }  # fmt: skip
        names = self.plan.states.others
        states = (
            nearest.get(n) or (self.state(n, flock, column) if column else "0.0f") for n in names
        )
        vectors = (f"{vector}.{axis}" for vector in ("d", "other_velocity") for axis in AXES)
        dx, dy, dz, *uvw = vectors
        values = (dx, dy, dz, "far2", "sqrt(far2)", *uvw, *states)
        return [
            "let far2 = max(dot(d, d), 1e-18f);",
            f"let other_velocity = {velocity};",
            f"let other = {self.record('other', *values)};",
        ]

    def sensed_index(self, sensed: Sequence[str]) -> str:
        """Return the index of the flock `other_flock` among those that are sensed."""
        text = "0.0f"
        for k, name in enumerate(sensed[1:], 1):
            text = f"select({text}, {k}.0f, other_flock == {self.flock_index(name)}u)"
        return text

    def state_type(self, state: PerBoidState) -> Type:
        """Return the type of a per-boid state."""
        return Record("state", tuple((name, REAL) for name in state.names))

    def load(self, flock: FlockPlan, array: str, column: str, evaluation: str) -> list[str]:
        """Return the lines that load a boid and the numbers of its rules and motion."""
        lines = [
            f"let first_number = row({evaluation});",
            f"let time = time_of({evaluation});",
            f"let id = {array}[{column}].w;",
            f"let kind = {array}[settings.n_boids + {column}].w;",
            f"let position = bitcast<vec3f>({array}[{column}].xyz);",
            f"let velocity = bitcast<vec3f>({array}[settings.n_boids + {column}].xyz);",
            "let speed2 = dot(velocity, velocity);",
            f"let index = index_of(id, {self.flock_index(flock.flock)}u);",
        ]
        parts = {numbers.owner: numbers for numbers in (r.numbers for r in flock.rules)}
        for numbers in [*parts.values(), flock.motion]:
            lines.append(f"let {self.tuple_of(numbers)} = {self.numbers_value(numbers)};")
        return lines

    def boid(self, flock: FlockPlan) -> str:
        """Return the boid that rules move."""
        motion = self.tuple_of(flock.motion)
        return self.record(
            "me", "position.x", "position.y", "position.z", "velocity.x", "velocity.y",
            "velocity.z", "sqrt(speed2)", "i32(index)", "time", self.number(self.plan.time_step),
            f"{motion}.{identifier('max_speed')}", f"{motion}.{identifier('max_force')}",
            f"f32(settings.flocks[{self.flock_index(flock.flock)}].y)", f"{self.dims}i",
            *(self.state(name, flock.flock, "i") for name in self.plan.states.own),
        )  # fmt: skip


def numbers_type(numbers: Numbers) -> Record:
    """Return the type of a part's numbers."""
    return part_of(None, numbers.fields, numbers.constants).numbers


def function_of(text: str, outside: dict[str, Any]) -> FunctionType:
    """Return the function of a text, which is read but never called."""
    file = f"<{text.partition('(')[0].removeprefix('def ')} {hash(text):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return FunctionType(compile(text, file, "exec").co_consts[0], outside)


def indent(lines: Iterable[str], levels: int = 1) -> list[str]:
    """Return indented lines."""
    return [f"{'  ' * levels}{line}" for line in lines]
