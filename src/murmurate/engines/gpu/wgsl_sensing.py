"""The WGSL text of sensing: sums over boids in cells, over all boids and over the k nearest.

wgsl_views.py has the text of views.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from murmurate.codegen.candidates.nearest import nearest_groups
from murmurate.codegen.plan import FlockPlan, Plan, RulePlan, Sense
from murmurate.codegen.structure import is_bounded
from murmurate.engines.gpu.wgsl_flocks import FlockText, indent
from murmurate.engines.gpu.wgsl_obstacles import sensed_obstacles
from murmurate.engines.gpu.wgsl_views import view_lines
from murmurate.language.wgsl_expressions import unbracketed

BATCH = 64
"""Largest number of candidates that are sorted at a time, in registers."""


def senses_by_cells(plan: Plan) -> list[tuple[FlockPlan, Sense]]:
    """Return the searches of cells: within a radius, or for the nearest."""
    return [
        (flock, sense)
        for flock in plan.flocks
        if flock.flock not in plan.sensor_flocks
        for sense in flock.senses
        if _in_cells(sense.rule)
    ]


def _in_cells(rule: RulePlan) -> bool:
    return bool(rule.nearest) or is_bounded(rule.rule)


class WgslSensing:
    """Lines that add up the neighbours of a flock's rules."""

    def __init__(self, text: FlockText) -> None:
        self.text = text

    def sense(self, flock: FlockPlan) -> list[str]:
        """Return the lines that add up the neighbours of each rule."""
        lines = []
        for rule in flock.rules:
            if rule.sums:
                lines += self.text.limits(rule)
                kind = self.text.library.types.text(self.text.running_type(rule))
                lines.append(f"var {self.text.name('running', rule.name)} = {kind}();")
        search = Searched(self.text, flock)
        lines += search.sides
        each = [s for s in flock.senses if not s.rule.nearest and not s.rule.has_view]
        near = [s for s in each if _in_cells(s.rule)]
        far = [s for s in each if not _in_cells(s.rule) and s.method != "totals"]
        if search.perceives:
            near, far = [], each
        if near:
            loops = _strips(self.longest(near, in_grid=True), self.candidate(near, search))
            widest = f"  let widest = {self.longest(near)};"
            lines += ["{ // the boids of the cells around", widest, *indent(loops), "}"]
        if far:
            loops = search.all_boids(self.candidate(far, search))
            lines += ["{ // all boids", f"  let widest = {self.longest(far)};", *indent(loops), "}"]
        for group in nearest_groups(flock):
            lines += self.nearest(search, group)
        lines += view_lines(self, search, flock)
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

    def longest(self, senses: Sequence[Sense], in_grid: bool = False) -> str:
        """Return the longest reach of some rules, squared; or of those that sense a flock in the
        grid, and -1 if there are none."""
        longest = "-1.0f"
        for rule in {s.rule.name: s.rule for s in senses}.values():
            reach = self.text.name("reach", rule.name)
            sensed = self.in_grid([s.flock for s in senses if s.rule.name == rule.name])
            if sensed and in_grid:
                reach = f"select(-1.0f, {reach}, {sensed})"
            longest = f"max({longest}, {reach})"
        return longest

    def in_grid(self, flocks: Iterable[str]) -> str:
        """Return the condition that one of some flocks is in the grid; '' for a single flock."""
        if len(self.text.plan.counts) == 1:
            return ""
        return " || ".join(f"is_in_grid({self.text.flock_index(name)}u)" for name in flocks)

    def candidate(self, senses: Sequence[Any], search: Searched) -> Iterator[str]:
        """Yield the lines that add boid j to the sums of rules that sense it."""
        yield from search.difference
        yield "let r2 = dot(d, d);"
        yield f"if ((r2 > widest) | (j == {search.own})) {{ continue; }}"
        yield f"let other_flock = {search.flock_index};"
        yield "let forward = dot(d, velocity);"
        yield from self.text.other(search.velocity, "j")
        for sense in senses:
            flock = self.is_of([sense.flock])
            yield f"if ({unbracketed(self.text.sensing.zone(sense.rule, flock))}) {{"
            yield f"  {self.text.add(sense.rule)}"
            yield "}"

    def is_of(self, flocks: Sequence[str]) -> str:
        """Return the condition that a boid is of some flocks; '' for a single flock."""
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
        rank = f"{k}u - rest" if k > BATCH else "e"
        other = self.text.other(search.velocity, "j", rank=rank, sensed=lead.senses)
        hand_over = [*other, *map(self.text.add, rules)]
        if k > BATCH:
            hand_over.append("rest--;")
            lines = [
                f"var rest = {k}u;",
                *self.in_batches(search, lead, zone, hand_over, "rest == 0u"),
            ]
        else:
            lines = [*_near(k), f"var kth2 = {self.text.name('reach', lead.name)};"]
            visit = [*self.visit(search, zone), *_insertion(k)]
            lines += [*self.wider(search, lead, visit, f"{k}u"), *self.each_near(search, hand_over)]
        return [f"{{ // the {k} nearest", *indent(lines), "}"]

    def in_batches(
        self, search: Searched, lead: RulePlan, zone: str, hand_over: Sequence[str], done: str
    ) -> list[str]:
        """Return the lines that hand over all candidates, in the order (distance, id).

        zone  the condition that a boid is a candidate
        done  the condition that no more are needed. If the rule senses the nearest, `rest` counts
              those that are still needed
        """
        count = f"min(rest, {BATCH}u)"
        is_behind = "r2 > last2 || (r2 == last2 && other_id > last_id)"
        visit = [
            *self.visit(search, zone),
            f"if (!({is_behind})) {{ continue; }}",
            *_insertion(BATCH),
        ]
        return [
            *_near(BATCH),
            "var last2 = -1.0f;",
            "var last_id = 0u;",
            "loop {",
            *indent([
                "n_near = 0u;",
                f"var kth2 = {self.text.name('reach', lead.name)};",
                *self.wider(search, lead, visit, count),
                *self.each_near(search, hand_over, f" && !({done})"),
                f"if (n_near < {BATCH}u || {done}) {{ break; }}",
                f"last2 = near2[{BATCH - 1}u];",
                f"last_id = near_id[{BATCH - 1}u];",
            ]),
            "}",
        ]  # fmt: skip

    def visit(self, search: Searched, zone: str) -> list[str]:
        """Return the lines that skip a boid j farther than `kth2`, or one that is no candidate."""
        return [
            *search.difference,
            "let r2 = dot(d, d);",
            f"if ((r2 > kth2) | (j == {search.own})) {{ continue; }}",
            f"let other_flock = {search.flock_index};",
            "let forward = dot(d, velocity);",
            *([f"if (!({unbracketed(zone)})) {{ continue; }}"] if zone else []),
            f"let other_id = {search.id};",
        ]

    def each_near(self, search: Searched, hand_over: Sequence[str], test: str = "") -> list[str]:
        """Return the loop over the boids of a batch, in order."""
        return [
            f"for (var e = 0u; e < n_near{test}; e++) {{",
            *indent([
                "let j = near[e];",
                *search.difference,
                f"let other_flock = {search.flock_index};",
                *hand_over,
            ]),
            "}",
        ]  # fmt: skip

    def wider(
        self, search: Searched, lead: RulePlan, visit: Sequence[str], count: str
    ) -> list[str]:
        """Return the loops over boids within `kth2`: by cells, if the rule searches in cells.

        count  number of boids that the rule needs, if it senses the nearest
        """
        if search.perceives or not _in_cells(lead):
            return search.all_boids(visit)
        reach, sensed = self.text.name("reach", lead.name), self.in_grid(lead.senses)
        if not lead.nearest:
            return _strips(f"select(-1.0f, kth2, {sensed})" if sensed else "kth2", visit)
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
                *_strips(reach2, visit),
                f"if (n_near >= {count} || kth2 == {reach} || radius >= MAX_RADIUS) "
                "{ break; }",
            ]),
            "}",
        ]  # fmt: skip


