"""The WGSL text of obstacles: boids sense them, and meet them when they move.

Its functions are those of codegen/obstacle_*.py, printed like the functions of rules. On processors
they compute in float64, here in f32: errors of directions and coordinates are larger, so skins are
thicker. Boids meet obstacles in a pass of their own, after all have turned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from murmurate.codegen import obstacle_movement, obstacle_path, obstacle_shapes
from murmurate.codegen.obstacle_shapes import FACES, NO_AXIS
from murmurate.codegen.plan import Plan, RulePlan
from murmurate.codegen.shape_functions import flags_of
from murmurate.engines.gpu.wgsl_flocks import AXES, FlockText, indent
from murmurate.language.reader import Readings
from murmurate.language.tree import BOOL, REAL, Table, Tuple, Type
from murmurate.language.wgsl_expressions import unbracketed
from murmurate.language.wgsl_library import WgslLibrary
from murmurate.model.model import Model

ROUNDING = 2e-6
"""Relative error of coordinates: a dozen roundings of f32."""
ERRORS = {"DIRECTION_TOLERANCE": 1e-6, "NOISE": 1e-6, "ON_SURFACE": 1e-6, "BESIDE": 1e-2}
"""Errors in f32, in place of those of float64 in obstacle_shapes.py and mesh_*.py. The direction
from a point a skin away is known to a hundredth."""

VECTOR = Tuple((REAL,) * 3)
ROW = Tuple((REAL,) * 7)
TABLE, FACE_TABLE = Table(ROW), Tuple((VECTOR,) * 3)
ARGUMENTS: dict[Callable[..., Any], list[Type]] = {
    obstacle_shapes.relative_to_obstacle: [ROW, *[REAL] * 6],
    obstacle_shapes.is_out_of_reach: [ROW, *[REAL] * 4],
    obstacle_shapes.surface: [ROW, *[REAL] * 3],
    obstacle_path.edge_ahead: [ROW, *[REAL] * 6, BOOL],
    obstacle_shapes.is_clear: [TABLE, *[REAL] * 6, FACE_TABLE, REAL],
    obstacle_movement.move_past: [TABLE, TABLE, *[REAL] * 9, FACE_TABLE, REAL],
}
"""Functions that the text calls, and the types of their arguments."""


def obstacle_constants(text: FlockText) -> list[str]:
    """Return the constants that obstacles.wgsl needs."""
    return [
        f"const MAX_OBSTACLES = {len(text.model.obstacles)}u;",
        f"const FIRST_OBSTACLE = {text.plan.count_numbers}u;",
    ]


def add_function(
    library: WgslLibrary, model: Model, function: Callable[..., Any], how: str = "rule"
) -> str:
    """Add a function of a model's obstacles to a text; return its name there.

    how  'loop' for one that calls long functions: see language/wgsl_loop.py
    """
    tree = Readings(ERRORS | flags_of(model)).read(function, ARGUMENTS[function])
    return library.add(tree, "obstacle", function.__name__, (), how)


def sensed_obstacles(text: FlockText, rule: RulePlan, zone: str, add: str) -> Iterator[str]:
    """Yield the loop over the obstacles that a rule senses.

    Each is at its nearest surface point, or beside the impact: see obstacle_path.py.

    zone, add  condition that the rule senses a candidate at d, and the line that adds it to sums
    """
    relative = add_function(text.library, text.model, obstacle_shapes.relative_to_obstacle)
    is_out_of_reach = add_function(text.library, text.model, obstacle_shapes.is_out_of_reach)
    if rule.senses_edges:
        edge_ahead = add_function(text.library, text.model, obstacle_path.edge_ahead)
        flat = "true" if len(text.model.space.size) == 2 else "false"
        velocity = "velocity.x, velocity.y, velocity.z"
        sense = [
            f"let sensed = {edge_ahead}(obstacle, p[0], p[1], p[2], {velocity}, {flat});",
            "if (!sensed.item3) { continue; }",
            "let d = vec3f(sensed.item0, sensed.item1, sensed.item2);",
        ]
    else:
        surface = add_function(text.library, text.model, obstacle_shapes.surface)
        sense = [
            f"let nearest = {surface}(obstacle, p[0], p[1], p[2]);",
            "let d = vec3f(nearest[0], nearest[1], nearest[2]);",
        ]
    radius = f"{text.tuple_of(rule.numbers)}.radius_"
    count, row = "obstacle_count()", "k"
    yield "{"
    if len(rule.obstacles) < len(text.model.obstacles):
        count, row = f"{len(rule.obstacles)}", "which[k]"
        which = ", ".join(f"{k}i" for k in rule.obstacles)
        yield f"  var which = array<i32, {count}>({which});"
    yield f"  for (var k = 0; k < {count}; k++) {{"
    yield from indent([
        f"let obstacle = obstacle_row(obstacles_at(evaluation), {row});",
        "let s = sides();",
        f"let p = {relative}(obstacle, position.x, position.y, position.z, s[0], s[1], s[2]);",
        f"if ({is_out_of_reach}(obstacle, p[0], p[1], p[2], {radius})) {{ continue; }}",
        *sense,
        "let r2 = dot(d, d);",
        *text.other("vec3f(0.0)"),
        "let forward = dot(d, velocity);",
        f"if ({unbracketed(zone)}) {{ {add} }}",
    ], 2)  # fmt: skip
    yield "  }"
    yield "}"


class ContactText:
    """Functions of the pass in which boids that have turned move past obstacles and faces.

    before       the array with the state before the step, in the columns of `next_boids`
    reads_state  whether functions of perches may read per-boid state
    """

    def __init__(self, plan: Plan) -> None:
        self.text = FlockText(plan, compact=True)
        self.before = "by_id" if plan.integrates else "boids"
        self.reads_state = bool(plan.states.own) and any(flock.perches for flock in plan.flocks)
        how = "loop" if plan.meshes else "rule"
        self.move_past = add_function(
            self.text.library, plan.model, obstacle_movement.move_past, how
        )
        self.is_clear = add_function(self.text.library, plan.model, obstacle_shapes.is_clear)

    def functions(self) -> list[str]:
        """Return the function of the pass, after those that it calls."""
        contact = self.contact()
        return [self.text.library.text(), self.faces(), self.meet(), contact]

    def faces(self) -> str:
        """Return the function with the faces of the space: see obstacle_shapes.py."""
        kinds = [FACES[boundary] for boundary in self.text.model.space.boundaries]
        rows = [
            f"vec3f({kind}f, settings.lower.{axis}, settings.upper.{axis})"
            for kind, axis in zip(kinds, AXES, strict=False)
        ]
        rows += [f"vec3f({NO_AXIS}f, 0.0f, 0.0f)"] * (3 - len(rows))
        type_ = "array<vec3f, 3>"
        return f"fn faces() -> {type_} {{\n  return {type_}({', '.join(rows)});\n}}"

    def meet(self) -> str:
        """Return the function that moves a boid by d past obstacles."""
        return f"""struct Meeting {{ position: vec3f, velocity: vec3f, lost: f32 }}

