"""The WGSL text of sensing: sums over boids in cells, over all boids and over the k nearest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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


def sensed_within(plan: Plan) -> list[tuple[int, int, int]]:
    """Return (slot of the radius, flock, sensed flock) for each search of cells, by indices."""
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
            lines += self.around(near, list(self.candidate(near, search)))
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

    def around(self, senses: Sequence[Sense], body: Sequence[str]) -> list[str]:
        """Return the loop over the boids j of the cells that rules need, each once."""
        reach2 = "-1.0f"
        for rule in {s.rule.name: s.rule for s in senses}.values():
            own = self.text.name("reach", rule.name)
            if sensed := self.in_grid([s.flock for s in senses if s.rule.name == rule.name]):
                own = f"select(-1.0f, {own}, {sensed})"
            reach2 = f"max({reach2}, {own})"
        return ["{", *indent(_strips(reach2, ["if (j == i) { continue; }", *body])), "}"]

    def in_grid(self, flocks: Iterable[str]) -> str:
        """Return the condition that one of some flocks is in the grid; '' where there is one
        flock."""
        if len(self.text.plan.counts) == 1:
            return ""
        return " || ".join(f"is_in_grid({self.text.flock_index(name)}u)" for name in flocks)

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

        A search covers a radius that probably contains enough boids, and a larger one until it
        does.
        """
        lead, k = rules[0], rules[0].nearest
        zone = self.text.sensing.zone(lead, self.is_of(lead.senses))
        visit = [
            f"let d = nearest_image({search.position} - position);",
            "let r2 = dot(d, d);",
            "if (r2 > kth2) { continue; }",
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
                f"var kth2 = {self.text.name('reach', lead.name)};",
                *self.wider(search, lead, visit),
                "for (var e = 0u; e < n_near; e++) {",
                *indent(hand_over),
                "}",
            ]),
            "}",
        ]  # fmt: skip

    def wider(self, search: Searched, lead: RulePlan, visit: Sequence[str]) -> list[str]:
        """Return the loops over boids within `kth2`, in cells if they are in cells."""
        if search.perceives:
            return search.all_boids(visit)
        reach, sensed = self.text.name("reach", lead.name), self.in_grid(lead.senses)
        radius, reach2 = f"first_radius({lead.nearest}.0f, position)", "kth2"
        if sensed:
            radius, reach2 = (
                f"select(MAX_RADIUS, {radius}, in_grid)",
                "select(-1.0f, kth2, in_grid)",
            )
        return [
            *([f"let in_grid = {sensed};"] if sensed else []),
            f"for (var radius = {radius}; ; radius = next_radius(radius, position)) {{",
            *indent([
                "n_near = 0u;",
                f"kth2 = min(radius * radius, {reach});",
                *_strips(reach2, ["if (j == i) { continue; }", *visit]),
                f"if (n_near == {lead.nearest}u || kth2 == {reach} || radius >= MAX_RADIUS) "
                "{ break; }",
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


def _strips(reach2: str, body: Sequence[str]) -> list[str]:
    """Return the loops over the boids j of the cells within the root of `reach2`, and over those
    that are not in the grid."""
    return [
        f"let block = cells_within({unbracketed(reach2)}, position);",
        "var at = block.first;",
        "while (at.z <= block.last.z + i32(FLOCKS > 1u)) {",
        *indent([
            "let strip = strip_at(at, block);",
            "at = strip.next;",
            "for (var j = strip.first; j < strip.end; j++) {",
            *indent(body),
            "}",
        ]),
        "}",
    ]  # fmt: skip
