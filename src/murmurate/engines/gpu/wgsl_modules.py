"""The WGSL modules of a model: passes that sort boids, perceive, steer and move them.

`grid.wgsl`, `perceive.wgsl`, `integrate.wgsl` and `totals.wgsl` are the same for all models. The
module `stages` is written from the plan of the model: a function for each flock and stage adds up
what rules sense (wgsl_sensing.py), steers the boid and moves it, by functions of wgsl_flocks.py. In
models with obstacles the module `obstacles` moves it (wgsl_obstacles.py). The module `steps` has
the functions of `grid` and `stages` in one pass, for a few boids.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from murmurate.codegen.plan import FlockPlan, HerdSlots, Plan
from murmurate.disk import read_text
from murmurate.engines.cpu.model_arguments import perception_constants
from murmurate.engines.cpu.thresholds import THRESHOLDS
from murmurate.engines.gpu.wgsl_flocks import FlockText, indent
from murmurate.engines.gpu.wgsl_obstacles import ContactText, obstacle_constants
from murmurate.engines.gpu.wgsl_sensing import WgslSensing, senses_by_cells
from murmurate.engines.gpu.wgsl_views import ARC_AT, has_views
from murmurate.engines.state import past_depth
from murmurate.language.wgsl_library import PRIMITIVES, elementary_text
from murmurate.language.wgsl_types import identifier

READ, WRITE = "read", "read_write"
BINDINGS = {
    "boids": (1, "array<vec4u>"), "next_boids": (2, "array<vec4u>"), "memory": (3, "array<f32>"),
    "next_memory": (4, "array<f32>"), "cells": (5, "array<u32>"), "numbers": (6, "array<f32>"),
    "control": (7, "array<atomic<u32>>"), "work": (8, "array<atomic<u32>>"),
    "perceived": (9, "array<vec4u>"), "by_id": (10, "array<vec4u>"),
    "history": (11, "array<vec4u>"), "slopes": (12, "array<vec4u>"),
    "frame": (13, "array<u32>"), "frame_memory": (14, "array<f32>"), "arcs": (15, "array<f32>"),
}  # fmt: skip
"""Buffer -> its binding and its type. A pass binds at most eight, which WebGPU guarantees; one
more if it computes views for boids that sense late or with errors, and one if messages have a
range: see buffer_limits.py."""
Access = dict[str, str]
"""Buffer that a module uses -> READ or WRITE."""


@dataclass(frozen=True)
class Module:
    """The text of some passes, and the buffers that they use."""

    text: str
    access: Access


CONTROL = ("step_low", "step_high", "steps_done", "lost", "stopped", "probe", "begun", "wanted")
"""Words of `control`; `probe` is the id of the boid that is probed."""
VECTORS = 8
"""Word of `control` at which the rules' weighted vectors on it begin, three numbers for each."""
_PROBE = f"""// Whether vectors of rules on boid `id` are recorded: those at the start of a step.
fn is_probed(id: u32, evaluation: u32) -> bool {{
  return evaluation == 0u && id == atomicLoad(&control[{CONTROL.index("probe")}u]);
}}

fn note(rule: i32, x: f32, y: f32, z: f32) -> f32 {{
  let vector = vec3f(x, y, z);
  for (var k = 0u; k < 3u; k++) {{
    atomicStore(&control[{VECTORS}u + 3u * u32(rule) + k], bitcast<u32>(vector[k]));
  }}
  return 0.0;
}}"""


GROUP = 64
"""Threads of a workgroup of a pass with a thread for each boid."""
WIDE = 256
"""Threads of a workgroup that sums or sorts."""
STEPS_AT_ONCE = 8
"""Largest number of steps of one dispatch of `run_steps`."""


def steps_at_once(plan: Plan) -> bool:
    """Return whether one pass can make whole steps, with the eight buffers that it may bind."""
    more = plan.perceives or plan.integrates or plan.has_totals or plan.model.obstacles
    return not more and not has_views(plan)


