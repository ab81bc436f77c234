"""The WGSL text from sums to the next state: combine the vectors of rules, turn, move, write."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from murmurate.codegen.plan import FlockPlan, Numbers, PerBoidState, RulePlan
from murmurate.engines.gpu.plan_text import AXES, PlanText, indent
from murmurate.language.methods import part_of, read_method
from murmurate.language.source import arguments
from murmurate.language.tree import Tuple, Type
from murmurate.language.wgsl_types import identifier
from murmurate.model.rng_streams import PERCHING, rng_stream_id


class SteeringText:
    """Lines that turn and move a boid."""

    def __init__(self, text: PlanText) -> None:
        self.text = text

    def steer(self, flock: FlockPlan) -> list[str]:
        """Return the lines from sums to the next velocity, `turned`."""
        moved = self.text.plan.model.moved_by(flock.flock)
        if not flock.rules and (not flock.last or moved):
            return ["var turned = velocity;"]
        return [*self.total(flock), *self.turn(flock)]

    def total(self, flock: FlockPlan) -> list[str]:
        """Return the lines that combine the vectors of all rules: `total`."""
        how = self.text.plan.model.flocks[flock.flock].combine
        lines = ["var total = vec3f(0.0);"]
        if how == "priority":
            lines.append(f"var left = {self.text.part(flock.motion)}.{identifier('max_force')};")
        for rule in flock.rules:
            if how == "levels" and rule.rule.level:
                continue
            lines += ["{", *indent(self.vector(rule))]
            if how == "priority":
                lines += [
                    "  let push = weight * v;",
                    "  total += limited(push, left);",
                    "  left = max(0.0f, left - length(push));",
                ]
            else:
                lines.append("  total += weight * v;")
            lines.append("}")
        if how == "levels":
            lines += self.levels(flock)
        return lines

    def turn(self, flock: FlockPlan) -> list[str]:
        """Return the lines from the combined vector to the next velocity, `turned`."""
        lines = []
        motion: Any = type(self.text.plan.model.flocks[flock.flock].motion)
        values = [self.text.part(flock.motion), "me", "total.x", "total.y", self._flat("total.z")]
        if "random" in arguments(motion.turn):
            stream = rng_stream_id(flock.flock, f"motion/{flock.stage}")
            lines += self.text.random(stream)
            values.append("random")
        state = flock.motion_state
        if state:
            values.append(self.text.state_name(state))
        turn = self.text.function(motion, "turn", flock.motion)
        lines.append(f"let turned_values = {turn}({', '.join(values)});")
        lines += self.take("turned_values", motion, "turn", flock.motion, state)
        items = self._items("turned_values", motion, "turn", flock.motion)
        lines += self.find_undefined([*items, "total.x", "total.y", "total.z"])
        lines.append(
            f"var turned = vec3f({self._three('turned_values', motion, 'turn', flock.motion)});"
        )
        return lines

    def levels(self, flock: FlockPlan) -> list[str]:
        """Return the lines that add the highest level that acts."""
        leveled_rules = sorted((r for r in flock.rules if r.rule.level), key=lambda r: r.rule.level)
        lines = ["var highest = vec3f(0.0);"]
        for _, group in groupby(leveled_rules, key=lambda r: r.rule.level):
            rules = list(group)
            wakes = any(rule.rule.wakes for rule in rules)
            lines += ["{", "  var level = vec3f(0.0);"]
            if wakes:
                lines.append("  var awake = false;")
            for rule in rules:
                lines += ["  {", *indent(self.vector(rule), 2), "    level += weight * v;"]
                if rule.rule.wakes:
                    lines.append("    awake = awake || dot(weight * v, weight * v) > 0.0;")
                lines.append("  }")
            test = "awake && " if wakes else ""
            lines += [f"  if ({test}dot(level, level) > 0.0) {{ highest = level; }}", "}"]
        return [*lines, "total += highest;"]

    def vector(self, rule: RulePlan) -> list[str]:
        """Return the lines that make a rule's vector `v` and its `weight`."""
        cls: Any = type(rule.rule)
        ways = [way for way in ("finish", "alone") if way == "alone" or rule.sums]
        ways = [way for way in ways if hasattr(cls, way)]
        lines = []
        if any("random" in arguments(getattr(cls, way)) for way in ways):
            lines += self.text.random(rule.rng_stream)
        lines.append("var v = vec3f(0.0);")
        for way in ways:
            takes = arguments(getattr(cls, way))
            values = [self.text.part(rule.numbers)]
            if way == "finish":
                values.append(self.text.name("sums", rule.name))
            values.append("me")
            if "random" in takes:
                values.append("random")
            if "herd" in takes:
                lines += self.herd(rule)
                values.append("herd")
            state = rule.state if "kept" in takes else None
            if state:
                values.append(self.text.state_name(state))
            name = self.text.function(cls, way, rule.numbers)
            inner = [f"let values = {name}({', '.join(values)});"]
            inner.append(f"v += vec3f({self._three('values', cls, way, rule.numbers)});")
            inner += self.take("values", cls, way, rule.numbers, state)
            sums = self.text.name("sums", rule.name)
            numbers = [f"{sums}[{k}]" for k in range(rule.sums if way == "finish" else 0)]
            inner += self.find_undefined(numbers + self._items("values", cls, way, rule.numbers))
            lines += ["{", *indent(inner), "}"]
        if rule.rule.normalise:
            lines.append("v = unit(v);")
        part = self.text.part(rule.numbers)
        if rule.limited:
            lines.append(f"v = limited(v, {part}.{identifier('limit')});")
        lines.append(f"let weight = {part}.{identifier('weight')};")
        if self.text.probes:
            index = list(self.text.plan.model.rules).index(rule.name)
            lines.append(f"probe(id, evaluation, {index}u, weight * v);")
        return lines

    def herd(self, rule: RulePlan) -> list[str]:
        """Return the lines that make `herd`, relative to the boid."""

        def vector(first: int) -> str:
            numbers = ", ".join(f"numbers[first_number + {first + k}u]" for k in range(3))
            return f"nearest_image(vec3f({numbers}) - position)"

        values = [
            f"{name}.{axis}" if self.text.dims == 3 or axis != "z" else "0.0f"
            for name in ("herd_centre", "herd_far")
            for axis in AXES
        ]
        count, spread = (f"numbers[first_number + {rule.herd + k}u]" for k in (7, 6))
        return [
            f"let herd_centre = {vector(rule.herd)};",
            f"let herd_far = {vector(rule.herd + 3)};",
            f"let herd = {self.text.record('herd', count, *values, spread)};",
        ]

    def _flat(self, text: str) -> str:
        """Return the third number of a vector: zero in 2-D."""
        return text if self.text.dims == 3 else "0.0f"

    def _result(self, cls: Any, way: str, numbers: Numbers) -> tuple[Type, ...]:
        """Return the types of the numbers that a method returns."""
        part = part_of(cls, numbers.fields, numbers.constants)
        result = read_method(part, way, self.text.plan.readings).result
        assert isinstance(result, Tuple)
        return result.items

    def _items(self, name: str, cls: Any, way: str, numbers: Numbers) -> list[str]:
        """Return the numbers that a method returned in the variable `name`."""
        items = self._result(cls, way, numbers)
        form = "{}[{}]" if len(set(items)) == 1 else "{}.item{}"
        return [f"f32({form.format(name, k)})" for k in range(len(items))]

    def _three(self, name: str, cls: Any, way: str, numbers: Numbers) -> str:
        """Return the vector that a method returned in the variable `name`, as three arguments."""
        x, y, z, *_ = self._items(name, cls, way, numbers)
        return ", ".join((x, y, self._flat(z)))

    def take(
        self, name: str, cls: Any, way: str, numbers: Numbers, state: PerBoidState | None
    ) -> list[str]:
        """Return the line that takes the new per-boid state of a method's result."""
        if state is None:
            return []
        values = self._items(name, cls, way, numbers)[3:]
        kind = self.text.library.types.text(self.text.state_type(state))
        return [f"{self.text.state_name(state)} = {kind}({', '.join(values)});"]

    def move(self, flock: FlockPlan, by: str = "") -> list[str]:
        """Return the lines from the next velocity to the next position and kind.

        by  the velocity to move with; that of the motion by default
        """
        old = self.text.plan.model.flocks[flock.flock].motion.advance == "old"
        by = by or ("velocity" if old else "turned")
        step = self.text.slot(self.text.plan.time_step)
        lines = [f"var new_position = position + {by} * {step};"]
        if self.text.plan.model.obstacles:  # see ContactText
            return [*lines, "let new_kind = kind;"]
        lines += [*self.bounds(), *self.find_lost(), "var new_kind = flock_of(kind);"]
        if flock.can_perch:
            lines += self.land(flock)
        return lines

    def bounds(self) -> list[str]:
        """Return the lines that keep the next position inside the faces."""
        lines = []
        for k, boundary in enumerate(self.text.plan.model.space.boundaries):
            axis = AXES[k]
            ends = f"settings.lower.{axis}, settings.upper.{axis}"
            x, u = f"new_position.{axis}", f"turned.{axis}"
            if boundary == "periodic":
                lines.append(f"{x} = wrap_coordinate({x}, {ends});")
            elif boundary == "held":
                lines.append(f"{x} = clamp_coordinate({x}, {ends});")
            elif boundary == "reflecting":
                lines.append(f"let reflected_{axis} = reflect_coordinate({x}, {u}, {ends});")
                lines += [f"{x} = reflected_{axis}.x;", f"{u} = reflected_{axis}.y;"]
        return lines

    def find_undefined(self, numbers: list[str]) -> list[str]:
        """Return the line that reports a boid if one of some numbers is nan or infinite."""
        tests = [f"is_not_finite({number})" for number in numbers]
        return [f"if ({' || '.join(tests)}) {{ atomicMin(&control[LOST], id); }}"]

    def find_lost(self) -> list[str]:
        """Return the line that reports a lost boid."""
        tests = [
            f"is_lost({name}.{axis}, {centre})"
            for axis in AXES[: self.text.dims]
            for name, centre in (("new_position", f"settings.centre.{axis}"),)
        ]
        return [f"if ({' || '.join(tests)}) {{ atomicMin(&control[LOST], id); }}"]

    def land(self, flock: FlockPlan) -> list[str]:
        """Return the lines that put a boid below the ground on it, for a random number of steps."""
        first, axis = self.text.plan.grounds[flock.flock], AXES[self.text.dims - 1]
        ground, shortest, longest = (self.text.slot(first + k) for k in range(3))
        stream = rng_stream_id(flock.flock, PERCHING)
        return [
            f"var landed = new_position.{axis} < {ground};",
            f"if (landed) {{ new_position.{axis} = {ground}; }}",
            *(line for cls, numbers in flock.perches for line in self.perch(cls, numbers)),
            "if (landed) {",
            f"  let bits = random_bits(index, {stream}u).x >> 8u;",
            f"  let choices = u32({longest} - {shortest}) + 1u;",
            "  // (bits * choices) >> 24",
            "  let rest = (high_word(bits, choices) << 8u) | ((bits * choices) >> 24u);",
            f"  new_kind |= (u32({shortest}) + rest) << 8u;",
            "}",
        ]

    def perch(self, cls: type, numbers: Numbers) -> list[str]:
        """Return the lines that put a boid on a perch of a rule, if it comes near."""
        xyz = [f"new_position.{axis}" for axis in AXES[: self.text.dims]]
        point = ", ".join([*xyz, "0.0f"][:3])
        function = self.text.function(cls, "perch", numbers)
        x, y, z, u, v, w, landed = self._items("perch", cls, "perch", numbers)
        return [
            "if (!landed) {",
            f"  let perch = {function}({self.text.numbers_value(numbers)}, me, {point});",
            f"  landed = {landed} > 0.5f;",
            "  if (landed) {",
            f"    new_position = vec3f({x}, {y}, {self._flat(z)});",
            f"    turned = vec3f({u}, {v}, {self._flat(w)});",
            "  }",
            "}",
        ]

    def write(self, flock: FlockPlan) -> list[str]:
        """Return the lines that write the next state."""
        kind = "new_kind" if flock.last else "kind"
        lines = [
            "next_boids[2u * i] = vec4u(bitcast<vec3u>(new_position), id);",
            f"next_boids[2u * i + 1u] = vec4u(bitcast<vec3u>(turned), {kind});",
        ]
        written = set()
        for state in flock.states:
            for row, name in zip(state.rows, state.names, strict=True):
                written.add(row)
                value = f"{self.text.state_name(state)}.{identifier(name)}"
                lines.append(f"next_memory[{row}u * settings.n_boids + i] = {value};")
        for row in range(self.text.plan.memory_rows):
            if row not in written:
                at = f"[{row}u * settings.n_boids + i]"
                lines.append(f"next_memory{at} = memory{at};")
        return lines
