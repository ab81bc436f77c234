"""The functions `steer` and `arrive` of each flock in WGSL: the text that processors run too, read
as typed trees and printed. See codegen/program_text.py."""

from __future__ import annotations

import linecache
import math
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from murmurate.codegen.kernel_functions import reflect, wrap
from murmurate.codegen.plan import FlockPlan, Numbers, PerBoidState
from murmurate.codegen.program_text import MovingText, ProgramText, SteeringText
from murmurate.codegen.templates import filled_macro
from murmurate.engines.gpu.wgsl_values import PlanText
from murmurate.language.methods import argument_types, part_of, read_method
from murmurate.language.tree import BOOL, INT, REAL, Function, Table, Tuple, Type
from murmurate.model.shapes.geometry import clamp, max2
from murmurate.rules.vectors import limited, unit

MODULE = "murmurate.codegen.program"
"""The module of the functions that are made here."""


class FlockText(ProgramText):
    """The programs of flocks as WGSL.

    outside  names in the programs that are not their own: functions, classes, modules
    """

    has_obstacles = False  # they have a pass of their own
    no_rest = "0"
    random_arguments = ()
    probe_arguments = ("probed",)

    def __init__(self, text: PlanText) -> None:
        super().__init__(text.plan, text.library.names, text.probes)
        self.text, self.steering, self.moving = text, SteeringText(self), MovingText(self)
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
        self.text.library.named[tree] = name
        return tree

    def functions(self) -> str:
        """Return the functions that are written for the types of this text."""
        random = self.text.library.types.text(argument_types()["random"])
        return f"""fn draw_random(index: i32, stream: i32) -> {random} {{
  let drawn = draw(u32(index), u32(stream));
  return {random}(drawn.x, drawn.y, drawn.z, drawn.w);
}}"""

    def steer(self, flock: FlockPlan) -> str:
        """Return the call of a flock's `steer`, and add the function to the text."""
        arguments = self.steering.steer_arguments(flock).split(", ")
        types: dict[str, Type] = {
            "numbers": Table(REAL), "me": argument_types()["me"], "probed": BOOL,
        }  # fmt: skip
        types |= {self.state_name(kept): self.text.state_type(kept) for kept in flock.states}
        for part in self.parts([flock]):
            types[self.tuple_of(part)] = part_of(None, part.fields, part.constants).numbers
        types |= {self.name("sums", r): Tuple((REAL,) * r.sums) for r in flock.rules if r.sums}
        call = {"numbers": "first_number", "probed": "is_probed(id, evaluation)"}
        return self._call("steer", flock, arguments, types, call)

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
            types[self.tuple_of(part)] = part_of(None, part.fields, part.constants).numbers
            call[self.tuple_of(part)] = self.text.numbers_value(part)
        for end in ("lower", "upper"):
            values = ", ".join(f"settings.{end}.{axis}" for axis in "xyz")
            call[end] = f"{self.text.library.types.text(vector)}({values})"
        call |= {k: f"{position}.{k}" for k in "xyz"}
        call |= {k: f"{velocity}.{axis}" for k, axis in zip("uvw", "xyz", strict=True)}
        arguments = self.moving.arrive_arguments(flock).split(", ")
        return [
            f"let arrived = {self._call('arrive', flock, arguments, types, call)};",
            f"{position} = vec3f(arrived.item0, arrived.item1, arrived.item2);",
            f"{velocity} = vec3f(arrived.item3, arrived.item4, arrived.item5);",
            "let timer = u32(arrived.item6);",
        ]

    def _call(
        self, macro: str, flock: FlockPlan, arguments: Sequence[str], types: Mapping[str, Type],
        values: Mapping[str, str],
    ) -> str:  # fmt: skip
        """Return the call of a function of a template, and add the function to the text.

        macro   of the template of its name
        types   of its arguments
        values  of the arguments that have other names where it is called
        """
        template, name = ("steer", "function") if macro == "steer" else ("move", macro)
        text = filled_macro(
            template, name, flock, text=self, steering=self.steering, moving=self.moving,
            tuple_of=self.tuple_of, name=lambda role, _: role,
        )  # fmt: skip
        function = function_of(text, self.outside)
        tree = self.plan.readings.read(function, [types[word] for word in arguments])
        called = self.text.library.add(tree, function.__name__, flock.flock)
        return f"{called}({', '.join(values.get(word, word) for word in arguments)})"

    def slot(self, slot: int) -> str:
        return f"numbers[{slot}]"

    def function_name(self, cls: Any, way: str, numbers: Numbers) -> str:
        part = part_of(cls, numbers.fields, numbers.constants)
        name = self.text.function(cls, way, numbers)
        self.outside[name] = read_method(part, way, self.plan.readings)
        return name

    def state_class(self, kept: PerBoidState) -> str:
        name = self.names.of("Kept", kept.role, kept.owner)
        self.outside[name] = self.text.state_type(kept)
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


def function_of(text: str, outside: dict[str, Any]) -> FunctionType:
    """Return the function of a text, which is read but never called."""
    file = f"<{text.partition('(')[0].removeprefix('def ')} {hash(text):x}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    return FunctionType(compile(text, file, "exec").co_consts[0], outside)
