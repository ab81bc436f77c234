"""The WGSL text of a model: one kernel for each stage, which turns and moves every boid.

`grid.wgsl` sorts boids into cells. The text here is written from the plan of the model: a function
for each flock and stage adds up what rules sense, combines their vectors, turns and moves the boid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from murmurate.codegen.candidates.nearest import nearest_groups
from murmurate.codegen.plan import FlockPlan, Numbers, PerBoidState, Plan, RulePlan, rng_stream_id
from murmurate.disk import read_text
from murmurate.engines.cpu.model_arguments import EVALUATIONS
from murmurate.engines.state import past_depth
from murmurate.language.methods import argument_types, part_of, read_method
from murmurate.language.source import arguments
from murmurate.language.tree import REAL, Record, Tuple, Type
from murmurate.language.wgsl_library import PRIMITIVES, RECORDS, WgslLibrary, elementary_text
from murmurate.language.wgsl_printer import WgslTypes, identifier
from murmurate.model.quantity import extent
from murmurate.model.rule import PERCHING

AXES = "xyz"
MAX_NEAREST = 64
"""The largest number of nearest neighbours: they are kept in registers."""


def _array(name: str, kind: str, values: Sequence[str]) -> str:
    """Return a constant array, with one zero if it has no values: WGSL has no empty arrays."""
    items = values or [f"{kind}()"]
    type_ = f"array<{kind}, {len(items)}>"
    return f"var<private> {name}: {type_} = {type_}({', '.join(items)});"


def page(name: str) -> str:
    """Return the text of a file of this package."""
    return read_text(Path(__file__).with_name(f"{name}.wgsl"))


def uses_cells(plan: Plan) -> bool:
    """Return whether some rule searches cells: within a radius, or for the nearest."""
    return any(
        _in_cells(sense.rule)
        for flock in plan.flocks
        if flock.flock not in plan.sensor_flocks
        for sense in flock.senses
    )


def _in_cells(rule: RulePlan) -> bool:
    return bool(rule.nearest) or extent(rule.rule.radius)[1] < float("inf")


def radius_slots(plan: Plan) -> list[int]:
    """Return the slots of the radii that cells serve."""
    return sorted(
        {
            sense.rule.numbers.fields["radius"]
            for flock in plan.flocks
            if flock.flock not in plan.sensor_flocks
            for sense in flock.senses
            if _in_cells(sense.rule) and not sense.rule.nearest
        }
    )


READ, WRITE = "read", "read_write"
BINDINGS = {
    "boids": (1, "array<vec4u>"), "next_boids": (2, "array<vec4u>"), "memory": (3, "array<f32>"),
    "next_memory": (4, "array<f32>"), "cells": (5, "array<u32>"), "numbers": (6, "array<f32>"),
    "control": (7, "array<atomic<u32>>"), "work": (8, "array<atomic<u32>>"),
    "perceived": (9, "array<vec4u>"), "by_id": (10, "array<vec4u>"),
    "history": (11, "array<vec4u>"), "slopes": (12, "array<vec4u>"),
}  # fmt: skip
"""Buffer -> its binding and its type. A pass may bind eight of them."""
Access = dict[str, str]
"""Buffer that a module uses -> READ or WRITE."""


@dataclass(frozen=True)
class Module:
    """The text of some passes, and the buffers that they use."""

    text: str
    access: Access


@dataclass
class ModelText:
    """Write the modules of a plan.

    plan     the plan of the model
    library  the functions of its rules and motions
    """

    plan: Plan
    library: WgslLibrary

    @classmethod
    def of(cls, plan: Plan) -> ModelText:
        """Return the writer for a plan."""
        states = {"me": plan.states.own, "other": plan.states.others}
        return cls(plan, WgslLibrary(types=WgslTypes(RECORDS, states)))

    @property
    def dims(self) -> int:
        """Number of axes."""
        return self.plan.model.space.dims

    @property
    def evaluations(self) -> tuple[tuple[float, float, float], ...]:
        """The evaluations of the forces in a step: part, bend and weight of each."""
        return EVALUATIONS[self.plan.model.integrator]

    def modules(self) -> dict[str, Module]:
        """Return the modules by name: grid, stages, and where needed perceive and integrate.

        Raises
        ------
        RuleError
            A rule uses what WGSL cannot express.
        """
        result = {"grid": self.grid(), "stages": self.stages()}
        if self.plan.perceives or self.plan.integrates:
            result["perceive"] = self.perceive()
        if self.plan.integrates:
            result["integrate"] = self.integrate()
        return result

    def module(self, access: Access, *parts: str) -> Module:
        """Return a module of some parts."""
        bindings = [
            f"@group(0) @binding({BINDINGS[name][0]}) "
            f"var<storage, {how}> {name}: {BINDINGS[name][1]};"
            for name, how in access.items()
        ]
        head = [
            f"const DIMS = {self.dims}u;",
            f"const MEMORY = {self.plan.memory_rows}u;",
            f"const EVALUATIONS = {len(self.evaluations)}u;",
            f"const TIME_STEP = {self.plan.time_step}u;",
            *bindings,
        ]
        return Module("\n\n".join(["\n".join(head), page("common"), *parts]), access)

    def grid(self) -> Module:
        """Return the passes that sort boids, and the end of a step."""
        access = {
            "boids": READ, "next_boids": WRITE, "memory": READ, "next_memory": WRITE,
            "cells": WRITE, "numbers": READ, "control": WRITE, "work": WRITE,
        }  # fmt: skip
        kernels = [
            f"@compute @workgroup_size(1)\nfn make_grid_{e}() {{ make_grid({e}u); }}"
            for e in range(len(self.evaluations))
        ]
        return self.module(access, page("cells"), page("grid"), *kernels)

    def perceive(self) -> Module:
        """Return the passes of what boids perceive besides the state."""
        access = {
            "boids": READ, "by_id": WRITE, "perceived": WRITE, "history": WRITE,
            "numbers": WRITE, "control": WRITE,
        }  # fmt: skip
        model, flocks = self.plan.model, list(self.plan.counts)
        sensing, streams, herds = [], [], []
        for name in self.plan.sensor_flocks:
            settings = model.flocks[name].sensing
            assert settings is not None
            delay, refresh = settings.steps(model.dt)
            sensing.append(f"vec2u({delay}u, {refresh}u)")
            for flock in flocks:
                ids = [rng_stream_id(name, f"sensing/{flock}/{w}") for w in ("place", "velocity")]
                streams.append(f"vec2u({ids[0]}u, {ids[1]}u)")
        for (sensor, members), slot in self.plan.herds.items():
            bits = sum(1 << flocks.index(name) for name in members)
            index = f"{self.plan.sensor_flocks.index(sensor)}u" if sensor else "NOBODY"
            herds.append(f"vec4u({slot}u, {bits}u, {index}, 0u)")
        constants = [
            f"const SENSORS = {len(sensing)}u;", f"const FLOCKS = {len(flocks)}u;",
            f"const DEPTH = {past_depth(model)}u;", _array("SENSING", "vec2u", sensing),
            _array("ERROR_STREAMS", "vec2u", streams), _array("HERDS", "vec4u", herds),
        ]  # fmt: skip
        parts = ["\n".join(constants), PRIMITIVES.strip(), elementary_text(), page("perceive")]
        return self.module(access, *parts)

    def integrate(self) -> Module:
        """Return the passes that place boids where the forces are evaluated."""
        access = {
            "by_id": READ, "slopes": READ, "next_boids": WRITE, "numbers": READ, "control": WRITE,
        }  # fmt: skip
        parts, bends, _ = zip(*self.evaluations, strict=True)
        constants = [
            _array("PARTS", "f32", [f"{x!r}f" for x in parts]),
            _array("BENDS", "f32", [f"{x!r}f" for x in bends]),
        ]
        kernels = [
            self.thread_kernel(f"place_{e}", f"place(i, {e}u);")
            for e in range(1, len(self.evaluations))
        ]
        settle = [self.settle(flock) for flock in self.plan.flocks]
        cases = self.cases(
            "by_id", {f.flock: self._name("settle", f.flock) for f in self.plan.flocks}
        )
        kernels.append(self.thread_kernel("settle", cases))
        return self.module(
            access, "\n".join(constants), page("integrate"), self.library.text(), *settle, *kernels
        )

    def stages(self) -> Module:
        """Return the passes `stage_0`, `stage_1`, ..., or `evaluate_0`, ... of an integrator."""
        access = {"boids": READ, "cells": READ, "numbers": READ, "control": WRITE}
        if self.plan.integrates:
            access["slopes"] = WRITE
        else:
            access |= {"next_boids": WRITE, "memory": READ, "next_memory": WRITE}
        if self.plan.sensor_flocks:
            access["perceived"] = READ
        updates = [self.update(flock) for flock in self.plan.flocks]
        kernels = []
        for stage in range(self.plan.stages):
            flocks = [flock for flock in self.plan.flocks if flock.stage == stage]
            for e in range(len(self.evaluations)):
                cases = self.cases("boids", {f.flock: self._update(f) for f in flocks}, f"{e}u")
                name = f"evaluate_{e}" if self.plan.integrates else f"stage_{stage}"
                kernels.append(self.thread_kernel(name, cases))
        return self.module(access, page("cells"), self.library.text(), *updates, *kernels)

    def thread_kernel(self, name: str, body: str) -> str:
        """Return a kernel with a thread for each boid i."""
        return f"""@compute @workgroup_size(64)