def _near(k: int) -> list[str]:
    """Return the lines that declare k boids in order."""
    return [
        f"var near2: array<f32, {k}>;",
        f"var near_id: array<u32, {k}>;",
        f"var near: array<u32, {k}>;",
        "var n_near = 0u;",
    ]


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
    own         the number of the boid that senses
    difference  the lines that declare the difference `d` of its position; those in `sides` precede
    """

    def __init__(self, text: FlockText, flock: FlockPlan) -> None:
        messages, received = text.plan.first_messages, []
        self.perceives = flock.flock in messages
        array, row = "boids", "j"
        if self.perceives:
            array, row = "perceived", f"{2 * messages[flock.flock]}u * settings.n_boids + j"
        if text.plan.loses(flock.flock):
            row = "2u * message * settings.n_boids + j"
            sensor = text.plan.sensor_flocks.index(flock.flock)
            received = [
                f"let message = received({sensor}u, id, index, j);",
                "if (message == NOBODY) { continue; }",
            ]
        self.position = f"bitcast<vec3f>({array}[{row}].xyz)"
        self.velocity = f"bitcast<vec3f>({array}[settings.n_boids + {row}].xyz)"
        self.flock_index = f"flock_of({array}[settings.n_boids + {row}].w)"
        self.id = f"{array}[{row}].w"

        self.own = "id" if self.perceives else "i"
        self.sides = []
        self.difference = [*received, f"let d = {self.position} - position;"]
        if any(text.model.space.periodic):
            self.sides = [f"let {k} = settings.{k}.xyz;" for k in ("side", "inverse_side")]
            self.difference = [
                *received,
                f"let apart = {self.position} - position;",
                "let d = apart - side * floor(apart * inverse_side + 0.5);",
            ]

    def all_boids(self, body: Iterable[str]) -> list[str]:
        """Return the loop over all boids."""
        return ["for (var j = 0u; j < settings.n_boids; j++) {", *indent(body), "}"]


def _strips(reach2: str, body: Iterable[str]) -> list[str]:
    """Return the loops over the boids j of the cells within the root of `reach2`, and over those
    that are not in the grid."""
    return [
        f"let block = cells_within({unbracketed(reach2)}, position);",
        "var at = block.first;",
        "while (at.z <= block.last.z + i32(FLOCKS > 1u)) {",
        "  let walk = next_spans(i, at, block);",
        "  at = walk.next;",
        "  var span = (i % 64u) * SPANS;",
        "  var end = 0u;",
        "  for (var j = 0u; ; j++) {",
        "    if (j == end) {",
        "      if (span == walk.end) { break; }",
        "      j = spans[span].x;",
        "      end = spans[span].y;",
        "      span++;",
        "    }",
        *indent(body, 2),
        "  }",
        "}",
    ]  # fmt: skip
