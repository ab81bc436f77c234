"""The WGSL text of sensing: sums over boids in cells, over all boids and over the k nearest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from murmurate.codegen.candidates.nearest import nearest_groups
from murmurate.codegen.plan import FlockPlan, Plan, RulePlan, Sense
from murmurate.engines.gpu.wgsl_flocks import FlockText, indent
from murmurate.engines.gpu.wgsl_obstacles import sensed_obstacles
from murmurate.language.wgsl_expressions import unbracketed
from murmurate.model.quantity import extent

MAX_NEAREST = 64
"""The largest number of nearest neighbours: they are kept in registers."""


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
    return sorted({slot for slot, _, _ in sensed_within(plan)})


def sensed_within(plan: Plan) -> list[tuple[int, int, int]]:
    """Return (slot, flock, other flock) for each radius that cells serve.

    These are indices of a flock and of one that it senses within the radius. While one of the two
    has no boids, cells need not serve the radius for them.
    """
    index = list(plan.counts).index
    return [
        (sense.rule.numbers.fields["radius"], index(flock.flock), index(sense.flock))
        for flock in plan.flocks
        if flock.flock not in plan.sensor_flocks
        for sense in flock.senses
        if _in_cells(sense.rule) and not sense.rule.nearest
    ]


class WgslSensing:
    """Lines that add up what the rules of a flock sense."""

    def __init__(self, text: FlockText) -> None:
        self.text = text

    def sense(self, flock: FlockPlan) -> list[str]:
        """Return the lines that add up what each rule senses."""
        lines = []
        for rule in flock.rules:
            if rule.sums:
                lines += self.text.limits(rule)
                kind = self.text.library.types.text(self.text.running_type(rule))
                lines.append(f"var {self.text.name('running', rule.name)} = {kind}();")
        search = Searched(self.text, flock)
        near = [s for s in flock.senses if _in_cells(s.rule) and not s.rule.nearest]
        far = [s for s in flock.senses if not _in_cells(s.rule) and s.method != "totals"]
        if flock.flock in self.text.plan.sensor_flocks:
            near, far = [], [s for s in flock.senses if not s.rule.nearest]
        if near:
            lines += ["// the boids of the cells around"]
            lines += self.around(list(self.candidate(near, search)))
        if far:
            lines += ["// all boids", *search.all_boids(list(self.candidate(far, search)))]
        for group in nearest_groups(flock):
            lines += self.nearest(search, group)
        for sense in flock.senses:
            if sense.method == "totals":
                lines += self.total(flock, sense)
        for rule in flock.rules:
            if rule.obstacles:
                zone, add = self.text.sensing.zone(rule), self.text.add(rule)
                lines += sensed_obstacles(self.text, rule, zone, add)
        for rule in flock.rules:
            if self.text.sensing.includes_self(flock, rule):
                other = self.text.other("velocity", "i", flock.flock)
                lines += ["{", "  let d = vec3f(0.0);", *indent([*other, self.text.add(rule)]), "}"]
        for rule in flock.rules:
            if rule.sums:
                sums = self.text.name("sums", rule.name)
                lines.append(f"let {sums} = {self.text.sums(rule)};")
        return lines

    def around(self, body: Sequence[str]) -> list[str]:
        """Return the loops over the boids j of the cells around, each cell once."""
        return [
            "{",
            "  let shape = grid_shape();",
            "  let block = cells_around(cell_at(position), shape);",
            *indent(_cell_loops(["if (j == i) { continue; }", *body])),
            "}",
        ]  # fmt: skip

    def candidate(self, senses: Sequence[Any], search: Searched) -> Iterator[str]:
        """Yield the lines that add boid j to the sums of rules that sense it."""
        yield f"let d = nearest_image({search.position} - position);"
        yield "let r2 = dot(d, d);"
        widest = "0.0f"
        for rule in {s.rule.name: s.rule for s in senses}.values():
            widest = f"max({widest}, {self.text.name('reach', rule.name)})"
        yield f"if (r2 > {widest}) {{ continue; }}"
        yield f"let other_flock = {search.flock_index};"
        yield "let forward = dot(d, velocity);"
        yield from self.text.other(search.velocity, "j")
        for sense in senses:
            flock = self.is_of([sense.flock])
            yield f"if ({unbracketed(self.text.sensing.zone(sense.rule, flock))}) {{"
            yield f"  {self.text.add(sense.rule)}"
            yield "}"

    def is_of(self, flocks: Sequence[str]) -> str:
        """Return the condition that a boid is of some flocks; '' where there is one flock."""
        if len(self.text.plan.counts) == 1:
            return ""
        tests = [f"(other_flock == {self.text.flock_index(name)}u)" for name in flocks]
        return f"({' | '.join(tests)})" if len(tests) > 1 else tests[0]

    def total(self, flock: FlockPlan, sense: Sense) -> list[str]:
        """Return the lines that add all boids of a flock as one candidate at their mean."""
        rule, k = sense.rule, self.text.flock_index(sense.flock)
        others = sense.flock == flock.flock and not rule.rule.include_self
        return [
            f"// all boids of {sense.flock} at once",
            f"if (settings.flocks[{k}].y > {int(others)}u) {{",
            *indent([
                f"let n = f32(settings.flocks[{k}].y - {int(others)}u);",
                "let own = position - settings.centre.xyz;",
                f"let d = (total_of({k}u, 0u){' - own' if others else ''}) / n - own;",
                *self.text.other(f"(total_of({k}u, 3u){' - velocity' if others else ''}) / n"),
                self.text.add(rule, "n"),
            ]),
            "}",
        ]  # fmt: skip

    def nearest(self, search: Searched, rules: Sequence[RulePlan]) -> list[str]:
        """Return the lines that find the k nearest and add them to the sums of some rules.

        Shells of cells around the boid are searched from the inside out, until the k-th nearest is
        nearer than all that is left.
        """
        lead, k = rules[0], rules[0].nearest
        zone = self.text.sensing.zone(lead, self.is_of(lead.senses))
        visit = [
            f"let d = nearest_image({search.position} - position);",
            "let r2 = dot(d, d);",
            f"if (r2 > kth2 || r2 > {self.text.name('reach', lead.name)}) {{ continue; }}",
            f"let other_flock = {search.flock_index};",
            "let forward = dot(d, velocity);",
            f"if (!({unbracketed(zone)})) {{ continue; }}",
            f"let other_id = {search.id};",
            *_insertion(k),
        ]
        hand_over = [
            "let j = near[e];",
            f"let d = nearest_image({search.position} - position);",
            f"let other_flock = {search.flock_index};",
            *self.text.other(search.velocity, "j"),
            *map(self.text.add, rules),
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


def _insertion(k: int) -> list[str]:
    """Return the lines that insert boid j into the k nearest, in the order (distance, id)."""
    return [
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


class Searched:
    """The boids j that a flock senses: by column, or by id as the flock perceives them.

    position, velocity  expressions of boid j
    flock_index, id     the same
    """

    def __init__(self, text: FlockText, flock: FlockPlan) -> None:
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
            "for (var shell = 0; ; shell++) {",
            "  let block = cells_within(shell, home, position, shape);",
            *indent(_cell_loops(
                ["if (j == i) { continue; }", *visit],
                test="is_new_cell(vec3i(cx, cy, cz) - home, shell, shape)",
            )),
            "  if (kth2 <= block.covered2) { break; }",
            "}",
        ]  # fmt: skip


def _cell_loops(body: Sequence[str], test: str = "") -> list[str]:
    """Return loops over the boids j of the cells of `block` that pass a test."""
    lines = [
        "for (var cz = block.first.z; cz <= block.last.z; cz++) {",
        "  for (var cx = block.first.x; cx <= block.last.x; cx++) {",
        "    for (var cy = block.first.y; cy <= block.last.y; cy++) {",
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