fn {name}(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u,
{" " * len(name)}   @builtin(local_invocation_index) local: u32) {{
  let i = thread(group, groups, local);
  if (i >= settings.n_boids || is_stopped()) {{ return; }}
  {body}
}}"""

    def cases(self, array: str, functions: Mapping[str, str], *arguments: str) -> str:
        """Return the call of the function of the flock of boid i."""
        values = ", ".join(("i", *arguments))
        lines = [
            f"    case {self._flock_index(flock)}u: {{ {name}({values}); }}"
            for flock, name in functions.items()
        ]
        head = f"switch flock_of({array}[2u * i + 1u].w) {{"
        return "\n".join([head, *lines, "    default: { }", "  }"])

    # --- names and numbers

    def _name(self, role: str, owner: str) -> str:
        return self.library.names.of(role, owner)

    def _update(self, flock: FlockPlan) -> str:
        return self._name(f"update{flock.stage}", flock.flock)

    def _part(self, numbers: Numbers) -> str:
        return self._name(numbers.role, numbers.owner)

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
            text = f"select({text}, {number(row)}, other_flock == {self._flock_index(other)}u)"
        return text

    def record(self, name: str, *values: str) -> str:
        """Return the value of an argument, such as `me`."""
        return f"{self.library.types.text(argument_types()[name])}({', '.join(values)})"

    def state_type(self, state: PerBoidState) -> Type:
        """Return the type of a per-boid state."""
        return Record("kept", tuple((name, REAL) for name in state.names))

    def state_name(self, state: PerBoidState) -> str:
        """Return the name of a per-boid state in the text."""
        return self._name(f"{state.role}kept", state.owner)

    def function(self, cls: Any, way: str, numbers: Numbers) -> str:
        """Return the name of a method of a rule or motion, and add it to the text."""
        part = part_of(cls, numbers.fields, numbers.constants)
        tree = read_method(part, way, self.plan.readings)
        return self.library.add(tree, way, numbers.owner, part.words)

    # --- one flock in one stage

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
            f"let index = id - settings.flocks[{self._flock_index(flock.flock)}].x;",
        ]
        parts = {numbers.owner: numbers for numbers in (r.numbers for r in flock.rules)}
        for numbers in [*parts.values(), flock.motion]:
            lines.append(f"let {self._part(numbers)} = {self.numbers_value(numbers)};")
        return lines

    def update(self, flock: FlockPlan) -> str:
        """Return the function that updates a boid of a flock in a stage, or evaluates its force."""
        lines = self.load(flock, "boids", "i", "evaluation")
        if flock.can_perch:
            lines += self.perched(flock)
        lines.append(f"let me = {self.me(flock)};")
        for state in flock.states:
            rows = ", ".join(f"memory[{row}u * settings.n_boids + i]" for row in state.rows)
            kind = self.library.types.text(self.state_type(state))
            lines.append(f"var {self.state_name(state)} = {kind}({rows});")
        lines += self.sense(flock)
        if self.plan.integrates:
            lines += self.accelerate(flock)
        else:
            lines += self.steer(flock)
            lines += self.move(flock) if flock.last else ["let new_position = position;"]
            lines += self.write(flock)
        body = "\n".join(f"  {line}" for line in lines)
        head = f"// {flock.flock}, stage {flock.stage + 1}"
        return f"{head}\nfn {self._update(flock)}(i: u32, evaluation: u32) {{\n{body}\n}}"

    def perched(self, flock: FlockPlan) -> list[str]:
        """Return the lines for a boid on the ground."""
        if self.plan.integrates:
            slope = self.slope("vec3f(0.0)", "vec3f(0.0)")
            return ["if (timer_of(kind) > 0u) {", *indent([*slope, "return;"]), "}"]
        left = "kind - 256u" if flock.last else "kind"
        lines = [
            "next_boids[2u * i] = boids[2u * i];",
            f"next_boids[2u * i + 1u] = vec4u(boids[2u * i + 1u].xyz, {left});",
            *(
                f"next_memory[{row}u * settings.n_boids + i]"
                f" = memory[{row}u * settings.n_boids + i];"
                for row in range(self.plan.memory_rows)
            ),
            "return;",
        ]
        return ["if (timer_of(kind) > 0u) {", *indent(lines), "}"]

    def slope(self, acceleration: str, velocity: str) -> list[str]:
        """Return the lines that write the slope of an evaluation."""
        return [
            "let slope_at = 2u * (evaluation * settings.n_boids + id);",
            f"slopes[slope_at] = vec4u(bitcast<vec3u>({acceleration}), id);",
            f"slopes[slope_at + 1u] = vec4u(bitcast<vec3u>({velocity}), id);",
        ]

    def accelerate(self, flock: FlockPlan) -> list[str]:
        """Return the lines from sums to the acceleration, the slope of an evaluation."""
        motion = self._part(flock.motion)
        force = f"limited(total, {motion}.{identifier('max_force')})"
        value = f"{force} / {motion}.{identifier('mass')}"
        return [*self.total(flock), f"let acceleration = {value};",
                *self.slope("acceleration", "velocity")]  # fmt: skip

    def settle(self, flock: FlockPlan) -> str:
        """Return the function that moves a boid by the mean slopes of a step."""
        weights = [f"{weight!r}f" for _, _, weight in self.evaluations]
        motion = self._part(flock.motion)
        mean = [
            " + ".join(f"{w} * slope({e}u, id, {k}u)" for e, w in enumerate(weights))
            for k in range(2)
        ]
        lines = self.load(replace(flock, rules=()), "by_id", "i", "0u")
        if flock.can_perch:
            lines += [
                "if (timer_of(kind) > 0u) {",
                "  next_boids[2u * id] = by_id[2u * id];",
                "  next_boids[2u * id + 1u] = vec4u(by_id[2u * id + 1u].xyz, kind - 256u);",
                "  return;",
                "}",
            ]
        lines += [
            f"let me = {self.me(flock)};",
            f"let total = {motion}.{identifier('mass')} * ({mean[0]});",
            f"let mean_velocity = {mean[1]};",
            *self.turn(flock),
            *self.move(flock, "mean_velocity"),
            "next_boids[2u * id] = vec4u(bitcast<vec3u>(new_position), id);",
            "next_boids[2u * id + 1u] = vec4u(bitcast<vec3u>(turned), new_kind);",
        ]
        body = "\n".join(f"  {line}" for line in lines)
        return f"fn {self._name('settle', flock.flock)}(i: u32) {{\n{body}\n}}"

    def _flock_index(self, name: str) -> int:
        return list(self.plan.counts).index(name)

    def me(self, flock: FlockPlan) -> str:
        """Return the boid that rules move."""
        motion = self._part(flock.motion)
        return self.record(
            "me", "position.x", "position.y", "position.z", "velocity.x", "velocity.y",
            "velocity.z", "sqrt(speed2)", "i32(index)", "time", self.slot(self.plan.time_step),
            f"{motion}.{identifier('max_speed')}", f"{motion}.{identifier('max_force')}",
            f"f32(settings.flocks[{self._flock_index(flock.flock)}].y)", f"{self.dims}i",
            *(self.state(name, flock.flock, "i") for name in self.plan.states.own),
        )  # fmt: skip

    # --- sensing

    def sense(self, flock: FlockPlan) -> list[str]:
        """Return the lines that add up what each rule senses."""
        lines = []
        for rule in flock.rules:
            if not rule.sums:
                continue
            part = self._part(rule.numbers)
            radius = f"{part}.{identifier('radius')}"
            lines.append(f"let {self._name('reach', rule.name)} = {radius} * {radius};")
            if rule.annulus:
                inner = f"{part}.{identifier('inner_radius')}"
                lines.append(f"let {self._name('inner', rule.name)} = {inner} * {inner};")
            if rule.has_cone:
                cone = self.slot(rule.cone)
                lines.append(f"let {self._name('cone', rule.name)} = {cone} * speed2;")
            kind = self.library.types.text(Tuple((REAL,) * rule.sums))
            lines.append(f"var {self._name('sums', rule.name)} = {kind}();")
        search = Searched(self, flock)
        near = [s for s in flock.senses if _in_cells(s.rule) and not s.rule.nearest]
        far = [s for s in flock.senses if not _in_cells(s.rule)]
        if flock.flock in self.plan.sensor_flocks:
            near, far = [], [s for s in flock.senses if not s.rule.nearest]
        if near:
            lines += ["// the boids of the cells around"]
            lines += self.around(list(self.candidate(near, search)))
        if far:
            lines += ["// all boids", *search.all_boids(list(self.candidate(far, search)))]
        for group in nearest_groups(flock):
            lines += self.nearest(search, group)
        for rule in flock.rules:
            if rule.sums and flock.flock in rule.senses and rule.rule.include_self:
                own = ("0.0f", "0.0f", "0.0f", "1e-18f", "1e-9f", "velocity.x", "velocity.y",
                       "velocity.z",
                       *(self.state(name, flock.flock, "i") for name in self.plan.states.others),
                       )  # fmt: skip
                lines += ["{", *indent([f"let other = {self.record('other', *own)};"])]
                lines += [*indent(self.add(rule)), "}"]
        return lines

    def around(self, body: Sequence[str]) -> list[str]:
        """Return the loops over the boids j of the cells around, each cell once."""
        return [
            "{",
            "  let shape = grid_shape();",
            "  let home = cell_at(position);",
            *indent(_span_lines()),
            *indent(_cell_loops("first", "last", [
                "if (j == i) { continue; }", *body,
            ])),
            "}",
        ]  # fmt: skip

    def candidate(self, senses: Sequence[Any], search: Searched) -> Iterator[str]:
        """Yield the lines that add boid j to the sums of rules that sense it."""
        yield f"let d = nearest_image({search.position} - position);"
        yield "let r2 = dot(d, d);"
        widest = "0.0f"
        for rule in {s.rule.name: s.rule for s in senses}.values():
            widest = f"max({widest}, {self._name('reach', rule.name)})"
        yield f"if (r2 > {widest}) {{ continue; }}"
        yield f"let other_flock = {search.flock_index};"
        yield from self.other(search)
        for sense in senses:
            tests = self.zone(sense.rule)
            if len(self.plan.counts) > 1:
                tests.insert(0, f"other_flock == {self._flock_index(sense.flock)}u")
            yield f"if ({' && '.join(tests)}) {{"
            yield from indent(self.add(sense.rule))
            yield "}"

    def other(self, search: Searched) -> Iterator[str]:
        """Yield the lines that make `other` of a difference d, and `forward`."""
        yield "let far2 = max(r2, 1e-18f);"
        yield f"let other_velocity = {search.velocity};"
        values = ("d.x", "d.y", "d.z", "far2", "sqrt(far2)", "other_velocity.x",
                  "other_velocity.y", "other_velocity.z",
                  *(self.state(name, "", "j") for name in self.plan.states.others),
                  )  # fmt: skip
        yield f"let other = {self.record('other', *values)};"
        yield "let forward = dot(d, velocity);"

    def zone(self, rule: RulePlan) -> list[str]:
        """Return the conditions that a rule senses a boid at d."""
        tests = [f"r2 <= {self._name('reach', rule.name)}"]
        if rule.annulus:
            tests.append(f"r2 > {self._name('inner', rule.name)}")
        if rule.has_cone:
            tests.append(f"forward * abs(forward) >= {self._name('cone', rule.name)} * r2")
        return tests

    def add(self, rule: RulePlan) -> list[str]:
        """Return the lines that add `other` to the sums of a rule."""
        pair = self.function(type(rule.rule), "pair", rule.numbers)
        sums = self._name("sums", rule.name)
        part = part_of(type(rule.rule), rule.numbers.fields, rule.numbers.constants)
        result = read_method(part, "pair", self.plan.readings).result
        assert isinstance(result, Tuple)
        form = "v[{}]" if len(set(result.items)) == 1 else "v.item{}"
        lines = [f"let v = {pair}({self._part(rule.numbers)}, me, other);"]
        lines += [f"{sums}[{k}] += f32({form.format(k)});" for k in range(rule.sums)]
        return ["{", *indent(lines), "}"]

    # --- the k nearest

    def nearest(self, search: Searched, rules: Sequence[RulePlan]) -> list[str]:
        """Return the lines that find the k nearest and add them to the sums of some rules.

        Shells of cells around the boid are searched from the inside out, until the k-th nearest is
        nearer than all that is left.
        """
        lead, k = rules[0], rules[0].nearest
        tests = self.zone(lead)
        if len(self.plan.counts) > 1:
            flocks = [f"other_flock == {self._flock_index(name)}u" for name in lead.senses]
            tests.insert(0, f"({' || '.join(flocks)})")
        visit = [
            f"let d = nearest_image({search.position} - position);",
            "let r2 = dot(d, d);",
            f"if (r2 > kth2 || r2 > {self._name('reach', lead.name)}) {{ continue; }}",
            f"let other_flock = {search.flock_index};",
            "let forward = dot(d, velocity);",
            f"if (!({' && '.join(tests)})) {{ continue; }}",
            f"let other_id = {search.id};",
            "// insertion, in the order (distance, id)",
            f"if (n_near == {k}u && r2 == kth2 && other_id > near_id[{k - 1}u]) {{ continue; }}",
            f"var at = min(n_near, {k - 1}u);",
            "while (at > 0u && (near2[at - 1u] > r2 || (near2[at - 1u] == r2"
            " && near_id[at - 1u] > other_id))) {",
            "  near2[at] = near2[at - 1u];",
            "  near_id[at] = near_id[at - 1u];",
            "  near[at] = near[at - 1u];",
            "  at--;",
            "}",
            "near2[at] = r2;",
            "near_id[at] = other_id;",
            "near[at] = j;",
            f"n_near = min(n_near + 1u, {k}u);",
            f"if (n_near == {k}u) {{ kth2 = near2[{k - 1}u]; }}",
        ]
        hand_over = [
            "let j = near[e];",
            f"let d = nearest_image({search.position} - position);",
            "let r2 = dot(d, d);",
            f"let other_flock = {search.flock_index};",
            *self.other(search),
            *(line for rule in rules for line in self.add(rule)),
        ]
        return [
            f"{{ // the {k} nearest",
            *indent([
                f"var near2: array<f32, {k}>;",
                f"var near_id: array<u32, {k}>;",
                f"var near: array<u32, {k}>;",
                "var n_near = 0u;",
                "var kth2 = MAX_FLOAT;",
                *search.shells(visit),
                "for (var e = 0u; e < n_near; e++) {",
                *indent(hand_over),
                "}",
            ]),
            "}",
        ]  # fmt: skip

    # --- steering

    def steer(self, flock: FlockPlan) -> list[str]:
        """Return the lines from sums to the next velocity, `turned`."""
        moved = self.plan.model.moved_by(flock.flock)
        if not flock.rules and (not flock.last or moved):
            return ["var turned = velocity;"]
        return [*self.total(flock), *self.turn(flock)]

    def total(self, flock: FlockPlan) -> list[str]:
        """Return the lines that combine the vectors of all rules: `total`."""
        how = self.plan.model.flocks[flock.flock].combine
        lines = ["var total = vec3f(0.0);"]
        if how == "priority":
            lines.append(f"var left = {self._part(flock.motion)}.{identifier('max_force')};")
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
        motion: Any = type(self.plan.model.flocks[flock.flock].motion)
        values = [self._part(flock.motion), "me", "total.x", "total.y", self._flat("total.z")]
        if "random" in arguments(motion.turn):
            stream = rng_stream_id(flock.flock, f"motion/{flock.stage}")
            lines += self.random(stream)
            values.append("random")
        state = flock.motion_state
        if state:
            values.append(self.state_name(state))
        turn = self.function(motion, "turn", flock.motion)
        lines.append(f"let turned_values = {turn}({', '.join(values)});")
        lines += self.take("turned_values", motion, "turn", flock.motion, state)
        lines.append(
            f"var turned = vec3f({self._three('turned_values', motion, 'turn', flock.motion)});"
        )
        return lines

    def levels(self, flock: FlockPlan) -> list[str]:
        """Return the lines that add the highest level that acts."""
        loud = sorted((r for r in flock.rules if r.rule.level), key=lambda r: r.rule.level)
        lines = ["var highest = vec3f(0.0);"]
        for _, group in groupby(loud, key=lambda r: r.rule.level):
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
            lines += self.random(rule.rng_stream)
        lines.append("var v = vec3f(0.0);")
        for way in ways:
            takes = arguments(getattr(cls, way))
            values = [self._part(rule.numbers)]
            if way == "finish":
                values.append(self._name("sums", rule.name))
            values.append("me")
            if "random" in takes:
                values.append("random")
            if "herd" in takes:
                lines += self.herd(rule)
                values.append("herd")
            state = rule.state if "kept" in takes else None
            if state:
                values.append(self.state_name(state))
            name = self.function(cls, way, rule.numbers)
            inner = [f"let values = {name}({', '.join(values)});"]
            inner.append(f"v += vec3f({self._three('values', cls, way, rule.numbers)});")
            inner += self.take("values", cls, way, rule.numbers, state)
            lines += ["{", *indent(inner), "}"]
        if rule.rule.normalise:
            lines.append("v = unit(v);")
        part = self._part(rule.numbers)
        if rule.limited:
            lines.append(f"v = limited(v, {part}.{identifier('limit')});")
        return [*lines, f"let weight = {part}.{identifier('weight')};"]

    def herd(self, rule: RulePlan) -> list[str]:
        """Return the lines that make `herd`, relative to the boid."""

        def vector(first: int) -> str:
            numbers = ", ".join(f"numbers[first_number + {first + k}u]" for k in range(3))
            return f"nearest_image(vec3f({numbers}) - position)"

        values = [
            f"{name}.{axis}" if self.dims == 3 or axis != "z" else "0.0f"
            for name in ("herd_centre", "herd_far")
            for axis in AXES
        ]
        count, spread = (f"numbers[first_number + {rule.herd + k}u]" for k in (7, 6))
        return [
            f"let herd_centre = {vector(rule.herd)};",
            f"let herd_far = {vector(rule.herd + 3)};",
            f"let herd = {self.record('herd', count, *values, spread)};",
        ]

    def random(self, stream: int) -> list[str]:
        """Return the lines that draw the four random numbers of a stream."""
        values = [f"drawn.{axis}" for axis in "xyzw"]
        return [
            f"let drawn = draw(index, {stream}u);",
            f"let random = {self.record('random', *values)};",
        ]

    def _flat(self, text: str) -> str:
        return text if self.dims == 3 else "0.0f"

    def _result(self, cls: Any, way: str, numbers: Numbers) -> tuple[Type, ...]:
        part = part_of(cls, numbers.fields, numbers.constants)
        result = read_method(part, way, self.plan.readings).result
        assert isinstance(result, Tuple)
        return result.items

    def _items(self, name: str, cls: Any, way: str, numbers: Numbers) -> list[str]:
        """Return the numbers that a method returned in the variable `name`."""
        items = self._result(cls, way, numbers)
        form = "{}[{}]" if len(set(items)) == 1 else "{}.item{}"
        return [f"f32({form.format(name, k)})" for k in range(len(items))]

    def _three(self, name: str, cls: Any, way: str, numbers: Numbers) -> str:
        x, y, z, *_ = self._items(name, cls, way, numbers)
        return ", ".join((x, y, self._flat(z)))

    def take(
        self, name: str, cls: Any, way: str, numbers: Numbers, state: PerBoidState | None
    ) -> list[str]:
        """Return the line that takes the new per-boid state of a method's result."""
        if state is None:
            return []
        values = self._items(name, cls, way, numbers)[3:]
        kind = self.library.types.text(self.state_type(state))
        return [f"{self.state_name(state)} = {kind}({', '.join(values)});"]

    # --- moving

    def move(self, flock: FlockPlan, by: str = "") -> list[str]:
        """Return the lines from the next velocity to the next position and kind.

        by  the velocity to move with; that of the motion by default
        """
        old = self.plan.model.flocks[flock.flock].motion.advance == "old"
        by = by or ("velocity" if old else "turned")
        step = self.slot(self.plan.time_step)
        lines = [f"var new_position = position + {by} * {step};"]
        for k, boundary in enumerate(self.plan.model.space.boundaries):
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
        tests = [
            f"is_lost({name}.{axis}, {centre})"
            for axis in AXES[: self.dims]
            for name, centre in (("new_position", f"settings.centre.{axis}"),)
        ]
        lines.append(f"if ({' || '.join(tests)}) {{ atomicMin(&control[LOST], id); }}")
        lines.append("var new_kind = flock_of(kind);")
        if flock.can_perch:
            lines += self.land(flock)
        return lines

    def land(self, flock: FlockPlan) -> list[str]:
        """Return the lines that put a boid below the ground on it, for a random number of steps."""
        first, axis = self.plan.grounds[flock.flock], AXES[self.dims - 1]
        ground, shortest, longest = (self.slot(first + k) for k in range(3))
        stream = rng_stream_id(flock.flock, PERCHING)
        return [
            f"if (new_position.{axis} < {ground}) {{",
            f"  new_position.{axis} = {ground};",
            f"  let bits = random_bits(index, {stream}u).x >> 8u;",
            f"  let choices = u32({longest} - {shortest}) + 1u;",
            "  // (bits * choices) >> 24",
            "  let rest = (high_word(bits, choices) << 8u) | ((bits * choices) >> 24u);",
            f"  new_kind |= (u32({shortest}) + rest) << 8u;",
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
                value = f"{self.state_name(state)}.{identifier(name)}"
                lines.append(f"next_memory[{row}u * settings.n_boids + i] = {value};")
        for row in range(self.plan.memory_rows):
            if row not in written:
                at = f"[{row}u * settings.n_boids + i]"
                lines.append(f"next_memory{at} = memory{at};")
        return lines


class Searched:
    """The boids j that a flock senses: by column, or by id as the flock perceives them.

    position, velocity  expressions of boid j
    flock_index, id     the same
    """

    def __init__(self, text: ModelText, flock: FlockPlan) -> None:
        sensors = text.plan.sensor_flocks
        self.perceives = flock.flock in sensors
        array, first = "boids", ""
        if self.perceives:
            array, first = "perceived", f"{sensors.index(flock.flock)}u * settings.n_boids + "
        self.position = f"bitcast<vec3f>({array}[2u * ({first}j)].xyz)"
        self.velocity = f"bitcast<vec3f>({array}[2u * ({first}j) + 1u].xyz)"
        self.flock_index = f"flock_of({array}[2u * ({first}j) + 1u].w)"
        self.id = f"{array}[2u * ({first}j)].w"

    def all_boids(self, body: Sequence[str]) -> list[str]:
        """Return the loop over all other boids."""
        own = "id" if self.perceives else "i"
        inner = [f"if (j == {own}) {{ continue; }}", *body]
        return ["for (var j = 0u; j < settings.n_boids; j++) {", *indent(inner), "}"]

    def shells(self, visit: Sequence[str]) -> list[str]:
        """Return the loop over all boids, nearer cells first if they are in cells."""
        if self.perceives:
            return self.all_boids(visit)
        return [
            "let shape = grid_shape();",
            "let home = cell_at(position);",
            *_shell_lines(["if (j == i) { continue; }", *visit]),
        ]


def indent(lines: Sequence[str] | Iterator[str], levels: int = 1) -> list[str]:
    """Return indented lines."""
    return [f"{'  ' * levels}{line}" for line in lines]


def _type_of(field: Any) -> Type:
    return Tuple(tuple(map(_type_of, field))) if isinstance(field, tuple) else REAL


def _span_lines() -> list[str]:
    """Return the lines that find the cells `first` to `last` within one cell of `home`.

    They may lie beyond the ends of a periodic axis; with one or two cells, each is visited once.
    """
    return [
        "var first = max(home - 1, vec3i(0));",
        "var last = min(home + 1, shape - 1);",
        "for (var k = 0u; k < DIMS; k++) {",
        "  if (settings.periodic[k] == 0u) { continue; }",
        "  if (shape[k] >= 3) { first[k] = home[k] - 1; last[k] = home[k] + 1; }",
        "  else { first[k] = 0; last[k] = shape[k] - 1; }",
        "}",
    ]


def _cell_loops(first: str, last: str, body: Sequence[str], test: str = "") -> list[str]:
    """Return loops over the boids j of the cells from `first` to `last`."""
    lines = [
        f"for (var cz = {first}.z; cz <= {last}.z; cz++) {{",
        f"  for (var cx = {first}.x; cx <= {last}.x; cx++) {{",
        f"    for (var cy = {first}.y; cy <= {last}.y; cy++) {{",
    ]
    inner = [f"if (!({test})) {{ continue; }}"] if test else []
    inner += [
        "let cell = cell_number((vec3i(cx, cy, cz) + shape) % shape);",
        "let end = cells[START + cell + 1u];",
        "for (var j = cells[START + cell]; j < end; j++) {",
        *indent(body),
        "}",
    ]
    return [*lines, *indent(inner, 3), "    }", "  }", "}"]


def _shell_lines(visit: Sequence[str]) -> list[str]:
    """Return the loop over shells of cells around `home`, until the nearest are certain."""
    return [
        "for (var shell = 0; ; shell++) {",
        *indent([
            "var first = home - shell;",
            "var last = home + shell;",
            "var complete = true;",
            "var covered = MAX_FLOAT;",
            "let x0 = grid_corner();",
            "let size = cell_size();",
            "for (var k = 0u; k < DIMS; k++) {",
            "  if (settings.periodic[k] != 0u) {",
            "    if (2 * shell + 1 >= shape[k]) {",
            "      // all cells of the axis: from home - (n - 1) / 2 on, each once",
            "      first[k] = home[k] - (shape[k] - 1) / 2;",
            "      last[k] = first[k] + shape[k] - 1;",
            "      continue;",
            "    }",
            "    complete = false;",
            "  } else {",
            "    first[k] = max(first[k], 0);",
            "    last[k] = min(last[k], shape[k] - 1);",
            "    if (first[k] == 0 && last[k] == shape[k] - 1) { continue; }",
            "    complete = false;",
            "  }",
            "  let below = position[k] - (x0[k] + f32(home[k] - shell) * size[k]);",
            "  let above = x0[k] + f32(home[k] + shell + 1) * size[k] - position[k];",
            "  if (settings.periodic[k] != 0u || home[k] - shell > 0) {",
            "    covered = min(covered, below);",
            "  }",
            "  if (settings.periodic[k] != 0u || home[k] + shell < shape[k] - 1) {",
            "    covered = min(covered, above);",
            "  }",
            "}",
            "if (DIMS == 2u) { first.z = 0; last.z = 0; }",
            *_cell_loops("first", "last", visit, test=(
                "is_new_cell(vec3i(cx, cy, cz) - home, shell, shape)"
            )),
            "covered = max(0.0, covered * 0.9999);",
            "if (complete || kth2 <= covered * covered) { break; }",
        ]),
        "}",
    ]  # fmt: skip