class WgslModules:
    """Write the modules of a plan.

    probes  whether the weighted vectors of the rules on one boid are written into `control`
    opened  names of the rules whose functions a page replaces, in the module `stages`
    """

    def __init__(self, plan: Plan, probes: bool = False, opened: Collection[str] = ()) -> None:
        self.text = FlockText(plan, probes, opened=opened)
        self.sensing = WgslSensing(self.text)

    def modules(self) -> dict[str, Module]:
        """Return the modules by name: grid and stages, and others where needed. Raises
        RuleError."""
        result = {"grid": self.grid(), "stages": self.stages()}
        if self.text.plan.perceives or self.text.plan.integrates:
            result["perceive"] = self.perceive()
        if self.text.plan.integrates:
            own = WgslModules(self.text.plan)  # with functions of its own
            result["integrate"] = own.integrate()
        if self.text.plan.has_totals:
            result["totals"] = self.totals()
        if self.text.model.obstacles:
            result["obstacles"] = self.obstacles()
        if steps_at_once(self.text.plan) and not self.text.probes:
            result["steps"] = self.steps()
        return result

    def module(self, access: Access, *parts: str) -> Module:
        """Return a module of some parts."""
        bindings = [
            f"@group(0) @binding({BINDINGS[name][0]}) "
            f"var<storage, {how}> {name}: {BINDINGS[name][1]};"
            for name, how in access.items()
        ]
        head = [
            f"const DIMS = {self.text.dims}u;",
            f"const MEMORY = {self.text.plan.memory_rows}u;",
            f"const FLOCKS = {len(self.text.plan.counts)}u;",
            f"const MAX_UNGRIDDED = {THRESHOLDS.flock}u;",
            f"const EVALUATIONS = {len(self.text.evaluations)}u;",
            f"const TIME_STEP = {self.text.plan.time_step}u;",
            *bindings,
        ]
        shared = [wgsl_file("common"), *([self.index_of()] if "numbers" in access else [])]
        return Module("\n\n".join(["\n".join(head), *shared, *parts]), access)

    def index_of(self) -> str:
        """Return the function from the dense number of a boid to its index within its flock.

        Where boids join and leave, two rows behind the numbers that differ between boids have the
        low and the high half of the index.
        """
        value = "id - settings.flocks[flock].x"
        if self.text.model.changes_numbers:
            row = len(self.text.plan.individual_rows)
            low, high = (
                f"u32(numbers[settings.first_individual + {row + k}u * settings.n_boids + id])"
                for k in range(2)
            )
            value = f"{low} | ({high} << 16u)"
        return f"fn index_of(id: u32, flock: u32) -> u32 {{ return {value}; }}"

    def grid(self) -> Module:
        """Return the passes that sort boids, and the end of a step."""
        access = {
            "boids": READ, "next_boids": WRITE, "memory": READ, "next_memory": WRITE,
            "cells": WRITE, "numbers": READ, "control": WRITE, "work": WRITE,
        }  # fmt: skip
        kernels = [
            f"@compute @workgroup_size(64)\nfn make_grid_{e}"
            f"(@builtin(local_invocation_index) local: u32) {{ make_grid({e}u, local); }}\n"
            f"@compute @workgroup_size({WIDE})\nfn sort_{e}"
            f"(@builtin(local_invocation_index) local: u32) {{ sort({e}u, local); }}"
            for e in range(len(self.text.evaluations))
        ]
        begins = sort_begins_steps(self.text.plan)
        parts = [wgsl_file("cells"), *self.sorting(WIDE, begins), wgsl_file("grid_passes")]
        return self.module(access, *parts, *kernels)

    def sorting(self, threads: int, begins: bool) -> list[str]:
        """Return the functions that sort boids.

        threads  of a workgroup
        begins   whether steps begin with sorting, which ends the step before
        """
        is_open = "open" in self.text.model.space.boundaries
        constants = [
            f"const WIDE = {threads}u;  // threads of a workgroup",
            f"const OPEN = {str(is_open).lower()};",
            f"const BEGINS = {str(begins).lower()};",
        ]
        return ["\n".join(constants), wgsl_file("grid"), self.longest_reach()]

    def longest_reach(self) -> str:
        """Return the function that finds the longest radius of searches in the grid."""
        flock_index = self.text.flock_index
        lines = [
            f"  reach = max(reach, select(0.0, numbers[row(evaluation)"
            f" + {sense.rule.numbers.fields['radius']}u],"
            f" (settings.flocks[{flock_index(flock.flock)}].y > 0u)"
            f" & is_in_grid({flock_index(sense.flock)}u)));"
            for flock, sense in senses_by_cells(self.text.plan)
            if not sense.rule.nearest
        ]
        head = "fn longest_reach(evaluation: u32) -> f32 {"
        return "\n".join([head, "  var reach = 0.0;", *lines, "  return reach;", "}"])

    def perceive(self) -> Module:
        """Return the passes of perceptions besides the state."""
        access = {
            "boids": READ, "by_id": WRITE, "perceived": WRITE, "history": WRITE,
            "numbers": WRITE, "control": WRITE,
        }  # fmt: skip
        plan, offsets = self.text.plan, HerdSlots(0)
        sensors = [k for k, s in enumerate(plan.sensings.values()) for _ in range(s.ages)]
        constants = [
            f"const SENSORS = {len(plan.sensings)}u;",
            f"const MESSAGES = {plan.message_rows}u;",
            _array("SENSOR_OF", "u32", [f"{sensor}u" for sensor in sensors]),
            f"const HERD_FAR = {offsets.vectors[3]}u;",
            f"const HERD_SPREAD = {offsets.spread}u;",
            f"const HERD_COUNT = {offsets.count}u;",
            _array("HERDS", "i32", [f"{n}i" for n in perception_constants(plan)["herds"]]),
        ]
        parts = [PRIMITIVES.strip(), elementary_text(), *self.links(), wgsl_file("perceive")]
        return self.module(access, "\n".join(constants), *parts)

    def links(self) -> list[str]:
        """Return the functions that tell when boids send messages."""
        numbers = perception_constants(self.text.plan)
        constants = [
            f"const DEPTH = {past_depth(self.text.model)}u;",
            *(
                _array(name.upper(), "u32", [f"{number}u" for number in numbers[name]])
                for name in ("sensing", "sensing_streams")
            ),
        ]
        return ["\n".join(constants), wgsl_file("links")]

    def receive(self) -> list[str]:
        """Return the functions that tell which messages reach a boid."""
        head = "fn reaches(sensor: u32, sent: u32, sender: u32, receiver: u32) -> bool {"
        if not self.has_range:
            return [*self.links(), f"{head} return true; }}", wgsl_file("receive")]
        ranges = [f"{min(x, 1e18)!r}f" for x in perception_constants(self.text.plan)["max_ranges"]]
        lines = [
            _array("MAX_RANGES", "f32", ranges),
            head,
            "  let first = 2u * (sent % DEPTH) * settings.n_boids;",
            "  let from_ = bitcast<vec3f>(history[first + sender].xyz);",
            "  let gap = nearest_image(from_ - bitcast<vec3f>(history[first + receiver].xyz));",
            "  return dot(gap, gap) <= MAX_RANGES[sensor] * MAX_RANGES[sensor];",
            "}",
        ]
        return [*self.links(), "\n".join(lines), wgsl_file("receive")]

    @property
    def has_range(self) -> bool:
        """Whether messages have a range, which depends on past positions."""
        return any(sensing.range is not None for sensing in self.text.plan.sensings.values())

    def integrate(self) -> Module:
        """Return the passes that place boids where the forces are evaluated."""
        access = {
            "by_id": READ, "slopes": READ, "next_boids": WRITE, "numbers": READ, "control": WRITE,
        }  # fmt: skip
        parts, bends, _ = zip(*self.text.evaluations, strict=True)
        constants = [
            _array("PARTS", "f32", [f"{x!r}f" for x in parts]),
            _array("BENDS", "f32", [f"{x!r}f" for x in bends]),
        ]
        kernels = [
            self.thread_kernel(f"place_{e}", f"place(i, {e}u);")
            for e in range(1, len(self.text.evaluations))
        ]
        settle = [self.settle(flock) for flock in self.text.plan.flocks]
        cases = self.cases(
            "by_id", {f.flock: self.text.name("settle", f.flock) for f in self.text.plan.flocks}
        )
        kernels.append(self.thread_kernel("settle", cases))
        return self.module(
            access,
            "\n".join(constants),
            wgsl_file("integrate"),
            self.text.library.text(),
            *settle,
            *kernels,
        )

    def frame(self) -> Module:
        """Return the pass `write_frame`, which writes frames."""
        access = {
            "boids": READ, "memory": READ, "numbers": READ, "control": WRITE, "frame": WRITE,
            "frame_memory": WRITE,
        }  # fmt: skip
        perches = str(self.text.plan.perches).lower()
        return self.module(access, f"const PERCHES = {perches};", wgsl_file("frame"))

    def stages(self) -> Module:
        """Return the passes `stage_0`, `stage_1`, ..., or `evaluate_0`, ... of an integrator."""
        access = {"boids": READ, "cells": READ, "numbers": READ, "control": WRITE}
        if self.text.plan.integrates:
            access["slopes"] = WRITE
        else:
            access |= {"next_boids": WRITE, "memory": READ, "next_memory": WRITE}
        if self.text.plan.sensor_flocks:
            access["perceived"] = READ
        if self.has_range:
            access["history"] = READ
        if has_views(self.text.plan):
            access["arcs"] = WRITE
        kernels = []
        for stage in range(self.text.plan.stages):
            for e in range(len(self.text.evaluations)):
                name = f"evaluate_{e}" if self.text.plan.integrates else f"stage_{stage}"
                kernels.append(self.thread_kernel(name, self.stage(stage, e)))
        parts = [wgsl_file("cells"), *([_PROBE] if self.text.probes else [])]
        if any(map(self.text.plan.loses, self.text.plan.sensings)):
            parts += self.receive()
        if "arcs" in access:
            parts.append(ARC_AT)
        if self.text.plan.has_totals:
            parts.append(self.total_functions())
        if self.text.model.obstacles:
            parts += ["\n".join(obstacle_constants(self.text)), wgsl_file("obstacles")]
        return self.module(access, *parts, *self.updates, *kernels)

    @cached_property
    def updates(self) -> list[str]:
        """The functions that update a boid."""
        updates = [self.update(flock) for flock in self.text.plan.flocks]
        functions = self.text.functions()
        return [self.text.library.text(), functions, *updates]

    def stage(self, stage: int, evaluation: int) -> str:
        """Return the lines that update boid i in a stage."""
        flocks = [flock for flock in self.text.plan.flocks if flock.stage == stage]
        updates = {flock.flock: self._update(flock) for flock in flocks}
        return self.cases("boids", updates, f"{evaluation}u")

    def steps(self) -> Module:
        """Return the pass `run_steps`, in which one workgroup makes some steps."""
        names = "boids", "next_boids", "memory", "next_memory", "cells", "control", "work"
        access = {"numbers": READ, **dict.fromkeys(names, WRITE)}
        constants = [
            f"const STEPS_AT_ONCE = {STEPS_AT_ONCE}u;",
            f"const SORTS = {str(bool(senses_by_cells(self.text.plan))).lower()};",
        ]
        stages = [
            f"  for (var i = local; i < settings.n_boids; i += WIDE) {{\n  {self.stage(k, 0)}\n  }}"
            "\n  keep(local);"
            for k in range(self.text.plan.stages)
        ]
        run_stages = "\n".join(["fn run_stages(local: u32) {", *stages, "}"])
        sorting = self.sorting(GROUP, begins=False)
        parts = ["\n".join(constants), wgsl_file("cells"), *sorting, *self.updates, run_stages]
        return self.module(access, *parts, wgsl_file("steps"))

    def totals(self) -> Module:
        """Return the passes that sum over flocks."""
        access = {"boids": READ, "numbers": WRITE, "control": WRITE, "work": WRITE}
        return self.module(access, self.total_functions(), wgsl_file("totals"))

    def total_functions(self) -> str:
        """Return the functions that read the sums over flocks, which are in front of the rows."""
        return f"""fn total_at(flock: u32) -> u32 {{
  return settings.first_row - {6 * len(self.text.plan.counts)}u + 6u * flock;
}}
fn total_of(flock: u32, first: u32) -> vec3f {{
  let at = total_at(flock) + first;
  return vec3f(numbers[at], numbers[at + 1u], numbers[at + 2u]);
}}"""

    def obstacles(self) -> Module:
        """Return the pass in which boids move past obstacles."""
        contact = ContactText(self.text.plan)
        access = {contact.before: READ, "next_boids": WRITE, "numbers": READ, "control": WRITE}
        if contact.reads_state:
            access["memory"] = READ
        kernel = self.thread_kernel("meet_obstacles", "contact(i);")
        constants = "\n".join(obstacle_constants(self.text))
        return self.module(access, constants, wgsl_file("obstacles"), *contact.functions(), kernel)

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
            f"    case {self.text.flock_index(flock)}u: {{ {name}({values}); }}"
            for flock, name in functions.items()
        ]
        head = f"switch flock_of({array}[settings.n_boids + i].w) {{"
        return "\n".join([head, *lines, "    default: { }", "  }"])

    def _update(self, flock: FlockPlan) -> str:
        return self.text.name(f"update{flock.stage}", flock.flock)

    def update(self, flock: FlockPlan) -> str:
        """Return the function that updates a boid of a flock in a stage, or evaluates its force."""
        lines = self.text.load(flock, "boids", "i", "evaluation")
        if flock.can_perch:
            lines += self.perched(flock)
        lines.append(f"let me = {self.text.boid(flock)};")
        for state in flock.states:
            rows = ", ".join(f"memory[{row}u * settings.n_boids + i]" for row in state.rows)
            kind = self.text.library.types.text(self.text.state_type(state))
            lines.append(f"var {self.text.state_name(state)} = {kind}({rows});")
        lines += self.sensing.sense(flock)
        lines += self.steer(flock)
        if self.text.plan.integrates:
            lines += self.slope("turned", "velocity")
        else:
            lines += self.move(flock) if flock.last else ["let new_position = position;"]
            lines += self.write(flock)
        body = "\n".join(f"  {line}" for line in lines)
        head = f"// {flock.flock}, stage {flock.stage + 1}"
        return f"{head}\nfn {self._update(flock)}(i: u32, evaluation: u32) {{\n{body}\n}}"

    def perched(self, flock: FlockPlan) -> list[str]:
        """Return the lines for a boid on the ground."""
        if self.text.plan.integrates:
            slope = self.slope("vec3f(0.0)", "vec3f(0.0)")
            return ["if (timer_of(kind) > 0u) {", *indent([*slope, "return;"]), "}"]
        left = "kind - 256u" if flock.last else "kind"
        lines = [
            "next_boids[i] = boids[i];",
            f"next_boids[settings.n_boids + i] = vec4u(boids[settings.n_boids + i].xyz, {left});",
            *(
                f"next_memory[{row}u * settings.n_boids + i]"
                f" = memory[{row}u * settings.n_boids + i];"
                for row in range(self.text.plan.memory_rows)
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

    def steer(self, flock: FlockPlan) -> list[str]:
        """Return the lines from sums to the next velocity, or to the acceleration: `turned`."""
        lines = [
            f"let steered = {self.text.steer(flock)};",
            *_turned("steered"),
        ]
        at = 3
        for state in [] if self.text.plan.integrates else flock.states:
            kind = self.text.library.types.text(self.text.state_type(state))
            values = ", ".join(f"steered[{at + k}]" for k in range(len(state.names)))
            lines.append(f"{self.text.state_name(state)} = {kind}({values});")
            at += len(state.names)
        for row, drifts in flock.failures:
            velocity = "velocity" if drifts else "vec3f(0.0)"
            failed = f"memory[{row}u * settings.n_boids + i] > 0.0f"
            lines.append(f"if ({failed}) {{ turned = {velocity}; }}")
        return lines

    def move(self, flock: FlockPlan, by: str = "") -> list[str]:
        """Return the lines from the next velocity to the next position and kind.

        by  the velocity to move with; that of the motion by default
        """
        old = self.text.model.flocks[flock.flock].motion.advance == "old"
        by = by or ("velocity" if old else "turned")
        step = self.text.number(self.text.plan.time_step)
        lines = [f"var new_position = position + {by} * {step};"]
        if self.text.model.obstacles:  # see ContactText
            return [*lines, "let new_kind = kind;"]
        lines += [*self.text.arrive(flock, "new_position", "turned"), self.text.find_lost()]
        return [*lines, "let new_kind = flock_of(kind) | (timer << 8u);"]

    def write(self, flock: FlockPlan) -> list[str]:
        """Return the lines that write the next state."""
        kind = "new_kind" if flock.last else "kind"
        at = "[{}u * settings.n_boids + i]"
        rows = {row: f"memory{at.format(row)}" for row in range(self.text.plan.memory_rows)}
        for state in flock.states:
            fields = (f"{self.text.state_name(state)}.{identifier(name)}" for name in state.names)
            rows |= zip(state.rows, fields, strict=True)
        return [
            "next_boids[i] = vec4u(bitcast<vec3u>(new_position), id);",
            f"next_boids[settings.n_boids + i] = vec4u(bitcast<vec3u>(turned), {kind});",
            *(f"next_memory{at.format(row)} = {value};" for row, value in rows.items()),
        ]

    def settle(self, flock: FlockPlan) -> str:
        """Return the function that moves a boid by the mean slopes of a step."""
        weights = [f"{weight!r}f" for _, _, weight in self.text.evaluations]
        motion = self.text.tuple_of(flock.motion)
        mean = [
            " + ".join(f"{w} * slope({e}u, id, {k}u)" for e, w in enumerate(weights))
            for k in range(2)
        ]
        lines = self.text.load(replace(flock, rules=()), "by_id", "i", "0u")
        if flock.can_perch:
            lines += [
                "if (timer_of(kind) > 0u) {",
                "  next_boids[id] = by_id[id];",
                "  next_boids[settings.n_boids + id] = by_id[settings.n_boids + id];",
                "  next_boids[settings.n_boids + id].w = kind - 256u;",
                "  return;",
                "}",
            ]
        lines += [
            f"let me = {self.text.boid(flock)};",
            f"let total = {motion}.{identifier('mass')} * ({mean[0]});",
            f"let mean_velocity = {mean[1]};",
            f"let turned_by_force = {self.text.turn(flock)};",
            *_turned("turned_by_force"),
            *self.move(flock, "mean_velocity"),
            "next_boids[id] = vec4u(bitcast<vec3u>(new_position), id);",
            "next_boids[settings.n_boids + id] = vec4u(bitcast<vec3u>(turned), new_kind);",
        ]
        body = "\n".join(f"  {line}" for line in lines)
        return f"fn {self.text.name('settle', flock.flock)}(i: u32) {{\n{body}\n}}"


def sort_begins_steps(plan: Plan) -> bool:
    """Return whether sorting is the first pass of a step that depends on the step."""
    return bool(senses_by_cells(plan)) and not (plan.perceives or plan.integrates)


def _turned(values: str) -> list[str]:
    """Return the lines that take the next velocity from a function's result, and report a boid if
    it is not finite."""
    tests = " || ".join(f"is_not_finite(turned.{axis})" for axis in "xyz")
    return [
        f"var turned = vec3f({values}[0], {values}[1], {values}[2]);",
        f"if ({tests}) {{ atomicMin(&control[LOST], id); }}",
    ]


def _array(name: str, kind: str, values: Sequence[str]) -> str:
    """Return a constant array, with one zero if it has no values: WGSL has no empty arrays."""
    items = values or [f"{kind}()"]
    type_ = f"array<{kind}, {len(items)}>"
    return f"var<private> {name}: {type_} = {type_}({', '.join(items)});"


def wgsl_file(name: str) -> str:
    """Return the text of a WGSL file of this package."""
    return read_text(Path(__file__).with_name(f"{name}.wgsl"))