// Move a boid at p by d past all obstacles. `lost` is 0 or the reason why the boid is lost.
fn meet(p: vec3f, d: vec3f, velocity: vec3f) -> Meeting {{
  let table = next_obstacles_at(0u);
  if ({self.is_clear}(table, p.x, p.y, p.z, d.x, d.y, d.z, faces(), {ROUNDING}f)) {{
    return Meeting(p + d, velocity, 0.0);
  }}
  let m = {self.move_past}(table, obstacles_at(0u), p.x, p.y, p.z, d.x, d.y, d.z,
    velocity.x, velocity.y, velocity.z, faces(), {ROUNDING}f);
  return Meeting(vec3f(m[0], m[1], m[2]), vec3f(m[3], m[4], m[5]), m[6]);
}}"""

    def contact(self) -> str:
        """Return the function that moves boid i. It calls `meet` once: the text of it is long."""
        perches = self.text.plan.perches
        lines = [
            f"let id = {self.before}[i].w;",
            f"let kind = {self.before}[settings.n_boids + i].w;",
            f"var start = bitcast<vec3f>({self.before}[i].xyz);",
            "var d = bitcast<vec3f>(next_boids[i].xyz) - start;",
            "var turned = bitcast<vec3f>(next_boids[settings.n_boids + i].xyz);",
            "var new_kind = flock_of(kind);",
            "let perched = timer_of(kind) > 0u;",
            "if (perched) { d = vec3f(0.0); new_kind = kind - 256u; }",
            "var new_position = start;",
            "var lost = 0.0f;",
            "// once more for a boid that lands: an obstacle may push it out",
            f"for (var turn = 0u; turn < {2 if perches else 1}u; turn++) {{",
            *indent([
                "let met = meet(start, d, turned);",
                "new_position = met.position;",
                "lost = max(lost, met.lost);",
                "if (perched || turn == 1u) { break; }",
                "turned = met.velocity;",
                *self.arrivals(),
                "if (timer_of(new_kind) == 0u) { break; }",
                "start = new_position;",
                "d = vec3f(0.0);",
            ]),
            "}",
            "if (lost > 0.0) { new_position = vec3f(lost, lost, 0.0); }",
            self.text.find_lost(),
            "next_boids[i] = vec4u(bitcast<vec3u>(new_position), id);",
            "next_boids[settings.n_boids + i] = vec4u(bitcast<vec3u>(turned), new_kind);",
        ]  # fmt: skip
        body = "\n".join(f"  {line}" for line in lines)
        return f"fn contact(i: u32) {{\n{body}\n}}"

    def arrivals(self) -> Iterator[str]:
        """Yield the lines in which boids arrive inside the faces, or on the ground."""
        yield "switch flock_of(kind) {"
        for flock in self.text.plan.flocks:
            if not flock.last:
                continue
            lines = []
            if flock.can_perch:
                lines = self.text.load(replace(flock, rules=()), self.before, "i", "0u")
                lines.append(f"let me = {self.text.boid(flock)};")
            lines += self.text.arrive(flock, "new_position", "turned")
            lines.append("new_kind |= timer << 8u;")
            yield f"  case {self.text.flock_index(flock.flock)}u: {{"
            yield from indent(lines, 2)
            yield "  }"
        yield "  default: { }"
        yield "}"
